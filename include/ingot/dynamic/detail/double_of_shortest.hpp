// SPDX-License-Identifier: Apache-2.0
// Floats as doubles for JSON. The text of a double that equals a float has up to 17 digits, such as
// 0.10000000149011612. The double with the float's own digits, 0.1, has short text.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>

#include <charconv>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns the double nearest to the shortest decimal number that reads back as `value`. The result
/// converts to `value`. NaNs and infinities are only widened.
[[nodiscard]] inline double double_of_shortest(const float& value) noexcept {
  const double exact = float_to_double(value);
  if (!is_finite(value)) return exact;
  char digits[24];
  const char* const end = float_to_chars(digits, digits + sizeof digits, value).ptr;
  double nearest = exact;
  static_cast<void>(std::from_chars(digits, end, nearest));
  // The decimal number may be so near to the border between two floats that the double is on it.
  return float_bits_of(nearest_float<float>(nearest)) == float_bits_of(value) ? nearest : exact;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
