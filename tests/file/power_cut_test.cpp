// SPDX-License-Identifier: Apache-2.0
// Without these tests a power cut could leave a file that is neither the earlier nor the new one.
// Six ways to write files: in each the power is cut after every call, and every possible state of
// the disk is checked: more than 20,000 states with INGOT_TEST_FULL.
#include "file/commits.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

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

} // namespace power_cut_test
