// SPDX-License-Identifier: Apache-2.0
// Bytes as tests write them: `hex("02 00 'text'")`.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pack_test {

inline std::vector<std::byte> hex(std::string_view text) {
  std::vector<std::byte> bytes;
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      while (text[++i] != '\'') bytes.push_back(static_cast<std::byte>(text[i]));
    } else if (text[i] != ' ') {
      bytes.push_back(static_cast<std::byte>(digit(text[i]) << 4 | digit(text[i + 1])));
      ++i;
    }
  }
  return bytes;
}

/// Returns `bytes` with `replacement` written over them at `offset`.
inline std::vector<std::byte> patched(std::vector<std::byte> bytes, std::size_t offset,
                                      std::string_view replacement) {
  for (const std::byte b : hex(replacement)) bytes.at(offset++) = b;
  return bytes;
}

} // namespace pack_test
