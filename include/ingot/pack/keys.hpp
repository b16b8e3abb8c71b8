// SPDX-License-Identifier: Apache-2.0
// Comparing keys where they lie in packed bytes: readers check the order with it, views search by it.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/pack/order.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::detail {

/// A field in packed bytes: its slot, the tail its payload is in, and where in the tail the payload begins.
struct field_ref {
  const std::byte* at;
  const std::byte* tail;
  end_type begin;
};

/// Kinds of keys that can be compared without decoding.
template <class K>
consteval bool compares_in_place() {
  if constexpr (is_scalar_kind<K> || kind_of<K> == kind::duration || kind_of<K> == kind::time_point) return true;
  else if constexpr (is_text<K>) return true;
  else if constexpr (kind_of<K> == kind::adapted) return compares_in_place<adapted_t<K>>();
  else if constexpr (kind_of<K> == kind::array) return is_fixed<K> && compares_in_place<element_t<K>>();
  else if constexpr (has_parts<K> && !is_evolvable<K>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((!parts<K>::template skipped<I> && compares_in_place<typename parts<K>::template type<I>>()) && ...);
    }(std::make_index_sequence<parts<K>::count>{});
  } else return false;
}

template <class C>
constexpr std::strong_ordering order_of_text(const std::byte* a, std::size_t a_size, const std::byte* b,
                                             std::size_t b_size) noexcept {
  const std::size_t common = a_size < b_size ? a_size : b_size;
  if constexpr (sizeof(C) == 1) {
    if !consteval {
      const int order = common == 0 ? 0 : std::memcmp(a, b, common);
      if (order != 0) return order < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
      return order_of_numbers(a_size, b_size);
    }
  }
  for (std::size_t i = 0; i < common; i += sizeof(C)) {
    if (const auto order = order_of<C>(load_le<C>(a + i), load_le<C>(b + i)); order != 0) return order;
  }
  return order_of_numbers(a_size, b_size);
}

/// The order of two keys as values; both have passed their level check. `begin` of each moves past the key's payload.
template <class K>
constexpr std::strong_ordering order_in_place(field_ref& a, field_ref& b) {
  if constexpr (kind_of<K> == kind::adapted) {
    return order_in_place<adapted_t<K>>(a, b);
  } else if constexpr (is_scalar_kind<K>) {
    return order_of<K>(load_le<K>(a.at), load_le<K>(b.at));
  } else if constexpr (kind_of<K> == kind::duration) {
    return order_of_numbers(load_le<typename K::rep>(a.at), load_le<typename K::rep>(b.at));
  } else if constexpr (kind_of<K> == kind::time_point) {
    return order_of_numbers(load_le<typename K::duration::rep>(a.at), load_le<typename K::duration::rep>(b.at));
  } else if constexpr (is_text<K>) {
    const end_type a_end = load_le<end_type>(a.at);
    const end_type b_end = load_le<end_type>(b.at);
    const auto order = order_of_text<typename text_unit<K>::type>(a.tail + a.begin, a_end - a.begin, b.tail + b.begin,
                                                                  b_end - b.begin);
    a.begin = a_end;
    b.begin = b_end;
    return order;
  } else if constexpr (kind_of<K> == kind::array) {
    using element = element_t<K>;
    for (std::size_t i = 0; i < array_size<K>; ++i) {
      field_ref x{a.at + i * slot_size<element>, a.tail, a.begin};
      field_ref y{b.at + i * slot_size<element>, b.tail, b.begin};
      if (const auto order = order_in_place<element>(x, y); order != 0) return order;
    }
    return std::strong_ordering::equal;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::strong_ordering order = std::strong_ordering::equal;
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        field_ref x{a.at + part_offsets<K>[J], a.tail, a.begin};
        field_ref y{b.at + part_offsets<K>[J], b.tail, b.begin};
        order = order_in_place<typename parts<K>::template type<J>>(x, y);
        a.begin = x.begin;
        b.begin = y.begin;
        return order == 0;
      };
      static_cast<void>((one(std::integral_constant<std::size_t, I>{}) && ...));
      return order;
    }(std::make_index_sequence<parts<K>::count>{});
  }
}

/// The order of two keys by their packed bytes. Fixed keys and text of one-byte characters only.
template <class K>
consteval bool compares_bytes_in_place() {
  if constexpr (is_text<K>) return sizeof(typename text_unit<K>::type) == 1;
  else return is_fixed<K>;
}

template <class K>
constexpr std::strong_ordering byte_order_in_place(const field_ref& a, const field_ref& b) {
  if constexpr (is_fixed<K>) {
    for (std::size_t i = 0; i < slot_size<K>; ++i) {
      if (a.at[i] != b.at[i]) return a.at[i] <=> b.at[i];
    }
    return std::strong_ordering::equal;
  } else {
    const end_type a_end = load_le<end_type>(a.at);
    const end_type b_end = load_le<end_type>(b.at);
    return order_of_text<typename text_unit<K>::type>(a.tail + a.begin, a_end - a.begin, b.tail + b.begin,
                                                      b_end - b.begin);
  }
}

/// A float inside a key is neither NaN nor -0: each would make two keys of one, or none.
template <class K>
constexpr bool key_is_normal(const std::byte* at) noexcept {
  if constexpr (!has_float<K>()) {
    return true;
  } else if constexpr (kind_of<K> == kind::floating) {
    using bits_type = std::conditional_t<sizeof(K) == 4, std::uint32_t, std::uint64_t>;
    const K value = load_le<K>(at);
    return value == value && std::bit_cast<bits_type>(value) != bits_type{1} << (sizeof(K) * 8 - 1);
  } else if constexpr (kind_of<K> == kind::array) {
    bool normal = true;
    for (std::size_t i = 0; i < array_size<K>; ++i) normal &= key_is_normal<element_t<K>>(at + i * slot_size<element_t<K>>);
    return normal;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (key_is_normal<typename parts<K>::template type<I>>(at + part_offsets<K>[I]) && ...);
    }(std::make_index_sequence<parts<K>::count>{});
  }
}

} // namespace ingot::inline v1::detail
