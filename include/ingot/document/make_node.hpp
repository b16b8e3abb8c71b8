// SPDX-License-Identifier: Apache-2.0
// Nodes made in one go, as long as they have to be: cells and heap of values that are all known, keys that are sorted already.
#pragma once

#include <ingot/document/tree.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot::inline v1::detail::doc {

/// Bytes that values take in the heap of a node.
struct heap_sizes {
  uint64_t narrow = 0;
  uint64_t wide = 0;
  void add(const item& value) noexcept {
    narrow += heap_size(value, false);
    wide += heap_size(value, true);
  }
};

/// A node of that kind with the values that `value(i)` gives; its keys, or where its shape is, are still to be written. 0 without room.
template <class Value>
[[nodiscard]] uint32_t make_node(core& in, node_kind kind, uint32_t count, uint64_t pool,
                                 const heap_sizes& heaps, bool& wide, const Value& value) noexcept {
  wide = !fits_narrow(count, pool, heaps.narrow);
  const uint64_t heap = wide ? heaps.wide : heaps.narrow;
  uint64_t bytes = node_size(columns_size(kind, wide, count) + pool + heap);
  const uint32_t place = in.allocate(bytes);
  if (place == 0) return 0;
  std::byte* const at = in.start() + place;
  write_head(at, kind, wide, static_cast<uint32_t>(bytes), count, static_cast<uint32_t>(heap));
  uint32_t filled = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const item each = value(i);
    const uint32_t size = heap_size(each, wide);
    uint32_t cell = immediate_cell(each, wide);
    if (size != 0) {
      filled += size;
      cell = filled;
      write_value(at + bytes - filled, each);
    }
    write_cell(at, kind, wide, i, cell);
  }
  return place;
}
/// A shape without users, its keys still to be written; 0 without room.
[[nodiscard]] inline uint32_t make_empty_shape(core& in, uint32_t count, uint64_t pool, bool& wide) noexcept {
  wide = !fits_narrow(count, pool, 0);
  uint64_t bytes = node_size(columns_size(node_kind::shape, wide, count) + pool);
  const uint32_t place = in.allocate(bytes);
  if (place == 0) return 0;
  write_head(in.start() + place, node_kind::shape, wide, static_cast<uint32_t>(bytes), count, 0);
  write_extra(in.start() + place, wide, 0);
  return place;
}
/// Gives an object that was made shaped its shape, which then has one user more.
inline void use_shape(core& in, uint32_t object, bool wide, uint32_t place) noexcept {
  node shape;
  if (!find_node(in.mem(), place, shape)) return;
  write_extra(in.start() + object, wide, place);
  write_extra(in.start() + place, shape.wide, shape.extra() + 1);
}

/// A key and its hash, to be stored.
struct hashed_key {
  std::string_view text;
  uint16_t hash;
};
/// Writes the key columns of a node made for them: `key(i)` gives them in their order, `long_key(i, key)` the place of a long one, 0
/// without room. How many were written: all, or those in front of the one without room.
template <class Key, class Long>
[[nodiscard]] uint32_t write_keys(core& in, uint32_t place, node_kind kind, bool wide, uint32_t count,
                                  const Key& key, const Long& long_key) noexcept {
  const column_places at(kind, wide, count);
  std::byte* const start = in.start() + place;
  std::byte* to = start + at.pool;
  for (uint32_t i = 0; i < count; ++i) {
    const hashed_key each = key(i);
    uint32_t length = static_cast<uint32_t>(each.text.size());
    if (length <= short_key) {
      move_bytes(to, reinterpret_cast<const std::byte*>(each.text.data()), length);
    } else {
      const uint32_t stored = long_key(i, each);
      if (stored == 0) return i;
      store(to, stored);
      length = long_key_mark;
    }
    store(start + at.hashes + std::size_t{2} * i, each.hash);
    start[at.lengths + i] = static_cast<std::byte>(length);
    to += length & 0x7FU;
  }
  make_index(start + at.index, start + at.hashes, start + at.lengths, count, wide);
  return count;
}
/// The node of a long key that is used once; 0 without room.
[[nodiscard]] inline uint32_t make_long_key(core& in, const document_key& key) noexcept {
  std::array<std::byte, 4> link{};
  stored_key stored;
  return store_key(in, key, link, stored) ? load<uint32_t>(link.data()) : 0;
}
inline void use_long_key(core& in, uint32_t place) noexcept {
  std::byte* const users = in.start() + place + 12;
  store(users, load<uint32_t>(users) + 1);
}

} // namespace ingot::inline v1::detail::doc
