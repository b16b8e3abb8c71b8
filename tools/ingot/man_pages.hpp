// SPDX-License-Identifier: Apache-2.0
// Manual pages and completions for shells, made of the same description as the help, so that they can't say something else.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tool {

/// Writes `man1/ingot.1` and a page a verb, and `ingot.bash`, `_ingot` for zsh, `ingot.fish`, into a folder.
void write_manuals(const CLI::App& of, const std::string& folder, const std::string& version);

} // namespace tool
