// SPDX-License-Identifier: Apache-2.0
// Without these a power cut could leave what was neither there before nor was to be there. Six ways to write files; in each the power is cut after every
// call, and every state of the disk that is possible then is looked at: 20,000 and more of them with INGOT_TEST_FULL.
#include <ingot/file/edit_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>

#include "file/log_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace power_cut_test {

using namespace file_test;
using writer = ingot::log_writer<event>;

[[nodiscard]] bool is_full() {
  return std::getenv("INGOT_TEST_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
}

/// What was done until the power was cut: of its steps one may have been begun behind those that were said to be done.
struct progress {
  std::size_t done = 0;
};
struct scenario {
  std::string name;
  std::string file;
  byte_vector before; ///< of the file; empty: there is none
  std::function<void(simulated_disk&, progress&)> work;
  std::function<bool(const byte_vector& left, const progress&)> is_promised;
};
struct outcome {
  std::size_t states = 0;
  std::size_t broken = 0;
};
[[nodiscard]] outcome cut_everywhere(const scenario& one, bool forces) {
  outcome all;
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    if (!one.before.empty()) disk.put(one.file, one.before);
    disk.forces = forces;
    disk.power_for = n;
    progress made;
    one.work(disk, made);
    for (const byte_vector& left : disk.after_power_cut(one.file)) {
      ++all.states;
      all.broken += one.is_promised(left, made) ? 0U : 1U;
    }
    if (disk.calls() < n) return all;
  }
}

[[nodiscard]] hero hero_of(std::uint32_t number) {
  hero made = ada();
  made.name = "hero " + std::to_string(number);
  made.equips.resize(number * 137 % 2'000);
  return made;
}
/// Each saved over the one before.
[[nodiscard]] scenario saves(std::string name, byte_vector before, const ingot::save_options& options) {
  const std::uint32_t count = is_full() ? 40 : 4;
  std::vector<byte_vector> files{before};
  for (std::uint32_t i = 1; i <= count; ++i) files.push_back(file_of(hero_of(i), options));
  return {std::move(name), "hero", std::move(before),
          [count, options](simulated_disk& disk, progress& made) {
            for (std::uint32_t i = 1; i <= count; ++i) {
              if (!ingot::save("hero", hero_of(i), options, disk)) return;
              made.done = i;
            }
          },
          [files](const byte_vector& left, const progress& made) {
            return left == files[made.done] || (made.done + 1 < files.size() && left == files[made.done + 1]);
          }};
}

/// Events of several lengths, some of more than a sector.
[[nodiscard]] event long_event(std::uint64_t number) {
  return {number, std::string(static_cast<std::size_t>(number * 331 % 1'500), 'x'), number % 2 == 0};
}
[[nodiscard]] bool is_log_of(const byte_vector& left, std::size_t least, std::size_t most) {
  if (left.empty()) return least == 0;
  simulated_disk rebooted;
  rebooted.put("log", left);
  const auto back = read_all("log", rebooted);
  if (back.failed || back.events.size() < least || back.events.size() > most) return false;
  for (std::uint64_t i = 0; i < back.events.size(); ++i) {
    if (!(back.events[static_cast<std::size_t>(i)] == long_event(i))) return false;
  }
  const auto repaired = writer::open("log", {.repair = true}, rebooted);
  return repaired.has_value() && repaired->records() == back.events.size();
}
/// Appends up to that many records, with a `sync` behind each `together` of them.
void append(simulated_disk& disk, progress& made, std::size_t count, std::size_t together) {
  auto log = writer::open("log", {.repair = true}, disk);
  if (!log) return;
  for (std::uint64_t i = log->records(); i < count; ++i) {
    if (!log->append(long_event(i))) return;
    if ((i + 1) % together == 0) {
      if (!log->sync()) return;
      made.done = static_cast<std::size_t>(i) + 1;
    }
  }
}
[[nodiscard]] byte_vector long_log(std::size_t count) {
  simulated_disk disk;
  progress made;
  append(disk, made, count, count);
  return disk.content("log");
}
[[nodiscard]] scenario log_that_is_made() {
  const std::size_t count = is_full() ? 40 : 9;
  return {
      "a log is made",
      "log",
      {},
      [count](simulated_disk& disk, progress& made) { append(disk, made, count, is_full() ? 8 : 3); },
      [count](const byte_vector& left, const progress& made) { return is_log_of(left, made.done, count); }};
}
[[nodiscard]] scenario log_that_goes_on() {
  byte_vector torn = long_log(8);
  torn.resize(torn.size() - 100); // of 8 records 7 are whole
  const std::size_t count = is_full() ? 40 : 12;
  return {"a log with half a record goes on", "log", std::move(torn),
          [count](simulated_disk& disk, progress& made) { append(disk, made, count, is_full() ? 10 : 4); },
          [count](const byte_vector& left, const progress& made) {
            return is_log_of(left, std::max<std::size_t>(7, made.done), count);
          }};
}
[[nodiscard]] scenario log_that_is_recovered() {
  const byte_vector whole = long_log(7);
  byte_vector torn = long_log(8);
  torn.resize(torn.size() - 100);
  return {"a log is cut off by recover", "log", torn,
          [](simulated_disk& disk, progress& made) {
            if (ingot::recover("log", ingot::recovery::cut, disk)) made.done = 1;
          },
          [torn, whole](const byte_vector& left, const progress& made) {
            return left == whole || (made.done == 0 && left == torn);
          }};
}

using live_file = ingot::live<live_hero>;
[[nodiscard]] scenario file_that_is_edited() {
  byte_vector before;
  {
    simulated_disk disk;
    EXPECT_TRUE(ingot::create_edited_file("x", live_ada(), {}, disk));
    before = disk.content("x");
  }
  const std::uint32_t rounds = is_full() ? 12 : 1;
  return {"a file is edited", "x", before,
          [rounds](simulated_disk& disk, progress& made) {
            for (std::uint32_t i = 1; i <= rounds; ++i) {
              auto file = ingot::edit_file<live_file>("x", {}, disk);
              if (!file || !(*file)->equips.try_reserve(300 * i)) return;
              (*file)->equips.resize(300 * i);
              if (!file->sync()) return;
              (*file)->equips[300 * i - 1].id = i;
              if (!file->close()) return;
              made.done = i;
            }
          },
          // A file that says it was not closed promises nothing but that.
          [](const byte_vector& left, const progress& made) {
            simulated_disk rebooted;
            rebooted.put("x", left);
            const auto info = ingot::peek_file("x", rebooted);
            if (!info) return false;
            if (!info->closed) return true;
            const auto file = ingot::load<live_file>("x", {}, rebooted);
            if (!file) return false;
            const std::size_t size = (*file)->equips.size();
            const std::size_t round = size / 300;
            if (size == 2) return made.done == 0;
            return size % 300 == 0 && (*file)->equips[size - 1].id == round &&
                   (round == made.done || round == made.done + 1);
          }};
}

[[nodiscard]] std::vector<scenario> scenarios() {
  return {saves("files are saved", {}, {}),
          saves("files are saved compressed over another", file_of(ada()),
                {.compress = {.method = ingot::has_codec(ingot::codec::lz4) ? ingot::codec::lz4
                                                                            : ingot::codec::none}}),
          log_that_is_made(),
          log_that_goes_on(),
          log_that_is_recovered(),
          file_that_is_edited()};
}

TEST(power_cut, leaves_what_was_there_or_what_was_to_be_there_in_each_of_six_scenarios) {
  std::size_t states = 0;
  for (const scenario& one : scenarios()) {
    const outcome all = cut_everywhere(one, true);
    EXPECT_EQ(all.broken, 0U) << one.name;
    EXPECT_GE(all.states, 8U) << one.name;
    if (is_full()) std::printf("%s: %zu states\n", one.name.c_str(), all.states);
    states += all.states;
  }
  if (is_full()) std::printf("%zu states in all\n", states);
  EXPECT_GE(states, is_full() ? 20'000U : 400U);
}

TEST(power_cut, would_leave_something_else_in_each_of_them_if_nothing_were_forced_to_the_disk) {
  if (is_full()) GTEST_SKIP() << "of so many writes that are not forced there are too many states";
  for (const scenario& one : scenarios()) {
    const outcome all = cut_everywhere(one, false);
    EXPECT_NE(all.broken, 0U) << one.name;
  }
}

} // namespace power_cut_test
