// SPDX-License-Identifier: Apache-2.0
// Compressible bytes, incompressible bytes, and a mixture. They are the same on every machine,
// since committed files are made from them.
#pragma once

#include "file/simulated_disk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace file_test {

[[nodiscard]] inline byte_vector plain(std::size_t size) {
  byte_vector bytes;
  std::uint32_t line = 0;
  while (bytes.size() < size) {
    const std::string text = "line " + std::to_string(line++ % 97) + " of what is told again and again\n";
    const auto more = ingot::as_bytes_view(text);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  bytes.resize(size);
  return bytes;
}
[[nodiscard]] inline byte_vector noise(std::size_t size) {
  byte_vector bytes(size);
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  for (std::byte& each : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    each = static_cast<std::byte>(state >> 32);
  }
  return bytes;
}
/// Every other 4 KiB are noise.
[[nodiscard]] inline byte_vector mixed(std::size_t size) {
  byte_vector bytes = plain(size);
  const byte_vector other = noise(size);
  for (std::size_t at = 4096; at < size; at += 8192)
    std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(4096, size - at),
                bytes.begin() + static_cast<std::ptrdiff_t>(at));
  return bytes;
}

} // namespace file_test
