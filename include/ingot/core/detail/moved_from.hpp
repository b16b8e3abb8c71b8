// SPDX-License-Identifier: Apache-2.0
// The error of calls that need an object's contents after the object was moved from.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>

#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns `invalid_value`. `what` is a noun phrase for the missing thing, such as "a log (this
/// writer was moved from)".
[[nodiscard]] INGOT_COLD inline std::unexpected<error> moved_from(std::string_view what) noexcept {
  return fail(error{errc::invalid_value}.with_expected(what));
}

}}} // namespace ingot::INGOT_V1::detail
