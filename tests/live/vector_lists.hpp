// SPDX-License-Identifier: Apache-2.0
// Vectors of one element type in a block, and functions that make random elements.
#pragma once

#include <ingot/live/vector.hpp>

#include "live/dice.hpp"
#include "live/twins.hpp"

#include <cstdint>

namespace vector_test {

using namespace live_test;

template <class T>
struct lists {
  ingot::vector<T> a;
  ingot::vector<T> b;
  ingot::vector<ingot::vector<T>> nested;
};

/// Makes random values and compares them.
template <class T>
struct maker;
template <>
struct maker<std::uint32_t> {
  using twin = std::uint32_t;
  static twin make(dice& random) { return static_cast<twin>(random()); }
  template <class>
  static bool less_of(std::uint32_t a, std::uint32_t b) {
    return a % 64 < b % 64;
  }
  static bool goes(std::uint32_t a) { return a % 3 == 0; }
};
template <>
struct maker<item> {
  using twin = item_twin;
  static twin make(dice& random) {
    return {std::string(random() % 24, static_cast<char>('a' + random() % 26)),
            std::vector<std::uint16_t>(random() % 5, 7), static_cast<std::int32_t>(random() % 50)};
  }
  template <class U>
  static bool less_of(const U& a, const U& b) {
    return a.level < b.level;
  }
  static bool goes(const auto& a) { return a.level % 3 == 0; }
};

} // namespace vector_test
