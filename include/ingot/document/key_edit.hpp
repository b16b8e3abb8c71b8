// SPDX-License-Identifier: Apache-2.0
// Making and changing key columns. There has to be room: between the columns and the heap is a gap, which insertions take from the
// left. Only lengths and the index are kept up incrementally; the index is made anew when its number of buckets changes.
#pragma once

#include <ingot/document/keys.hpp>
#include <ingot/live/move_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot::inline v1::detail::doc {

/// A key as it stands in columns: `bytes` are the text, or the place of a long key's node.
struct stored_key {
  uint16_t hash = 0;
  uint8_t length = 0;
  const std::byte* bytes = nullptr;
  [[nodiscard]] uint32_t size() const noexcept { return length & 0x7FU; }
};

/// Where the columns of `count` cells and keys begin, from the node's beginning.
struct column_places {
  uint32_t cells;
  uint32_t hashes;
  uint32_t index;
  uint32_t lengths;
  uint32_t pool;

  column_places(node_kind kind, bool wide, uint32_t count) noexcept {
    const uint32_t word = wide ? 4 : 2;
    cells = head_size(kind, wide);
    hashes = cells + (has_cells(kind) ? word * count : 0);
    index = hashes + (has_keys(kind) ? 2 * count : 0);
    lengths = index + (has_keys(kind) ? word * index_count(count) : 0);
    pool = lengths + (has_keys(kind) ? count : 0);
  }
};

/// Computes the index from hashes and lengths.
inline void make_index(std::byte* index, const std::byte* hashes, const std::byte* lengths, uint32_t count,
                       bool wide) noexcept {
  if (count <= 16) return;
  const uint32_t word = wide ? 4 : 2;
  const uint32_t buckets = bucket_count(count);
  uint32_t next = 1;
  uint32_t pool = 0;
  std::byte* const bases = index + std::size_t{word} * (buckets - 1);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bucket =
        static_cast<uint32_t>(load<uint16_t>(hashes + std::size_t{2} * i) * uint64_t{buckets} >> 16);
    for (; next <= bucket; ++next) store_word(index + std::size_t{word} * (next - 1), i, wide);
    if (i % 16 == 0 && i != 0) store_word(bases + std::size_t{word} * (i / 16 - 1), pool, wide);
    pool += std::to_integer<uint32_t>(lengths[i]) & 0x7F;
  }
  for (; next < buckets; ++next) store_word(index + std::size_t{word} * (next - 1), count, wide);
}

template <class Word>
void shift_index(std::byte* words, uint32_t from, uint32_t to, int by) noexcept {
  for (uint32_t i = from; i < to; ++i) {
    std::byte* const at = words + sizeof(Word) * i;
    store(at, static_cast<Word>(load<Word>(at) + static_cast<Word>(by)));
  }
}
INGOT_INLINE void shift_buckets(std::byte* index, uint16_t hash, uint32_t buckets, bool wide,
                                int by) noexcept {
  const auto bucket = static_cast<uint32_t>(hash * uint64_t{buckets} >> 16);
  if (wide) shift_index<uint32_t>(index, bucket, buckets - 1, by);
  else shift_index<uint16_t>(index, bucket, buckets - 1, by);
}

/// Inserts a cell, and a key where the node has keys, before index `i` of `count`. `pool` is the pool's size, `at` where in it the
/// key goes.
inline void insert_column(std::byte* start, node_kind kind, bool wide, uint32_t count, uint32_t i,
                          uint32_t cell, const stored_key& key, uint32_t pool, uint32_t at) noexcept {
  const uint32_t word = wide ? 4 : 2;
  const column_places old(kind, wide, count);
  const column_places now(kind, wide, count + 1);
  if (has_keys(kind)) {
    const uint32_t size = key.size();
    move_bytes(start + now.pool + at + size, start + old.pool + at, pool - at);
    move_bytes(start + now.pool, start + old.pool, at);
    std::byte* const lengths = start + now.lengths;
    const uint32_t buckets = bucket_count(count);
    const bool keep_index = count > 16 && buckets == bucket_count(count + 1);
    if (keep_index) {
      // What moves from the end of one group to the beginning of the next is the key before that.
      std::byte* const bases = start + old.index + std::size_t{word} * (buckets - 1);
      const std::byte* const before = start + old.lengths;
      for (uint32_t g = i / 16 + 1; 16 * g < count; ++g) {
        std::byte* const base = bases + std::size_t{word} * (g - 1);
        store_word(base,
                   load_word(base, wide) + size - (std::to_integer<uint32_t>(before[16 * g - 1]) & 0x7F),
                   wide);
      }
    }
    uint32_t last = 0; // where the last key begins, which may begin a group
    if (keep_index && count % 16 == 0)
      last = i == count ? pool
                        : pool + size - (std::to_integer<uint32_t>(start[old.lengths + count - 1]) & 0x7F);
    move_bytes(lengths + i + 1, start + old.lengths + i, count - i);
    move_bytes(lengths, start + old.lengths, i);
    lengths[i] = static_cast<std::byte>(key.length);
    if (keep_index) {
      move_bytes(start + now.index, start + old.index, std::size_t{word} * index_count(count));
      shift_buckets(start + now.index, key.hash, buckets, wide, 1);
      if (count % 16 == 0)
        store_word(start + now.index + std::size_t{word} * (buckets - 1 + count / 16 - 1), last, wide);
    }
    std::byte* const hashes = start + now.hashes;
    move_bytes(hashes + std::size_t{2} * (i + 1), start + old.hashes + std::size_t{2} * i,
               std::size_t{2} * (count - i));
    move_bytes(hashes, start + old.hashes, std::size_t{2} * i);
    store(hashes + std::size_t{2} * i, key.hash);
    if (!keep_index) make_index(start + now.index, hashes, lengths, count + 1, wide);
    move_bytes(start + now.pool + at, key.bytes, size);
  }
  if (has_cells(kind)) {
    std::byte* const cells = start + now.cells;
    move_bytes(cells + std::size_t{word} * (i + 1), cells + std::size_t{word} * i,
               std::size_t{word} * (count - i));
    store_word(cells + std::size_t{word} * i, cell, wide);
  }
}

/// Takes out the cell and key of index `i`; what becomes free before the heap is zero.
inline void erase_column(std::byte* start, node_kind kind, bool wide, uint32_t count, uint32_t i,
                         uint32_t pool, uint32_t at) noexcept {
  const uint32_t word = wide ? 4 : 2;
  const column_places old(kind, wide, count);
  const column_places now(kind, wide, count - 1);
  uint32_t size = 0;
  if (has_cells(kind)) {
    std::byte* const cells = start + now.cells;
    move_bytes(cells + std::size_t{word} * i, cells + std::size_t{word} * (i + 1),
               std::size_t{word} * (count - 1 - i));
  }
  if (has_keys(kind)) {
    const std::byte* const before = start + old.lengths;
    size = std::to_integer<uint32_t>(before[i]) & 0x7F;
    const auto hash = load<uint16_t>(start + old.hashes + std::size_t{2} * i);
    const uint32_t buckets = bucket_count(count);
    const bool keep_index = count > 17 && buckets == bucket_count(count - 1);
    if (keep_index) {
      std::byte* const bases = start + old.index + std::size_t{word} * (buckets - 1);
      for (uint32_t g = i / 16 + 1; 16 * g < count - 1; ++g) {
        std::byte* const base = bases + std::size_t{word} * (g - 1);
        store_word(base, load_word(base, wide) - size + (std::to_integer<uint32_t>(before[16 * g]) & 0x7F),
                   wide);
      }
      shift_buckets(start + old.index, hash, buckets, wide, -1);
    }
    std::byte* const hashes = start + now.hashes;
    move_bytes(hashes, start + old.hashes, std::size_t{2} * i);
    move_bytes(hashes + std::size_t{2} * i, start + old.hashes + std::size_t{2} * (i + 1),
               std::size_t{2} * (count - 1 - i));
    if (keep_index)
      move_bytes(start + now.index, start + old.index, std::size_t{word} * index_count(count - 1));
    std::byte* const lengths = start + now.lengths;
    move_bytes(lengths, start + old.lengths, i);
    move_bytes(lengths + i, start + old.lengths + i + 1, count - 1 - i);
    move_bytes(start + now.pool, start + old.pool, at);
    move_bytes(start + now.pool + at, start + old.pool + at + size, pool - at - size);
    if (!keep_index) make_index(start + now.index, hashes, lengths, count - 1, wide);
  }
  const uint32_t old_end = old.pool + (has_keys(kind) ? pool : 0);
  const uint32_t now_end = now.pool + (has_keys(kind) ? pool - size : 0);
  std::memset(start + now_end, 0, old_end - now_end);
}

} // namespace ingot::inline v1::detail::doc
