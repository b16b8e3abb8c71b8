// SPDX-License-Identifier: Apache-2.0
// Little-endian loads and stores at any alignment. They are for the binary formats whose bytes are
// the same on all platforms.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// The types that `load_le` and `store_le` take: scalars of 1, 2, 4 or 8 bytes. Each byte of such a
/// scalar is a part of its value.
template <class T>
concept wire_scalar = (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::byte>) &&
                      (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

/// Reads a little-endian `T` at `from`, at any alignment. Does not check the value of a `bool`;
/// readers must check it.
template <wire_scalar T>
[[nodiscard]] INGOT_INLINE constexpr T load_le(const std::byte* from) noexcept {
  std::array<std::byte, sizeof(T)> raw{};
  if consteval {
    for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = from[detail::little_endian ? i : sizeof(T) - 1 - i];
  } else {
    if constexpr (detail::little_endian || sizeof(T) == 1) {
      std::memcpy(raw.data(), from, sizeof(T));
    } else {
      for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = from[sizeof(T) - 1 - i];
    }
  }
  return std::bit_cast<T>(raw);
}

/// Writes `value` at `to`, little-endian, at any alignment.
template <wire_scalar T>
INGOT_INLINE constexpr void store_le(std::byte* to, T value) noexcept {
  if consteval {
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = raw[detail::little_endian ? i : sizeof(T) - 1 - i];
  } else {
    if constexpr (detail::little_endian || sizeof(T) == 1) {
      std::memcpy(to, &value, sizeof(T));
    } else {
      const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
      for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = raw[sizeof(T) - 1 - i];
    }
  }
}

}} // namespace ingot::INGOT_V1
