// SPDX-License-Identifier: Apache-2.0
// Conversion of floats to doubles and back, bit by bit. A NaN keeps its payload and stays
// signalling, and a subnormal float keeps its value. A conversion instruction of the processor may
// change the payload and make the NaN quiet, and a processor mode makes it replace subnormal
// numbers by zero.
#pragma once

#include <ingot/core/detail/float_tests.hpp>

#include <bit>
#include <concepts>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// As `widen_float`, for zeros, subnormal floats, infinities and NaNs.
constexpr std::uint64_t widen_special_float(std::uint32_t narrow) noexcept {
  const std::uint64_t sign = std::uint64_t{narrow >> 31} << 63;
  const std::uint64_t fraction = narrow & 0x7FFFFF;
  if ((narrow >> 23 & 0xFF) == 0xFF) return sign | std::uint64_t{0x7FF} << 52 | fraction << 29;
  if (fraction == 0) return sign;
  const auto top = static_cast<unsigned>(std::bit_width(fraction)) - 1; // fraction * 2^-149
  return sign | std::uint64_t{1023 - 149 + top} << 52 |
         (fraction << (52 - top) & ((std::uint64_t{1} << 52) - 1));
}
/// Returns the bits of the double that equals the float with the given bits.
constexpr std::uint64_t widen_float(std::uint64_t bits) noexcept {
  const auto narrow = static_cast<std::uint32_t>(bits);
  if ((narrow >> 23 & 0xFF) - 1 < 0xFE)
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(narrow)));
  return widen_special_float(narrow);
}
/// As `narrow_float`, for doubles below the normal floats in size, infinities and NaNs.
constexpr std::uint32_t narrow_special_double(std::uint64_t bits) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) << 31;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
  if (exponent == 0x7FF) {
    const auto payload = static_cast<std::uint32_t>(fraction >> 29);
    return sign | std::uint32_t{0xFF} << 23 | (fraction != 0 && payload == 0 ? 1U : payload);
  }
  constexpr unsigned half_of_smallest = 1023 - 150; // exponent of half of the least float
  if (exponent < half_of_smallest) return sign;
  // The number is `whole` * 2^-149 / 2^drop. Rounds to the nearest, ties to even. A carry into the
  // exponent gives the least normal float.
  const unsigned drop = 52 + 1023 - 149 - exponent; // from 30 to 53
  const std::uint64_t whole = std::uint64_t{1} << 52 | fraction;
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  return sign | static_cast<std::uint32_t>((whole + half - 1 + (whole >> drop & 1)) >> drop);
}
/// Returns the bits of the float nearest to the double with the given bits. A NaN stays a NaN.
constexpr std::uint32_t narrow_float(std::uint64_t bits) noexcept {
  if ((bits >> 52 & 0x7FF) - (1023 - 126) < 0x7FF - (1023 - 126))
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  return narrow_special_double(bits);
}

/// Returns the double that equals `number`. A NaN becomes quiet and keeps its other bits, as most
/// processors convert it.
[[nodiscard]] INGOT_INLINE constexpr double float_to_double(const float& number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if ((bits >> 23 & 0xFF) - 1 < 0xFE) return static_cast<double>(number);
  return std::bit_cast<double>(widen_special_float(is_nan(number) ? bits | 0x40'0000 : bits));
}
[[nodiscard]] INGOT_INLINE constexpr double float_to_double(const double& number) noexcept { return number; }
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr double float_to_double(const F& number) noexcept {
  return static_cast<double>(number);
}
/// Returns the `F` nearest to `number`. If it has another size, a NaN becomes quiet.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr F nearest_float(const double& number) noexcept {
  if constexpr (sizeof(F) != sizeof(float)) {
    return number;
  } else {
    const std::uint32_t bits = narrow_float(std::bit_cast<std::uint64_t>(number));
    return std::bit_cast<F>((bits & 0x7FFF'FFFF) > infinity_word<float> ? bits | 0x40'0000 : bits);
  }
}

}}} // namespace ingot::INGOT_V1::detail
