// SPDX-License-Identifier: Apache-2.0
// A container or array in bytes that were not validated. See checked_view.hpp.
#pragma once

#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <class Element>
struct checked_element {
  using type = checked_view<Element>;
};
template <class K, class V>
struct checked_element<map_entry<K, V>> {
  using type = std::pair<checked_view<K>, checked_view<V>>;
};

} // namespace detail

/// The elements of a `T`. Creating the view compares the size of the list with the number of bytes.
/// Reading an element checks only this element.
template <class T>
class checked_list_view {
  using element = typename detail::viewed_element<T>::type;
  static constexpr bool evolved = detail::is_evolvable<element> && kind_of<T> != kind::array;

public:
  /// The type of an element. Elements of maps are pairs.
  using value_type = typename detail::checked_element<element>::type;

  /// Views `bytes`, a message of type `T`. Checks the size of the list only. O(1).
  [[nodiscard]] static result<checked_list_view> over(bytes_view bytes) {
    return detail::checked_message<T>(bytes);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Returns the `i`-th element. O(1). Errors: `out_of_range`, and those of invalid bytes.
  [[nodiscard]] result<value_type> at(std::size_t i) const {
    auto p = range_of(i);
    if (!p) return fail(p.error());
    if constexpr (evolved) {
      const std::size_t end = p->end_at(0);
      if (end < p->begin || end > p->limit)
        return detail::fail_in(*p, errc::bad_length, p->at, "an end inside the tail");
      p->at += detail::end_size;
      p->tail += p->begin;
      p->limit = end - p->begin;
      p->begin = 0;
      return detail::view_access::from_evolved<value_type>(*p, stride_ - detail::end_size);
    } else if constexpr (detail::is_entry<element>) {
      using key = typename element::key;
      using mapped = typename element::value;
      detail::checked_range beside = *p;
      if constexpr (detail::last_leaf<key> != detail::no_leaf)
        beside.begin = p->end_at(detail::last_leaf<key>);
      beside.at += detail::slot_size<key>;
      p->path.add("key");
      beside.path.add("value");
      auto k = detail::checked_field<key>(*p);
      if (!k) return fail(k.error());
      auto v = detail::checked_field<mapped>(beside);
      if (!v) return fail(v.error());
      return value_type{*k, *v};
    } else {
      return detail::checked_field<element>(*p);
    }
  }
  [[nodiscard]] result<value_type> operator[](std::size_t i) const { return at(i); }

  /// Returns the index of the first element with the key `wanted`, or `size()` if there is none.
  /// O(log n). Assumes that the keys are in order, and does not check the order. In a list whose
  /// keys are not in order, the search may miss the element.
  template <class Q>
  [[nodiscard]] result<std::size_t> find(const Q& wanted) const
    requires detail::is_sorted_list<T>
  {
    if (!detail::may_be_key<detail::owning_t<key_t<T>>>(wanted)) return size_;
    std::size_t low = 0;
    std::size_t high = size_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const auto order = order_against(middle, wanted);
      if (!order) return fail(order.error());
      if (*order < 0) low = middle + 1;
      else high = middle;
    }
    if (low == size_) return size_;
    const auto order = order_against(low, wanted);
    if (!order) return fail(order.error());
    return *order == 0 ? low : size_;
  }

private:
  friend struct detail::view_access;

  [[nodiscard]] static result<checked_list_view> from_slot(const detail::checked_range& p) {
    return checked_list_view{p, detail::array_size<T>, detail::slot_size<element>};
  }
  /// Views the payload of `size` bytes at `p.at`. Requires that the payload is inside the message.
  /// Checks the header of the list.
  [[nodiscard]] static result<checked_list_view> from_payload(detail::checked_range p, std::size_t size) {
    p.begin = 0;
    p.tail = p.at + size;
    p.limit = 0;
    if constexpr (detail::is_text<T>) {
      return checked_list_view{p, size / detail::slot_size<element>, detail::slot_size<element>};
    } else {
      detail::list_shape shape{};
      detail::reader r{p.message};
      if (!detail::shape_list<T>(r, p.bytes(), size, shape)) return detail::fail_in(p, r);
      p.at = static_cast<std::size_t>(shape.elements - p.message.data());
      p.tail = static_cast<std::size_t>(shape.tail - p.message.data());
      p.limit = shape.tail_size;
      return checked_list_view{p, shape.count, shape.stride};
    }
  }

  checked_list_view(const detail::checked_range& p, std::size_t size, std::size_t stride) noexcept
      : first_(p), size_(size), stride_(stride) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

  [[nodiscard]] result<detail::checked_range> range_of(std::size_t i) const {
    if (i >= size_) return detail::fail_in(first_, errc::out_of_range, first_.at, "the index of an element");
    detail::checked_range p = first_;
    p.at += i * stride_;
    if (i != 0) {
      if constexpr (evolved) p.begin = load_le<detail::end_type>(p.bytes() - stride_);
      else if constexpr (detail::last_leaf<element> != detail::no_leaf) {
        p.begin = load_le<detail::end_type>(p.bytes() - stride_ + detail::last_leaf<element>);
      }
    }
    p.path.add(i);
    return p;
  }

  template <class Q>
  [[nodiscard]] result<std::strong_ordering> order_against(std::size_t i, const Q& wanted) const {
    using key = key_t<T>;
    auto p = range_of(i);
    if (!p) return fail(p.error());
    if constexpr (detail::is_byte_text<key>()) {
      using text = view_of_text<key>;
      const auto found = detail::checked_field<key>(*p);
      if (!found) return fail(found.error());
      const text query(wanted);
      return detail::order_of_text<typename text::value_type>(
          reinterpret_cast<const std::byte*>(found->data()), found->size(),
          reinterpret_cast<const std::byte*>(query.data()), query.size());
    } else {
      detail::owning_t<key> found{};
      detail::reader r{p->message};
      if (p->begin > p->limit) return detail::fail_in(*p, errc::bad_length, p->at, "an end inside the tail");
      auto previous = static_cast<detail::end_type>(p->begin);
      if (!detail::explain_level<key>(r, p->bytes(), previous, static_cast<detail::end_type>(p->limit))) {
        return detail::fail_in(*p, r);
      }
      previous = static_cast<detail::end_type>(p->begin);
      const std::byte* const tail = p->message.data() + p->tail;
      if (!detail::read_slot<detail::owning_t<key>>(r, p->bytes(), tail, previous, found, 0))
        return detail::fail_in(*p, r);
      // A stored NaN would compare as equal to every query.
      if (!detail::key_is_normal<key>({p->bytes(), tail, static_cast<detail::end_type>(p->begin)}))
        return detail::fail_in(*p, errc::not_canonical, p->at, "a key that is neither NaN nor -0");
      if constexpr (kind_of<T> == kind::set || kind_of<T> == kind::map) {
        return detail::order_of<detail::owning_t<key>>(found, wanted);
      } else {
        return detail::byte_order_of<detail::owning_t<key>>(found, wanted);
      }
    }
  }
  template <class K>
  using view_of_text = detail::view_of<K>;

  detail::checked_range first_;
  std::size_t size_;
  std::size_t stride_;
  static const detail::view_description<checked_list_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<checked_list_view<T>>
    checked_list_view<T>::ingot_described = detail::describe_view<checked_list_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1
