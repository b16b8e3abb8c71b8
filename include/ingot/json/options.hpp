// SPDX-License-Identifier: Apache-2.0
// What a reader tolerates in a text, and how a writer spells values. Anything that could silently lose a value is an
// error, unless one of these options allows it.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// For a key that names no member of the record.
enum class unknown_keys : std::uint8_t {
  error,  ///< refuse the text
  ignore, ///< check that the value is well-formed JSON, whatever its depth, and drop it
};

/// For a member whose key is missing. Optional and owning-pointer members, members with a `default_value`, and members
/// that are `since` a later version than the text's may always be missing.
enum class missing_keys : std::uint8_t {
  error,        ///< refuse the text
  use_defaults, ///< the member gets what a default-constructed record has there
  keep,         ///< `read_into` leaves the member as it is, so that texts can be laid over one another
};

/// For a key that is repeated in an object, or an element that is repeated in a set.
enum class duplicate_keys : std::uint8_t {
  error,      ///< refuse the text
  last_wins,  ///< as browsers do
  first_wins, ///< later ones are checked to be well-formed and dropped
};

/// For NaN and the infinities, which JSON can't spell.
enum class non_finite : std::uint8_t {
  error,   ///< refuse to write them; nothing in a text reads as them
  null,    ///< written as null, and null reads as NaN: infinities become NaN
  strings, ///< "NaN", "Infinity", "-Infinity", which read back as themselves
};

/// For `// to the end of the line` and `/* between */` in a text that is read.
enum class comments : std::uint8_t { reject, allow };

/// For a comma between the last element or member and its bracket, in a text that is read: `[1, 2,]`.
enum class trailing_commas : std::uint8_t { reject, allow };

/// For strings that are not UTF-8, when they are written.
enum class invalid_utf8 : std::uint8_t {
  error,   ///< refuse to write them
  replace, ///< each ill-formed part becomes U+FFFD
};

/// For members that are empty optionals or owning pointers, when they are written.
enum class empty_members : std::uint8_t { omit, null };

/// For enumerators, when they are written. A reader accepts both spellings.
enum class enum_style : std::uint8_t { names, numbers };

/// For time points of `std::chrono::system_clock`, when they are written. A reader accepts both.
enum class time_style : std::uint8_t {
  counts,  ///< the stored count: nanoseconds for `system_clock::time_point`, otherwise the unit of the type
  iso8601, ///< a string as RFC 3339 has it, in UTC, with 0, 3, 6 or 9 digits: "2023-11-14T22:13:20.500Z"
};

/// For integers beyond 64 bits, when they are read into documents. A number with a point or an exponent is a double
/// anyway.
enum class large_integers : std::uint8_t {
  error,   ///< refuse the text
  nearest, ///< the nearest double
};

/// For the bytes of documents, when they are written.
enum class binary_style : std::uint8_t {
  error,   ///< refuse to write them: nothing in a text reads as bytes
  base64,  ///< a string, as RFC 4648 has it, with padding
  numbers, ///< an array of numbers from 0 to 255
};

/// The order in which the members of a document's objects are written.
enum class key_order : std::uint8_t {
  stored, ///< as the document has them: by hash, the same everywhere
  sorted, ///< ascending, by the bytes of the keys
};

/// Options for reading. The defaults lose nothing.
struct read_options {
  json::unknown_keys unknown_keys = json::unknown_keys::error;
  json::missing_keys missing_keys = json::missing_keys::error;
  json::duplicate_keys duplicate_keys = json::duplicate_keys::error;
  json::non_finite non_finite = json::non_finite::error;
  json::comments comments = json::comments::reject;
  json::trailing_commas trailing_commas = json::trailing_commas::reject;
  json::large_integers large_integers = json::large_integers::error;
  /// How deep arrays and objects may nest that are read into values; those under ignored keys don't count. In
  /// documents depth costs no stack, and any limit is safe.
  std::uint32_t max_depth = 128;
  /// As in `read_limits`. For documents, their growth counts, and lists of values whose containers
  /// have not ended.
  std::uint64_t max_memory = read_limits::by_input;
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// The longest text, in bytes; a longer one, or a longer file, is `errc::too_large`. No text may have 4 GiB.
  std::uint64_t max_bytes = (std::uint64_t{1} << 32) - 1;
  /// Reports how many bytes of the text were read. If it returns false, reading stops with `errc::cancelled` and the
  /// offset that was reached.
  progress_ref progress{};
};

/// Options for writing.
struct write_options {
  json::non_finite non_finite = json::non_finite::error;
  json::invalid_utf8 invalid_utf8 = json::invalid_utf8::error;
  json::empty_members empty_members = json::empty_members::omit;
  json::enum_style enum_style = json::enum_style::names;
  json::time_style time_style = json::time_style::counts;
  json::binary_style binary = json::binary_style::error;
  json::key_order key_order = json::key_order::stored;
  /// Spaces for each level of nesting; 0 writes everything on one line without spaces.
  std::uint32_t indent = 0;
  std::uint32_t max_depth = 128;
  /// The largest text of a document, in bytes; anything beyond is an error. The text can be much larger than the
  /// document, because keys that many objects share are stored once and written for each of them.
  std::size_t max_size = std::size_t{1} << 30;
  /// Reports how many bytes of text were written; the total is `progress_ref::unknown` until the text is complete. If
  /// it returns false, writing stops with `errc::cancelled`.
  progress_ref progress{};
};

/// The usual choice for text that people read.
inline constexpr write_options pretty{.indent = 2};

}}} // namespace ingot::INGOT_V1::json
