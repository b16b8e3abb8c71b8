// SPDX-License-Identifier: Apache-2.0
// Repairs a copy of a damaged file, for the option --unchecked.
#pragma once

#include "damages.hpp"
#include "opened_file.hpp"

#include <cstdint>
#include <string>

namespace tool {

/// Reads a file of ingot's or a document. If the file is damaged, prints a warning for each damaged
/// place, and from then on all commands read a repaired copy instead of the file. Files of other
/// formats have no copy. Ends the command if the file needs `how.spare_schema`, and this is the
/// schema of another type.
void mend_file(const std::string& name, const reading& how);

/// Returns the damage that `mend_file` found in a file, or null.
[[nodiscard]] const damages* damages_of(const std::string& name) noexcept;

/// Returns the size in bytes of a file. The repaired copy that is opened may have another size.
[[nodiscard]] std::uint64_t file_size_of(const opened& file) noexcept;
/// Returns the version in the header of a file. The repaired copy that is opened may have another
/// one. Requires that the opened file has a header.
[[nodiscard]] std::uint32_t version_of(const opened& file) noexcept;

/// Returns true if a damaged file was repaired.
[[nodiscard]] bool has_mended_files() noexcept;

} // namespace tool
