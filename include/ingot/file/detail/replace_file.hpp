// SPDX-License-Identifier: Apache-2.0
// Writes a file so that its name always refers to the whole old file or the whole new file.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

enum class replacing : std::uint8_t {
  durable,     ///< replaces an existing file; syncs the file and its folder
  fast,        ///< replaces an existing file; a power cut may leave either file, or a file of zeros
  only_if_new, ///< as `durable`, but returns false and changes nothing if the name exists
};

/// Durability of a replaced file, and the name that the old file gets.
struct replacement {
  // NOLINTNEXTLINE(google-explicit-constructor): usually no version is kept
  replacement(replacing durability, std::string_view suffix = {}) noexcept
      : how(durability), backup(suffix) {}

  replacing how;
  std::string_view backup; ///< as in `save_options`; has no effect with `replacing::only_if_new`
};

/// Progress callback for writing a file, and the progress made before.
struct writing_progress {
  progress_ref callback{};
  std::uint64_t before = 0; ///< bytes already reported
  /// Total number of bytes that is reported, including `before`. While the file is written, the
  /// reported number grows from `before` to `total`, for a file of any size. 0 selects the size of
  /// the file.
  std::uint64_t total = 0;
};

/// Writes the parts in order into a temporary file of the same folder, then renames it. If the old
/// file is kept, it gets its second name first, and the folder is synced between the two renames.
/// Returns false if a file with this name existed and was not replaced.
[[nodiscard]] result<bool> replace_file(file_system& system, path_ref path, std::span<const bytes_view> parts,
                                        const replacement& how, const writing_progress& progress = {});

/// Computes the checksums of a payload as it lies in the file. Sets the version, the stored size
/// and the checksum in the header. The other attributes must be set. Returns the table of checksums
/// that follows the payload; empty in version 1. Calls the progress callback, so that it can
/// cancel: the checksums of ten gigabytes take a second. The number of reported bytes does not grow
/// meanwhile.
[[nodiscard]] result<buffer> add_checksums(file_header& header, bytes_view payload,
                                           const writing_progress& progress = {});

/// Writes header, payload and schema, and computes the header's lengths and checksums. If
/// `columns_by` has a value, the payload is split into columns. For a packed value or a block,
/// `columns_by` is the description of its type; a document needs none. Compact values are not
/// split. `progress` contains the progress made before.
[[nodiscard]] result<void> save_payload(file_system& system, path_ref path, file_info info,
                                        bytes_view payload, bytes_view schema, const replacement& how,
                                        const compression& compress = {},
                                        const writing_progress& progress = {},
                                        std::optional<bytes_view> columns_by = {});
/// Returns the total number of bytes that `save_payload` reports.
[[nodiscard]] std::uint64_t bytes_to_save(std::uint64_t payload, bytes_view schema,
                                          const compression& compress, bool columns) noexcept;
/// Returns the error for cancellation before any byte was written.
[[nodiscard]] std::unexpected<error> saving_cancelled(path_ref path, std::uint64_t done) noexcept;

/// Renames the file at `path` to the name `to` in the same folder. The file is open as `file`.
/// Syncs the folder before the function returns. If a crash interrupted a call, a second call with
/// the same arguments completes the renaming. Errors: `io`, also if another file has the name `to`.
[[nodiscard]] result<void> rename_file(file_system& system, int file, path_ref path, path_ref to);

/// Creates a log without records. Returns false if the file existed.
[[nodiscard]] result<bool> create_log(file_system& system, path_ref path, file_info info, bytes_view schema);

}}} // namespace ingot::INGOT_V1::detail
