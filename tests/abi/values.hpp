// SPDX-License-Identifier: Apache-2.0
// Shared by the parts of the program: files of the folder that is its argument, and failures.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace abi {

using bytes = std::vector<std::byte>;
inline std::string folder;
inline int failures = 0;

inline void fail(std::string_view name, std::string_view why) {
  std::printf("  %.*s: %.*s\n", static_cast<int>(name.size()), name.data(), static_cast<int>(why.size()),
              why.data());
  ++failures;
}
template <class Range>
void save(std::string_view name, const Range& range) {
  const auto view = ingot::as_bytes_view(range);
  std::ofstream file(folder + '/' + std::string(name), std::ios::binary);
  file.write(reinterpret_cast<const char*>(view.data()), static_cast<std::streamsize>(view.size()));
}
template <class Range>
void save(std::string_view name, const ingot::result<Range>& outcome) {
  if (!outcome) return fail(name, outcome.error().message());
  save(name, *outcome);
}
/// Returns the contents of a file; empty if the other build does not write it.
inline bytes load(std::string_view name) {
  std::ifstream file(folder + '/' + std::string(name), std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto view = ingot::as_bytes_view(all);
  return {view.begin(), view.end()};
}

/// A source file of the program that has its own values.
struct part {
  void (*write)();
  void (*read)();

  part(void (*writes)(), void (*reads)()) : write(writes), read(reads) { all().push_back(this); }
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  static std::vector<const part*>& all() {
    static std::vector<const part*> parts;
    return parts;
  }
};

} // namespace abi
