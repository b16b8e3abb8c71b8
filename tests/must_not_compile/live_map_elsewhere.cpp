// SPDX-License-Identifier: Apache-2.0
// A std::map keeps its nodes on the heap.
// expect: map_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <map>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  ingot::vector<int> detail;
#else
  std::map<int, int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
