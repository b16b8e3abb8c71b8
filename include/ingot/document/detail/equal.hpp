// SPDX-License-Identifier: Apache-2.0
// Compares two values that may be stored differently: kinds and bits of numbers, bytes of text,
// elements in order, members by key.
#pragma once

#include <ingot/document/detail/node.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns false if the values differ, or if there is no memory for the list of values to compare.
/// The list grows with the depth and the width of the values.
[[nodiscard]] INGOT_COMPILED bool equal(validated a_in, const item& a, validated b_in,
                                        const item& b) noexcept;

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/equal.hpp>
#endif
