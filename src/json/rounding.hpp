// SPDX-License-Identifier: Apache-2.0
// How the thread rounds. What is proved of one product or quotient holds when that gives the nearest double.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cfenv>
#include <limits>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Whether results are rounded to the nearest, which is the default. Some four instructions.
[[nodiscard]] INGOT_INLINE bool rounds_to_nearest() noexcept {
  // Volatile, for compilers take it for granted. Any other mode moves one of the two away from 1.
  static volatile double tiny = std::numeric_limits<double>::min();
  const double little = tiny;
  return 1.0 + little == 1.0 - little;
}

/// Rounds to the nearest while it lives: not every standard library reads numbers right otherwise.
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
