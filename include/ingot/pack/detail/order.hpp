// SPDX-License-Identifier: Apache-2.0
// The stored order of keys. It does not depend on the comparison or hash function of the container.
// In ordered containers, numbers and enums are ordered by value, text by unsigned bytes, all other
// keys member by member. In unordered containers, keys are ordered by their packed bytes.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/key_floats.hpp>
#include <ingot/pack/layout.hpp>

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class K>
constexpr std::strong_ordering order_of(const K& a, const K& b);

template <class K>
struct text_unit {
  using type = typename K::value_type;
};
template <class K>
  requires(kind_of<K> == kind::path)
struct text_unit<K> {
  using type = char8_t;
};

/// Returns true for text whose units are single bytes.
template <class K>
consteval bool is_byte_text() {
  if constexpr (is_text<K>) return sizeof(typename text_unit<K>::type) == 1;
  else return false;
}

template <class N>
constexpr std::strong_ordering order_of_numbers(N a, N b) noexcept {
  if constexpr (std::is_floating_point_v<N>) return compare_floats(a, b) <=> 0;
  else
    return a < b   ? std::strong_ordering::less
           : b < a ? std::strong_ordering::greater
                   : std::strong_ordering::equal;
}

constexpr std::strong_ordering order_of_bytes(bytes_view a, bytes_view b) noexcept {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) return a[i] <=> b[i];
  }
  return order_of_numbers(a.size(), b.size());
}

/// Sorts by merging, bottom-up. Including <algorithm> would add a quarter of a second to each
/// compilation. Returns false if `by` is cancelled; the items are then in no particular order.
template <class T, class Before, class By = std::nullptr_t>
constexpr bool sort_stably(std::vector<T>& items, Before before, [[maybe_unused]] By by = nullptr) {
  std::vector<T> other(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const std::size_t middle = begin + width < items.size() ? begin + width : items.size();
      const std::size_t end = middle + width < items.size() ? middle + width : items.size();
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        if constexpr (!std::is_null_pointer_v<By>) {
          if (!by->step_should_continue()) return false;
        }
        const bool take_right = left == middle || (right != end && before(items[right], items[left]));
        other[to] = take_right ? items[right++] : items[left++];
      }
    }
    items.swap(other);
  }
  return true;
}

/// Compares two keys as values.
template <class K>
constexpr std::strong_ordering order_of(const K& a, const K& b) {
  if constexpr (kind_of<K> == kind::adapted) {
    return order_of<adapted_t<K>>(adapt<K>::to(a), adapt<K>::to(b));
  } else if constexpr (kind_of<K> == kind::enumeration || kind_of<K> == kind::byte) {
    return order_of_numbers(static_cast<std::underlying_type_t<K>>(a),
                            static_cast<std::underlying_type_t<K>>(b));
  } else if constexpr (kind_of<K> == kind::character) {
    return order_of_numbers(static_cast<std::make_unsigned_t<K>>(a), static_cast<std::make_unsigned_t<K>>(b));
  } else if constexpr (is_scalar_kind<K>) {
    return order_of_numbers(a, b);
  } else if constexpr (kind_of<K> == kind::duration) {
    return order_of_numbers(a.count(), b.count());
  } else if constexpr (kind_of<K> == kind::time_point) {
    return order_of_numbers(a.time_since_epoch().count(), b.time_since_epoch().count());
  } else if constexpr (kind_of<K> == kind::path) {
    return order_of(a.u8string(), b.u8string());
  } else if constexpr (is_text<K> || kind_of<K> == kind::array || kind_of<K> == kind::sequence) {
    auto i = std::begin(a);
    auto j = std::begin(b);
    for (; i != std::end(a) && j != std::end(b); ++i, ++j) {
      const element_t<K>& x = *i;
      const element_t<K>& y = *j;
      if (const auto order = order_of<element_t<K>>(x, y); order != 0) return order;
    }
    return order_of_numbers(i != std::end(a), j != std::end(b));
  } else {
    static_assert(has_parts<K>,
                  "ingot orders keys that are numbers, enums, text, arrays, or records of these");
    const auto left = part_pointers(a);
    const auto right = part_pointers(b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::strong_ordering order = std::strong_ordering::equal;
      static_cast<void>(
          ((parts<K>::template skipped<I> || (order = order_of<typename parts<K>::template type<I>>(
                                                  *pointer_at<I>(left), *pointer_at<I>(right)),
                                              order == 0)) &&
           ...));
      return order;
    }(std::make_index_sequence<parts<K>::count>{});
  }
}

/// Returns the packed bytes of a key of any kind. Defined with the writer.
template <class K>
constexpr std::vector<std::byte> packed_key(const K& key);

/// Compares two keys by their packed bytes. Unordered containers are stored in this order.
template <class K>
constexpr std::strong_ordering byte_order_of(const K& a, const K& b) {
  if constexpr (has_float<K>()) { // compares the keys as they are written, with -0 as 0
    auto left = packed_key(a);
    auto right = packed_key(b);
    normalise_lone_key<K>(left.data(), left.size());
    normalise_lone_key<K>(right.data(), right.size());
    return order_of_bytes(left, right);
  } else if constexpr (is_scalar_kind<K>) {
    const auto left = std::bit_cast<std::array<std::byte, sizeof(K)>>(a);
    const auto right = std::bit_cast<std::array<std::byte, sizeof(K)>>(b);
    for (std::size_t i = 0; i < sizeof(K); ++i) {
      const std::size_t at = little_endian ? i : sizeof(K) - 1 - i;
      if (left[at] != right[at]) return left[at] <=> right[at];
    }
    return std::strong_ordering::equal;
  } else if constexpr (is_byte_text<K>()) {
    return order_of(a, b);
  } else {
    const auto left = packed_key(a);
    const auto right = packed_key(b);
    return order_of_bytes(left, right);
  }
}

template <class List>
constexpr const auto& key_of(const auto& item) noexcept {
  if constexpr (is_map<List>) return item.first;
  else return item;
}

/// True if the container already iterates in the stored order, so that nothing must be checked or
/// sorted.
template <class List>
inline constexpr bool has_trusted_order = [] {
  if constexpr (requires { typename List::key_compare; }) {
    using key = key_t<List>;
    using compare = typename List::key_compare;
    constexpr bool plain_key =
        kind_of<key> == kind::integer || kind_of<key> == kind::boolean || kind_of<key> == kind::floating ||
        kind_of<key> == kind::enumeration || kind_of<key> == kind::byte || kind_of<key> == kind::duration ||
        kind_of<key> == kind::time_point || (kind_of<key> == kind::string && is_byte_text<key>());
    return plain_key && (std::is_same_v<compare, std::less<key>> || std::is_same_v<compare, std::less<void>>);
  } else {
    return false;
  }
}();

/// Returns true if `std::less` compares `char`s in values of `K`. `char` is signed on some
/// platforms, but keys are stored in the order of unsigned code units.
template <class K>
consteval bool holds_char() {
  if constexpr (std::is_same_v<K, char>) return true;
  else if constexpr (kind_of<K> == kind::array || kind_of<K> == kind::sequence)
    return holds_char<element_t<K>>();
  else if constexpr (has_parts<K>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((!parts<K>::template skipped<I> &&
               holds_char<std::remove_const_t<typename parts<K>::template type<I>>>()) ||
              ...);
    }(std::make_index_sequence<parts<K>::count>{});
  } else return false;
}
template <class K>
consteval bool has_order() {
  if constexpr (is_scalar_kind<K> || is_text<K> || kind_of<K> == kind::duration ||
                kind_of<K> == kind::time_point)
    return true;
  else if constexpr (kind_of<K> == kind::adapted) return has_order<adapted_t<K>>();
  else if constexpr (kind_of<K> == kind::array || kind_of<K> == kind::sequence)
    return has_order<element_t<K>>();
  else if constexpr (has_parts<K>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<K>::template skipped<I> ||
               has_order<std::remove_const_t<typename parts<K>::template type<I>>>()) &&
              ...);
    }(std::make_index_sequence<parts<K>::count>{});
  } else return false;
}
/// True for ordered containers whose own order is not the stored order, because `char` is signed on
/// this platform.
template <class List>
inline constexpr bool needs_code_unit_order = [] {
  if constexpr (requires { typename List::key_compare; }) {
    using key = key_t<List>;
    using compare = typename List::key_compare;
    if constexpr (std::is_same_v<compare, std::less<key>> || std::is_same_v<compare, std::less<void>>)
      return std::is_signed_v<char> && holds_char<key>() && has_order<key>();
    else return false;
  } else {
    return false;
  }
}();
/// Calls `f` with the items of an ordered container, keys ascending by code unit, until `f` returns
/// false. Returns true if `f` never returned false.
template <class List, class F>
constexpr bool for_each_by_code_unit(const List& list, F&& f) {
  if constexpr (needs_code_unit_order<List>) {
    std::vector<const typename List::value_type*> items;
    items.reserve(list.size());
    for (const auto& item : list) items.push_back(std::addressof(item));
    const auto before = [](const auto* a, const auto* b) {
      return order_of<key_t<List>>(key_of<List>(*a), key_of<List>(*b)) < 0;
    };
    sort_stably(items, before);
    for (const auto* item : items) {
      if (!f(*item)) return false;
    }
  } else {
    for (const auto& item : list) {
      if (!f(item)) return false;
    }
  }
  return true;
}

/// Returns true if `a` is written before `b`. Entries with equal keys keep their order in ordered
/// multimaps. Unordered multimaps have no order of their own, so the packed values decide.
template <class List>
constexpr bool stored_before(const auto& a, const auto& b) {
  using key = key_t<List>;
  if constexpr (kind_of<List> == kind::set || kind_of<List> == kind::map) {
    return order_of<key>(key_of<List>(a), key_of<List>(b)) < 0;
  } else {
    const auto order = byte_order_of<key>(key_of<List>(a), key_of<List>(b));
    if constexpr (is_map<List> && is_multi<List>) {
      if (order == 0) {
        const auto left = packed_key<mapped_t<List>>(a.second);
        const auto right = packed_key<mapped_t<List>>(b.second);
        return order_of_bytes(left, right) < 0;
      }
    }
    return order < 0;
  }
}

}}} // namespace ingot::INGOT_V1::detail
