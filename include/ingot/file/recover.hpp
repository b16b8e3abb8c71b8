// SPDX-License-Identifier: Apache-2.0
// What a crash left of a log.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ingot::inline v1 {

enum class recovery : std::uint8_t {
  report, ///< say what is lost
  cut,    ///< and cut it off, so that the log can be appended to
};

struct log_recovery {
  std::uint64_t records = 0; ///< that are whole
  std::uint64_t kept = 0;    ///< bytes of the file up to the end of the last of them
  std::uint64_t lost = 0;    ///< bytes behind
  /// Why what is behind is no record; nothing if nothing is lost. `truncated` is what an append leaves that did not end; another
  /// error may be that, too, after a power cut, or damage, with whole records behind it that nothing can find.
  std::optional<error> why;
};

/// Checks all records of a log, of whatever type, and says how many are whole. What was cut off is gone; the log is locked meanwhile, as a
/// writer locks it. Errors: `io` with the path and the system's reason; `other_type` for a file that is no log; as `peek_file`. O(bytes).
[[nodiscard]] result<log_recovery> recover(const std::filesystem::path& path, recovery how = recovery::report,
                                           detail::file_system& system = detail::system_files());
/// The same, and tells of the bytes that were looked at. Once something is cut off it can't be cancelled.
[[nodiscard]] result<log_recovery> recover(const std::filesystem::path& path, recovery how,
                                           progress_ref progress,
                                           detail::file_system& system = detail::system_files());

} // namespace ingot::inline v1
