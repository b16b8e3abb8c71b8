// SPDX-License-Identifier: Apache-2.0
// Overwrites scalars of live blocks in place.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/dynamic/value.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace tool {

/// Overwrites the bytes of a scalar with `value`. Ends the command if `scalar` is not a scalar, or
/// if its type can't hold the value. Does not check the limits that the block's type sets.
void overwrite_scalar(const ingot::dynamic_value& scalar, const ingot::value& value,
                      std::span<std::byte> bytes, std::string_view where);

} // namespace tool
