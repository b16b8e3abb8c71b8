// SPDX-License-Identifier: Apache-2.0
// A file that was opened, whatever is in it, and proved.
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

/// How bytes are read and written.
enum class format : std::uint8_t {
  automatic, ///< as the first bytes say, else the name, else JSON
  json,
  jsonl, ///< a value a line; an array of them
  msgpack,
  cbor,
  archive,  ///< of a document
  document, ///< a document's own bytes, in no file of ingot's
  ingot,    ///< a file of ingot's, with a header
  packed,   ///< the same with a packed value in it, for writing
  compact,  ///< with a compact one
  live,     ///< with the live block that the source has, for writing
  protobuf, ///< a message, of which only a schema says what it is
};

/// "msgpack"; the names that the command line takes.
[[nodiscard]] std::string_view to_string(format of) noexcept;
[[nodiscard]] std::optional<format> format_named(std::string_view name) noexcept;
/// As the end of a name says; automatic if it says nothing.
[[nodiscard]] format format_of_name(std::string_view name) noexcept;

/// How a source is read that is no file of ingot's: what the command line says of it.
struct reading {
  reading() = default;
  reading(format of) noexcept : as(of) {} // NOLINT(google-explicit-constructor): mostly nothing else is said

  format as = format::automatic;
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::wrap; ///< of MessagePack and CBOR
  ingot::key_policy repeated_keys = ingot::key_policy::error;
  bool spells_keys = false;      ///< keys that are no text, of MessagePack and CBOR
  bool whole_reals = false;      ///< numbers of theirs without a fraction are integers
  bool keeps_fractions = false;  ///< of CBOR, with all digits: for readers that know the type
  bool nearest_integers = false; ///< of JSON, beyond 64 bits
  bool allows_comments = false;  ///< in JSON
  std::uint32_t max_depth = 128;
};

/// What a file is, as its first bytes and its name say.
[[nodiscard]] format format_of_source(const std::string& name);

/// A record of a log that is longer is an error, before memory is taken for it.
inline constexpr std::size_t most_record = std::size_t{1} << 30;

/// Values that handles refer to: it must not move while they are used, hence the pointers.
struct opened {
  std::string name;
  format as = format::automatic;
  reading how;
  std::uint64_t bytes = 0;                            ///< of all of it
  std::optional<ingot::detail::file_header> header;   ///< of a file of ingot's
  std::unique_ptr<ingot::detail::file_memory> memory; ///< its payload
  std::unique_ptr<ingot::document> document;
  std::unique_ptr<ingot::dynamic_block> block;
  std::unique_ptr<ingot::schema> schema; ///< of packed and compact payloads, if the file has it
  std::unique_ptr<ingot::dynamic_message> message;
  std::uint64_t records = 0; ///< of a log
  std::uint64_t lost_bytes = 0;    ///< bytes behind the last whole one
  std::optional<ingot::error> missing_reason;

  /// Nothing if what is in the file can't be read without its type.
  [[nodiscard]] std::optional<node> root() const;
  /// Whether what is in it was held against its type, if it has one.
  [[nodiscard]] bool is_validated() const { return is_log() ? schema != nullptr : root().has_value(); }
  [[nodiscard]] bool is_log() const noexcept { return header && header->is_log(); }
  /// Of packed and compact payloads.
  [[nodiscard]] ingot::message_profile profile() const noexcept;
  /// "a live block", "JSON".
  [[nodiscard]] std::string what() const;
};

/// Reads and proves all of a file. Errors name it and count from its first byte. A message of protobuf's is read by the schema, and is a packed
/// value then.
[[nodiscard]] ingot::result<opened> open(const std::string& name, const reading& how,
                                         const ingot::schema* by = nullptr);

/// Reads a document from text or bytes that are in memory, in one of the formats that become
/// documents.
[[nodiscard]] ingot::result<ingot::document> read_as(const reading& how, std::string_view bytes,
                                                     const std::string& name = {});

/// What was compressed is compressed again.
[[nodiscard]] inline ingot::compression compression_of(const opened& file) {
  ingot::compression how;
  how.min_saving_percent = 0; // one that is compressed stays so
  how.method = file.header ? file.header->info.method : ingot::codec::none;
  return how;
}

/// What was split into columns is split again.
[[nodiscard]] inline bool columns_of(const opened& file) noexcept {
  return file.header && file.header->info.columns;
}

/// The value in it, or the end of the verb: with what it takes to see it.
[[nodiscard]] node root_of(const opened& file);

} // namespace tool
