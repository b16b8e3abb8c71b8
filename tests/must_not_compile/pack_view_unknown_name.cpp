// SPDX-License-Identifier: Apache-2.0
// expect: the type has no member of this name
#include <ingot/pack/view.hpp>

struct record {
  int number;
};

#ifdef MUST_COMPILE
int look(const ingot::view<record>& seen) { return seen.get<"number">(); }
#else
int look(const ingot::view<record>& seen) { return seen.get<"numbre">(); }
#endif
