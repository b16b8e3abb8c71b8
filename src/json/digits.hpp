// SPDX-License-Identifier: Apache-2.0
// Converts integers to decimal digits, several digits at a time. The number of digits is computed
// without branches, because it depends on the data. A mispredicted branch takes as much time as
// writing eight digits.
#pragma once

#include <ingot/core/endian.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Maximum number of bytes written for any integer.
inline constexpr std::size_t max_integer_size = 20;

/// Returns the four digits of a number below 10^4 as the bytes of a word, the first digit in the
/// lowest byte. Splits the number into pairs of digits, then into digits.
[[nodiscard]] constexpr std::uint32_t four_digit_values(std::uint32_t value) noexcept {
  const std::uint32_t hundreds = value * 5'243 >> 19;
  const std::uint32_t pairs = hundreds | (value - 100 * hundreds) << 16;
  const std::uint32_t tens = pairs * 103 >> 10 & 0x000F000Fu;
  return tens | (pairs - 10 * tens) << 8;
}
/// Returns the eight digits of a number below 10^8. Splits the number into halves, pairs and
/// digits.
[[nodiscard]] inline std::uint64_t eight_digit_values(std::uint32_t value) noexcept {
  const std::uint64_t halves = value / 10'000 | static_cast<std::uint64_t>(value % 10'000) << 32;
  const std::uint64_t hundreds = halves * 10'486 >> 20 & 0x0000007F0000007Fu;
  const std::uint64_t pairs = hundreds | (halves - 100 * hundreds) << 16;
  const std::uint64_t tens = pairs * 103 >> 10 & 0x000F000F000F000Fu;
  return tens | (pairs - 10 * tens) << 8;
}

inline constexpr std::uint32_t four_zeros = 0x30303030u;
inline constexpr std::uint64_t eight_zeros = 0x3030303030303030u;

/// Returns the number of bits before the first digit that is not 0. If all digits are 0, returns
/// the number of bits before the last digit. Each leading zero has eight bits.
template <class Word>
[[nodiscard]] inline unsigned leading_zeros(Word digits) noexcept {
  constexpr unsigned last = 8 * sizeof(Word) - 8;
  return static_cast<unsigned>(std::countr_zero(digits | Word{1} << last)) & last;
}

/// Sixteen digits of a number below 10^16. Computes both halves of eight digits at once.
class sixteen_digits {
public:
  explicit sixteen_digits(std::uint64_t value) noexcept {
    const auto high = static_cast<std::uint32_t>(value / 100'000'000);
    const auto low = static_cast<std::uint32_t>(value - std::uint64_t{high} * 100'000'000);
#if defined(__SSE2__)
    const __m128i halves = _mm_unpacklo_epi64(_mm_cvtsi32_si128(static_cast<int>(high)),
                                              _mm_cvtsi32_si128(static_cast<int>(low)));
    const __m128i upper = // the number times 2^45 / 10^4, rounded up
        _mm_srli_epi64(_mm_mul_epu32(halves, _mm_set1_epi32(static_cast<int>(3'518'437'209u))), 45);
    const __m128i lower = _mm_sub_epi32(halves, _mm_mul_epu32(upper, _mm_set1_epi32(10'000)));
    const __m128i fours = _mm_or_si128(upper, _mm_slli_epi64(lower, 32));
    const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5'243)), 3);
    // `_mm_madd_epi16` adds the products of two pairs of 16-bit numbers; the second product is 0
    // here. For a single product, compilers generate more instructions.
    const __m128i rest = _mm_sub_epi32(fours, _mm_madd_epi16(hundreds, _mm_set1_epi32(100)));
    const __m128i pairs = _mm_or_si128(hundreds, _mm_slli_epi32(rest, 16));
    const __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6'554));
    // `tens + 2^8 * (pairs - 10 * tens)`
    values_ = _mm_sub_epi16(_mm_slli_epi16(pairs, 8), _mm_mullo_epi16(tens, _mm_set1_epi16(2'559)));
#else
    head_ = eight_digit_values(high);
    tail_ = eight_digit_values(low);
#endif
  }

  /// Writes all digits.
  void put(char* to) const noexcept {
#if defined(__SSE2__)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), characters());
#else
    store_le(reinterpret_cast<std::byte*>(to), head_ | eight_zeros);
    store_le(reinterpret_cast<std::byte*>(to + 8), tail_ | eight_zeros);
#endif
  }
  /// Writes the digits from the first digit that is not 0. Requires that this digit is one of the
  /// first eight. Returns the end of the written digits.
  [[nodiscard]] char* put_from_first(char* to) const noexcept {
#if defined(__SSE2__)
    const std::uint64_t head = low_word(values_);
#else
    const std::uint64_t head = head_;
#endif
    const unsigned zeros = leading_zeros(head);
    store_le(reinterpret_cast<std::byte*>(to), (head | eight_zeros) >> zeros);
    to += 8 - zeros / 8;
#if defined(__SSE2__)
    const __m128i all = characters();
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_unpackhi_epi64(all, all));
#else
    store_le(reinterpret_cast<std::byte*>(to), tail_ | eight_zeros);
#endif
    return to + 8;
  }
  /// Returns the number of digits without zeros at the end; at least 1.
  [[nodiscard]] unsigned size_without_zeros() const noexcept {
#if defined(__SSE2__)
    const auto zeros =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(values_, _mm_setzero_si128())));
    return static_cast<unsigned>(std::bit_width((zeros ^ 0xFFFF) | 1));
#else
    return static_cast<unsigned>(tail_ == 0 ? 8 - std::countl_zero(head_ | 1) / 8
                                            : 16 - std::countl_zero(tail_) / 8);
#endif
  }

private:
#if defined(__SSE2__)
  [[nodiscard]] __m128i characters() const noexcept { return _mm_or_si128(values_, _mm_set1_epi8('0')); }
  [[nodiscard]] static std::uint64_t low_word(__m128i from) noexcept {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(from));
#else
    std::uint64_t word = 0;
    _mm_storel_epi64(reinterpret_cast<__m128i*>(&word), from);
    return word;
#endif
  }
  __m128i values_;
#else
  std::uint64_t head_;
  std::uint64_t tail_;
#endif
};

inline constexpr auto natural_powers_of_ten = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

/// Returns the number of decimal digits of a number above 0.
[[nodiscard]] inline unsigned digit_count(std::uint64_t value) noexcept {
  // log10(2) is slightly more than 1233 / 4096.
  const unsigned guess = static_cast<unsigned>(std::bit_width(value | 1)) * 1233 >> 12;
  return guess + (value >= natural_powers_of_ten[guess] ? 1U : 0U);
}

[[nodiscard]] inline char* put_up_to_four(char* to, std::uint32_t value) noexcept {
  const std::uint32_t digits = four_digit_values(value);
  const unsigned zeros = leading_zeros(digits);
  store_le(reinterpret_cast<std::byte*>(to), (digits | four_zeros) >> zeros);
  return to + 4 - zeros / 8;
}
[[nodiscard]] inline char* put_up_to_eight(char* to, std::uint32_t value) noexcept {
  const std::uint64_t digits = eight_digit_values(value);
  const unsigned zeros = leading_zeros(digits);
  store_le(reinterpret_cast<std::byte*>(to), (digits | eight_zeros) >> zeros);
  return to + 8 - zeros / 8;
}

/// The digits above the lowest sixteen digits of a 64-bit number, as from `four_digit_values`. For
/// such a number, the table saves a fifth of the instructions.
inline constexpr auto top_digit_values = [] {
  std::array<std::uint32_t, 1'845> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = four_digit_values(i);
  return table;
}();

/// Writes the digits above the lowest sixteen digits of a number.
[[nodiscard, gnu::returns_nonnull]] INGOT_INLINE char* put_top_digits(char* to, std::uint64_t top) noexcept {
  const std::uint32_t digits = top_digit_values[static_cast<std::size_t>(top)];
  const unsigned zeros = leading_zeros(digits);
  store_le(reinterpret_cast<std::byte*>(to), (digits | four_zeros) >> zeros);
  return to + 4 - zeros / 8;
}

[[nodiscard, gnu::returns_nonnull]] inline char* put_natural(char* to, std::uint64_t value) noexcept {
  if (value < 10'000) return put_up_to_four(to, static_cast<std::uint32_t>(value));
  if (value < 100'000'000) return put_up_to_eight(to, static_cast<std::uint32_t>(value));
  constexpr std::uint64_t sixteen = 10'000'000'000'000'000;
  if (value < sixteen) return sixteen_digits(value).put_from_first(to);
  const std::uint64_t top = value / sixteen;
  to = put_top_digits(to, top);
  sixteen_digits(value - top * sixteen).put(to);
  return to + 16;
}

[[nodiscard, gnu::returns_nonnull]] inline char* put_integer(char* to, std::int64_t value) noexcept {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *to++ = '-';
    magnitude = std::uint64_t{0} - magnitude;
  }
  return put_natural(to, magnitude);
}

}}} // namespace ingot::INGOT_V1::json::detail
