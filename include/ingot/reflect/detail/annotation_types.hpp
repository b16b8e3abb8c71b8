// SPDX-License-Identifier: Apache-2.0
// Rejects annotations without an effect: the type of the member has no part to which the annotation
// applies.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/sentence.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if `in_range` accepts a `V`. Like `in_range`, this function tests the C++ type, and
/// not the stored form of an adapted class.
template <class V>
consteval bool takes_range() {
  if constexpr (std::is_array_v<V>) return takes_range<std::remove_cv_t<std::remove_extent_t<V>>>();
  else if constexpr (std::is_arithmetic_v<V> || std::is_enum_v<V> || duration_like<V> || time_point_like<V>)
    return true;
  else if constexpr (requires(const V& v) {
                       v.has_value();
                       *v;
                     })
    return takes_range<std::remove_cvref_t<decltype(*std::declval<const V&>())>>();
  else if constexpr (requires(const V& v) {
                       v.begin();
                       v.end();
                     })
    return takes_range<std::remove_cvref_t<decltype(*std::declval<const V&>().begin())>>();
  else return false;
}
template <class V>
consteval bool takes_utf8() {
  if constexpr (requires(const V& v) {
                  v.data();
                  v.size();
                })
    return sizeof(*std::declval<const V&>().data()) == 1;
  else return false;
}

/// Kinds of numbers. `has_numbers` returns true if a type is a number of the kind `Wanted`, or has
/// such a number in its containers and alternatives. Numbers in records do not count.
enum class numbers : unsigned char { whole = 1, real = 2, any = 3 };
template <numbers Wanted, class T, class... Path>
consteval bool has_numbers();
template <numbers Wanted, class... Path, class... Ts>
consteval bool any_has_numbers(type_pack<Ts...>) {
  return (has_numbers<Wanted, std::remove_const_t<Ts>, Path...>() || ...);
}
template <numbers Wanted, class T, class... Path>
consteval bool has_numbers() {
  constexpr kind what = kind_of<T>;
  constexpr bool wants_whole = (static_cast<unsigned>(Wanted) & 1) != 0;
  constexpr bool wants_real = (static_cast<unsigned>(Wanted) & 2) != 0;
  if constexpr ((std::is_same_v<T, Path> || ...)) return false;
  else if constexpr (what == kind::floating) return wants_real;
  else if constexpr (what == kind::integer || what == kind::enumeration || what == kind::bitset)
    return wants_whole;
  else if constexpr (what == kind::character) return wants_whole && sizeof(T) > 1;
  else if constexpr (what == kind::string || what == kind::path) return false;
  else if constexpr (what == kind::adapted) return has_numbers<Wanted, adapted_t<T>, Path..., T>();
  else return any_has_numbers<Wanted, Path...>(parts_of<T>());
}

template <class T, std::size_t I>
consteval misuse idle_annotation() {
  using member = std::remove_const_t<member_type<T, I>>;
  if constexpr (member_has<T, I, range_t>) {
    if (!takes_range<member>()) return misuse::range_nothing;
  }
  if constexpr (member_has<T, I, max_size_t>) {
    if (!requires(const member& v) { std::size(v); }) return misuse::max_size_nothing;
  }
  if constexpr (member_has<T, I, utf8_t>) {
    if (!takes_utf8<member>()) return misuse::utf8_nothing;
  }
  // `tight` is allowed on any member: it affects only the parts to which it can apply
  if constexpr (member_has<T, I, tight_t>) return misuse::none;
  else {
    if constexpr (member_has<T, I, fixed_t>) {
      if (!has_numbers<numbers::any, member>()) return misuse::varint_nothing;
    }
    if constexpr (member_has<T, I, varint_t>) {
      constexpr bool is_rounded = member_has<T, I, quantize_t>; // floats become a number of steps
      if (!has_numbers<is_rounded ? numbers::any : numbers::whole, member>()) return misuse::varint_nothing;
    }
    if constexpr (member_has<T, I, short_float_t> || member_has<T, I, tight_float_t>) {
      if (!has_numbers<numbers::real, member>()) return misuse::float_nothing;
    }
    return misuse::none;
  }
}
template <class T, std::size_t I>
consteval void check_idle_annotation() {
  if constexpr (!member_has<T, I, skip_t>) {
    constexpr std::string_view name = declared_name_table<T>[I];
    complain<idle_annotation<T, I>(), T, fixed_string<name.size() + 1>(name)>();
  }
}
template <class T>
consteval void check_idle_annotations() {
  if constexpr (annotated<T>) {
    [[maybe_unused]] constexpr auto members = []<std::size_t... I>(std::index_sequence<I...>) {
      (check_idle_annotation<T, I>(), ...);
    };
    members(std::make_index_sequence<member_count<T>>{});
  }
}

}}} // namespace ingot::INGOT_V1::detail
