// SPDX-License-Identifier: Apache-2.0
// Changes nodes of a validated document. Space is made before the change, so that the change can't
// fail. If a node has no space, but enough bytes of its heap are unused, the node is compacted in
// place. Otherwise the node becomes longer, in place or at another position; a long node also gets
// spare bytes. The functions return the new position, and the caller updates the reference to the
// node.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/heap_writer.hpp>
#include <ingot/document/detail/key_edit.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

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
inline void write_size(std::byte* at, bool wide, uint32_t bytes) noexcept {
  if (wide) store(at + 4, bytes / 8);
  else store(at + 2, static_cast<uint16_t>(bytes / 8));
}
INGOT_INLINE void write_count(std::byte* at, bool wide, uint32_t count) noexcept {
  store_word(at + (wide ? 8 : 4), count, wide);
}
inline void write_extra(std::byte* at, bool wide, uint32_t extra) noexcept {
  store(at + (wide ? 16 : 8), extra);
}
[[nodiscard]] constexpr bool fits_narrow(uint64_t count, uint64_t heap) noexcept {
  return count <= narrow_count && heap <= narrow_heap;
}
/// Returns true if a node with these sizes is wide in canonical form. It is wide if the narrow form
/// can't hold the values, or if the wide form is shorter, for example with many numbers of 30 bits.
[[nodiscard]] constexpr bool canonically_wide(node_kind kind, uint32_t count, uint64_t narrow_bytes,
                                              uint64_t wide_bytes) noexcept {
  return !fits_narrow(count, narrow_bytes) ||
         columns_size(kind, true, count) + wide_bytes < columns_size(kind, false, count) + narrow_bytes;
}
[[nodiscard]] constexpr uint64_t node_size(uint64_t needed) noexcept {
  return needed <= 16 ? 16 : round_up(needed, 8);
}

/// Nodes shorter than this get no spare bytes, and release the spare bytes that they have.
inline constexpr uint64_t short_node = 192;
/// Returns the number of spare bytes for a node that grows. A short node gets no spare bytes,
/// because rewriting it takes little more time than the test for space. A long node grows often,
/// and gets up to an eighth of its size. Spare bytes are usually a much smaller part of the whole
/// document.
[[nodiscard]] constexpr uint64_t spare_for(uint64_t needed) noexcept {
  return needed < short_node ? 0 : needed < 512 ? needed / 20 : needed < 2048 ? needed / 12 : needed / 8;
}
/// Defragmentation shortens a node if it has more spare bytes than this fraction (1 / `max_spare`)
/// of the bytes that it needs.
inline constexpr uint32_t max_spare = 4;
/// Returns the size that a node of `bytes` bytes gets when the unused bytes between its values are
/// removed. A short node keeps a sixteenth of `needed` as spare bytes. It releases its other spare
/// bytes if they are enough for a member. Otherwise short nodes would keep the largest sizes that
/// they had, which are usually too long.
[[nodiscard]] constexpr uint64_t size_to_keep(uint64_t needed, uint64_t bytes) noexcept {
  const uint64_t enough = node_size(needed + needed / 16);
  return needed < short_node && enough + 24 <= bytes ? enough : bytes;
}

/// Removes a use of a long key. Releases the node of the key if this was the last use.
inline void release_long_key(core& in, uint32_t position) noexcept {
  bytes_node found;
  if (position == 0 || !find_bytes(in.mem(), position, node_kind::long_key, found)) return;
  const auto uses = load<uint32_t>(found.at + 12);
  if (uses > 1) store(in.start() + position + 12, uses - 1);
  else in.release(position, found.bytes);
}
inline void release_long_keys(core& in, const key_columns& keys) noexcept {
  for (uint32_t i = 0; i < keys.count(); ++i) {
    uint32_t position = 0;
    if (keys.is_long(i) && keys.long_key_position(i, position)) release_long_key(in, position);
  }
}
/// Removes a use of a shape. Releases the shape if this was the last use.
inline void release_shape(core& in, uint32_t position) noexcept {
  node shape;
  if (position == 0 || !find_node(in.mem(), position, shape)) return;
  if (shape.extra() > 1) {
    write_extra(in.start() + position, shape.wide, shape.extra() - 1);
    return;
  }
  release_long_keys(in, key_columns(in.mem(), shape));
  in.release(position, shape.bytes);
}

/// Space that a change needs in a node.
struct growth {
  uint32_t count = 0;
  uint64_t heap = 0;
  /// An element whose value need not be kept when the node is rewritten. The value becomes null. In
  /// an object, this null is at the beginning of the heap, after its key, where a longer value can
  /// replace it.
  uint32_t dropped = npos;
  bool own_keys = false; ///< gives a shaped object its own keys
};

/// Moves the values of a node to the end of its first `new_size` bytes, without unused bytes
/// between the values. Releases the bytes after the first `new_size` bytes. Returns false if there
/// is no memory for a copy of the node.
inline bool squeeze(core& in, const node& n, uint32_t dropped, uint32_t new_size) noexcept {
  node old = n;
  node_copy copy;
  if (!copy.take(old)) return false;
  std::byte* const at = in.start() + n.position;
  heap_writer to(at, n.kind, n.wide, new_size);
  copy_heap(old, old.end(), to, n.wide, dropped);
  const uint32_t begin = new_size - to.finish();
  const uint32_t before = n.bytes - n.heap;
  if (before < begin) std::memset(at + before, 0, begin - before);
  if (new_size != n.bytes) {
    write_size(at, n.wide, new_size);
    in.release(n.position + new_size, n.bytes - new_size);
    in.note_hole();
  }
  return true;
}

/// Copies the elements of a shaped object to a node that has space for them and for their keys.
/// Counts one more use of each long key.
inline void unshare(core& in, const node& n, const key_columns& keys, std::byte* at, bool wide,
                    uint32_t bytes) noexcept {
  heap_writer to(at, node_kind::object, wide, bytes);
  move_bytes(at + head_size(node_kind::object, wide) + std::size_t{wide ? 4U : 2U} * n.count, keys.hashes(),
             std::size_t{2} * n.count);
  for (uint32_t i = 0; i < n.count; ++i) {
    to.put(i, keys.record(i), keys.record_size(i), n.value(i));
    uint32_t long_key = 0;
    if (keys.long_key_position(i, long_key))
      store(in.start() + long_key + 12, load<uint32_t>(in.start() + long_key + 12) + 1);
  }
  to.finish();
}

INGOT_NOINLINE inline uint32_t rewrite(core& in, const node& n, const growth& more) noexcept {
  key_columns keys;
  if (more.own_keys && !key_columns::of_object(in.mem(), n, keys)) return 0;
  uint64_t live = 0;
  if (more.own_keys) {
    for (uint32_t i = 0; i < n.count; ++i) live += keys.record_size(i) + value_size(n.value(i));
  } else {
    live = live_bytes(n) - (more.dropped < n.count ? n.heap_bytes(more.dropped) : 0);
  }
  const node_kind kind = more.own_keys ? node_kind::object : n.kind;
  const uint64_t count = uint64_t{n.count} + more.count;
  if (count > max_bytes / 4) return 0; // so that the sums below can't overflow
  const bool wide = n.wide || !fits_narrow(count, live + more.heap);
  const uint64_t needed = columns_size(kind, wide, static_cast<uint32_t>(count)) + live + more.heap;
  if (needed > max_bytes / 2) return 0;
  const bool same = kind == n.kind && wide == n.wide;
  in.changes().note_values();
  uint64_t bytes = node_size(needed + spare_for(needed));
  if (same && (needed + needed / 16 <= n.bytes || bytes <= n.bytes)) {
    const uint64_t new_size = in.in_place() ? n.bytes : size_to_keep(needed, n.bytes);
    if (squeeze(in, n, more.dropped, static_cast<uint32_t>(new_size))) return n.position;
  }
  if (same && live == n.heap && bytes > n.bytes && in.extend(n.position, n.bytes, bytes)) {
    std::byte* const at = in.start() + n.position;
    std::memmove(at + bytes - n.heap, at + n.bytes - n.heap, n.heap);
    const auto moved = static_cast<std::size_t>(bytes - n.bytes);
    std::memset(at + n.bytes - n.heap, 0, moved < n.heap ? moved : n.heap);
    write_head(at, kind, wide, static_cast<uint32_t>(bytes), n.count, n.heap);
    return n.position;
  }
  // If a growing node always moves to the end of the document, it leaves free runs that are too
  // short for it. If such runs are a large part of the document, the node releases its old bytes
  // before it gets new ones. The new bytes may then be the old ones with the free bytes around
  // them. This requires enough space after the last node, so that the node surely gets new bytes.
  node old = n;
  node_copy copy;
  const bool sinks = !in.in_place() && bytes <= in.limit() - in.used() &&
                     in.arena().free_run_bytes() + n.bytes > in.used() / 8 && copy.take(old);
  if (sinks) in.release(n.position, n.bytes);
  uint32_t position = in.allocate(bytes);
  if (position == 0) position = in.allocate(bytes = node_size(needed));
  if (position == 0)
    return same && needed <= n.bytes && squeeze(in, n, more.dropped, n.bytes) ? n.position : 0;
  std::byte* const at = in.start() + position;
  const auto size = static_cast<uint32_t>(bytes);
  write_head(at, kind, wide, size, n.count, 0);
  if (more.own_keys) {
    unshare(in, old, keys, at, wide, size);
    release_shape(in, old.extra());
  } else {
    if (kind == node_kind::shaped) write_extra(at, wide, old.extra());
    if (kind == node_kind::object)
      move_bytes(at + head_size(kind, wide) + std::size_t{wide ? 4U : 2U} * n.count,
                 key_columns(in.mem(), old).hashes(), std::size_t{2} * n.count);
    heap_writer to(at, kind, wide, size);
    copy_heap(old, old.end(), to, wide, more.dropped);
    to.finish();
  }
  if (!sinks) in.release(n.position, n.bytes);
  if (position != n.position) in.changes().note_move(n.position, position);
  in.note_hole();
  return position;
}

/// Returns true if a node has enough space without being rewritten.
[[nodiscard]] INGOT_INLINE bool has_space(const node& n, uint32_t count, uint64_t heap) noexcept {
  const uint64_t all = n.heap + heap;
  const uint64_t elements = uint64_t{n.count} + count;
  return (n.wide || fits_narrow(elements, all)) && elements < max_bytes &&
         columns_size(n.kind, n.wide, static_cast<uint32_t>(elements)) + all <= n.bytes;
}

/// Makes space in a node. Returns its position, which may be new; 0 if there is no space.
[[nodiscard]] INGOT_INLINE uint32_t reserve_space(core& in, uint32_t position, const growth& more) noexcept {
  node n;
  if (!find_node(in.mem(), position, n)) return 0;
  if (!more.own_keys && has_space(n, more.count, more.heap)) [[likely]]
    return position;
  return rewrite(in, n, more);
}

/// Sets the `size` bytes of an element in the heap to zero.
INGOT_INLINE void drop_value(std::byte* at, const node& n, uint32_t cell, uint32_t size) noexcept {
  if (size == 0) return;
  std::memset(at + n.bytes - cell, 0, size);
  if (cell == n.heap) write_heap(at, n.wide, n.heap - size);
}

/// Result of overwriting a value.
enum class put_result : uint8_t { no_space, stayed, moved };

/// Overwrites an element if its node has the space: in the cell, over the old value, or in the gap.
/// Requires that `value` does not point into the document.
[[nodiscard]] INGOT_INLINE put_result put_here(std::byte* at, const node& n, uint32_t index,
                                               const item& value) noexcept {
  const element_bytes here = n.at_index(index);
  uint32_t old_size = 0;
  if (here.left != 0) static_cast<void>(read_value(here.value, here.left, old_size));
  const uint32_t old = n.cell(index);
  const uint32_t size = heap_size(value, n.kind, n.wide);
  if (size == 0) {
    drop_value(at, n, old, old_size);
    write_cell(at, n.kind, n.wide, index, immediate_cell(value, n.wide));
    return put_result::moved;
  }
  if (size <= old_size) {
    std::byte* const to = at + (here.value - n.at);
    write_value(to, value);
    if (size != old_size) std::memset(to + size, 0, old_size - size);
    return put_result::stayed;
  }
  const uint32_t old_record = here.before + old_size;
  const uint32_t heap_left = old_record != 0 && old == n.heap ? n.heap - old_record : n.heap;
  const uint64_t heap = uint64_t{heap_left} + here.before + size;
  if ((!n.wide && heap > narrow_heap) || columns_size(n.kind, n.wide, n.count) + heap > n.bytes)
    return put_result::no_space;
  std::byte* const to = at + n.bytes - heap;
  if (old_record != 0) {
    std::byte* const from = at + n.bytes - old;
    if (here.before != 0) move_bytes(to, from, here.before);
    if (heap_left == n.heap) std::memset(from, 0, old_record); // else the new record is here
  }
  write_heap(at, n.wide, static_cast<uint32_t>(heap));
  write_value(to + here.before, value);
  write_cell(at, n.kind, n.wide, index, static_cast<uint32_t>(heap));
  return put_result::moved;
}
/// Overwrites an element. If necessary, the node moves to any free bytes of the document. The
/// caller then owns the nodes of the old value. Returns false if there is no space.
[[nodiscard]] inline bool put_anywhere(core& in, uint32_t& position, uint32_t index,
                                       const item& value) noexcept {
  node n;
  if (!find_node(in.mem(), position, n) || index >= n.count) return false;
  const uint32_t before = n.at_index(index).before;
  position = reserve_space(in, position,
                           {.heap = uint64_t{before} + heap_size(value, n.kind, n.wide), .dropped = index});
  if (position == 0 || !find_node(in.mem(), position, n)) return false;
  return put_here(in.start() + position, n, index, value) != put_result::no_space;
}

/// Writes a value into the heap of a node. For a member, writes the key before the value. Requires
/// that the node has the space. Returns the cell for the value.
[[nodiscard]] INGOT_INLINE uint32_t store_value(std::byte* at, const node& n, const stored_key* key,
                                                const item& value) noexcept {
  const uint32_t size = heap_size(value, n.kind, n.wide);
  const uint32_t before = key != nullptr ? key->size() : 0;
  if (size + before == 0) return immediate_cell(value, n.wide);
  const uint32_t heap = n.heap + before + size;
  write_heap(at, n.wide, heap);
  std::byte* const to = at + n.bytes - heap;
  if (key != nullptr) key->write(to);
  write_value(to + before, value);
  return heap;
}

/// Inserts an element into an array before `index`. Returns false if `index` is greater than the
/// count, or if there is no space.
[[nodiscard]] inline bool insert_element(core& in, uint32_t& position, uint32_t index,
                                         const item& value) noexcept {
  const uint32_t now = reserve_space(in, position, {.count = 1, .heap = cell_heap_size(value, false)});
  if (now == 0) return false;
  position = now;
  node n;
  if (!find_node(in.mem(), position, n) || index > n.count) return false;
  std::byte* const at = in.start() + position;
  const uint32_t cell = store_value(at, n, nullptr, value);
  insert_column(at, n.kind, n.wide, n.count, index, cell, 0);
  write_count(at, n.wide, n.count + 1);
  if (index != n.count) in.changes().note_shift(position);
  return true;
}

/// Converts a key to the form in which a heap stores it. Makes a node for a long key. Returns false
/// if there is no space.
[[nodiscard]] inline bool store_key(core& in, const document_key& key, std::array<std::byte, 4>& link,
                                    stored_key& stored) noexcept {
  const auto text = key.text();
  stored = stored_key::of(key.hash(), text);
  if (text.size() <= short_key) return true;
  if (text.size() > max_bytes / 2) return false;
  uint64_t bytes = node_size(uint64_t{long_key_head} + text.size());
  const uint32_t position = in.allocate(bytes);
  if (position == 0) return false;
  std::byte* const at = in.start() + position;
  at[0] = static_cast<std::byte>(node_kind::long_key);
  store(at + 2, key.hash());
  store(at + 4, static_cast<uint32_t>(bytes / 8));
  store(at + 8, static_cast<uint32_t>(text.size()));
  store(at + 12, uint32_t{1});
  std::memcpy(at + long_key_head, text.data(), text.size());
  store(link.data(), position);
  stored.first = long_key_mark;
  stored.bytes = link.data();
  return true;
}

/// Adds a member with a new key. Requires that neither the key nor the value points into the
/// document. Returns the index of the member; npos if there is no space.
[[nodiscard]] inline uint32_t insert_member(core& in, uint32_t& position, const document_key& key,
                                            const item& value) noexcept {
  node n;
  if (!find_node(in.mem(), position, n)) return npos;
  std::array<std::byte, 4> link{};
  stored_key stored;
  if (!store_key(in, key, link, stored)) return npos;
  const uint32_t now = reserve_space(in, position,
                                     {.count = 1,
                                      .heap = uint64_t{stored.size()} + value_size(value),
                                      .own_keys = n.kind == node_kind::shaped});
  if (now == 0) {
    if (stored.first == long_key_mark) release_long_key(in, load<uint32_t>(link.data()));
    return npos;
  }
  position = now;
  if (!find_node(in.mem(), position, n)) return npos;
  const uint32_t index = key_columns(in.mem(), n).insertion_index(key);
  std::byte* const start = in.start() + position;
  const uint32_t cell = store_value(start, n, &stored, value);
  insert_column(start, n.kind, n.wide, n.count, index, cell, stored.hash);
  write_count(start, n.wide, n.count + 1);
  in.changes().note_shift(position);
  return index;
}

/// Removes an element. The caller then owns the nodes of its value. Returns false only if a shaped
/// object needs its own keys and there is no space for them.
[[nodiscard]] inline bool erase_at(core& in, uint32_t& position, uint32_t index,
                                   bool keep_key = false) noexcept {
  node n;
  if (!find_node(in.mem(), position, n) || index >= n.count) return false;
  if (n.kind == node_kind::shaped) {
    const uint32_t now = reserve_space(in, position, {.own_keys = true});
    if (now == 0) return false;
    position = now;
    if (!find_node(in.mem(), position, n)) return false;
  }
  std::byte* const at = in.start() + position;
  if (n.kind == node_kind::object && !keep_key) {
    uint32_t key = 0;
    if (key_columns(in.mem(), n).long_key_position(index, key)) release_long_key(in, key);
  }
  drop_value(at, n, n.cell(index), n.heap_bytes(index));
  erase_column(at, n.kind, n.wide, n.count, index);
  write_count(at, n.wide, n.count - 1);
  in.changes().note_shift(position);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
