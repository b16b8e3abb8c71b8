// SPDX-License-Identifier: Apache-2.0
// Replaces one value of a JSON text and keeps all other bytes: the order of members, white space
// and comments.
#pragma once

#include <ingot/document/value.hpp>

#include "path.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tool {

/// Returns `text` with the value at a path replaced by `put`. If only the last step of the path is
/// missing, `put` becomes the last member or element of the value before this step. `text` is valid
/// JSON, with or without comments; if `lines` is true, `text` has one value in each line. Returns
/// nothing if another step of the path is missing. If a key is repeated, the first value counts.
/// O(text), without recursion.
[[nodiscard]] std::optional<std::string> replaced_in_json(std::string_view text, bool lines,
                                                          const path& steps, const ingot::value& put);

} // namespace tool
