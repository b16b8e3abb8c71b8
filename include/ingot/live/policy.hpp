// SPDX-License-Identifier: Apache-2.0
// What the containers of one block have to agree on: how wide their offsets are, and who hands out the block's bytes.
#pragma once

#include <ingot/live/detail/arena.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ingot::inline v1 {

/// Offsets of 32 bits, blocks to 2 GiB: containers of 8 bytes.
struct narrow_policy {
  using offset_type = std::uint32_t;
  using allocator_type = detail::arena<std::uint32_t>;
};

/// Offsets of 64 bits, blocks as large as the address space: containers of 16 bytes.
struct wide_policy {
  using offset_type = std::uint64_t;
  using allocator_type = detail::arena<std::uint64_t>;
};

/// What a container takes as its last parameter. A block and all containers in it share one policy.
template <class P>
concept block_policy =
    std::unsigned_integral<typename P::offset_type> && detail::block_allocator<typename P::allocator_type> &&
    std::same_as<typename P::offset_type, typename P::allocator_type::offset_type>;

static_assert(block_policy<narrow_policy>);

namespace detail {

/// No type in a block is aligned more than this; blocks start aligned to it.
inline constexpr std::size_t block_alignment = 16;

} // namespace detail
} // namespace ingot::inline v1
