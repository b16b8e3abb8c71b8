// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/quick_edit.hpp.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/heap_shift.hpp>
#include <ingot/document/detail/key_edit.hpp>
#include <ingot/document/detail/quick_edit.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the index for a new member of the object at `at`: the index after all hashes less than
/// `wanted`. Requires that `find_fast` has returned npos for this hash, because this function reads
/// the lanes that decided that search.
[[nodiscard]] INGOT_INLINE uint32_t find_insertion_index(const std::byte* at, const narrow_head& n,
                                                         uint32_t wanted) noexcept {
  const std::size_t count = n.count;
  const std::byte* const columns_end = at + 8 + 4 * count;
  if (count > std::size_t{2} * lanes) {
    const std::byte* const hashes = columns_end - 2 * count;
    const uint32_t first = guess_lanes(hashes, wanted, n.count);
    return first +
           static_cast<uint32_t>(std::countr_one(lanes_below(hashes + std::size_t{2} * first, wanted)));
  }
  if (count < 2) return count == 1 && load<uint16_t>(at + 10) < wanted ? 1 : 0;
  uint32_t below = 0;
  if (count > lanes) {
    const std::byte* const from = columns_end - std::size_t{4} * lanes;
    below = lanes_below(from, wanted) | lanes_below(from + std::size_t{2} * lanes, wanted) << lanes;
    below >>= 2 * lanes - n.count;
  } else {
    below = lanes_below(columns_end - std::size_t{2} * lanes, wanted) >> (lanes - n.count);
  }
  return static_cast<uint32_t>(std::countr_one(below));
}

std::byte* move_element(core& in, uint32_t position, uint32_t index, const std::byte* value, uint32_t old,
                        uint32_t size) noexcept {
  std::byte* const at = in.start() + position;
  const narrow_head n(at);
  const bool array = std::to_integer<uint8_t>(*at) == static_cast<uint8_t>(node_kind::array);
  std::byte* const cell = at + 8 + std::size_t{2} * index;
  const uint32_t c = load<uint16_t>(cell);
  std::byte* const from = at + n.bytes - c;
  const auto before = static_cast<uint32_t>(value - from);
  const uint32_t wanted = size - old;
  const uint32_t lacks = wanted - dead_bytes(value + old, at + n.bytes, wanted);
  if (lacks == 0) return from + before;
  const uint32_t columns = 8 + (array ? 2U : 4U) * n.count;
  if (can_shift(n, c)) {
    if (n.heap + lacks > narrow_heap || columns + n.heap + lacks > n.bytes) return nullptr;
    in.changes().note_values();
    return shift_records(at, n, c, from + before, lacks);
  }
  const uint32_t heap = (c == n.heap ? n.heap - before - old : n.heap) + before + size;
  if (heap > narrow_heap || columns + heap > n.bytes) return nullptr;
  std::byte* const to = at + n.bytes - heap;
  move_bytes(to, from, before);
  if (c != n.heap)
    clear_few(from, std::size_t{before} + old); // if c == n.heap, the new record covers these bytes
  store(at + 6, static_cast<uint16_t>(heap));
  store(cell, static_cast<uint16_t>(heap));
  in.changes().note_values();
  return to + before;
}
std::byte* insert_quickly(core& in, uint32_t position, const document_key& key, uint32_t size,
                          uint32_t& index) noexcept {
  std::byte* const at = in.start() + position;
  const narrow_head n(at);
  const uint32_t length = length_in(key.hash());
  if (length == 0) [[unlikely]]
    return nullptr;
  const uint32_t heap = n.heap + length + size;
  if (n.count >= narrow_count || heap > narrow_heap || 8 + 4 * (n.count + 1) + heap > n.bytes) return nullptr;
  index = find_insertion_index(at, n, key.hash());
  std::byte* const to = at + n.bytes - heap;
  move_bytes(to, key.text().data(), length);
  insert_column(at, node_kind::object, false, n.count, index, heap, key.hash());
  store(at + 4, static_cast<uint16_t>(n.count + 1));
  store(at + 6, static_cast<uint16_t>(heap));
  in.changes().note_shift(position);
  return to + length;
}
bool erase_quickly(core& in, uint32_t position, uint32_t index, const std::byte* value) noexcept {
  const uint32_t size = plain_size(value);
  if (size == 0) return false;
  std::byte* const at = in.start() + position;
  const narrow_head n(at);
  const uint32_t cell = load<uint16_t>(at + 8 + std::size_t{2} * index);
  std::byte* const record = at + n.bytes - cell;
  const auto all = static_cast<uint32_t>(value - record) + size;
  if (cell == n.heap) {
    clear_few(record, all);
    store(at + 6, static_cast<uint16_t>(n.heap - all));
  } else if (!close_records(at, n, cell, all)) {
    clear_few(record, all);
  }
  erase_column(at, node_kind::object, false, n.count, index);
  store(at + 4, static_cast<uint16_t>(n.count - 1));
  in.changes().note_shift(position);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
