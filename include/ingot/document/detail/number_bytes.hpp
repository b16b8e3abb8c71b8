// SPDX-License-Identifier: Apache-2.0
// Numbers of a document as bytes: in the byte order of the machine, at any address, integers in as
// few bytes as possible.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

template <class N>
[[nodiscard]] INGOT_INLINE N load(const std::byte* from) noexcept {
  N n;
  std::memcpy(&n, from, sizeof n);
  return n;
}
template <class N>
INGOT_INLINE void store(std::byte* to, N n) noexcept {
  std::memcpy(to, &n, sizeof n);
}
/// Returns `n` in a general register. Otherwise compilers gather the words of a handle in a vector
/// register. Reading a word from there takes three cycles, and all other instructions wait for the
/// word.
template <class N>
[[nodiscard]] INGOT_INLINE N in_register(N n) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  if constexpr (sizeof n <= sizeof(void*)) asm("" : "+r"(n)); // NOLINT(*-no-assembler): empty
#endif
  return n;
}
/// Loads a number that has the width of a node's cells.
[[nodiscard]] INGOT_INLINE uint32_t load_word(const std::byte* from, bool wide) noexcept {
  return wide ? load<uint32_t>(from) : load<uint16_t>(from);
}
INGOT_INLINE void store_word(std::byte* to, uint32_t n, bool wide) noexcept {
  if (wide) store(to, n);
  else store(to, static_cast<uint16_t>(n));
}

[[nodiscard]] INGOT_INLINE bool fits_signed(std::int64_t n, unsigned bits) noexcept {
  const std::int64_t half = std::int64_t{1} << (bits < 64 ? bits - 1 : 0);
  return bits >= 64 || (n >= -half && n < half);
}
/// Returns the minimum number of bytes for a signed integer.
[[nodiscard]] INGOT_INLINE unsigned integer_bytes(std::int64_t n) noexcept {
  const auto magnitude =
      // treats 0 like 1, which takes as many bytes, to avoid a branch
      static_cast<uint64_t>(n ^ n >> 63) | 1;
  return (static_cast<unsigned>(65 - std::countl_zero(magnitude)) + 7) / 8;
}
/// Loads an integer of 1 to 8 bytes at `from`. The eight bytes that end where the integer ends must
/// be readable.
[[nodiscard]] INGOT_INLINE std::int64_t load_integer(const std::byte* from, unsigned bytes) noexcept {
  if constexpr (little_endian) {
    return load<std::int64_t>(from + bytes - 8) >> (64 - 8 * bytes);
  } else {
    std::int64_t n = std::to_integer<int>(from[0]) < 128 ? 0 : -1;
    for (unsigned i = 0; i < bytes; ++i)
      n = static_cast<std::int64_t>(static_cast<uint64_t>(n) << 8 | std::to_integer<uint64_t>(from[i]));
    return n;
  }
}
INGOT_INLINE void store_integer(std::byte* to, std::int64_t n, unsigned bytes) noexcept {
  if constexpr (little_endian) { // two or three stores, which overlap
    if (bytes >= 4) {
      store(to, static_cast<uint32_t>(n));
      store(to + bytes - 4, static_cast<uint32_t>(n >> 8 * (bytes - 4)));
    } else {
      to[0] = static_cast<std::byte>(n);
      to[bytes / 2] = static_cast<std::byte>(n >> 8 * (bytes / 2));
      to[bytes - 1] = static_cast<std::byte>(n >> 8 * (bytes - 1));
    }
  } else {
    for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(n >> 8 * (bytes - 1 - i));
  }
}

/// Returns the base-two logarithm of the size in bytes of the integers in a packed array.
[[nodiscard]] constexpr uint8_t packed_shift(std::int64_t smallest, std::int64_t largest) noexcept {
  if (smallest >= -0x80 && largest < 0x80) return 0;
  if (smallest >= -0x8000 && largest < 0x8000) return 1;
  if (smallest >= -0x80000000LL && largest < 0x80000000LL) return 2;
  return 3;
}
[[nodiscard]] INGOT_INLINE std::int64_t load_packed(const std::byte* from, unsigned shift) noexcept {
  switch (shift) {
  case 0: return load<std::int8_t>(from);
  case 1: return load<std::int16_t>(from);
  case 2: return load<std::int32_t>(from);
  default: return load<std::int64_t>(from);
  }
}
INGOT_INLINE void store_packed(std::byte* to, std::int64_t n, unsigned shift) noexcept {
  switch (shift) {
  case 0: store(to, static_cast<std::int8_t>(n)); break;
  case 1: store(to, static_cast<std::int16_t>(n)); break;
  case 2: store(to, static_cast<std::int32_t>(n)); break;
  default: store(to, n); break;
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
