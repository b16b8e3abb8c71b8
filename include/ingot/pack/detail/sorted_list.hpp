// SPDX-License-Identifier: Apache-2.0
// Reads sets and maps. Compares each key with the previous key, and rejects floats that a key can't
// have. See lists.hpp.
#pragma once

#include <ingot/pack/detail/keys.hpp>
#include <ingot/pack/detail/list_shape.hpp>
#include <ingot/pack/detail/reader.hpp>
#include <ingot/reflect/detail/key_filling.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Checks that the key `next` follows `last`, the previous entry's key, in the format's order.
template <class List>
INGOT_INLINE constexpr bool key_in_order(reader& r, const field_ref& last, const field_ref& next,
                                         unsigned depth) {
  using key = key_t<List>;
  constexpr bool by_value = kind_of<List> == kind::set || kind_of<List> == kind::map;
  std::strong_ordering order = std::strong_ordering::less;
  field_ref a = last;
  field_ref b = next;
  if constexpr (!by_value) {
    order = byte_order_in_place<key>(a, b);
    // unordered multimaps have no order of their own: entries with equal keys are ordered by value
    if constexpr (is_map<List> && is_multi<List>) {
      a.at += slot_size<key>;
      b.at += slot_size<key>;
      if (order == 0) order = byte_order_in_place<mapped_t<List>>(a, b);
    }
  } else if constexpr (compares_in_place<key>()) {
    order = order_in_place<key>(a, b);
  } else {
    key left{};
    key right{};
    const std::uint32_t counted = std::exchange(r.empty_elements, 0u);
    if (!read_slot<key>(r, a.at, a.tail, a.begin, left, depth) ||
        !read_slot<key>(r, b.at, b.tail, b.begin, right, depth)) {
      return false;
    }
    r.empty_elements = counted; // these keys were counted when they were first read
    order = order_of<key>(left, right);
  }
  if (order < 0) [[likely]]
    return true;
  if (order == 0) {
    return is_multi<List> || r.fail(errc::duplicate_key, next.at, "each key once");
  }
  return r.fail(errc::unsorted_keys, next.at, "keys in ascending order");
}

/// Checks that a key has no NaN or -0, and that it follows the previous key in the format's order,
/// if there is one.
template <class List>
INGOT_INLINE constexpr bool key_follows(reader& r, std::size_t index, const field_ref& last,
                                        const field_ref& next, unsigned depth) {
  if (!key_is_normal<key_t<List>>(next)) [[unlikely]]
    return r.fail(errc::not_canonical, next.at, "a key that is neither NaN nor -0");
  return index == 0 || key_in_order<List>(r, last, next, depth);
}

template <class List, class Out>
constexpr bool read_sorted_list(reader& r, const list_shape& shape, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  static_assert(!is_evolvable<element>,
                "ingot: an evolvable record is no key: its order would change with its members");
  using key = key_t<List>;
  if constexpr (keeps<Out>) {
    out.clear();
    if (!take_memory(r, shape.elements, shape.count * element_cost<Out>())) [[unlikely]]
      return false;
  }
  [[maybe_unused]] key_adder<Out> adder(out);
  end_type previous = 0;
  field_ref last{};
  const std::byte* at = shape.elements;
  [[maybe_unused]] const std::uint64_t bytes = shape.count * shape.stride + shape.tail_size;
  [[maybe_unused]] std::size_t next_report = next_report_index(r, 0, shape.count, bytes);
  for (std::size_t i = 0; i < shape.count; ++i, at += shape.stride) {
    end_type reached = previous;
    const field_ref next{at, shape.tail, previous};
    if (level_bad<element>(at, reached, shape.tail_size)) [[unlikely]] {
      reached = previous;
      explain_level<element>(r, at, reached, shape.tail_size);
      return name_element<List>(r, i);
    }
    constexpr bool after_reading = has_float_in_payload<key>();
    [[maybe_unused]] const field_ref former = last; // for keys that are checked after they are read
    if constexpr (!after_reading) {
      if (!key_follows<List>(r, i, last, next, depth)) [[unlikely]]
        return name_element<List>(r, i);
    }
    last = next;
    if constexpr (!keeps<Out>) {
      bool well = read_slot<key>(r, at, shape.tail, previous, out, depth);
      if constexpr (is_map<List>) {
        if (!well) [[unlikely]]
          name_part<element>(r, 0);
      }
      if constexpr (after_reading) well = well && key_follows<List>(r, i, former, next, depth);
      if constexpr (is_map<List>) {
        well = well && (read_slot<mapped_t<List>>(r, at + slot_size<key>, shape.tail, previous, out, depth) ||
                        name_part<element>(r, 1));
      }
      if (!well) [[unlikely]]
        return name_element<List>(r, i);
    } else {
      bool has_key = false;
      bool inserted = false;
      bool is_accepted = true;
      const std::size_t size = shape.stride + (reached - previous);
      const bool well =
          read_value<key>(r, at, shape.tail, previous, size, depth, [&](key&& k) INGOT_INLINE_LAMBDA {
            has_key = true;
            if constexpr (after_reading) {
              if (!key_follows<List>(r, i, former, next, depth)) return false;
            }
            if constexpr (is_map<List>) {
              return read_value<mapped_t<List>>(r, at + slot_size<key>, shape.tail, previous, size, depth,
                                                [&](mapped_t<List>&& value) INGOT_INLINE_LAMBDA {
                                                  const auto added = adder.add(r.max_collisions, std::move(k),
                                                                               std::move(value));
                                                  inserted = added.is_new;
                                                  is_accepted = added.is_accepted;
                                                  return true;
                                                }) ||
                     name_part<element>(r, 1);
            } else {
              const auto added = adder.add(r.max_collisions, std::move(k));
              inserted = added.is_new;
              is_accepted = added.is_accepted;
              return true;
            }
          });
      if (!well) [[unlikely]] {
        if constexpr (is_map<List>) {
          if (!has_key) name_part<element>(r, 0);
        }
        return name_element<List>(r, i);
      }
      if (!inserted) { // keys that differ in the format are equal for the container
        r.fail(errc::duplicate_key, at, "keys that differ for the container's comparison");
        return name_element<List>(r, i);
      }
      if (!is_accepted) [[unlikely]] {
        r.fail(errc::too_many_collisions, at, few_collisions);
        return name_element<List>(r, i);
      }
      if (i + 1 == next_report && next_report != shape.count) [[unlikely]] {
        if (!tell(r, at + previous)) return false;
        next_report = next_report_index(r, next_report, shape.count, bytes);
      }
    }
  }
  if constexpr (keeps<Out>) adder.finish();
  return tail_is_used(r, shape, previous);
}

}}} // namespace ingot::INGOT_V1::detail
