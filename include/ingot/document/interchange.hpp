// SPDX-License-Identifier: Apache-2.0
// Options that readers and writers of MessagePack and CBOR share, for values for which documents
// have no kind. By default such values are errors, so that nothing is lost silently.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Treatment of values for which documents have no kind: MessagePack's extension types and
/// timestamps; CBOR's tags, `undefined` and simple values; integers of more than 64 bits.
/// docs/document-reference.md has a table.
enum class unsupported_values : std::uint8_t {
  reject, ///< an error that names the value found
  lossy,  ///< as `plain`; other values become the nearest value, which is lossy
  /// An object with a key that begins with `$`. A writer with `wrap` writes it as the original
  /// value. A map's own key of that name gets one more `$`.
  wrap,
  /// The value with the same meaning: text of ISO 8601 for times, arrays for sets and typed arrays,
  /// numbers for decimal fractions all of whose digits a number holds. Other values are an error.
  plain,
};

/// Treatment of numbers without a fraction: JavaScript's encoders write integers of more than 32
/// bits as doubles.
enum class whole_reals : std::uint8_t {
  keep,
  integers, ///< numbers up to 2^53 become integers
};

/// Treatment of decimal fractions and big floats (CBOR's tags 4 and 5) with
/// `unsupported_values::plain` and `unsupported_values::lossy`.
enum class fractions : std::uint8_t {
  numbers,
  /// `{"$tag": 4, "$value": [exponent, mantissa]}`, which keeps all digits, for readers that know
  /// the type: `as<T>` and `pack_document` convert it to a number, or to a time point in seconds.
  wrap,
};

/// Treatment of map keys that are not text.
enum class non_text_keys : std::uint8_t {
  reject,
  /// Text as in CBOR's diagnostic notation, for numbers, booleans, null and bytes: 7, -1, 1.5,
  /// true, h'01ff'.
  as_text,
};

/// Treatment of a wrapped value that the format can't represent, by a writer with
/// `unsupported_values::wrap`.
enum class foreign_values : std::uint8_t {
  /// An error; values that both formats can express are written: times, sets, typed arrays, numbers
  /// within range.
  reject,
  lossy, ///< writes the nearest value
};

/// Treatment of keys that are the text of an integer, as made by `non_text_keys::as_text`: `7`,
/// `-1`.
enum class integer_keys : std::uint8_t {
  text,
  integers, ///< written as the integers that their text represents
};

/// Minimum number of bytes of a real number.
enum class real_width : std::uint8_t {
  shortest, ///< 2 (CBOR), 4 or 8: the smallest that holds it exactly
  single,   ///< 4 or 8: some readers of CBOR don't support 2
  whole,    ///< 8
};

/// Order in which members are written. In either order equal documents are equal bytes.
enum class member_order : std::uint8_t {
  document, ///< order of `members()`: by the keys' hashes
  sorted,   ///< order of RFC 8949, 4.2.1: shorter keys first, equally long keys by their bytes
};

}} // namespace ingot::INGOT_V1
