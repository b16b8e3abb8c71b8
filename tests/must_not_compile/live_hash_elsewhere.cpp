// SPDX-License-Identifier: Apache-2.0
// A std::unordered_map keeps its nodes on the heap.
// expect: hash_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <unordered_map>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  ingot::vector<int> detail;
#else
  std::unordered_map<int, int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
