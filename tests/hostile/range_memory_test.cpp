// SPDX-License-Identifier: Apache-2.0
// A range with descending keys, while memory for the index of flat_range.hpp runs out: all the keys
// are still inserted, in order.
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>

#include "hostile/each_allocation.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace range_memory_test {

TEST(range_memory, ranges_need_no_memory_besides_the_block) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 2'000; i-- > 0;) keys.push_back(i);
  using live = ingot::live<ingot::flat_set<std::uint32_t>>;
  for (const bool assigns : {false, true}) {
    live block;
    const std::size_t failures = failing::each_allocation(
        assigns ? "try_assign" : "insert_range",
        [&]() -> failing::outcome {
          block->clear();
          if (!assigns) block->insert_range(keys);
          else if (!block->try_assign(keys)) return ingot::errc::no_memory;
          return {};
        },
        [&](failing::outcome failed, bool lost) {
          EXPECT_FALSE(failed);
          EXPECT_FALSE(lost);
          ASSERT_EQ(block->size(), keys.size());
          for (std::uint32_t i = 0; i < keys.size(); ++i) EXPECT_EQ(block->keys()[i], i);
          EXPECT_TRUE(block.check());
        });
    EXPECT_GT(failures, 5U);
  }
}

} // namespace range_memory_test
