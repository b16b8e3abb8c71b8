// SPDX-License-Identifier: Apache-2.0
// The protobuf encoding of a member, as schemas describe it.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Encodings of integers. `base128` is for protobuf's `int32` and `uint32`, `sint` for `sint32`,
/// and `fixed_width` for `fixed32` and `sfixed32`. The same applies to the 64-bit types.
enum class proto_number : std::uint8_t { base128, sint, fixed_width };
/// Encodings of times, documents and optionals. `none` is the usual encoding; the others are
/// messages of google.protobuf.
enum class proto_known : std::uint8_t { none, well_known, structure, list };

/// The annotations of a member for protobuf, which also apply to its elements.
struct proto_form {
  proto_number number{}; ///< for integers
  proto_number key{};    ///< for the keys of maps
  proto_known known{};   ///< for times, documents and optionals

  /// Returns the form as one byte of a description: `number` in bits 0 and 1, `key` in 2 and 3,
  /// `known` in 4 and 5. Returns 0 if there is no annotation.
  [[nodiscard]] constexpr std::uint8_t to_byte() const noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(number) | static_cast<unsigned>(key) << 2U |
                                     static_cast<unsigned>(known) << 4U);
  }
  /// Returns true if `byte` describes a form with at least one annotation.
  [[nodiscard]] static constexpr bool is_byte(std::uint8_t byte) noexcept {
    return byte != 0 && (byte & 3U) != 3 && (byte >> 2U & 3U) != 3 && byte < 64;
  }
  /// Returns the form for which `to_byte` returns `byte`.
  [[nodiscard]] static constexpr proto_form from_byte(std::uint8_t byte) noexcept {
    return {static_cast<proto_number>(byte & 3U), static_cast<proto_number>(byte >> 2U & 3U),
            static_cast<proto_known>(byte >> 4U & 3U)};
  }

  /// Returns the form of the keys of a map.
  [[nodiscard]] constexpr proto_form of_key() const noexcept { return {key, {}, {}}; }
  friend constexpr bool operator==(const proto_form&, const proto_form&) = default;
};

}} // namespace ingot::INGOT_V1
