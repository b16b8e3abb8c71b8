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
/// Both carry `ingot::version`, the earlier one the smaller number. Data written with a version up to that number are read
/// as the earlier type, by name as always, and upgraded; data of versions between the two are read as this type.
template <class T>
struct previous;

namespace detail {

template <class T>
concept has_previous = requires { typename previous<T>::type; };

template <has_previous T>
constexpr result<T> upgrade_previous(typename previous<T>::type&& old) {
  return previous<T>::upgrade(std::move(old));
}

} // namespace detail
} // namespace ingot::inline v1
