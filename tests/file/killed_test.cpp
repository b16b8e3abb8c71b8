// SPDX-License-Identifier: Apache-2.0
// Without these tests a process that is killed while it writes a file could leave half of it. Seven
// ways to write files: in each the process is killed before every system call, and the remaining
// file is read, repaired and used further. The tests of `compile` contain an eighth way.
#include "file/killing.hpp"

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace killed_test {

using namespace file_test;

[[nodiscard]] bool is_sampled() {
  return std::getenv("INGOT_TEST_SAMPLED") != nullptr; // NOLINT(concurrency-mt-unsafe)
}
constexpr lengths sampled{2, 6, 3, 10, 5, 2};
constexpr lengths whole{7, 40, 5, 40, 5, 2};

TEST(killed, leaves_the_old_or_the_new_file_and_a_repetition_succeeds) {
  const lengths& of = is_sampled() ? sampled : whole;
  std::vector<commit> all = six_commits(of);
  all.push_back(file_that_is_edited(of.edits, true));
  std::size_t kills = 0;
  for (const commit& one : all) {
    const std::size_t before = kills;
    kill_everywhere(one, kills);
    EXPECT_GE(kills - before, 6U) << one.name;
  }
  EXPECT_GE(kills, is_sampled() ? 200U : 600U);
  RecordProperty("kills", static_cast<int>(kills));
}

} // namespace killed_test
