// SPDX-License-Identifier: Apache-2.0
// Earlier versions of a type. A program needs them for changes of meaning that the rules for names
// and widths can't express.
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
/// Objects in a block can't be returned, so they are upgraded in place:
///
///     static void upgrade(const window_v1& old, window& made); // or returning ingot::result<void>
///
/// Both types have the annotation `ingot::version`; the earlier type has the smaller number. Data
/// whose version is at most this number is read as the earlier type, with members matched by name,
/// and then upgraded. Data of any later version is read as the current type.
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
