// SPDX-License-Identifier: Apache-2.0
// The rounding mode of the thread. Code that computes a number by a single product or quotient
// needs results that are rounded to the nearest double.
#pragma once

#include <ingot/core/bytes.hpp>

#include <bit>
#include <cfenv>
#include <cstdint>
#include <limits>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Returns true if results are rounded to the nearest. This is the default. Takes about four
/// instructions.
[[nodiscard]] INGOT_INLINE bool rounds_to_nearest() noexcept {
  // The variable is volatile, because compilers assume the default mode. In any other mode, the sum
  // or the difference is not 1.
  static volatile double tiny = std::numeric_limits<double>::min();
  const double little = tiny;
  // Compilers with -ffast-math compare other numbers than the sums, but the bits are of the sums.
  return std::bit_cast<std::uint64_t>(1.0 + little) == std::bit_cast<std::uint64_t>(1.0 - little);
}

/// While this object exists, the thread rounds to nearest, because some standard libraries read
/// numbers incorrectly in other modes.
class nearest_rounding {
public:
  nearest_rounding() noexcept : before_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
  nearest_rounding(const nearest_rounding&) = delete;
  nearest_rounding& operator=(const nearest_rounding&) = delete;
  ~nearest_rounding() { std::fesetround(before_); }

private:
  int before_;
};

}}} // namespace ingot::INGOT_V1::json::detail
