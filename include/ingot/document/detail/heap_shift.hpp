// SPDX-License-Identifier: Apache-2.0
// Makes space in the heap of a narrow node, in validated bytes. A value that grows first uses the
// zeros after the value, which an earlier, longer value has left there. If there are too few zeros,
// the records before the value move towards the gap (the free bytes between the columns and the
// heap). When a value is removed, the records before the value move away from the gap. So a heap
// has no large holes while values change their lengths.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Limits for a value that grows: maximum number of bytes that move, and of cells that are visited.
/// Above these limits, the value itself moves to the gap. Such a move makes the gap shorter, and a
/// node without a gap must be rewritten. So within the limits, moving the records takes less time,
/// even if the whole heap moves.
inline constexpr uint32_t max_shifted = 16384;
inline constexpr uint32_t max_cells_shifted = 2048;
/// Maximum bytes that move when a value is removed.
inline constexpr uint32_t max_closed = 1024;

/// Counts the dead bytes from `from` on, up to `max_count`. Dead bytes are zeros that a longer
/// value or an erased value left. Records and values do not begin with zero.
[[nodiscard]] INGOT_INLINE uint32_t dead_bytes(const std::byte* from, const std::byte* end,
                                               uint32_t max_count) noexcept {
  const auto left = static_cast<uint32_t>(end - from);
  uint32_t n = 0;
  while (n < max_count && n < left) {
    if (left - n >= 8) {
      const auto next = load_le<uint64_t>(from + n);
      if (next != 0) {
        n += static_cast<uint32_t>(std::countr_zero(next)) / 8;
        break;
      }
      n += 8;
    } else {
      if (from[n] != std::byte{0}) break;
      ++n;
    }
  }
  return n < max_count ? n : max_count;
}

/// Adds `by`, which may be negative, to the cells of records that begin `c` or more bytes before
/// the end of the node. Cells that contain values stay unchanged.
INGOT_INLINE void shift_cells(std::byte* at, const narrow_head& n, uint32_t c, uint32_t by) noexcept {
  std::byte* cell = at + 8;
  uint32_t i = 0;
#if defined(__GNUC__) || defined(__clang__)
  using shorts [[gnu::vector_size(16)]] = short;
  const auto below = static_cast<short>(c - 1);
  const auto more = static_cast<short>(by);
  const shorts limit = {below, below, below, below, below, below, below, below};
  const shorts addend = {more, more, more, more, more, more, more, more};
  if (n.count >= 8) {
    // The last eight cells are read first and written last, since the steps of the loop may also
    // visit some of these cells. So each cell is changed exactly once.
    std::byte* const last = at + 8 + std::size_t{2} * (n.count - 8);
    shorts ends;
    std::memcpy(&ends, last, sizeof ends);
    for (; last - cell >= 16; cell += 32) {
      shorts first;
      shorts second;
      std::memcpy(&first, cell, sizeof first);
      std::memcpy(&second, cell + 16, sizeof second);
      // The comparison is false for cells that contain values, since these cells are negative.
      first += (first > limit) & addend;
      second += (second > limit) & addend;
      std::memcpy(cell, &first, sizeof first);
      std::memcpy(cell + 16, &second, sizeof second);
    }
    if (cell < last) {
      shorts first;
      std::memcpy(&first, cell, sizeof first);
      first += (first > limit) & addend;
      std::memcpy(cell, &first, sizeof first);
    }
    ends += (ends > limit) & addend;
    std::memcpy(last, &ends, sizeof ends);
    return;
  }
#endif
  for (; i < n.count; ++i, cell += 2) {
    const uint32_t here = load<uint16_t>(cell);
    const auto moves = static_cast<uint32_t>(here - c <= narrow_heap - c);
    store(cell, static_cast<uint16_t>(here + (by & (0 - moves))));
  }
}

/// Returns true if the records before the element with the cell `c` may move: their size and the
/// number of cells are within the limits.
[[nodiscard]] INGOT_INLINE bool can_shift(const narrow_head& n, uint32_t c) noexcept {
  return n.heap - c <= max_shifted && n.count <= max_cells_shifted;
}

/// Makes a value longer by `lacks` bytes at its beginning. The part of the heap before the value
/// moves towards the gap. Requires that the gap has the space. Returns the new beginning of the
/// value.
[[nodiscard]] INGOT_INLINE std::byte* shift_records(std::byte* at, const narrow_head& n, uint32_t c,
                                                    std::byte* value, uint32_t lacks) noexcept {
  std::byte* const first = at + n.bytes - n.heap;
  move_bytes(first - lacks, first, static_cast<std::size_t>(value - first));
  shift_cells(at, n, c, lacks);
  store(at + 6, static_cast<uint16_t>(n.heap + lacks));
  return value - lacks;
}

/// Removes the record of `all` bytes that has the cell `c`. The part of the heap before the record
/// moves over the record. Returns false and changes nothing if too many bytes would move.
[[nodiscard]] INGOT_INLINE bool close_records(std::byte* at, const narrow_head& n, uint32_t c,
                                              uint32_t all) noexcept {
  if (n.heap - c > max_closed || n.count > max_cells_shifted) return false;
  std::byte* const first = at + n.bytes - n.heap;
  move_bytes(first + all, first, std::size_t{n.heap - c});
  std::memset(first, 0, all);
  shift_cells(at, n, c, 0 - all);
  store(at + 6, static_cast<uint16_t>(n.heap - all));
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
