// SPDX-License-Identifier: Apache-2.0
// Inputs of the commands: files, and standard input if the name is `-`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/file_system.hpp>

#include <string>
#include <string_view>

namespace tool {

/// Returns the system's files; the name `-` refers to standard input. If standard input is not a
/// regular file, all of it is first copied into a temporary file without a name.
[[nodiscard]] ingot::file_system& files();

/// Returns all bytes of a file. Errors: `io` with the file's name and the system's reason,
/// `too_large`.
[[nodiscard]] ingot::result<std::string> read_all(const std::string& name);

/// From now on, `files` opens a temporary file with these bytes if this name is opened for reading.
/// Errors: `io` with the file's name and the system's reason.
[[nodiscard]] ingot::result<void> read_instead(const std::string& name, ingot::bytes_view bytes);

} // namespace tool
