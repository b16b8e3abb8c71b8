// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers that compilers may assume not to exist (float_tests.hpp). They are stored
// as bits. This is apart from the tests, whose users need no <cstring>.
#pragma once

#include <ingot/core/detail/float_tests.hpp>

#include <concepts>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Sets `to` to a quiet NaN, or to an infinity. Stores the bits, since compilers may assume that no
/// expression has such a value.
template <std::floating_point F>
INGOT_INLINE void set_nan(F& to) noexcept {
  constexpr auto bits =
      static_cast<float_word<F>>(infinity_word<F> | float_word<F>{1} << (sizeof(F) == 4 ? 22 : 51));
  std::memcpy(&to, &bits, sizeof to);
}
template <std::floating_point F>
INGOT_INLINE void set_infinity(F& to, bool negative) noexcept {
  const auto bits =
      static_cast<float_word<F>>(infinity_word<F> | static_cast<float_word<F>>(negative ? sign_word<F> : 0));
  std::memcpy(&to, &bits, sizeof to);
}

}}} // namespace ingot::INGOT_V1::detail
