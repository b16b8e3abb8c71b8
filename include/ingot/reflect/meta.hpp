// SPDX-License-Identifier: Apache-2.0
// One of the three front ends of members.hpp: C++26 reflection. It reads private members, bases and
// annotations. A class with private data needs only [[=ingot::reflectable]], and an aggregate needs
// nothing at all.
//
// For compilers without `^^`, this file is empty.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/described.hpp>
#include <ingot/reflect/sentence.hpp>

#if INGOT_REFLECTION

#include <array>
#include <cstddef>
#include <meta>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

template <class E>
struct enumerator_info;

namespace detail {

template <class T, class Origin>
struct member_slot;
template <class... Slots>
struct slot_list;

/// Returns the first annotation of `subject` whose type is `annotation` or is derived from it.
/// Returns the null reflection if there is none.
consteval std::meta::info find_annotation(std::meta::info subject, std::meta::info annotation) {
  for (const std::meta::info candidate : annotations_of(subject)) {
    if (is_base_of_type(annotation, remove_cv(type_of(candidate)))) return candidate;
  }
  return {};
}
template <std::meta::info Found>
consteval auto annotation_value() {
  if constexpr (Found == std::meta::info{}) {
    return no_annotation{};
  } else {
    using type = [:remove_cv(type_of(Found)):];
    return std::meta::extract<type>(Found);
  }
}

/// Returns the class on which the annotations of `type` are written. If ingot generated `type` from
/// another class, returns this other class: an alias `ingot_annotated_as` in the enclosing class
/// names it. Otherwise returns `type` itself.
consteval std::meta::info annotated_class(std::meta::info type) {
  if (!has_parent(type) || !is_type(parent_of(type))) return type;
  for (const std::meta::info each : members_of(parent_of(type), std::meta::access_context::unchecked())) {
    if (is_type_alias(each) && identifier_of(each) == "ingot_annotated_as") return dealias(each);
  }
  return type;
}

template <class A, class T>
consteval auto meta_type_annotation() {
  if constexpr (std::is_class_v<T> || std::is_enum_v<T>) {
    return annotation_value<find_annotation(annotated_class(^^T), ^^A)>();
  } else {
    return no_annotation{};
  }
}

/// A class whose members reflection may list: every aggregate, and every class with the annotation
/// `reflectable`.
template <class T>
concept meta_record = std::is_class_v<T> &&
                      (std::is_aggregate_v<T> || find_annotation(^^T, ^^reflectable_t) != std::meta::info{});

// Access is not checked: a `meta_record` with private members has the annotation `reflectable`.
consteval std::vector<std::meta::info> data_members(std::meta::info type) {
  return nonstatic_data_members_of(type, std::meta::access_context::unchecked());
}
/// Returns the bases that hold data.
consteval std::vector<std::meta::info> data_bases(std::meta::info type) {
  std::vector<std::meta::info> result;
  for (const std::meta::info base : bases_of(type, std::meta::access_context::unchecked())) {
    if (!is_empty_type(type_of(base))) result.push_back(base);
  }
  return result;
}

/// A list of members, bases or enumerators. `std::define_static_array` is not used, because it has
/// a defect in g++ 16. Suppose that two functions have local classes with equal names, and the
/// members have equal names, too. Then `std::define_static_array` returns the parts of the wrong
/// class.
template <std::size_t N>
struct found_parts {
  std::meta::info parts[N == 0 ? 1 : N]{};

  consteval explicit found_parts(const std::vector<std::meta::info>& from) {
    for (std::size_t i = 0; i < N; ++i) parts[i] = from[i];
  }
  static consteval std::size_t size() { return N; }
  consteval std::meta::info operator[](std::size_t i) const { return parts[i]; }
  consteval const std::meta::info* begin() const { return parts; }
  consteval const std::meta::info* end() const { return parts + N; }
};
template <class T>
inline constexpr found_parts<data_members(^^T).size()> own_members(data_members(^^T));
template <class T>
inline constexpr found_parts<data_bases(^^T).size()> own_bases(data_bases(^^T));
template <class T>
using own_member_indices = std::make_index_sequence<own_members<T>.size()>;
template <class T>
using own_base_indices = std::make_index_sequence<own_bases<T>.size()>;
template <class T, std::size_t I>
using own_base = [:type_of(own_bases<T>[I]):];

/// Calls `f` once, with the arguments that `describe_members` would pass: a `base_ref` for every
/// base that holds data, and then all members.
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) meta_visit(T& object, F&& f) {
  using plain = std::remove_const_t<T>;
  return [&]<std::size_t... B, std::size_t... I>(
             std::index_sequence<B...>, std::index_sequence<I...>) INGOT_INLINE_LAMBDA -> decltype(auto) {
    return f(
        base_ref<std::conditional_t<std::is_const_v<T>, const own_base<plain, B>, own_base<plain, B>>>{
            object.[:own_bases<plain>[B]:]}...,
        object.[:own_members<plain>[I]:]...);
  }(own_base_indices<plain>{}, own_member_indices<plain>{});
}

template <class T>
consteval misuse misuse_of() {
  for (const std::meta::info base : bases_of(^^T, std::meta::access_context::unchecked())) {
    if (is_virtual(base)) return misuse::virtual_base;
  }
  for (const std::meta::info member : own_members<T>) {
    if (!has_identifier(member)) return misuse::anonymous_member;
    if (is_bit_field(member)) return misuse::bit_field;
    const std::meta::info type = type_of(member);
    if (is_object_type(type) && !is_unbounded_array_type(type) && alignment_of(type) > alignment_of(^^T))
      return misuse::packed_member;
  }
  return misuse::none;
}

/// The same concept as `open_base`, which is declared later.
template <class B>
concept meta_open_base = described<B> || (meta_record<B> && !is_stored_as_elements<B>);

template <class T>
constexpr auto slots_of();

template <class T>
constexpr auto meta_slots() {
  complain<misuse_of<T>(), T>();
  return []<std::size_t... B, std::size_t... I>(std::index_sequence<B...>, std::index_sequence<I...>) {
    (complain<meta_open_base<own_base<T, B>> ? misuse::none : misuse::opaque_base, T>(), ...);
    return join(slots_of<own_base<T, B>>()...,
                slot_list<member_slot<typename[:type_of(own_members<T>[I]):], T>...>{});
  }(own_base_indices<T>{}, own_member_indices<T>{});
}

/// Returns the names of the members that `T` itself declares.
template <class T>
consteval auto own_names() {
  std::array<std::string_view, own_members<T>.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (has_identifier(own_members<T>[i])) names[i] = identifier_of(own_members<T>[i]);
  }
  return names;
}

/// True if a member of `Origin` has an annotation. Usually this is false. Then the members need not
/// be searched for each kind of annotation.
template <class Origin>
inline constexpr bool meta_annotated = [] {
  if (annotated_class(^^Origin) != ^^Origin) return true; // the original class may have annotations
  for (const std::meta::info member : own_members<Origin>) {
    if (!annotations_of(member).empty()) return true;
  }
  return false;
}();

consteval std::meta::info find_member_annotation_of(std::meta::info origin, std::string_view name,
                                                    std::meta::info annotation) {
  const std::meta::info source = annotated_class(origin);
  for (const std::meta::info member : data_members(source)) {
    if (has_identifier(member) && identifier_of(member) == name) return find_annotation(member, annotation);
  }
  if (source == origin) return {};
  // members of bases become members of the generated class
  for (const std::meta::info base : data_bases(source)) {
    const std::meta::info found = find_member_annotation_of(type_of(base), name, annotation);
    if (found != std::meta::info{}) return found;
  }
  return {};
}

/// Returns the annotation of type `A` on the member `Name` of `Origin`. Finds the member by name
/// and not by index, because `reflect` may list the members in another order than the class
/// declares them.
template <class A, class Origin, fixed_string Name>
consteval auto meta_member_annotation() {
  return annotation_value<find_member_annotation_of(^^Origin, Name.view(), ^^A)>();
}

/// Returns the enumerators; none if the enum is declared but not defined.
template <class E>
consteval std::vector<std::meta::info> declared_enumerators() {
  if (!is_enumerable_type(^^E)) return {};
  return enumerators_of(^^E);
}
template <class E>
consteval bool renames_enumerators() {
  for (const std::meta::info each : declared_enumerators<E>()) {
    if (find_annotation(each, ^^rename_t) != std::meta::info{}) return true;
  }
  return false;
}
template <class E>
inline constexpr found_parts<declared_enumerators<E>().size()> own_enumerators(declared_enumerators<E>());
/// The annotation with the former names of the `I`-th enumerator, or `no_annotation`.
template <class E, std::size_t I>
inline constexpr auto own_former_names =
    annotation_value<find_annotation(own_enumerators<E>[I], ^^renamed_from_t)>();
/// Calls `add` with each former name in the annotations of the enumerators of this value.
template <class E, class F>
constexpr void meta_former_enumerator_names(E value, F&& add) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (requires { own_former_names<E, J>.names; }) {
        if (std::meta::extract<E>(own_enumerators<E>[J]) != value) return;
        for (const rename_t& each : own_former_names<E, J>.names) add(each.view());
      }
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<own_enumerators<E>.size()>{});
}

/// Returns all enumerators in the order of their declaration. If several enumerators have the same
/// value, only the first is in the list.
template <class E>
consteval auto meta_enumerators() {
  constexpr const auto& all = own_enumerators<E>;
  constexpr auto repeats = [](std::size_t i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::meta::extract<E>(all[j]) == std::meta::extract<E>(all[i])) return true;
    }
    return false;
  };
  constexpr std::size_t count = [&] {
    std::size_t n = 0;
    for (std::size_t i = 0; i < all.size(); ++i) n += repeats(i) ? 0 : 1;
    return n;
  }();
  std::array<enumerator_info<E>, count> found{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (repeats(i)) continue;
    std::string_view name = identifier_of(all[i]);
    if (const std::meta::info renamed = find_annotation(all[i], ^^rename_t); renamed != std::meta::info{}) {
      name = std::define_static_string(std::meta::extract<rename_t>(renamed).view());
    }
    found[n++] = {std::meta::extract<E>(all[i]), name};
  }
  return found;
}
template <class E>
inline constexpr auto reflected_enumerators = meta_enumerators<E>();

} // namespace detail
}} // namespace ingot::INGOT_V1

#endif
