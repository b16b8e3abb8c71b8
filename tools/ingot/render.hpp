// SPDX-License-Identifier: Apache-2.0
// Prints a value as a tree for people.
#pragma once

#include "cli_support.hpp"
#include "node.hpp"

#include <cstddef>
#include <string_view>

namespace tool {

/// Limits of the output. Parts beyond these limits are not shown, only counted.
struct render_limits {
  std::size_t depth = 4;       ///< levels of nested parts
  std::size_t parts = 20;      ///< parts of one value
  std::size_t text_bytes = 80; ///< bytes of one text
};

/// Prints one line per part, indented. A few scalars share one line. Does not use recursion, so the
/// value may have any depth.
void render(output& to, std::string_view name, const node& value, const render_limits& limits);

} // namespace tool
