// SPDX-License-Identifier: Apache-2.0
// Tests whether a number type holds all values of another number type.
#pragma once

#include <ingot/schema/fingerprint.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if `to` is wider than `from` and holds each value of `from`. False for equal
/// widths.
constexpr bool widens(const schema_attributes& from, const schema_attributes& to) noexcept {
  if (from.kind == schema_kind::floating) return to.kind == schema_kind::floating && from.width < to.width;
  if (from.kind != schema_kind::integer && from.kind != schema_kind::enumeration) return false;
  const bool was_signed = from.has(schema_flag::is_signed);
  // A float has 24 significant bits, so it holds all integers of up to 2 bytes. A double has 53, so
  // it holds all integers of up to 4 bytes.
  if (to.kind == schema_kind::floating) return to.width == 4 ? from.width <= 2 : from.width <= 4;
  if (to.kind != from.kind || from.width >= to.width) return false;
  return !was_signed || to.has(schema_flag::is_signed);
}

}}} // namespace ingot::INGOT_V1::detail
