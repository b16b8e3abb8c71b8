// SPDX-License-Identifier: Apache-2.0
// Inserts into the columns of a node, and erases from them. For an insertion, the gap between the
// columns and the heap must have the space.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// A key as a heap stores it. `bytes` is the text, or the position of the node of a long key. If
/// the hash does not contain the length of the key (see `length_mask`), `first` is stored before
/// the bytes.
struct stored_key {
  uint16_t hash = 0;
  uint8_t first = 0;
  const std::byte* bytes = nullptr;
  /// Creates a key from text that is short enough for a heap.
  [[nodiscard]] static stored_key of(uint16_t hash, std::string_view text) noexcept {
    return {hash, static_cast<uint8_t>(text.size() + 1), reinterpret_cast<const std::byte*>(text.data())};
  }
  /// Returns the size of the key's record in bytes.
  [[nodiscard]] uint32_t size() const noexcept {
    const uint32_t length = length_in(hash);
    return length != 0 ? length : first & 0x7FU;
  }
  void write(std::byte* to) const noexcept {
    uint32_t left = size();
    if (length_in(hash) == 0) {
      *to++ = static_cast<std::byte>(first);
      --left;
    }
    move_bytes(to, bytes, left);
  }
};

/// Inserts a cell before index `i` of `count`; if the node has keys, also a hash.
inline void insert_column(std::byte* start, node_kind kind, bool wide, uint32_t count, uint32_t i,
                          uint32_t cell, uint16_t hash) noexcept {
  const std::size_t word = wide ? 4 : 2;
  std::byte* const cells = start + head_size(kind, wide);
  std::byte* const here = cells + word * i;
  std::size_t moved = word * (count - i);
  if (has_keys(kind)) {
    std::byte* const old = cells + word * count;
    std::byte* const now = old + word;
    move_bytes(now + std::size_t{2} * (i + 1), old + std::size_t{2} * i, std::size_t{2} * (count - i));
    // Cells from index `i` on and hashes before index `i` are adjacent, and move by the same
    // distance. So one move is enough, and its length does not depend on `i`.
    moved += std::size_t{2} * i;
    move_bytes(here + word, here, moved);
    store(now + std::size_t{2} * i, hash);
  } else {
    move_bytes(here + word, here, moved);
  }
  store_word(here, cell, wide);
}

/// Removes the cell and the hash of index `i`, and closes both gaps. The bytes that become free at
/// the end of the columns are set to zero.
inline void erase_column(std::byte* start, node_kind kind, bool wide, uint32_t count, uint32_t i) noexcept {
  const std::size_t word = wide ? 4 : 2;
  std::byte* const cells = start + head_size(kind, wide);
  std::byte* const here = cells + word * i;
  const std::size_t following_bytes = word * (count - 1 - i);
  std::byte* const old = cells + word * count;
  if (!has_keys(kind)) {
    move_bytes(here, here + word, following_bytes);
    std::memset(old - word, 0, word);
    return;
  }
  std::byte* const now = old - word;
  move_bytes(here, here + word, following_bytes + std::size_t{2} * i); // as in `insert_column`
  move_bytes(now + std::size_t{2} * i, old + std::size_t{2} * (i + 1), std::size_t{2} * (count - 1 - i));
  std::memset(now + std::size_t{2} * (count - 1), 0, word + 2);
}

}}} // namespace ingot::INGOT_V1::detail::doc
