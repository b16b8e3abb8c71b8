// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole text files.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/file_system.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Reads a file of at most `max_bytes` bytes. A larger file is rejected with `too_large` before
/// memory is allocated. The progress callback gets the bytes read of a total of twice the file's
/// size, because the caller then parses the text.
[[nodiscard]] result<std::string> read_text_file(file_system& system, path_ref path, std::size_t max_bytes,
                                                 progress_ref progress = {});

/// Replaces the file as `save` does.
[[nodiscard]] result<void> write_text_file(file_system& system, path_ref path, std::string_view text,
                                           bool durable, progress_ref progress = {});

/// Prepends the file's path to an error about its contents.
[[nodiscard]] std::unexpected<error> about_file(error err, path_ref path) noexcept;

}}} // namespace ingot::INGOT_V1::detail
