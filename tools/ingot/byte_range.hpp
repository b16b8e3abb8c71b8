// SPDX-License-Identifier: Apache-2.0
// Which bytes of a file, as the command line says it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace tool {

struct byte_range {
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max(); ///< behind the last
};

/// `64..128`, `0x40..`, `..64`; `64` is that one byte; empty: all. Ends the verb with a usage error if it is none.
[[nodiscard]] byte_range parse_range(const std::string& text);

/// Ends the verb with a usage error if the range begins behind all of `size` bytes.
void expect_in(const byte_range& range, std::uint64_t size, const std::string& name);

} // namespace tool
