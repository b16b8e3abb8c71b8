// SPDX-License-Identifier: Apache-2.0
// A header was forgotten, so the type of a member is unknown: the class is not packed, and has no
// bit-field, and no error says so.
// expect: map
// absent: packed class
// absent: bit-field
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#ifdef MUST_COMPILE
#include <ingot/live/map.hpp>
#endif

struct person {
  ingot::string name;
  ingot::map<int, int> ages;
};

void grow(ingot::live<person>& block) { block->name = "x"; }
