// SPDX-License-Identifier: Apache-2.0
// A container or array in an indexed compact message: random access, and binary search for keys.
// See list_view.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/pack/compact_view_field.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/list_view.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <class Element, encoding S>
struct compact_element {
  using type = compact_view_of<Element, S>;
};
template <class K, class V, encoding S>
struct compact_element<map_entry<K, V>, S> {
  using type = std::pair<compact_view_of<K, S>, compact_view_of<V, S>>;
};

template <class Element, encoding S>
INGOT_INLINE typename compact_element<Element, S>::type compact_element_at(const indexed_ref& f) noexcept {
  if constexpr (is_entry<Element>) {
    using key = typename Element::key;
    using value = typename Element::value;
    return {compact_view_at<key, S>(f), compact_view_at<value, S>(part_at<Element, S, 1>(f))};
  } else {
    return compact_view_at<Element, S>(f);
  }
}

/// Compares the stored key at `f` with `wanted`. If the keys are text, `wanted` may be anything
/// that converts to a string_view.
template <class List, encoding S, class Q>
std::strong_ordering compact_order_against(const indexed_ref& f, const Q& wanted) {
  using key = key_t<List>;
  constexpr bool by_value = kind_of<List> == kind::set || kind_of<List> == kind::map;
  if constexpr (is_byte_text<key>()) {
    using text = compact_view_of<key, S>;
    const text query(wanted);
    const auto found = compact_view_at<key, S>(f);
    return order_of_text<typename text::value_type>(
        reinterpret_cast<const std::byte*>(found.data()), found.size(),
        reinterpret_cast<const std::byte*>(query.data()), query.size());
  } else {
    owning_t<key> found{};
    reader r{bytes_view{f.bytes(), end_of<key, S>(f)}};
    stream in{r.base, r.end};
    compact_read<S, owning_t<key>>(r, in, found, 0);
    return order_of_found<owning_t<key>, by_value>(found, wanted);
  }
}

} // namespace detail

namespace compact {

/// The elements of a `T` in stored order. Sequences are stored in the order of the container, sets
/// and maps in the order of their keys. The view is a random-access range whose elements are views;
/// for maps, pairs of views.
template <class T, detail::encoding S>
class list_view {
  using element = typename detail::viewed_element<T>::type;
  static constexpr std::size_t stride =
      detail::index_slots<element, S>; ///< number of index slots of an element
  static constexpr std::size_t trailing = detail::trailing_bytes<element, S>;

public:
  using value_type = typename detail::compact_element<element, S>::type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  class iterator {
  public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = list_view::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;

    iterator() noexcept = default;
    [[nodiscard]] INGOT_INLINE value_type operator*() const noexcept {
      return detail::compact_element_at<element, S>(element_ref(first_, index_));
    }
    [[nodiscard]] value_type operator[](difference_type n) const noexcept { return *(*this + n); }
    INGOT_INLINE iterator& operator++() noexcept { return *this += 1; }
    iterator operator++(int) noexcept {
      iterator before = *this;
      *this += 1;
      return before;
    }
    iterator& operator--() noexcept { return *this += -1; }
    iterator operator--(int) noexcept {
      iterator before = *this;
      *this += -1;
      return before;
    }
    INGOT_INLINE iterator& operator+=(difference_type n) noexcept {
      index_ = static_cast<std::size_t>(static_cast<difference_type>(index_) + n);
      return *this;
    }
    iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    friend iterator operator+(iterator it, difference_type n) noexcept { return it += n; }
    friend iterator operator+(difference_type n, iterator it) noexcept { return it += n; }
    friend iterator operator-(iterator it, difference_type n) noexcept { return it -= n; }
    friend difference_type operator-(const iterator& a, const iterator& b) noexcept {
      return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.index_ == b.index_; }
    friend std::strong_ordering operator<=>(const iterator& a, const iterator& b) noexcept {
      return a.index_ <=> b.index_;
    }

  private:
    friend class list_view;
    iterator(const detail::indexed_ref& first, std::size_t index) noexcept : first_(first), index_(index) {}
    detail::indexed_ref first_{};
    std::size_t index_ = 0;
  };
  using const_iterator = iterator;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] iterator begin() const noexcept { return iterator{first_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return iterator{first_, size_}; }
  /// Returns the `i`-th element. Requires `i < size()`. O(1).
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE value_type operator[](std::size_t i) const noexcept {
    INGOT_REQUIRE(i < size_, broken_index("ingot::compact::list_view", i, size_));
    return detail::compact_element_at<element, S>(element_ref(first_, i));
  }
  [[nodiscard]] INGOT_CHECKED value_type front() const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty("ingot::compact::list_view", "front()"));
    return (*this)[0];
  }
  [[nodiscard]] INGOT_CHECKED value_type back() const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty("ingot::compact::list_view", "back()"));
    return (*this)[size_ - 1];
  }

  /// Returns the elements as a span over the bytes. Only for scalars, and for plain records whose
  /// memory equals their compact form. Empty if the bytes are not aligned for the elements: then
  /// use `copy_to` or iterate.
  [[nodiscard]] std::optional<std::span<const element>> as_span() const noexcept
    requires(detail::is_compact_bitwise<element, S>)
  {
    if (reinterpret_cast<std::uintptr_t>(first_.bytes()) % alignof(element) != 0) return std::nullopt;
    return std::span{reinterpret_cast<const element*>(first_.bytes()), size_};
  }
  /// Copies scalars or plain records to `to`. Requires space for `size()` elements at `to`. O(n),
  /// by memcpy if possible.
  void copy_to(element* to) const
    requires(detail::is_fixed<element> && !detail::is_entry<element>)
  {
    if constexpr (detail::is_compact_bitwise<element, S>) {
      if (size_ != 0) std::memcpy(static_cast<void*>(to), first_.bytes(), size_ * sizeof(element));
    } else {
      for (std::size_t i = 0; i < size_; ++i) {
        const detail::indexed_ref f = element_ref(first_, i);
        detail::reader r{bytes_view{f.bytes(), detail::end_of<element, S>(f)}};
        detail::stream in{r.base, r.end};
        detail::compact_read<S, element>(r, in, to[i], 0);
      }
    }
  }

  /// Returns the first element whose key is not less than `wanted`, in stored order. O(log n).
  template <class Q>
  [[nodiscard]] iterator lower_bound(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return bound(
        [&](const detail::indexed_ref& f) { return detail::compact_order_against<T, S>(f, wanted) < 0; });
  }
  /// Returns the first element whose key is greater than `wanted`, in stored order. O(log n).
  template <class Q>
  [[nodiscard]] iterator upper_bound(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return bound(
        [&](const detail::indexed_ref& f) { return detail::compact_order_against<T, S>(f, wanted) <= 0; });
  }
  /// Returns the first element with the key `wanted`, or `end()`. Text keys can be looked up by
  /// anything that converts to a string_view. O(log n).
  template <class Q>
  [[nodiscard]] iterator find(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    if (!detail::may_be_key<detail::owning_t<key_t<T>>>(wanted)) return end();
    const iterator at = lower_bound(wanted);
    if (at == end() || detail::compact_order_against<T, S>(element_ref(first_, at.index_), wanted) != 0)
      return end();
    return at;
  }
  template <class Q>
  [[nodiscard]] bool contains(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return find(wanted) != end();
  }

protected:
  list_view(const detail::indexed_ref& first, std::size_t size) noexcept : first_(first), size_(size) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

private:
  friend struct detail::view_access;

  static INGOT_INLINE list_view from_slot(const detail::indexed_ref& f) noexcept {
    if constexpr (kind_of<T> == kind::array) {
      return list_view{f, detail::array_size<T>};
    } else {
      const std::byte* at = f.bytes();
      const auto size = static_cast<std::size_t>(detail::take_varint(at));
      detail::slot_type table = 0;
      if constexpr (detail::index_slots<T, S> == 2) table = f.slot_at(0);
      return list_view{{f.in, static_cast<detail::slot_type>(at - f.in.base), table}, size};
    }
  }
  /// Returns the `i`-th element. If elements have slots, the last slot of an element stores a
  /// position, and the next element starts `trailing` bytes after this position. Otherwise all
  /// elements have the same size.
  static INGOT_INLINE detail::indexed_ref element_ref(const detail::indexed_ref& first,
                                                      std::size_t i) noexcept {
    if constexpr (stride == 0) {
      return {first.in, static_cast<detail::slot_type>(first.at + i * trailing), first.slot};
    } else {
      const std::size_t slot = first.slot + i * stride;
      const std::size_t at = i == 0 ? first.at : first.in.slots[slot - 1] + trailing;
      return {first.in, static_cast<detail::slot_type>(at), static_cast<detail::slot_type>(slot)};
    }
  }
  template <class Before>
  [[nodiscard]] iterator bound(Before before) const {
    std::size_t low = 0;
    std::size_t count = size_;
    while (count > 0) {
      const std::size_t half = count / 2;
      if (before(element_ref(first_, low + half))) {
        low += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return iterator{first_, low};
  }

  detail::indexed_ref first_; ///< the first element
  std::size_t size_;
  static const detail::view_description<list_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T, detail::encoding S>
INGOT_RETAINED constinit const detail::view_description<list_view<T, S>> list_view<T, S>::ingot_described =
    detail::describe_view<list_view<T, S>, T>(std::to_underlying(S));
#endif

} // namespace compact
}} // namespace ingot::INGOT_V1
