// SPDX-License-Identifier: Apache-2.0
// Tests for numbers of an enumeration: whether a number fits in the integer type of another
// enumeration, and whether it has an enumerator.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if `value`, a number of the enumeration `from`, fits in the integer type of the
/// enumeration `to`. `value` is sign-extended, as enumerators are.
constexpr bool holds_number(const schema_attributes& from, const schema_attributes& to,
                            std::uint64_t value) noexcept {
  const bool upper_half = value >> 63 != 0; // negative, or too large for a signed type
  if (upper_half && from.has(schema_flag::is_signed) != to.has(schema_flag::is_signed)) return false;
  if (to.width == 8) return true;
  const unsigned bits = to.width * 8U;
  if (!to.has(schema_flag::is_signed)) return value >> bits == 0;
  const auto number = static_cast<std::int64_t>(value);
  return number >= -(std::int64_t{1} << (bits - 1)) && number < std::int64_t{1} << (bits - 1);
}
/// Returns true if an enumeration has an enumerator with this value. O(log n).
inline bool has_enumerator(const evolving_node& node, std::uint64_t value) noexcept {
  const std::uint64_t turn = node.attributes.has(schema_flag::is_signed) ? std::uint64_t{1} << 63 : 0;
  const auto at = std::lower_bound(
      node.enumerators.begin(), node.enumerators.end(), value ^ turn,
      [&](const schema_enumerator& each, std::uint64_t query) { return (each.value ^ turn) < query; });
  return at != node.enumerators.end() && at->value == value;
}

}}} // namespace ingot::INGOT_V1::detail
