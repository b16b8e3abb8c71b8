// SPDX-License-Identifier: Apache-2.0
// The demo's data in files, one of each kind, to be looked at with the tool.
#pragma once

#include "atlas.hpp"
#include "world.hpp"

#include <filesystem>

namespace demo {

/// Writes the files into a folder, which it creates, and prints their kinds. Returns false, with a
/// sentence on stderr, if one can't be written.
bool write_files(const std::filesystem::path& folder, const Atlas& atlas, const World& world);

} // namespace demo
