// SPDX-License-Identifier: Apache-2.0
// Finds the annotation of a kind on a member or a type.
//
// Every layer looks up about a dozen kinds for every member of every type, and nearly always finds
// none. So one test of the whole type comes first. Members are searched only for kinds that occur
// in the annotations of the type.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/member_table.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
inline constexpr std::size_t entry_count = std::tuple_size_v<decltype(annotations<T>.entries)>;
template <class T, std::size_t K>
using entry_type = std::remove_cvref_t<decltype(std::get<K>(annotations<T>.entries))>;
template <class A, class T, std::size_t K>
consteval auto annotation_in_entry() {
  return std::apply([](const auto&... items) { return pick<A>(items...); },
                    std::get<K>(annotations<T>.entries).items);
}

/// True if an entry contains an annotation `A`, for a member or for the type.
template <class A, class Entry>
inline constexpr bool entry_has = false;
template <class A, class... Items>
inline constexpr bool entry_has<A, type_entry<Items...>> = (annotation_is<A, Items> || ...);
template <class A, fixed_string Name, class... Items>
inline constexpr bool entry_has<A, member_entry<Name, Items...>> = (annotation_is<A, Items> || ...);

/// Returns the name of the member that an entry annotates; empty for an entry of the type or of an
/// enumerator.
template <class Entry>
consteval std::string_view entry_subject() {
  if constexpr (requires { Entry::name(); }) return Entry::name();
  else return {};
}
template <class Entry>
inline constexpr bool is_type_entry = false;
template <class... Items>
inline constexpr bool is_type_entry<type_entry<Items...>> = true;

inline constexpr std::size_t no_entry = ~std::size_t{0};

/// Returns the index of the first entry with an `A` for the member `name`, or `no_entry`.
template <class A, class... Entries>
consteval std::size_t member_entry_with(const annotation_set<Entries...>&,
                                        [[maybe_unused]] std::string_view name) {
  std::size_t found = no_entry;
  std::size_t k = 0;
  ((found = found == no_entry && entry_has<A, Entries> && entry_subject<Entries>() == name ? k : found, ++k),
   ...);
  return found;
}
/// Returns the index of the first entry with an `A` for the type, or `no_entry`.
template <class A, class... Entries>
consteval std::size_t type_entry_with(const annotation_set<Entries...>&) {
  std::size_t found = no_entry;
  std::size_t k = 0;
  ((found = found == no_entry && is_type_entry<Entries> && entry_has<A, Entries> ? k : found, ++k), ...);
  return found;
}
template <class A, class... Entries>
consteval bool mentions(const annotation_set<Entries...>&) {
  return (entry_has<A, Entries> || ...);
}

template <class... Slots>
consteval bool any_annotations(slot_list<Slots...>) {
#if INGOT_REFLECTION
  if ((meta_annotated<typename Slots::origin> || ...)) return true;
#endif
  return ((entry_count<typename Slots::origin> > 0) || ...);
}
/// True if members of `T` may have annotations. Most types have none.
template <class T>
concept annotated = entry_count<T> > 0 || any_annotations(typename member_table<T>::slots{});

template <class A, class... Slots>
consteval bool any_mentions(slot_list<Slots...>) {
#if INGOT_REFLECTION
  if ((meta_annotated<typename Slots::origin> || ...)) return true;
#endif
  return (mentions<A>(annotations<typename Slots::origin>) || ...);
}
/// True if a member of `T` may have the annotation `A`.
template <class T, class A>
concept annotated_with =
    annotated<T> && (mentions<A>(annotations<T>) || any_mentions<A>(typename member_table<T>::slots{}));

/// True if some member of `T`, or `T` itself, may allow numbers to lose precision.
template <class T>
concept has_lossy_member =
    annotated_with<T, quantize_t> || annotated_with<T, unit_vector_t> || annotated_with<T, transform_t>;

/// Returns the annotation of a member. For a member of a base, an annotation in the derived class
/// has precedence.
template <class A, class T, std::size_t I>
consteval auto find_member_annotation() {
  using origin = typename member_table<T>::template slot<I>::origin;
  constexpr std::string_view name = declared_name_table<T>[I];
  constexpr std::size_t own = member_entry_with<A>(annotations<T>, name);
  if constexpr (own != no_entry) {
    return annotation_in_entry<A, T, own>();
  } else {
    constexpr std::size_t inherited = member_entry_with<A>(annotations<origin>, name);
    if constexpr (inherited != no_entry) {
      return annotation_in_entry<A, origin, inherited>();
    } else {
#if INGOT_REFLECTION
      return meta_member_annotation<A, origin, fixed_string<name.size() + 1>(name)>();
#else
      return no_annotation{};
#endif
    }
  }
}
template <class A, class T>
consteval auto find_type_annotation() {
  constexpr std::size_t at = type_entry_with<A>(annotations<T>);
  if constexpr (at != no_entry) {
    return annotation_in_entry<A, T, at>();
  } else {
#if INGOT_REFLECTION
    return meta_type_annotation<A, T>();
#else
    return no_annotation{};
#endif
  }
}

template <class A, class T, std::size_t I>
inline constexpr auto member_annotation = no_annotation{};
template <class A, class T, std::size_t I>
  requires annotated_with<T, A>
inline constexpr auto member_annotation<A, T, I> = find_member_annotation<A, T, I>();
template <class A, class T>
inline constexpr auto type_annotation = find_type_annotation<A, T>();

}}} // namespace ingot::INGOT_V1::detail
