// SPDX-License-Identifier: Apache-2.0
// expect: deleted function
// expect: ingot: put the bytes into a variable first
#include <ingot/pack/view.hpp>

struct record {
  int number;
};

#ifdef MUST_COMPILE
int look(const ingot::buffer& bytes) { return ingot::view<record>::open(bytes)->get<0>(); }
#else
int look(ingot::buffer& bytes) {
  return ingot::view<record>::open(static_cast<ingot::buffer&&>(bytes))->get<0>();
}
#endif
