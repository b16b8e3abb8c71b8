// SPDX-License-Identifier: Apache-2.0
// Options that readers and writers of MessagePack and CBOR share: what becomes of things for which documents
// have no kind. By default they are errors, so that nothing is lost silently.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Values for which documents have no kind: MessagePack's extension types and timestamps; CBOR's
/// tags, `undefined` and simple values; integers of more than 64 bits. docs/document-reference.md
/// has a table.
enum class unsupported_values : std::uint8_t {
  reject, ///< an error, which names what was found
  lossy, ///< as `plain`, and of everything else what is nearest, which loses something
  /// An object with a key that begins with `$`, which a writer with `wrap` writes as what it was. A
  /// map's own key of that name gets one more `$`.
  wrap,
  /// The value that means the same: text of ISO 8601 for times, arrays for sets and typed arrays,
  /// numbers for decimal fractions that a number has all digits of. Everything else is an error.
  plain,
};

/// Numbers without a fraction: JavaScript's encoders write integers of more than 32 bits as
/// doubles.
enum class whole_reals : std::uint8_t {
  keep,
  integers, ///< up to 2^53 they become integers
};

/// Decimal fractions and big floats (CBOR's tags 4 and 5) with `unsupported_values::plain` and
/// `unsupported_values::lossy`.
enum class fractions : std::uint8_t {
  numbers,
  /// `{"$tag": 4, "$value": [exponent, mantissa]}`, which keeps all digits, for readers that know
  /// the type: `as<T>` and `pack_document` make of it a number, or a time point in seconds.
  wrap,
};

/// Keys of maps that are not text.
enum class non_text_keys : std::uint8_t {
  reject,
  as_text, ///< numbers, booleans, null and bytes as CBOR's diagnostic notation writes them: 7, -1, 1.5, true, h'01ff'
};

/// What a writer with `unsupported_values::wrap` does with a wrapped value that its format has no form for.
enum class foreign_values : std::uint8_t {
  reject, ///< an error; what means the same in both is written: times, sets, typed arrays, numbers within range
  lossy, ///< writes what is nearest
};

/// Keys that are the text of an integer, as `non_text_keys::as_text` makes them: `7`, `-1`.
enum class integer_keys : std::uint8_t {
  text,
  integers, ///< are written as the integers that they spell
};

/// The fewest bytes for a real number.
enum class real_width : std::uint8_t {
  shortest, ///< 2 (CBOR), 4 or 8, whichever hold it exactly
  single,   ///< 4 or 8: some readers of CBOR have no halves
  whole,    ///< 8
};

/// The order in which members are written. In either order equal documents are equal bytes.
enum class member_order : std::uint8_t {
  document, ///< that of `members()`: of the keys' hashes
  sorted,   ///< as RFC 8949 has it in 4.2.1: shorter keys first, equally long ones by their bytes
};

}} // namespace ingot::INGOT_V1
