// SPDX-License-Identifier: Apache-2.0
// Text for people on a terminal: the size of the terminal, and the pager.
#pragma once

#include <cstddef>
#include <string>

namespace tool {

/// Width of the help in columns: COLUMNS if it is set, otherwise the width of the terminal, or 80
/// without a terminal. Wider lines are hard to read, so the width is at most 100.
[[nodiscard]] std::size_t help_width();

/// Prints text. If standard output is a terminal with fewer lines, the text goes to the pager that
/// PAGER names (`less` without PAGER), unless PAGER is empty or `cat`, or `wanted` is false.
void print_paged(const std::string& text, bool wanted);

} // namespace tool
