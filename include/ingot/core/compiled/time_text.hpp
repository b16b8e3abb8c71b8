// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/time_text.hpp.
#pragma once

#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/time_text.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

time_outcome read_time_number(double from, instant& to) noexcept {
  constexpr double limit = 0x1p63;
  if (!is_finite(from) || from <= -limit || from >= limit) return time_outcome::out_of_range;
  // space for the smallest double: in decimal form it has more than 300 zeros after the point
  char chars[400];
  const auto end = float_to_chars(chars, chars + sizeof chars, absolute(from), std::chars_format::fixed);
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  unsigned digits = 0;
  bool in_fraction = false;
  bool rounds_up = false;
  for (const char* at = chars; at != end.ptr; ++at) {
    if (*at == '.') {
      in_fraction = true;
    } else if (!in_fraction) {
      whole = whole * 10 + static_cast<std::uint64_t>(*at - '0');
    } else if (digits < 9) {
      fraction = fraction * 10 + static_cast<std::uint64_t>(*at - '0');
      ++digits;
    } else {
      rounds_up = *at >= '5';
      break;
    }
  }
  for (; digits < 9; ++digits) fraction *= 10;
  if (rounds_up && ++fraction == static_cast<std::uint64_t>(nanoseconds_in_second)) {
    fraction = 0;
    ++whole;
  }
  to.seconds = static_cast<std::int64_t>(whole);
  to.nanoseconds = static_cast<std::uint32_t>(fraction);
  if (is_negative(from)) {
    to.seconds = -to.seconds - (fraction != 0 ? 1 : 0);
    if (fraction != 0) to.nanoseconds = static_cast<std::uint32_t>(nanoseconds_in_second - to.nanoseconds);
  }
  return time_outcome::exact;
}

}}} // namespace ingot::INGOT_V1::detail
