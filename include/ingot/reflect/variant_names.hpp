// SPDX-License-Identifier: Apache-2.0
// Names that a program gives to the alternatives of a variant.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// The names of a variant's alternatives, which are their tags in text and documents. Specialise
/// this as an array with one name for each alternative. The names must not be empty, and must
/// differ:
///
///   template <>
///   inline constexpr std::string_view ingot::json::variant_names<shape>[] = {"circle", "square"};
///
/// Without a specialisation, the tag of an alternative is the name of its class or enumeration,
/// without namespaces and template arguments, if no other alternative has that name. The tag of any
/// other alternative (numbers, texts, containers) is its index. So do not change the order of such
/// alternatives.
template <class V>
inline constexpr std::nullptr_t variant_names = nullptr;

/// The key of a variant's tag in text, if the tag is a member of the alternative's object. All
/// alternatives must be records without a member of this name. Specialise this as a text:
///
///   template <>
///   inline constexpr std::string_view ingot::json::tag_key<shape> = "type";
///
/// A circle is then written as `{"type":"circle","radius":1}`. Readers find the tag anywhere in the
/// object, and also accept the form without a `tag_key`, `{"circle":{"radius":1}}`. Descriptions
/// contain the key, so conversions by a schema have the same text. Documents and archives have only
/// the form without a `tag_key`.
template <class V>
inline constexpr std::string_view tag_key{};

}}} // namespace ingot::INGOT_V1::json

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns a hash of each name. Comparing names letter by letter is slow at compile time, so only
/// names with equal hashes are compared.
template <std::size_t N>
consteval std::array<std::uint64_t, N> name_hashes(const std::array<std::string_view, N>& names,
                                                   std::size_t count) {
  std::array<std::uint64_t, N> hashes{};
  for (std::size_t i = 0; i < count; ++i) {
    for (const char c : names[i]) hashes[i] = hashes[i] * 31 + static_cast<std::uint64_t>(c);
  }
  return hashes;
}
/// Returns false if two names are equal. The names are keys of members or alternatives, so they
/// must differ.
template <std::size_t N>
consteval bool all_distinct(const std::array<std::string_view, N>& names, std::size_t count) {
  const std::array<std::uint64_t, N> hashes = name_hashes(names, count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (hashes[j] == hashes[i] && names[i] == names[j]) return false;
    }
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
