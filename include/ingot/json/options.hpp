// SPDX-License-Identifier: Apache-2.0
// Options of readers and writers: what a reader accepts, and how a writer represents values.
// Anything that could silently lose a value is an error, unless one of these options allows it.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// Policy for a key that names no member of the record.
enum class unknown_keys : std::uint8_t {
  error,  ///< reject the text
  ignore, ///< check that the key's value is well-formed JSON of any depth, and drop it
};

/// Policy for a member whose key is missing. These may always be missing: optional and
/// owning-pointer members, members with a `default_value`, and members whose `since` is later than
/// the text's version.
enum class missing_keys : std::uint8_t {
  error,        ///< reject the text
  use_defaults, ///< the member gets its value in a default-constructed record
  /// `read_into` keeps the member's value, so that several texts can be read into one object
  keep,
};

/// Policy for a key that is repeated in an object, or an element that is repeated in a set.
enum class duplicate_keys : std::uint8_t {
  error,      ///< reject the text
  last_wins,  ///< the last occurrence counts, as in browsers
  first_wins, ///< the first occurrence counts; other values must be well-formed
};

/// Policy for NaN and infinities, which JSON can't represent.
enum class non_finite : std::uint8_t {
  error,   ///< writing these values is an error; no text is read as such a value
  null,    ///< written as null, and null is read as NaN: infinities become NaN
  strings, ///< "NaN", "Infinity" and "-Infinity", which are read as these values
};

/// Policy for comments in a text that is read: `// ...` to the end of the line, and `/* ... */`.
enum class comments : std::uint8_t { reject, allow };

/// Policy for a comma between the last element or member and the closing bracket, in a text that is
/// read: `[1, 2,]`.
enum class trailing_commas : std::uint8_t { reject, allow };

/// Policy for writing strings that are not UTF-8.
enum class invalid_utf8 : std::uint8_t {
  error,   ///< writing them is an error
  replace, ///< each ill-formed part becomes U+FFFD
};

/// Policy for writing members that are empty optionals or owning pointers.
enum class empty_members : std::uint8_t { omit, null };

/// The form in which enumerators are written. A reader accepts all forms.
enum class enum_style : std::uint8_t {
  names,   ///< the name; the number for a value without a name, such as a combination of flags
  numbers, ///< the number
  /// as `names`, but a combination of flags is an array of names: `["read","write"]`. As keys of
  /// maps, combinations are numbers.
  name_lists,
};

/// The form in which time points of `std::chrono::system_clock` are written. A reader accepts both
/// forms.
enum class time_style : std::uint8_t {
  /// the stored count: nanoseconds for `system_clock::time_point`, otherwise the type's unit
  counts,
  iso8601, ///< a string by RFC 3339, in UTC, with 0, 3, 6 or 9 digits: "2023-11-14T22:13:20.500Z"
};

/// Policy for integers beyond 64 bits that are read into documents. A number with a point or an
/// exponent is a double in any case.
enum class large_integers : std::uint8_t {
  error,   ///< reject the text
  nearest, ///< the nearest double
};

/// Policy for writing values of the kind `binary`, which only documents have.
enum class binary_style : std::uint8_t {
  error,   ///< writing bytes is an error; no text is read as bytes
  base64,  ///< a string by RFC 4648, with padding
  numbers, ///< an array of numbers from 0 to 255
};

/// The order in which the members of a document's objects are written.
enum class key_order : std::uint8_t {
  stored, ///< the document's order: by hash, the same on every machine
  sorted, ///< ascending, by the bytes of the keys
};

/// Options for reading. The defaults lose nothing.
struct read_options {
  /// Policy for keys that name no member.
  json::unknown_keys unknown_keys = json::unknown_keys::error;
  /// Policy for members whose key is missing.
  json::missing_keys missing_keys = json::missing_keys::error;
  /// Policy for repeated keys and set elements.
  json::duplicate_keys duplicate_keys = json::duplicate_keys::error;
  /// Form of NaN and infinities.
  json::non_finite non_finite = json::non_finite::error;
  /// Policy for comments in the text.
  json::comments comments = json::comments::reject;
  /// Policy for trailing commas in the text.
  json::trailing_commas trailing_commas = json::trailing_commas::reject;
  /// Policy for integers beyond 64 bits in documents.
  json::large_integers large_integers = json::large_integers::error;
  /// Maximum depth of arrays and objects that are read into values. Values of ignored keys don't
  /// count. Documents are read without recursion, so any limit is safe for them.
  std::uint32_t max_depth = 128;
  /// Maximum memory, as in `read_limits`. For a document, the limit covers two parts: the memory by
  /// which the document grows, and the memory for the values of arrays and objects that have not
  /// ended yet.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum collisions of keys, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// Maximum size of the text in bytes; a longer text or file is `errc::too_large`. A text of 4 GiB
  /// or more is never accepted.
  std::size_t max_bytes = 0xFFFFFFFF;
  /// Progress in bytes of the text. If the callback returns false, reading stops with
  /// `errc::cancelled` and the offset that was reached.
  progress_ref progress{};
};

/// Options for writing.
struct write_options {
  /// Form of NaN and infinities.
  json::non_finite non_finite = json::non_finite::error;
  /// Policy for strings that are not UTF-8.
  json::invalid_utf8 invalid_utf8 = json::invalid_utf8::error;
  /// Policy for members that are empty.
  json::empty_members empty_members = json::empty_members::omit;
  /// Form of enumerators.
  json::enum_style enum_style = json::enum_style::names;
  /// Form of time points.
  json::time_style time_style = json::time_style::counts;
  /// Form of values of the kind `binary`, which only documents have.
  json::binary_style binary = json::binary_style::error;
  /// Order of the members of a document's objects.
  json::key_order key_order = json::key_order::stored;
  /// Spaces for each level of nesting; 0 writes everything on one line without spaces.
  std::uint32_t indent = 0;
  /// Maximum depth of arrays and objects; a greater depth is `too_deep`.
  std::uint32_t max_depth = 128;
  /// Maximum size of a document's text in bytes; a longer text is `too_large`. The text can be much
  /// larger than the document. A key that many objects share is stored once in the document, but
  /// written for each object.
  std::size_t max_bytes = std::size_t{1} << 30;
  /// Progress in bytes of text. The total is `progress_ref::unknown` until the text is complete. If
  /// the callback returns false, writing stops with `errc::cancelled`.
  progress_ref progress{};
};

/// Options for text that people read.
inline constexpr write_options pretty{.indent = 2};

}}} // namespace ingot::INGOT_V1::json
