// SPDX-License-Identifier: Apache-2.0
// Blocks that fill all of their memory can be copied and compacted, also where the canonical form
// takes more bytes.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace full_block_test {

using ingot::live;

struct alignas(16) wide_element {
  std::uint64_t words[2];
};
/// A storage of `list` begins at an odd multiple of 8 and ends at an even one. A storage of `text`
/// that begins at an even multiple ends at an odd one. In the canonical form each list follows a
/// storage that ends at an even multiple: this leaves a gap of 8 bytes.
struct row {
  ingot::vector<wide_element> first_list;
  ingot::vector<wide_element> second_list;
  ingot::string first_text;
  ingot::string second_text;
};
struct table {
  ingot::vector<row> rows;
  ingot::string rest;
};

/// Appends lists and texts in turn, without a gap, and fills the block up to its limit with `rest`.
void fill_up(live<table>& block) {
  const std::size_t count = block.max_size() * 9 / 10 / 176;
  block->rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) block->rows.emplace_back();
  for (row& each : block->rows) {
    each.first_list.reserve(1);
    each.first_list.emplace_back(wide_element{{1, 2}});
    each.first_text = "a text of twenty-six bytes";
    each.second_list.reserve(1);
    each.second_list.emplace_back(wide_element{{1, 2}});
    each.second_text = "a text of twenty-six bytes";
  }
  std::size_t more = block.max_size() - block.size();
  while (more >= 12 && !block->rest.try_assign(std::string(more, 'r'))) more -= 4;
}

TEST(live_full_block, canonical_form_may_exceed_the_maximum_size) {
  live<table> block(ingot::max_block_size{50'000});
  fill_up(block);
  const std::size_t size = block.size();
  const std::size_t max_size = block.max_size();
  const live<table> copy(block);
  ASSERT_TRUE(block.try_compact());
  EXPECT_TRUE(block == copy);
  EXPECT_GT(block.size(), size);
  EXPECT_GT(block.size(), max_size) << "or this test shows nothing";
  const auto again = live<table>::open(block.bytes());
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_TRUE(*again == copy);
}

TEST(live_full_block, opened_without_free_bytes_is_compacted) {
  live<table> created(ingot::max_block_size{50'000});
  fill_up(created);
  auto opened = live<table>::open(created.bytes(), {.max_size = {created.size()}});
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(opened->try_compact());
  EXPECT_TRUE(*opened == created);
}

TEST(live_full_block, assigned_value_that_is_too_large_does_not_raise_the_maximum_size) {
  live<table> block(ingot::max_block_size{4'000});
  live<table> large(ingot::max_block_size{100'000});
  large->rest = std::string(90'000, 'x');
  const std::size_t max_size = block.max_size();
  const auto assigned = block.try_rebuild(*large);
  EXPECT_FALSE(assigned.has_value());
  EXPECT_EQ(block.max_size(), max_size);
}

} // namespace full_block_test
