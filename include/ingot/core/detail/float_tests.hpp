// SPDX-License-Identifier: Apache-2.0
// std::isnan, std::signbit and std::fabs without <cmath>. Compiling <cmath> takes a third of
// the time that <map>, <string> and <vector> take together.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_nan(F number) noexcept {
  return number != number;
}
/// Returns true if the sign bit is set, also of zeros and NaNs.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_negative(F number) noexcept {
  if constexpr (sizeof(F) == sizeof(std::int32_t)) return std::bit_cast<std::int32_t>(number) < 0;
  else {
    static_assert(sizeof(F) == sizeof(std::int64_t), "ingot stores float and double");
    return std::bit_cast<std::int64_t>(number) < 0;
  }
}
[[nodiscard]] constexpr double absolute(double number) noexcept {
  return is_negative(number) ? -number : number;
}

}}} // namespace ingot::INGOT_V1::detail
