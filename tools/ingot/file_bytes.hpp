// SPDX-License-Identifier: Apache-2.0
// The bytes of a file that was opened: every one of them, as what it is. The file's own header, its blocks and its schema, and what is in it.
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

/// What of a file comes.
enum class file_part : std::uint8_t {
  frame,   ///< header, padding, blocks of what is compressed
  payload, ///< what is in it; of a log a record
  schema,
};

/// What a run over the bytes of a file is told of.
class file_visitor : public ingot::byte_visitor {
public:
  /// The pieces that come count from byte `base` of the section. `where` is where their values begin: of a log the record.
  virtual void begin(file_part what, std::uint64_t base, const std::string& where) = 0;
  /// Of a log: the pieces of a record were told, and their handles end. True: they are to be told once more.
  virtual bool end() { return false; }

protected:
  ~file_visitor() = default;
};

/// One range of offsets: the file, or, where that is compressed, also what it was before.
class byte_section {
public:
  byte_section(const opened& of, bool payload_alone) : of_(of), payload_alone_(payload_alone) {}

  /// "the payload as it was before compression"; empty for the file itself.
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::uint64_t size() const;
  /// Bytes of it, which live until the next call.
  [[nodiscard]] ingot::bytes_view bytes(std::uint64_t from, std::size_t count);
  /// Tells of each byte once. Of a log in the order of the file, of all else in the order of the tree; as often as it is asked.
  void tell(file_visitor& to);

private:
  void emit_file(file_visitor& to);
  void emit_header(file_visitor& to);
  void emit_schema(file_visitor& to, std::uint64_t at);
  void tell_stored(file_visitor& to);
  void tell_records(file_visitor& to);
  void tell_payload(file_visitor& to, std::uint64_t base);
  [[nodiscard]] const ingot::detail::input_file& file();

  const opened& of_;
  bool payload_alone_;
  std::optional<ingot::detail::input_file> file_;
  std::string room_;
};

/// Whether `of` is compressed: then there is a second section.
[[nodiscard]] bool is_compressed(const opened& of) noexcept;
/// Ends the verb if the bytes of the file are of a form that has no such description: JSON, MessagePack, CBOR.
void expect_bytes(const opened& of);

} // namespace tool
