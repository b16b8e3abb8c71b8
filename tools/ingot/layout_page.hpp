// SPDX-License-Identifier: Apache-2.0
// The page of `ingot layout`. The build embeds the text of layout.html in the program.
#pragma once

#include <string>

namespace tool {

/// Returns the page, with `/*DATA*/` where the JSON is inserted.
[[nodiscard]] std::string layout_page();

} // namespace tool
