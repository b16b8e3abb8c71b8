// SPDX-License-Identifier: Apache-2.0
// Values that a reader constructs before it puts them into a container, or only to inspect them.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/owned.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Maximum size in bytes of a value of a user's type that a reader keeps on the stack. Threads may
/// have small stacks, and readers call themselves for each level of a type.
inline constexpr std::size_t max_stack_size = 4096;

template <class T>
struct value_on_stack {
  T value{};
  [[nodiscard]] constexpr T& operator*() noexcept { return value; }
};
/// A value on the heap. Throws `std::bad_alloc`, as containers do.
template <class T>
struct value_on_heap {
  owned<T> value = make_owned<T>();
  [[nodiscard]] constexpr T& operator*() noexcept { return *value; }
};
/// A `T{}` for temporary use by a reader; a large `T` is on the heap.
template <class T>
using scratch_value = std::conditional_t<(sizeof(T) > max_stack_size), value_on_heap<T>, value_on_stack<T>>;

/// A value before its insertion into a container. The constructor's argument is the number of bytes
/// of the message or text from which the value is read. Layers specialise this class for types
/// whose objects must be in a block. These specialisations use the number to reserve memory.
template <class T>
struct temporary : scratch_value<T> {
  constexpr temporary() = default;
  explicit constexpr temporary(std::size_t) {}
};

/// Assigns `T(arguments...)` to `out`.
template <class T, class... A>
constexpr void assign_new(T& out, A&&... arguments) {
  if constexpr (sizeof(T) > max_stack_size) {
    auto value = make_owned<T>(std::forward<A>(arguments)...);
    out = std::move(*value);
  } else {
    out = T(std::forward<A>(arguments)...);
  }
}

}}} // namespace ingot::INGOT_V1::detail
