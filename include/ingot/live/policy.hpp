// SPDX-License-Identifier: Apache-2.0
// What the containers of one block have to agree on: how wide their offsets are, and which allocator hands out the block's bytes.
#pragma once

#include <ingot/live/detail/arena.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Offsets have 32 bits, blocks up to 2 GiB, and containers 8 bytes.
struct narrow_policy {
  using offset_type = std::uint32_t;
  using allocator_type = detail::arena<std::uint32_t>;
};

/// Offsets have 64 bits, blocks are as large as the address space allows, and containers have 16 bytes.
struct wide_policy {
  using offset_type = std::uint64_t;
  using allocator_type = detail::arena<std::uint64_t>;
};

/// The last template parameter of every container. A block and all containers in it share one policy.
template <class P>
concept block_policy =
    std::unsigned_integral<typename P::offset_type> && detail::block_allocator<typename P::allocator_type> &&
    std::same_as<typename P::offset_type, typename P::allocator_type::offset_type>;

static_assert(block_policy<narrow_policy>);

namespace detail {

/// No type in a block needs a greater alignment than this, and blocks start at a multiple of it.
inline constexpr std::size_t block_alignment = 16;

} // namespace detail
}} // namespace ingot::INGOT_V1
