// SPDX-License-Identifier: Apache-2.0
// What reading and writing must agree on: which types have which form in JSON.
#pragma once

#include <ingot/json/detail/record_table.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::json {

/// The tags of a variant's alternatives in text. Specialise as an array of names, one an alternative, that text
/// may be read by people and survive a change of their order:
///   template <> inline constexpr std::string_view ingot::json::variant_names<shape>[] = {"circle", "square"};
/// Without it the tag is the alternative's index.
template <class V>
inline constexpr std::nullptr_t variant_names = nullptr;

} // namespace ingot::inline v1::json

namespace ingot::inline v1::json::detail {

using ingot::detail::array_size;

/// `null` could be one of the values of `T`, so that an optional `T` needs a form that tells its own null apart.
template <class T>
consteval bool may_be_null() {
  if constexpr (kind_of<T> == kind::adapted) return may_be_null<adapted_t<T>>();
  else return kind_of<T> == kind::optional || kind_of<T> == kind::box;
}

/// Arrays of characters are text: their size is fixed in memory, and NULs at the end are not written.
template <class T>
inline constexpr bool is_text_array = [] {
  if constexpr (kind_of<T> == kind::array) {
    return std::is_same_v<element_t<T>, char> || std::is_same_v<element_t<T>, char8_t>;
  } else {
    return false;
  }
}();

/// Keys that can be keys of a JSON object.
template <class K>
consteval bool is_text_key() {
  if constexpr (kind_of<K> == kind::adapted) return is_text_key<adapted_t<K>>();
  else return kind_of<K> == kind::string || kind_of<K> == kind::integer || kind_of<K> == kind::enumeration;
}
/// Whether a map is a JSON object; otherwise it is an array of [key, value] pairs.
template <class M>
inline constexpr bool is_object_map = is_text_key<key_t<M>>() && !is_multi<M>;

template <class T>
consteval scalar scalar_of() {
  if constexpr (ingot::detail::has_hooks<T>) return scalar::other;
  else if constexpr (std::is_same_v<T, bool>) return scalar::boolean;
  else if constexpr (std::is_same_v<T, std::string>) return scalar::string;
  else if constexpr (std::is_same_v<T, float>) return scalar::f32;
  else if constexpr (std::is_same_v<T, double>) return scalar::f64;
  else if constexpr (kind_of<T> == kind::integer) {
    constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<scalar>(static_cast<int>(std::is_signed_v<T> ? scalar::i8 : scalar::u8) + width);
  } else return scalar::other;
}

/// Whether any annotation stands at a type, or at a base that its members come from. Asking member by member costs
/// compile time, and most types have none.
template <class T, class... Slots>
consteval bool any_annotation(ingot::detail::slot_list<Slots...>) {
  return INGOT_REFLECTION != 0 || ingot::detail::entry_count<T> != 0 ||
         ((!std::is_same_v<typename Slots::origin, T> &&
           ingot::detail::entry_count<typename Slots::origin> != 0) ||
          ...);
}
template <class T>
inline constexpr bool is_annotated = any_annotation<T>(typename ingot::detail::member_table<T>::slots{});

template <class A, class T, std::size_t I>
consteval bool member_has_annotation() {
  if constexpr (is_annotated<T>) return member_has<T, I, A>;
  else return false;
}

template <class T>
consteval std::uint32_t version_of() {
  if constexpr (type_has<T, version_t>) return type_get<T, version_t>.number;
  else return 0;
}
/// A first integral member `version` carries the version of its type.
template <class T>
consteval bool version_is_member() {
  if constexpr (version_of<T>() == 0 || member_count<T> == 0) {
    return false;
  } else {
    using first = member_type<T, 0>;
    return scalar_of<first>() >= scalar::i8 && scalar_of<first>() <= scalar::u64 &&
           ingot::detail::declared_name_table<T>[0] == "version";
  }
}

template <class E>
inline constexpr auto enumerator_texts = [] {
  std::array<enumerator_text, enumerators<E>.size()> texts{};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] = {enumerators<E>[i].name,
                static_cast<std::int64_t>(std::to_underlying(enumerators<E>[i].value))};
  }
  return texts;
}();
template <class E>
inline constexpr enum_table enum_table_of{
    enumerator_texts<E>,
    static_cast<std::int64_t>(std::numeric_limits<std::underlying_type_t<E>>::min()),
    static_cast<std::uint64_t>(std::numeric_limits<std::underlying_type_t<E>>::max()),
    enum_is_open<E>,
};

template <class V>
consteval auto variant_tags() {
  constexpr std::size_t n = std::variant_size_v<V>;
  if constexpr (std::is_same_v<std::remove_const_t<decltype(variant_names<V>)>, std::nullptr_t>) {
    static_assert(n <= 100,
                  "ingot::json: name the alternatives of a variant of more than 100 (variant_names)");
    std::array<std::array<char, 2>, n> digits{};
    for (std::size_t i = 0; i < n; ++i) {
      digits[i] = {static_cast<char>('0' + (i < 10 ? i : i / 10)), static_cast<char>('0' + i % 10)};
    }
    return digits;
  } else {
    static_assert(std::size(variant_names<V>) == n,
                  "ingot::json::variant_names needs one name an alternative");
    std::array<std::string_view, n> names{};
    for (std::size_t i = 0; i < n; ++i) names[i] = variant_names<V>[i];
    return names;
  }
}
template <class V>
inline constexpr auto variant_tag_texts = variant_tags<V>();

/// Two members or alternatives of one name would be one key.
template <class Names>
consteval bool all_distinct(const Names& names, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) { // lengths first: this runs at compile time, for every type
      if (names[i].size() == names[j].size() && names[i] == names[j]) return false;
    }
  }
  return true;
}

/// The tag of the `i`-th alternative.
template <class V>
[[nodiscard]] constexpr std::string_view variant_tag(std::size_t i) noexcept {
  const auto& text = variant_tag_texts<V>[i];
  if constexpr (std::is_same_v<decltype(text), const std::string_view&>) return text;
  else return {text.data(), i < 10 ? std::size_t{1} : std::size_t{2}};
}

/// Addresses of an object's members, in order. One function serves readers and writers: each costs compile time.
template <class T>
void locate_members(T& object, void** out) {
  visit_members(object, [out](auto&... members) {
    [[maybe_unused]] void** at = out;
    ((*at++ = const_cast<void*>(static_cast<const void*>(std::addressof(members)))), ...);
  });
}

template <class T>
consteval bool names_are_distinct() {
  return all_distinct(ingot::detail::public_name_table<T>, member_count<T>);
}

/// Whether a name is spelled in JSON as it is.
constexpr bool is_plain_name(std::string_view name) noexcept {
  for (const char c : name) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) return false;
  }
  return true;
}

/// Ends compilation with a sentence when `T` can't be stored.
template <class T>
consteval void require_storable() {
  constexpr refusal why = refusal_of<T>;
  static_assert(why != refusal::raw_pointer,
                "ingot::json: a raw pointer can't be stored: use std::unique_ptr or std::optional");
  static_assert(why != refusal::reference, "ingot::json: a reference can't be stored: store the value");
  static_assert(why != refusal::function, "ingot::json: a function can't be stored");
  static_assert(why != refusal::long_double,
                "ingot::json: long double differs from machine to machine: use double");
  static_assert(why != refusal::union_type,
                "ingot::json: a union does not know what it holds: use std::variant");
  static_assert(why != refusal::volatile_type,
                "ingot::json: a volatile object can't be stored: store a copy");
  static_assert(why != refusal::const_member, "ingot::json: a const member can't be read into");
  static_assert(why != refusal::shared_pointer, "ingot::json: a shared pointer would be stored once for each "
                                                "owner: use std::unique_ptr, or store a key");
  static_assert(why != refusal::wide_character,
                "ingot::json: wchar_t differs from machine to machine: use char16_t or char32_t");
  static_assert(why != refusal::unknown_class, "ingot::json: this class has no members that ingot can name: "
                                               "give it a reflect function, INGOT_REFLECT or ingot::adapt");
}

} // namespace ingot::inline v1::json::detail
