// SPDX-License-Identifier: Apache-2.0
// As closure_test.cpp, with the records of the zoo, which take most of a minute to compile.
#include "writes_what_is_read.hpp"

#include <gtest/gtest.h>

namespace closure_test {

TEST(pack_closure, records_of_the_zoo_write_what_they_read) {
  tally counts;
  zoo::for_each_annotated_sample(writes_what_is_read{4, counts});
  zoo::for_each_record(writes_what_is_read{2, counts});
  zoo::for_each_game(writes_what_is_read{2, counts});
  EXPECT_GT(counts.written, 200);
  EXPECT_GT(counts.rejected, 20);
}

} // namespace closure_test
