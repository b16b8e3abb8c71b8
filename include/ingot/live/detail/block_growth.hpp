// SPDX-License-Identifier: Apache-2.0
// Growth of a block's memory while the block is in use. For a block in a file, growth makes the
// file longer.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Functions and state that an allocator uses when its memory is used up. The object is in front of
/// the allocator's bitmap, and stays there as long as the block exists.
struct block_growth {
  /// Makes at least `wanted` bytes of the block usable; the new bytes are zero. Updates `usable`.
  /// If this fails, changes nothing, and sets `failed` unless the size limit is the cause.
  void (*lengthen)(block_growth& self, std::size_t wanted) noexcept = nullptr;
  /// Called before the first change of the block. Returns false if the block must not be changed.
  bool (*begin)(block_growth& self) noexcept = nullptr;
  /// Tracker for code that fills allocated memory: the allocator itself polls only when it needs
  /// more memory. Null without a progress callback.
  progress_tracker* tracker = nullptr;
  std::size_t usable = 0; ///< bytes of the block that may be touched
  bool failed = false;    ///< the last growth failed for another reason than the size limit
};

/// Polls while code fills a block for a long time without allocating more memory. Needed because
/// the allocator polls only when it needs more memory. A null tracker means that there is no
/// callback.
class growth_poll : public progress_poll {
public:
  explicit growth_poll(progress_tracker* tracker) noexcept : progress_poll(tracker, progress_ref::unknown) {}
};

/// Maximum size in bytes of a block that can grow. The bitmap of such a block is within the range
/// of `distance_of`, with a margin.
inline constexpr std::uint64_t max_growing_block_size = (std::uint64_t{1} << 41) - (std::uint64_t{1} << 24);

/// Returns the distance from a growth object to the allocator after it, in units of 8 bytes. These
/// 32 bits take less memory than a pointer, and suffice for bitmaps of many GiB.
[[nodiscard]] inline std::uint32_t distance_of(const block_growth& growth, const void* allocator) noexcept {
  return static_cast<std::uint32_t>(
      (reinterpret_cast<std::uintptr_t>(allocator) - reinterpret_cast<std::uintptr_t>(&growth)) / 8);
}
[[nodiscard]] inline block_growth& growth_of(const void* allocator, std::uint32_t distance) noexcept {
  return *reinterpret_cast<block_growth*>(reinterpret_cast<std::uintptr_t>(allocator) -
                                          std::uintptr_t{distance} * 8);
}
/// Returns the tracker that reports progress while the allocator's block is filled; null if there
/// is none.
template <class Allocator>
[[nodiscard]] progress_tracker* filling_of(const Allocator& allocator) noexcept {
  if constexpr (requires { allocator.growth_distance(); }) {
    if (allocator.growth_distance() == 0) return nullptr;
    return growth_of(&allocator, allocator.growth_distance()).tracker;
  } else {
    return nullptr;
  }
}
template <class Offset>
[[nodiscard]] Offset usable_within(const block_growth& growth, Offset max_size) noexcept {
  return growth.usable < max_size ? static_cast<Offset>(growth.usable) : max_size;
}

}}} // namespace ingot::INGOT_V1::detail
