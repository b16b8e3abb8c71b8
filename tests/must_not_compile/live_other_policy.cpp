// SPDX-License-Identifier: Apache-2.0
// A block has offsets of one width.
// expect: other_policy
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  ingot::vector<int> detail;
#else
  ingot::wide::vector<int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
