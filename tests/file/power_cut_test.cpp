// SPDX-License-Identifier: Apache-2.0
// Without these tests a power cut could leave a file that is neither the earlier nor the new one.
// Six ways to write files: in each the power is cut after every call, and every possible state of
// the disk is checked: more than 20,000 states with INGOT_TEST_FULL.
#include "file/commits.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace power_cut_test {

using namespace file_test;

[[nodiscard]] bool is_full() {
  return std::getenv("INGOT_TEST_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
}
constexpr lengths sampled{4, 9, 3, 12, 4, 1};
constexpr lengths full{40, 40, 8, 40, 10, 12};

struct outcome {
  std::size_t states = 0;
  std::size_t broken = 0;
};
[[nodiscard]] outcome cut_everywhere(const commit& one, bool forces) {
  outcome seen;
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    if (!one.before.empty()) disk.put("x", one.before);
    disk.forces = forces;
    disk.power_for = n;
    steps progress;
    one.work(disk, "x", progress);
    for (const byte_vector& left : disk.after_power_cut("x")) {
      ++seen.states;
      seen.broken += one.is_promised(left, progress) ? 0U : 1U;
    }
    if (disk.calls() < n) return seen;
  }
}

TEST(power_cut, file_is_old_or_new_in_all_six_scenarios) {
  std::size_t states = 0;
  for (const commit& one : six_commits(is_full() ? full : sampled)) {
    const outcome seen = cut_everywhere(one, true);
    EXPECT_EQ(seen.broken, 0U) << one.name;
    EXPECT_GE(seen.states, 8U) << one.name;
    if (is_full()) std::printf("%s: %zu states\n", one.name.c_str(), seen.states);
    states += seen.states;
  }
  if (is_full()) std::printf("%zu states in all\n", states);
  EXPECT_GE(states, is_full() ? 20'000U : 400U);
}

TEST(power_cut, would_leave_something_else_in_each_of_them_if_nothing_were_forced_to_the_disk) {
  if (is_full()) GTEST_SKIP() << "of so many writes that are not forced there are too many states";
  for (const commit& one : six_commits(is_full() ? full : sampled)) {
    const outcome seen = cut_everywhere(one, false);
    EXPECT_NE(seen.broken, 0U) << one.name;
  }
}

/// Saves over a file several times, and keeps the previous version each time. Cuts the power after
/// every call.
TEST(power_cut, save_with_backup_leaves_a_whole_file_and_its_previous_version) {
  const ingot::save_options options{.backup = "~"};
  std::vector<byte_vector> versions{file_of(ada(), {})};
  constexpr std::size_t count = 3;
  for (std::uint32_t i = 1; i <= count; ++i) versions.push_back(file_of(hero_of(i), {}));
  const commit saving = saves("saves that keep the previous version", versions[0], options, count);
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    disk.put("x", versions[0]);
    disk.power_for = n;
    steps progress;
    saving.work(disk, "x", progress);
    const std::size_t done = progress.done;
    for (const byte_vector& left : disk.after_power_cut("x"))
      EXPECT_TRUE(saving.is_promised(left, progress)) << n;
    for (const byte_vector& left : disk.after_power_cut("x~")) {
      const bool is_previous = done == 0 ? left.empty() : left == versions[done - 1];
      EXPECT_TRUE(is_previous || left == versions[done]) << n;
    }
    if (disk.calls() < n) {
      EXPECT_EQ(done, count);
      EXPECT_EQ(disk.names(), (std::vector<std::string>{"x", "x~"}));
      EXPECT_EQ(disk.content("x~"), versions[count - 1]);
      break;
    }
  }
}

/// The power was cut between the two renames: the two names are one file.
TEST(power_cut, save_with_backup_continues_after_an_interrupted_save) {
  for (std::size_t n = 1;; ++n) {
    simulated_disk disk;
    disk.put("x", file_of(ada(), {}));
    disk.power_for = n;
    disk.tells_files_apart = true;
    const ingot::save_options options{.backup = "~"};
    const bool is_done = ingot::save("x", hero_of(1), options, disk).has_value();
    disk.power_for = static_cast<std::size_t>(-1);
    const byte_vector now = disk.content("x");
    ASSERT_TRUE(ingot::save("x", hero_of(2), options, disk)) << n;
    EXPECT_EQ(disk.content("x~"), now) << n;
    EXPECT_EQ(disk.content("x"), file_of(hero_of(2), {})) << n;
    if (is_done) break;
  }
}

/// The process was killed during a save, and the power was cut during the next save. If the path
/// may have the newest version, then the second name has the version before it. The killed save may
/// have given the second name without forcing it to the disk.
TEST(power_cut, save_with_backup_forces_the_second_name_that_an_interrupted_save_gave) {
  const ingot::save_options options{.backup = "~"};
  const byte_vector newest = file_of(hero_of(2), {});
  std::size_t states = 0;
  bool is_killed = true;
  for (std::size_t killed_after = 1; is_killed; ++killed_after) {
    bool is_cut = true;
    for (std::size_t cut_after = 0; is_cut; ++cut_after) {
      simulated_disk disk;
      disk.put("x", file_of(ada(), {}));
      disk.put("x~", file_of(hero_of(3), {}));
      disk.tells_files_apart = true;
      disk.power_for = killed_after;
      is_killed = !ingot::save("x", hero_of(1), options, disk).has_value();
      const byte_vector previous = disk.content("x");
      disk.power_for = disk.calls() + cut_after;
      is_cut = !ingot::save("x", hero_of(2), options, disk).has_value();
      if (!disk.after_power_cut("x").contains(newest)) continue;
      ++states;
      EXPECT_EQ(disk.after_power_cut("x~"), std::set<byte_vector>{previous})
          << killed_after << ", " << cut_after;
    }
  }
  EXPECT_GE(states, 20U);
}

} // namespace power_cut_test
