// SPDX-License-Identifier: Apache-2.0
// How protobuf has a C++ type: which fields, of which wire types, under which numbers. What proto_shape.hpp says of schemas, said of types.
#pragma once

#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/schema/detail/proto_shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::protobuf::detail {

template <class T>
struct stored_of {
  using type = std::remove_const_t<T>;
};
template <class T>
  requires(kind_of<T> == kind::adapted)
struct stored_of<T> : stored_of<adapted_t<std::remove_const_t<T>>> {};
/// What is written of a type in the end.
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
/// What is `bytes`: a list of bytes, or of characters of one byte.
template <class T>
inline constexpr bool is_bytes = [] {
  if constexpr (stored_kind<T> == kind::sequence || stored_kind<T> == kind::array)
    return is_one_byte<element_t<stored_t<T>>>;
  else return false;
}();
/// What is a field that has a label, or a map.
template <class T>
inline constexpr bool has_label =
    (is_list_kind<T> && !is_bytes<T>) || is_map_kind<T> || stored_kind<T> == kind::complex ||
    stored_kind<T> == kind::optional || stored_kind<T> == kind::box;
/// What is a message of its own wherever it stands.
template <class T>
inline constexpr bool is_message = stored_kind<T> == kind::record || stored_kind<T> == kind::variant ||
                                   stored_kind<T> == kind::expected || stored_kind<T> == kind::tuple;

/// Enumerations whose numbers protobuf's don't hold.
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

/// A duration or time as its count, all else as it is.
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

/// Scalars: what lists pack.
template <class T>
inline constexpr bool is_scalar = [] {
  switch (stored_kind<T>) {
  case kind::boolean:
  case kind::integer:
  case kind::floating:
  case kind::character:
  case kind::byte:
  case kind::enumeration:
  case kind::duration:
  case kind::time_point: return true;
  default: return false;
  }
}();
template <class T>
consteval wire wire_of() {
  if constexpr (!is_scalar<T>) return wire::bytes;
  else if constexpr (kind_of<counted_t<T>> == kind::floating)
    return sizeof(counted_t<T>) == 4 ? wire::fixed32 : wire::fixed64;
  else return wire::varint;
}
/// The wire types that a field may have; fields of others are unknown, as they are to protobuf's own readers.
template <class T>
consteval unsigned wires() {
  if constexpr (stored_kind<T> == kind::optional) {
    using inner = typename stored_t<T>::value_type;
    if constexpr (has_label<inner>) return mask_of(wire::bytes);
    else return wires<inner>();
  } else if constexpr (stored_kind<T> == kind::box) {
    using inner = std::remove_const_t<typename stored_t<T>::element_type>;
    if constexpr (has_label<inner>) return mask_of(wire::bytes);
    else return wires<inner>();
  } else if constexpr (stored_kind<T> == kind::complex) {
    return mask_of(wire::bytes) | mask_of(wire_of<typename stored_t<T>::value_type>());
  } else if constexpr (is_list_kind<T> && !is_bytes<T>) {
    return mask_of(wire::bytes) | mask_of(wire_of<element_t<stored_t<T>>>()); // packed, or one by one
  } else {
    return mask_of(wire_of<T>());
  }
}

/// Of the members that are written, by their indices; 0 for those that are skipped.
template <class T>
consteval auto field_numbers() {
  std::array<std::uint32_t, member_count<T> + 1> numbers{}; // one more, as there may be no member
  std::size_t place = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto number_one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (!member_has<T, K, skip_t>) {
        numbers[K] = ingot::detail::number_of_field(place++);
        if constexpr (member_has<T, K, field_number_t>) numbers[K] = member_get<T, K, field_number_t>.number;
      }
    };
    (number_one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return numbers;
}
template <class T>
consteval bool has_distinct_numbers() {
  constexpr auto numbers = field_numbers<T>();
  for (std::size_t i = 0; i < member_count<T>; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (numbers[i] != 0 && numbers[i] == numbers[j]) return false;
    }
  }
  return true;
}
template <class T>
inline constexpr auto field_number_table = [] {
  static_assert(
      has_distinct_numbers<T>(),
      "ingot::protobuf: two members have one field number: a field_number is another member's place");
  return field_numbers<T>();
}();

/// Whether the first member is the version that the type names, and must be that.
template <class T>
inline constexpr bool has_version_member = [] {
  if constexpr (member_count<T> == 0 || !type_has<T, version_t>) return false;
  else
    return kind_of<member_type<T, 0>> == kind::integer &&
           ingot::detail::declared_name_table<T>[0] == "version";
}();

/// Whether it is.
template <class T, class M>
[[nodiscard]] constexpr bool is_own_version(const M& member) noexcept {
  if constexpr (has_version_member<T>) return std::cmp_equal(member, type_get<T, version_t>.number);
  else return true;
}

} // namespace ingot::inline v1::protobuf::detail
