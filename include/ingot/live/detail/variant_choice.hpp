// SPDX-License-Identifier: Apache-2.0
// Chooses the alternative of a variant for a value. The first rule that finds one alternative
// decides:
// - the alternative of the value's type
// - the alternative that std::variant would choose, by overload resolution without narrowing
// - the only alternative of the value's kind: this finds the twin of a value of a standard type
#pragma once

#include <ingot/live/detail/assign.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t no_alternative = static_cast<std::size_t>(-1);

/// Returns the index of the only true flag, or `no_alternative`.
template <std::size_t N>
consteval std::size_t only_true(const std::array<bool, N>& flags) {
  std::size_t found = no_alternative;
  for (std::size_t i = 0; i < N; ++i) {
    if (!flags[i]) continue;
    if (found != no_alternative) return no_alternative;
    found = i;
  }
  return found;
}

template <class T>
struct one_element {
  T elements[1];
};
template <class T, class U>
concept constructs_without_narrowing = requires(U&& value) { one_element<T>{{std::forward<U>(value)}}; };

template <class U, std::size_t I, class T>
struct conversion {
  static std::integral_constant<std::size_t, I> pick(T)
    requires constructs_without_narrowing<T, U>;
};
template <class U, class Indices, class... Ts>
struct conversions;
template <class U, std::size_t... I, class... Ts>
struct conversions<U, std::index_sequence<I...>, Ts...> : conversion<U, I, Ts>... {
  using conversion<U, I, Ts>::pick...;
};

/// Returns true if both types have the same kind, such as two maps. Records must be twins of each
/// other. False for numbers and texts. Used if neither the type nor a conversion decides.
template <class T, class U>
consteval bool is_of_kind() {
  if constexpr (kind_of<T> != kind_of<U>) return false;
  else if constexpr (kind_of<T> == kind::record) return are_twins<T, U>();
  else return kind_of<T> >= kind::sequence;
}

template <class U, class... Ts>
consteval std::size_t chosen_alternative() {
  using source = std::remove_cvref_t<U>;
  using all = conversions<U, std::index_sequence_for<Ts...>, Ts...>;
  constexpr std::size_t same = only_true(std::array{std::is_same_v<Ts, source>...});
  if constexpr (same != no_alternative) return same;
  else if constexpr (requires(U&& value) { all::pick(std::forward<U>(value)); })
    return decltype(all::pick(std::declval<U>()))::value;
  else return only_true(std::array{is_of_kind<Ts, source>()...});
}

/// Calls `f` with the index as a constant.
template <std::size_t N, std::size_t I = 0, class F>
INGOT_INLINE constexpr decltype(auto) with_index(std::size_t index, F&& f) {
  if constexpr (I + 1 == N) {
    return std::forward<F>(f)(std::integral_constant<std::size_t, I>{});
  } else {
    if (index == I) return std::forward<F>(f)(std::integral_constant<std::size_t, I>{});
    return with_index<N, I + 1>(index, std::forward<F>(f));
  }
}

}}} // namespace ingot::INGOT_V1::detail
