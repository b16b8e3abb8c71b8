// SPDX-License-Identifier: Apache-2.0
// Limits on the time and memory that a reader takes for untrusted bytes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <limits>

namespace ingot { inline namespace INGOT_V1 {

/// Limits of a reader that creates C++ values. The defaults accept every message of ordinary types.
struct read_limits {
  /// If `max_memory` has this value, the limit is `memory_ratio` times the bytes of the input, plus
  /// `memory_base`.
  static constexpr std::uint64_t by_input = std::numeric_limits<std::uint64_t>::max();
  /// bytes of memory allowed for each byte of input
  static constexpr std::uint64_t memory_ratio = 512;
  /// bytes of memory allowed in addition, for an input of any size
  static constexpr std::uint64_t memory_base = std::uint64_t{16} << 20;
  /// default of `max_collisions`
  static constexpr std::uint32_t default_collisions = 32;

  /// Maximum memory of the elements of lists, sets and maps, and of the contents of boxes, in
  /// bytes. A value that takes more is rejected with `too_much_memory`. Text isn't counted, because
  /// it takes no more memory than its bytes in the input.
  std::uint64_t max_memory = by_input;
  /// Maximum number of keys with which one key of a `std::unordered_` container is compared, on
  /// average over the container's keys. If the number is greater, the keys are rejected with
  /// `too_many_collisions`. Containers of at most 64 keys are never rejected. A key with a random
  /// hash is compared with less than two keys on average.
  std::uint32_t max_collisions = default_collisions;
};

namespace detail {

/// Returns the limit in bytes for an input of `size` bytes.
[[nodiscard]] constexpr std::uint64_t memory_limit(std::uint64_t max_memory, std::uint64_t size) noexcept {
  if (max_memory != read_limits::by_input) return max_memory;
  constexpr std::uint64_t max_product = read_limits::by_input - read_limits::memory_base;
  if (size > max_product / read_limits::memory_ratio) return read_limits::by_input;
  return read_limits::memory_base + size * read_limits::memory_ratio;
}

} // namespace detail
}} // namespace ingot::INGOT_V1
