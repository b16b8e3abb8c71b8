// SPDX-License-Identifier: Apache-2.0
// A file of any format. Opening validates the file if its type is known.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/schema/schema.hpp>

#include "node.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tool {

/// Formats of input and output.
enum class format : std::uint8_t {
  automatic, ///< chosen by the first bytes, then by the name; otherwise JSON
  json,
  jsonl, ///< JSON Lines: one value per line; as a document, an array of these values
  msgpack,
  cbor,
  archive,  ///< the archive of a document
  document, ///< the bytes of a document without ingot's file header
  ingot,    ///< a file with ingot's header
  packed,   ///< ingot's header and a packed value; only for writing
  compact,  ///< ingot's header and a compact value; only for writing
  live,     ///< ingot's header and the source's live block; only for writing
  protobuf, ///< a message that can only be read with a schema
};

/// Returns the name of a format on the command line: "msgpack".
[[nodiscard]] std::string_view to_string(format of) noexcept;
[[nodiscard]] std::optional<format> format_named(std::string_view name) noexcept;
/// Returns the format that belongs to the end of a file name; `automatic` if none does.
[[nodiscard]] format format_of_name(std::string_view name) noexcept;

/// Options of the command line for reading files without ingot's header.
struct reading {
  reading() = default;
  reading(format of) noexcept : as(of) {} // NOLINT(google-explicit-constructor): usually enough

  format as = format::automatic;
  /// treatment of values in MessagePack and CBOR that documents don't have
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::wrap;
  ingot::key_policy repeated_keys = ingot::key_policy::error;
  bool spells_keys = false; ///< MessagePack and CBOR: keys that are not text become text
  bool whole_reals = false; ///< MessagePack and CBOR: numbers without a fraction become integers
  /// CBOR: decimal fractions keep all digits, for readers that know the type.
  bool keeps_fractions = false;
  bool nearest_integers = false; ///< JSON: integers beyond 64 bits become the nearest number
  bool allows_comments = false;  ///< JSON
  bool allows_commas = false;    ///< JSON: a comma before a closing bracket
  std::uint32_t max_depth = 128;
  bool unchecked = false;   ///< a damaged file is repaired as far as possible; see mend_file.hpp
  std::string spare_schema; ///< file whose schema replaces a damaged one, with `unchecked`
};

/// Returns the format of a file by its first bytes and its name.
[[nodiscard]] format format_of_source(const std::string& name);

/// Maximum size of a record of a log in bytes. A longer record is rejected before memory is
/// allocated.
inline constexpr std::size_t max_record_size = std::size_t{1} << 30;

/// Maximum size in bytes of the description of a type. A reader may need kilobytes of memory for
/// each byte of a description. Descriptions of real types have a few hundred bytes.
inline constexpr std::size_t max_description_size = std::size_t{1} << 18;

/// An opened file. Handles refer to the file's values. So this object owns its parts through
/// pointers, and the parts do not move while handles exist.
struct opened {
  std::string name;
  format as = format::automatic;
  reading how;
  std::uint64_t bytes = 0;                            ///< size of the whole file
  std::optional<ingot::detail::file_header> header;   ///< only for ingot's files
  std::unique_ptr<ingot::detail::file_memory> memory; ///< the payload
  std::unique_ptr<ingot::document> document;
  std::unique_ptr<ingot::dynamic_block> block;
  /// the schema of packed and compact payloads; null if the file has none
  std::unique_ptr<ingot::schema> schema;
  std::unique_ptr<ingot::dynamic_message> message;
  std::uint64_t records = 0;    ///< number of records of a log
  std::uint64_t lost_bytes = 0; ///< bytes after the last complete record
  std::optional<ingot::error> missing_reason;

  /// Returns the value of the file. Returns nothing if the contents cannot be read without their
  /// type.
  [[nodiscard]] std::optional<node> root() const;
  /// Returns true if the contents were validated against their type.
  [[nodiscard]] bool is_validated() const { return is_log() ? schema != nullptr : root().has_value(); }
  [[nodiscard]] bool is_log() const noexcept { return header && header->is_log(); }
  /// Returns the profile of packed and compact payloads.
  [[nodiscard]] ingot::message_profile profile() const noexcept;
  /// Returns a description for people: "a live block", "JSON".
  [[nodiscard]] std::string what() const;
};

/// Reads a whole file. Validates the file if its type is known. Converts a protobuf message to a
/// packed value by the schema `by`. Errors have the file's name, and offsets from the file's first
/// byte.
[[nodiscard]] ingot::result<opened> open(const std::string& name, const reading& how,
                                         const ingot::schema* by = nullptr);

/// Reads a document from text or bytes in memory, in a format that is converted to a document.
[[nodiscard]] ingot::result<ingot::document> read_as(const reading& how, std::string_view bytes,
                                                     const std::string& name = {});

/// Returns the compression of the file. A file that replaces this file is compressed in the same
/// way.
[[nodiscard]] inline ingot::compression compression_of(const opened& file) {
  ingot::compression how;
  how.min_saving_percent = 0; // a compressed file stays compressed
  how.method = file.header ? file.header->info.method : ingot::codec::none;
  return how;
}

/// Returns true if the file's records are split into columns. The records of a file that replaces
/// this file are then split too.
[[nodiscard]] inline bool columns_of(const opened& file) noexcept {
  return file.header && file.header->info.columns;
}

/// Returns the value of the file. If there is none, ends the command with advice on how to read the
/// file.
[[nodiscard]] node root_of(const opened& file);

} // namespace tool
