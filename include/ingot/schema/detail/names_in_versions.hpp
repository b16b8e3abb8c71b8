// SPDX-License-Identifier: Apache-2.0
// Searches the names that members have in any version of their record: present names, former names,
// and the names in previous types.
#pragma once

#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/schema/detail/former_lists.hpp>
#include <ingot/schema/previous.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if one of the names is `name`.
template <class Names>
constexpr bool has_name(const Names& names, std::string_view name) {
  for (const std::string_view each : names) {
    if (each == name) return true;
  }
  return false;
}

/// Returns true if no stored member has this name, or had it before, in `T` and in all previous
/// types of `T`.
template <class T>
consteval bool is_free_in_versions(std::string_view name) {
  if (!is_free_tag_key<T>(name)) return false;
  const bool was_used = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((!member_has<T, I, skip_t> && has_name(former_names<T, I>, name)) || ... || false);
  }(std::make_index_sequence<member_count<T>>{});
  if (was_used) return false;
  if constexpr (has_previous<T>) return is_free_in_versions<typename previous<T>::type>(name);
  else return true;
}

/// As `require_version_key`, also for the names that members had before: text of an earlier version
/// may have them.
template <class T>
consteval bool require_version_key_in_versions() {
  if constexpr (type_has<T, version_t> && !version_is_member<T>()) {
    if constexpr (require_version_key<T>()) {
      static_assert(is_free_in_versions<T>(version_key),
                    "ingot: a member had the name $version, which is the key of the type's version: make the "
                    "version a member, the first one, with the name version");
    }
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
