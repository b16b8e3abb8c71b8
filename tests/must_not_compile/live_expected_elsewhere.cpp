// SPDX-License-Identifier: Apache-2.0
// How a std::expected lies in memory is its library's affair.
// expect: expected_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <expected>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  int detail;
#else
  std::expected<int, int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
