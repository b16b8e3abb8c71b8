// SPDX-License-Identifier: Apache-2.0
// Converts points in time and durations to counts of a period that is known at run time.
#pragma once

#include <ingot/core/detail/time_text.hpp>

#include <cstdint>
#include <numeric>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Converts a time to a count of periods of `num / den` seconds (both at least 1). Sets `magnitude`
/// to the absolute value of the count, and `negative` to true if the count is negative.
[[nodiscard]] constexpr time_outcome count_periods(const instant& from, std::uint64_t num, std::uint64_t den,
                                                   std::uint64_t& magnitude, bool& negative) noexcept {
  using enum time_outcome;
  constexpr auto in_second = static_cast<std::uint64_t>(nanoseconds_in_second);
  negative = from.seconds < 0;
  std::uint64_t seconds = static_cast<std::uint64_t>(from.seconds);
  std::uint64_t rest = from.nanoseconds;
  if (negative) { // computes the absolute values of both parts
    seconds = 0 - seconds - (rest != 0 ? 1 : 0);
    if (rest != 0) rest = in_second - rest;
  }
  const std::uint64_t common = std::gcd(den, in_second);
  if (rest % (in_second / common) != 0) return inexact;
  std::uint64_t parts = 0;
  std::uint64_t count = 0;
  if (__builtin_mul_overflow(rest / (in_second / common), den / common, &parts) ||
      __builtin_mul_overflow(seconds, den, &count) || __builtin_add_overflow(count, parts, &count))
    return out_of_range;
  if (count % num != 0) return inexact;
  magnitude = count / num;
  negative = negative && magnitude != 0;
  return exact;
}

/// Returns the nearest count as a floating-point number. Makes the same computations as
/// `to_duration`.
template <class Real>
[[nodiscard]] constexpr Real count_periods(const instant& from, std::uint64_t num,
                                           std::uint64_t den) noexcept {
  const auto times = static_cast<Real>(den);
  const auto by = static_cast<Real>(num);
  return in_periods(from, times, by);
}

}}} // namespace ingot::INGOT_V1::detail::dyn
