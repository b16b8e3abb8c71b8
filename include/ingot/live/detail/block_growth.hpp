// SPDX-License-Identifier: Apache-2.0
// Memory of a block that becomes longer while the block is used: a file, which is made longer first.
#pragma once

#include <ingot/core/detail/told_reading.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// What an allocator asks when its room is used up. It stands in front of the allocator's bitmap and stays there as long as the block.
struct block_growth {
  /// Makes `wanted` bytes of the block usable, or more, which are zero; or nothing, and says so in `failed` unless it is the ceiling that is
  /// in the way. Changes `room`.
  void (*lengthen)(block_growth& self, std::size_t wanted) noexcept = nullptr;
  /// Nothing of the block was changed yet, and now it will be: false if it must not.
  bool (*begin)(block_growth& self) noexcept = nullptr;
  /// Asked now and then by who fills memory that it has taken already: false if it is not to go on. Null where nobody waits.
  bool (*ask)(block_growth& self) noexcept = nullptr;
  std::size_t room = 0; ///< bytes of the block that may be touched
  bool failed = false;  ///< the last time it was asked
};

/// Whoever waits for a block to be filled, where many steps take no new room of it. Null: nobody.
struct growth_listener {
  block_growth* by;
  [[nodiscard]] bool operator()() const noexcept { return by->ask(*by); }
  [[nodiscard]] explicit operator bool() const noexcept { return by != nullptr; }
};
using asked_growth = asked_by<growth_listener>;

/// How long a block can become whose bitmap lies in between: what `distance_of` reaches, without a little.
inline constexpr std::uint64_t most_of_growing_block = (std::uint64_t{1} << 41) - (std::uint64_t{1} << 24);

/// How far it stands in front of its allocator, in steps of 8 bytes: less than a pointer, and so much that bitmaps of many GiB fit in between.
[[nodiscard]] inline std::uint32_t distance_of(const block_growth& growth, const void* allocator) noexcept {
  return static_cast<std::uint32_t>(
      (reinterpret_cast<std::uintptr_t>(allocator) - reinterpret_cast<std::uintptr_t>(&growth)) / 8);
}
[[nodiscard]] inline block_growth& growth_of(const void* allocator, std::uint32_t distance) noexcept {
  return *reinterpret_cast<block_growth*>(reinterpret_cast<std::uintptr_t>(allocator) -
                                          std::uintptr_t{distance} * 8);
}
/// Who waits for an allocator's block to be filled; null if nobody does.
template <class Allocator>
[[nodiscard]] block_growth* listener_of(const Allocator& allocator) noexcept {
  if constexpr (requires { allocator.growth_distance(); }) {
    if (allocator.growth_distance() == 0) return nullptr;
    block_growth& by = growth_of(&allocator, allocator.growth_distance());
    return by.ask == nullptr ? nullptr : &by;
  } else {
    return nullptr;
  }
}
template <class Offset>
[[nodiscard]] Offset room_within(const block_growth& growth, Offset most) noexcept {
  return growth.room < most ? static_cast<Offset>(growth.room) : most;
}

}}} // namespace ingot::INGOT_V1::detail
