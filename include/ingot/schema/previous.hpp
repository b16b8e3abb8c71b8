// SPDX-License-Identifier: Apache-2.0
// What a type was before: for changes of meaning, which no rule about names and widths can follow.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/members.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace ingot::inline v1 {

/// Specialise to keep an earlier version of a type, and the way from it to this one:
///   template <> struct ingot::previous<window> {
///     using type = window_v1;                                  // may have a `previous` of its own
///     static ingot::result<window> upgrade(window_v1&& old);   // or: static window upgrade(window_v1&& old)
///   };
/// Objects in a block, which can't be returned, are upgraded where they are made:
///     static void upgrade(const window_v1& old, window& made); // or returning ingot::result<void>
/// Both carry `ingot::version`, the earlier one the smaller number. Data written with a version up to that number are read
/// as the earlier type, by name as always, and upgraded; data of versions between the two are read as this type.
template <class T>
struct previous;

namespace detail {

template <class T>
concept has_previous = requires { typename previous<T>::type; };

template <class T>
concept upgrades_in_place = has_previous<T> && requires(const typename previous<T>::type& old, T& made) {
  previous<T>::upgrade(old, made);
};

template <has_previous T>
constexpr result<T> upgrade_previous(typename previous<T>::type&& old) {
  return previous<T>::upgrade(std::move(old));
}
template <upgrades_in_place T>
constexpr result<void> upgrade_previous(const typename previous<T>::type& old, T& made) {
  if constexpr (std::is_void_v<decltype(previous<T>::upgrade(old, made))>) {
    previous<T>::upgrade(old, made);
    return {};
  } else {
    return previous<T>::upgrade(old, made);
  }
}

} // namespace detail
} // namespace ingot::inline v1
