// SPDX-License-Identifier: Apache-2.0
// Each standard library has a layout of its own for std::expected.
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
