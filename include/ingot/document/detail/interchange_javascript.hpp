// SPDX-License-Identifier: Apache-2.0
// Extensions and tags that two JavaScript encoders, msgpackr and cbor-x, write in addition to the
// types of MessagePack and CBOR. Errors name the extension or tag, and the option of the encoder
// that avoids it.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Returns true for the tags with which cbor-x refers to earlier structures and values, or packs
/// values in tables.
[[nodiscard]] constexpr bool is_record_tag(std::uint64_t number) noexcept {
  return number == 6 || number == 51 || number == 105 || (number >= 0xdff0 && number <= 0xe0ff);
}
/// Returns true if an extension of MessagePack is a record of msgpackr. The members of such a
/// record follow the extension; they are not in it.
[[nodiscard]] constexpr bool is_record_extension(std::int64_t type, std::size_t bytes) noexcept {
  return type == 'r' && bytes <= 2;
}

/// Texts of an error: what a reader expects, and what it found.
struct encoder_advice {
  std::string_view expected;
  std::string_view found;
};
[[nodiscard]] constexpr encoder_advice advice_on_tag(std::uint64_t number) noexcept {
  if (number == 6 || number == 51)
    return {"values that refer to no others: write them with pack: false", "a packed value of cbor-x"};
  if (number == 0xdff9)
    return {"text where it belongs: write it with bundleStrings: false", "bundled strings of cbor-x"};
  return {"values that refer to no others: write them with useRecords: false",
          "a record or packed value of cbor-x"};
}

// Extensions of msgpackr. `shared_extension` has four bytes; the other extensions have one byte,
// which is 0. After each extension except `undefined_extension`, there is a value that belongs to
// the extension.
inline constexpr std::int64_t undefined_extension = 0;
inline constexpr std::int64_t set_extension = 's';
inline constexpr std::int64_t error_extension = 'e';
inline constexpr std::int64_t pattern_extension = 'x';
inline constexpr std::int64_t shared_extension = 'i';

[[nodiscard]] constexpr bool is_mark(bytes_view bytes) noexcept {
  return bytes.size() == 1 && bytes[0] == std::byte{};
}
[[nodiscard]] constexpr bool is_undefined(std::int64_t type, bytes_view bytes) noexcept {
  return type == undefined_extension && is_mark(bytes);
}
/// Returns true if an array that follows the extension belongs to the extension.
[[nodiscard]] constexpr bool marks_array(std::int64_t type) noexcept {
  return type == set_extension || type == error_extension || type == pattern_extension;
}
/// Returns true if the extension may be the one that msgpackr writes before a shared value: a value
/// of any kind to which other parts of the message refer.
[[nodiscard]] constexpr bool marks_shared(std::int64_t type, std::size_t bytes) noexcept {
  return type == shared_extension && bytes == 4;
}
/// Returns the name of an extension that msgpackr writes; empty for others.
[[nodiscard]] constexpr std::string_view name_of_extension(std::int64_t type, bytes_view bytes) noexcept {
  switch (type) {
  case undefined_extension: return is_mark(bytes) ? "0, of msgpackr `undefined`" : "";
  case set_extension: return is_mark(bytes) ? "115, of msgpackr a set" : "";
  case error_extension: return is_mark(bytes) ? "101, of msgpackr an error" : "";
  case pattern_extension: return is_mark(bytes) ? "120, of msgpackr a regular expression" : "";
  case shared_extension:
    return bytes.size() == 4 ? "105, of msgpackr a shared value: structuredClone: false" : "";
  case 'p': return bytes.size() == 4 ? "112, of msgpackr a reference: structuredClone: false" : "";
  case 'b': return bytes.size() == 4 ? "98, of msgpackr bundled strings: bundleStrings: false" : "";
  case 't': return bytes.empty() ? "" : "116, of msgpackr a typed array: moreTypes: false";
  case 'B': return "66, of msgpackr a big integer";
  default: return "";
  }
}
/// Error text for a shared value of msgpackr at a position where no value is expected.
inline constexpr std::string_view after_shared =
    "a value after extension 105: see structuredClone of msgpackr";

}}} // namespace ingot::INGOT_V1::detail::interchange
