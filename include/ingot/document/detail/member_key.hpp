// SPDX-License-Identifier: Apache-2.0
// Converts keys of maps to keys of objects: text unchanged, integers in decimal, enumerators by
// their names, adapted types by their stored form. Maps with other keys are arrays of pairs.
#pragma once

#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Writes a number in decimal. The text ends at `end`. Returns the beginning of the text.
[[nodiscard]] inline char* write_decimal(std::uint64_t magnitude, bool negative, char* end) noexcept {
  do *--end = static_cast<char>('0' + magnitude % 10);
  while ((magnitude /= 10) != 0);
  if (negative) *--end = '-';
  return end;
}

template <class K>
consteval bool is_member_key() {
  if constexpr (kind_of<K> == kind::adapted) return is_member_key<adapted_t<K>>();
  else if constexpr (kind_of<K> == kind::string) return sizeof(typename K::value_type) == 1;
  else return kind_of<K> == kind::integer || kind_of<K> == kind::enumeration;
}

/// Returns true if documents store a map as an object; false if as an array of pairs.
template <class M>
consteval bool is_member_map() {
  if constexpr (kind_of<M> == kind::map || kind_of<M> == kind::unordered_map)
    return is_member_key<std::remove_const_t<typename M::key_type>>() && !is_multi<M>;
  else return false;
}

/// Calls `f` with the text of a key, and returns the result. The text is valid only during the
/// call.
template <class K, class F>
auto with_key_text(const K& key, F&& f) {
  constexpr kind k = kind_of<K>;
  if constexpr (k == kind::string) {
    return f(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()));
  } else if constexpr (k == kind::enumeration) {
    for (const auto& each : enumerators<K>) {
      if (each.value == key) return f(each.name);
    }
    return with_key_text(std::to_underlying(key), std::forward<F>(f));
  } else if constexpr (k == kind::adapted) {
    const adapted_t<K> stored = adapt<K>::to(key);
    return with_key_text(stored, std::forward<F>(f));
  } else if constexpr (k == kind::boolean) { // the underlying type of an enumeration may be bool
    return f(std::string_view(key ? "1" : "0"));
  } else {
    static_assert(sizeof(K) <= sizeof(std::uint64_t));
    std::array<char, 24> digits;
    const auto number = static_cast<std::uint64_t>(key);
    char* const end = digits.data() + digits.size();
    const char* const first = write_decimal(key < 0 ? 0 - number : number, key < 0, end);
    return f(std::string_view(first, static_cast<std::size_t>(end - first)));
  }
}

/// Reads a key from its text. A string accepts any text, and an enumerator any of its names. A
/// number or boolean accepts only the text that `with_key_text` writes. Returns false for other
/// texts. Does not handle adapted types, which have errors of their own.
template <class K>
[[nodiscard]] bool key_from_text(std::string_view text, K& key) {
  constexpr kind k = kind_of<K>;
  if constexpr (k == kind::string) {
    key = K(reinterpret_cast<const typename K::value_type*>(text.data()), text.size());
    return true;
  } else if constexpr (k == kind::enumeration) {
    for (const auto& each : enumerators<K>) {
      if (each.name == text) return key = each.value, true;
    }
    std::underlying_type_t<K> number{};
    if ((!enum_is_open<K> && !enum_is_flags<K>) || !key_from_text(text, number)) return false;
    key = static_cast<K>(number);
    return enum_valid(key) && with_key_text(key, [&](std::string_view encoding) { return encoding == text; });
  } else if constexpr (k == kind::boolean) {
    key = text == "1";
    return key || text == "0";
  } else {
    const bool negative = text.starts_with('-');
    std::uint64_t number = 0;
    for (const char each : text.substr(negative ? 1 : 0))
      number = number * 10 + static_cast<unsigned char>(each) - '0';
    key = static_cast<K>(negative ? 0 - number : number);
    // Compares with the text that documents have for this number. So other forms of the number,
    // such as 07, and texts that are no numbers are rejected.
    return with_key_text(key, [&](std::string_view encoding) { return encoding == text; });
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
