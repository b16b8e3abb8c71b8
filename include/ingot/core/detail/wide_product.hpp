// SPDX-License-Identifier: Apache-2.0
// The product of two words, in two words: for hashes, and for divisions by multiplication.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct wide_product {
  std::uint64_t high;
  std::uint64_t low;
};
/// Multiplies by 32-bit halves, for machines without a 128-bit product. On machines with such a
/// product, a test compares the results of both methods.
[[nodiscard]] constexpr wide_product multiply_in_halves(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t half = 0xFFFFFFFF;
  const std::uint64_t low = (a & half) * (b & half);
  const std::uint64_t left = (a >> 32) * (b & half) + (low >> 32);
  const std::uint64_t right = (a & half) * (b >> 32) + (left & half);
  return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32), right << 32 | (low & half)};
}
[[nodiscard]] INGOT_INLINE constexpr wide_product multiply(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
  __extension__ using product = unsigned __int128;
  const product both = static_cast<product>(a) * b;
  return {static_cast<std::uint64_t>(both >> 64), static_cast<std::uint64_t>(both)};
#else
  return multiply_in_halves(a, b);
#endif
}

}}} // namespace ingot::INGOT_V1::detail
