// SPDX-License-Identifier: Apache-2.0
// A std::unique_ptr points to the heap.
// expect: box_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <memory>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  int detail;
#else
  std::unique_ptr<int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
