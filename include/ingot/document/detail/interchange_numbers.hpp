// SPDX-License-Identifier: Apache-2.0
// Numbers in the encoding of MessagePack and CBOR: big-endian, reals of two, four or eight bytes,
// integers of any length.
//
// Reals are copied as bits, since some machines change the bits of a NaN when they convert it.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Loads a big-endian number of `bytes` bytes.
[[nodiscard]] constexpr std::uint64_t load_big(const std::byte* from, unsigned bytes) noexcept {
  std::uint64_t number = 0;
  for (unsigned i = 0; i < bytes; ++i) number = number << 8 | std::to_integer<std::uint64_t>(from[i]);
  return number;
}
constexpr void store_big(std::byte* to, std::uint64_t number, unsigned bytes) noexcept {
  for (unsigned i = bytes; i-- > 0; number >>= 8) to[i] = static_cast<std::byte>(number);
}

/// A real of IEEE 754 with `Exponent` bits of exponent and `Mantissa` bits of mantissa.
template <unsigned Exponent, unsigned Mantissa>
struct real_format {
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr std::uint64_t special = (1u << Exponent) - 1; // exponent of infinities and NaN
  static constexpr unsigned dropped = 52 - Mantissa;

  /// Returns the bits of the double with the same value.
  [[nodiscard]] static constexpr std::uint64_t widen(std::uint64_t bits) noexcept {
    const std::uint64_t sign = (bits >> (Exponent + Mantissa) & 1) << 63;
    const std::uint64_t exponent = bits >> Mantissa & special;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << Mantissa) - 1);
    if (exponent == special) return sign | std::uint64_t{0x7ff} << 52 | fraction << dropped;
    if (exponent != 0)
      return sign | (exponent + static_cast<std::uint64_t>(1023 - bias)) << 52 | fraction << dropped;
    if (fraction == 0) return sign;
    // This number is subnormal in this format, but normal as a double.
    const auto top = static_cast<unsigned>(std::bit_width(fraction)) - 1;
    const int power = 1 - bias - static_cast<int>(Mantissa) + static_cast<int>(top);
    return sign | static_cast<std::uint64_t>(power + 1023) << 52 |
           (fraction << (52 - top) & ((std::uint64_t{1} << 52) - 1));
  }

  /// Converts the bits of a double to the bits of the same number in this format. Returns nothing
  /// if a bit would be lost.
  [[nodiscard]] static constexpr std::optional<std::uint32_t> narrow(std::uint64_t bits) noexcept {
    const std::uint64_t sign = (bits >> 63) << (Exponent + Mantissa);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const auto with_sign = [&](std::uint64_t rest) { return static_cast<std::uint32_t>(sign | rest); };
    const auto lost = [](std::uint64_t of, int low) { return (of & ((std::uint64_t{1} << low) - 1)) != 0; };
    constexpr int drop = dropped;
    const int power = exponent - 1023;
    if (exponent == 0x7ff)
      return lost(fraction, drop) ? std::nullopt
                                  : std::optional(with_sign(special << Mantissa | fraction >> drop));
    if (exponent == 0) return fraction == 0 ? std::optional(with_sign(0)) : std::nullopt;
    if (power > bias || power < 1 - bias - static_cast<int>(Mantissa)) return std::nullopt;
    if (power >= 1 - bias)
      return lost(fraction, drop)
                 ? std::nullopt
                 : std::optional(
                       with_sign(static_cast<std::uint64_t>(power + bias) << Mantissa | fraction >> drop));
    const int shift = drop + (1 - bias - power); // at most 52
    const std::uint64_t whole = std::uint64_t{1} << 52 | fraction;
    return lost(whole, shift) ? std::nullopt : std::optional(with_sign(whole >> shift));
  }
};
using half_real = real_format<5, 10>;
using single_real = real_format<8, 23>;

/// Removes the leading zero bytes.
[[nodiscard]] constexpr std::span<const std::byte> significant(std::span<const std::byte> number) noexcept {
  while (!number.empty() && number[0] == std::byte{}) number = number.subspan(1);
  return number;
}

/// Returns the double nearest to `magnitude` * 2^`power`, of two equally near ones the one with an
/// even fraction. If the result exceeds the largest double, returns an infinity. Computes with
/// integers: the result is the same in every mode of the processor. `power` is less than 2^20 in
/// size.
[[nodiscard]] constexpr double scaled(std::uint64_t magnitude, int power) noexcept {
  if (magnitude == 0) return 0;
  const int zeros = std::countl_zero(magnitude);
  magnitude <<= zeros;
  const int exponent = power - zeros + 63; // the number is 1.… * 2^exponent
  constexpr std::uint64_t infinity = std::uint64_t{0x7FF} << 52;
  if (exponent > 1023) return std::bit_cast<double>(infinity);
  const bool is_normal = exponent >= -1022;
  const int drop = is_normal ? 11 : 11 - 1022 - exponent; // bits that have no place
  if (drop > 64) return 0;
  const std::uint64_t fraction = drop == 64 ? 0 : magnitude >> drop;
  const std::uint64_t rest = magnitude << (64 - drop); // its first bit is a half
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  const bool rounds_up = rest > half || (rest == half && fraction % 2 != 0);
  // The highest bit of a normal fraction is not stored: it adds one to the exponent. So does a
  // carry.
  const std::uint64_t above = is_normal ? static_cast<std::uint64_t>(exponent + 1022) << 52 : 0;
  return std::bit_cast<double>(above + fraction + (rounds_up ? 1 : 0));
}

/// Returns the double nearest to a natural number of any length or, if `negative`, to -1 minus this
/// number, times 2^`power`. If the result exceeds the largest double, returns an infinity.
/// O(bytes).
[[nodiscard]] INGOT_COMPILED double nearest_real(std::span<const std::byte> number, bool negative,
                                                 int power = 0) noexcept;

}}} // namespace ingot::INGOT_V1::detail::interchange

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/interchange_numbers.hpp>
#endif
