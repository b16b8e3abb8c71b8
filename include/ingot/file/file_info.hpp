// SPDX-License-Identifier: Apache-2.0
// Attributes of a file from its first 64 bytes, readable without the type that was saved.
// docs/format.md describes the bytes.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/file_system.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Kind of a file's contents. The numbers are stored in files and never change.
enum class file_kind : std::uint8_t {
  packed = 1,          ///< a value that `pack` wrote
  compact = 2,         ///< a value that `compact::pack` wrote
  live = 3,            ///< a live block
  document = 4,        ///< a document
  packed_log = 5,      ///< records, each packed
  compact_log = 6,     ///< records, each compact
  edited_live = 7,     ///< a live block that is edited in place and can grow
  edited_document = 8, ///< a document that is edited in place and can grow
};

/// Returns the kind's name for error messages: "a packed value".
[[nodiscard]] std::string_view to_string(file_kind kind) noexcept;

/// Description of the payload's type in a file. The numbers are stored in files and never change.
enum class schema_form : std::uint8_t {
  none = 0,     ///< fingerprints only
  portable = 1, ///< names, kinds and widths: enough to read packed and compact bytes
  layout = 2,   ///< the text of `layout_of`: enough to read a live block
};

/// Contents of a file's header. The header itself was checked for damage; the payload was not read.
struct file_info {
  /// Kind of the contents.
  file_kind kind = file_kind::packed;
  /// Version of the file format: 2 if the parts of the payload have checksums, otherwise 1.
  std::uint8_t version = 1;
  /// Description of the type that the file contains.
  schema_form schema = schema_form::none;
  std::uint32_t schema_size = 0;  ///< in bytes
  std::uint64_t schema_id = 0;    ///< 0 for documents, which have no type
  std::uint64_t layout_id = 0;    ///< for live blocks; otherwise 0
  std::uint64_t payload_size = 0; ///< in bytes, before compression; 0 for logs, which grow
  codec method = codec::none;     ///< compression of the payload
  bool columns = false;           ///< true if records were split into columns before compression
  /// Size of the payload in the file in bytes; `payload_size` unless compressed.
  std::uint64_t stored_size = 0;
  bool closed = true; ///< false: the file is being edited, or a program did not close it

  /// Returns true if the payload is stored as it is, neither compressed nor split into columns.
  [[nodiscard]] bool is_plain() const noexcept { return method == codec::none && !columns; }
};

/// Returns how the payload is stored: "LZ4, by columns"; empty if it is stored as it is.
[[nodiscard]] std::string_view packing_name(const file_info& info) noexcept;

/// Returns a file's kind, version, sizes and fingerprints. Reads 64 bytes.
///
/// Errors: `io` with the system's reason, `not_ingot`, `wrong_version`, `bad_checksum`; `truncated`
/// or `trailing_bytes` if the file is shorter or longer than its header says; `bad_variant`,
/// `bad_padding`, `bad_bool`, `bad_length`, `too_large` for other invalid headers.
[[nodiscard]] result<file_info> peek_file(path_ref path, file_system& system = system_files());

/// Returns the description of the payload's type from the file; empty if the file has none.
/// Compares the description with its checksum, and the description's fingerprints with those of the
/// header. The caller's reader of the description validates its meaning: `dynamic_layout::open` for
/// `schema_form::layout`, `read_schema` for `schema_form::portable`.
///
/// Errors: as `peek_file`; `no_memory`, `schema_mismatch`, `layout_mismatch`.
[[nodiscard]] result<buffer> read_file_schema(path_ref path, file_system& system = system_files());

namespace detail {

inline constexpr std::size_t file_header_size = 64;
/// Number of bytes of a payload that share a checksum in a file of version 2.
inline constexpr std::size_t payload_part = 16384;
/// Alignment of a payload that is edited in place: a multiple of any system's page size.
inline constexpr std::size_t edited_alignment = 65536;
/// Maximum size of a description in bytes. No type needs more. The limit bounds the memory that an
/// untrusted file can request.
inline constexpr std::uint32_t max_schema_bytes = 16 * 1024 * 1024;

/// The whole header.
struct file_header {
  file_info info;
  std::uint32_t schema_checksum = 0;
  std::uint64_t payload_checksum = 0; ///< in version 2, of the table of checksums

  /// Returns true if the payload is edited in place.
  [[nodiscard]] bool is_edited() const noexcept {
    return info.kind == file_kind::edited_live || info.kind == file_kind::edited_document;
  }
  [[nodiscard]] bool is_log() const noexcept {
    return info.kind == file_kind::packed_log || info.kind == file_kind::compact_log;
  }
  /// Position of the payload: after the header, or after the schema if the payload grows.
  [[nodiscard]] std::uint64_t payload_at() const noexcept;
  /// Number of parts of the payload that have a checksum each; 0 in version 1.
  [[nodiscard]] std::uint64_t parts() const noexcept {
    return info.version < 2 ? 0 : info.stored_size / payload_part + (info.stored_size % payload_part != 0);
  }
  /// Returns the length of a part: 16 KiB, or less at the end of the payload.
  [[nodiscard]] std::size_t part_size(std::uint64_t part) const noexcept {
    const std::uint64_t left = info.stored_size - part * payload_part;
    return left < payload_part ? static_cast<std::size_t>(left) : payload_part;
  }
  /// Position of the table of checksums.
  [[nodiscard]] std::uint64_t checksums_at() const noexcept;
  /// Length in bytes of the table of checksums: one for each part, and one more of the bytes before
  /// the first block of a compressed payload. 0 in version 1.
  [[nodiscard]] std::uint64_t checksums_size() const noexcept {
    return info.version < 2 ? 0 : 8 * (parts() + (info.is_plain() ? 0 : 1));
  }
  /// Position of the schema: after the payload and its table of checksums, or before the payload if
  /// the payload grows.
  [[nodiscard]] std::uint64_t schema_at() const noexcept;
  /// Position of the records of a log.
  [[nodiscard]] std::uint64_t records_at() const noexcept;
};

/// Returns the error for a damaged part of the payload. Its offset and the bytes that it names
/// count from the beginning of the file.
[[nodiscard]] error damaged_part(const file_header& header, std::uint64_t part) noexcept;

/// Writes the header, 64 bytes, to `to`. Without compression, the stored size is the payload's
/// size, and `stored_size` of `header` is ignored. Logs and edited files are of version 1.
void write_header(const file_header& header, std::byte* to) noexcept;

/// Reads the header of a file of `file_size` bytes. `start` contains the first 64 bytes, or fewer
/// if the file is shorter. For a log, `file_size` is compared only with the parts before the
/// records; for an edited file, only with the parts before the payload.
[[nodiscard]] result<file_header> read_header(bytes_view start, std::uint64_t file_size) noexcept;

} // namespace detail
}} // namespace ingot::INGOT_V1
