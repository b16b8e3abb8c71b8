// SPDX-License-Identifier: Apache-2.0
// Ways to write files, each with its guarantee for the file if the operation is interrupted: by a
// power cut, or because the process is killed.
#pragma once

#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>

#include "file/log_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace file_test {

/// The progress so far: `done` steps are complete, and one more may have begun.
struct steps {
  std::size_t done = 0;
};
struct commit {
  std::string name;
  byte_vector before; ///< contents of the file; empty: there is no file
  std::function<void(file_system&, const std::filesystem::path&, steps&)> work;
  std::function<bool(const byte_vector& left, const steps&)> is_promised;
  std::size_t count;    ///< number of steps
  bool repairs = false; ///< the caller opens a file that was being edited with `repair`
};
/// The number of operations of each kind.
struct lengths {
  std::uint32_t saves;
  std::size_t records_created, created_together;
  std::size_t records_added, added_together;
  std::uint32_t edits;
};

[[nodiscard]] inline hero hero_of(std::uint32_t number) {
  hero numbered = ada();
  numbered.name = "hero " + std::to_string(number);
  numbered.equips.resize(number * 137 % 2'000);
  return numbered;
}
/// Each save replaces the one before.
[[nodiscard]] inline commit saves(std::string name, byte_vector before, const ingot::save_options& options,
                                  std::uint32_t count) {
  std::vector<byte_vector> files{before};
  for (std::uint32_t i = 1; i <= count; ++i) files.push_back(file_of(hero_of(i), options));
  return {std::move(name), std::move(before),
          [count, options](file_system& system, const std::filesystem::path& path, steps& progress) {
            for (std::uint32_t i = 1; i <= count; ++i) {
              if (!ingot::save(path, hero_of(i), options, system)) return;
              progress.done = i;
            }
          },
          [files](const byte_vector& left, const steps& progress) {
            return left == files[progress.done] ||
                   (progress.done + 1 < files.size() && left == files[progress.done + 1]);
          },
          count};
}

/// Events of several lengths, some of more than a sector.
[[nodiscard]] inline event long_event(std::uint64_t number) {
  return {number, std::string(static_cast<std::size_t>(number * 331 % 1'500), 'x'), number % 2 == 0};
}
[[nodiscard]] inline bool is_log_of(const byte_vector& left, std::size_t min_records,
                                    std::size_t max_records) {
  if (left.empty()) return min_records == 0;
  simulated_disk rebooted;
  rebooted.put("log", left);
  const auto back = read_all("log", rebooted);
  if (back.failed || back.events.size() < min_records || back.events.size() > max_records) return false;
  for (std::uint64_t i = 0; i < back.events.size(); ++i) {
    if (!(back.events[static_cast<std::size_t>(i)] == long_event(i))) return false;
  }
  const auto repaired = ingot::log_writer<event>::open("log", {.repair = true}, rebooted);
  return repaired.has_value() && repaired->records() == back.events.size();
}
/// Appends up to `count` records, with a `sync` after each `together` of them and after the last.
inline void append(file_system& system, const std::filesystem::path& path, steps& progress, std::size_t count,
                   std::size_t together) {
  auto log = ingot::log_writer<event>::open(path, {.repair = true}, system);
  if (!log) return;
  for (std::uint64_t i = log->records(); i < count; ++i) {
    if (!log->append(long_event(i))) return;
    if ((i + 1) % together == 0 || i + 1 == count) {
      if (!log->sync()) return;
      progress.done = static_cast<std::size_t>(i) + 1;
    }
  }
  progress.done = count;
}
[[nodiscard]] inline byte_vector long_log(std::size_t count) {
  simulated_disk disk;
  steps progress;
  append(disk, "log", progress, count, count);
  return disk.content("log");
}
[[nodiscard]] inline commit log_that_is_created(std::size_t count, std::size_t together) {
  return {"a log is made",
          {},
          [=](file_system& system, const std::filesystem::path& path, steps& progress) {
            append(system, path, progress, count, together);
          },
          [count](const byte_vector& left, const steps& progress) {
            return is_log_of(left, progress.done, count);
          },
          count};
}
[[nodiscard]] inline commit log_that_goes_on(std::size_t count, std::size_t together) {
  byte_vector torn = long_log(8);
  torn.resize(torn.size() - 100); // 7 of 8 records are whole
  return {"a log with half a record is continued", std::move(torn),
          [=](file_system& system, const std::filesystem::path& path, steps& progress) {
            append(system, path, progress, count, together);
          },
          [count](const byte_vector& left, const steps& progress) {
            return is_log_of(left, std::max<std::size_t>(7, progress.done), count);
          },
          count};
}
[[nodiscard]] inline commit log_that_is_recovered() {
  const byte_vector whole = long_log(7);
  byte_vector torn = long_log(8);
  torn.resize(torn.size() - 100);
  return {"a log is cut off by recover", torn,
          [](file_system& system, const std::filesystem::path& path, steps& progress) {
            if (ingot::recover(path, {.how = ingot::recovery::truncate}, system)) progress.done = 1;
          },
          [torn, whole](const byte_vector& left, const steps& progress) {
            return left == whole || (progress.done == 0 && left == torn);
          },
          1};
}

using edited_hero = ingot::live<live_hero>;
/// Edits a file in which each round adds equips. If `compacts`, the block is compacted before each
/// close.
[[nodiscard]] inline commit file_that_is_edited(std::uint32_t rounds, bool compacts) {
  byte_vector before;
  {
    simulated_disk disk;
    EXPECT_TRUE(ingot::create_edited_file("x", live_ada(), {}, disk));
    before = disk.content("x");
  }
  return {compacts ? "a file is edited and compacted" : "a file is edited", before,
          [=](file_system& system, const std::filesystem::path& path, steps& progress) {
            for (std::uint32_t i = 1; i <= rounds; ++i) {
              auto file = ingot::edit_file<edited_hero>(path, {}, system);
              if (!file || !(*file)->equips.try_reserve(300 * i)) return;
              (*file)->equips.resize(300 * i);
              if (!file->sync()) return;
              (*file)->equips[300 * i - 1].id = i;
              if (compacts && !(*file)->equips.try_reserve(20'000 * i)) return;
              if (compacts && !(**file).try_compact()) return;
              if (!file->close()) return;
              progress.done = i;
            }
          },
          // A file that is marked as not closed promises nothing else.
          [](const byte_vector& left, const steps& progress) {
            simulated_disk rebooted;
            rebooted.put("x", left);
            const auto info = ingot::peek_file("x", rebooted);
            if (!info) return false;
            if (!info->closed) return true;
            const auto file = ingot::load<edited_hero>("x", {}, rebooted);
            if (!file) return false;
            const std::size_t size = (*file)->equips.size();
            const std::size_t round = size / 300;
            if (size == 2) return progress.done == 0;
            return size % 300 == 0 && (*file)->equips[size - 1].id == round &&
                   (round == progress.done || round == progress.done + 1);
          },
          rounds, true};
}

[[nodiscard]] inline std::vector<commit> six_commits(const lengths& of) {
  return {saves("files are saved", {}, {}, of.saves),
          saves("files are saved compressed over another", file_of(ada()),
                {.compress = {.method = ingot::has_codec(ingot::codec::lz4) ? ingot::codec::lz4
                                                                            : ingot::codec::none}},
                of.saves),
          log_that_is_created(of.records_created, of.created_together),
          log_that_goes_on(of.records_added, of.added_together),
          log_that_is_recovered(),
          file_that_is_edited(of.edits, false)};
}

} // namespace file_test
