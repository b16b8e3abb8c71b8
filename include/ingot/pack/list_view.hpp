// SPDX-License-Identifier: Apache-2.0
// A container or array in packed bytes: random access to elements of any kind, and binary search
// for keys.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/pack/detail/keys.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view_field.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// The element type of a view: entries for maps, and characters for text that is not viewed as a
/// string_view.
template <class T>
struct viewed_element : list_element<T> {};
template <class T>
  requires(kind_of<T> == kind::array || is_text<T>)
struct viewed_element<T> {
  using type = element_t<T>;
};

template <class Element>
struct element_view {
  using type = view_of<Element>;
};
template <class K, class V>
struct element_view<map_entry<K, V>> {
  using type = std::pair<view_of<K>, view_of<V>>;
};

/// Position of an element and of its list.
struct element_ref {
  const std::byte* at;
  const std::byte* first;
  const std::byte* tail;
  std::size_t stride;
  end_type
      /// Position of the first element's payload in the tail. 0 for lists. The payloads of an array
      /// are in the tail of the record, possibly after payloads of other members.
      begin;
};

/// Returns a view of the element at `e`. `Sized` is true for evolvable elements in a list: the slot
/// of such an element begins with its end offset (see docs/format.md).
template <class Element, bool Sized>
INGOT_INLINE constexpr auto view_element(const element_ref& e) noexcept ->
    typename element_view<Element>::type {
  if constexpr (Sized) {
    const end_type begin = e.at == e.first ? 0 : load_le<end_type>(e.at - e.stride);
    return view_access::from_evolved<view_of<Element>>(field_ref{e.at + end_size, e.tail + begin, 0},
                                                       e.stride - end_size);
  } else {
    end_type begin = e.begin;
    if constexpr (!is_fixed<Element>) {
      if (e.at != e.first) begin = load_le<end_type>(e.at - slot_size<Element> + last_leaf<Element>);
    }
    if constexpr (is_entry<Element>) {
      using key = typename Element::key;
      using value = typename Element::value;
      end_type value_begin = begin;
      if constexpr (last_leaf<key> != no_leaf) value_begin = load_le<end_type>(e.at + last_leaf<key>);
      return {view_field<key>({e.at, e.tail, begin}),
              view_field<value>({e.at + slot_size<key>, e.tail, value_begin})};
    } else {
      return view_field<Element>({e.at, e.tail, begin});
    }
  }
}

/// Returns the key of the element at `e`.
template <class List>
INGOT_INLINE constexpr field_ref key_field(const element_ref& e) noexcept {
  using element = list_element_t<List>;
  end_type begin = 0;
  if constexpr (!is_fixed<element>) {
    if (e.at != e.first) begin = load_le<end_type>(e.at - element_stride<element> + last_leaf<element>);
  }
  return {e.at, e.tail, begin};
}

/// Compares a decoded key with the key of a query. Integers of any width are compared as numbers:
/// if 300 were converted to one byte, the search would find 44.
template <class K, bool ByValue, class Q>
constexpr std::strong_ordering order_of_found(const K& found, const Q& wanted) {
  if constexpr (kind_of<K> == kind::integer && kind_of<Q> == kind::integer) {
    if (!std::in_range<K>(wanted)) {
      if constexpr (ByValue)
        return std::cmp_less(found, wanted) ? std::strong_ordering::less : std::strong_ordering::greater;
      else return std::strong_ordering::less; // `wanted` counts as greater than all stored keys
    }
  }
  if constexpr (!std::is_same_v<K, Q>) {
    return order_of_found<K, ByValue>(found, static_cast<K>(wanted));
  } else if constexpr (ByValue) {
    return order_of<K>(found, wanted);
  } else {
    return byte_order_of<K>(found, wanted);
  }
}

/// Compares a stored key with `wanted`, the key of a query. If the keys are adapted, `wanted` may
/// also have their stored form. If the keys are text, `wanted` may be anything that converts to a
/// string_view.
template <class K, bool ByValue, class Q>
constexpr std::strong_ordering order_key_against(const field_ref& stored, const Q& wanted) {
  if constexpr (kind_of<K> == kind::adapted) {
    if constexpr (std::is_same_v<K, Q>)
      return order_key_against<adapted_t<K>, ByValue>(stored, adapt<K>::to(wanted));
    else return order_key_against<adapted_t<K>, ByValue>(stored, wanted);
  } else if constexpr (is_byte_text<K>()) {
    using text = view_of<K>;
    const text query(wanted);
    const auto found = view_field<K>(stored);
    const std::size_t common = found.size() < query.size() ? found.size() : query.size();
    const int order = common == 0 ? 0 : std::memcmp(found.data(), query.data(), common);
    if (order != 0) return order < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
    return order_of_numbers(found.size(), query.size());
  } else {
    reader r{bytes_view{stored.at, std::size_t{0}}};
    end_type previous = stored.begin;
    K found{};
    read_slot<K>(r, stored.at, stored.tail, previous, found, 0);
    return order_of_found<K, ByValue>(found, wanted);
  }
}
template <class List, class Q>
constexpr std::strong_ordering order_against(const field_ref& stored, const Q& wanted) {
  return order_key_against < key_t<List>,
         kind_of<List> == kind::set || kind_of<List> == kind::map > (stored, wanted);
}

} // namespace detail

/// The elements of a `T` in packed bytes, in stored order. Sequences are stored in the order of the
/// container, sets and maps in the order of their keys. The view is a random-access range whose
/// elements are views; for maps, pairs of views.
template <class T>
class list_view {
  using element = typename detail::viewed_element<T>::type;
  static constexpr bool evolved = detail::is_evolvable<element> && kind_of<T> != kind::array;
  static constexpr std::size_t fixed_stride = detail::slot_size<element>; ///< unless evolvable

public:
  using value_type = typename detail::element_view<element>::type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  class iterator {
  public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = list_view::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;

    constexpr iterator() noexcept = default;

    [[nodiscard]] INGOT_INLINE constexpr value_type operator*() const noexcept {
      return detail::view_element<element, evolved>(e_);
    }
    [[nodiscard]] constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }
    INGOT_INLINE constexpr iterator& operator++() noexcept { return *this += 1; }
    constexpr iterator operator++(int) noexcept {
      iterator before = *this;
      *this += 1;
      return before;
    }
    constexpr iterator& operator--() noexcept { return *this += -1; }
    constexpr iterator operator--(int) noexcept {
      iterator before = *this;
      *this += -1;
      return before;
    }
    INGOT_INLINE constexpr iterator& operator+=(difference_type n) noexcept {
      e_.at += n * static_cast<difference_type>(evolved ? e_.stride : fixed_stride);
      if constexpr (fixed_stride == 0)
        index_ = static_cast<std::size_t>(static_cast<difference_type>(index_) + n);
      return *this;
    }
    constexpr iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    friend constexpr iterator operator+(iterator it, difference_type n) noexcept { return it += n; }
    friend constexpr iterator operator+(difference_type n, iterator it) noexcept { return it += n; }
    friend constexpr iterator operator-(iterator it, difference_type n) noexcept { return it -= n; }
    friend constexpr difference_type operator-(const iterator& a, const iterator& b) noexcept {
      if constexpr (fixed_stride == 0) {
        return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
      } else {
        return (a.e_.at - b.e_.at) / static_cast<difference_type>(evolved ? a.e_.stride : fixed_stride);
      }
    }
    friend INGOT_INLINE constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return fixed_stride == 0 ? a.index_ == b.index_ : a.e_.at == b.e_.at;
    }
    friend constexpr std::strong_ordering operator<=>(const iterator& a, const iterator& b) noexcept {
      return fixed_stride == 0 ? a.index_ <=> b.index_ : a.e_.at <=> b.e_.at;
    }

  private:
    friend class list_view;
    explicit constexpr iterator(const detail::element_ref& e, std::size_t index) noexcept
        : e_(e), index_(index) {}

    detail::element_ref e_{};
    std::size_t index_ = 0; ///< only used for elements of size zero, which share one address
  };
  using const_iterator = iterator;

  /// Validates `bytes`, a message of type `T`, and returns a view. O(n) in the number of variable
  /// fields. Errors: as `unpack`.
  [[nodiscard]] static constexpr result<list_view> open(bytes_view bytes) {
    return detail::open_view<T>(bytes, false);
  }
  template <byte_range R>
  [[nodiscard]] static constexpr result<list_view> open(const R& bytes) {
    return open(as_bytes_view(bytes));
  }
  [[nodiscard]] static constexpr result<list_view> open(const result<buffer>& packed) {
    if (!packed) return fail(packed.error());
    return open(as_bytes_view(*packed));
  }
  static void open(buffer&&) = delete;         // ingot: put the bytes into a variable first
  static void open(result<buffer>&&) = delete; // ingot: put the bytes into a variable first
  /// Views trusted bytes: those that this program packed or validated. With any other bytes,
  /// behaviour is undefined. O(1).
  [[nodiscard]] static constexpr list_view open_unchecked(bytes_view bytes) noexcept {
    return from_payload(bytes.data(), bytes.size());
  }
  template <byte_range R>
  [[nodiscard]] static constexpr list_view open_unchecked(const R& bytes) noexcept {
    return open_unchecked(as_bytes_view(bytes));
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] INGOT_INLINE constexpr iterator begin() const noexcept { return iterator{first_, 0}; }
  [[nodiscard]] INGOT_INLINE constexpr iterator end() const noexcept {
    detail::element_ref last = first_;
    last.at += size_ * (evolved ? first_.stride : fixed_stride);
    return iterator{last, size_};
  }
  /// Returns the `i`-th element. Requires `i < size()`. O(1).
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    INGOT_REQUIRE(i < size_, broken_index("ingot::list_view", i, size_));
    detail::element_ref e = first_;
    e.at += i * (evolved ? first_.stride : fixed_stride);
    return detail::view_element<element, evolved>(e);
  }
  [[nodiscard]] INGOT_CHECKED constexpr value_type front() const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty("ingot::list_view", "front()"));
    return (*this)[0];
  }
  [[nodiscard]] INGOT_CHECKED constexpr value_type back() const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty("ingot::list_view", "back()"));
    return (*this)[size_ - 1];
  }

  /// Returns the elements as a span over the bytes. Only for scalars, and for plain records whose
  /// memory equals their packed form. Empty if the bytes are not aligned for the elements: then use
  /// `copy_to` or iterate.
  [[nodiscard]] std::optional<std::span<const element>> as_span() const noexcept
    requires(detail::is_bitwise<element>)
  {
    if (reinterpret_cast<std::uintptr_t>(first_.at) % alignof(element) != 0) return std::nullopt;
    return std::span{reinterpret_cast<const element*>(first_.at), size_};
  }
  /// Copies scalars or plain records to `to`. Requires space for `size()` elements at `to`. O(n),
  /// by memcpy if possible.
  constexpr void copy_to(element* to) const
    requires(detail::is_fixed<element> && !detail::is_entry<element>)
  {
    if constexpr (detail::is_bitwise<element>) {
      if !consteval {
        if (size_ != 0) std::memcpy(to, first_.at, size_ * fixed_stride);
        return;
      }
    }
    detail::reader r{bytes_view{}};
    for (std::size_t i = 0; i < size_; ++i) {
      detail::end_type previous = 0;
      detail::read_slot<element>(r, first_.at + i * fixed_stride, first_.tail, previous, to[i], 0);
    }
  }

  /// Returns the first element whose key is not less than `wanted`, in stored order. O(log n).
  template <class Q>
  [[nodiscard]] constexpr iterator lower_bound(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return bound([&](const detail::element_ref& e) {
      return detail::order_against<T>(detail::key_field<T>(e), wanted) < 0;
    });
  }
  /// Returns the first element whose key is greater than `wanted`, in stored order. O(log n).
  template <class Q>
  [[nodiscard]] constexpr iterator upper_bound(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return bound([&](const detail::element_ref& e) {
      return detail::order_against<T>(detail::key_field<T>(e), wanted) <= 0;
    });
  }
  /// Returns the first element with the key `wanted`, or `end()`. Text keys can be looked up by
  /// anything that converts to a string_view. O(log n), without allocation.
  template <class Q>
  [[nodiscard]] constexpr iterator find(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    if (!detail::may_be_key<key_t<T>>(wanted)) return end();
    const iterator at = lower_bound(wanted);
    if (at == end() || detail::order_against<T>(detail::key_field<T>(at.e_), wanted) != 0) return end();
    return at;
  }
  template <class Q>
  [[nodiscard]] constexpr bool contains(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    return find(wanted) != end();
  }

private:
  friend struct detail::view_access;

  static INGOT_INLINE constexpr list_view from_payload(const std::byte* from, std::size_t size) noexcept {
    if constexpr (kind_of<T> == kind::array) {
      return from_slot({from, from + detail::slot_size<T>, 0});
    } else if constexpr (detail::is_text<T>) {
      return list_view{{from, from, from, fixed_stride, 0}, size / fixed_stride};
    } else {
      detail::list_shape shape{};
      detail::reader r{bytes_view{from, size}};
      detail::shape_list<T>(r, from, size, shape);
      return list_view{{shape.elements, shape.elements, shape.tail, shape.stride, 0}, shape.count};
    }
  }
  /// Views the elements of an array in a slot.
  static INGOT_INLINE constexpr list_view from_slot(const detail::field_ref& f) noexcept {
    return list_view{{f.at, f.at, f.tail, fixed_stride, f.begin}, detail::array_size<T>};
  }

  constexpr list_view(const detail::element_ref& first, std::size_t size) noexcept
      : first_(first), size_(size) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

  template <class Before>
  [[nodiscard]] constexpr iterator bound(Before before) const {
    std::size_t low = 0;
    std::size_t count = size_;
    while (count > 0) {
      const std::size_t half = count / 2;
      detail::element_ref e = first_;
      e.at += (low + half) * fixed_stride;
      if (before(e)) {
        low += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return begin() + static_cast<std::ptrdiff_t>(low);
  }

  detail::element_ref first_;
  std::size_t size_;
  static const detail::view_description<list_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<list_view<T>> list_view<T>::ingot_described =
    detail::describe_view<list_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1
