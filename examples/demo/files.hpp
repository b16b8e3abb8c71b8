// SPDX-License-Identifier: Apache-2.0
// The demo's data in files, one of each kind, for whoever wants to look into them with the tool.
#pragma once

#include "atlas.hpp"
#include "world.hpp"

#include <filesystem>

namespace demo {

/// Writes the files into a folder, which is made, and says what they are. False, with a sentence on stderr, if one can't be written.
bool write_files(const std::filesystem::path& folder, const Atlas& atlas, const World& world);

} // namespace demo
