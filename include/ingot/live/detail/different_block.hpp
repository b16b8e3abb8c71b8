// SPDX-License-Identifier: Apache-2.0
// Errors for a block of another type: they name the first difference, with the values of both
// sides.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/hex_text.hpp>
#include <ingot/core/error.hpp>

#include <bit>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

[[nodiscard]] INGOT_COLD inline error other_byte_order() noexcept {
  constexpr bool little = std::endian::native == std::endian::little;
  return error{errc::layout_mismatch, 5}
      .with_expected(little ? "little-endian numbers, as on this machine"
                            : "big-endian numbers, as on this machine")
      .with_found(little ? "big-endian ones" : "little-endian ones");
}
[[nodiscard]] INGOT_COLD inline error other_width(bool wide) noexcept {
  return error{errc::layout_mismatch, 5}
      .with_expected(wide ? "64-bit offsets" : "32-bit offsets")
      .with_found(wide ? "32-bit offsets" : "64-bit offsets");
}
/// Returns the error for a block of another schema. `at` is the position of the fingerprint that
/// was found.
[[nodiscard]] INGOT_COLD inline error other_schema(std::uint64_t at, std::uint64_t wanted,
                                                   std::uint64_t found) noexcept {
  return error{errc::schema_mismatch, at}
      .with_expected(hex_text("schema_id", wanted, ", the type's own").view())
      .with_found(hex_text("schema_id", found).view());
}
/// Returns the error for a block of a type with the same schema: sizes, alignments or container
/// kinds differ.
[[nodiscard]] INGOT_COLD inline error other_layout_id(std::uint64_t at, std::uint64_t wanted,
                                                      std::uint64_t found) noexcept {
  return error{errc::layout_mismatch, at}
      .with_expected(hex_text("layout_id", wanted, ", the type's own").view())
      .with_found(hex_text("layout_id", found, " of the same schema").view());
}

}}} // namespace ingot::INGOT_V1::detail
