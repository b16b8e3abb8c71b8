// SPDX-License-Identifier: Apache-2.0
// Recovers a log after a crash.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/file_system.hpp>

#include <cstdint>
#include <optional>

namespace ingot { inline namespace INGOT_V1 {

/// Action of `recover`.
enum class recovery : std::uint8_t {
  report,   ///< report the loss
  truncate, ///< also truncate the file, so that the log can be appended to
};

/// Options of `recover`.
struct recover_options {
  /// Action for the bytes after the last complete record.
  recovery how = recovery::report;
  /// Reports the bytes checked. If the callback returns false, the error is `cancelled`. Once bytes
  /// are truncated, the call can't be cancelled.
  progress_ref progress{};
};

/// Result of `recover`.
struct log_recovery {
  std::uint64_t records = 0;     ///< complete records
  std::uint64_t valid_bytes = 0; ///< bytes of the file up to the end of the last complete record
  std::uint64_t lost_bytes = 0;  ///< bytes after the last complete record
  /// Reason why the bytes after the last record are not a record; empty if nothing is lost. The
  /// error is `truncated` after an unfinished append. Any other error comes from damage, or from an
  /// append that a power cut interrupted. After damage, the lost bytes may contain complete records
  /// that can't be found.
  std::optional<error> reason;
};

/// Checks all records of a log of any type and returns how many are complete. Bytes that were
/// truncated can't be restored. During the call the log is locked, as a writer locks it. O(bytes).
///
/// Errors: `io` with the path and the system's reason; `schema_mismatch` for a file that is not a
/// log; as `peek_file`.
[[nodiscard]] result<log_recovery> recover(path_ref path, const recover_options& options = {},
                                           file_system& system = system_files());

}} // namespace ingot::INGOT_V1
