// SPDX-License-Identifier: Apache-2.0
// A value of several megabytes in containers of many kinds, for tests with a progress callback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pack_test {

struct long_entry {
  std::string text;
  std::vector<std::uint16_t> numbers;
  std::uint32_t id = 0;
  bool operator==(const long_entry&) const = default;
};
struct long_world {
  std::uint8_t first = 0;
  std::vector<long_entry> entries;
  std::map<std::uint32_t, std::string> names;
  std::deque<std::optional<std::string>> notes;
  std::unordered_map<std::string, std::uint8_t> marks;
  std::vector<std::vector<long_entry>> pages;
  std::vector<double> plain; ///< 800,000 bytes that are moved at once
  bool operator==(const long_world&) const = default;
};

inline long_world make_long_world() {
  long_world w;
  const auto make_entry = [](std::uint32_t n) {
    return long_entry{std::string(n % 700, 'a'), std::vector<std::uint16_t>(n % 200, std::uint16_t{7}), n};
  };
  for (std::uint32_t n = 0; n < 2'400; ++n) {
    w.entries.push_back(make_entry(n));
    w.names.emplace(n, std::string(n % 500, 'b'));
    w.notes.emplace_back(n % 3 == 0 ? std::nullopt : std::optional(std::string(n % 600, 'c')));
    w.marks.emplace(std::string(n % 300, 'm') + std::to_string(n), std::uint8_t{1});
  }
  w.pages.resize(2);
  for (std::uint32_t n = 0; n < 1'200; ++n) w.pages[1].push_back(make_entry(n));
  w.plain.assign(100'000, 0.5);
  return w;
}

} // namespace pack_test
