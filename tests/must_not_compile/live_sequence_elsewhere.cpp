// SPDX-License-Identifier: Apache-2.0
// Elements of a live type are in an ingot container.
// expect: sequence_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <vector>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  ingot::vector<int> detail;
#else
  std::vector<int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
