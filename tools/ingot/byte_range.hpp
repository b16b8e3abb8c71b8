// SPDX-License-Identifier: Apache-2.0
// Ranges of bytes of a file on the command line.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace tool {

struct byte_range {
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max(); ///< not part of the range
};

/// Parses `64..128`, `0x40..` or `..64`. `64` is one byte, and empty text is the whole file. Ends
/// the command with a usage error if the text has another form.
[[nodiscard]] byte_range parse_range(const std::string& text);

/// Ends the command with a usage error if the range begins at or after `size`.
void expect_in(const byte_range& range, std::uint64_t size, const std::string& name);

} // namespace tool
