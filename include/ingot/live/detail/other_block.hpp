// SPDX-License-Identifier: Apache-2.0
// Errors that say in what a block is not one of the type: the first thing that differs, as it is on both sides.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/hex_text.hpp>
#include <ingot/core/error.hpp>

#include <bit>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

[[nodiscard]] INGOT_COLD inline error other_byte_order() noexcept {
  constexpr bool little = std::endian::native == std::endian::little;
  return error{errc::other_layout, 5}
      .with_expected(little ? "little-endian numbers, as on this machine"
                            : "big-endian numbers, as on this machine")
      .with_found(little ? "big-endian ones" : "little-endian ones");
}
[[nodiscard]] INGOT_COLD inline error other_width(bool wide) noexcept {
  return error{errc::other_layout, 5}
      .with_expected(wide ? "64-bit offsets" : "32-bit offsets")
      .with_found(wide ? "32-bit offsets" : "64-bit offsets");
}
/// `at` is where the fingerprint is that was found.
[[nodiscard]] INGOT_COLD inline error other_schema(std::uint64_t at, std::uint64_t wanted,
                                                   std::uint64_t found) noexcept {
  return error{errc::other_type, at}
      .with_expected(hex_text("schema_id", wanted, ", the type's own").view())
      .with_found(hex_text("schema_id", found).view());
}
/// Of a type that has the same schema: sizes, alignments or kinds of containers are others.
[[nodiscard]] INGOT_COLD inline error other_layout_id(std::uint64_t at, std::uint64_t wanted,
                                                      std::uint64_t found) noexcept {
  return error{errc::other_layout, at}
      .with_expected(hex_text("layout_id", wanted, ", the type's own").view())
      .with_found(hex_text("layout_id", found, " of the same schema").view());
}

}}} // namespace ingot::INGOT_V1::detail
