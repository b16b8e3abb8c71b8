// SPDX-License-Identifier: Apache-2.0
// The names of a variant's alternatives, by which they are found in other versions of the variant.
#pragma once

#include <ingot/reflect/detail/own_name.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <variant>

namespace ingot::inline INGOT_V1::detail {

/// True if the program names the alternatives of `V` by `variant_names`.
template <class V>
inline constexpr bool names_alternatives =
    !std::is_same_v<std::remove_const_t<decltype(json::variant_names<V>)>, std::nullptr_t>;

/// The name of an alternative without `variant_names`: the class's own, for records, enumerations
/// and adapted classes. Empty for all other types.
template <class T>
consteval std::string_view alternative_class_name() {
  if constexpr (document_like<T>) return {};
  else if constexpr (memory_kind_of<T> == kind::record || memory_kind_of<T> == kind::enumeration ||
                     memory_kind_of<T> == kind::adapted)
    return declared_class_name<T>();
  else return {};
}

template <class V>
consteval auto given_alternative_names() {
  std::array<std::string_view, std::variant_size_v<V>> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = json::variant_names<V>[i];
  return names;
}
template <class V>
consteval auto make_alternative_names() {
  constexpr std::size_t n = std::variant_size_v<V>;
  if constexpr (names_alternatives<V>) {
    static_assert(std::size(json::variant_names<V>) == n,
                  "ingot::json::variant_names needs one name an alternative");
    constexpr auto names = given_alternative_names<V>();
    static_assert(all_distinct(names, n), "ingot::json::variant_names gives two alternatives one name");
    static_assert(std::find(names.begin(), names.end(), std::string_view{}) == names.end(),
                  "ingot::json::variant_names gives an alternative an empty name");
    return names;
  } else {
    std::array<std::string_view, n> names{};
    [&]<class... Ts>(type_pack<Ts...>) {
      std::size_t i = 0;
      ((names[i++] = alternative_class_name<std::remove_const_t<Ts>>()), ...);
    }(parts_of<V>());
    return names;
  }
}
/// One name for each alternative of the variant `V`; empty for an alternative without a name.
template <class V>
inline constexpr auto alternative_names = make_alternative_names<V>();

} // namespace ingot::inline INGOT_V1::detail
