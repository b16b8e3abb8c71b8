// SPDX-License-Identifier: Apache-2.0
// The elements or members of a container as a range of handles. A handle is created when the
// iteration reaches its element.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/read.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

template <class T>
struct access_for;

/// Iterates over the elements that a container had when the range was created. If an element no
/// longer exists when the iterator reaches it, its handle is absent.
template <class Handle>
class element_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using value_type = Handle;
  using difference_type = std::ptrdiff_t;
  using reference = Handle;
  using pointer = void;

  element_iterator() = default;
  element_iterator(const Handle& of, uint32_t index) noexcept : of_(of), index_(index) {}

  [[nodiscard]] Handle operator*() const noexcept { return of_[std::size_t{index_}]; }
  element_iterator& operator++() noexcept {
    ++index_;
    return *this;
  }
  element_iterator operator++(int) noexcept {
    const element_iterator before = *this;
    ++index_;
    return before;
  }
  /// Returns the key of the current member; empty for an element of an array.
  [[nodiscard]] std::string_view key() const noexcept {
    container object;
    key_columns keys;
    std::string_view text;
    using parts = access_for<Handle>;
    const core* const in = parts::core_of(of_);
    if (in == nullptr || !find_container(in->mem(), parts::item_of(of_), object) || !object.has_node ||
        index_ >= object.n.count || !key_columns::of_object(in->mem(), object.n, keys))
      return {};
    return keys.text(index_, text) ? text : std::string_view{};
  }
  friend bool operator==(const element_iterator& a, const element_iterator& b) noexcept {
    return a.index_ == b.index_;
  }

protected:
  Handle of_;
  uint32_t index_ = 0;
};

template <class Handle>
class element_range {
public:
  using iterator = element_iterator<Handle>;
  INGOT_INLINE explicit element_range(const Handle& of) noexcept
      : of_(of), count_(static_cast<uint32_t>(access_for<Handle>::size_of(of))) {}
  [[nodiscard]] iterator begin() const noexcept { return {of_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {of_, count_}; }
  [[nodiscard]] INGOT_INLINE Handle operator[](std::size_t index) const noexcept { return of_[index]; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
  Handle of_;
  uint32_t count_;
};

/// A member of an object. The key is a view of text in the document.
template <class Handle>
struct member_of {
  std::string_view key;
  Handle value;
};
template <class Handle>
class member_iterator : public element_iterator<Handle> {
public:
  using value_type = member_of<Handle>;
  using reference = member_of<Handle>;
  using element_iterator<Handle>::element_iterator;
  [[nodiscard]] value_type operator*() const noexcept {
    return {this->key(), element_iterator<Handle>::operator*()};
  }
  member_iterator& operator++() noexcept {
    ++this->index_;
    return *this;
  }
  member_iterator operator++(int) noexcept {
    const member_iterator before = *this;
    ++this->index_;
    return before;
  }
};
template <class Handle>
class member_range {
public:
  using iterator = member_iterator<Handle>;
  explicit member_range(const Handle& of) noexcept
      : of_(of), count_(of.kind() == value_kind::object ? static_cast<uint32_t>(of.size()) : 0) {}
  [[nodiscard]] iterator begin() const noexcept { return {of_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {of_, count_}; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
  Handle of_;
  uint32_t count_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
