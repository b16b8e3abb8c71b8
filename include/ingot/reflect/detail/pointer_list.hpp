// SPDX-License-Identifier: Apache-2.0
// Pointers to all members of an object at once. A std::tuple of pointers tests for every element
// whether it converts to every other element. These tests took a sixth of the compile time of a
// codec. In this list, each pointer is a base class with its own number.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <std::size_t I, class T>
struct indexed_pointer {
  T* pointer;
};
template <class Indices, class... Ts>
struct pointer_list;
template <std::size_t... I, class... Ts>
struct pointer_list<std::index_sequence<I...>, Ts...> : indexed_pointer<I, Ts>... {};

/// Returns pointers to `objects`, in their order.
template <class... Ts>
INGOT_INLINE constexpr auto pointers_to(Ts&... objects) noexcept {
  return pointer_list<std::index_sequence_for<Ts...>, Ts...>{{__builtin_addressof(objects)}...};
}

/// Returns the `I`-th pointer of a list. Takes one overload resolution, however long the list is.
template <std::size_t I, class T>
INGOT_INLINE constexpr T* pointer_at(const indexed_pointer<I, T>& item) noexcept {
  return item.pointer;
}

}}} // namespace ingot::INGOT_V1::detail
