// SPDX-License-Identifier: Apache-2.0
// The names that members, alternatives and enumerators had in earlier versions of a type.
#pragma once

#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/detail/wide_enum.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/previous.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The annotation `renamed_from` of an entry. It is a variable, so that views of the names in it
/// stay valid.
template <class E, std::size_t K>
inline constexpr auto former_in_entry = annotation_in_entry<renamed_from_t, E, K>();

template <class T, std::size_t I>
inline constexpr auto former_names = [] {
  if constexpr (member_has<T, I, renamed_from_t>) {
    constexpr std::size_t n = std::size(member_get<T, I, renamed_from_t>.names);
    std::array<std::string_view, n> names{};
    for (std::size_t i = 0; i < n; ++i) names[i] = member_get<T, I, renamed_from_t>.names[i].view();
    return names;
  } else {
    return std::array<std::string_view, 0>{};
  }
}();

/// Calls `add` with each name that the enumerator's `renamed_from` lists.
template <class E, class F>
constexpr void each_former_enumerator_name(E value, F&& add) {
  const auto entry = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    if constexpr (is_enumerator_entry<E, entry_type<E, K>>) {
      if (entry_value(std::get<K>(annotations<E>.entries)) != value) return;
      if constexpr (!std::is_same_v<decltype(annotation_in_entry<renamed_from_t, E, K>()), no_annotation>) {
        for (const rename_t& each : former_in_entry<E, K>.names) add(each.view());
      }
    }
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (entry(std::integral_constant<std::size_t, K>{}), ...);
  }(std::make_index_sequence<entry_count<E>>{});
#if INGOT_REFLECTION
  meta_former_enumerator_names<E>(value, add);
#endif
}
template <class E>
consteval std::size_t former_enumerator_count(E value) {
  std::size_t count = 0;
  each_former_enumerator_name<E>(value, [&](std::string_view) { ++count; });
  return count;
}

/// Calls `add` with each former name of the class, for classes that are alternatives of a variant:
/// first the names in `renamed_from` on the type, then the names of its previous versions.
template <class T, class F>
constexpr void each_former_class_name(F&& add) {
  if constexpr (std::is_class_v<T> || std::is_enum_v<T>) {
    if constexpr (type_has<T, renamed_from_t>) {
      for (const rename_t& each : type_get<T, renamed_from_t>.names) add(each.view());
    }
  }
  if constexpr (has_previous<T>) {
    add(alternative_class_name<typename previous<T>::type>());
    each_former_class_name<typename previous<T>::type>(add);
  }
}
/// The former names of an alternative. If the variant has `variant_names`, the class's own name is
/// one of them: data that was written before the variant had names contains the class's name.
template <class V, class T>
inline constexpr auto former_alternative_names = [] {
  constexpr auto each = [](auto&& add) {
    if constexpr (names_alternatives<V>) {
      if constexpr (!alternative_class_name<T>().empty()) add(alternative_class_name<T>());
    }
    each_former_class_name<T>(add);
  };
  constexpr std::size_t n = [&] {
    std::size_t count = 0;
    each([&](std::string_view) { ++count; });
    return count;
  }();
  std::array<std::string_view, n> names{};
  [[maybe_unused]] std::size_t i = 0;
  each([&](std::string_view name) { names[i++] = name; });
  return names;
}();
template <class V, class... Ts>
consteval auto list_former_alternatives(type_pack<Ts...>) {
  return std::array<std::span<const std::string_view>, sizeof...(Ts)>{
      former_alternative_names<V, std::remove_const_t<Ts>>...};
}
template <class V>
inline constexpr auto former_alternatives = list_former_alternatives<V>(parts_of<V>());
template <class V>
inline constexpr bool has_former_alternatives = [] {
  for (const auto& names : former_alternatives<V>) {
    if (!names.empty()) return true;
  }
  return false;
}();

template <class E, auto Value>
consteval auto find_former_enumerator_names() {
  constexpr std::size_t n = former_enumerator_count<E>(Value);
  std::array<std::string_view, n> names{};
  [[maybe_unused]] std::size_t i = 0;
  each_former_enumerator_name<E>(Value, [&](std::string_view name) { names[i++] = name; });
  return names;
}
template <class E, auto Value>
inline constexpr auto former_enumerator_names = find_former_enumerator_names<E, Value>();
template <class E>
inline constexpr auto former_enumerators = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::span<const std::string_view>, sizeof...(I)>{
      former_enumerator_names<wide_enum_source_t<E>,
                              static_cast<wide_enum_source_t<E>>(enumerators<E>[I].value)>...};
}(std::make_index_sequence<enumerators<E>.size()>{});

template <class E>
inline constexpr bool has_former_enumerators = [] {
  for (const auto& each : former_enumerators<E>) {
    if (!each.empty()) return true;
  }
  return false;
}();

}}} // namespace ingot::INGOT_V1::detail
