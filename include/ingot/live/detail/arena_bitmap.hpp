// SPDX-License-Identifier: Apache-2.0
// The bitmap in front of an arena. Each bit is for eight bytes of the block. The bit is set while
// the bytes are taken or in a fastbin. The bitmap grows downward from the arena.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The empty base of an arena, at the arena's address. The words of the bitmap precede the arena.
template <std::unsigned_integral Offset>
class arena_bitmap {
public:
  static constexpr Offset granule = 8;

  /// Returns the end of the bitmap's word 0, which is directly before the arena. `bitmap_claims`
  /// takes this address.
  [[nodiscard]] std::uint64_t* bitmap_end() noexcept { return &word(0) + 1; }

  /// Returns the size in bytes of the bitmap for a block of `limit` bytes.
  [[nodiscard]] static constexpr std::size_t bitmap_size(std::size_t limit) noexcept {
    return (limit + bytes_per_word - 1) / bytes_per_word * sizeof(std::uint64_t);
  }

protected:
  static constexpr std::size_t bytes_per_word = std::size_t{granule} * 64;

  [[nodiscard]] std::uint64_t& word(std::size_t index) noexcept {
    return *reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(this) -
                                             (index + 1) * sizeof(std::uint64_t));
  }
  void mark(Offset at, Offset size) noexcept {
    change(at, size, [](std::uint64_t& bits, std::uint64_t mask) { bits |= mask; });
  }
  void clear(Offset at, Offset size) noexcept {
    change(at, size, [](std::uint64_t& bits, std::uint64_t mask) { bits &= ~mask; });
  }
  template <class F>
  void change(Offset at, Offset size, F&& f) noexcept {
    std::size_t first = at / granule;
    std::size_t count = size / granule;
    if (first % 64 + count < 64) [[likely]] {
      f(word(first / 64), ((std::uint64_t{1} << count) - 1) << first % 64);
      return;
    }
    while (count != 0) {
      const std::size_t bit = first % 64;
      const std::size_t here = count < 64 - bit ? count : 64 - bit;
      const std::uint64_t ones = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
      f(word(first / 64), ones << bit);
      first += here;
      count -= here;
    }
  }
  [[nodiscard]] bool is_taken(Offset at) noexcept {
    const std::size_t bit = at / granule;
    return (word(bit / 64) >> bit % 64 & 1) != 0;
  }

  /// Returns the first free position in [at, end) if `to_free`, otherwise the first taken position.
  /// Returns `end` if there is none.
  [[nodiscard]] Offset next_change(Offset at, Offset end, bool to_free) noexcept {
    std::size_t bit = at / granule;
    const std::size_t last = end / granule;
    while (bit < last) {
      std::uint64_t bits = word(bit / 64);
      if (to_free) bits = ~bits;
      bits >>= bit % 64;
      if (bits != 0) {
        bit += static_cast<std::size_t>(std::countr_zero(bits));
        break;
      }
      bit = (bit / 64 + 1) * 64;
    }
    return static_cast<Offset>((bit < last ? bit : last) * granule);
  }
};

}}} // namespace ingot::INGOT_V1::detail
