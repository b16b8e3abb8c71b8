// SPDX-License-Identifier: Apache-2.0
// Changing nodes of a proved document: room first, then the change, which can't fail. A node without room is squeezed, if enough of
// its heap is dead, or gets an eighth more than it needs, where it is or elsewhere; whoever refers to it is told by the place that
// is returned.
#pragma once

#include <ingot/document/core.hpp>
#include <ingot/document/key_edit.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ingot::inline v1::detail::doc {

inline void write_head(std::byte* at, node_kind kind, bool wide, uint32_t bytes, uint32_t count,
                       uint32_t heap) noexcept {
  at[0] = static_cast<std::byte>(static_cast<unsigned>(kind) | (wide ? unsigned{wide_bit} : 0U));
  at[1] = std::byte{0};
  if (wide) {
    at[2] = at[3] = std::byte{0};
    store(at + 4, bytes / 8);
    store(at + 8, count);
    store(at + 12, heap);
  } else {
    store(at + 2, static_cast<uint16_t>(bytes / 8));
    store(at + 4, static_cast<uint16_t>(count));
    store(at + 6, static_cast<uint16_t>(heap));
  }
}
INGOT_INLINE void write_count(std::byte* at, bool wide, uint32_t count) noexcept {
  store_word(at + (wide ? 8 : 4), count, wide);
}
INGOT_INLINE void write_heap(std::byte* at, bool wide, uint32_t heap) noexcept {
  store_word(at + (wide ? 12 : 6), heap, wide);
}
inline void write_extra(std::byte* at, bool wide, uint32_t extra) noexcept {
  store(at + (wide ? 16 : 8), extra);
}
INGOT_INLINE void write_cell(std::byte* at, node_kind kind, bool wide, uint32_t index,
                             uint32_t cell) noexcept {
  store_word(at + head_size(kind, wide) + std::size_t{wide ? 4U : 2U} * index, cell, wide);
}
[[nodiscard]] constexpr bool fits_narrow(uint64_t count, uint64_t pool, uint64_t heap) noexcept {
  return count <= narrow_count && pool <= narrow_pool && heap <= narrow_heap;
}
[[nodiscard]] constexpr uint64_t node_size(uint64_t needed) noexcept {
  return needed <= 16 ? 16 : round_up(needed, 8);
}

/// Bytes of the pool of a node with its own keys.
[[nodiscard]] INGOT_INLINE uint32_t own_pool(memory in, const node& n) noexcept {
  uint32_t pool = 0;
  if (has_keys(n.kind)) static_cast<void>(key_columns(in, n).pool_size(pool));
  return pool;
}

/// Releases a key's node when nothing refers to it any more.
inline void release_long_key(core& in, uint32_t place) noexcept {
  bytes_node found;
  if (place == 0 || !find_bytes(in.mem(), place, node_kind::long_key, found)) return;
  const auto uses = load<uint32_t>(found.at + 12);
  if (uses > 1) store(in.start() + place + 12, uses - 1);
  else in.release(place, found.bytes);
}
inline void release_long_keys(core& in, const key_columns& keys) noexcept {
  for (uint32_t i = 0; i < keys.count(); ++i) {
    uint32_t place = 0;
    if (keys.is_long(i) && keys.long_place(i, place)) release_long_key(in, place);
  }
}
/// One object less has this shape.
inline void release_shape(core& in, uint32_t place) noexcept {
  node shape;
  if (place == 0 || !find_node(in.mem(), place, shape)) return;
  if (shape.extra() > 1) {
    write_extra(in.start() + place, shape.wide, shape.extra() - 1);
    return;
  }
  release_long_keys(in, key_columns(in.mem(), shape));
  in.release(place, shape.bytes);
}

/// What a node has to have room for.
struct growth {
  uint32_t count = 0;
  uint32_t pool = 0;
  uint32_t heap = 0;
  uint32_t dropped =
      npos; ///< an element whose heap bytes need not be kept when the node is rewritten; it becomes null
  bool own_keys = false; ///< a shaped object gets keys of its own
};

/// Moves the live values of `from` together at the end of the node `to`, of `bytes`, and gives its cells.
inline uint32_t copy_values(const node& from, std::byte* to, uint32_t bytes, node_kind kind, bool wide,
                            uint32_t dropped) noexcept {
  uint32_t heap = 0;
  for (uint32_t i = 0; i < from.count; ++i) {
    uint32_t cell = from.cell(i);
    uint32_t size = 0;
    if (i == dropped) {
      cell = 0;
    } else {
      const item value = from.value(i, size);
      if (size != 0) {
        heap += size;
        std::memcpy(to + bytes - heap, from.end() - cell, size);
        cell = heap;
      } else if (wide != from.wide) {
        cell = immediate_cell(value, wide);
      }
    }
    write_cell(to, kind, wide, i, cell);
  }
  return heap;
}
/// Copies key columns; long keys stay where they are.
inline void copy_keys(const key_columns& from, uint32_t pool, std::byte* to, node_kind kind,
                      bool wide) noexcept {
  const column_places at(kind, wide, from.count());
  move_bytes(to + at.hashes, from.hashes(), std::size_t{2} * from.count());
  move_bytes(to + at.lengths, from.lengths(), from.count());
  move_bytes(to + at.pool, from.pool(), pool);
  if (wide == from.wide()) {
    move_bytes(to + at.index, from.index(), std::size_t{wide ? 4U : 2U} * index_count(from.count()));
  } else {
    make_index(to + at.index, to + at.hashes, to + at.lengths, from.count(), wide);
  }
}

/// Moves the live values of a node together. False without memory for a copy of its heap.
inline bool squeeze(core& in, const node& n, uint32_t dropped) noexcept {
  std::array<std::byte, 2048> small;
  std::unique_ptr<std::byte[]> large;
  std::byte* copy = small.data();
  if (n.heap > small.size()) {
    large.reset(new (std::nothrow) std::byte[n.heap]);
    if (!large) return false;
    copy = large.get();
  }
  std::memcpy(copy, n.end() - n.heap, n.heap);
  std::byte* const at = in.start() + n.place;
  uint32_t heap = 0;
  for (uint32_t i = 0; i < n.count; ++i) {
    const uint32_t cell = n.cell(i);
    if (cell == 0 || cell >= cell_bits(n.wide).immediate()) continue;
    const std::byte* const old = copy + n.heap - cell;
    uint32_t size = 0;
    static_cast<void>(read_value(old, cell, size));
    if (i == dropped) {
      write_cell(at, n.kind, n.wide, i, 0);
      continue;
    }
    heap += size;
    std::memcpy(at + n.bytes - heap, old, size);
    write_cell(at, n.kind, n.wide, i, heap);
  }
  std::memset(at + n.bytes - n.heap, 0, n.heap - heap);
  write_heap(at, n.wide, heap);
  return true;
}

INGOT_NOINLINE inline uint32_t rewrite(core& in, const node& n, const key_columns& keys, uint32_t pool,
                                       const growth& more) noexcept {
  uint64_t live = 0;
  for (uint32_t i = 0; i < n.count; ++i) {
    uint32_t size = 0;
    static_cast<void>(n.value(i, size));
    if (i != more.dropped) live += size;
  }
  const node_kind kind = more.own_keys ? node_kind::object : n.kind;
  const uint64_t count = uint64_t{n.count} + more.count;
  if (count > most_bytes / 4) return 0; // sums below can't wrap
  const bool wide = n.wide || !fits_narrow(count, uint64_t{pool} + more.pool, live + more.heap);
  const uint64_t needed =
      columns_size(kind, wide, static_cast<uint32_t>(count)) + pool + more.pool + live + more.heap;
  if (needed > most_bytes / 2) return 0;
  const bool same = kind == n.kind && wide == n.wide;
  if (same && needed + needed / 16 <= n.bytes && squeeze(in, n, more.dropped)) return n.place;
  uint64_t bytes = node_size(needed + needed / 8);
  if (same && live == n.heap && bytes > n.bytes && in.extend(n.place, n.bytes, bytes)) {
    std::byte* const at = in.start() + n.place;
    std::memmove(at + bytes - n.heap, at + n.bytes - n.heap, n.heap);
    const auto moved = static_cast<std::size_t>(bytes - n.bytes);
    std::memset(at + n.bytes - n.heap, 0, moved < n.heap ? moved : n.heap);
    write_head(at, kind, wide, static_cast<uint32_t>(bytes), n.count, n.heap);
    return n.place;
  }
  uint32_t place = in.allocate(bytes);
  if (place == 0) place = in.allocate(bytes = node_size(needed));
  if (place == 0) return same && needed <= n.bytes && squeeze(in, n, more.dropped) ? n.place : 0;
  std::byte* const at = in.start() + place;
  const auto size = static_cast<uint32_t>(bytes);
  write_head(at, kind, wide, size, n.count, 0);
  if (kind == node_kind::shaped) write_extra(at, wide, n.extra());
  write_heap(at, wide, copy_values(n, at, size, kind, wide, more.dropped));
  if (has_keys(kind)) copy_keys(keys, pool, at, kind, wide);
  if (more.own_keys) {
    // The object has its share of long keys now, too.
    for (uint32_t i = 0; i < keys.count(); ++i) {
      uint32_t key = 0;
      if (keys.is_long(i) && keys.long_place(i, key))
        store(in.start() + key + 12, load<uint32_t>(in.start() + key + 12) + 1);
    }
    release_shape(in, n.extra());
  }
  in.release(n.place, n.bytes);
  in.changes().note_move(n.place, place);
  return place;
}

/// The place of the node when it has the room; 0 when there is none to be had.
[[nodiscard]] INGOT_INLINE uint32_t make_room(core& in, uint32_t place, const growth& more) noexcept {
  node n;
  if (!find_node(in.mem(), place, n)) return 0;
  key_columns keys;
  uint32_t pool = 0;
  if (has_keys(n.kind) || more.own_keys) {
    if (!key_columns::of_object(in.mem(), n, keys) || !keys.pool_size(pool)) return 0;
  }
  const uint64_t heap = uint64_t{n.heap} + more.heap;
  if (!more.own_keys && (n.wide || fits_narrow(uint64_t{n.count} + more.count, pool + more.pool, heap)) &&
      uint64_t{n.count} + more.count < most_bytes &&
      columns_size(n.kind, n.wide, n.count + more.count) + pool + more.pool + heap <= n.bytes) [[likely]]
    return place;
  return rewrite(in, n, keys, pool, more);
}

/// Forgets the heap bytes of a value.
INGOT_INLINE void drop_value(std::byte* at, const node& n, uint32_t cell, uint32_t size) noexcept {
  if (size == 0) return;
  std::memset(at + n.bytes - cell, 0, size);
  if (cell == n.heap) write_heap(at, n.wide, n.heap - size);
}

/// Overwrites an element. `value` doesn't point into the document, and what the old one owned is the caller's. False without room.
[[nodiscard]] inline bool put(core& in, uint32_t& place, uint32_t index, const item& value) noexcept {
  for (bool first = true;; first = false) {
    node n;
    if (!find_node(in.mem(), place, n) || index >= n.count) return false;
    std::byte* const at = in.start() + place;
    uint32_t old_size = 0;
    static_cast<void>(n.value(index, old_size));
    const uint32_t old = n.cell(index);
    const uint32_t size = heap_size(value, n.wide);
    if (size == 0) {
      drop_value(at, n, old, old_size);
      write_cell(at, n.kind, n.wide, index, immediate_cell(value, n.wide));
      return true;
    }
    if (size <= old_size) {
      std::byte* const to = at + n.bytes - old;
      write_value(to, value);
      std::memset(to + size, 0, old_size - size);
      return true;
    }
    const uint32_t kept = old_size != 0 && old == n.heap ? n.heap - old_size : n.heap;
    const uint64_t heap = uint64_t{kept} + size;
    if ((n.wide || heap <= narrow_heap) &&
        columns_size(n.kind, n.wide, n.count) + own_pool(in.mem(), n) + heap <= n.bytes) {
      if (old_size != 0) std::memset(at + n.bytes - old, 0, old_size);
      write_heap(at, n.wide, static_cast<uint32_t>(heap));
      write_value(at + n.bytes - heap, value);
      write_cell(at, n.kind, n.wide, index, static_cast<uint32_t>(heap));
      return true;
    }
    if (!first) return false;
    place = make_room(in, place, {.heap = size, .dropped = index});
    if (place == 0) return false;
  }
}

/// Puts a value into the heap of a node that has room for it; its cell.
[[nodiscard]] INGOT_INLINE uint32_t place_value(std::byte* at, const node& n, const item& value) noexcept {
  const uint32_t size = heap_size(value, n.wide);
  if (size == 0) return immediate_cell(value, n.wide);
  const uint32_t heap = n.heap + size;
  write_heap(at, n.wide, heap);
  write_value(at + n.bytes - heap, value);
  return heap;
}

/// Inserts an element into an array before `index`, at most its count. False without room.
[[nodiscard]] inline bool insert_element(core& in, uint32_t& place, uint32_t index,
                                         const item& value) noexcept {
  const uint32_t now = make_room(in, place, {.count = 1, .heap = heap_size(value, false)});
  if (now == 0) return false;
  place = now;
  node n;
  if (!find_node(in.mem(), place, n) || index > n.count) return false;
  std::byte* const at = in.start() + place;
  const uint32_t cell = place_value(at, n, value);
  insert_column(at, n.kind, n.wide, n.count, index, cell, {}, 0, 0);
  write_count(at, n.wide, n.count + 1);
  if (index != n.count) in.changes().note_shift(place);
  return true;
}

/// A key as columns store it; a long one gets a node. False without room.
[[nodiscard]] inline bool store_key(core& in, const document_key& key, std::array<std::byte, 4>& link,
                                    stored_key& stored) noexcept {
  const auto text = key.text();
  stored = {key.hash(), static_cast<uint8_t>(text.size()), reinterpret_cast<const std::byte*>(text.data())};
  if (text.size() <= short_key) return true;
  if (text.size() > most_bytes / 2) return false;
  uint64_t bytes = node_size(uint64_t{long_key_head} + text.size());
  const uint32_t place = in.allocate(bytes);
  if (place == 0) return false;
  std::byte* const at = in.start() + place;
  at[0] = static_cast<std::byte>(node_kind::long_key);
  store(at + 2, key.hash());
  store(at + 4, static_cast<uint32_t>(bytes / 8));
  store(at + 8, static_cast<uint32_t>(text.size()));
  store(at + 12, uint32_t{1});
  std::memcpy(at + long_key_head, text.data(), text.size());
  store(link.data(), place);
  stored.length = long_key_mark;
  stored.bytes = link.data();
  return true;
}

/// Adds a member whose key isn't there. Neither key nor value point into the document. Its index; npos without room.
[[nodiscard]] inline uint32_t insert_member(core& in, uint32_t& place, const document_key& key,
                                            const item& value) noexcept {
  node n;
  if (!find_node(in.mem(), place, n)) return npos;
  std::array<std::byte, 4> link{};
  stored_key stored;
  if (!store_key(in, key, link, stored)) return npos;
  const uint32_t now = make_room(in, place,
                                 {.count = 1,
                                  .pool = stored.size(),
                                  .heap = heap_size(value, false),
                                  .own_keys = n.kind == node_kind::shaped});
  if (now == 0) {
    if (stored.length == long_key_mark) release_long_key(in, load<uint32_t>(link.data()));
    return npos;
  }
  place = now;
  if (!find_node(in.mem(), place, n)) return npos;
  const key_columns keys(in.mem(), n);
  const uint32_t index = keys.place_for(key);
  uint32_t pool = 0;
  static_cast<void>(keys.pool_size(pool));
  uint32_t at = pool;
  uint32_t bytes = 0;
  if (index < n.count && !keys.extent(index, at, bytes)) return npos;
  std::byte* const start = in.start() + place;
  const uint32_t cell = place_value(start, n, value);
  insert_column(start, n.kind, n.wide, n.count, index, cell, stored, pool, at);
  write_count(start, n.wide, n.count + 1);
  in.changes().note_shift(place);
  return index;
}

/// Takes an element out. What it owned is the caller's. False only when a shaped object finds no room for keys of its own.
[[nodiscard]] inline bool erase_at(core& in, uint32_t& place, uint32_t index,
                                   bool keep_key = false) noexcept {
  node n;
  if (!find_node(in.mem(), place, n) || index >= n.count) return false;
  if (n.kind == node_kind::shaped) {
    const uint32_t now = make_room(in, place, {.own_keys = true});
    if (now == 0) return false;
    place = now;
    if (!find_node(in.mem(), place, n)) return false;
  }
  std::byte* const at = in.start() + place;
  uint32_t pool = 0;
  uint32_t begin = 0;
  uint32_t bytes = 0;
  if (has_keys(n.kind)) {
    const key_columns keys(in.mem(), n);
    if (!keys.pool_size(pool) || !keys.extent(index, begin, bytes)) return false;
    uint32_t key = 0;
    if (!keep_key && keys.is_long(index) && keys.long_place(index, key)) release_long_key(in, key);
  }
  uint32_t size = 0;
  static_cast<void>(n.value(index, size));
  drop_value(at, n, n.cell(index), size);
  erase_column(at, n.kind, n.wide, n.count, index, pool, begin);
  write_count(at, n.wide, n.count - 1);
  in.changes().note_shift(place);
  return true;
}

} // namespace ingot::inline v1::detail::doc
