// SPDX-License-Identifier: Apache-2.0
// The name of a class or enumeration, without namespaces and template arguments. Every compiler
// gives the same name.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/storable.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns this compiler's name of `T`.
template <class T>
[[nodiscard]] constexpr std::string_view spelled() noexcept {
  return leading_argument(from_argument(type_tag<T>(), "T = ", "type_tag<"));
}
/// Returns the last identifier outside of brackets in a compiler's name of a class. Empty for a
/// class without a name.
[[nodiscard]] constexpr std::string_view own_name(std::string_view spelled) noexcept {
  std::size_t depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < spelled.size(); ++i) {
    const char c = spelled[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    else if ((c == '>' || c == ')' || c == '}' || c == ']') && depth != 0) --depth;
    else if (c == ':' && depth == 0) begin = i + 1;
  }
  std::size_t end = begin;
  while (end < spelled.size() && is_identifier_char(spelled[end])) ++end;
  return spelled.substr(begin, end - begin);
}
/// The name that programs use for a class of ingot, if the class has another name: `ref` for
/// `basic_ref`.
template <class T>
inline constexpr std::string_view alias_name{};

/// Returns the name of the class that a program declares. For a twin, a class that ingot generates
/// from another class, returns the name of the other class.
template <class T>
[[nodiscard]] constexpr std::string_view declared_class_name() {
  if constexpr (!alias_name<T>.empty()) return alias_name<T>;
#if INGOT_REFLECTION
  if constexpr (std::is_class_v<T>) {
    using original = [:annotated_class(^^T):];
    return own_name(spelled<original>());
  }
#endif
  return own_name(spelled<T>());
}

}}} // namespace ingot::INGOT_V1::detail
