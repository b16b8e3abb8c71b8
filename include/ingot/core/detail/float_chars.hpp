// SPDX-License-Identifier: Apache-2.0
// The text of floating-point numbers, also of subnormal numbers in threads whose processor mode
// treats these as zero. std::to_chars writes such a number as 0 in this mode.
#pragma once

#include <ingot/core/detail/float_tests.hpp>

#include <cfenv>
#include <charconv>
#include <concepts>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// While this object exists, the thread rounds to nearest and keeps subnormal numbers.
class standard_float_mode {
public:
  standard_float_mode() noexcept {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  standard_float_mode(const standard_float_mode&) = delete;
  standard_float_mode& operator=(const standard_float_mode&) = delete;
  ~standard_float_mode() { std::fesetenv(&before_); }

private:
  std::fenv_t before_{};
};

/// Returns true if the thread reads the subnormal number as zero, or writes zero for it.
template <std::floating_point F>
[[nodiscard]] bool is_flushed(const F& subnormal) noexcept {
  // A compiler that may change floating-point operations does not know what volatile objects hold.
  const volatile F number = subnormal;
  const volatile F one = 1;
  const F product = number * one;
  return is_zero(product);
}

/// As std::to_chars for a number, and for a format. The format is an optional last argument. Sets
/// the mode only where it matters: setting it takes long, and the C library may do it with
/// instructions that an old processor does not have.
template <std::floating_point F, class... Format>
[[nodiscard]] std::to_chars_result float_to_chars(char* first, char* last, const F& number,
                                                  Format... format) noexcept {
  if (!is_subnormal(number) || !is_flushed(number)) [[likely]]
    return std::to_chars(first, last, number, format...);
  const standard_float_mode meanwhile;
  return std::to_chars(first, last, number, format...);
}

}}} // namespace ingot::INGOT_V1::detail
