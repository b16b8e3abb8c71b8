// SPDX-License-Identifier: Apache-2.0
// Each standard library has a layout of its own for std::optional.
// expect: optional_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <optional>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  int detail;
#else
  std::optional<int> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
