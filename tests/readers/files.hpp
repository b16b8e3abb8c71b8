// SPDX-License-Identifier: Apache-2.0
// What the tool says of a file.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstdint>
#include <string>

namespace readers {

struct file_answer {
  bool opened = false;
  bool whole = false; ///< valid, as `ingot validate` has it
  bool is_log = false;
  std::uint64_t records = 0; ///< of a log
  std::string told;          ///< the value, of a log a list of its records
  std::string why;           ///< it is not whole
};

[[nodiscard]] file_answer read_file(ingot::bytes_view bytes);

} // namespace readers
