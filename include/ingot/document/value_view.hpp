// SPDX-License-Identifier: Apache-2.0
// A value to read in bytes that were proved, without a document around it that knows when they change: what values in live structs
// are read through. It is what an iterator of std::vector is: small, copied freely, and over with the next change of what it is in.
#pragma once

#include <ingot/core/guard_memory.hpp>
#include <ingot/document/equal.hpp>
#include <ingot/document/json_pointer.hpp>
#include <ingot/document/kind_tests.hpp>
#include <ingot/document/read.hpp>
#include <ingot/document/value.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1 {

class value_view;

namespace detail::doc {

template <bool WithKeys>
class view_range;

} // namespace detail::doc

/// A value, to read. It and what it gives are valid until the value it was found in is changed next, or moved: for a member of a live
/// struct that is also when the struct moves, as elements of a vector do. Other changes of the block leave it valid.
class value_view : public detail::doc::kind_tests<value_view> {
public:
  /// Absent.
  value_view() noexcept { at_.place = detail::doc::npos; }
  value_view(const value_view&) = default;
  value_view(value_view&&) = default;
  value_view& operator=(const value_view&) & = default;
  value_view& operator=(value_view&&) & = default;
  /// What `order->extra["a"]["b"]` gives is a view, and would take another one's place in vain.
  template <class T>
  void operator=(const T&) && = delete; // ingot: a view only reads; change it by set_at or edit
  ~value_view() = default;

  /// O(1), as everything here that does not say otherwise.
  [[nodiscard]] INGOT_INLINE value_kind kind() const noexcept { return item_.kind; }

  /// As `value::as`: nothing is lost silently.
  template <class T>
  [[nodiscard]] result<T> as() const {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_trivially_copyable_v<T>)
      return as_unguarded<T>();
    else return detail::guard_memory([&] { return as_unguarded<T>(); });
  }
  /// The same, or `otherwise` when it isn't one.
  template <class T>
  [[nodiscard]] INGOT_INLINE T value_or(T otherwise) const {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      if (item_.kind == value_kind::integer && std::in_range<T>(item_.integer()))
        return static_cast<T>(item_.integer());
    } else if constexpr (std::same_as<T, double>) {
      if (item_.kind == value_kind::number) return item_.real();
    } else if constexpr (std::same_as<T, std::string_view>) {
      return item_.kind == value_kind::text ? detail::doc::text_of(in_, item_) : otherwise;
    }
    auto read = as<T>();
    return read ? std::move(*read) : std::move(otherwise);
  }

  /// Elements or members; 0 for all that has none.
  [[nodiscard]] std::size_t size() const noexcept {
    detail::doc::container found;
    return detail::doc::find_container(in_, item_, found) ? found.count() : 0;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The length of text or bytes.
  [[nodiscard]] std::size_t length() const noexcept {
    return item_.kind == value_kind::text || item_.kind == value_kind::binary
               ? detail::doc::text_of(in_, item_).size()
               : 0;
  }

  /// The member of that key; absent when there is none, or no object. O(1) on average, O(log n) at worst.
  [[nodiscard]] INGOT_INLINE value_view find(const document_key& key) const noexcept {
    const auto found = detail::doc::find_member(in_, at_, key);
    return found.none() ? value_view() : value_view(in_, found);
  }
  [[nodiscard]] INGOT_INLINE value_view operator[](const document_key& key) const noexcept {
    return find(key);
  }
  [[nodiscard]] bool contains(const document_key& key) const noexcept { return find(key).exists(); }
  /// The element of an array, or the member of an object in its order of keys; absent behind the last one.
  [[nodiscard]] value_view operator[](std::size_t index) const noexcept {
    detail::doc::container found;
    if (!detail::doc::find_container(in_, item_, found) || index >= found.count()) return {};
    return {in_, detail::doc::element_of(at_, found, static_cast<std::uint32_t>(index))};
  }
  /// The key of a member of this object, by its index; empty when there is none.
  [[nodiscard]] std::string_view key(std::size_t index) const noexcept {
    detail::doc::container found;
    detail::doc::key_columns keys;
    std::string_view text;
    if (!detail::doc::find_container(in_, item_, found) || !found.has_node || index >= found.n.count ||
        !detail::doc::key_columns::of_object(in_, found.n, keys))
      return {};
    return keys.text(static_cast<std::uint32_t>(index), text) ? text : std::string_view{};
  }
  /// What a JSON Pointer (RFC 6901) leads to; absent when it leads nowhere. O(its parts).
  [[nodiscard]] value_view at(std::string_view pointer) const {
    return detail::doc::follow_pointer(*this, pointer);
  }

  /// The values of an array or object, in order.
  [[nodiscard]] detail::doc::view_range<false> elements() const noexcept;
  /// The members of an object as pairs `key`, `value`, in the order of keys' hashes.
  [[nodiscard]] detail::doc::view_range<true> members() const noexcept;

  /// As of `value`: kinds, numbers bit for bit, text, elements in order, members by key. O(size).
  friend bool operator==(const value_view& a, const value_view& b) noexcept {
    return detail::doc::equal(a.in_, a.item_, b.in_, b.item_);
  }
  friend bool operator==(const value_view& a, const value& b) noexcept {
    return detail::doc::equal(a.in_, a.item_, detail::doc::access::memory_of(b),
                              detail::doc::access::item_of(b));
  }

private:
  friend struct detail::doc::access;
  INGOT_INLINE value_view(detail::doc::proved in, const detail::doc::location& at) noexcept
      : in_(in), at_(at), item_(detail::doc::read(in, at)) {}

  [[nodiscard]] detail::doc::item get() const noexcept { return item_; }
  [[nodiscard]] detail::doc::proved mem() const noexcept { return in_; }
  template <class T>
  [[nodiscard]] result<T> as_unguarded() const {
    detail::doc::reading r(in_);
    if constexpr (std::same_as<T, bytes_view>) {
      if (item_.kind != value_kind::binary)
        return static_cast<void>(r.mismatch("bytes", item_.kind)), r.why.failure();
      return as_bytes_view(detail::doc::text_of(r.in, item_));
    } else {
      result<T> made{T{}};
      if (!detail::doc::read_as(r, item_, *made)) return r.why.failure();
      return made;
    }
  }

  detail::doc::proved in_;
  detail::doc::location at_;
  detail::doc::item item_;
};

namespace detail::doc {

/// Elements of one container, with their keys or without.
template <bool WithKeys>
class view_range {
public:
  using value_type = std::conditional_t<WithKeys, member_of<value_view>, value_view>;

  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;
    using value_type = view_range::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;

    iterator() = default;
    iterator(const value_view& of, std::size_t index) noexcept : of_(of), index_(index) {}
    [[nodiscard]] value_type operator*() const noexcept {
      if constexpr (WithKeys) return {of_.key(index_), of_[index_]};
      else return of_[index_];
    }
    iterator& operator++() noexcept {
      ++index_;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.index_ == b.index_; }

  private:
    value_view of_;
    std::size_t index_ = 0;
  };

  explicit view_range(const value_view& of) noexcept
      : of_(of), count_(!WithKeys || of.is_object() ? of.size() : 0) {}
  [[nodiscard]] iterator begin() const noexcept { return {of_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {of_, count_}; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
  value_view of_;
  std::size_t count_;
};

} // namespace detail::doc

inline detail::doc::view_range<false> value_view::elements() const noexcept {
  return detail::doc::view_range<false>(*this);
}
inline detail::doc::view_range<true> value_view::members() const noexcept {
  return detail::doc::view_range<true>(*this);
}

} // namespace ingot::inline v1
