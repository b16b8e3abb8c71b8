// SPDX-License-Identifier: Apache-2.0
// What a file says about itself in its first 64 bytes, without the type that was saved. docs/format.md describes them
// byte by byte.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// What a file holds. The numbers are stored in files and never change.
enum class file_kind : std::uint8_t {
  packed = 1,          ///< a value as `pack` writes it
  compact = 2,         ///< a value as `compact::pack` writes it
  live = 3,            ///< a live block
  document = 4,        ///< a document
  packed_log = 5,      ///< records, each packed
  compact_log = 6,     ///< records, each compact
  edited_live = 7,     ///< a live block that is edited and grows in place
  edited_document = 8, ///< a document that is, too
};

/// The kind's name as error texts give it: "a packed value".
[[nodiscard]] std::string_view to_string(file_kind kind) noexcept;

/// How a file describes the type of its payload. The numbers are stored in files and never change.
enum class schema_form : std::uint8_t {
  none = 0,     ///< only by its fingerprints
  portable = 1, ///< by names, kinds and widths, which is enough to read packed and compact bytes
  layout = 2,   ///< as `layout_of` describes it, which is enough to read a live block
};

/// The contents of a file's header. The header was checked for damage, but not against the payload.
struct file_info {
  file_kind kind = file_kind::packed;
  std::uint8_t version = 1;
  schema_form schema = schema_form::none;
  std::uint32_t schema_size = 0;  ///< in bytes
  std::uint64_t schema_id = 0;    ///< 0 for documents, which have no type
  std::uint64_t layout_id = 0;    ///< for live blocks; otherwise 0
  std::uint64_t payload_size = 0; ///< in bytes, before compression; 0 for logs, which grow
  codec method = codec::none;     ///< how the payload was compressed
  bool columns = false;           ///< whether its records were split into columns before that
  std::uint64_t stored_size =
      0;              ///< bytes of the payload in the file; equal to `payload_size` unless it was compressed
  bool closed = true; ///< false if the file is being edited in place, or was when its program ended

  /// Whether the payload is stored in the file as it is, neither compressed nor split into columns.
  [[nodiscard]] bool is_plain() const noexcept { return method == codec::none && !columns; }
};

/// How the payload was packed: "LZ4, by columns"; empty if it is stored as it is.
[[nodiscard]] std::string_view packing_name(const file_info& info) noexcept;

/// Returns a file's kind, version, sizes and fingerprints. Reads 64 bytes. Errors: `io` with the system's reason,
/// `not_ingot`, `wrong_version`, `bad_checksum`, `truncated` and similar if the file is longer or shorter than its
/// header says.
[[nodiscard]] result<file_info> peek_file(const std::filesystem::path& path,
                                          detail::file_system& system = detail::system_files());

/// Returns the description of the payload's type that the file carries; empty if there is none. Its checksum is
/// verified, and that its fingerprints match the header. Its meaning is verified by whoever reads it:
/// `dynamic_layout::open` for `schema_form::layout`, `read_schema` for `schema_form::portable`. Errors: as
/// `peek_file`; `no_memory`, `schema_mismatch`, `layout_mismatch`.
[[nodiscard]] result<buffer> read_file_schema(const std::filesystem::path& path,
                                              detail::file_system& system = detail::system_files());

namespace detail {

inline constexpr std::size_t file_header_size = 64;
/// A payload that is edited in place begins at a multiple of this, which is a multiple of any system's page size.
inline constexpr std::size_t edited_alignment = 65536;
/// No type needs a longer description, so a file from a stranger gets no more memory for it.
inline constexpr std::uint32_t most_schema_bytes = 16 * 1024 * 1024;

/// The whole header.
struct file_header {
  file_info info;
  std::uint32_t schema_checksum = 0;
  std::uint64_t payload_checksum = 0;

  /// Whether the payload is edited in place.
  [[nodiscard]] bool is_edited() const noexcept {
    return info.kind == file_kind::edited_live || info.kind == file_kind::edited_document;
  }
  [[nodiscard]] bool is_log() const noexcept {
    return info.kind == file_kind::packed_log || info.kind == file_kind::compact_log;
  }
  /// Where the payload begins: behind the header, or behind the schema if it grows.
  [[nodiscard]] std::uint64_t payload_at() const noexcept;
  /// Where the schema begins: behind the payload, or before it if the payload grows.
  [[nodiscard]] std::uint64_t schema_at() const noexcept;
  /// Where the records of a log begin.
  [[nodiscard]] std::uint64_t records_at() const noexcept;
};

/// Writes the 64 bytes to `to`. Without compression, the stored size is the payload's, whatever `header` says.
void write_header(const file_header& header, std::byte* to) noexcept;

/// Reads the header of a file of `file_size` bytes. `start` has the first 64 of them, or as many as there are. For a
/// log, the size is only compared with what comes before the records, and for a file that is being edited with what
/// comes before the payload.
[[nodiscard]] result<file_header> read_header(bytes_view start, std::uint64_t file_size) noexcept;

} // namespace detail
}} // namespace ingot::INGOT_V1
