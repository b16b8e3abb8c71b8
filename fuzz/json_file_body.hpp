// SPDX-License-Identifier: Apache-2.0
// Checks the library's promises about a file of arbitrary bytes as text: the body of the fuzz
// target, and of the unit test that replays its seeds.
//
// `read_file` gives the value or the error that `read` gives for the same text. The path of the
// error begins with the name of the file. A file of more bytes than `max_bytes` is rejected. A
// broken promise ends the process, which a fuzzer detects.
#pragma once

#include <ingot/json/read_file.hpp>
#include <ingot/json/write.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace json_file_fuzz {

struct item {
  int id = 0;
  std::string name;
  std::optional<double> weight;
  std::map<std::string, std::vector<item>> parts;
};

inline void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// A file of this process, which is written for each input and removed at the end.
struct input_file {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ingot_fuzz_json_file_" + std::to_string(::getpid()));
  input_file() = default;
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void write(std::string_view text) const {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    require(file != nullptr, "a file can be made");
    require(std::fwrite(text.data(), 1, text.size(), file) == text.size(), "the file can be written");
    require(std::fclose(file) == 0, "the file can be closed");
  }
};

/// Compares the result of reading a file with the result of reading its text. `name` is the name of
/// the file in errors.
template <class Result>
void compare(const Result& from_file, const Result& from_text, const std::string& name) {
  require(from_file.has_value() == from_text.has_value(), "a file is accepted if its text is");
  if (from_file) {
    const ingot::json::write_options writing{.max_depth = 256};
    const auto written = ingot::json::write(*from_file, writing);
    const auto expected = ingot::json::write(*from_text, writing);
    require(written && expected && *written == *expected, "a file has the value of its text");
    return;
  }
  const ingot::error& a = from_file.error();
  const ingot::error& b = from_text.error();
  require(a.code() == b.code() && a.offset() == b.offset(), "a file has the error of its text");
  require(a.line() == b.line() && a.column() == b.column(), "at the same line and column");
  require(a.expected() == b.expected() && a.found() == b.found(), "with the same sentence");
  require(a.path().starts_with("[" + name + "]"), "the path begins with the file's name");
}

/// Runs the checks. The first byte chooses the options, the second the maximum size of the file;
/// the rest is the text.
inline void run(const std::uint8_t* data, std::size_t size) {
  namespace json = ingot::json;
  if (size < 2) return;
  static const input_file file;
  const unsigned bits = data[0];
  json::read_options options;
  if ((bits & 1) != 0) options.unknown_keys = json::unknown_keys::ignore;
  if ((bits & 2) != 0) options.missing_keys = json::missing_keys::use_defaults;
  if ((bits & 4) != 0) options.duplicate_keys = json::duplicate_keys::last_wins;
  if ((bits & 8) != 0) options.comments = json::comments::allow;
  if ((bits & 16) != 0) options.trailing_commas = json::trailing_commas::allow;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  // Spaces before the text make the file longer than the pieces in which the library reads a file.
  const std::string long_text = (bits & 32) != 0 ? std::string(16384 - text.size() % 3, ' ') + text : text;
  file.write(long_text);
  const std::string name = file.path.string();
  const auto items = json::read<std::vector<item>>(long_text, options);
  compare(json::read_file<std::vector<item>>(file.path, options), items, name);
  compare(json::read_file(file.path, options), json::read_document(long_text, options), name);

  options.max_bytes = data[1];
  const auto limited = json::read_file<std::vector<item>>(file.path, options);
  if (long_text.size() > options.max_bytes) {
    require(!limited && limited.error().code() == ingot::errc::too_large, "a longer file is rejected");
    require(limited.error().path() == "[" + name + "]", "the error names the file");
  } else {
    compare(limited, items, name);
  }
}

} // namespace json_file_fuzz
