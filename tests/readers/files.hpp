// SPDX-License-Identifier: Apache-2.0
// The output of `ingot validate` and `ingot get` for a file.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstdint>
#include <string>

namespace readers {

struct file_answer {
  bool opened = false;
  bool whole = false; ///< valid for `ingot validate`
  bool is_log = false;
  std::uint64_t records = 0; ///< only for logs
  std::string text;          ///< the value; for a log, the list of its records
  std::string why;           ///< reason if the file is not valid
};

[[nodiscard]] file_answer read_file(ingot::bytes_view bytes);

} // namespace readers
