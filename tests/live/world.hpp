// SPDX-License-Identifier: Apache-2.0
// A root with a text, texts, numbers and records, for tests of the block itself.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/twins.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace live_test {

struct world {
  ingot::string name;
  ingot::vector<ingot::string> words;
  ingot::vector<std::uint64_t> numbers;
  ingot::vector<item> items;
  std::int32_t level = 1;
  std::int32_t padding_free = 0;
};
struct world_twin {
  std::string name;
  std::vector<std::string> words;
  std::vector<std::uint64_t> numbers;
  std::vector<item_twin> items;
  std::int32_t level = 1;
  std::int32_t padding_free = 0;
};

[[nodiscard]] inline world_twin sample() {
  return {"the name of a world",
          {"short", "and a word that is not short", ""},
          {1, 2, 3, 4, 5},
          {{"an item of some name", {1, 2}, 3}},
          7,
          0};
}
inline void expect_sample(const world& w) {
  EXPECT_EQ(w.name, "the name of a world");
  ASSERT_EQ(w.words.size(), 3U);
  EXPECT_EQ(w.words[1], "and a word that is not short");
  EXPECT_TRUE(std::ranges::equal(w.numbers, std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(same(w.items, std::vector<item_twin>{{"an item of some name", {1, 2}, 3}}));
  EXPECT_EQ(w.level, 7);
}

} // namespace live_test
