// SPDX-License-Identifier: Apache-2.0
// Numbers in errors.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Sets `error::found` to the shortest text that only this number of its type has.
INGOT_COMPILED void found_number(error& err, double number) noexcept;
INGOT_COMPILED void found_number(error& err, float number) noexcept;

}}} // namespace ingot::INGOT_V1::detail

#if defined(INGOT_HEADER_ONLY)
#include <ingot/core/compiled/found_number.hpp>
#endif
