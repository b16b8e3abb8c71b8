// SPDX-License-Identifier: Apache-2.0
// Whether foreign bytes are a hash table, by the types of its entries at run time: what hash_check.hpp asks.
#pragma once

#include <ingot/dynamic/detail/tree_proof.hpp>
#include <ingot/live/detail/hash_layout.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Where entries lie. Whether they are whole is the caller's to check, one after the other.
class table_proof : public tree_proof {
public:
  using tree_proof::tree_proof;

protected:
  /// Where a walk over a table is.
  struct table_walk {
    std::uint64_t data; ///< its storage; 0: it has none
    std::uint64_t next; ///< the slot that comes
    std::uint64_t free; ///< the slot behind the last entry
    std::uint64_t seen; ///< entries
    std::uint64_t sum;  ///< of their steps
    std::uint64_t last; ///< the entry in front; 0: none
    std::uint64_t last_hash;
  };

  /// Looks at the head.
  [[nodiscard]] bool begin_table(const type& of, std::uint64_t place, table_walk& t) {
    const hash_shape shape = hash_of(tables_, of);
    const std::uint64_t size = in_.count(place);
    const std::uint64_t most_homes = most_of(tables_, shape.entry->size + 2);
    if (size > hash_shape::room(most_homes))
      return refuse(errc::bad_length, place, "a size that fits in a block");
    const std::uint64_t data =
        claim(place, size == 0 ? 0 : shape.bytes(hash_shape::homes_for(size)), shape.alignment());
    if (data == nowhere) return false;
    t = {};
    if (data == sentinel_position) return true;
    const std::uint64_t capacity = in_.capacity(data);
    if (capacity < shape.head) return refuse(errc::bad_length, data, "room for a table's head");
    const hash_table table = hash_table::of(in_, shape, data);
    if (table.homes == 0 || table.homes > most_homes || shape.bytes(table.homes) > capacity ||
        size > hash_shape::room(table.homes))
      return refuse(errc::bad_length, data, "as many homes as the storage has room for and the size needs");
    if (!all_zero(data + shape.head + table.slots, 16))
      return refuse(errc::bad_padding, data + shape.head + table.slots, "no tags behind the last slot");
    t.data = data;
    return true;
  }
  /// Goes on to the next full slot, or to the end, where the sums have to be right.
  [[nodiscard]] bool next_slot(table_walk& t, const hash_table& table, std::uint64_t size) {
    for (; t.next < table.slots; ++t.next) {
      if (t.next % 8 == 0 && !check_tags(table, t.next)) return false;
      if (table.tag(t.next) != 0) break;
    }
    for (std::uint64_t empty = t.free; empty < t.next; ++empty) {
      if (table.step(empty) != 0)
        return refuse(errc::bad_padding, table.step_place(empty), "zero for an empty slot");
    }
    if (t.next != table.slots) return true;
    if (t.seen != size) return refuse(errc::bad_length, t.data, "as many full slots as the size says");
    return (t.sum == table.behind() && t.sum <= hash_shape::most_behind(table.homes)) ||
           refuse(errc::bad_length, t.data,
                  "the sum of all steps, at most 4 for each entry there is room for and 64 more");
  }
  /// A slot whose entry is whole: it is where its hash says.
  [[nodiscard]] bool check_slot(table_walk& t, const hash_table& table) {
    const type& key = *table.shape.key;
    const std::uint64_t at = table.entry(t.next);
    if (!is_normal(in_, at, key))
      return refuse(errc::not_canonical, at, "a key without NaN and negative zero");
    const std::uint64_t hashed = hash(table.seed(), in_, at, key);
    const wide_product place = multiply(hashed, table.homes);
    const std::uint64_t step = t.next - place.high; // huge in front of the home
    if (table.tag(t.next) != static_cast<std::uint8_t>(place.low >> 57 | 0x80) ||
        table.step(t.next) != step || step >= hash_reach || (step != 0 && t.next != t.free))
      return refuse(errc::unsorted_keys, at, "a key where its hash says");
    if (t.last != 0 && hashed <= t.last_hash) {
      const int order = hashed < t.last_hash ? 1 : compare(in_, t.last, in_, at, key);
      if (order == 0) return refuse(errc::duplicate_key, at, "each key once");
      if (order > 0) return refuse(errc::unsorted_keys, at, "keys in the order of their hashes");
    }
    t.last = at;
    t.last_hash = hashed;
    t.sum += step;
    t.free = t.next + 1;
    ++t.seen;
    ++t.next;
    return true;
  }

private:
  /// Eight of them, as many as there are.
  [[nodiscard]] bool check_tags(const hash_table& table, std::uint64_t slot) {
    for (std::uint64_t i = slot; i < slot + 8 && i < table.slots; ++i) {
      if (table.tag(i) != 0 && table.tag(i) < 0x80)
        return refuse(errc::bad_padding, table.tag_place(slot), "tags of full slots, or zero");
    }
    return true;
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
