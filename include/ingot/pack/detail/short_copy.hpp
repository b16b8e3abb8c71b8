// SPDX-License-Identifier: Apache-2.0
// Copies of a few bytes, the most frequent work of a codec. A call of memcpy would take more time
// than the copy.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct block16 {
  std::uint64_t words[2];
};

/// memcpy of a length that the compiler doesn't know. Out of line, so that the code of the callers
/// stays short.
INGOT_NOINLINE inline void copy_far(std::byte* to, const void* from, std::size_t n) noexcept {
  std::memcpy(to, from, n);
}

/// Copies up to 16 bytes by two overlapping moves, and more bytes by a call of memcpy.
INGOT_INLINE void copy_short(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  if (n > 16) {
    copy_far(to, from, n);
  } else if (n >= 8) {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::memcpy(&first, from, 8);
    std::memcpy(&last, from + n - 8, 8);
    std::memcpy(to, &first, 8);
    std::memcpy(to + n - 8, &last, 8);
  } else if (n >= 4) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + n - 4, 4);
    std::memcpy(to, &first, 4);
    std::memcpy(to + n - 4, &last, 4);
  } else if (n != 0) {
    const std::byte a = from[0];
    const std::byte b = from[n / 2];
    const std::byte c = from[n - 1];
    to[0] = a;
    to[n / 2] = b;
    to[n - 1] = c;
  }
}

}}} // namespace ingot::INGOT_V1::detail
