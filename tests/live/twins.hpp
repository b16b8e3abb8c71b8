// SPDX-License-Identifier: Apache-2.0
// A type in a block and its twin of standard containers, for models.
#pragma once

#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

namespace live_test {

struct item {
  ingot::string name;
  ingot::vector<std::uint16_t> path;
  std::int32_t level = 0;
};

struct item_twin {
  std::string name;
  std::vector<std::uint16_t> path;
  std::int32_t level = 0;
  friend bool operator==(const item_twin&, const item_twin&) = default;
};

[[nodiscard]] inline item_twin twin_of(const item& from) {
  return {std::string(from.name.view()), {from.path.begin(), from.path.end()}, from.level};
}
[[nodiscard]] inline std::uint32_t twin_of(std::uint32_t from) { return from; }

template <class T>
[[nodiscard]] auto twin_of(const ingot::vector<T>& from) {
  std::vector<std::remove_cvref_t<decltype(twin_of(from[0]))>> twins;
  for (const auto& each : from) twins.push_back(twin_of(each));
  return twins;
}

[[nodiscard]] inline bool same(const item& a, const item_twin& b) {
  return a.name.view() == b.name && a.level == b.level && std::ranges::equal(a.path, b.path);
}
[[nodiscard]] inline bool same(std::uint32_t a, std::uint32_t b) { return a == b; }
template <class T, class U>
[[nodiscard]] bool same(const ingot::vector<T>& a, const std::vector<U>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
}

} // namespace live_test
