// SPDX-License-Identifier: Apache-2.0
// Earlier versions of a type, for changes of meaning that no rule about names and widths can
// handle.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/members.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Specialise this to specify an earlier version of a type and its conversion to the current one:
///
///   template <> struct ingot::previous<window> {
///     using type = window_v1; // may have a `previous` of its own
///     static ingot::result<window> upgrade(window_v1&& old);
///     // or: static window upgrade(window_v1&& old);
///   };
///
/// Objects in a block can't be returned and are upgraded in place:
///
///     static void upgrade(const window_v1& old, window& made); // or returning ingot::result<void>
///
/// Both types have the annotation `ingot::version`, and the earlier one has the smaller number.
/// Data written with a version up to that number is read as the earlier type, by name as always,
/// and then upgraded. Data of versions in between is read as the current type.
template <class T>
struct previous;

namespace detail {

template <class T>
concept has_previous = requires { typename previous<T>::type; };

template <class T>
concept upgrades_in_place = has_previous<T> && requires(const typename previous<T>::type& old, T& upgraded) {
  previous<T>::upgrade(old, upgraded);
};

template <has_previous T>
[[nodiscard]] constexpr result<T> upgrade_previous(typename previous<T>::type&& old) {
  return previous<T>::upgrade(std::move(old));
}
template <upgrades_in_place T>
[[nodiscard]] constexpr result<void> upgrade_previous(const typename previous<T>::type& old, T& upgraded) {
  if constexpr (std::is_void_v<decltype(previous<T>::upgrade(old, upgraded))>) {
    previous<T>::upgrade(old, upgraded);
    return {};
  } else {
    return previous<T>::upgrade(old, upgraded);
  }
}

} // namespace detail
}} // namespace ingot::INGOT_V1
