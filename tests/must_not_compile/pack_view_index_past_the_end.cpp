// SPDX-License-Identifier: Apache-2.0
// expect: the type has no member of this index
#include <ingot/pack/view.hpp>

struct record {
  int number;
};

#ifdef MUST_COMPILE
int look(const ingot::view<record>& seen) { return seen.get<0>(); }
#else
int look(const ingot::view<record>& seen) { return seen.get<1>(); }
#endif
