// SPDX-License-Identifier: Apache-2.0
// Values as JSON characters, written into room that the caller has made.
#pragma once

#include <ingot/core/endian.hpp>

#include "rounding.hpp"
#include "shortest.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot::inline v1::json::detail {

inline constexpr std::size_t max_integer_size = 20;
/// Shortest forms of a double: sign, 17 digits, point, e-308; and what fixed-size copies write too much.
inline constexpr std::size_t max_real_size = 48;

inline constexpr auto digit_pairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

inline char* put_pair(char* to, std::uint32_t value) noexcept {
  std::memcpy(to, digit_pairs.data() + 2 * value, 2);
  return to + 2;
}
inline char* put_four(char* to, std::uint32_t value) noexcept {
  to = put_pair(to, value / 100);
  return put_pair(to, value % 100);
}
inline char* put_eight(char* to, std::uint32_t value) noexcept {
  to = put_four(to, value / 10'000);
  return put_four(to, value % 10'000);
}
/// Up to four digits, without leading zeros.
inline char* put_up_to_four(char* to, std::uint32_t value) noexcept {
  if (value >= 100) {
    if (value >= 1000) return put_four(to, value);
    *to++ = static_cast<char>('0' + value / 100);
    return put_pair(to, value % 100);
  }
  if (value >= 10) return put_pair(to, value);
  *to++ = static_cast<char>('0' + value);
  return to;
}
inline char* put_up_to_eight(char* to, std::uint32_t value) noexcept {
  if (value < 10'000) return put_up_to_four(to, value);
  to = put_up_to_four(to, value / 10'000);
  return put_four(to, value % 10'000);
}

inline char* put_natural(char* to, std::uint64_t value) noexcept {
  constexpr std::uint64_t eight = 100'000'000;
  if (value < eight) return put_up_to_eight(to, static_cast<std::uint32_t>(value));
  const std::uint64_t high = value / eight;
  const auto low = static_cast<std::uint32_t>(value % eight);
  if (high < eight) {
    to = put_up_to_eight(to, static_cast<std::uint32_t>(high));
  } else {
    to = put_up_to_four(to, static_cast<std::uint32_t>(high / eight));
    to = put_eight(to, static_cast<std::uint32_t>(high % eight));
  }
  return put_eight(to, low);
}

inline char* put_integer(char* to, std::int64_t value) noexcept {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *to++ = '-';
    magnitude = std::uint64_t{0} - magnitude;
  }
  return put_natural(to, magnitude);
}

/// Eight digits of a number below 10^8 as the bytes of a word, the first digit lowest: halves, then pairs, then tens.
[[nodiscard]] inline std::uint64_t eight_digit_values(std::uint32_t value) noexcept {
  const std::uint64_t halves = value / 10'000 | static_cast<std::uint64_t>(value % 10'000) << 32;
  const std::uint64_t hundreds = halves * 10'486 >> 20 & 0x0000007F0000007Fu;
  const std::uint64_t pairs = hundreds | (halves - 100 * hundreds) << 16;
  const std::uint64_t tens = pairs * 103 >> 10 & 0x000F000F000F000Fu;
  return tens | (pairs - 10 * tens) << 8;
}

inline constexpr std::uint32_t powers_of_ten_32[] = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

inline constexpr double whole_powers_of_ten[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                                 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

/// Numbers of everyday size that have a form of at most fifteen digits; null for all others. No two such forms lie so near that they are the same double,
/// so the one that is the value is the shortest there is.
[[nodiscard]] inline char* put_everyday_real(char* to, double value) noexcept {
  if constexpr (FLT_EVAL_METHOD != 0) return nullptr; // the product and the quotient are to be rounded once
  const double size = value < 0 ? -value : value;
  if (!(size >= 1e-3 && size < 1e9) || !rounds_to_nearest()) return nullptr;
  // Where the decimal point stands behind the first digit.
  int point = (static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023) * 1233 >> 12;
  if (point >= 0) point += size >= whole_powers_of_ten[point + 1] ? 2 : 1;
  else point += size * whole_powers_of_ten[-1 - point] >= 1 ? 2 : 1;
  const double scale = whole_powers_of_ten[15 - point];
  const auto digits =
      static_cast<std::uint64_t>(size * scale + 0.5); // NOLINT(bugprone-incorrect-roundings): proved below
  if (digits >= 1'000'000'000'000'000 || digits < 100'000'000'000'000 ||
      static_cast<double>(digits) / scale != size)
    return nullptr;
  const std::uint64_t sixteen = digits * 10;
  const std::uint64_t head = eight_digit_values(static_cast<std::uint32_t>(sixteen / 100'000'000));
  const std::uint64_t tail = eight_digit_values(static_cast<std::uint32_t>(sixteen % 100'000'000));
  const int count = tail == 0 ? 8 - std::countl_zero(head) / 8 : 16 - std::countl_zero(tail) / 8;
  if (count <= point && point > 5) return nullptr; // may have a shorter form with exponent
  if (value < 0) *to++ = '-';
  const auto put_digits = [&](char* at) {
    store_le(reinterpret_cast<std::byte*>(at), head | 0x3030303030303030u);
    store_le(reinterpret_cast<std::byte*>(at + 8), tail | 0x3030303030303030u);
  };
  if (point <= 0) {
    std::memcpy(to, "0.00", 4);
    put_digits(to + 2 - point);
    return to + 2 - point + count;
  }
  char text[32];
  put_digits(text);
  std::memcpy(to, text, 16);
  if (count <= point) return to + point;
  to[point] = '.';
  std::memcpy(to + point + 1, text + point, 16);
  return to + count + 1;
}

/// The shortest digits that read back as the same value. Finite values only.
inline char* put_real(char* to, double value) noexcept {
  if (char* const end = put_everyday_real(to, value)) return end;
  return std::to_chars(to, to + max_real_size, value).ptr;
}

/// Decimal digits of a number above 0.
[[nodiscard]] inline int digit_count(std::uint32_t value) noexcept {
  const int guess = (32 - std::countl_zero(value)) * 1233 >> 12; // log10(2) = 1233 / 4096, a little less
  return guess + (value >= powers_of_ten_32[guess] ? 1 : 0);
}

/// As above. With an exponent when more than four zeros would follow the point or more than fifteen digits precede it.
inline char* put_real(char* to, float value) noexcept {
  if (std::signbit(value)) {
    *to++ = '-';
    value = -value;
  }
  if (value < 16'777'216.0f) { // 2^24: whole numbers below are their own shortest form
    const auto whole = static_cast<std::uint32_t>(value);
    if (static_cast<float>(whole) == value) return put_up_to_eight(to, whole);
  }
  // Nine digits, left-justified, so that neither their number nor the zeros at their end take a branch.
  const auto [digits, exponent] = shortest(value);
  const int size = digit_count(digits);
  const int point = size + exponent; // where the decimal point stands behind the first digit
  const std::uint32_t nine = digits * powers_of_ten_32[9 - size];
  const auto first = static_cast<char>('0' + nine / 100'000'000);
  const std::uint64_t others = eight_digit_values(nine % 100'000'000);
  const int count = 9 - (others == 0 ? 8 : std::countl_zero(others) / 8);
  const auto put_others = [others](char* at) {
    store_le(reinterpret_cast<std::byte*>(at), others | 0x3030303030303030u);
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
    std::memset(text + 8, '0', 16); // zeros behind the digits
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
  return put_up_to_four(to, static_cast<std::uint32_t>(point > 0 ? point - 1 : 1 - point));
}

/// Copies short texts by fixed-size moves that overlap: a call to memcpy of unknown length costs more than they do.
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

/// Whether a character stands for itself inside a JSON string, and is ASCII.
[[nodiscard]] inline bool is_plain(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// Whether all eight bytes of a word are plain: none below space, a quote, a backslash or above 127.
[[nodiscard]] inline bool eight_plain(std::uint64_t word) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  constexpr std::uint64_t tops = ones * 0x80;
  const std::uint64_t quote = word ^ (ones * '"');
  const std::uint64_t slash = word ^ (ones * '\\');
  // With a top bit set in any byte the borrows below may err, but then the answer is no already.
  return ((word | (word - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) == 0;
}

/// A quote, a backslash or a control character, as it stands in a string.
inline char* put_escape(char* to, unsigned char byte) noexcept {
  const auto two = [&](char c) {
    *to++ = '\\';
    *to++ = c;
    return to;
  };
  switch (byte) {
  case '"':
  case '\\': return two(static_cast<char>(byte));
  case '\b': return two('b');
  case '\f': return two('f');
  case '\n': return two('n');
  case '\r': return two('r');
  case '\t': return two('t');
  default: break;
  }
  constexpr std::string_view hex = "0123456789abcdef";
  std::memcpy(to, "\\u00", 4);
  to[4] = hex[byte >> 4];
  to[5] = hex[byte & 15];
  return to + 6;
}

/// Copies the plain characters that `text` begins with; returns how many. Room for all of `text` is needed.
[[nodiscard]] inline std::size_t put_plain(char* to, std::string_view text) noexcept {
  const char* const from = text.data();
  const std::size_t n = text.size();
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i slash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(0x20);
  for (; n - i >= 16; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    // Signed: bytes above 127 are below space too.
    const __m128i bad =
        _mm_or_si128(_mm_cmplt_epi8(bytes, space),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)));
    if (_mm_movemask_epi8(bad) != 0) break;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bytes);
  }
#endif
  for (; n - i >= 8; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, 8);
    if (!eight_plain(word)) break;
    std::memcpy(to + i, &word, 8);
  }
  if (n >= 8 && n - i < 8 && n != i) { // the rest, by a word that overlaps what is done
    std::uint64_t word = 0;
    std::memcpy(&word, from + n - 8, 8);
    if (eight_plain(word)) {
      std::memcpy(to + n - 8, &word, 8);
      return n;
    }
  }
  for (; i < n && is_plain(from[i]); ++i) to[i] = from[i];
  return i;
}

} // namespace ingot::inline v1::json::detail
