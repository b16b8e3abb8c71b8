// SPDX-License-Identifier: Apache-2.0
// A value on its way into a container, while a reader makes it.
#pragma once

#include <cstddef>

namespace ingot::inline v1::detail {

/// Layers whose values can't stand alone specialise it, and make room for what so many bytes of a message or text can become.
template <class T>
struct temporary {
  T value{};
  constexpr temporary() = default;
  explicit constexpr temporary(std::size_t) {}
  [[nodiscard]] constexpr T& operator*() noexcept { return value; }
};

} // namespace ingot::inline v1::detail
