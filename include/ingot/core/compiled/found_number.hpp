// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/found_number.hpp.
#pragma once

#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/found_number.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

void found_number(error& err, double number) noexcept {
  char chars[32];
  const auto end = float_to_chars(chars, chars + sizeof chars, number).ptr;
  err.with_found({chars, static_cast<std::size_t>(end - chars)});
}
void found_number(error& err, float number) noexcept {
  char chars[32];
  const auto end = float_to_chars(chars, chars + sizeof chars, number).ptr;
  err.with_found({chars, static_cast<std::size_t>(end - chars)});
}

}}} // namespace ingot::INGOT_V1::detail
