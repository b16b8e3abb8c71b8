// SPDX-License-Identifier: Apache-2.0
// Insertion and erasure in sixteen adjacent numbers, such as the keys of a leaf. All numbers after
// the position move by one. A branch on the position would be unpredictable, so there are always
// two moves. The first moves the upper eight numbers as a whole. If the position is in the lower
// half, the second moves eight numbers from the position on. Otherwise the second restores the
// numbers of the upper half that must stay.
#pragma once

#include <ingot/live/detail/move_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Holds `N` bytes in registers, as units of 16, 8 or 4 bytes. The last unit may overlap the unit
/// before it.
template <std::size_t N>
struct held_bytes {
  static_assert(N >= 4);
  using unit =
      std::conditional_t<N >= 16, sixteen_bytes, std::conditional_t<N >= 8, std::uint64_t, std::uint32_t>>;
  static constexpr std::size_t step = sizeof(unit);
  static constexpr std::size_t left = N - step < step ? step : N - step;

  struct none {};
  using others = typename std::conditional_t<N == step, std::type_identity<none>,
                                             std::type_identity<held_bytes<left>>>::type;
  unit first;
  INGOT_NO_UNIQUE_ADDRESS others rest;

  [[nodiscard]] static INGOT_INLINE held_bytes load(const std::byte* from) noexcept {
    if constexpr (N == step) return {load_unit<unit>(from), {}};
    else return {load_unit<unit>(from), others::load(from + (N - left))};
  }
  INGOT_INLINE void store(std::byte* to) const noexcept {
    std::memcpy(to, &first, step);
    if constexpr (N != step) rest.store(to + (N - left));
  }
};

#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
/// Two numbers of eight bytes, loaded by two loads. A single load of sixteen bytes may overlap a
/// recent store of two numbers only in part. The processor can't forward such a store to the load,
/// so the load would wait until the store has reached the cache.
struct two_longs {
  using pair = double __attribute__((vector_size(16)));
  pair both;

  [[nodiscard]] static INGOT_INLINE two_longs load(const std::byte* from) noexcept {
    // The asm statement prevents compilers from merging both loads into one load of sixteen bytes.
    auto low = load_unit<double>(from);
    asm("" : "+x"(low));
    return {pair{low, load_unit<double>(from + 8)}};
  }
  INGOT_INLINE void store(std::byte* to) const noexcept { std::memcpy(to, &both, sizeof both); }
};
#endif

/// Inserts `number` at index `i`. The last number, which must be in an unused position, is dropped.
template <class Number>
INGOT_INLINE void insert_into_sixteen(std::byte* numbers, std::size_t i, Number number) noexcept {
  constexpr std::size_t w = sizeof(Number);
  std::byte* const eight = numbers + i % 8 * w;
  const auto upper = held_bytes<7 * w>::load(numbers + 8 * w);
  const auto others = held_bytes<8 * w>::load(eight);
  upper.store(numbers + 9 * w);
  others.store(eight + (i < 8 ? w : 0));
  std::memcpy(numbers + i * w, &number, w);
}
/// Erases the `i`-th number. The last position becomes unused and gets the number `filling`.
template <class Number>
INGOT_INLINE void erase_from_sixteen(std::byte* numbers, std::size_t i, Number filling) noexcept {
  constexpr std::size_t w = sizeof(Number);
  std::byte* const eight = numbers + i % 8 * w;
  const std::byte* const from = eight + (i < 8 ? w : 0);
#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
  if constexpr (w == 8) {
    const auto a = two_longs::load(numbers + 9 * w);
    const auto b = two_longs::load(numbers + 11 * w);
    const auto c = two_longs::load(numbers + 13 * w);
    const auto last = load_unit<std::uint64_t>(numbers + 15 * w);
    const auto d = two_longs::load(from);
    const auto e = two_longs::load(from + 2 * w);
    const auto f = two_longs::load(from + 4 * w);
    const auto g = two_longs::load(from + 6 * w);
    a.store(numbers + 8 * w);
    b.store(numbers + 10 * w);
    c.store(numbers + 12 * w);
    std::memcpy(numbers + 14 * w, &last, w);
    d.store(eight);
    e.store(eight + 2 * w);
    f.store(eight + 4 * w);
    g.store(eight + 6 * w);
    std::memcpy(numbers + 15 * w, &filling, w);
    return;
  }
#endif
  const auto upper = held_bytes<7 * w>::load(numbers + 9 * w);
  const auto others = held_bytes<8 * w>::load(from);
  upper.store(numbers + 8 * w);
  others.store(eight);
  std::memcpy(numbers + 15 * w, &filling, w);
}

}}} // namespace ingot::INGOT_V1::detail
