// SPDX-License-Identifier: Apache-2.0
// Committed bytes, in tests/golden/<name>.hex: lines `# ...` that describe them, then the bytes in
// hexadecimal.
//
//  const auto then = ingot_test::golden("file_packed", "a file of three strings", now);
//  ingot_test::expect_bytes("file_packed", now, then);
//
// A missing file fails the test. With INGOT_WRITE_GOLDENS=1 in the environment, the test first
// writes the file from the current bytes. Existing files are never overwritten: changed bytes are a
// new version of their format. For new bytes, delete the file.
#pragma once

#include <ingot/core/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ingot_test {

struct golden_file {
  std::string what; ///< the lines of its comment
  std::vector<std::byte> bytes;
};

#if defined(__wasm__) // its standard library has neither paths nor streams of files
using golden_file_path = std::string;
#else
using golden_file_path = std::filesystem::path;
#endif

[[nodiscard]] inline golden_file_path golden_folder() { return INGOT_SOURCE_DIR "/tests/golden"; }
[[nodiscard]] inline golden_file_path golden_path(std::string_view name) {
  return INGOT_SOURCE_DIR "/tests/golden/" + std::string(name) + ".hex";
}

/// Returns the text of a file. If it can't be read, fails the test.
[[nodiscard]] inline std::string golden_text(const golden_file_path& path) {
  std::string text;
#if defined(__wasm__)
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) ADD_FAILURE() << path << " is missing";
  for (int c = 0; file != nullptr && (c = std::getc(file)) != EOF;) text += static_cast<char>(c);
  if (file != nullptr) static_cast<void>(std::fclose(file));
#else
  std::ifstream file(path);
  if (!file.is_open()) ADD_FAILURE() << path << " is missing; INGOT_WRITE_GOLDENS=1 writes it";
  text.assign(std::istreambuf_iterator<char>(file), {});
#endif
  return text;
}

[[nodiscard]] inline golden_file read_golden(const golden_file_path& path) {
  golden_file read;
  std::istringstream file(golden_text(path));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) {
      read.what += (read.what.empty() ? "" : "\n") + line.substr(2);
      continue;
    }
    std::istringstream words(line);
    for (unsigned byte = 0; words >> std::hex >> byte;) read.bytes.push_back(static_cast<std::byte>(byte));
  }
  return read;
}

#if !defined(__wasm__)
inline void write_golden(const std::filesystem::path& path, std::string_view what, ingot::bytes_view bytes) {
  std::ofstream file(path);
  std::istringstream lines{std::string(what)};
  for (std::string line; std::getline(lines, line);) file << "# " << line << "\n";
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = std::to_integer<std::size_t>(bytes[i]);
    file << digits[byte / 16] << digits[byte % 16] << (i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ');
  }
}

#endif

/// Returns the bytes of tests/golden/<name>.hex. `now` is empty on a machine that writes other
/// bytes, or can't write them.
[[nodiscard]] inline std::vector<std::byte> golden(std::string_view name, std::string_view what = {},
                                                   std::optional<ingot::bytes_view> now = {}) {
  const auto path = golden_path(name);
#if defined(__wasm__)
  static_cast<void>(what);
  static_cast<void>(now);
#else
  if (now && std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::filesystem::exists(path))
    write_golden(path, what, *now);
#endif
  return read_golden(path).bytes;
}

/// Reports the first difference of two byte strings, which a comparison of thousands of numbers
/// would hide.
inline void expect_bytes(std::string_view name, ingot::bytes_view found, ingot::bytes_view golden) {
  const auto [a, b] = std::ranges::mismatch(found, golden);
  EXPECT_TRUE(a == found.end() && b == golden.end())
      << name << ": " << found.size() << " bytes, golden " << golden.size() << "; they part at byte "
      << a - found.begin();
}

} // namespace ingot_test
