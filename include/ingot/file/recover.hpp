// SPDX-License-Identifier: Apache-2.0
// Finds out what a crash left of a log.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ingot { inline namespace INGOT_V1 {

enum class recovery : std::uint8_t {
  report, ///< say what is lost
  truncate,  ///< also cut it off, so that the log can be appended to
};

struct log_recovery {
  std::uint64_t records = 0; ///< complete records
  std::uint64_t valid_bytes = 0;    ///< bytes of the file up to the end of the last complete record
  std::uint64_t lost_bytes = 0;    ///< bytes behind that
  /// Why the bytes behind the last record are not a record; empty if nothing is lost. `truncated` is what an
  /// unfinished append leaves. Another error may also be that, after a power cut, or else damage, behind which there
  /// may be complete records that can't be found.
  std::optional<error> reason;
};

/// Checks all records of a log, of whatever type, and returns how many are complete. What is cut off is gone.
/// Meanwhile the log is locked, as a writer locks it. Errors: `io` with the path and the system's reason; `schema_mismatch`
/// for a file that is not a log; as `peek_file`. O(bytes).
[[nodiscard]] result<log_recovery> recover(const std::filesystem::path& path, recovery how = recovery::report,
                                           detail::file_system& system = detail::system_files());
/// Does the same and reports the bytes that were checked. Once something is cut off, the call can't be cancelled.
[[nodiscard]] result<log_recovery> recover(const std::filesystem::path& path, recovery how,
                                           progress_ref progress,
                                           detail::file_system& system = detail::system_files());

}} // namespace ingot::INGOT_V1
