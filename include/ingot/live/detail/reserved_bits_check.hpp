// SPDX-License-Identifier: Apache-2.0
// Validates the reserved bits of many positions: collects those that are set, so that one check at
// the end is enough. Collecting takes registers and units of the processor that the rest of a
// validation doesn't use. Separate checks would compete for the units that limit the speed of a
// validation.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/lanes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class reserved_bits_check {
public:
  /// Collects from `Size` bytes, a multiple of 16, the bits that are also set in `forbidden`. In
  /// the last byte, these bits may have a value of up to `MaxLast`: only a larger value is
  /// collected.
  template <std::size_t Size, std::uint8_t MaxLast>
  INGOT_INLINE void look(const std::byte* bytes, const std::byte* forbidden) noexcept {
    static_assert(Size % 16 == 0);
    static constexpr auto allowed = [] {
      std::array<std::uint8_t, Size> limits{};
      limits.back() = MaxLast;
      return limits;
    }();
    for (std::size_t at = 0; at < Size; at += 16) {
      found_ |= above(load(bytes + at) & load(forbidden + at), load(allowed.data() + at));
    }
  }
  [[nodiscard]] INGOT_INLINE bool none() const noexcept {
#if INGOT_LANES
    return has_only_zeros(found_);
#else
    return (found_.halves[0] | found_.halves[1]) == 0;
#endif
  }

private:
#if INGOT_LANES
  using lanes = byte_lanes;
  /// Subtracts `limits` from `bytes`, byte by byte. A difference below zero becomes 0.
  [[nodiscard]] static INGOT_INLINE lanes above(lanes bytes, lanes limits) noexcept {
#if defined(__clang__)
    return __builtin_elementwise_sub_sat(bytes, limits);
#elif defined(__SSE2__)
    using chars = char __attribute__((vector_size(16)));
    return (lanes)__builtin_ia32_psubusb128((chars)bytes, (chars)limits);
#else
    return (bytes > limits ? bytes : limits) - limits;
#endif
  }
#else
  struct lanes {
    std::array<std::uint64_t, 2> halves{};
    friend INGOT_INLINE lanes operator&(lanes a, lanes b) noexcept {
      return {{a.halves[0] & b.halves[0], a.halves[1] & b.halves[1]}};
    }
    INGOT_INLINE lanes& operator|=(lanes b) noexcept {
      halves[0] |= b.halves[0];
      halves[1] |= b.halves[1];
      return *this;
    }
  };
  /// For processors without lanes. Like the function above, but a last byte above its limit
  /// becomes 1. Requires that all limits except the last limit are zero.
  [[nodiscard]] static INGOT_INLINE lanes above(lanes bytes, lanes limits) noexcept {
    std::uint8_t last = 0;
    std::uint8_t limit = 0;
    std::memcpy(&last, reinterpret_cast<const std::byte*>(&bytes) + 15, 1);
    std::memcpy(&limit, reinterpret_cast<const std::byte*>(&limits) + 15, 1);
    last = static_cast<std::uint8_t>(last > limit);
    std::memcpy(reinterpret_cast<std::byte*>(&bytes) + 15, &last, 1);
    return bytes;
  }
#endif
  [[nodiscard]] static INGOT_INLINE lanes load(const void* from) noexcept {
    lanes loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
  }

  lanes found_{};
};

}}} // namespace ingot::INGOT_V1::detail
