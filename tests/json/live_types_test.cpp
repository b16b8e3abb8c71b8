// SPDX-License-Identifier: Apache-2.0
// Live types as text: the same as for their std:: twins, and read back into a block.
#include <ingot/json/json.hpp>

#include "zoo/live.hpp"

#include <gtest/gtest.h>

namespace live_types_test {

TEST(json_live_types, text_is_the_twins_and_reads_back_into_a_block) {
  const auto source = zoo::make_cabinet();
  const ingot::live<zoo::live_cabinet> live(source);
  const auto expected = ingot::json::write(source);
  const auto text = ingot::json::write(*live);
  ASSERT_TRUE(expected && text);
  EXPECT_EQ(*expected, *text);

  ingot::live<zoo::live_cabinet> again;
  const auto read = ingot::json::read_into(*again, *text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(again == live);
}

} // namespace live_types_test
