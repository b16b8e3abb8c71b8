// SPDX-License-Identifier: Apache-2.0
// Reads numbers from text. The result is exact, or an error. Only floating-point numbers are
// rounded, and only once.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/endian.hpp>

#include "rounding.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

[[nodiscard]] inline bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }

/// Returns true for characters that may follow a number or a literal.
[[nodiscard]] inline bool ends_scalar(char c) noexcept {
  static constexpr auto table = [] {
    std::array<bool, 256> ends{};
    for (const char end : {',', ']', '}', ' ', '\n', '\r', '\t', ':'})
      ends[static_cast<unsigned char>(end)] = true;
    return ends;
  }();
  return table[static_cast<unsigned char>(c)];
}

/// Returns the value of eight digits. The first digit is in the lowest byte. Joins digits to pairs,
/// to groups of four, and to eight.
[[nodiscard]] inline std::uint32_t eight_digits_value(std::uint64_t word) noexcept {
  word = (word & 0x0F0F0F0F0F0F0F0Fu) * 2561 >> 8;
  word = (word & 0x00FF00FF00FF00FFu) * 6553601 >> 16;
  return static_cast<std::uint32_t>((word & 0x0000FFFF0000FFFFu) * 42949672960001u >> 32);
}

[[nodiscard]] inline std::uint64_t load_word(const char* at) noexcept {
  return load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(at));
}

/// Returns a word with the top bit set in each byte that is no digit; only the lowest of these bits
/// is reliable.
[[nodiscard]] inline std::uint64_t non_digits(std::uint64_t word) noexcept {
  const std::uint64_t values = word ^ 0x3030303030303030u;
  return (values | (values + 0x7676767676767676u)) & 0x8080808080808080u;
}

inline constexpr std::uint32_t small_powers_of_ten[] = {1,      10,      100,       1'000,
                                                        10'000, 100'000, 1'000'000, 10'000'000};

/// Appends the digits at `at` to `value`. `value` wraps if there are more than 19 digits. Returns
/// the end of the digits. Requires a byte before `limit` that is no digit. Reads eight bytes at a
/// time, without a branch on the number of digits in the last eight bytes.
[[nodiscard]] INGOT_INLINE const char* take_digits(const char* at, const char* limit,
                                                   std::uint64_t& value) noexcept {
  while (limit - at >= 8) {
    const std::uint64_t word = load_word(at);
    const std::uint64_t others = non_digits(word);
    if (others != 0) {
      const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
      // Shifts the digits up, so that zeros become leading digits. `count` may be 0, and a shift by
      // 64 is undefined. So this takes two shifts.
      const std::uint64_t digits = word << 8 << (56 - 8 * count);
      value = value * small_powers_of_ten[count] + eight_digits_value(digits);
      return at + count;
    }
    value = value * 100'000'000u + eight_digits_value(word);
    at += 8;
  }
  for (; is_digit(*at); ++at) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

enum class number_status : std::uint8_t {
  good,
  malformed,  ///< not a JSON number
  fractional, ///< a number with a point or an exponent, where an integer is expected
  too_big,
};

/// Returns true if `value` equals the digits from `first` to `end`, and has not wrapped. Twenty
/// digits fit if the first digit is 1 and `value` did not wrap to a number below 10^19.
[[nodiscard]] inline bool fits_64_bits(const char* first, const char* end, std::uint64_t value) noexcept {
  const auto digits = end - first;
  if (digits < 20) [[likely]]
    return true;
  return digits == 20 && *first == '1' && value >= 10'000'000'000'000'000'000u;
}

/// Reads the number at `at` if it has the most common form: a natural number without a sign, of at
/// most 64 bits.
[[nodiscard]] inline bool quick_natural(const char* at, const char* limit, std::uint64_t& out) noexcept {
  std::uint64_t value = 0;
  const char* const end = take_digits(at, limit, value);
  const auto digits = end - at;
  if (digits == 0 || (*at == '0' && digits != 1) || !ends_scalar(*end) || !fits_64_bits(at, end, value))
    return false;
  out = value;
  return true;
}

struct integer_text {
  std::uint64_t magnitude = 0;
  bool negative = false;
  number_status status = number_status::malformed;
};

[[nodiscard]] inline integer_text parse_integer(const char* at, const char* limit) noexcept {
  integer_text out;
  out.negative = *at == '-';
  const char* const first = at + (out.negative ? 1 : 0);
  const char* const end = take_digits(first, limit, out.magnitude);
  const auto digits = end - first;
  if (digits == 0 || (*first == '0' && digits > 1)) return out;
  if (!ends_scalar(*end)) {
    if (*end == '.' || *end == 'e' || *end == 'E') out.status = number_status::fractional;
    return out;
  }
  if (!fits_64_bits(first, end, out.magnitude)) [[unlikely]] {
    out.status = number_status::too_big;
    return out;
  }
  out.status = number_status::good;
  return out;
}

/// Parts of a JSON number; `end` is null if the text is not a number.
struct number_text {
  std::uint64_t mantissa = 0; ///< exact if `digits` <= 19
  std::int64_t exponent = 0;  ///< value = mantissa * 10^exponent
  std::int64_t magnitude = 0; ///< exponent of ten for the first digit that is not 0
  std::int64_t digits = 0;    ///< without leading zeros
  const char* end = nullptr;  ///< null: malformed
  bool negative = false;
};

[[nodiscard]] inline number_text scan_number(const char* at, const char* limit) noexcept {
  number_text out;
  out.negative = *at == '-';
  at += out.negative ? 1 : 0;
  const char* const whole = at;
  at = take_digits(at, limit, out.mantissa);
  const auto whole_digits = at - whole;
  if (whole_digits == 0 || (*whole == '0' && whole_digits > 1)) return out;
  std::int64_t leading = *whole == '0' ? 1 : 0; // leading zeros, which don't belong to the mantissa
  std::int64_t fraction_digits = 0;
  if (*at == '.') {
    const char* const fraction = ++at;
    at = take_digits(at, limit, out.mantissa);
    fraction_digits = at - fraction;
    if (fraction_digits == 0) return out;
    if (leading != 0 && whole_digits + fraction_digits > 19) [[unlikely]] {
      for (const char* zero = fraction; zero != at && *zero == '0'; ++zero) ++leading;
    }
  }
  out.digits = whole_digits + fraction_digits - leading;
  out.exponent = -fraction_digits;
  if (*at == 'e' || *at == 'E') {
    ++at;
    const bool minus = *at == '-';
    if (minus || *at == '+') ++at;
    const char* const first = at;
    std::int64_t exponent = 0;
    for (; is_digit(*at); ++at) {
      if (exponent < 1'000'000'000'000) exponent = exponent * 10 + (*at - '0');
    }
    if (at == first) return out;
    out.exponent += minus ? -exponent : exponent;
  }
  if (!ends_scalar(*at)) return out;
  out.magnitude = out.exponent + out.digits - 1;
  out.end = at;
  return out;
}

inline constexpr std::uint64_t integer_powers_of_ten[] = {1,
                                                          10,
                                                          100,
                                                          1'000,
                                                          10'000,
                                                          100'000,
                                                          1'000'000,
                                                          10'000'000,
                                                          100'000'000,
                                                          1'000'000'000,
                                                          10'000'000'000,
                                                          100'000'000'000,
                                                          1'000'000'000'000,
                                                          10'000'000'000'000,
                                                          100'000'000'000'000,
                                                          1'000'000'000'000'000,
                                                          10'000'000'000'000'000};
inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// If the number is the product or quotient of two exact factors, computes the number from them and
/// returns true (Clinger). The result is correctly rounded, because the only operation rounds once.
[[nodiscard]] inline bool exact_product(const number_text& number, double& out) noexcept {
  if constexpr (FLT_EVAL_METHOD != 0) return false; // x87 would round twice
  if (number.digits > 19 || number.mantissa > (std::uint64_t{1} << 53)) return false;
  if (number.exponent < -22 || number.exponent > 22 || !rounds_to_nearest()) return false;
  const auto mantissa = static_cast<double>(number.mantissa);
  out = number.exponent < 0 ? mantissa / ingot::detail::rounded_if_fast(exact_powers_of_ten[-number.exponent])
                            : mantissa * exact_powers_of_ten[number.exponent];
  out = ingot::detail::with_sign(out, number.negative);
  return true;
}

[[nodiscard]] inline bool quick_real(const number_text& number, double& out) noexcept {
  return exact_product(number, out);
}

/// Rounds `wide` to the nearest float. `wide` is itself the rounded value of a number in a text.
/// Rounding twice is harmless unless `wide` is midway between two floats. Returns false in this
/// case. Also returns false below the normal range, where the midpoints differ, and above the
/// range, where the number may be an error.
[[nodiscard]] inline bool narrowed(double wide, float& out) noexcept {
  constexpr std::uint64_t below_float = (std::uint64_t{1} << 29) - 1;
  if ((std::bit_cast<std::uint64_t>(wide) & below_float) == std::uint64_t{1} << 28) return false;
  const double size = wide < 0 ? -wide : wide;
  if (size != 0 && (size < static_cast<double>(FLT_MIN) || size > static_cast<double>(FLT_MAX))) return false;
  out = static_cast<float>(wide);
  return true;
}

[[nodiscard]] inline bool quick_real(const number_text& number, float& out) noexcept {
  double wide = 0;
  return exact_product(number, wide) && narrowed(wide, out);
}

/// Converts the number with the standard library.
template <class Float>
[[nodiscard]] bool parse_real(const char* first, const number_text& number, Float& out) noexcept {
  Float value{};
  const auto [end, status] = std::from_chars(first, number.end, value);
  if (status == std::errc{}) {
    out = value;
    return ingot::detail::is_finite(value);
  }
  // Libraries have one code for a value that is too large and for a value that is too small. A
  // value that is too small is rounded to zero.
  if (number.magnitude > 0) return false;
  out = ingot::detail::with_sign(Float{0}, number.negative);
  return true;
}

/// Returns the value nearest to `number`. The text of `number` is at `first`. Returns false if the
/// value is too large for the type.
template <class Float>
[[nodiscard]] bool real_value(const char* first, const number_text& number, Float& out) noexcept {
  if (quick_real(number, out)) [[likely]]
    return true;
  if (number.mantissa == 0 && number.digits <= 19) { // for any exponent
    out = ingot::detail::with_sign(Float{0}, number.negative);
    return true;
  }
  if (!rounds_to_nearest()) {
    const nearest_rounding meanwhile;
    return parse_real(first, number, out);
  }
  return parse_real(first, number, out);
}

}}} // namespace ingot::INGOT_V1::json::detail
