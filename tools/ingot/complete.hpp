// SPDX-License-Identifier: Apache-2.0
// Completion of paths inside a file, for the shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// Returns the text of a word of a command line in bash, without the shell's quotation: backslashes
/// and quotation marks. The last quotation mark may be missing.
[[nodiscard]] std::string shell_unquoted(std::string_view word);

/// Returns the paths that begin with `typed`, a beginning of a path in the file. If there is only
/// one path, also returns the paths of the parts of its value. Returns nothing for files over 64
/// MiB, because a shell waits for the answer, and for files that the tool can't read.
[[nodiscard]] std::vector<std::string> completed_paths(const std::string& file, std::string_view typed,
                                                       std::string_view as);

/// As `completed_paths`, for words of bash as they are on the command line. Returns words for the
/// command line.
[[nodiscard]] std::vector<std::string> completed_words(std::string_view file, std::string_view typed,
                                                       std::string_view format);

} // namespace tool
