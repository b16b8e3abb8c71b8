// SPDX-License-Identifier: Apache-2.0
// Containers and texts with a maximum number of elements that does not depend on memory:
// std::inplace_vector, boost::static_vector and similar classes. Readers check the capacity before
// they add an element: one element too many would throw, or end the program.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <std::size_t N>
struct size_constant {};
/// Containers whose capacity is a constant of the class.
template <class C>
concept has_static_capacity =
    requires { typename size_constant<static_cast<std::size_t>(C::static_capacity)>; } || requires {
      typename size_constant<static_cast<std::size_t>(C::capacity())>;
    } || requires { typename size_constant<static_cast<std::size_t>(C::max_size())>; };
/// Containers in which each object has its own capacity, which `max_size()` returns. Containers
/// with an allocator do not count: only memory limits them.
template <class C>
concept has_own_capacity = !has_static_capacity<C> && !requires { typename C::allocator_type; } &&
                           requires(const C& c) { static_cast<std::size_t>(c.max_size()); };
/// Containers with a fixed capacity. Containers of blocks are excluded: their own functions report
/// that the block is full.
template <class C>
concept has_fixed_capacity =
    !requires { typename C::live_policy; } && (has_static_capacity<C> || has_own_capacity<C>);

template <has_static_capacity C>
consteval std::size_t static_capacity_of() {
  if constexpr (requires { typename size_constant<static_cast<std::size_t>(C::static_capacity)>; })
    return C::static_capacity;
  else if constexpr (requires { typename size_constant<static_cast<std::size_t>(C::capacity())>; })
    return C::capacity();
  else return C::max_size();
}

inline constexpr std::string_view within_capacity = "no more elements than the container holds";

/// Returns true if `container` can have `count` elements. Always true for containers without a
/// fixed capacity.
template <class C>
[[nodiscard]] constexpr bool can_hold([[maybe_unused]] const C& container,
                                      [[maybe_unused]] std::size_t count) noexcept {
  if constexpr (!has_fixed_capacity<C>) return true;
  else if constexpr (has_static_capacity<C>) return count <= static_capacity_of<C>();
  else return count <= static_cast<std::size_t>(container.max_size());
}
/// Returns true if one more element fits.
template <class C>
[[nodiscard]] constexpr bool can_add(const C& container) noexcept {
  if constexpr (!has_fixed_capacity<C>) return true;
  else return can_hold(container, static_cast<std::size_t>(container.size()) + 1);
}

}}} // namespace ingot::INGOT_V1::detail
