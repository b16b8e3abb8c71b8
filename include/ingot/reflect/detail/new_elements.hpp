// SPDX-License-Identifier: Apache-2.0
// Arrays and tuples without a default constructor: readers construct them from their elements.
#pragma once

#include <ingot/core/detail/owned.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Calls `use` with `T{parts...}`. A large object is created on the heap.
template <class T, class Use, class... Parts>
[[nodiscard]] bool make_new(Use&& use, Parts&&... parts) {
  if constexpr (sizeof(T) > max_stack_size) {
    const owned<T> value(new T{std::forward<Parts>(parts)...});
    return use(*value);
  } else {
    T value{std::forward<Parts>(parts)...};
    return use(value);
  }
}

/// Elements of a tuple. The tuple is constructed after all elements are read.
template <class T, class = std::make_index_sequence<std::tuple_size_v<T>>>
struct element_parts;
template <class T, std::size_t... I>
struct element_parts<T, std::index_sequence<I...>> {
  static constexpr std::size_t size = sizeof...(I);
  std::tuple<std::optional<std::tuple_element_t<I, T>>...> elements;

  /// Calls `read` with the optional in which element number `at` is read. Requires that `at` is
  /// less than `size`.
  template <class Read>
  [[nodiscard]] bool read_element(std::size_t at, Read&& read) {
    bool good = false;
    static_cast<void>(((I == at && (good = read(std::get<I>(elements)), true)) || ...));
    return good;
  }
  /// Calls `use` with the tuple. All elements must be present.
  template <class Use>
  [[nodiscard]] bool make(Use&& use) {
    return make_new<T>(use, std::move(*std::get<I>(elements))...);
  }
};
/// Elements of an array. The array is constructed after all elements are read.
template <class T, std::size_t... I>
  requires(kind_of<T> == kind::array)
struct element_parts<T, std::index_sequence<I...>> {
  static constexpr std::size_t size = sizeof...(I);
  std::array<std::optional<element_t<T>>, size> elements;

  template <class Read>
  [[nodiscard]] bool read_element(std::size_t at, Read&& read) {
    return read(elements[at]);
  }
  template <class Use>
  [[nodiscard]] bool make(Use&& use) {
    return make_new<T>(use, std::move(*elements[I])...);
  }
};

}}} // namespace ingot::INGOT_V1::detail
