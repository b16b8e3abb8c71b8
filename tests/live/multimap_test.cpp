// SPDX-License-Identifier: Apache-2.0
// A multimap in a block against std::multimap: equal keys keep the order of their insertion,
// through splits and merges of nodes.
#include <ingot/live/live.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/string.hpp>

#include "live/dice.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace multimap_test {

struct logs {
  ingot::multimap<std::uint32_t, std::uint32_t> numbers;
  ingot::multimap<ingot::string, ingot::string> texts;
};

static_assert(ingot::kind_of<decltype(logs::numbers)> == ingot::kind::map &&
              ingot::is_multi<decltype(logs::numbers)>);
static_assert(std::bidirectional_iterator<decltype(logs::texts)::iterator>);

template <class Map, class Model>
void expect_same(Map& map, const Model& model) {
  ASSERT_EQ(map.size(), model.size());
  auto at = map.begin();
  for (const auto& [key, value] : model) {
    ASSERT_EQ(at->first, key);
    ASSERT_EQ(at->second, value);
    ++at;
  }
  ASSERT_EQ(at, map.end());
  for (auto it = model.rbegin(); it != model.rend(); ++it) ASSERT_EQ((--at)->second, it->second);
}

template <class Map, class Model, class Key, class Value>
void step(Map& map, Model& model, std::uint64_t drawn, bool grow, const Key& key, const Value& value) {
  if (drawn % 8 == 0) {
    const auto at = map.lower_bound(key);
    const auto expected = model.lower_bound(key);
    ASSERT_EQ(at == map.end(), expected == model.end());
    if (expected == model.end()) return;
    ASSERT_EQ(at->second, expected->second);
    const auto next = map.erase(at);
    const auto after = model.erase(expected);
    ASSERT_EQ(next == map.end(), after == model.end());
    if (after != model.end()) {
      ASSERT_EQ(next->second, after->second);
    }
  } else if (drawn % 64 == 1) {
    ASSERT_EQ(map.erase(key), model.erase(key));
  } else if (grow || drawn % 16 == 2) {
    ASSERT_EQ(map.emplace(key, value)->second, value);
    model.emplace(key, value);
  } else {
    const auto [first, last] = map.equal_range(key);
    const auto [from, to] = model.equal_range(key);
    ASSERT_EQ(std::distance(first, last), std::distance(from, to));
    ASSERT_EQ(map.find(key) == map.end(), from == to);
    if (from != to) {
      ASSERT_EQ(map.find(key)->second, from->second);
      ASSERT_EQ(std::prev(last)->second, std::prev(to)->second);
      const auto next = map.erase(first, last);
      ASSERT_EQ(next == map.end(), model.erase(from, to) == model.end());
    }
  }
}

TEST(live_multimap, keeps_the_order_of_equal_keys) {
  const std::uint32_t steps = live_test::operations(16'000U) / 4;
  for (const std::uint32_t keys : {1U, 3U, 40U, 2'000U}) {
    std::mt19937_64 random(keys);
    ingot::live<logs> block;
    std::multimap<std::uint32_t, std::uint32_t> numbers;
    std::multimap<std::string, std::string> texts;
    for (std::uint32_t i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
      const auto key = static_cast<std::uint32_t>(random() % keys);
      const bool grow = i % 2'000 < 1'600;
      step(block->numbers, numbers, random(), grow, key == 0 ? ~key : key,
           i); // the largest number is also the one in free slots
      step(block->texts, texts, random(), grow, std::to_string(key) + "0123456789", std::to_string(i));
      if (i % 400 != 0) continue;
      expect_same(block->numbers, numbers);
      expect_same(block->texts, texts);
      auto opened = ingot::live<logs>::open(block.bytes());
      ASSERT_TRUE(opened) << opened.error().message();
      opened->compact();
      ASSERT_TRUE((ingot::detail::is_canonical_block<logs, ingot::narrow_policy>(opened->bytes().data(),
                                                                                 opened->size())));
      ASSERT_TRUE(*opened == block);
      expect_same((*opened)->numbers, numbers);
    }
  }
}

TEST(live_multimap, takes_ranges_and_braces) {
  ingot::live<logs> block;
  block->numbers = {{2, 1}, {1, 2}, {2, 3}};
  std::multimap<std::uint32_t, std::uint32_t> model{{2, 1}, {1, 2}, {2, 3}};
  expect_same(block->numbers, model);
  for (std::uint32_t i = 0; i < 500; ++i) model.emplace(i / 50, i);
  block->numbers = model;
  expect_same(block->numbers, model);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> more{{9, 1}, {0, 2}, {9, 3}};
  block->numbers.insert(more.begin(), more.end());
  model.insert(more.begin(), more.end());
  expect_same(block->numbers, model);
}

} // namespace multimap_test
