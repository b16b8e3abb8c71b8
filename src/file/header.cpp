// SPDX-License-Identifier: Apache-2.0
// Format of the first 64 bytes of a file, little-endian:
//    0  "ingF"                 8  schema_id        32  stored length      48  XXH3 of the payload
//    4  version, 1 or 2       16  layout_id        40  schema's length    56  XXH3 of bytes 0-55
//    5  kind                  24  payload's length 44  XXH3 of the schema, lower half
//    6  compression
//    7  form of the schema
//
// In version 2, a table of checksums follows the payload, and byte 48 is the XXH3 of this table.
// In a file that is edited in place, byte 48 is 0 if the file was closed, and 1 if it was not.
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/file_info.hpp>

#include "blocks.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace {

constexpr std::array<char, 4> file_magic{'i', 'n', 'g', 'F'};
constexpr std::uint8_t max_file_version = 2;

[[nodiscard]] constexpr std::uint64_t next_multiple_of_8(std::uint64_t n) noexcept { return (n + 7) / 8 * 8; }

} // namespace

std::string_view to_string(file_kind kind) noexcept {
  constexpr std::array<std::string_view, 8> names{"a packed value",
                                                  "a compact value",
                                                  "a live block",
                                                  "a document",
                                                  "a log of packed records",
                                                  "a log of compact records",
                                                  "a live block that is edited in place",
                                                  "a document that is edited in place"};
  const auto index = static_cast<std::size_t>(kind) - 1;
  return index < names.size() ? names[index] : "another kind of file";
}

std::string_view packing_name(const file_info& info) noexcept {
  if (info.is_plain()) return {};
  if (!info.columns) return to_string(info.method);
  switch (info.method) {
  case codec::none: return "columns";
  case codec::lz4: return "LZ4, by columns";
  case codec::zstd: return "Zstandard, by columns";
  }
  return "another compression";
}

namespace detail {

std::uint64_t file_header::payload_at() const noexcept {
  if (!is_edited()) return file_header_size;
  const std::uint64_t head = file_header_size + std::uint64_t{info.schema_size};
  return (head + (edited_alignment - 1)) / edited_alignment * edited_alignment;
}
std::uint64_t file_header::checksums_at() const noexcept {
  return file_header_size + next_multiple_of_8(info.stored_size);
}
std::uint64_t file_header::schema_at() const noexcept {
  return is_log() || is_edited() ? file_header_size : checksums_at() + checksums_size();
}
std::uint64_t file_header::records_at() const noexcept {
  return file_header_size + next_multiple_of_8(info.schema_size);
}

error damaged_part(const file_header& header, std::uint64_t part) noexcept {
  const std::uint64_t first = file_header_size + part * payload_part;
  const std::uint64_t last = first + header.part_size(part) - 1;
  std::array<char, 80> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "the checksum of bytes %llu to %llu",
                    static_cast<unsigned long long>(first), static_cast<unsigned long long>(last));
  return error{errc::bad_checksum, first}.with_expected({text.data(), static_cast<std::size_t>(length)});
}

void write_header(const file_header& header, std::byte* to) noexcept {
  std::memset(to, 0, file_header_size);
  std::memcpy(to, file_magic.data(), file_magic.size());
  to[4] = static_cast<std::byte>(header.is_log() || header.is_edited() ? 1 : header.info.version);
  to[5] = static_cast<std::byte>(header.info.kind);
  const detail::block_coding coding{header.info.method, header.info.columns};
  to[6] = coding.byte();
  to[7] = static_cast<std::byte>(header.info.schema);
  store_le(to + 8, header.info.schema_id);
  store_le(to + 16, header.info.layout_id);
  store_le(to + 24, header.info.payload_size);
  store_le(to + 32, coding.is_none() ? header.info.payload_size : header.info.stored_size);
  store_le(to + 40, header.info.schema_size);
  store_le(to + 44, header.schema_checksum);
  store_le(to + 48,
           header.is_edited() ? std::uint64_t{header.info.closed ? 0U : 1U} : header.payload_checksum);
  store_le(to + 56, checksum({to, 56}));
}

namespace {

/// Checks each field without comparing it with other fields.
[[nodiscard]] result<void> check_fields(const file_header& h) noexcept {
  const file_info& info = h.info;
  const auto kind = static_cast<std::uint8_t>(info.kind);
  if (kind < 1 || kind > 8)
    return fail(error{errc::bad_variant, 5}.with_expected("a kind of file, 1 to 8").with_found(kind));
  const block_coding coding{info.method, info.columns};
  if ((h.is_log() || h.is_edited()) && !coding.is_none())
    return fail(error{errc::bad_variant, 6}
                    .with_expected("0: logs and edited files are not compressed")
                    .with_found(std::to_integer<std::uint64_t>(coding.byte())));
  const auto form = static_cast<std::uint8_t>(info.schema);
  if (form > 2)
    return fail(error{errc::bad_variant, 7}.with_expected("a form of schema, 0 to 2").with_found(form));
  const bool is_block = info.kind == file_kind::live || info.kind == file_kind::edited_live;
  const bool is_document = info.kind == file_kind::document || info.kind == file_kind::edited_document;
  const schema_form own = is_block      ? schema_form::layout
                          : is_document ? schema_form::none
                                        : schema_form::portable;
  if (info.schema != schema_form::none && info.schema != own)
    return fail(error{errc::bad_variant, 7}
                    .with_expected("the form of schema that this kind of file has, or none")
                    .with_found(form));
  if (is_document && info.schema_id != 0)
    return fail(error{errc::bad_padding, 8}.with_expected("no schema_id: documents have no type"));
  if (!is_block && info.layout_id != 0)
    return fail(error{errc::bad_padding, 16}.with_expected("no layout_id: only live blocks have one"));
  if (h.is_log() && (info.payload_size != 0 || h.payload_checksum != 0))
    return fail(error{errc::bad_padding, info.payload_size != 0 ? 24U : 48U}.with_expected("zero in a log"));
  if (h.is_edited() && h.payload_checksum > 1)
    return fail(error{errc::bad_bool, 48}
                    .with_expected("0, closed, or 1, being edited")
                    .with_found(h.payload_checksum));
  if (coding.is_none() && info.stored_size != info.payload_size) {
    return fail(error{errc::bad_length, 32}
                    .with_expected("as many bytes as the payload has")
                    .with_found(info.stored_size));
  }
  if (!coding.is_none() &&
      (info.stored_size >= info.payload_size || !can_become(coding, info.stored_size, info.payload_size))) {
    return fail(error{errc::bad_length, 32}
                    .with_expected("fewer bytes than the payload, and enough to decompress to it")
                    .with_found(info.stored_size));
  }
  if ((info.schema == schema_form::none) != (info.schema_size == 0))
    return fail(error{errc::bad_length, 40}
                    .with_expected("a length where there is a schema")
                    .with_found(info.schema_size));
  if (info.version > 1 && (h.is_log() || h.is_edited() || info.stored_size <= payload_part)) {
    return fail(error{errc::wrong_version, 4}
                    .with_expected("version 1: logs, edited files, and payloads of one part")
                    .with_found(info.version));
  }
  if (info.schema_size > max_schema_bytes) {
    return fail(
        error{errc::too_large, 40}.with_expected("a schema of at most 16 MiB").with_found(info.schema_size));
  }
  if (info.schema == schema_form::none && h.schema_checksum != 0)
    return fail(error{errc::bad_padding, 44}.with_expected("zero without a schema"));
  return {};
}

/// Returns the size that the header gives the file; of a log, the size of the parts before the
/// records. Returns 0 if no file can have this size.
[[nodiscard]] std::uint64_t size_of_whole(const file_header& h) noexcept {
  constexpr std::uint64_t max_part = std::uint64_t{1} << 62;
  if (h.info.stored_size > max_part || h.info.payload_size > max_part) return 0;
  if (h.is_log()) return h.records_at(); // zeros after the schema align the records
  if (h.is_edited()) return h.payload_at() + (h.info.closed ? h.info.payload_size : 0);
  if (h.info.schema_size == 0 && h.info.version < 2) return file_header_size + h.info.stored_size;
  return h.schema_at() + h.info.schema_size;
}

/// Compares each length with the number of bytes left, instead of adding the lengths. The lengths
/// are untrusted, so a sum could overflow.
[[nodiscard]] result<void> check_size(const file_header& h, std::uint64_t file_size) noexcept {
  const auto cut_short = [&] {
    error err = error{errc::truncated, file_size}.with_found(file_size);
    const std::uint64_t whole = size_of_whole(h);
    if (whole == 0) return fail(err.with_expected("as many bytes as the header says"));
    std::array<char, 48> text{};
    const int length = std::snprintf(text.data(), text.size(), "%llu bytes, as the header says",
                                     static_cast<unsigned long long>(whole));
    return fail(err.with_expected({text.data(), static_cast<std::size_t>(length)}));
  };
  if (h.is_edited()) {
    const std::uint64_t payload_position = h.payload_at();
    if (file_size < payload_position) return cut_short();
    if (!h.info.closed) return {}; // the length of a file that was not closed is not known
    if (file_size - payload_position < h.info.payload_size) return cut_short();
    if (file_size - payload_position != h.info.payload_size)
      return fail(error{errc::trailing_bytes, payload_position + h.info.payload_size}
                      .with_expected("the end of the file")
                      .with_found(file_size - payload_position - h.info.payload_size));
    return {};
  }
  std::uint64_t left = file_size - file_header_size;
  if (h.info.stored_size > left) return cut_short();
  left -= h.info.stored_size;
  if (h.info.schema_size != 0 || h.info.version > 1) {
    // Zeros align the table of checksums and the schema, or the records after the schema, to a
    // multiple of 8. The payload is in the file, so the size of its table can't overflow.
    const std::uint64_t length = h.is_log() ? h.info.schema_size : h.info.stored_size;
    const std::uint64_t gap = (8 - length % 8) % 8;
    const std::uint64_t rest = h.checksums_size() + h.info.schema_size;
    if (left < gap || left - gap < rest) return cut_short();
    left -= gap + rest;
  }
  if (left != 0 && !h.is_log()) {
    return fail(
        error{errc::trailing_bytes, file_size - left}.with_expected("the end of the file").with_found(left));
  }
  return {};
}

} // namespace

result<file_header> read_header(bytes_view start, std::uint64_t file_size) noexcept {
  if (file_size < file_header_size || start.size() < file_header_size) {
    const auto magic = as_bytes_view(file_magic);
    const std::size_t seen = start.size() < magic.size() ? start.size() : magic.size();
    if (!equal_bytes(start.first(seen), magic.first(seen)))
      return fail(error{errc::not_ingot}.with_expected("\"ingF\""));
    return fail(error{errc::truncated, start.size()}.with_expected("the 64 bytes of a header"));
  }
  const std::byte* const at = start.data();
  if (std::memcmp(at, file_magic.data(), file_magic.size()) != 0)
    return fail(error{errc::not_ingot}.with_expected("\"ingF\""));
  if (at[4] == std::byte{} || at[4] > std::byte{max_file_version}) {
    return fail(error{errc::wrong_version, 4}
                    .with_expected("version 1 or 2")
                    .with_found(std::to_integer<std::uint64_t>(at[4])));
  }
  if (load_le<std::uint64_t>(at + 56) != checksum(start.first(56)))
    return fail(error{errc::bad_checksum, 56}.with_expected("the checksum of the header"));
  file_header h;
  h.info.kind = static_cast<file_kind>(at[5]);
  h.info.version = std::to_integer<std::uint8_t>(at[4]);
  block_coding coding;
  if (!coding.take(at[6])) {
    return fail(error{errc::bad_variant, 6}
                    .with_expected("a compression, 0 to 2, and 4 more for columns")
                    .with_found(std::to_integer<std::uint64_t>(at[6])));
  }
  h.info.method = coding.method;
  h.info.columns = coding.columns;
  h.info.schema = static_cast<schema_form>(at[7]);
  h.info.schema_id = load_le<std::uint64_t>(at + 8);
  h.info.layout_id = load_le<std::uint64_t>(at + 16);
  h.info.payload_size = load_le<std::uint64_t>(at + 24);
  h.info.stored_size = load_le<std::uint64_t>(at + 32);
  h.info.schema_size = load_le<std::uint32_t>(at + 40);
  h.schema_checksum = load_le<std::uint32_t>(at + 44);
  h.payload_checksum = load_le<std::uint64_t>(at + 48);
  if (auto sound = check_fields(h); !sound) return fail(sound.error());
  if (h.is_edited()) h.info.closed = std::exchange(h.payload_checksum, 0) == 0;
  if (auto fits = check_size(h, file_size); !fits) return fail(fits.error());
  return h;
}

} // namespace detail
}} // namespace ingot::INGOT_V1
