// SPDX-License-Identifier: Apache-2.0
// The descriptions of types that the tests of the Python reader know by name: the lines
// `name bytes` of tests/python/descriptions.txt, in hexadecimal.
//
//  ingot_test::described_types known;
//  known.expect("pack_account", ingot::schema_bytes<zoo::account>());
//
// Names that the file does not have are ignored. With INGOT_WRITE_GOLDENS=1 in the environment, a
// line with other bytes is written again, because a new version of descriptions changes all lines.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ingot_test {

class described_types {
public:
  described_types() : writes_(std::getenv("INGOT_WRITE_GOLDENS") != nullptr) {
    std::ifstream file(path());
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
    EXPECT_GT(lines_.size(), 100U) << path();
  }
  described_types(const described_types&) = delete;
  described_types& operator=(const described_types&) = delete;
  ~described_types() {
    if (!changed_) return;
    std::ofstream file(path());
    for (const std::string& line : lines_) file << line << "\n";
  }

  /// Compares the bytes with the line of the name. Returns false if the file has no such line.
  bool expect(std::string_view name, ingot::bytes_view bytes) {
    const std::string begin = std::string(name) + " ";
    const std::string expected = begin + hexadecimal(bytes);
    for (std::string& line : lines_) {
      if (!line.starts_with(begin)) continue;
      if (line != expected && writes_) {
        line = expected;
        changed_ = true;
      }
      EXPECT_EQ(line, expected) << path() << ": INGOT_WRITE_GOLDENS=1 writes the line";
      return true;
    }
    return false;
  }

private:
  [[nodiscard]] static std::string path() { return INGOT_SOURCE_DIR "/tests/python/descriptions.txt"; }
  [[nodiscard]] static std::string hexadecimal(ingot::bytes_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
      text += digits[std::to_integer<std::size_t>(byte) / 16];
      text += digits[std::to_integer<std::size_t>(byte) % 16];
    }
    return text;
  }

  std::vector<std::string> lines_;
  bool writes_;
  bool changed_ = false;
};

} // namespace ingot_test
