// SPDX-License-Identifier: Apache-2.0
// Text of a live type is an ingot::string.
// expect: string_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <string>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  ingot::string detail;
#else
  std::string detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
