// SPDX-License-Identifier: Apache-2.0
// See digits_ifma.hpp. A digit is the integer part of ten times a fraction. One multiplication
// computes the fractions of eight digits, and a second multiplication computes the digits.
#include "digits_ifma.hpp"

#if INGOT_JSON_IFMA

// The headers of intrinsics are included before the target changes, because the functions of these
// headers have targets of their own.
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi"))),     \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi")
#endif

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

// Returns the fractions value / 10^8 to value / 10^1, each times 2^52. The factors 2^52 / 10^8 to
// 2^52 / 10^1 are rounded down, so each product is too small, by less than 10^8. The rounding of
// the first factor removed 0.2737, so the first product is too small by less than 0.28 * 10^8. Each
// lane adds its upper bound, 10^8 or 0.28 * 10^8 (`cut_off`). The sum is then at least the exact
// product, and exceeds the product by less than the bound. The digits stay right, because the
// products of two consecutive values differ by more than the bound: by 0.45 * 10^8 for the first
// factor, and by at least 4.5 * 10^8 for all other factors.
[[nodiscard]] inline __m512i fractions_of_eight(std::uint64_t value) noexcept {
  const __m512i factors =
      _mm512_setr_epi64(45'035'996, 450'359'962, 4'503'599'627, 45'035'996'273, 450'359'962'737,
                        4'503'599'627'370, 45'035'996'273'704, 450'359'962'737'049);
  const __m512i cut_off = _mm512_setr_epi64(28'000'000, 100'000'000, 100'000'000, 100'000'000, 100'000'000,
                                            100'000'000, 100'000'000, 100'000'000);
  return _mm512_madd52lo_epu64(cut_off, factors, _mm512_set1_epi64(static_cast<long long>(value)));
}

constexpr std::uint64_t ten_to_8 = 100'000'000;
constexpr std::uint64_t ten_to_16 = ten_to_8 * ten_to_8;
/// Returns the sixteen digits of two numbers of eight digits, the first digit in the lowest byte.
[[nodiscard]] inline __m128i sixteen_values(std::uint64_t high, std::uint64_t low) noexcept {
  const __m512i ten = _mm512_set1_epi64(10);
  const __m512i none = _mm512_setzero_si512();
  const __m512i head = _mm512_madd52hi_epu64(none, fractions_of_eight(high), ten);
  const __m512i tail = _mm512_madd52hi_epu64(none, fractions_of_eight(low), ten);
  const __m128i lowest_bytes = _mm_setr_epi8(0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120);
  const __m512i all = _mm512_permutex2var_epi8(head, _mm512_castsi128_si512(lowest_bytes), tail);
  // The intrinsic for this cast causes a warning in g++ 12.
  return __builtin_shufflevector(all, all, 0, 1);
}
inline void store_sixteen(char* to, __m128i values) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_or_si128(values, _mm_set1_epi8('0')));
}

} // namespace

char* put_natural_ifma(char* to, std::uint64_t value) noexcept {
  if (value < 10'000) return put_up_to_four(to, static_cast<std::uint32_t>(value));
  if (value < ten_to_16) {
    const unsigned size = digit_count(value);
    const __m128i lane_numbers = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m128i from = _mm_add_epi8(lane_numbers, _mm_set1_epi8(static_cast<char>(16 - size)));
    store_sixteen(to, _mm_shuffle_epi8(sixteen_values(value / ten_to_8, value % ten_to_8), from));
    return to + size;
  }
  // Neither quotient depends on the other, so both are computed at the same time.
  const std::uint64_t top = value / ten_to_16;
  const std::uint64_t upper = value / ten_to_8;
  to = put_top_digits(to, top);
  store_sixteen(to, sixteen_values(upper - top * ten_to_8, value - upper * ten_to_8));
  return to + 16;
}

unsigned put_sixteen_ifma(char* to, std::uint64_t value) noexcept {
  const __m128i values = sixteen_values(value / ten_to_8, value % ten_to_8);
  store_sixteen(to, values);
  const std::uint32_t used = _mm_test_epi8_mask(values, values);
  return static_cast<unsigned>(std::bit_width(used | 1));
}

}}} // namespace ingot::INGOT_V1::json::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
