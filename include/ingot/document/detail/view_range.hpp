// SPDX-License-Identifier: Apache-2.0
// Ranges of the elements of views, which are small and read an element by its index.
#pragma once

#include <ingot/document/detail/handle_range.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Elements of one container, with or without their keys. `View` reads an element by its index.
template <class View, bool WithKeys>
class view_range {
public:
  using value_type = std::conditional_t<WithKeys, member_of<View>, View>;

  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;
    using value_type = view_range::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;

    iterator() = default;
    iterator(const View& of, std::size_t index) noexcept : of_(of), index_(index) {}
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
    View of_;
    std::size_t index_ = 0;
  };

  explicit view_range(const View& of) noexcept
      : of_(of), count_(!WithKeys || of.is_object() ? of.size() : 0) {}
  [[nodiscard]] iterator begin() const noexcept { return {of_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {of_, count_}; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
  View of_;
  std::size_t count_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
