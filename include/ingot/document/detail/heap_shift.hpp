// SPDX-License-Identifier: Apache-2.0
// Room in the heap of a narrow node in bytes that were proved: zeros behind a value that was longer, and the records before it, which move over
// towards the gap when those are too few, or away from it when something goes. So a heap stays in one piece while values change their lengths.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// The head of a narrow node.
struct narrow_head {
  uint32_t bytes;
  uint32_t count;
  uint32_t heap;
  INGOT_INLINE explicit narrow_head(const std::byte* at) noexcept
      : bytes(uint32_t{8} * load<uint16_t>(at + 2)), count(load<uint16_t>(at + 4)),
        heap(load<uint16_t>(at + 6)) {}
};

/// Bytes that may move for a value that grows, and cells that are looked at: more is left where it is, and the value moves to the gap. Moving all of a
/// heap costs less than that does, for it makes the gap shorter, and a node without one is rewritten.
inline constexpr uint32_t most_shifted = 16384;
inline constexpr uint32_t most_cells_shifted = 2048;
/// Bytes that may move for what is taken out.
inline constexpr uint32_t most_closed = 1024;

/// How many bytes from `from` on, `most` at most, are a value's that was longer, or of what was erased: zeros, with which no record and no value begins.
[[nodiscard]] INGOT_INLINE uint32_t dead_bytes(const std::byte* from, const std::byte* end,
                                               uint32_t most) noexcept {
  const auto left = static_cast<uint32_t>(end - from);
  uint32_t n = 0;
  while (n < most && n < left) {
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
  return n < most ? n : most;
}

/// The cells that lead to `c` bytes before the node's end and further lead `by` bytes further now, which may be fewer. Those that are values stay.
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
    // The last eight are read before any is written, and written when all are, so that none is left to be done by itself.
    std::byte* const last = at + 8 + std::size_t{2} * (n.count - 8);
    shorts ends;
    std::memcpy(&ends, last, sizeof ends);
    for (; last - cell >= 16; cell += 32) {
      shorts first;
      shorts second;
      std::memcpy(&first, cell, sizeof first);
      std::memcpy(&second, cell + 16, sizeof second);
      first += (first > limit) & addend; // an immediate is negative
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

/// Whether the records before the element whose cell is `c` are few enough to be moved.
[[nodiscard]] INGOT_INLINE bool can_shift(const narrow_head& n, uint32_t c) noexcept {
  return n.heap - c <= most_shifted && n.count <= most_cells_shifted;
}

/// Makes a value longer by `lacks` bytes at its beginning: what is before it in the heap moves towards the gap, which has that room. Where it begins then.
[[nodiscard]] INGOT_INLINE std::byte* shift_records(std::byte* at, const narrow_head& n, uint32_t c,
                                                    std::byte* value, uint32_t lacks) noexcept {
  std::byte* const first = at + n.bytes - n.heap;
  move_bytes(first - lacks, first, static_cast<std::size_t>(value - first));
  shift_cells(at, n, c, lacks);
  store(at + 6, static_cast<uint16_t>(n.heap + lacks));
  return value - lacks;
}

/// Takes a record of `all` bytes out, whose cell is `c`: what is before it in the heap follows. False, with nothing done, when that is much.
[[nodiscard]] INGOT_INLINE bool close_records(std::byte* at, const narrow_head& n, uint32_t c,
                                              uint32_t all) noexcept {
  if (n.heap - c > most_closed || n.count > most_cells_shifted) return false;
  std::byte* const first = at + n.bytes - n.heap;
  move_bytes(first + all, first, std::size_t{n.heap - c});
  std::memset(first, 0, all);
  shift_cells(at, n, c, 0 - all);
  store(at + 6, static_cast<uint16_t>(n.heap - all));
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
