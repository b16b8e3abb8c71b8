// SPDX-License-Identifier: Apache-2.0
// Repairs a copy of a damaged file, for the option --unchecked.
#pragma once

#include "damages.hpp"
#include "opened_file.hpp"

#include <string>

namespace tool {

/// Reads a file of ingot's or a document. If the file is damaged, prints a warning for each damaged
/// place, and from then on all commands read a repaired copy instead of the file. Files of other
/// formats have no copy.
void mend_file(const std::string& name, format as);

/// Returns true if a damaged file was repaired.
[[nodiscard]] bool has_mended_files() noexcept;

} // namespace tool
