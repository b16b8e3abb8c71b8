// SPDX-License-Identifier: Apache-2.0
// The message is destroyed before the view is used.
// expect: deleted function
// expect: ingot: put the bytes into a variable first
#include <ingot/pack/typed.hpp>

struct record {
  int number;
};

#ifdef MUST_COMPILE
int look(const ingot::buffer& bytes) { return ingot::open_typed<record>(bytes)->get<0>(); }
#else
int look(ingot::buffer& bytes) {
  return ingot::open_typed<record>(static_cast<ingot::buffer&&>(bytes))->get<0>();
}
#endif
