// SPDX-License-Identifier: Apache-2.0
// Reads records. Members are found by name, or by position in an array of values. They may be
// members of another version of the type.
#pragma once

#include <ingot/document/detail/previous_members.hpp>
#include <ingot/document/detail/previous_versions.hpp>
#include <ingot/document/detail/read_keyed.hpp>
#include <ingot/document/detail/read_new.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Runs the hooks of the type on an object that was read. Returns false if a hook rejects it.
template <class T>
[[nodiscard]] bool is_accepted(reading& r, T& object) {
  // The object may have been read from another version, but it now has the current version.
  if constexpr (version_is_member<T>()) {
    if (r.evolves) set_current_version(object);
  }
  if constexpr (has_hooks<T>) {
    hook_failure failure;
    if (!run_hooks(object, failure)) {
      if (!failure.has_error) return r.reject(errc::invalid_value, failure.what);
      r.why = failure.why;
      return false;
    }
  }
  return true;
}
/// Checks an object that was upgraded from an earlier version. Checks the annotations of its
/// members, then runs its hooks.
template <class T>
[[nodiscard]] bool is_upgraded(reading& r, T& object) {
  const bool within = for_each_member(object, [&]<class I, class M>(I, M& member) {
    if constexpr (member_has<T, I::value, skip_t>) return true;
    limit_failure failure;
    if (check_member<T, I::value>(member, failure)) return true;
    static_cast<void>(r.reject(failure));
    r.why->in_member(member_name<T, I::value>);
    return false;
  });
  return within && is_accepted(r, object);
}

template <class T, class To>
inline constexpr bool is_parts = !std::is_same_v<T, To>;
/// Reads a member, or the part from which a member is constructed.
template <class T, class To, class M>
[[nodiscard]] INGOT_INLINE bool read_slot(reading& r, const item& from, M& slot) {
  if constexpr (is_parts<T, To>) {
    return read_new<typename M::value_type>(r, from, [&slot](auto&& content) {
      return slot.emplace(std::forward<decltype(content)>(content)), true;
    });
  } else {
    return read_as(r, from, slot);
  }
}
/// Reads a member, and checks its value against the member's annotations.
template <class T, std::size_t I, class To, class M>
[[nodiscard]] INGOT_INLINE bool read_member(reading& r, const item& from, M& slot) {
  if (!read_slot<T, To>(r, from, slot)) return false;
  const auto& member = [&]() -> const auto& {
    if constexpr (is_parts<T, To>) return *slot;
    else return slot;
  }();
  limit_failure failure;
  return check_member<T, I>(member, failure) || r.reject(failure);
}
/// Called for a member that the document lacks. If the member is annotated `skip` or
/// `default_value`, sets the part from which the member is constructed. Returns false for other
/// members.
template <class T, std::size_t I, class M>
[[nodiscard]] bool fill_part(std::optional<M>& part) {
  if constexpr (member_has<T, I, default_value_t>) {
    constexpr auto& annotated = member_get<T, I, default_value_t>.value;
    if constexpr (requires { annotated.view(); }) part.emplace(annotated.view());
    else part.emplace(static_cast<M>(annotated));
    return true;
  } else if constexpr (member_has<T, I, skip_t>) {
    part.emplace();
    return true;
  } else {
    return false;
  }
}

/// Reads a record from an array that has the values of its members.
template <class T, class To>
[[nodiscard]] bool read_member_values(reading& r, const item& from, To& to) {
  if (!r.how.arrays_as_records)
    return r.mismatch("an object: see conversion_options::arrays_as_records", from.kind);
  container array;
  if (!find_container(r.in, from, array)) return r.reject(errc::bad_length, "an array's node");
  uint32_t next = 0;
  const bool all = for_each_slot<T>(to, [&]<class I, class M>(I, M& member) {
    if constexpr (member_has<T, I::value, skip_t>) {
      if constexpr (is_parts<T, To>) return fill_part<T, I::value>(member);
      else return true;
    } else {
      if (next == array.count()) return r.reject(errc::bad_length, "a value for each member");
      const item each =
          array.has_node ? array.n.value(next)
                         : item::of(load_packed(from.bytes + (std::size_t{next} << from.shift), from.shift));
      const bool good = read_member<T, I::value, To>(r, each, member);
      if (!good) r.why->in_element(next);
      ++next;
      return good;
    }
  });
  if (!all) return false;
  if (next != array.count()) return r.reject(errc::bad_length, "no more values than the record has members");
  if constexpr (is_parts<T, To>) return true; // checked when the record is constructed
  else return is_accepted(r, to);
}
/// Reads an earlier version of the record, and upgrades the result.
template <class T, class To>
[[nodiscard]] bool read_earlier(reading& r, const item& from, To& to) {
  using old_type = typename previous<T>::type;
  const auto upgrade = [&](old_type&& old) {
    if constexpr (is_parts<T, To>)
      return upgrade_object<T>(r, std::move(old), to.upgraded) && is_upgraded(r, *to.upgraded);
    else return upgrade_object<T>(r, std::move(old), to) && is_upgraded(r, to);
  };
  if constexpr (std::is_default_constructible_v<old_type>) {
    scratch_value<old_type> old;
    return read_object<old_type>(r, from, *old) && upgrade(std::move(*old));
  } else {
    return read_new_record<old_type>(r, from, upgrade);
  }
}
/// Reads a record. `to` is the record itself, or storage for the parts from which the record is
/// constructed later.
template <class T, class To>
[[nodiscard]] bool read_object(reading& r, const item& from, To& to) {
  if (from.kind == value_kind::array) [[unlikely]]
    return read_member_values<T>(r, from, to);
  container object;
  key_columns keys;
  if (!read_keys(r, from, object, keys)) return false;
  if constexpr (version_of<T> != 0) {
    if (r.evolves) [[unlikely]] {
      const object_version of = version_in<T>(r, object, keys);
      if (of == object_version::wrong) return false;
      if constexpr (has_previous<T>) {
        if (of == object_version::earlier) return read_earlier<T>(r, from, to);
      }
    }
  }
  uint32_t met = 0;
  uint32_t nothings = 0;
  [[maybe_unused]] previous_members<T> formers;
  if constexpr (reuses_names<T>) {
    static_assert(require_clear_nothings<T>());
    if (r.evolves && object.has_node) formers.match(keys);
  }
  const bool all = for_each_slot<T>(to, [&]<class I, class M>(I, M& member) {
    using type = member_type<T, I::value>;
    if constexpr (member_has<T, I::value, skip_t>) {
      if constexpr (is_parts<T, To>) return fill_part<T, I::value>(member);
      else return true;
    } else {
      constexpr document_key key(member_name<T, I::value>);
      uint32_t index = npos;
      if constexpr (renames_members<T>) {
        if (object.has_node && !formers.is_matched()) index = keys.find(key);
      } else {
        if (object.has_node) index = keys.find(key);
      }
      if (index == npos && r.evolves) [[unlikely]] {
        if (object.has_node) {
          if (!formers.is_matched()) formers.match(keys);
          index = formers.template find<I::value>(keys);
        }
        if constexpr (!is_nothing_where_missing<T, I::value>()) {
          if constexpr (is_parts<T, To>) {
            if (index == npos && fill_part<T, I::value>(member)) return true;
          } else {
            if (index == npos) return true; // `give_defaults` below sets the member
          }
        }
      }
      if (index == npos) {
        if constexpr (kind_of<std::remove_cv_t<type>> == kind::optional ||
                      kind_of<std::remove_cv_t<type>> == kind::box) {
          ++nothings;
          if constexpr (is_parts<T, To>) member.emplace();
          else member.reset();
          return true;
        } else {
          r.why = error{errc::missing_member}.with_expected(key.text());
          return false;
        }
      }
      ++met;
      const bool good = read_member<T, I::value, To>(r, object.n.value(index), member);
      if (!good) r.why->in_member(key.text());
      return good;
    }
  });
  if (!all || (met != object.count() && !r.evolves)) [[unlikely]] {
    if (item map, inner; met == 0 && find_tagged_map(r, from, map) && !find_tagged_map(r, map, inner))
      return read_object<T>(r, map, to); // recurses only once, since a tag in a tag is rejected
  }
  if (!all) return false;
  if (met != object.count() && !r.evolves)
    return r.reject(errc::unknown_member, "only members that the type has");
  if constexpr (!is_parts<T, To>) {
    if (r.evolves && met + nothings != read_member_count<T>) [[unlikely]]
      give_defaults(object.has_node, keys, to);
  }
  // This check is only for the outermost object. If this object has no member of the record, it is
  // most likely of another type, and no part of it would be read.
  if (r.evolves && met == 0 && object.count() != 0 && r.depth == r.whole_depth && read_member_count<T> != 0)
      [[unlikely]]
    return r.reject(errc::schema_mismatch, "an object with at least one member of the type");
  if constexpr (is_parts<T, To>) return true; // checked when the record is constructed
  else return is_accepted(r, to);
}

}}} // namespace ingot::INGOT_V1::detail::doc
