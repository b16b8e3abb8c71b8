// SPDX-License-Identifier: Apache-2.0
// Standard libraries order the members of a tuple differently.
// expect: tuple_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <tuple>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  std::pair<int, float> detail;
#else
  std::tuple<int, float> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
