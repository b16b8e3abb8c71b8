// SPDX-License-Identifier: Apache-2.0
// A value on its way into a container, while a reader makes it.
#pragma once

namespace ingot::inline v1::detail {

/// Layers whose values can't stand alone specialise it.
template <class T>
struct temporary {
  T value{};
  [[nodiscard]] constexpr T& operator*() noexcept { return value; }
};

} // namespace ingot::inline v1::detail
