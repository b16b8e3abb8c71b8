// SPDX-License-Identifier: Apache-2.0
// A misspelt name in INGOT_REFLECT.
// expect: misspelt_member
// expect: opne_
// lines by g++: 40
#include <ingot/pack/pack.hpp>

#ifdef MUST_COMPILE
#define INGOT_CASE open_
#else
#define INGOT_CASE opne_
#endif
class door {
  bool open_ = false;
  double angle_ = 0;

public:
  INGOT_REFLECT(door, (), INGOT_CASE, angle_)
};
auto write(const door& value) { return ingot::pack(value); }
