// SPDX-License-Identifier: Apache-2.0
// Rules for variants with a `tag_key`: the tag can be a member of each alternative's object.
#pragma once

#include <ingot/reflect/detail/plain_name.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if no stored member of the record `T` has this name.
template <class T>
consteval bool is_free_tag_key(std::string_view key) {
  // A record without members uses no tag.
  return []<std::size_t... I>([[maybe_unused]] std::string_view tag, std::index_sequence<I...>) {
    return ((member_has<T, I, skip_t> || member_name<T, I> != tag) && ...);
  }(key, std::make_index_sequence<member_count<T>>{});
}

template <class V, std::size_t I>
consteval bool require_tagged_alternative() {
  using alternative = std::remove_const_t<std::variant_alternative_t<I, V>>;
  constexpr bool is_record = kind_of<alternative> == kind::record;
  static_assert(is_record, "ingot: the alternatives of a variant with a tag_key are structs: put this one "
                           "into a struct, or give the variant no tag_key");
  if constexpr (is_record) {
    static_assert(is_free_tag_key<alternative>(json::tag_key<V>),
                  "ingot: a member has the name of the tag_key of its variant: choose another tag_key, or "
                  "rename the member");
  }
  return true;
}

/// Rejects keys that descriptions and text can't have.
template <class V>
consteval bool require_plain_tag_key() {
  static_assert(is_plain_name(json::tag_key<V>),
                "ingot: a tag_key has to be UTF-8 without control characters");
  static_assert(json::tag_key<V> != "$version", "ingot: the key $version is that of versions, not a tag_key");
  return true;
}

/// Rejects variants whose tag can't be a member of all alternatives.
template <class V>
consteval bool require_tag_key() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return require_plain_tag_key<V>() && (require_tagged_alternative<V, I>() && ...);
  }(std::make_index_sequence<std::variant_size_v<V>>{});
}

}}} // namespace ingot::INGOT_V1::detail
