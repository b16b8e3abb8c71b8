// SPDX-License-Identifier: Apache-2.0
// Conversion of floats to doubles and back, bit by bit. A NaN keeps its payload and stays
// signalling. A conversion instruction of the processor may change the payload and make the NaN
// quiet.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the bits of the double that equals the float with the given bits.
constexpr std::uint64_t widen_float(std::uint64_t bits) noexcept {
  const auto narrow = static_cast<std::uint32_t>(bits);
  if ((narrow >> 23 & 0xFF) != 0xFF)
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(narrow)));
  return std::uint64_t{narrow >> 31} << 63 | std::uint64_t{0x7FF} << 52 |
         std::uint64_t{narrow & 0x7FFFFF} << 29;
}
/// Returns the bits of the float nearest to the double with the given bits. A NaN stays a NaN.
constexpr std::uint32_t narrow_float(std::uint64_t bits) noexcept {
  if ((bits >> 52 & 0x7FF) != 0x7FF)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  const auto fraction = static_cast<std::uint32_t>(bits >> 29 & 0x7FFFFF);
  const bool is_nan = (bits << 12) != 0;
  return static_cast<std::uint32_t>(bits >> 63) << 31 | std::uint32_t{0xFF} << 23 |
         (is_nan && fraction == 0 ? 1U : fraction);
}

}}} // namespace ingot::INGOT_V1::detail
