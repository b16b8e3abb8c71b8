// SPDX-License-Identifier: Apache-2.0
// Every byte of an opened file with its meaning: the header of the file, its blocks, its schema and
// its payload.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/log_file.hpp>

#include "opened_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tool {

/// Part of a file that pieces belong to.
enum class file_part : std::uint8_t {
  frame,   ///< header, padding, blocks of compressed data
  payload, ///< the payload, or a record of a log
  schema,
};

/// Receives the pieces of a file. A piece is a range of bytes with one meaning.
class file_visitor : public ingot::byte_visitor {
public:
  /// Starts a part. The offsets of the part's pieces count from byte `base` of the section. `where`
  /// is the beginning of the paths of the part's values. For a record of a log, `where` names the
  /// record.
  virtual void begin(file_part what, std::uint64_t base, const std::string& where) = 0;
  /// Ends a record of a log. The record's handles become invalid after this call. Returns true to
  /// get the pieces of the record again.
  virtual bool end() { return false; }

protected:
  ~file_visitor() = default;
};

/// A range of bytes: the file, or the decompressed payload of a compressed file.
class byte_section {
public:
  byte_section(const opened& of, bool payload_alone) : of_(of), payload_alone_(payload_alone) {}

  /// Returns "the payload as it was before compression"; empty for the file itself.
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::uint64_t size() const;
  /// Returns bytes of the section. The view is valid until the next call.
  [[nodiscard]] ingot::bytes_view bytes(std::uint64_t from, std::size_t count);
  /// Emits pieces that cover each byte once. The order of the pieces is the order of the file for a
  /// log, and the order of the value's tree otherwise. May be called more than once.
  void tell(file_visitor& to);

private:
  void emit_file(file_visitor& to);
  void emit_header(file_visitor& to);
  std::uint64_t emit_checksums(file_visitor& to);
  void emit_schema(file_visitor& to, std::uint64_t at);
  void tell_stored(file_visitor& to);
  void tell_records(file_visitor& to);
  void tell_payload(file_visitor& to, std::uint64_t base);
  [[nodiscard]] const ingot::detail::input_file& file();

  const opened& of_;
  bool payload_alone_;
  std::optional<ingot::detail::input_file> file_;
  std::string storage_;
};

/// Returns true if `of` is compressed. Such a file has a second section, its decompressed payload.
[[nodiscard]] bool is_compressed(const opened& of) noexcept;
/// Ends the command if the file's format (JSON, MessagePack or CBOR) has no description of its
/// bytes.
void expect_bytes(const opened& of);

} // namespace tool
