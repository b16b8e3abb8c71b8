// SPDX-License-Identifier: Apache-2.0
// Common properties of all containers of a block: the width of their offsets, and the allocator.
#pragma once

#include <ingot/live/detail/arena.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// 32-bit offsets. A block has at most 2 GiB. Most containers take 8 bytes.
struct narrow_policy {
  /// 32-bit offsets.
  using offset_type = std::uint32_t;
  using allocator_type = detail::arena<std::uint32_t>;
};

/// 64-bit offsets. Only the address space limits the size of a block. Most containers take 16
/// bytes.
struct wide_policy {
  /// 64-bit offsets.
  using offset_type = std::uint64_t;
  using allocator_type = detail::arena<std::uint64_t>;
};

/// A policy is a template parameter of every container. A block and all its containers have the
/// same policy.
template <class P>
concept block_policy =
    std::unsigned_integral<typename P::offset_type> && detail::block_allocator<typename P::allocator_type> &&
    std::same_as<typename P::offset_type, typename P::allocator_type::offset_type>;

static_assert(block_policy<narrow_policy>);

namespace detail {

/// The alignment of blocks, and the maximum alignment of types in a block.
inline constexpr std::size_t block_alignment = 16;

} // namespace detail
}} // namespace ingot::INGOT_V1
