// SPDX-License-Identifier: Apache-2.0
// Writes values as JSON characters into space that the caller has reserved.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/endian.hpp>

#include "digits.hpp"
#include "rounding.hpp"
#include "shortest.hpp"

#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Maximum size of a double in shortest form (sign, 17 digits, point, e-308). Includes the bytes
/// that fixed-size copies write after this form.
inline constexpr std::size_t max_real_size = 48;

inline constexpr std::uint32_t powers_of_ten_32[] = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

inline constexpr double whole_powers_of_ten[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                                 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

/// Form of an integral floating-point number: `1` or `1.0`.
enum class whole_number : bool { as_integer, with_point };

/// Writes a number if its magnitude is in [0.001, 10^9) and it has a decimal form of at most
/// fifteen digits. Otherwise returns null. Two different forms of at most fifteen digits always
/// give different doubles. So at most one such form gives the value, and this form is the shortest.
/// Requires rounding to nearest, and operations without excess precision.
template <whole_number Whole = whole_number::as_integer, class Sixteen = sixteen_digits>
[[nodiscard]] INGOT_INLINE char* put_everyday_real(char* to, double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  constexpr auto smallest = std::bit_cast<std::uint64_t>(1e-3);
  constexpr auto upper_bound = std::bit_cast<std::uint64_t>(1e9);
  const std::uint64_t magnitude = bits & ~sign;
  if (magnitude - smallest >= upper_bound - smallest) return nullptr; // also for NaN
  const auto size = std::bit_cast<double>(magnitude);
  *to = '-';
  const bool below_one = magnitude < std::bit_cast<std::uint64_t>(1.0);
  const auto integer = below_one ? 0U : static_cast<std::uint32_t>(static_cast<std::int32_t>(size));
  // With `decimals` digits after the point, the number has at most fifteen digits.
  const auto decimals = below_one ? 15U : 15U - digit_count(integer);
  const double scale = ingot::detail::rounded_if_fast(whole_powers_of_ten[decimals]);
  const auto digits = static_cast<std::int64_t>(size * scale + 0.5); // NOLINT(*-roundings)
  if (static_cast<double>(digits) / scale != size) return nullptr;
  to += bits >> 63;
  std::uint64_t sixteen = static_cast<std::uint64_t>(digits) * 10;
  if (below_one) {
    *to++ = '0';
  } else {
    // `digits / scale` equals the value. So `digits / scale` is at least the integer part of the
    // value, and less than the next integer.
    const std::uint64_t fraction =
        static_cast<std::uint64_t>(digits) - integer * natural_powers_of_ten[decimals];
    // The number may have a shorter form with an exponent.
    if (fraction == 0 && integer >= 100'000) return nullptr;
    to = put_natural(to, integer);
    if (fraction == 0) {
      if constexpr (Whole == whole_number::as_integer) return to;
      std::memcpy(to, ".0", 2);
      return to + 2;
    }
    sixteen = fraction * natural_powers_of_ten[16 - decimals];
  }
  Sixteen shown(sixteen);
  *to++ = '.';
  shown.put(to);
  return to + shown.size_without_zeros();
}

/// Writes the shortest digits that read back as the same value. Requires a finite value.
inline char* put_real(char* to, double value) noexcept {
  if (FLT_EVAL_METHOD == 0 && rounds_to_nearest()) {
    if (char* const end = put_everyday_real(to, value)) return end;
  }
  return ingot::detail::float_to_chars(to, to + max_real_size, value).ptr;
}

/// Writes any positive float or zero in the form of `put_real`.
[[nodiscard]] INGOT_NOINLINE inline char* put_uncommon_real(char* to, float value) noexcept {
  if (value < 16'777'216.0f) { // 2^24: smaller integers are their own shortest form
    const auto whole = static_cast<std::uint32_t>(value);
    if (std::bit_cast<std::uint32_t>(static_cast<float>(whole)) == std::bit_cast<std::uint32_t>(value))
      return put_natural(to, whole);
  }
  // Nine digits, left-justified. So neither the number of digits nor the number of zeros at the end
  // needs a branch.
  const auto [digits, exponent] = shortest(value);
  const auto size = static_cast<int>(digit_count(digits));
  const int point = size + exponent; // position of the decimal point after the first digit
  const std::uint32_t nine = digits * powers_of_ten_32[9 - size];
  const auto first = static_cast<char>('0' + nine / 100'000'000);
  const std::uint64_t others = eight_digit_values(nine % 100'000'000);
  const int count = 9 - (others == 0 ? 8 : std::countl_zero(others) / 8);
  const auto put_others = [others](char* at) {
    store_le(reinterpret_cast<std::byte*>(at), others | eight_zeros);
  };

  if (point <= 0 && point > -5) {
    std::memcpy(to, "0.0000", 6);
    to += 2 - point;
    *to = first;
    put_others(to + 1);
    return to + count;
  }
  if (point > 0 && point <= 15) {
    char text[32];
    std::memset(text + 8, '0', 16); // zeros after the digits
    text[0] = first;
    put_others(text + 1);
    std::memcpy(to, text, 16);
    if (count <= point) return to + point;
    to[point] = '.';
    std::memcpy(to + point + 1, text + point, 8);
    return to + count + 1;
  }
  to[0] = first;
  to[1] = '.';
  put_others(to + 2);
  to += count == 1 ? 1 : count + 1;
  *to++ = 'e';
  if (point <= 0) *to++ = '-';
  return put_natural(to, static_cast<std::uint32_t>(point > 0 ? point - 1 : 1 - point));
}

/// Writes the shortest digits that read back as the same float. Requires a finite value. Uses an
/// exponent if more than four zeros would follow the point, or if more than fifteen digits would
/// precede the point.
///
/// Uses the method of `shortest` for common magnitudes. For these, 64 bits hold all products
/// exactly.
inline char* put_real(char* to, float value) noexcept {
  constexpr auto smallest = std::bit_cast<std::uint32_t>(0x1p-13f);
  constexpr auto upper_bound = std::bit_cast<std::uint32_t>(0x1p23f);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  *to = '-';
  to += bits >> 31;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude - smallest >= upper_bound - smallest) [[unlikely]]
    return put_uncommon_real(to, std::bit_cast<float>(magnitude));
  // The magnitude is c / 2^t, with 1 <= t <= 36.
  const std::uint64_t c = (magnitude & 0x7FFFFFu) | 0x800000u;
  const unsigned t = 150 - (magnitude >> 23);
  const std::uint64_t integer = c >> t;
  if (integer << t == c) return put_natural(to, integer);
  // The smallest number of decimals for which the distance between two decimal numbers is at most
  // the distance between two floats: log10(2^t), rounded up.
  const unsigned decimals = (t * 1'262'611 + 4'194'303) >> 22;
  const std::uint64_t power = natural_powers_of_ten[decimals];
  const std::uint64_t scaled = 2 * c * power; // the magnitude * 10^decimals * 2^(t + 1)
  const std::uint64_t down = scaled >> (t + 1);
  const std::uint64_t nearest = (scaled + (std::uint64_t{1} << t) - 1 + (down & 1)) >> (t + 1);
  // All numbers up to this distance read back as the value. A number in the middle between two
  // floats reads back as the float whose `c` is even. Below a power of two, the limit is only half
  // of this distance. But the powers of two in this range have no shorter form that this changes.
  const std::uint64_t limit = power - (c & 1);
  // At most one number with one decimal less is inside the limit. A branch predictor can't predict
  // whether there is one, so both results are computed.
  const std::uint64_t tens = down / 10;
  const std::uint64_t above_tens = scaled - (10 * tens << (t + 1));
  const std::uint64_t is_up = (std::uint64_t{10} << (t + 1)) - above_tens <= limit ? 1 : 0;
  const std::uint64_t is_shorter = (above_tens <= limit ? 1U : 0U) | is_up;
  const std::uint64_t shorter = 10 * (tens + is_up);
  const std::uint64_t digits = nearest ^ ((nearest ^ shorter) & (0 - is_shorter));
  // All integers below 2^24 are floats. So the result is between the same two integers as the
  // value, and has a digit after the point.
  const sixteen_digits fraction((digits - integer * power) * natural_powers_of_ten[16 - decimals]);
  if (integer == 0) *to++ = '0';
  else to = put_natural(to, integer);
  *to++ = '.';
  fraction.put(to);
  return to + fraction.size_without_zeros();
}

/// Copies short texts by overlapping moves of fixed size, because a call of memcpy with unknown
/// length takes more time.
inline char* put_text(char* to, std::string_view text) noexcept {
  const char* const from = text.data();
  const std::size_t n = text.size();
  if (n > 16) {
    std::memcpy(to, from, n);
  } else if (n >= 8) {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::memcpy(&head, from, 8);
    std::memcpy(&tail, from + n - 8, 8);
    std::memcpy(to, &head, 8);
    std::memcpy(to + n - 8, &tail, 8);
  } else if (n >= 4) {
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    std::memcpy(&head, from, 4);
    std::memcpy(&tail, from + n - 4, 4);
    std::memcpy(to, &head, 4);
    std::memcpy(to + n - 4, &tail, 4);
  } else {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  }
  return to + n;
}

}}} // namespace ingot::INGOT_V1::json::detail
