// SPDX-License-Identifier: Apache-2.0
// Maps the entries of a tree's leaf to slots: sixteen nibbles in one word, so that an insertion
// moves no value.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The order of the slots of a leaf.
class slot_order {
public:
  static constexpr std::uint64_t identity = 0xFEDCBA9876543210U;

  [[nodiscard]] static INGOT_INLINE unsigned slot(std::uint64_t order, std::size_t i) noexcept {
    return static_cast<unsigned>(order >> 4 * i & 15);
  }
  /// Returns the order after an insertion of the `i`-th entry into `n` entries. The new entry gets
  /// the first free slot.
  [[nodiscard]] static INGOT_INLINE std::uint64_t inserted(std::uint64_t order, std::size_t i,
                                                           std::size_t n) noexcept {
    // Uses only two shifts by a variable number of bits, because such shifts are slow.
    const std::uint64_t one = std::uint64_t{1} << 4 * i;
    const std::uint64_t upto = (std::uint64_t{16} << 4 * n) - 1; // 16 << 60 is 0
    const std::uint64_t moved = order << 4 & upto & ~(16 * one - 1);
    return (order & (one - 1)) | slot(order, n) * one | moved | (order & ~upto);
  }
  /// Returns the order after the `i`-th of `n` entries is erased. The slot of that entry becomes
  /// the first free slot.
  [[nodiscard]] static INGOT_INLINE std::uint64_t erased(std::uint64_t order, std::size_t i,
                                                         std::size_t n) noexcept {
    const std::uint64_t one = std::uint64_t{1} << 4 * i;
    const std::uint64_t last = std::uint64_t{1} << 4 * (n - 1);
    const std::uint64_t moved = order >> 4 & (last - 1) & ~(one - 1);
    return (order & (one - 1)) | moved | slot(order, i) * last | (order & ~(16 * last - 1));
  }
  // Functions for leaves with all sixteen slots. They use the last free slot instead of the first,
  // so that the number of entries doesn't matter.
  [[nodiscard]] static INGOT_INLINE unsigned last(std::uint64_t order) noexcept {
    return static_cast<unsigned>(order >> 60);
  }
  [[nodiscard]] static INGOT_INLINE std::uint64_t inserted_last(std::uint64_t order, std::size_t i) noexcept {
    const std::uint64_t below = order & ((std::uint64_t{1} << 4 * i) - 1);
    return below | (order ^ below) << 4 | order >> 60 << 4 * i;
  }
  [[nodiscard]] static INGOT_INLINE std::uint64_t erased_to_last(std::uint64_t order,
                                                                 std::size_t i) noexcept {
    const std::uint64_t below = order & ((std::uint64_t{1} << 4 * i) - 1);
    const std::uint64_t from = order >> 4 * i;
    return below | from >> 4 << 4 * i | from << 60;
  }
  /// Returns the order with two nibbles exchanged.
  [[nodiscard]] static std::uint64_t exchanged(std::uint64_t order, std::size_t i, std::size_t j) noexcept {
    const std::uint64_t different = slot(order, i) ^ slot(order, j);
    return order ^ (different << 4 * i) ^ (i == j ? 0 : different << 4 * j);
  }
  /// Returns true if the first `capacity` nibbles are a permutation of the slots below `capacity`,
  /// and each other nibble is its own index.
  [[nodiscard]] static bool is_valid(std::uint64_t order, std::size_t capacity) noexcept {
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      const unsigned at = slot(order, i);
      if (i >= capacity && at != i) return false;
      seen |= 1U << at;
    }
    return seen == 0xFFFF;
  }
};

}}} // namespace ingot::INGOT_V1::detail
