// SPDX-License-Identifier: Apache-2.0
// Logs that tests damage, and the records that are read from them.
#pragma once

#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/recover.hpp>

#include "file/file_tools.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace file_test {

struct event {
  std::uint64_t number = 0;
  std::string text;
  bool good = true;

  friend bool operator==(const event&, const event&) = default;
};

[[nodiscard]] inline event event_of(std::uint64_t number) {
  return {number,
          std::string(static_cast<std::size_t>(number * 7 % 40), static_cast<char>('a' + number % 26)), true};
}

/// All records that can be read from a log, and whether reading ended in an error.
struct read_log {
  std::vector<event> events{};
  std::uint64_t lost_bytes = 0;
  bool failed = false;
};
[[nodiscard]] inline read_log read_all(const std::filesystem::path& path,
                                       file_system& system = ingot::system_files()) {
  read_log all;
  auto log = ingot::log_reader<event>::open(path, {}, system);
  if (!log) {
    all.failed = true;
    return all;
  }
  for (event each;;) {
    const auto more = log->next(each);
    if (!more) all.failed = true;
    if (!more || !*more) break;
    all.events.push_back(each);
  }
  all.lost_bytes = log->lost_bytes();
  return all;
}
/// Returns true if the events are 0, 1, 2...
[[nodiscard]] inline bool in_order(const std::vector<event>& events) {
  for (std::uint64_t i = 0; i < events.size(); ++i) {
    if (!(events[static_cast<std::size_t>(i)] == event_of(i))) return false;
  }
  return true;
}

/// The bytes of a log with that number of events, and the end of each record; the first end is
/// where the records begin.
struct written_log {
  byte_vector bytes{};
  std::vector<std::size_t> ends{};
};
[[nodiscard]] inline written_log log_of(std::uint64_t count, const ingot::log_options& options = {}) {
  simulated_disk disk;
  written_log written;
  auto log = ingot::log_writer<event>::open("log", options, disk);
  EXPECT_TRUE(log.has_value()) << log.error().message();
  if (!log) return written;
  for (std::uint64_t i = 0; i < count; ++i) {
    written.ends.push_back(static_cast<std::size_t>(log->size()));
    EXPECT_TRUE(log->append(event_of(i)));
  }
  written.ends.push_back(static_cast<std::size_t>(log->size()));
  written.bytes = disk.content("log");
  return written;
}

} // namespace file_test
