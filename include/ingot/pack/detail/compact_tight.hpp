// SPDX-License-Identifier: Apache-2.0
// Tight floats keep every bit of a float or double. They take one byte for a small whole number,
// and a few bytes for a decimal of few digits or a float whose last bits are zeros. Encoding and
// decoding compute with integers only, so the result does not depend on the floating-point unit or
// the rounding mode. docs/format.md describes the forms.
#pragma once

#include <ingot/core/detail/wide_product.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A tight float begins with a leading byte. Leading bytes below 160 are the whole numbers 0 to
/// 159, and 160 to 191 are the whole numbers -1 to -32. The leading bytes from 192 on are decimals.
/// For each number of digits after the decimal point, there are six leading bytes, one for each
/// size of the digits.
inline constexpr unsigned tight_naturals = 160;
inline constexpr unsigned tight_decimals = 0xC0;
/// maximum size of a decimal's digits in bytes; at most 3 are used for a float
inline constexpr unsigned tight_lengths = 6;
inline constexpr unsigned tight_two = 0xFC; ///< the float's upper two bytes; the others are zero
inline constexpr unsigned tight_three = 0xFD;
inline constexpr unsigned tight_single = 0xFE; ///< a double that a normal float can hold
inline constexpr unsigned tight_whole = 0xFF;

/// A leading byte and the payload that follows it.
struct tight_form {
  std::uint64_t payload = 0;
  std::uint8_t lead = 0;
  std::uint8_t size = 0; ///< payload size in bytes
  friend constexpr bool operator==(const tight_form&, const tight_form&) = default;
};

/// Returns the payload size in bytes for a leading byte of a float of `width` bytes.
constexpr unsigned tight_payload(unsigned lead, unsigned width) noexcept {
  if (lead < tight_decimals) return 0;
  if (lead < tight_two) return (lead - tight_decimals) % tight_lengths + 1;
  return lead == tight_whole ? width : lead - tight_two + 2;
}

inline constexpr std::array<std::uint32_t, 10> powers_of_five{1,    5,     25,    125,    625,
                                                              3125, 15625, 78125, 390625, 1953125};

/// Returns `std::bit_width` as an int: in g++ 12 it returns the argument's type.
constexpr int bits_in(std::uint64_t number) noexcept { return static_cast<int>(std::bit_width(number)); }

/// Constants of the formats of IEEE 754.
template <unsigned Width>
struct float_format {
  static constexpr int fraction_bits = Width == 4 ? 23 : 52;
  static constexpr int top_exponent = Width == 4 ? 0xFF : 0x7FF; ///< infinities, NaNs
  static constexpr int bias = Width == 4 ? 127 : 1023;
  static constexpr std::uint64_t sign = std::uint64_t{1} << (Width * 8 - 1);
  static constexpr std::uint64_t fraction = (std::uint64_t{1} << fraction_bits) - 1;
  /// Only floats with a binary exponent from `lowest` to `end` - 1 are stored as decimals. For
  /// higher exponents, the decimal's digits need as many bytes as the float.
  static constexpr int lowest = -20;
  static constexpr int end = Width == 4 ? 23 : 47;
  /// For each exponent, the maximum number of digits after the decimal point. With this number of
  /// digits, every float of the exponent, times 10^digits, is below 2^24 (doubles below 2^50). So
  /// the floats nearest to two different decimals are always different.
  static constexpr auto max_digits = [] {
    std::array<std::uint8_t, end - lowest> counts{};
    constexpr double limit = Width == 4 ? 0x1p24 : 0x1p50;
    for (int exponent = lowest; exponent < end; ++exponent) {
      double above = exponent + 1 < 0 ? 1.0 / static_cast<double>(1U << -(exponent + 1))
                                      : static_cast<double>(std::uint64_t{1} << (exponent + 1));
      std::uint8_t digits = 0;
      for (; digits < 9 && above * 10 <= limit; ++digits) above *= 10;
      counts[static_cast<std::size_t>(exponent - lowest)] = digits;
    }
    return counts;
  }();
};

/// A decimal: all its digits as a whole number, and the number of digits after the decimal point.
/// 12.5 is 125 and 1.
struct decimal_digits {
  std::uint64_t all = 0; ///< the digits as a whole number; 0 if there is no decimal
  unsigned decimals = 0;
};

/// Returns the decimal to which mantissa * 2^(exponent - fraction_bits) is the nearest float.
/// Requires an exponent from `lowest` to `end` - 1 (see `float_format`).
template <unsigned Width>
constexpr decimal_digits find_decimal(std::uint64_t mantissa, int exponent) noexcept {
  using format = float_format<Width>;
  // number of the mantissa's bits after the binary point
  const int below_one = format::fraction_bits - exponent;
  if (below_one < 64 && (mantissa & ((std::uint64_t{1} << below_one) - 1)) == 0)
    return {mantissa >> below_one, 0};
  unsigned digits = format::max_digits[static_cast<std::size_t>(exponent - format::lowest)];
  const auto shift = static_cast<unsigned>(below_one) - digits; // from 1 to 63
  // The product mantissa * 5^digits, in two words. The product shifted right by `shift` bits is the
  // float times 10^digits.
  const std::uint64_t five = powers_of_five[digits];
  const std::uint64_t low = (mantissa & 0xFFFFFFFF) * five;
  const std::uint64_t high = (mantissa >> 32) * five + (low >> 32);
  const std::uint64_t word = high << 32 | (low & 0xFFFFFFFF);
  std::uint64_t all = (high >> 32) << (64 - shift) | word >> shift;
  std::uint64_t rest = word & ((std::uint64_t{1} << shift) - 1);
  // Computes the nearest whole number (the digits of the decimal), and its distance from the
  // product. If the distance is less than half of the step between floats, the float is the nearest
  // float to this decimal.
  if ((rest >> (shift - 1)) != 0) {
    rest = (std::uint64_t{1} << shift) - rest;
    ++all;
  } else if (mantissa == format::fraction + 1) {
    rest *= 2; // below a power of two, floats are twice as dense
  }
  if (rest >= five || 2 * rest >= five || all == 0) return {};
  while (digits != 0 && all % 10 == 0) {
    all /= 10;
    --digits;
  }
  return {all, digits};
}

/// Returns the shortest form of the bits of a float or double, except for decimals.
template <unsigned Width>
constexpr tight_form tighten_bits(std::uint64_t bits, int exponent) noexcept {
  constexpr unsigned all = Width * 8;
  if ((bits & ((std::uint64_t{1} << (all - 16)) - 1)) == 0) return {bits >> (all - 16), tight_two, 2};
  if ((bits & ((std::uint64_t{1} << (all - 24)) - 1)) == 0) return {bits >> (all - 24), tight_three, 3};
  if constexpr (Width == 8) {
    if ((bits & 0x1FFFFFFF) == 0 && exponent >= -126 && exponent <= 127) {
      const std::uint64_t narrow = bits >> 63 << 31 | static_cast<std::uint64_t>(exponent + 127) << 23 |
                                   (bits & float_format<8>::fraction) >> 29;
      return {narrow, tight_single, 4};
    }
  }
  return {bits, tight_whole, Width};
}

/// Returns the shortest form of the float or double with these bits. Of two forms of the same size,
/// returns the form with the lower leading byte.
template <unsigned Width>
constexpr tight_form tighten(std::uint64_t bits) noexcept {
  using format = float_format<Width>;
  if (bits == 0) return {};
  const bool is_negative = (bits & format::sign) != 0;
  const int exponent =
      static_cast<int>(bits >> format::fraction_bits & static_cast<unsigned>(format::top_exponent)) -
      format::bias;
  const std::uint64_t mantissa = (bits & format::fraction) | (format::fraction + 1);
  if (exponent >= 0 && exponent < 8 &&
      (mantissa << (64 - format::fraction_bits + exponent)) == 0) { // the most frequent numbers
    const auto number = static_cast<unsigned>(mantissa >> (format::fraction_bits - exponent));
    if (number < (is_negative ? tight_decimals - tight_naturals + 1 : tight_naturals))
      return {0, static_cast<std::uint8_t>(is_negative ? tight_naturals - 1 + number : number), 0};
  }
  const tight_form plain = tighten_bits<Width>(bits, exponent);
  if (exponent < format::lowest || exponent >= format::end) return plain;
  const decimal_digits found = find_decimal<Width>(mantissa, exponent);
  if (found.all == 0) return plain;
  // In two's complement, a number needs its bits and a sign bit; -2^n needs the bits of 2^n - 1.
  const int needed = bits_in(is_negative ? found.all - 1 : found.all) + 1;
  const auto size = static_cast<unsigned>(needed + 7) / 8;
  if (size > (Width == 4 ? 3 : tight_lengths) || size > plain.size) return plain;
  const std::uint64_t number = is_negative ? ~found.all + 1 : found.all;
  return {number & ((std::uint64_t{1} << (8 * size)) - 1),
          static_cast<std::uint8_t>(tight_decimals + found.decimals * tight_lengths + size - 1),
          static_cast<std::uint8_t>(size)};
}

/// 2^(63 + bit width of 5^digits) / 5^digits, rounded down. For digits = 0 this needs 65 bits, so
/// the element is the maximum of 64 bits.
inline constexpr std::array<std::uint64_t, 10> reciprocals_of_five = [] {
  std::array<std::uint64_t, 10> all{};
  for (std::size_t digits = 0; digits < all.size(); ++digits) {
    const std::uint64_t five = powers_of_five[digits];
    std::uint64_t rest = std::uint64_t{1} << (bits_in(five) - 1);
    for (int i = 0; i < 64; ++i) {
      rest *= 2;
      all[digits] = all[digits] << 1 | (rest >= five ? 1U : 0U);
      if (rest >= five) rest -= five;
    }
  }
  all[0] = ~std::uint64_t{0};
  return all;
}();

/// Returns the bits of the double nearest to number / 10^digits. `number` is below 2^53. Doesn't
/// divide floating-point numbers: the quotient would depend on the program's rounding mode
/// (`std::fesetround`). Processors with wider floating-point registers would also round it twice.
constexpr std::uint64_t decimal_bits(std::uint64_t number, unsigned digits) noexcept {
  if (number == 0) return 0;
  const std::uint64_t five = powers_of_five[digits];
  const int width = bits_in(five);
  const int up = std::countl_zero(number);
  const std::uint64_t filled = number << up;
  // This quotient is filled * 2^(width - 1) / five, rounded down; sometimes it is too small by one.
  // It has 63 or 64 bits. The remainder (modulo 2^64) tells whether it is too small.
  std::uint64_t quotient = multiply(filled, reciprocals_of_five[digits]).high;
  quotient += (filled << (width - 1)) - quotient * five >= five ? 1U : 0U;
  const int extra = 10 + static_cast<int>(quotient >> 63);
  // Ties are impossible. If number / 10^digits were half way between two doubles, it would be m *
  // 2^n with an odd m of 54 bits. Then `number` would be a multiple of m, but `number` is below
  // 2^53.
  const std::uint64_t mantissa = (quotient >> extra) + (quotient >> (extra - 1) & 1);
  // The addition below adds the mantissa's upper bit, and a carry, to the exponent.
  const int exponent = extra - (width - 1) - up - static_cast<int>(digits) + 1023 + 52 - 1;
  return (static_cast<std::uint64_t>(exponent) << 52) + mantissa;
}
/// As `decimal_bits`. If `Width` is 4, rounds the double to the nearest float, ties to even.
/// Requires that the exponent is within the range of a float.
template <unsigned Width>
constexpr std::uint64_t decimal_bits_of(std::uint64_t number, unsigned digits) noexcept {
  const std::uint64_t wide = decimal_bits(number, digits);
  if (Width == 8 || wide == 0) return wide;
  return ((wide + 0xFFFFFFF + (wide >> 29 & 1)) >> 29) - (std::uint64_t{1023 - 127} << 23);
}

/// Returns the bits of the float that a form encodes. Does not check that `tighten` would return
/// this form.
template <unsigned Width>
constexpr std::uint64_t expand_tight(unsigned lead, std::uint64_t payload) noexcept {
  const auto bits_of = [](double value) -> std::uint64_t {
    if constexpr (Width == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    else return std::bit_cast<std::uint64_t>(value);
  };
  if (lead < tight_naturals) return bits_of(static_cast<double>(lead));
  if (lead < tight_decimals) return bits_of(-static_cast<double>(lead - tight_naturals + 1));
  if (lead < tight_two) {
    const unsigned bits = 8 * tight_payload(lead, Width);
    const bool is_negative = (payload >> (bits - 1)) != 0;
    const std::uint64_t number = is_negative ? (std::uint64_t{1} << bits) - payload : payload;
    return decimal_bits_of<Width>(number, (lead - tight_decimals) / tight_lengths) |
           (is_negative ? float_format<Width>::sign : 0);
  }
  if (lead == tight_two) return payload << (Width * 8 - 16);
  if (lead == tight_three) return payload << (Width * 8 - 24);
  if (lead == tight_single && Width == 8) {
    // The payload is a normal float. Readers reject other payloads, because no writer writes them.
    return payload >> 31 << 63 | ((payload >> 23 & 0xFF) + (1023 - 127)) << 52 | (payload & 0x7FFFFF) << 29;
  }
  return payload;
}

}}} // namespace ingot::INGOT_V1::detail
