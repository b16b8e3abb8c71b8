// SPDX-License-Identifier: Apache-2.0
// memmove for ranges that are mostly short: elements of a vector, characters of a text.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A type of sixteen bytes. Compilers move it by one instruction if the processor has one for this
/// size.
struct sixteen_bytes {
  std::uint64_t words[2];
};
template <class Unit>
[[nodiscard]] INGOT_INLINE Unit load_unit(const std::byte* from) noexcept {
  Unit unit;
  std::memcpy(&unit, from, sizeof unit);
  return unit;
}
/// Moves `n` bytes as two units, which overlap unless `n` is twice the size of a unit. Reads both
/// units before it writes one of them.
template <class Unit>
INGOT_INLINE void move_two(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  const Unit first = load_unit<Unit>(from);
  const Unit last = load_unit<Unit>(from + n - sizeof(Unit));
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + n - sizeof(Unit), &last, sizeof last);
}
INGOT_NOINLINE inline void move_far(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  std::memmove(to, from, n);
}

/// Moves `n` bytes between ranges that may overlap. Calls no function for up to 64 bytes.
INGOT_INLINE void move_bytes(void* target, const void* source, std::size_t n) noexcept {
  auto* const to = static_cast<std::byte*>(target);
  const auto* const from = static_cast<const std::byte*>(source);
  if (n > 64) {
    move_far(to, from, n);
  } else if (n >= 32) {
    const auto a = load_unit<sixteen_bytes>(from);
    const auto b = load_unit<sixteen_bytes>(from + 16);
    const auto c = load_unit<sixteen_bytes>(from + n - 32);
    const auto d = load_unit<sixteen_bytes>(from + n - 16);
    std::memcpy(to, &a, sizeof a);
    std::memcpy(to + 16, &b, sizeof b);
    std::memcpy(to + n - 32, &c, sizeof c);
    std::memcpy(to + n - 16, &d, sizeof d);
  } else if (n >= 16) {
    move_two<sixteen_bytes>(to, from, n);
  } else if (n >= 8) {
    move_two<std::uint64_t>(to, from, n);
  } else if (n >= 4) {
    move_two<std::uint32_t>(to, from, n);
  } else if (n >= 2) {
    move_two<std::uint16_t>(to, from, n);
  } else if (n == 1) {
    *to = *from;
  }
}

/// Zeroes more than 32 bytes. A branch on the number of bytes would be unpredictable, so up to 128
/// bytes always take eight stores. For small numbers, several of these stores write to one address.
INGOT_NOINLINE inline void clear_far(std::byte* at, std::size_t n) noexcept {
  if (n > 128) {
    std::memset(at, 0, n);
    return;
  }
  const std::size_t last = n - 16;
  std::memset(at, 0, 16);
  std::memset(at + 16, 0, 16);
  for (std::size_t offset = 32; offset <= 96; offset += 16) {
    std::memset(at + (offset < last ? offset : last), 0, 16);
  }
  std::memset(at + last, 0, 16);
}
/// Zeroes 16 bytes, and 16 bytes from `last` on.
INGOT_INLINE void clear_ends(std::byte* at, std::size_t last) noexcept {
  std::memset(at, 0, 16);
  std::memset(at + last, 0, 16);
}
/// Zeroes `n` bytes, at least 16.
INGOT_INLINE void clear_bytes(std::byte* at, std::size_t n) noexcept {
  if (n <= 32) [[likely]] {
    clear_ends(at, n - 16);
  } else {
    clear_far(at, n);
  }
}

}}} // namespace ingot::INGOT_V1::detail
