// SPDX-License-Identifier: Apache-2.0
// Restores values from their bytes in shuffled order: the first bytes of all values, then the
// second bytes, and so on. If the processor has instructions for interleaving, processes sixteen
// values at a time, because interleaving takes most of the time of decoding a column.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Writes `n` values of `W` bytes to `to`. The first bytes of all values are at `planes`. Each
/// following group (the second bytes, and so on) is `apart` bytes later.
template <std::size_t W>
inline void unshuffle_scalar(const std::byte* planes, std::size_t apart, std::size_t n,
                             std::byte* to) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < W; ++k) to[i * W + k] = planes[k * apart + i];
  }
}

#if defined(__SSE2__)

[[nodiscard]] inline __m128i load_16(const std::byte* from) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
inline void store_16(std::byte* to, __m128i value) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
}
/// `low` has two bytes of each of eight values, and `high` has the next two bytes of these values.
/// Joins them to four bytes of each value.
inline void join_16(__m128i low, __m128i high, __m128i& first, __m128i& second) noexcept {
  first = _mm_unpacklo_epi16(low, high);
  second = _mm_unpackhi_epi16(low, high);
}

template <std::size_t W>
inline void unshuffle_sixteen(const std::byte* planes, std::size_t apart, std::byte* to) noexcept {
  const auto pair = [&](std::size_t k, __m128i& first, __m128i& second) {
    const __m128i even = load_16(planes + k * apart);
    const __m128i odd = load_16(planes + (k + 1) * apart);
    first = _mm_unpacklo_epi8(even, odd);
    second = _mm_unpackhi_epi8(even, odd);
  };
  if constexpr (W == 2) {
    __m128i a0, a1;
    pair(0, a0, a1);
    store_16(to, a0);
    store_16(to + 16, a1);
  } else {
    __m128i a0, a1, b0, b1, c0, c1, c2, c3;
    pair(0, a0, a1);
    pair(2, b0, b1);
    join_16(a0, b0, c0, c1);
    join_16(a1, b1, c2, c3);
    if constexpr (W == 4) {
      store_16(to, c0);
      store_16(to + 16, c1);
      store_16(to + 32, c2);
      store_16(to + 48, c3);
    } else {
      static_assert(W == 8);
      __m128i d0, d1, d2, d3;
      pair(4, a0, a1);
      pair(6, b0, b1);
      join_16(a0, b0, d0, d1);
      join_16(a1, b1, d2, d3);
      const auto both = [](std::byte* at, __m128i low, __m128i high) {
        store_16(at, _mm_unpacklo_epi32(low, high));
        store_16(at + 16, _mm_unpackhi_epi32(low, high));
      };
      both(to, c0, d0);
      both(to + 32, c1, d1);
      both(to + 64, c2, d2);
      both(to + 96, c3, d3);
    }
  }
}

#endif

template <std::size_t W>
inline void unshuffle(const std::byte* planes, std::size_t apart, std::size_t n, std::byte* to) noexcept {
  std::size_t done = 0;
#if defined(__SSE2__)
  if constexpr (W > 1) {
    for (; n - done >= 16; done += 16) unshuffle_sixteen<W>(planes + done, apart, to + done * W);
  }
#endif
  unshuffle_scalar<W>(planes + done, apart, n - done, to + done * W);
}

}}} // namespace ingot::INGOT_V1::detail
