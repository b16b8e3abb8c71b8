// SPDX-License-Identifier: Apache-2.0
// References to a bit-field are not possible, so INGOT_REFLECT can't list it.
// expect: misspelt_member
// expect: level_
#include <ingot/pack/pack.hpp>

#ifdef MUST_COMPILE
#define INGOT_CASE
#else
#define INGOT_CASE : 3
#endif
class door {
  double angle_ = 0;
  unsigned level_ INGOT_CASE;

public:
  door() : level_(0) {}
  INGOT_REFLECT(door, (), angle_, level_)
};
auto write(const door& value) { return ingot::pack(value); }
