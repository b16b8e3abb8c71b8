// SPDX-License-Identifier: Apache-2.0
// Without these a process that is killed while it writes a file could leave half of it. Seven ways to write files; in each it is killed before every
// call that it makes, and what it leaves is read, repaired and gone on with. An eighth way is among the tests of `compile`.
#include "file/killing.hpp"

#include <cstddef>

namespace killed_test {

using namespace file_test;

TEST(killed, leaves_what_was_there_or_what_was_to_be_there_and_who_goes_on_gets_to_the_end) {
  std::size_t kills = 0;
  for (const commit& one : six_commits({.saves = 7,
                                        .records_made = 40,
                                        .made_together = 5,
                                        .records_added = 40,
                                        .added_together = 5,
                                        .edits = 2})) {
    const std::size_t before = kills;
    kill_everywhere(one, kills);
    EXPECT_GE(kills - before, 6U) << one.name;
  }
  const std::size_t before = kills;
  kill_everywhere(file_that_is_edited(2, true), kills);
  EXPECT_GE(kills - before, 30U);
  EXPECT_GE(kills, 600U);
  RecordProperty("kills", static_cast<int>(kills));
}

} // namespace killed_test
