// SPDX-License-Identifier: Apache-2.0
// What a reader of text forgives and how a writer spells. Everything that could lose a value silently is an
// error unless one of these says otherwise.
#pragma once

#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot::inline v1::json {

/// A key that names no member of the record.
enum class unknown_keys : std::uint8_t {
  error,  ///< refuse the text
  ignore, ///< check that the value is well-formed JSON, whatever its depth, and drop it
};

/// A member without a key. Optional and owning-pointer members, members with a `default_value` and members
/// `since` a later version than the text's may always be absent.
enum class missing_keys : std::uint8_t {
  error,        ///< refuse the text
  use_defaults, ///< the member gets what a default-constructed record has there
  keep,         ///< `read_into` leaves the member as it is, so that texts can be laid over one another
};

/// A key twice in one object, or an element twice in a set.
enum class duplicate_keys : std::uint8_t {
  error,      ///< refuse the text
  last_wins,  ///< as browsers do
  first_wins, ///< later ones are checked to be well-formed and dropped
};

/// NaN and the infinities, for which JSON has no spelling.
enum class non_finite : std::uint8_t {
  error,   ///< refuse to write them; nothing in a text reads as them
  null,    ///< written as null, and null reads as NaN: infinities become NaN
  strings, ///< "NaN", "Infinity", "-Infinity", which read back as themselves
};

/// `// to the end of the line` and `/* between */` in a text that is read.
enum class comments : std::uint8_t { refused, allowed };

/// Strings in memory that are not UTF-8, when written.
enum class invalid_utf8 : std::uint8_t {
  error,   ///< refuse to write them
  replace, ///< each ill-formed part becomes U+FFFD
};

/// Members that are empty optionals or owning pointers, when written.
enum class empty_members : std::uint8_t { omit, null };

/// Enumerators, when written. A reader takes both spellings.
enum class enum_style : std::uint8_t { names, numbers };

/// Integers beyond 64 bits that are read into documents. A number with a point or an exponent is a double anyway.
enum class large_integers : std::uint8_t {
  error,   ///< refuse the text
  nearest, ///< the nearest double
};

/// Bytes of documents, when written.
enum class binary_style : std::uint8_t {
  error,   ///< refuse to write them: nothing in a text reads as bytes
  base64,  ///< a string, as RFC 4648 has it, with padding
  numbers, ///< an array of numbers from 0 to 255
};

/// Members of documents' objects, when written.
enum class key_order : std::uint8_t {
  stored, ///< as the document has them: by hash, the same everywhere
  sorted, ///< ascending, by the bytes of the keys
};

/// Policies for reading. The defaults lose nothing.
struct read_options {
  json::unknown_keys unknown_keys = json::unknown_keys::error;
  json::missing_keys missing_keys = json::missing_keys::error;
  json::duplicate_keys duplicate_keys = json::duplicate_keys::error;
  json::non_finite non_finite = json::non_finite::error;
  json::comments comments = json::comments::refused;
  json::large_integers large_integers = json::large_integers::error;
  /// Arrays and objects inside one another that are read into values; those under ignored keys don't count. In documents depth
  /// costs no stack, and any number will do.
  std::uint32_t max_depth = 128;
  /// Told of the text's bytes that were understood. Who says no gets `errc::cancelled`, with the offset that was reached.
  progress_ref progress{};
};

/// Policies for writing.
struct write_options {
  json::non_finite non_finite = json::non_finite::error;
  json::invalid_utf8 invalid_utf8 = json::invalid_utf8::error;
  json::empty_members empty_members = json::empty_members::omit;
  json::enum_style enum_style = json::enum_style::names;
  json::binary_style binary = json::binary_style::error;
  json::key_order key_order = json::key_order::stored;
  /// Spaces a level; 0 writes everything on one line without any space.
  std::uint32_t indent = 0;
  std::uint32_t max_depth = 128;
  /// Of the text of documents, in bytes; more is an error: keys that many objects share, and that a document has once, are written for
  /// each of them.
  std::size_t max_size = std::size_t{1} << 30;
  /// Told of the text's bytes that there are; how many it will be is `progress_ref::unknown` until it is whole. Who says no gets
  /// `errc::cancelled`.
  progress_ref progress{};
};

/// The usual choice for text that people read.
inline constexpr write_options pretty{.indent = 2};

} // namespace ingot::inline v1::json
