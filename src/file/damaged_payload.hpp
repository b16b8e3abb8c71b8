// SPDX-License-Identifier: Apache-2.0
// Reads the undamaged parts of a payload whose other parts are damaged.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/file/damage.hpp>
#include <ingot/file/detail/input_file.hpp>

#include <cstddef>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Reads the payload to `to`, which has its size, with zeros for the bytes that are lost. Lists
/// these bytes in `lost`. Errors: `why` if nothing is lost or nothing is left; `io`; `no_memory`.
[[nodiscard]] result<void> read_undamaged(const input_file& file, std::span<std::byte> to, const error& why,
                                          damage_report& lost);

}}} // namespace ingot::INGOT_V1::detail
