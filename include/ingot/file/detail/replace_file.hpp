// SPDX-License-Identifier: Apache-2.0
// Writing a file so that its name leads to the old bytes or to all of the new ones, whatever happens meanwhile.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/file_info.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

enum class replacing : std::uint8_t {
  durable,     ///< what has the name is replaced, for good once the call returns
  fast,        ///< replaced as well, but a power cut may leave either, or a file of zeros
  only_if_new, ///< durable, and so is a name that is taken: then it is `false` and its file stays as it is
};

/// Who waits for a file to be written, and what was done before that.
struct writing_progress {
  progress_ref told{};
  std::uint64_t before = 0; ///< bytes, which were told
  std::uint64_t total =
      0; ///< with these; of which writing all of the file is the rest. 0: as many as the file has
};

/// Writes the parts one behind the other into a temporary file of the same folder, then gives it the name. Whether it did.
[[nodiscard]] result<bool> replace_file(file_system& system, const std::filesystem::path& path,
                                        std::span<const bytes_view> parts, replacing how,
                                        const writing_progress& progress = {});

/// Header, payload and schema, of which the header's lengths and checksums are computed here. With `columns_by` the payload is split into columns:
/// a packed value and a block by that description of their type, a document by itself; compact values are left as they are. `progress` says what was done before.
[[nodiscard]] result<void> save_payload(file_system& system, const std::filesystem::path& path,
                                        file_info info, bytes_view payload, bytes_view schema, replacing how,
                                        const compression& compress = {},
                                        const writing_progress& progress = {},
                                        std::optional<bytes_view> columns_by = {});
/// The bytes that who waits for that is told of.
[[nodiscard]] std::uint64_t bytes_to_save(std::uint64_t payload, bytes_view schema,
                                          const compression& compress, bool columns) noexcept;
/// They no longer wait, and nothing was written yet.
[[nodiscard]] std::unexpected<error> saving_cancelled(const std::filesystem::path& path,
                                                      std::uint64_t done) noexcept;

/// Gives the file that is open as `file` the name `to` instead of its own, in the same folder, for
/// good once the call returns. Goes on where a call that was interrupted ended. Errors: `io`, also
/// where another file has that name.
[[nodiscard]] result<void> rename_file(file_system& system, int file, const std::filesystem::path& path,
                                       const std::filesystem::path& to);

/// A log without records. Whether there was none yet.
[[nodiscard]] result<bool> create_log(file_system& system, const std::filesystem::path& path, file_info info,
                                      bytes_view schema);

}}} // namespace ingot::INGOT_V1::detail
