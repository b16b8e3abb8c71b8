// SPDX-License-Identifier: Apache-2.0
// The names that members, alternatives and enumerators had in earlier versions of a type.
#pragma once

#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot::inline v1::detail {

/// The former names of each of several things.
using former_name_lists = std::span<const std::span<const std::string_view>>;

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

template <class T>
inline constexpr auto stored_former_names = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<std::span<const std::string_view>, described_member_count<T>()> all{};
  [[maybe_unused]] std::size_t n = 0;
  ((member_has<T, I, skip_t> ? void()
                             : void(all[n++] = std::span<const std::string_view>(former_names<T, I>))),
   ...);
  return all;
}(std::make_index_sequence<member_count<T>>{});

/// Calls `add` with each name that a class had as an alternative: those of `renamed_from` on the type, then the names
/// of its previous versions.
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
/// With `variant_names`, the class's own name is a former one: data written before the variant had names has it.
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

} // namespace ingot::inline v1::detail
