// SPDX-License-Identifier: Apache-2.0
// Scalars of live blocks written where they are.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/dynamic/value.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace tool {

/// Writes what `value` says over the bytes of a scalar. Ends the verb if it is none, or the type doesn't hold the value. Whether the block may have
/// it there is not asked.
void overwrite_scalar(const ingot::dynamic_value& scalar, const ingot::value& value,
                      std::span<std::byte> bytes, std::string_view where);

} // namespace tool
