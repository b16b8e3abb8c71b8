// SPDX-License-Identifier: Apache-2.0
// Compares keys in packed bytes, in place: readers check the order, and views search.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/key_floats.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/pack/layout.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A field in packed bytes: the address of its slot, the start of the tail that contains its
/// payload, and the position of the payload in the tail.
struct field_ref {
  const std::byte* at;
  const std::byte* tail;
  end_type begin;
};

/// Returns true for kinds of keys that can be compared without decoding.
template <class K>
consteval bool compares_in_place() {
  if constexpr (is_scalar_kind<K> || kind_of<K> == kind::duration || kind_of<K> == kind::time_point)
    return true;
  else if constexpr (is_text<K>) return true;
  else if constexpr (kind_of<K> == kind::adapted) return compares_in_place<adapted_t<K>>();
  else if constexpr (kind_of<K> == kind::array) return is_fixed<K> && compares_in_place<element_t<K>>();
  else if constexpr (has_parts<K> && !is_evolvable<K>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((!parts<K>::template skipped<I> && compares_in_place<typename parts<K>::template type<I>>()) &&
              ...);
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

/// Compares two keys by value. Requires that the level check (level.hpp) has accepted both keys. If
/// the keys are equal, `begin` of each field is then the end of the key's payload.
template <class K>
constexpr std::strong_ordering order_in_place(field_ref& a, field_ref& b) {
  if constexpr (kind_of<K> == kind::adapted) {
    return order_in_place<adapted_t<K>>(a, b);
  } else if constexpr (is_scalar_kind<K>) {
    return order_of<K>(load_le<K>(a.at), load_le<K>(b.at));
  } else if constexpr (kind_of<K> == kind::duration) {
    return order_of_numbers(load_le<typename K::rep>(a.at), load_le<typename K::rep>(b.at));
  } else if constexpr (kind_of<K> == kind::time_point) {
    return order_of_numbers(load_le<typename K::duration::rep>(a.at),
                            load_le<typename K::duration::rep>(b.at));
  } else if constexpr (is_text<K>) {
    const end_type a_end = load_le<end_type>(a.at);
    const end_type b_end = load_le<end_type>(b.at);
    const auto order = order_of_text<typename text_unit<K>::type>(a.tail + a.begin, a_end - a.begin,
                                                                  b.tail + b.begin, b_end - b.begin);
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

/// Compares the bytes that the slots of `a` and `b` would have if the enclosing fields `a_field`
/// and `b_field` were whole messages. The end offsets then count from the start of the field's
/// payload. Does not read the payloads. Moves `begin` of `a` and `b` to the end of their payloads.
template <class T>
constexpr std::strong_ordering slot_order_in_place(field_ref& a, field_ref& b, const field_ref& a_field,
                                                   const field_ref& b_field) {
  if constexpr (kind_of<T> == kind::adapted) {
    return slot_order_in_place<adapted_t<T>>(a, b, a_field, b_field);
  } else if constexpr (is_variable_leaf<T>) {
    a.begin = load_le<end_type>(a.at);
    b.begin = load_le<end_type>(b.at);
    return order_of_numbers(std::byteswap(a.begin - a_field.begin), std::byteswap(b.begin - b_field.begin));
  } else if constexpr (is_fixed<T>) {
    for (std::size_t i = 0; i < slot_size<T>; ++i) {
      if (a.at[i] != b.at[i]) return a.at[i] <=> b.at[i];
    }
    return std::strong_ordering::equal;
  } else {
    std::strong_ordering order = std::strong_ordering::equal;
    const auto one = [&]<class Part>(std::type_identity<Part>, std::size_t offset) {
      field_ref x{a.at + offset, a.tail, a.begin};
      field_ref y{b.at + offset, b.tail, b.begin};
      const auto found = slot_order_in_place<Part>(x, y, a_field, b_field);
      if (order == 0) order = found;
      a.begin = x.begin;
      b.begin = y.begin;
    };
    if constexpr (kind_of<T> == kind::array) {
      using element = element_t<T>;
      for (std::size_t i = 0; i < array_size<T>; ++i)
        one(std::type_identity<element>{}, i * slot_size<element>);
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] const auto part = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
          if constexpr (!parts<T>::template skipped<J>) {
            one(std::type_identity<typename parts<T>::template type<J>>{}, part_offsets<T>[J]);
          }
        };
        (part(std::integral_constant<std::size_t, I>{}), ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
    return order;
  }
}

/// Compares the bytes that two fields would have if each were a whole message. Requires that the
/// level check (level.hpp) has accepted both fields. Works for all types, and decodes nothing.
/// Moves `begin` of each field to the end of the field's payload.
template <class T>
constexpr std::strong_ordering byte_order_in_place(field_ref& a, field_ref& b) {
  const field_ref a_field = a;
  const field_ref b_field = b;
  std::strong_ordering order = slot_order_in_place<T>(a, b, a_field, b_field);
  if constexpr (is_variable_leaf<T>)
    // The slot of a variable leaf contains only an end offset. If the field were a whole message,
    // it would have no end offset. So the order of the slots is ignored.
    order = std::strong_ordering::equal;
  if (order != 0) return order;
  return order_of_text<char8_t>(a.tail + a_field.begin, a.begin - a_field.begin, b.tail + b_field.begin,
                                b.begin - b_field.begin);
}

/// Returns true if no float in a key is NaN or -0. Requires that payloads with floats are valid.
template <class K>
constexpr bool key_is_normal(const field_ref& key) noexcept {
  if constexpr (!has_float<K>()) {
    return true;
  } else {
    seen_normal f;
    end_type begin = key.begin;
    each_packed_float<K>(key.at, key.tail, begin, f);
    return f.all;
  }
}

}}} // namespace ingot::INGOT_V1::detail
