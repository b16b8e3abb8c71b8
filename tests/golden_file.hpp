// SPDX-License-Identifier: Apache-2.0
// Bytes that were committed: ingot_test::golden("file_packed", "a file of three strings", bytes).
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ingot_test {

/// The bytes of tests/golden/<name>.hex. With INGOT_WRITE_GOLDENS=1 in the environment a file that is missing is written first, of the
/// bytes as they are now; none is ever overwritten.
[[nodiscard]] inline std::vector<std::byte> golden(std::string_view name, std::string_view what,
                                                   ingot::bytes_view now) {
  const auto path = std::filesystem::path(INGOT_SOURCE_DIR) / "tests/golden" / (std::string(name) + ".hex");
  if (std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::filesystem::exists(path)) {
    std::ofstream file(path);
    file << "# " << what << "\n";
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto byte = std::to_integer<std::size_t>(now[i]);
      file << digits[byte / 16] << digits[byte % 16] << (i % 16 == 15 || i + 1 == now.size() ? '\n' : ' ');
    }
  }
  std::vector<std::byte> bytes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (unsigned byte = 0; words >> std::hex >> byte;) bytes.push_back(static_cast<std::byte>(byte));
  }
  return bytes;
}

} // namespace ingot_test
