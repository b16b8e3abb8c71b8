// SPDX-License-Identifier: Apache-2.0
// Finds annotations that would be ignored: a second annotation of one kind, an annotation for
// members on a type, and an annotation for types on a member. annotation_types.hpp checks whether
// an annotation fits a member's type.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/member_annotations.hpp>
#include <ingot/reflect/detail/member_table.hpp>
#include <ingot/reflect/sentence.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class... As>
struct annotation_list {};
/// The kinds of annotations for members only, for types only, and for both. A kind is usually the
/// class of an annotation. `renamed_from_t` and `default_value_t` are base classes of such classes.
using member_annotations =
    annotation_list<rename_t, skip_t, since_t, field_number_t, default_value_t, range_t, max_size_t, utf8_t,
                    fixed_t, proto_sint_t, proto_fixed_t, proto_key_t, proto_well_known_t, proto_struct_t,
                    proto_list_t, as_timestamp_t>;
using type_annotations =
    annotation_list<version_t, evolvable_t, open_enum_t, flags_t, elide_defaults_t, partial_t, reflectable_t>;
using other_annotations = annotation_list<varint_t, short_float_t, tight_float_t, quantize_t, unit_vector_t,
                                          transform_t, tight_t, renamed_from_t>;

template <class A, class Item>
inline constexpr bool is_annotation_kind =
    std::is_same_v<A, Item> ||
    ((std::is_same_v<A, renamed_from_t> || std::is_same_v<A, default_value_t>) && annotation_is<A, Item>);

/// Returns 2^i if the kind of the annotation `Item` is the `i`-th of `As`. Returns 0 if the kind is
/// not in the list: `Item` may be an annotation of another library.
template <class Item, class... As>
consteval std::uint64_t bit_in(annotation_list<As...>) {
  std::uint64_t bit = 1;
  std::uint64_t found = 0;
  ((found |= is_annotation_kind<As, Item> ? bit : 0, bit <<= 1), ...);
  return found;
}
inline constexpr std::uint64_t member_kinds = 0xFF'FFFF;
inline constexpr std::uint64_t type_kinds = 0xFFFF'FF00'0000;
template <class Item>
consteval std::uint64_t annotation_bit() {
  return bit_in<Item>(member_annotations{}) | bit_in<Item>(type_annotations{}) << 24 |
         bit_in<Item>(other_annotations{}) << 48;
}
template <class Item>
inline constexpr std::uint64_t annotation_bit_of = annotation_bit<Item>();

/// Collects the annotations of one member or type, and detects a mistake in them.
struct annotations_seen {
  std::uint64_t kinds = 0;
  misuse wrong = misuse::none;

  constexpr void add(std::uint64_t bit, bool is_type) noexcept {
    if ((kinds & bit) != 0) wrong = misuse::repeated_annotation;
    else if ((bit & (is_type ? member_kinds : type_kinds)) != 0) wrong = misuse::misplaced_annotation;
    kinds |= bit;
  }
};

/// Adds the annotations of an entry, if the entry is for the member `name`, or for the type if
/// `name` is empty.
template <class... Items>
constexpr void add_entry(annotations_seen& seen, std::type_identity<type_entry<Items...>>,
                         std::string_view name) {
  if (name.empty()) (seen.add(annotation_bit_of<std::remove_const_t<Items>>, true), ...);
}
template <fixed_string Member, class... Items>
constexpr void add_entry(annotations_seen& seen, std::type_identity<member_entry<Member, Items...>>,
                         std::string_view name) {
  if (Member.view() == name) (seen.add(annotation_bit_of<std::remove_const_t<Items>>, false), ...);
}
template <auto Value, class... Items>
constexpr void add_entry(annotations_seen&, std::type_identity<enumerator_entry<Value, Items...>>,
                         std::string_view) {}

/// Returns the mistake in the annotations of the member `name`, or of the type if `name` is empty.
template <class... Entries>
constexpr misuse flaw_of(const annotation_set<Entries...>&, std::string_view name) {
  annotations_seen seen;
  (add_entry(seen, std::type_identity<Entries>{}, name), ...);
  return seen.wrong;
}
template <class T, std::size_t K>
consteval void check_entry_annotations() {
  using entry = entry_type<T, K>;
  constexpr std::string_view name = entry_subject<entry>();
  if constexpr (is_type_entry<entry> || !name.empty())
    complain<flaw_of(annotations<T>, name), T, fixed_string<name.size() + 1>(name)>();
}

#if INGOT_REFLECTION
consteval void add_reflected(annotations_seen& seen, std::meta::info subject, bool is_type) {
  for (const std::meta::info each : annotations_of(subject)) {
    const std::meta::info bit = substitute(^^annotation_bit_of, {
                                                                    remove_cv(type_of(each))});
    seen.add(std::meta::extract<std::uint64_t>(bit), is_type);
  }
}
/// The first mistake in the annotations of a class, its bases and its members. `member` is the
/// index of the member with the mistake. If the class or a base has the mistake, `member` is the
/// number of members of the class.
struct reflected_flaw {
  misuse wrong = misuse::none;
  std::size_t member = 0;
};
template <class T>
consteval reflected_flaw find_reflected_flaw() {
  annotations_seen of_type;
  add_reflected(of_type, ^^T, true);
  if (of_type.wrong != misuse::none) return {of_type.wrong, own_members<T>.size()};
  for (const std::meta::info base : bases_of(^^T, std::meta::access_context::unchecked())) {
    annotations_seen of_base;
    add_reflected(of_base, base, false);
    if (of_base.kinds != 0) return {misuse::annotated_base, own_members<T>.size()};
  }
  for (std::size_t i = 0; i < own_members<T>.size(); ++i) {
    annotations_seen of_member;
    add_reflected(of_member, own_members<T>[i], false);
    if (of_member.wrong != misuse::none) return {of_member.wrong, i};
  }
  return {};
}
template <class T>
consteval void check_reflected_annotations() {
  constexpr reflected_flaw flaw = find_reflected_flaw<T>();
  if constexpr (flaw.wrong != misuse::none) {
    if constexpr (flaw.member < own_members<T>.size()) {
      constexpr std::string_view name = own_names<T>()[flaw.member];
      complain<flaw.wrong, T, fixed_string<name.size() + 1>(name)>();
    } else {
      complain<flaw.wrong, T>();
    }
  }
}
#endif

/// Checks the annotations on the members of `T` and on `T` itself. Called once for each type.
template <class T>
consteval void check_annotations() {
  [[maybe_unused]] constexpr auto entries = []<std::size_t... K>(std::index_sequence<K...>) {
    (check_entry_annotations<T, K>(), ...);
  };
  entries(std::make_index_sequence<entry_count<T>>{});
#if INGOT_REFLECTION
  if constexpr (std::is_class_v<T>) check_reflected_annotations<T>();
#endif
}

}}} // namespace ingot::INGOT_V1::detail
