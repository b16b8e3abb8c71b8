// SPDX-License-Identifier: Apache-2.0
// One value of a JSON text replaced, and all other bytes kept: order of members, white space,
// comments.
#pragma once

#include <ingot/document/value.hpp>

#include "path.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tool {

/// Returns `text` with the value at a path replaced by `put`, or with `put` inserted as the last
/// member or element of what the path leads to but for its last step. `text` is valid JSON, with
/// comments or without; with `lines` it is one value a line. Nothing if the path does not lead
/// there. A key that is there twice counts as its first. O(text), without recursion.
[[nodiscard]] std::optional<std::string> replaced_in_json(std::string_view text, bool lines,
                                                          const path& steps, const ingot::value& put);

} // namespace tool
