// SPDX-License-Identifier: Apache-2.0
// The prefix of a block's storages, and the requirements on an allocator; see arena.hpp.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Precedes each storage in a block. Contains the number of bytes that follow the prefix, and the
/// distance of the prefix from the block's start.
template <std::unsigned_integral Offset>
struct storage_prefix {
  Offset capacity;
  Offset distance;
};

/// A storage as an allocator returns it: the position of its prefix, and its size including the
/// prefix.
template <std::unsigned_integral Offset>
struct storage_run {
  Offset at = 0;
  Offset size = 0;
  explicit constexpr operator bool() const noexcept { return size != 0; }
};

/// Requirements on a block's allocator. Sizes and positions are multiples of 8. Sizes include the
/// prefix.
template <class A>
concept block_allocator = requires(A& arena, const A& seen, typename A::offset_type n, std::byte* data) {
  arena.start(n, n);
  arena.adopt(n, n);
  arena.forget_holes();
  arena.copy_state(seen, n);
  { arena.consolidate() } -> std::same_as<bool>;
  arena.forget_peak();
  { arena.bitmap_end() } -> std::same_as<std::uint64_t*>;
  { A::bitmap_size(std::size_t{}) } -> std::same_as<std::size_t>;
  { arena.allocate(n) } -> std::same_as<storage_run<typename A::offset_type>>;
  { arena.allocate_aligned(n) } -> std::same_as<storage_run<typename A::offset_type>>;
  { arena.extend(n, n, n) } -> std::same_as<bool>;
  arena.release(n, n);
  arena.release_storage(data, n);
  { arena.reach(std::size_t{}) } -> std::same_as<bool>;
  { arena.growth_failed() } -> std::same_as<bool>;
  { seen.memory_failed() } -> std::same_as<bool>;
  { seen.used() } -> std::same_as<typename A::offset_type>;
  { seen.free_bytes() } -> std::same_as<typename A::offset_type>;
  { seen.limit() } -> std::same_as<typename A::offset_type>;
  { seen.peak() } -> std::same_as<typename A::offset_type>;
};

}}} // namespace ingot::INGOT_V1::detail
