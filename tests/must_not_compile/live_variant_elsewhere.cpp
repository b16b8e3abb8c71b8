// SPDX-License-Identifier: Apache-2.0
// Each standard library has a layout of its own for std::variant.
// expect: variant_elsewhere
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <variant>

struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  int detail;
#else
  std::variant<int, float> detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
