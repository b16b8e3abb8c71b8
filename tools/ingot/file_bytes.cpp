// SPDX-License-Identifier: Apache-2.0
#include "file_bytes.hpp"

#include <ingot/core/endian.hpp>
#include <ingot/dynamic/byte_map.hpp>

#include "cli_support.hpp"
#include "schema_bytes.hpp"
#include "source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tool {

namespace {

using ingot::byte_number;
using ingot::byte_piece;
using ingot::byte_use;
using ingot::bytes_view;

constexpr std::size_t header_size = 64;

void say(file_visitor& to, std::uint64_t offset, std::uint64_t length, byte_use use, std::string_view what,
         byte_number is = byte_number::none, std::uint64_t number = 0) {
  if (length == 0) return;
  byte_piece piece;
  piece.offset = offset;
  piece.length = length;
  piece.use = use;
  piece.what = what;
  piece.is = is;
  piece.number = number;
  to.bytes(piece);
}

/// Reads a little-endian number from the bytes of a file. The file may be invalid.
[[nodiscard]] std::uint64_t number_at(bytes_view bytes, std::size_t at, unsigned width) {
  std::uint64_t number = 0;
  for (unsigned i = width; i-- != 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return number;
}

} // namespace

bool is_compressed(const opened& of) noexcept {
  return of.header && !of.is_log() && !of.header->info.is_plain();
}

void expect_bytes(const opened& of) {
  if (of.header || of.as == format::document) return;
  throw failure(sentence(of.name + ": no description of its bytes",
                         "a file of ingot's, or a document's own bytes", of.what(),
                         "ingot convert makes one of it"));
}

std::string byte_section::title() const {
  return payload_alone_ ? "the payload as it was before compression; offsets count from its beginning" : "";
}

std::uint64_t byte_section::size() const {
  if (payload_alone_) return of_.header->info.payload_size;
  return of_.bytes;
}

const ingot::detail::input_file& byte_section::file() {
  if (!file_) file_.emplace(value_of(ingot::detail::input_file::open(files(), of_.name), of_.name));
  return *file_;
}

bytes_view byte_section::bytes(std::uint64_t from, std::size_t count) {
  if (of_.header && !payload_alone_) {
    storage_.resize(count);
    const auto to = std::as_writable_bytes(std::span(storage_));
    value_of(file().read(to, from), of_.name);
    return to;
  }
  const bytes_view in_memory = of_.document ? of_.document->bytes()
                               : of_.block  ? of_.block->bytes()
                                            : bytes_view();
  const bytes_view all = of_.header ? bytes_view(of_.memory->payload()) : in_memory;
  return all.subspan(static_cast<std::size_t>(from), count);
}

void byte_section::tell(file_visitor& to) {
  if (payload_alone_ || !of_.header) {
    tell_payload(to, 0);
  } else {
    emit_file(to);
  }
}

void byte_section::emit_file(file_visitor& to) {
  const auto& info = of_.header->info;
  to.begin(file_part::frame, 0, {});
  emit_header(to);
  const bool has_schema = info.schema != ingot::schema_form::none;
  const auto schema = [&](std::uint64_t at_end) {
    if (!has_schema) return at_end;
    say(to, at_end, of_.header->schema_at() - at_end, byte_use::padding, "in front of the schema");
    emit_schema(to, of_.header->schema_at());
    return of_.header->schema_at() + info.schema_size;
  };
  if (of_.is_log()) {
    const std::uint64_t at_end = schema(header_size);
    say(to, at_end, of_.header->records_at() - at_end, byte_use::padding, "in front of the records");
    return tell_records(to);
  }
  const std::uint64_t payload = of_.header->payload_at();
  if (of_.header->is_edited()) { // the schema precedes the payload
    const std::uint64_t at_end = schema(header_size);
    say(to, at_end, payload - at_end, byte_use::padding, "in front of the payload, which begins at a page");
    return tell_payload(to, payload);
  }
  if (is_compressed(of_)) tell_stored(to);
  else tell_payload(to, payload);
  to.begin(file_part::frame, 0, {});
  std::uint64_t at = payload + info.stored_size;
  if (info.version > 1) {
    say(to, at, of_.header->checksums_at() - at, byte_use::padding, "in front of the checksums");
    at = emit_checksums(to);
  }
  static_cast<void>(schema(at));
}

void byte_section::emit_header(file_visitor& to) {
  using enum byte_number;
  constexpr byte_use use = byte_use::header;
  const bytes_view head = bytes(0, header_size);
  const auto field = [&](std::size_t at, unsigned width, std::string_view what, byte_number is = natural) {
    say(to, at, width, use, what, is, number_at(head, at, width));
  };
  const auto& info = of_.header->info;
  field(0, 4, "magic: a file of ingot's", byte_number::text);
  field(4, 1, "version of the format");
  field(5, 1, ingot::to_string(info.kind));
  field(6, 1, "compression: 0 none, 1 LZ4, 2 Zstandard; 4 more for columns");
  field(7, 1, "form of the schema: 0 none, 1 names and kinds, 2 a layout");
  field(8, 8, "schema_id", id);
  field(16, 8, "layout_id, of live blocks", id);
  field(24, 8, "length of the payload before compression, of a log 0");
  field(32, 8, "bytes of the payload in the file");
  field(40, 4, "length of the schema");
  field(44, 4, "lower half of the schema's checksum");
  field(48, 8,
        of_.header->is_edited() ? "0: closed; 1: it is edited"
        : info.version > 1      ? "checksum of the table of checksums"
                                : "checksum of the payload, of a log 0",
        id);
  field(56, 8, "checksum of bytes 0 to 55", id);
}

std::uint64_t byte_section::emit_checksums(file_visitor& to) {
  const auto& info = of_.header->info;
  std::uint64_t at = of_.header->checksums_at();
  for (std::uint64_t i = 0; i < of_.header->parts(); ++i, at += 8) {
    say(to, at, 8, byte_use::header, "checksum of the next 16384 bytes of the payload", byte_number::id,
        number_at(bytes(at, 8), 0, 8));
  }
  if (info.is_plain()) return at;
  say(to, at, 8, byte_use::header, "checksum of the bytes before the first block", byte_number::id,
      number_at(bytes(at, 8), 0, 8));
  return at + 8;
}

void byte_section::tell_stored(file_visitor& to) {
  const std::uint64_t size = of_.header->info.payload_size;
  const std::uint64_t end = header_size + of_.header->info.stored_size;
  std::uint64_t at = header_size;
  // The numbers are valid, because decoding the payload has checked them.
  const auto number = [&](std::string_view what) {
    const std::uint64_t n = number_at(bytes(at, 4), 0, 4);
    say(to, at, 4, byte_use::count, what, byte_number::natural, n);
    at += 4;
    return n;
  };
  const std::uint64_t length = number("length of a block before compression");
  if (of_.header->info.columns) {
    const std::uint64_t table = number("length of the table of columns");
    say(to, at, table, byte_use::index, "which kinds of records there are, and how wide their columns");
    at += table;
  }
  const std::uint64_t blocks = length == 0 ? 0 : (size + length - 1) / length;
  std::uint64_t block = at + 4 * blocks;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint64_t stored = std::min(number("length of a block in the file"), end - block);
    const bool as_it_was = stored == std::min(length, size - i * length);
    say(to, block, stored, byte_use::value,
        as_it_was ? "a block, as it was" : "a compressed block; what it holds is shown below");
    block += stored;
  }
}

void byte_section::emit_schema(file_visitor& to, std::uint64_t at) {
  const bytes_view all = bytes(at, of_.header->info.schema_size);
  const std::string schema_bytes(reinterpret_cast<const char*>(all.data()), all.size());
  to.begin(file_part::schema, at, {});
  tell_description(std::as_bytes(std::span(schema_bytes)), of_.header->info.schema, to);
  to.begin(file_part::frame, 0, {});
}

void byte_section::tell_payload(file_visitor& to, std::uint64_t base) {
  to.begin(file_part::payload, base, {});
  ingot::result<void> done;
  if (of_.document) done = ingot::map_bytes(to, *of_.document);
  else if (of_.block) done = ingot::map_bytes(to, *of_.block);
  else if (of_.message) done = ingot::map_bytes(to, *of_.message);
  else
    say(to, 0, of_.header->info.payload_size, byte_use::value, "what only a program with its type can read");
  value_of(std::move(done), of_.name);
}

void byte_section::tell_records(file_visitor& to) {
  auto log = value_of(ingot::detail::log_input::open(files(), of_.name), of_.name);
  std::optional<ingot::dynamic_schema> by;
  if (of_.schema) by = value_of(ingot::dynamic_schema::from(*of_.schema, of_.profile()), of_.name);
  for (;;) {
    const std::uint64_t at = log.position();
    const std::uint64_t number = log.records();
    bytes_view payload;
    if (!value_of(log.next(payload, max_record_size), of_.name)) break;
    const std::string record(reinterpret_cast<const char*>(payload.data()), payload.size());
    const std::uint64_t end = log.position();
    const std::string where = '[' + std::to_string(number) + ']';
    const std::uint64_t record_end = ingot::detail::record_head_size + record.size();
    std::optional<ingot::dynamic_message> message;
    if (by)
      message =
          value_of(ingot::dynamic_message::open_in_place(std::as_bytes(std::span(record)), *by), of_.name);
    do {
      const bytes_view head = bytes(at, ingot::detail::record_head_size);
      to.begin(file_part::payload, at, where);
      say(to, 0, 4, byte_use::count, "length of the record", byte_number::natural, number_at(head, 0, 4));
      say(to, 4, 4, byte_use::header, "lower half of the checksum of that", byte_number::natural,
          number_at(head, 4, 4));
      say(to, 8, 8, byte_use::header, "checksum of the record", byte_number::id, number_at(head, 8, 8));
      say(to, record_end, end - at - record_end, byte_use::padding, "after the record");
      to.begin(file_part::payload, at + ingot::detail::record_head_size, where);
      if (message) value_of(ingot::map_bytes(to, *message), of_.name);
      else say(to, 0, record.size(), byte_use::value, "what only a program with its type can read");
    } while (to.end());
  }
  to.begin(file_part::frame, 0, {});
  say(to, log.position(), log.lost_bytes(), byte_use::hole, "no whole record: the log ends in front of it");
}

} // namespace tool
