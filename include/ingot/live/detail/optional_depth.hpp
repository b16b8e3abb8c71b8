// SPDX-License-Identifier: Apache-2.0
// Types that hold a value or nothing, from any library: sources for assignments to an optional or a
// box.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the number of optional and box layers of a type.
template <class T>
consteval std::size_t optional_depth() {
  if constexpr (kind_of<T> == kind::optional)
    return 1 + optional_depth<std::remove_cv_t<typename T::value_type>>();
  else if constexpr (kind_of<T> == kind::box)
    return 1 + optional_depth<std::remove_cv_t<typename T::element_type>>();
  else return 0;
}
template <class T>
concept optional_or_box = kind_of<T> == kind::optional || kind_of<T> == kind::box;

/// Default parameter type of an assignment to an optional whose value can't be written in braces.
/// The constraint of the assignment rejects this type, so braces are not accepted. If the value can
/// be written in braces, the braces contain the members of a record or the elements of a container.
/// Empty braces mean no value.
struct not_in_braces {};
template <class T>
consteval auto choose_braced() {
  if constexpr (std::is_scalar_v<T> || requires { typename T::live_policy; })
    return std::type_identity<not_in_braces>{};
  else return std::type_identity<T>{};
}
template <class T>
using braced_t = typename decltype(choose_braced<T>())::type;
template <class T>
consteval auto choose_braced_list() {
  if constexpr (requires { typename T::brace_value; })
    return std::type_identity<std::initializer_list<typename T::brace_value>>{};
  else return std::type_identity<not_in_braces>{};
}
template <class T>
using braced_list_t = typename decltype(choose_braced_list<T>())::type;

}}} // namespace ingot::INGOT_V1::detail
