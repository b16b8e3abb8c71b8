// SPDX-License-Identifier: Apache-2.0
// Text in files, whole.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// All of a file that has at most `most` bytes; more are `too_large`, before memory is taken for them. Who waits is told of half of the work.
[[nodiscard]] result<std::string> read_text_file(file_system& system, const std::filesystem::path& path,
                                                 std::size_t most, progress_ref progress = {});

/// Replaces the file as `save` does.
[[nodiscard]] result<void> write_text_file(file_system& system, const std::filesystem::path& path,
                                           std::string_view text, bool durable, progress_ref progress = {});

/// An error about what is in a file, with the file's path in front.
[[nodiscard]] std::unexpected<error> about_file(error err, const std::filesystem::path& path) noexcept;

}}} // namespace ingot::INGOT_V1::detail
