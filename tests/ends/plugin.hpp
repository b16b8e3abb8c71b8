// SPDX-License-Identifier: Apache-2.0
// Declarations for the program and its plugin.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <cstddef>
#include <vector>

namespace plugin {

struct node {
  ingot::string name;
  ingot::vector<node> kids;
};
inline constexpr const char* long_name = "a name that is longer than short ones";
/// The standard library is shared by both, so its memory outlives the plugin.
using bytes = std::vector<std::byte>;
using use_function = int(const char* path, bytes* block);

} // namespace plugin

extern "C" plugin::use_function ingot_plugin_use;
