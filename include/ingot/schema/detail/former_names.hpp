// SPDX-License-Identifier: Apache-2.0
// The names of members, alternatives and enumerators in earlier versions of a type.
#pragma once

#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema_id.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Lists of former names, one for each item.
using former_name_lists = std::span<const std::span<const std::string_view>>;

template <class T>
inline constexpr bool renames_members = []<std::size_t... I>(std::index_sequence<I...>) {
  return (member_has<T, I, renamed_from_t> || ... || false);
}(std::make_index_sequence<member_count<T>>{});
template <class T>
inline constexpr auto stored_member_names = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<std::string_view, described_member_count<T>()> all{};
  [[maybe_unused]] std::size_t n = 0;
  ((member_has<T, I, skip_t> ? void() : void(all[n++] = member_name<T, I>)), ...);
  return all;
}(std::make_index_sequence<member_count<T>>{});

/// The annotation of an entry, stored in a variable, so that views of its names stay valid.
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

template <class T>
inline constexpr auto stored_former_names = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<std::span<const std::string_view>, described_member_count<T>()> all{};
  [[maybe_unused]] std::size_t n = 0;
  ((member_has<T, I, skip_t> ? void()
                             : void(all[n++] = std::span<const std::string_view>(former_names<T, I>))),
   ...);
  return all;
}(std::make_index_sequence<member_count<T>>{});

template <std::size_t N>
using name_table_of = std::array<std::string_view, N>;
template <std::size_t N>
using former_table_of = std::array<std::span<const std::string_view>, N>;

/// Calls `f(i, j)` for each i with a former name that is the present name of another item, j.
template <std::size_t N, class F>
constexpr void each_reused_name(const name_table_of<N>& names, const former_table_of<N>& former, F&& f) {
  for (std::size_t i = 0; i < N; ++i) {
    for (const std::string_view name : former[i]) {
      for (std::size_t j = 0; j < N; ++j) {
        if (names[j] == name && names[i] != name) f(i, j);
      }
    }
  }
}
template <std::size_t N>
consteval bool any_name_is_reused(const name_table_of<N>& names, const former_table_of<N>& former) {
  bool found = false;
  each_reused_name(names, former, [&](std::size_t, std::size_t) { found = true; });
  return found;
}
/// Returns false if items exchanged their names in a cycle. The versions before and after that have
/// the same names, so the version of some data can't be determined.
template <std::size_t N>
consteval bool names_have_no_circle(const name_table_of<N>& names, const former_table_of<N>& former) {
  std::array<bool, N + 1> is_done{}; // true for items that are in no cycle
  for (std::size_t round = 0; round < N; ++round) {
    std::array<bool, N + 1> waits{};
    each_reused_name(names, former, [&](std::size_t i, std::size_t j) { waits[i] |= !is_done[j]; });
    for (std::size_t i = 0; i < N; ++i) is_done[i] = !waits[i];
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (!is_done[i]) return false;
  }
  return true;
}
/// Returns false if two items have a former name in common. Items with the same present name, which
/// bases may have, count as one.
template <std::size_t N>
consteval bool former_names_are_distinct(const name_table_of<N>& names, const former_table_of<N>& former) {
  for (std::size_t i = 0; i < N; ++i) {
    for (const std::string_view name : former[i]) {
      for (std::size_t j = 0; j < i; ++j) {
        if (names[j] == names[i]) continue;
        for (const std::string_view other : former[j]) {
          if (other == name) return false;
        }
      }
    }
  }
  return true;
}

/// True if a former name of a member is another member's present name.
template <class T>
inline constexpr bool reuses_names = [] {
  if constexpr (renames_members<T>) return any_name_is_reused(stored_member_names<T>, stored_former_names<T>);
  else return false;
}();
/// Rejects former names that don't determine the member of older data.
template <class T>
consteval bool require_clear_former_names() {
  if constexpr (renames_members<T>) {
    static_assert(
        former_names_are_distinct(stored_member_names<T>, stored_former_names<T>),
        "ingot: two members give one name in renamed_from, so which of them older data has is unknown: "
        "give the type a version and a previous");
    static_assert(
        names_have_no_circle(stored_member_names<T>, stored_former_names<T>),
        "ingot: by renamed_from, members exchanged their names, so versions of the type have the same names: "
        "give the type a version and a previous");
  }
  return true;
}

/// Calls `add` with each former name of the enumerator, according to `renamed_from`.
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

/// Calls `add` with each former name of a class as an alternative: those of `renamed_from` on the
/// type, then the names of its previous versions.
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
/// The former names of an alternative. With `variant_names`, the class's own name is one of them:
/// data has it if it was written before the variant had names.
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
inline constexpr bool has_former_alternatives =
    std::ranges::any_of(former_alternatives<V>, [](const auto& names) { return !names.empty(); });

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
template <class E>
inline constexpr auto present_enumerators = [] {
  std::array<std::string_view, enumerators<E>.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = enumerators<E>[i].name;
  return names;
}();
template <class E>
consteval bool require_clear_enumerators() {
  if constexpr (has_former_enumerators<E>) {
    static_assert(former_names_are_distinct(present_enumerators<E>, former_enumerators<E>),
                  "ingot: two enumerators give one name in renamed_from, so which of them older data has "
                  "is unknown");
    static_assert(
        names_have_no_circle(present_enumerators<E>, former_enumerators<E>),
        "ingot: by renamed_from, enumerators exchanged their names, so versions of the type have the same "
        "names");
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
