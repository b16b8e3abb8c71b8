// SPDX-License-Identifier: Apache-2.0
// Read-only value in validated bytes, without a document that tracks changes. Values in live
// structs are read through this class. Like an iterator of std::vector, a view is small, cheap to
// copy, and invalid after the next change of its target.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/equal.hpp>
#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/view_range.hpp>
#include <ingot/document/value.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Read-only value. A view and the results of its functions are valid until the value from which
/// the view was taken is changed or moved. A member of a live struct moves when the struct moves.
/// Other changes of the block keep the view valid.
class value_view : public detail::doc::item_view<value_view, detail::doc::validated> {
public:
  /// Constructs an absent value.
  value_view() noexcept = default;
  value_view(const value_view&) = default;
  value_view(value_view&&) = default;
  value_view& operator=(const value_view&) & = default;
  value_view& operator=(value_view&&) & = default;
  /// Deleted: `order->extra["a"]["b"]` returns a view, and an assignment would only make this view
  /// refer to another value.
  template <class T>
  void operator=(const T&) && = delete; // ingot: a view only reads; change it by set_at or edit
  /// Deleted, because the assignment would change only the view, not the value.
  template <class T>
    requires(!std::is_convertible_v<const T&, value_view>)
  void operator=(const T&) & = delete; // ingot: a view only reads; change the value by set_at or edit
  ~value_view() = default;

  /// Returns the value as a `T`; see `value::as`. It is an error if the value doesn't fit.
  template <class T>
  [[nodiscard]] result<T> as() const {
    if constexpr (detail::doc::reads_without_memory<T>) return as_or_why<T>();
    else return detail::catch_bad_alloc([&] { return as_or_why<T>(); });
  }

  /// Range of the values of an array or object.
  using element_range = detail::doc::view_range<value_view, false>;
  /// Range of the members of an object, as pairs `key`, `value`.
  using member_range = detail::doc::view_range<value_view, true>;

  /// Returns the values of an array or object, in order.
  [[nodiscard]] element_range elements() const noexcept;
  /// Returns the members of an object as pairs `key`, `value`, in the order of the keys' hashes.
  [[nodiscard]] member_range members() const noexcept;

  /// Compares as `value` does: kinds, the bits of numbers, text, elements in order, members by key.
  /// O(size).
  friend bool operator==(const value_view& a, const value_view& b) noexcept {
    return detail::doc::equal(a.in_, a.item_, b.in_, b.item_);
  }
  friend bool operator==(const value_view& a, const value& b) noexcept {
    return detail::doc::equal(a.in_, a.item_, detail::doc::access::memory_of(b),
                              detail::doc::access::item_of(b));
  }

private:
  friend struct detail::doc::access;
  friend class detail::doc::item_view<value_view, detail::doc::validated>;
  INGOT_INLINE value_view(detail::doc::validated in, const detail::doc::location& at) noexcept
      : item_view(in, at) {}
  INGOT_INLINE value_view(detail::doc::validated in, const detail::doc::location& at,
                          const detail::doc::item& is) noexcept
      : item_view(in, at, is) {}
  INGOT_INLINE explicit value_view(const detail::doc::absent_path& wanted) noexcept : item_view(wanted) {}

  [[nodiscard]] detail::doc::item get() const noexcept { return item_; }
  [[nodiscard]] detail::doc::validated mem() const noexcept { return in_; }
  template <class T, bool Named = true>
  [[nodiscard]] result<T> as_or_why() const {
    detail::doc::reading r(in_);
    if constexpr (std::same_as<T, bytes_view>) {
      if (item_.kind != value_kind::binary) {
        static_cast<void>(r.mismatch("bytes", item_.kind));
        if constexpr (Named) name(*r.why);
        return r.why.failure();
      }
      return as_bytes_view(detail::doc::text_of(r.in, item_));
    } else if constexpr (std::is_default_constructible_v<T>) {
      result<T> converted{T{}};
      if (!detail::doc::read_as(r, item_, *converted)) [[unlikely]] {
        if constexpr (Named) name(*r.why);
        return r.why.failure();
      }
      return converted;
    } else {
      auto object = detail::doc::read_object_value<T>(r, item_);
      if constexpr (Named) {
        if (!object) name(*r.why);
      }
      return object ? result<T>(std::move(*object)) : result<T>(r.why.failure());
    }
  }
};

inline value_view::element_range value_view::elements() const noexcept { return element_range(*this); }
inline value_view::member_range value_view::members() const noexcept { return member_range(*this); }

}} // namespace ingot::INGOT_V1
