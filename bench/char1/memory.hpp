// SPDX-License-Identifier: Apache-2.0
// Resident memory of a fresh process for each contender, with page tables, since blocks at
// scattered addresses need more of those.
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

/// The objects in memory: 10,000 characters after filling, or after 20 edits, or the latter in one
/// map.
enum class memory_of { filled, edited, world };

struct memory_taken {
  std::size_t bytes = 0;
  std::uint64_t checksum = 0; // checksum of all objects
};

/// Returns resident memory of this process with its page tables. First returns free memory of the
/// allocator to the system.
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

/// Runs this program again with `--memory contender what`, and returns the values that it prints.
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
