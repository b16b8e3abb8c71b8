// SPDX-License-Identifier: Apache-2.0
// Resident memory, of a fresh process for each contender, page tables included: blocks that are spread over addresses
// pay in those.
#pragma once

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include <malloc.h>

namespace bench {

inline constexpr std::size_t memory_units = 10'000;

/// What is held: 10,000 characters as they were filled or edited 20 times, or the latter in one map.
enum class memory_of { filled, edited, world };

struct memory_taken {
  std::size_t bytes = 0;
  std::uint64_t checksum = 0; // of all that is held
};

/// Of this process, with its page tables. Free memory that an allocator keeps goes back first.
inline std::size_t resident_bytes() {
  malloc_trim(0);
  std::size_t kilobytes = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:") || line.starts_with("VmPTE:"))
      kilobytes += std::strtoul(line.c_str() + 6, nullptr, 10);
  }
  return kilobytes * 1024;
}

/// Runs this program again, as `--memory contender what`, and returns what it printed.
inline std::optional<memory_taken> measure_memory(std::string_view contender, memory_of what) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      "'" + self + "' --memory " + std::string(contender) + " " + std::to_string(static_cast<int>(what));
  std::FILE* const child = popen(command.c_str(), "r");
  if (child == nullptr) return std::nullopt;
  memory_taken result;
  const int read = std::fscanf(child, "%zu %" SCNu64, &result.bytes, &result.checksum);
  return pclose(child) == 0 && read == 2 ? std::optional(result) : std::nullopt;
}

} // namespace bench
