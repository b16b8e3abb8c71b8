// SPDX-License-Identifier: Apache-2.0
// Checks that former names are unambiguous: each name in older data must belong to one member.
#pragma once

#include <ingot/schema/detail/former_lists.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

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

/// Calls `f(i, j)` for each item i that has a former name which is now the name of another item, j.
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
/// Returns false if items exchanged their names in a cycle. Data from before and after such an
/// exchange has the same names, so its version can't be determined.
template <std::size_t N>
consteval bool names_have_no_circle(const name_table_of<N>& names, const former_table_of<N>& former) {
  std::array<bool, N + 1> is_done{}; // items that are known to be in no cycle
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
/// Returns false if two items have a former name in common. Items with the same present name count
/// as one item; members of bases may have such names.
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
/// Rejects former names that are ambiguous: a name in older data would not determine one member.
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
