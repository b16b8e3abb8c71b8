// SPDX-License-Identifier: Apache-2.0
// Options that the readers and writers of MessagePack and CBOR share. Most options are for values
// for which documents have no kind. By default such values are errors, so that no information is
// lost silently.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Treatment of values for which documents have no kind: MessagePack's extension types and
/// timestamps; CBOR's tags, `undefined` and simple values; integers of more than 64 bits.
/// docs/document-reference.md has a table.
enum class unsupported_values : std::uint8_t {
  reject, ///< an error, which names the value
  lossy,  ///< like `plain`, but values that `plain` rejects become the nearest value
  /// An object with a key that begins with `$`. A writer with `wrap` writes this object as the
  /// original value. If a map in the input has such a key itself, the key gets one more `$`.
  wrap,
  /// A value with the same meaning: text of ISO 8601 for times, arrays for sets and typed arrays,
  /// and a number for a decimal fraction if a number can hold all digits. Other values are an
  /// error.
  plain,
};

/// Treatment of reals without a fraction. JavaScript's encoders write integers of more than 32 bits
/// as reals.
enum class whole_reals : std::uint8_t {
  keep,
  integers, ///< numbers up to 2^53 become integers
};

/// Treatment of decimal fractions and big floats (CBOR's tags 4 and 5) with
/// `unsupported_values::plain` and `unsupported_values::lossy`.
enum class fractions : std::uint8_t {
  numbers,
  /// An object `{"$tag": 4, "$value": [exponent, mantissa]}`, which keeps all digits. `as<T>` and
  /// `pack_document` can convert this object to a number, or to a time point in seconds.
  wrap,
};

/// Treatment of map keys that are not text.
enum class non_text_keys : std::uint8_t {
  reject,
  /// The text of CBOR's diagnostic notation, for numbers, booleans, null and bytes: 7, -1, 1.5,
  /// true, h'01ff'.
  as_text,
};

/// Treatment of wrapped values that the format can't represent; for writers with
/// `unsupported_values::wrap`.
enum class foreign_values : std::uint8_t {
  /// An error. Values that both formats can express are still written: times, sets, typed arrays,
  /// and numbers within the range of the format.
  reject,
  lossy, ///< writes the nearest value
};

/// Treatment of keys that are the text of an integer, such as `7` or `-1`. Readers with
/// `non_text_keys::as_text` create such keys.
enum class integer_keys : std::uint8_t {
  text,
  integers, ///< written as the integers that their text represents
};

/// Minimum number of bytes of a real number.
enum class real_width : std::uint8_t {
  shortest, ///< 2 (CBOR only), 4 or 8: the smallest size that holds the number exactly
  single,   ///< 4 or 8, for readers of CBOR that don't support 2
  whole,    ///< always 8
};

/// Order in which members are written. With both orders, equal documents have equal bytes.
enum class member_order : std::uint8_t {
  document, ///< order of `members()`: by the keys' hashes
  sorted,   ///< order of RFC 8949, 4.2.1: by length, then by bytes
};

}} // namespace ingot::INGOT_V1
