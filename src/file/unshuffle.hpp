// SPDX-License-Identifier: Apache-2.0
// Restores values from their bytes in shuffled order: the first bytes of all values, then the
// second bytes, and so on. If the processor has instructions for interleaving, processes sixteen
// values at a time, because interleaving takes most of the time of decoding a column.
#pragma once

#include <ingot/core/detail/lanes.hpp>

#include <cstddef>
#include <cstdint>

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

#if INGOT_LANES

/// Alternates the lanes of the first halves of `a` and `b`, beginning with a lane of `a`.
[[nodiscard]] INGOT_INLINE byte_lanes join_low(byte_lanes a, byte_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
[[nodiscard]] INGOT_INLINE short_lanes join_low(short_lanes a, short_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
[[nodiscard]] INGOT_INLINE word_lanes join_low(word_lanes a, word_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
/// The same for the second halves.
[[nodiscard]] INGOT_INLINE byte_lanes join_high(byte_lanes a, byte_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
[[nodiscard]] INGOT_INLINE short_lanes join_high(short_lanes a, short_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
[[nodiscard]] INGOT_INLINE word_lanes join_high(word_lanes a, word_lanes b) noexcept {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

template <std::size_t W>
inline void unshuffle_sixteen(const std::byte* planes, std::size_t apart, std::byte* to) noexcept {
  const auto pair = [&](std::size_t k, short_lanes& first, short_lanes& second) {
    const auto even = load_lanes<byte_lanes>(planes + k * apart);
    const auto odd = load_lanes<byte_lanes>(planes + (k + 1) * apart);
    first = (short_lanes)join_low(even, odd);
    second = (short_lanes)join_high(even, odd);
  };
  // `low` has two bytes of each of eight values, and `high` has the next two bytes of these values.
  const auto join = [](short_lanes low, short_lanes high, word_lanes& first, word_lanes& second) {
    first = (word_lanes)join_low(low, high);
    second = (word_lanes)join_high(low, high);
  };
  short_lanes a0, a1, b0, b1;
  pair(0, a0, a1);
  if constexpr (W == 2) {
    store_lanes(to, a0);
    store_lanes(to + 16, a1);
  } else {
    word_lanes c0, c1, c2, c3;
    pair(2, b0, b1);
    join(a0, b0, c0, c1);
    join(a1, b1, c2, c3);
    if constexpr (W == 4) {
      store_lanes(to, c0);
      store_lanes(to + 16, c1);
      store_lanes(to + 32, c2);
      store_lanes(to + 48, c3);
    } else {
      static_assert(W == 8);
      word_lanes d0, d1, d2, d3;
      pair(4, a0, a1);
      pair(6, b0, b1);
      join(a0, b0, d0, d1);
      join(a1, b1, d2, d3);
      const auto both = [](std::byte* at, word_lanes low, word_lanes high) {
        store_lanes(at, join_low(low, high));
        store_lanes(at + 16, join_high(low, high));
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
#if INGOT_LANES
  if constexpr (W > 1) {
    for (; n - done >= 16; done += 16) unshuffle_sixteen<W>(planes + done, apart, to + done * W);
  }
#endif
  unshuffle_scalar<W>(planes + done, apart, n - done, to + done * W);
}

}}} // namespace ingot::INGOT_V1::detail
