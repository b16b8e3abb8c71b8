// SPDX-License-Identifier: Apache-2.0
// expect: the type has no member of this name
// expect: numbre
// expect: number
// expect: price
// lines by g++: 20
#include <ingot/pack/view.hpp>

struct record {
  int number;
  double price;
};

#ifdef MUST_COMPILE
int look(const ingot::view<record>& seen) { return seen.get<"number">(); }
#else
int look(const ingot::view<record>& seen) { return seen.get<"numbre">(); }
#endif
