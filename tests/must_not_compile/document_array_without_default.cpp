// SPDX-License-Identifier: Apache-2.0
// expect: a record with a C array needs a default constructor: use std::array
#include <ingot/document/document.hpp>

#include <array>

struct meters {
  explicit meters(int n) : count(n) {}
  int count;
  constexpr auto reflect(auto&& f) { return f(count); }
};
struct path {
#ifdef MUST_COMPILE
  std::array<meters, 2> legs;
#else
  meters legs[2];
#endif
  constexpr auto reflect(auto&& f) { return f(legs); }
};

ingot::result<path> read(const ingot::document& doc) { return doc.root().as<path>(); }
