// SPDX-License-Identifier: Apache-2.0
// Documents and their values have no type to be read or written by: calls with them are those of document.hpp.
#pragma once

#include <ingot/core/detail/config.hpp>

namespace ingot::inline INGOT_V1::json::detail {

template <class T>
inline constexpr bool is_document = false;

} // namespace ingot::inline INGOT_V1::json::detail
