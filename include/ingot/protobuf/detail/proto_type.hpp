// SPDX-License-Identifier: Apache-2.0
// The protobuf form of C++ types: fields, wire types and numbers. proto_shape.hpp has the protobuf
// form of schemas.
#pragma once

#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/reflect/detail/proto_form.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/schema/detail/field_numbers.hpp>
#include <ingot/schema/detail/proto_shape.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

using ingot::proto_form;
using ingot::proto_known;
using ingot::proto_number;
using ingot::detail::field_number_table;
using ingot::detail::known_message;

template <class T>
struct stored_of {
  using type = std::remove_const_t<T>;
};
template <class T>
  requires(kind_of<T> == kind::adapted)
struct stored_of<T> : stored_of<adapted_t<std::remove_const_t<T>>> {};
/// The type that is written for a `T`: for an adapted `T` its stored type (never an adapted type),
/// otherwise `T`.
template <class T>
using stored_t = typename stored_of<T>::type;
template <class T>
inline constexpr kind stored_kind = kind_of<stored_t<T>>;

template <class T>
inline constexpr bool is_list_kind = stored_kind<T> == kind::sequence || stored_kind<T> == kind::array ||
                                     stored_kind<T> == kind::set || stored_kind<T> == kind::unordered_set;
template <class T>
inline constexpr bool is_map_kind = stored_kind<T> == kind::map || stored_kind<T> == kind::unordered_map;

template <class T>
inline constexpr bool is_one_byte =
    stored_kind<T> == kind::byte || (stored_kind<T> == kind::character && sizeof(stored_t<T>) == 1);
/// True if the type is written as `bytes`: a list of bytes, or of characters of one byte.
template <class T>
inline constexpr bool is_bytes = [] {
  if constexpr (stored_kind<T> == kind::sequence || stored_kind<T> == kind::array)
    return is_one_byte<element_t<stored_t<T>>>;
  else return false;
}();
/// True if the type is written as a field with a label (`repeated` or `optional`), or as a map.
template <class T>
inline constexpr bool has_label =
    (is_list_kind<T> && !is_bytes<T>) || is_map_kind<T> || stored_kind<T> == kind::complex ||
    stored_kind<T> == kind::optional || stored_kind<T> == kind::box;
/// True if the type is always written as a message.
template <class T>
inline constexpr bool is_message = stored_kind<T> == kind::record || stored_kind<T> == kind::variant ||
                                   stored_kind<T> == kind::expected || stored_kind<T> == kind::tuple;

/// Returns true if protobuf's enumerations cannot hold the numbers of `E`.
template <class E>
consteval bool is_wide_enum() {
  for (const auto& each : enumerators<E>) {
    const auto value = std::to_underlying(each.value);
    if (std::cmp_less(static_cast<std::int64_t>(value), std::numeric_limits<std::int32_t>::min()) ||
        static_cast<std::int64_t>(value) > 0x7FFFFFFF || (value > 0 && static_cast<std::int64_t>(value) < 0))
      return true;
  }
  return enumerators<E>.empty();
}

/// The type of the count of a duration or time; `T` for other types.
template <class T>
struct counted_as {
  using type = T;
};
template <class T>
  requires(kind_of<T> == kind::duration)
struct counted_as<T> {
  using type = typename T::rep;
};
template <class T>
  requires(kind_of<T> == kind::time_point)
struct counted_as<T> {
  using type = typename T::duration::rep;
};
template <class T>
using counted_t = typename counted_as<stored_t<T>>::type;

/// Returns true if a type is written as an integer, so that `proto_sint` and `proto_fixed` apply.
template <class T>
consteval bool is_number() {
  if constexpr (kind_of<counted_t<T>> == kind::enumeration) return is_wide_enum<counted_t<T>>();
  else return kind_of<counted_t<T>> == kind::integer;
}
template <class T>
consteval bool is_signed_number() {
  if constexpr (kind_of<counted_t<T>> == kind::enumeration)
    return std::is_signed_v<std::underlying_type_t<counted_t<T>>>;
  else return std::is_signed_v<counted_t<T>>;
}

/// Returns the google.protobuf message as which a value is written; `known_message::none` if there
/// is none.
template <class T, proto_form As>
consteval known_message known_of() {
  if constexpr (As.known == proto_known::none) {
    return known_message::none;
  } else if constexpr (ingot::detail::document_like<std::remove_const_t<T>>) {
    return ingot::detail::known_document(As);
  } else if constexpr (As.known != proto_known::well_known) {
    return known_message::none;
  } else if constexpr (stored_kind<T> == kind::time_point) {
    static_assert(
        std::is_same_v<typename stored_t<T>::clock, std::chrono::system_clock>,
        "ingot::protobuf: google.protobuf.Timestamp counts from 1970: a time point of another clock "
        "than std::chrono::system_clock can't be proto_well_known");
    static_assert(
        kind_of<counted_t<T>> == kind::integer &&
            ingot::detail::has_known_period(stored_t<T>::period::num, stored_t<T>::period::den),
        "ingot::protobuf: google.protobuf.Timestamp needs a count of whole numbers and a period of at "
        "least 1e-9 s, or a decimal part of it");
    return known_message::timestamp;
  } else if constexpr (stored_kind<T> == kind::duration) {
    static_assert(
        kind_of<counted_t<T>> == kind::integer &&
            ingot::detail::has_known_period(stored_t<T>::period::num, stored_t<T>::period::den),
        "ingot::protobuf: google.protobuf.Duration needs a count of whole numbers and a period of at "
        "least 1e-9 s, or a decimal part of it");
    return known_message::duration;
  } else {
    return known_message::none;
  }
}

/// True for scalars. Lists of scalars are packed.
template <class T, proto_form As = {}>
inline constexpr bool is_scalar = [] {
  switch (stored_kind<T>) {
  case kind::boolean:
  case kind::integer:
  case kind::floating:
  case kind::character:
  case kind::byte:
  case kind::enumeration: return true;
  case kind::duration:
  case kind::time_point: return known_of<T, As>() == known_message::none;
  default: return false;
  }
}();
template <class T, proto_form As = {}>
consteval wire wire_of() {
  if constexpr (!is_scalar<T, As>) {
    return wire::bytes;
  } else if constexpr (kind_of<counted_t<T>> == kind::floating) {
    return sizeof(counted_t<T>) == 4 ? wire::fixed32 : wire::fixed64;
  } else if constexpr (As.number == proto_number::fixed_width && is_number<T>()) {
    if constexpr (kind_of<counted_t<T>> == kind::enumeration) return wire::fixed64;
    else return sizeof(counted_t<T>) == 8 ? wire::fixed64 : wire::fixed32;
  } else {
    return wire::varint;
  }
}
/// Returns true if an optional holds its `T` in a separate message. This is the case if `T` has a
/// label (`has_label`), or if `T` is written as a wrapper of google.protobuf.
template <class T, proto_form As>
consteval bool is_held_wrapped() {
  if constexpr (has_label<T>) return true;
  else if constexpr (As.known != proto_known::well_known) return false;
  else if constexpr (ingot::detail::document_like<std::remove_const_t<T>>) return false;
  else if constexpr (stored_kind<T> == kind::string) return true;
  else if constexpr (is_bytes<T>) return true;
  else
    return stored_kind<T> == kind::boolean || stored_kind<T> == kind::integer ||
           stored_kind<T> == kind::floating;
}
/// Returns the wire types that a field may have. Other wire types are rejected.
template <class T, proto_form As = {}>
consteval unsigned wires() {
  if constexpr (stored_kind<T> == kind::optional) {
    using inner = typename stored_t<T>::value_type;
    if constexpr (is_held_wrapped<inner, As>()) return mask_of(wire::bytes);
    else return wires<inner, As>();
  } else if constexpr (stored_kind<T> == kind::box) {
    using inner = std::remove_const_t<typename stored_t<T>::element_type>;
    if constexpr (is_held_wrapped<inner, As>()) return mask_of(wire::bytes);
    else return wires<inner, As>();
  } else if constexpr (stored_kind<T> == kind::complex) {
    return mask_of(wire::bytes) | mask_of(wire_of<typename stored_t<T>::value_type>());
  } else if constexpr (is_list_kind<T> && !is_bytes<T>) {
    return mask_of(wire::bytes) | mask_of(wire_of<element_t<stored_t<T>>, As>()); // packed or not
  } else {
    return mask_of(wire_of<T, As>());
  }
}

/// The kinds of types to which annotations apply. An annotation requires one of these kinds. The
/// type of the annotated member must be of this kind, or must have a part of this kind.
enum class holding : std::uint8_t { signed_number, number, numeric_key, well_known, document };

template <class T, holding What>
consteval bool holds();
template <holding What, class... Ts>
consteval bool any_holds() {
  return (holds<std::remove_const_t<Ts>, What>() || ...);
}
/// Returns true for `google.protobuf.Any`, or a struct with the same members.
template <class T>
consteval bool is_any_record() {
  if constexpr (kind_of<T> != kind::record) {
    return false;
  } else if constexpr (member_count<T> != 2) {
    return false;
  } else if constexpr (stored_kind<member_type<T, 0>> != kind::string || !is_bytes<member_type<T, 1>>) {
    return false;
  } else {
    constexpr auto numbers = ingot::detail::field_numbers<T>();
    return numbers[0] == 1 && numbers[1] == 2;
  }
}
/// Returns true if `T`, or a part of `T`, meets the requirement `What` of an annotation.
template <class T, holding What>
consteval bool holds() {
  using stored = stored_t<T>;
  constexpr kind what = kind_of<stored>;
  if constexpr (ingot::detail::document_like<std::remove_const_t<T>>) {
    return What == holding::well_known || What == holding::document;
  } else if constexpr (what == kind::duration || what == kind::time_point) {
    if constexpr (What == holding::well_known) return true;
    else return holds<counted_t<T>, What>();
  } else if constexpr (what == kind::integer || what == kind::enumeration) {
    if constexpr (What == holding::number) return is_number<stored>();
    else if constexpr (What == holding::signed_number)
      return is_number<stored>() && is_signed_number<stored>();
    else return false;
  } else if constexpr (what == kind::record) {
    return What == holding::well_known && is_any_record<stored>();
  } else if constexpr (what == kind::optional) {
    using inner = typename stored::value_type;
    if constexpr (What == holding::well_known)
      return is_held_wrapped<inner, proto_form{{}, {}, proto_known::well_known}>() || holds<inner, What>();
    else return holds<inner, What>();
  } else if constexpr (what == kind::box) {
    using inner = std::remove_const_t<typename stored::element_type>;
    if constexpr (What == holding::well_known)
      return is_held_wrapped<inner, proto_form{{}, {}, proto_known::well_known}>() || holds<inner, What>();
    else return holds<inner, What>();
  } else if constexpr (is_map_kind<T>) {
    if constexpr (What == holding::numeric_key)
      return holds<key_t<stored>, holding::number>() || holds<mapped_t<stored>, What>();
    else return holds<mapped_t<stored>, What>();
  } else if constexpr (is_list_kind<T>) {
    if constexpr (is_bytes<T>) return false;
    else if constexpr (what == kind::set || what == kind::unordered_set) return holds<key_t<stored>, What>();
    else return holds<element_t<stored>, What>();
  } else if constexpr (what == kind::variant) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return any_holds<What, std::variant_alternative_t<I, stored>...>();
    }(std::make_index_sequence<std::variant_size_v<stored>>{});
  } else if constexpr (what == kind::tuple) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return any_holds<What, std::tuple_element_t<I, stored>...>();
    }(std::make_index_sequence<std::tuple_size_v<stored>>{});
  } else if constexpr (what == kind::expected) {
    if constexpr (std::is_void_v<typename stored::value_type>)
      return holds<typename stored::error_type, What>();
    else return any_holds<What, typename stored::value_type, typename stored::error_type>();
  } else {
    return false;
  }
}

/// The annotations of a member. Stops compilation if an annotation applies neither to the member's
/// type nor to a part of this type.
template <class T, std::size_t I>
inline constexpr proto_form member_form = [] {
  using member = std::remove_const_t<member_type<T, I>>;
  constexpr proto_form form = ingot::detail::proto_form_of<T, I>();
  if constexpr (form.number == proto_number::sint)
    static_assert(holds<member, holding::signed_number>(),
                  "ingot::protobuf: proto_sint is for signed integers, and this member has none");
  if constexpr (form.number == proto_number::fixed_width)
    static_assert(holds<member, holding::number>(),
                  "ingot::protobuf: proto_fixed is for integers, and this member has none");
  if constexpr (form.key != proto_number::base128)
    static_assert(holds<member, holding::numeric_key>(),
                  "ingot::protobuf: proto_key is for maps whose keys are integers, and this member has none");
  if constexpr (form.known == proto_known::well_known)
    static_assert(
        holds<member, holding::well_known>(),
        "ingot::protobuf: proto_well_known is for times, durations, documents, optional scalars and "
        "protobuf::any, and this member has none");
  if constexpr (form.known == proto_known::structure || form.known == proto_known::list)
    static_assert(holds<member, holding::document>(),
                  "ingot::protobuf: proto_struct and proto_list are for documents, and this member has none");
  return form;
}();

/// True if the first member must hold the version of the type.
template <class T>
inline constexpr bool has_version_member = ingot::detail::version_is_member<T>();

/// Returns true if the type has no version member, or if `member`, the record's first member, is
/// equal to the version of the type.
template <class T, class M>
[[nodiscard]] constexpr bool is_own_version(const M& member) noexcept {
  if constexpr (has_version_member<T>) return std::cmp_equal(member, type_get<T, version_t>.number);
  else return true;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
