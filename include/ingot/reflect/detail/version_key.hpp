// SPDX-License-Identifier: Apache-2.0
// The place of a record's version in text and documents: a member, or a key of its own.
#pragma once

#include <ingot/reflect/detail/tag_key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The key under which JSON has the version of a record without a member for it.
inline constexpr std::string_view version_key = "$version";

/// Returns true if `T` has a version, and the first member of `T` is an integer with the name
/// `version`, which then holds this version. A member's name is the name that `rename` gives it.
template <class T>
consteval bool version_is_member() {
  if constexpr (!type_has<T, version_t> || member_count<T> == 0) return false;
  else
    return kind_of<member_type<T, 0>> == kind::integer && member_name<T, 0> == "version" &&
           !member_has<T, 0, skip_t>;
}

/// Rejects records that would have two values under `version_key`.
template <class T>
consteval bool require_version_key() {
  if constexpr (type_has<T, version_t> && !version_is_member<T>()) {
    static_assert(is_free_tag_key<T>(version_key),
                  "ingot: a member has the name $version, which is the key of the type's version: rename the "
                  "member");
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
