// SPDX-License-Identifier: Apache-2.0
// The JSON form of each type, on which reading and writing must agree.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/json/detail/record_table.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/reflect/variant_names.hpp>
#include <ingot/schema/detail/former_lists.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

using ingot::detail::all_distinct;
using ingot::detail::array_size;
using ingot::detail::is_text_array;
using ingot::detail::may_be_null;
using ingot::detail::variant_tag;
using ingot::detail::variant_tags;
using ingot::detail::version_is_member;

/// Returns true for keys that can be keys of a JSON object.
template <class K>
consteval bool is_text_key() {
  if constexpr (kind_of<K> == kind::adapted) return is_text_key<adapted_t<K>>();
  else return kind_of<K> == kind::string || kind_of<K> == kind::integer || kind_of<K> == kind::enumeration;
}
/// True if a map is a JSON object; otherwise it is an array of [key, value] pairs.
template <class M>
inline constexpr bool is_object_map = is_text_key<key_t<M>>() && !is_multi<M>;

template <class T>
consteval scalar scalar_of() {
  if constexpr (ingot::detail::has_hooks<T> || kind_of<T> == kind::adapted) return scalar::other;
  else if constexpr (std::is_same_v<T, bool>) return scalar::boolean;
  else if constexpr (std::is_same_v<T, std::string>) return scalar::string;
  else if constexpr (std::is_same_v<T, float>) return scalar::f32;
  else if constexpr (std::is_same_v<T, double>) return scalar::f64;
  else if constexpr (kind_of<T> == kind::integer) {
    constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<scalar>(static_cast<int>(std::is_signed_v<T> ? scalar::i8 : scalar::u8) + width);
  } else return scalar::other;
}

/// As `scalar_of`, for a member of a record. The result may also be `optional_string`.
template <class M>
consteval scalar member_scalar_of() {
  if (std::is_same_v<M, std::optional<std::string>> && kind_of<M> == kind::optional &&
      !ingot::detail::has_hooks<M> && scalar_of<std::string>() == scalar::string)
    return scalar::optional_string;
  return scalar_of<M>();
}

/// Returns true if a type has any annotation, or if one of its base classes with members has one.
/// Always returns true if the compiler has reflection. If the result is false, the members need not
/// be checked one by one, which saves compile time.
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
inline constexpr auto former_enumerator_texts = [] {
  constexpr std::size_t count = [] {
    std::size_t n = 0;
    for (const auto& names : ingot::detail::former_enumerators<E>) n += names.size();
    return n;
  }();
  std::array<enumerator_text, count> texts{};
  [[maybe_unused]] std::size_t n = 0;
  for (std::size_t i = 0; i < enumerators<E>.size(); ++i) {
    for (const std::string_view name : ingot::detail::former_enumerators<E>[i])
      texts[n++] = {name, enumerator_texts<E>[i].value};
  }
  return texts;
}();
/// Rejects enums in which a former name of one enumerator is the present name of another
/// enumerator. A text with this name would not say which of the two enumerators it means.
template <class E>
consteval bool require_clear_enumerators() {
  constexpr bool is_clear = [] {
    for (const enumerator_text& former : former_enumerator_texts<E>) {
      for (const enumerator_text& present : enumerator_texts<E>) {
        if (present.name == former.name && present.value != former.value) return false;
      }
      for (const enumerator_text& other : former_enumerator_texts<E>) {
        if (other.name == former.name && other.value != former.value) return false;
      }
    }
    return true;
  }();
  static_assert(is_clear, "ingot::json: a name in renamed_from belongs to two enumerators, so an "
                          "older text does not determine the value");
  return true;
}
template <class E>
inline constexpr enum_table enum_table_of{
    enumerator_texts<E>,
    static_cast<std::int64_t>(std::numeric_limits<std::underlying_type_t<E>>::min()),
    static_cast<std::uint64_t>(std::numeric_limits<std::underlying_type_t<E>>::max()),
    enum_is_open<E>,
    enum_is_flags<E>,
    static_cast<std::uint64_t>(enum_bits<E>),
    former_enumerator_texts<E>,
};

/// Stores the members' offsets in order; see `record_location`. Readers and writers share this
/// function, so that it is compiled once for each type.
template <class T>
void measure_members(T& object, std::size_t* offsets) {
  const auto* const begin = reinterpret_cast<const std::byte*>(std::addressof(object));
  visit_members(object, [begin, offsets](auto&... members) {
    [[maybe_unused]] std::size_t* to = offsets;
    ((*to++ = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(std::addressof(members)) - begin)),
     ...);
  });
}

template <class T>
inline constexpr bool names_are_distinct = all_distinct(ingot::detail::public_name_table<T>, member_count<T>);

/// Returns true if a name needs no escapes in JSON.
constexpr bool is_plain_name(std::string_view name) noexcept {
  for (const char c : name) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) return false;
  }
  return true;
}

/// Writes a name to `at`, with JSON's escapes. Returns the end of the written text.
constexpr char* put_name(char* at, std::string_view name) {
  constexpr std::string_view hex = "0123456789abcdef";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      for (const char e : {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]}) *at++ = e;
    } else {
      if (c == '"' || c == '\\') *at++ = '\\';
      *at++ = c;
    }
  }
  return at;
}

/// The names of a type's members as keys, one after the other. A writer copies these keys. A reader
/// compares the keys of a text with them.
template <class T>
struct quoted_names {
  static constexpr std::size_t count = member_count<T>;
  // short keys are copied and compared in pieces of fixed size, which may end after the text
  static constexpr std::size_t slack = 32;

  static constexpr std::size_t size = [] {
    std::size_t n = slack;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view name = ingot::detail::public_name_table<T>[i];
      n += (is_plain_name(name) ? 1 : 6) * name.size() + 4;
    }
    return n;
  }();
  struct characters {
    std::array<char, size> text{};
    std::array<std::uint32_t, count + 1> begins{};
  };
  static constexpr characters all = [] {
    characters out;
    char* at = out.text.data();
    for (std::size_t i = 0; i < count; ++i) {
      *at++ = ',';
      *at++ = '"';
      at = put_name(at, ingot::detail::public_name_table<T>[i]);
      *at++ = '"';
      *at++ = ':';
      out.begins[i + 1] = static_cast<std::uint32_t>(at - out.text.data());
    }
    return out;
  }();
  static constexpr std::string_view of(std::size_t i) noexcept {
    return {all.text.data() + all.begins[i], all.begins[i + 1] - all.begins[i]};
  }
};

/// Stops compilation if `T` can't be stored. The message is the same for all formats. Callers have
/// called `ingot::detail::require_storable` for the whole type before; the message of that call
/// names the member.
template <class T>
consteval void require_storable() {
  if constexpr (unsupported_reason_of<T> != unsupported_reason::none)
    ingot::detail::reject_type<unsupported_reason_of<T>, T, "", T, true>();
}

}}} // namespace ingot::INGOT_V1::json::detail
