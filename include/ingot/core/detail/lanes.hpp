// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes in a vector register, as lanes of one, two, four or eight bytes. Compilers have
// operators for such values (+, &, ==, and so on), which are the same for SSE2 and NEON. The
// functions below are for what differs: a result as a mask of bits. Code that uses lanes has a
// portable twin. tests/vectors compares both.
//
// Intrinsics are not used here, because their headers are large: that of NEON would take more time
// to compile than the header of a container.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <cstring>

// 1 if the processor has lanes, for which there is code below. A build may define it as 0.
#if !defined(INGOT_LANES)
#if !defined(__GNUC__) && !defined(__clang__)
#define INGOT_LANES 0
#elif defined(__SSE2__)
#define INGOT_LANES 1
#elif defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define INGOT_LANES 1
#else
#define INGOT_LANES 0
#endif
#endif

#if INGOT_LANES

namespace ingot { inline namespace INGOT_V1 { namespace detail {

using byte_lanes = std::uint8_t __attribute__((vector_size(16)));
using short_lanes = std::uint16_t __attribute__((vector_size(16)));
using word_lanes = std::uint32_t __attribute__((vector_size(16)));
using long_lanes = std::uint64_t __attribute__((vector_size(16)));
// Results of comparisons, in which all bits of a lane are equal. Comparisons of these types are
// signed, and have an instruction in SSE2, unlike those of unsigned lanes.
using signed_byte_lanes = std::int8_t __attribute__((vector_size(16)));
using signed_short_lanes = std::int16_t __attribute__((vector_size(16)));

template <class Lanes>
[[nodiscard]] INGOT_INLINE Lanes load_lanes(const void* from) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
template <class Lanes>
INGOT_INLINE void store_lanes(void* to, Lanes lanes) noexcept {
  std::memcpy(to, &lanes, sizeof lanes);
}
[[nodiscard]] INGOT_INLINE byte_lanes all_lanes(std::uint8_t byte) noexcept { return byte_lanes{} + byte; }

#if defined(__SSE2__)

/// Returns a mask with bit i for lane i. All bits of a lane must be equal.
[[nodiscard]] INGOT_INLINE std::uint32_t bits_of(signed_byte_lanes lanes) noexcept {
  using chars = char __attribute__((vector_size(16)));
  return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128((chars)lanes));
}
/// The same for sixteen lanes of two bytes. The lanes of `low` have the lower eight bits.
[[nodiscard]] INGOT_INLINE std::uint32_t bits_of(signed_short_lanes low, signed_short_lanes high) noexcept {
  using shorts = short __attribute__((vector_size(16)));
  return bits_of((signed_byte_lanes)__builtin_ia32_packsswb128((shorts)low, (shorts)high));
}
/// The same for eight lanes of two bytes, with two bits for each lane.
[[nodiscard]] INGOT_INLINE std::uint32_t twice_bits_of(signed_short_lanes lanes) noexcept {
  return bits_of((signed_byte_lanes)lanes);
}
/// Returns a mask with the uppermost bit of each lane, for lanes of any value.
[[nodiscard]] INGOT_INLINE std::uint32_t top_bits_of(byte_lanes lanes) noexcept {
  return bits_of((signed_byte_lanes)lanes);
}
/// Returns true if a bit is set. All bits of a lane must be equal.
[[nodiscard]] INGOT_INLINE bool any_of(signed_byte_lanes lanes) noexcept { return bits_of(lanes) != 0; }
/// Returns true if all lanes are 0, for lanes of any value.
[[nodiscard]] INGOT_INLINE bool has_only_zeros(byte_lanes lanes) noexcept {
  return bits_of(lanes == byte_lanes{}) == 0xFFFF;
}

#else

// NEON has no instruction for a mask. Each lane keeps a bit of its own, and all lanes are added.
[[nodiscard]] INGOT_INLINE std::uint32_t sum_of(short_lanes lanes) noexcept {
  short_lanes sum;
  asm("addv %h0, %1.8h" : "=w"(sum) : "w"(lanes));
  return sum[0];
}
[[nodiscard]] INGOT_INLINE std::uint32_t bits_of(signed_byte_lanes lanes) noexcept {
  const byte_lanes bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  byte_lanes sum;
  // Adds neighbours until the sum of each half is in one byte.
  asm("addp %0.16b, %1.16b, %1.16b\n\taddp %0.16b, %0.16b, %0.16b\n\taddp %0.16b, %0.16b, %0.16b"
      : "=w"(sum)
      : "w"((byte_lanes)lanes & bits));
  return ((short_lanes)sum)[0];
}
[[nodiscard]] INGOT_INLINE std::uint32_t bits_of(signed_short_lanes low, signed_short_lanes high) noexcept {
  const short_lanes low_bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const short_lanes high_bits = {1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  return sum_of(((short_lanes)low & low_bits) | ((short_lanes)high & high_bits));
}
[[nodiscard]] INGOT_INLINE std::uint32_t twice_bits_of(signed_short_lanes lanes) noexcept {
  const short_lanes bits = {3, 3 << 2, 3 << 4, 3 << 6, 3 << 8, 3 << 10, 3 << 12, 3 << 14};
  return sum_of((short_lanes)lanes & bits);
}
[[nodiscard]] INGOT_INLINE std::uint32_t top_bits_of(byte_lanes lanes) noexcept {
  return bits_of((signed_byte_lanes)lanes < 0);
}
[[nodiscard]] INGOT_INLINE bool any_of(signed_byte_lanes lanes) noexcept {
  byte_lanes greatest; // the greater word of each pair
  asm("umaxp %0.4s, %1.4s, %1.4s" : "=w"(greatest) : "w"(lanes));
  return ((long_lanes)greatest)[0] != 0;
}
[[nodiscard]] INGOT_INLINE bool has_only_zeros(byte_lanes lanes) noexcept {
  return !any_of((signed_byte_lanes)lanes);
}

#endif

}}} // namespace ingot::INGOT_V1::detail

#endif
