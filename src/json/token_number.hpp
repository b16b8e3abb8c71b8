// SPDX-License-Identifier: Apache-2.0
// Reads numbers whose length is known from the index. So reading needs no search, and no branch on
// the number of digits.
//
// All functions here may return false for valid numbers; number.hpp then reads these numbers. If a
// function returns true, the value is the value that number.hpp would read.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>

#include "number.hpp"

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Sixteen bytes from index n on are a mask that selects the last n of sixteen bytes.
alignas(32) inline constexpr unsigned char last_bytes_mask[32] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/// Computes the value of the last `size` bytes before `end`; `size` is at most 16. Returns false if
/// not all of these bytes are digits. Sixteen bytes before `end` must be readable.
[[nodiscard]] INGOT_INLINE bool last_digits(const char* end, std::size_t size,
                                            std::uint64_t& value) noexcept {
#if defined(__SSE2__)
  const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(last_bytes_mask + size));
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16));
  const __m128i digits = _mm_and_si128(_mm_xor_si128(text, _mm_set1_epi8('0')), wanted);
  const __m128i above_nine = _mm_subs_epu8(digits, _mm_set1_epi8(9));
  const int good = _mm_movemask_epi8(_mm_cmpeq_epi8(above_nine, _mm_setzero_si128()));
  // Joins digits to pairs, to groups of four, and to groups of eight. The first digits are in the
  // lower half of each element.
  const __m128i tens = _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
  const __m128i pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
  const __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10'000));
  std::uint64_t both = 0;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(&both), eights);
  value = (both & 0xFFFF'FFFFu) * 100'000'000u + (both >> 32);
  return good == 0xFFFF;
#else
  const auto eight = [&](std::size_t first, std::uint64_t& bad) {
    const std::uint64_t wanted =
        load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(last_bytes_mask + size + first));
    const std::uint64_t digits = (load_word(end - 16 + first) ^ 0x3030303030303030u) & wanted;
    bad |= (digits | (digits + 0x7676767676767676u)) & 0x8080808080808080u;
    return eight_digits_value(digits);
  };
  std::uint64_t bad = 0;
  value = std::uint64_t{eight(0, bad)} * 100'000'000u;
  value += eight(8, bad);
  return bad == 0;
#endif
}

/// Reads the natural number in the `size` bytes before `end`. Sixteen bytes before `end` must be
/// readable.
[[nodiscard]] INGOT_INLINE bool token_natural(const char* end, std::size_t size,
                                              std::uint64_t& out) noexcept {
  if (size - 1 >= 20) [[unlikely]]
    return false;
  const char* const first = end - size;
  std::uint64_t value = 0;
  bool good = last_digits(end, size < 16 ? size : 16, value) & ((*first != '0') | (size == 1));
  if (size > 16) {
    // One to four leading digits. They are shifted up, so that zeros come before them.
    const std::uint32_t text = load_le<std::uint32_t>(reinterpret_cast<const std::byte*>(first));
    const std::uint32_t digits = (text ^ 0x30303030u) << (160 - 8 * size);
    good &= ((digits | (digits + 0x76767676u)) & 0x80808080u) == 0;
    const std::uint32_t pairs = digits * 2561 >> 8 & 0x00FF00FFu;
    const std::uint32_t head = pairs * 6553601 >> 16;
    value += head * 10'000'000'000'000'000u;
    // Twenty digits fit in 64 bits if the first digit is 1 and the sum did not wrap.
    good &= (size < 20) | ((head < 2000) & (value >= 10'000'000'000'000'000'000u));
  }
  out = value;
  return good;
}

/// Reads the number with a point in the `size` bytes before `end`, if a single rounded operation on
/// two exact numbers gives the number (Clinger). Sixteen bytes before `end` must be readable.
[[nodiscard]] INGOT_INLINE bool token_real(const char* end, std::size_t size, double& out) noexcept {
  if constexpr (FLT_EVAL_METHOD != 0) return false; // x87 would round twice
  const char* first = end - size;
  const bool negative = *first == '-';
  first += negative;
  size -= negative;
  // Usually there is one digit before the point. If there are more, searches for the point.
  std::size_t whole = 1;
  while (whole < 6 && whole < size && first[whole] != '.') ++whole;
  const std::size_t decimals = size - whole - 1;
  if (size - 3 > 17 || first[whole] != '.' || decimals - 1 >= 16) return false; // 19 digits fit
  std::uint64_t units = static_cast<unsigned char>(first[0] - '0');
  bool good = (units < 10) & ((units != 0) | (whole == 1));
  for (std::size_t i = 1; i < whole; ++i) {
    const auto digit = static_cast<unsigned char>(first[i] - '0');
    good &= digit < 10;
    units = units * 10 + digit;
  }
  std::uint64_t mantissa = 0;
  good &= last_digits(end, decimals, mantissa);
  if (!good || !rounds_to_nearest()) return false;
  mantissa += units * integer_powers_of_ten[decimals];
  if (mantissa > std::uint64_t{1} << 53) return false;
  const double value =
      static_cast<double>(mantissa) / ingot::detail::rounded_if_fast(exact_powers_of_ten[decimals]);
  out = ingot::detail::with_sign(value, negative);
  return true;
}

/// As the function for a double, for a float. Returns false if rounding to a double and then to a
/// float could give a wrong result.
[[nodiscard]] INGOT_INLINE bool token_real(const char* end, std::size_t size, float& out) noexcept {
  double wide = 0;
  return token_real(end, size, wide) && narrowed(wide, out);
}

}}} // namespace ingot::INGOT_V1::json::detail
