// SPDX-License-Identifier: Apache-2.0
// Looks up one key in many equal objects, such as the records of an array. A `key_finder` remembers
// where it has found the key, and looks there first:
//
//   key_finder price("price");
//   for (const value order : doc["orders"].elements()) sum += price.find(order).value_or(0.0);
#pragma once

#include <ingot/document/detail/key_position.hpp>
#include <ingot/document/detail/value_access.hpp>
#include <ingot/document/key.hpp>
#include <ingot/document/value.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

class peek_value;
class value_view;

/// Key with the position at which the last lookup found it: an index, and the shape that has the
/// keys of compacted records. Each lookup checks the position, so results are those of `find` of
/// the object, for objects with any keys, after any change, and in other documents. A lookup at the
/// position takes about half as long as `find`. Any other lookup calls `find`, and then learns the
/// new position. So lookups in objects that have different keys by turns take somewhat longer than
/// `find`. A finder refers to the text of its key; the text must outlive the finder. Lookups change
/// a finder, so each thread needs its own.
class key_finder {
public:
  /// Constructs a finder that has not found its key yet. O(1).
  explicit key_finder(const document_key& key) noexcept : key_(key) {}

  /// Returns the key.
  [[nodiscard]] const document_key& key() const noexcept { return key_; }

  /// Returns the member of `object` with the key; absent if there is none, or if the value is no
  /// object. The handle is that of `object.find(key())`, and is valid as long. O(1) at the
  /// position, otherwise as `value::find`.
  [[nodiscard]] INGOT_INLINE value find(const value& object) noexcept {
    using access = detail::doc::access;
    if (const std::size_t position = access::node_of(object); position != 0) [[likely]] {
      const std::byte* const start = access::start_of(object);
      const detail::doc::text_member found = position_.find(start, position, key_);
      if (found.index < detail::doc::in_cell) [[likely]]
        return access::member(object, position, found.index, found.value);
      if (found.index != detail::doc::lookup_unresolved)
        return access::member(object, position, found.index & ~detail::doc::in_cell, nullptr);
    }
    return find_again(object);
  }
  /// Returns the member of a `value_view` or `peek_value`, as the function above does. In bytes
  /// that were not validated, each access is checked, as by `peek_value::find`. In malicious bytes,
  /// an object may have the key more than once; then a lookup finds one of these members.
  template <class View>
    requires(std::is_same_v<View, value_view> || std::is_same_v<View, peek_value>)
  [[nodiscard]] INGOT_INLINE View find(const View& object) noexcept {
    using access = detail::doc::access;
    const detail::doc::item& is = access::item_in(object);
    if (is.is == detail::doc::item::form::node && is.kind == value_kind::object) [[likely]] {
      detail::doc::item member;
      const std::uint32_t index = position_.find(access::memory_in(object), is.position(), key_, member);
      const detail::doc::location& at = access::location_in(object);
      if (index != detail::doc::lookup_unresolved) [[likely]]
        return access::member(object, {is.position(), index, at.position, at.index, 0}, member);
    }
    return find_view_again(object);
  }

private:
  // These functions get an object by value, since an object whose address is passed is stored in
  // memory, even on paths without the call.
  [[nodiscard]] INGOT_NOINLINE value find_again(value object) noexcept {
    using access = detail::doc::access;
    value found = object.find(key_);
    if (found.exists()) {
      const detail::doc::location at = access::location_of(found);
      position_.learn(access::memory_of(object), at.position, at.index, key_);
    }
    return found;
  }
  template <class View>
  [[nodiscard]] INGOT_NOINLINE View find_view_again(View object) noexcept {
    using access = detail::doc::access;
    View found = object.find(key_);
    if (found.exists()) {
      const detail::doc::location& at = access::location_in(found);
      position_.learn(access::memory_in(object), at.position, at.index, key_);
    }
    return found;
  }

  document_key key_;
  detail::doc::key_position position_;
};

}} // namespace ingot::INGOT_V1
