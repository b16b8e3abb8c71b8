// SPDX-License-Identifier: Apache-2.0
// A class derived from a vector adds a member, which `compact` would set to 0.
// expect: derived_class
// expect: tags
#include <ingot/live/live.hpp>
#include <ingot/live/vector.hpp>

#ifdef MUST_COMPILE
struct tags {
  ingot::vector<int> list;
  int version = 0;
};
#else
struct tags : ingot::vector<int> {
  int version = 0;
};
#endif
struct record {
  tags value;
};
bool make() { return ingot::live<record>().bytes().empty(); }
