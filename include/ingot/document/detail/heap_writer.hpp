// SPDX-License-Identifier: Apache-2.0
// Rewrites heaps of nodes: writes values one by one, or copies the values of another heap without
// the unused bytes between them.
#pragma once

#include <ingot/document/detail/node.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

INGOT_INLINE void write_heap(std::byte* at, bool wide, uint32_t heap) noexcept {
  store_word(at + (wide ? 12 : 6), heap, wide);
}
INGOT_INLINE void write_cell(std::byte* at, node_kind kind, bool wide, uint32_t index,
                             uint32_t cell) noexcept {
  store_word(at + head_size(kind, wide) + std::size_t{wide ? 4U : 2U} * index, cell, wide);
}

/// Returns the size in bytes that a value takes in the heap of a node of `kind`, without its key; 0
/// if the cell contains the value.
[[nodiscard]] INGOT_INLINE uint32_t heap_size(const item& value, node_kind kind, bool wide) noexcept {
  return kind == node_kind::object ? value_size(value) : cell_heap_size(value, wide);
}

/// Returns the number of bytes that keys and values use in a node's heap. O(n).
[[nodiscard]] inline uint64_t live_bytes(const node& n) noexcept {
  uint64_t live = 0;
  if (n.kind == node_kind::object && !n.wide) {
    const std::byte* const cells = n.cells();
    const std::byte* const hashes = n.hashes();
    for (uint32_t i = 0; i < n.count; ++i) {
      const std::byte* const record = n.end() - load<uint16_t>(cells + std::size_t{2} * i);
      const uint32_t key = key_bytes(load<uint16_t>(hashes + std::size_t{2} * i), record);
      live += key + size_in_heap(record + key);
    }
  } else {
    for (uint32_t i = 0; i < n.count; ++i) live += n.heap_bytes(i);
  }
  return live;
}

/// Fills the heap of a node, from its end towards its beginning.
class heap_writer {
public:
  heap_writer(std::byte* node, node_kind kind, bool wide, uint32_t bytes) noexcept
      : at_(node), kind_(kind), wide_(wide), bytes_(bytes) {}

  /// Reserves `size` bytes for an element, and returns their position.
  [[nodiscard]] std::byte* reserve(uint32_t index, uint32_t size) noexcept {
    used_ += size;
    cell(index, used_);
    return at_ + bytes_ - used_;
  }
  void cell(uint32_t index, uint32_t cell) noexcept { write_cell(at_, kind_, wide_, index, cell); }
  /// Copies an element from another heap, or from the copy of a heap.
  void copy(uint32_t index, const std::byte* from, uint32_t size) noexcept {
    move_bytes(reserve(index, size), from, size);
  }
  /// Writes a value. If `key_size` is not 0, writes the record of the key before the value.
  void put(uint32_t index, const std::byte* key, uint32_t key_size, const item& value) noexcept {
    const uint32_t size = heap_size(value, kind_, wide_);
    if (size + key_size == 0) {
      cell(index, immediate_cell(value, wide_));
      return;
    }
    std::byte* const to = reserve(index, key_size + size);
    if (key_size != 0) move_bytes(to, key, key_size);
    write_value(to + key_size, value);
  }
  /// Copies the records of a narrow object, except for `dropped`, to a narrow heap. The source is
  /// the object's heap or a copy of this heap; at least 16 bytes before the source must be
  /// readable. When nodes grow, most of the time is spent in this loop. So the loop has only one
  /// unpredictable branch, and usually no call.
  void take_records(const node& from, uint32_t dropped) noexcept {
    const std::byte* const cells = from.cells();
    const std::byte* const hashes = from.hashes();
    const std::byte* const end = from.end();
    std::byte* const to_cells = at_ + head_size(kind_, false);
    // For a record of at most 32 bytes, copies the 16 or 32 bytes that end at the record's end. So
    // bytes before a shorter record are overwritten too. The next record replaces these bytes, or
    // they are cleared after the loop.
    std::byte* const columns_end = to_cells + std::size_t{4} * from.count;
    const std::byte* const steps_from = columns_end + 32;
    std::byte* to = at_ + bytes_ - used_;
    for (uint32_t i = 0; i < from.count; ++i) {
      if (i == dropped) continue;
      const std::byte* const record = end - load<uint16_t>(cells + std::size_t{2} * i);
      const uint32_t key = key_bytes(load<uint16_t>(hashes + std::size_t{2} * i), record);
      const uint32_t size = key + size_in_heap(record + key);
      to -= size;
      if (to < steps_from || size > 32) [[unlikely]] {
        move_bytes(to, record, size);
      } else {
        if (size > 16) {
          const auto head = load_unit<sixteen_bytes>(record + size - 32);
          std::memcpy(to + size - 32, &head, sizeof head);
        }
        const auto tail = load_unit<sixteen_bytes>(record + size - 16);
        std::memcpy(to + size - 16, &tail, sizeof tail);
      }
      store(to_cells + std::size_t{2} * i, static_cast<uint16_t>(at_ + bytes_ - to));
    }
    used_ = static_cast<uint32_t>(at_ + bytes_ - to);
    if (to - columns_end >= 16)
      std::memset(to - 16, 0, 16); // clears the bytes that were written before the last record
  }
  /// Writes the number of used bytes to the node's head, and returns this number.
  uint32_t finish() noexcept {
    write_heap(at_, wide_, used_);
    return used_;
  }

private:
  std::byte* at_;
  node_kind kind_;
  bool wide_;
  uint32_t bytes_;
  uint32_t used_ = 0;
};

/// Copies the elements of `from`, which is a node or the copy of a node, to the heap of a node of
/// the same kind. The element `dropped`, if there is one, is stored last and becomes null.
inline void copy_heap(const node& from, const std::byte* end, heap_writer& to, bool to_wide,
                      uint32_t dropped) noexcept {
  const auto store_heap = [&](uint32_t i) {
    const uint32_t size = from.heap_bytes(i);
    if (size != 0) to.copy(i, end - from.cell(i), size);
    else to.cell(i, to_wide == from.wide ? from.cell(i) : immediate_cell(from.value(i), to_wide));
  };
  if (from.kind == node_kind::object && !from.wide && !to_wide) {
    to.take_records(from, dropped);
  } else {
    for (uint32_t i = 0; i < from.count; ++i) {
      if (i != dropped) store_heap(i);
    }
  }
  if (dropped >= from.count) return;
  const uint32_t key = from.at_index(dropped).before;
  to.put(dropped, key != 0 ? end - from.cell(dropped) : nullptr, key, item::null());
}

/// A copy of a node outside the document, with 16 bytes before it.
class node_copy {
public:
  /// Copies the node, and makes `n` a view of the copy. If there is no memory, returns false and
  /// does not change `n`.
  [[nodiscard]] bool take(node& n) noexcept {
    std::byte* copy = small_.data();
    if (n.bytes > small_.size() - before) {
      large_.reset(new (std::nothrow) std::byte[before + n.bytes]);
      if (!large_) return false;
      copy = large_.get();
    }
    std::memset(copy, 0, before);
    std::memcpy(copy + before, n.at, n.bytes);
    n.at = copy + before;
    return true;
  }

private:
  static constexpr std::size_t before = 16;
  std::array<std::byte, 2048 + before> small_;
  std::unique_ptr<std::byte[]> large_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
