// SPDX-License-Identifier: Apache-2.0
// Manual pages and shell completions. They are generated from the description of the command line
// that also gives the help, so they always agree with the help.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tool {

/// Writes `man1/ingot.1`, a page for each command, and `ingot.bash`, `_ingot` for zsh and
/// `ingot.fish` into a folder.
void write_manuals(const CLI::App& of, const std::string& folder, const std::string& version);

} // namespace tool
