// SPDX-License-Identifier: Apache-2.0
// Reads objects that declare an earlier version of their record. The version is in the first
// member, `version`, or, for records without this member, under the key "$version", which JSON
// writes. The object is read as the earlier type, and then upgraded by the type's own code.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/schema/detail/names_in_versions.hpp>
#include <ingot/schema/previous.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

template <class T>
inline constexpr std::uint32_t version_of = [] {
  if constexpr (type_has<T, version_t>) return type_get<T, version_t>.number;
  else return std::uint32_t{0};
}();

/// Sets the version member to the current version of the type.
template <class T>
void set_current_version(T& object) {
  for_each_member(object, []<class I, class M>(I, M& member) {
    if constexpr (I::value == 0) member = static_cast<M>(version_of<T>);
    return I::value != 0; // false ends the loop after the first member
  });
}

enum class object_version : std::uint8_t { current, earlier, wrong };

/// Compares the version of an object with the version of `T`. An object that lacks its version
/// member counts as older than all versions. If the version is optional (in "$version"), an object
/// without this key counts as current.
template <class T>
[[nodiscard]] object_version version_in(reading& r, const container& object, const key_columns& keys) {
  static_assert(require_version_key_in_versions<T>());
  constexpr document_key key(version_is_member<T>() ? "version" : version_key);
  const uint32_t index = object.has_node ? keys.find(key) : npos;
  std::uint64_t number = 0;
  if (index != npos) {
    const item value = object.n.value(index);
    if (value.kind != value_kind::integer || value.integer() < 0 ||
        value.integer() > std::numeric_limits<std::uint32_t>::max()) {
      static_cast<void>(r.reject(errc::type_mismatch, "the number of a version"));
      r.why->in_member(key.text());
      return object_version::wrong;
    }
    number = static_cast<std::uint64_t>(value.integer());
  }
  if (number > version_of<T>) {
    r.why = error{errc::wrong_version}
                .with_expected("version " + std::to_string(version_of<T>) + " or older")
                .with_found(number);
    r.why->in_member(key.text());
    return object_version::wrong;
  }
  if constexpr (has_previous<T>) {
    const bool has_version = index != npos || version_is_member<T>();
    if (has_version && number <= version_of<typename previous<T>::type>) return object_version::earlier;
  }
  return object_version::current;
}

/// Upgrades an object of the earlier version by the type's own code.
template <has_previous T, class To>
[[nodiscard]] bool upgrade_object(reading& r, typename previous<T>::type&& old, To& to) {
  const auto reject_upgrade = [&r](const error& err) {
    r.why = err;
    return false;
  };
  if constexpr (upgrades_in_place<T>) {
    static_assert(std::is_same_v<T, To>,
                  "ingot: an upgrade that is given the new object needs a class with a "
                  "default constructor: let it return the object");
    if (const auto done = upgrade_previous<T>(std::as_const(old), to); !done)
      return reject_upgrade(done.error());
  } else {
    auto upgraded = upgrade_previous<T>(std::move(old));
    if (!upgraded) return reject_upgrade(upgraded.error());
    if constexpr (std::is_same_v<T, To>) to = std::move(*upgraded);
    else to.emplace(std::move(*upgraded)); // here `to` is an optional
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
