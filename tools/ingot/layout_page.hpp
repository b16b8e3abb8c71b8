// SPDX-License-Identifier: Apache-2.0
// The page of `ingot layout`, layout.html, as the build puts it into the program.
#pragma once

#include <string_view>

namespace tool {

/// With `/*DATA*/` where the JSON goes.
[[nodiscard]] std::string_view layout_page() noexcept;

} // namespace tool
