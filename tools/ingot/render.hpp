// SPDX-License-Identifier: Apache-2.0
// A value as a tree for people.
#pragma once

#include "cli_support.hpp"
#include "node.hpp"

#include <cstddef>
#include <string_view>

namespace tool {

/// How much is shown; the rest is counted.
struct render_limits {
  std::size_t depth = 4;       ///< parts in parts
  std::size_t parts = 20;      ///< of one value
  std::size_t text_bytes = 80; ///< of one text
};

/// A line a part, indented; parts that are few scalars on one line. No depth of the value is a depth of the stack.
void render(output& to, std::string_view name, const node& value, const render_limits& limits);

} // namespace tool
