// SPDX-License-Identifier: Apache-2.0
// What the verbs read: files, and standard input where a file is called `-`.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <string>
#include <string_view>

namespace tool {

/// The system's files, and `-`. Standard input that is no file is read to its end first, into memory that has no name.
[[nodiscard]] ingot::detail::file_system& files();

/// All bytes of a file. Errors: `io` with its name and the system's reason.
[[nodiscard]] ingot::result<std::string> read_all(const std::string& name);

} // namespace tool
