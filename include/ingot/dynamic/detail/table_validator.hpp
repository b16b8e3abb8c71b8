// SPDX-License-Identifier: Apache-2.0
// Validates a hash table in untrusted bytes, by the types of its entries at run time. Makes the
// checks of live/detail/hash_validator.hpp.
#pragma once

#include <ingot/dynamic/detail/tree_validator.hpp>
#include <ingot/live/detail/hash_layout.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Validates the positions of entries. The caller must validate the entries themselves.
class table_validator : public tree_validator {
public:
  using tree_validator::tree_validator;

protected:
  /// State of a walk over a table.
  struct table_walk {
    std::uint64_t data; ///< position of the table's storage; 0: none
    std::uint64_t next; ///< next slot
    std::uint64_t free; ///< slot after the last entry
    std::uint64_t seen; ///< number of entries so far
    std::uint64_t sum;  ///< sum of the displacements of these entries
    std::uint64_t last; ///< position of the previous entry; 0: none
    std::uint64_t last_hash;
  };

  /// Validates the head of a table's storage, and begins a walk.
  [[nodiscard]] bool begin_table(const type& of, std::uint64_t position, table_walk& t) {
    const hash_shape shape = hash_of(tables_, of);
    const std::uint64_t size = in_.count(position);
    const std::uint64_t max_home_count = max_elements(tables_, shape.entry->size + 2);
    if (size > hash_shape::max_entries(max_home_count))
      return reject(errc::bad_length, position, "a size that fits in a block");
    const std::uint64_t data =
        claim(position, size == 0 ? 0 : shape.bytes(hash_shape::homes_for(size)), shape.alignment());
    if (data == nowhere) return false;
    t = {};
    if (data == sentinel_position) return true;
    const std::uint64_t capacity = in_.capacity(data);
    if (capacity < shape.head) return reject(errc::bad_length, data, "space for a table's head");
    const hash_table table = hash_table::of(in_, shape, data);
    if (table.home_count == 0 || table.home_count > max_home_count ||
        shape.bytes(table.home_count) > capacity || size > hash_shape::max_entries(table.home_count))
      return reject(errc::bad_length, data,
                    "a number of homes that fits into the storage and suffices for the size");
    if (!all_zero(data + shape.head + table.slots, 16))
      return reject(errc::bad_padding, data + shape.head + table.slots, "no tags after the last slot");
    t.data = data;
    return true;
  }
  /// Advances to the next full slot. At the end, checks the number of entries and the sum of their
  /// displacements.
  [[nodiscard]] bool next_slot(table_walk& t, const hash_table& table, std::uint64_t size) {
    for (; t.next < table.slots; ++t.next) {
      if (t.next % 8 == 0 && !check_tags(table, t.next)) return false;
      if (table.tag(t.next) != 0) break;
    }
    for (std::uint64_t empty = t.free; empty < t.next; ++empty) {
      if (table.step(empty) != 0)
        return reject(errc::bad_padding, table.step_position(empty), "zero for an empty slot");
    }
    if (t.next != table.slots) return true;
    if (t.seen != size) return reject(errc::bad_length, t.data, "as many full slots as the size says");
    return (t.sum == table.total_displacement() &&
            t.sum <= hash_shape::max_total_displacement(table.home_count)) ||
           reject(errc::bad_length, t.data,
                  "the sum of all steps, at most 4 for each entry of the capacity and 64 more");
  }
  /// Checks that the entry in the current slot is where its hash requires. Requires that the entry
  /// is validated.
  [[nodiscard]] bool check_slot(table_walk& t, const hash_table& table) {
    const type& key = *table.shape.key;
    const std::uint64_t at = table.entry(t.next);
    if (!is_normal(in_, at, key))
      return reject(errc::not_canonical, at, "a key without NaN and negative zero");
    const std::uint64_t hashed = hash(table.seed(), in_, at, key);
    const wide_product home = multiply(hashed, table.home_count);
    const std::uint64_t step =
        t.next - home.high; // wraps to a huge number if the entry is before its home slot
    if (table.tag(t.next) != static_cast<std::uint8_t>(home.low >> 57 | 0x80) || table.step(t.next) != step ||
        step >= max_probe_length || (step != 0 && t.next != t.free))
      return reject(errc::unsorted_keys, at, "a key where its hash says");
    if (t.last != 0 && hashed <= t.last_hash) {
      const int order = hashed < t.last_hash ? 1 : compare(in_, t.last, in_, at, key);
      if (order == 0) return reject(errc::duplicate_key, at, "each key once");
      if (order > 0) return reject(errc::unsorted_keys, at, "keys in the order of their hashes");
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
  /// Checks the next eight tags, or fewer at the end.
  [[nodiscard]] bool check_tags(const hash_table& table, std::uint64_t slot) {
    for (std::uint64_t i = slot; i < slot + 8 && i < table.slots; ++i) {
      if (table.tag(i) != 0 && table.tag(i) < 0x80)
        return reject(errc::bad_padding, table.tag_position(slot), "tags of full slots, or zero");
    }
    return true;
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
