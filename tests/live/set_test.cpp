// SPDX-License-Identifier: Apache-2.0
// Sets in a block against std::set and std::multiset, with keys that are not numbers: text,
// records, floats.
#include <ingot/live/live.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>

#include "live/dice.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace set_test {

struct spot {
  std::uint16_t row = 0;
  float column = 0;
  friend auto operator<=>(const spot&, const spot&) = default;
};
struct sets {
  ingot::set<std::int16_t> numbers;
  ingot::set<spot> spots;
  ingot::multiset<std::uint8_t> repeated;
  ingot::set<ingot::string> names;
};

static_assert(sizeof(ingot::set<int>) == 8);
static_assert(ingot::kind_of<ingot::set<int>> == ingot::kind::set && !ingot::is_multi<ingot::set<int>>);
static_assert(ingot::kind_of<ingot::multiset<int>> == ingot::kind::set &&
              ingot::is_multi<ingot::multiset<int>>);
static_assert(std::bidirectional_iterator<ingot::set<ingot::string>::iterator>);

template <class Set, class Model>
void expect_same(const Set& set, const Model& model) {
  ASSERT_EQ(set.size(), model.size());
  auto at = set.begin();
  for (const auto& key : model) ASSERT_EQ(*at++, key);
  ASSERT_EQ(at, set.end());
  for (auto it = model.rbegin(); it != model.rend(); ++it) ASSERT_EQ(*--at, *it);
}

void expect_whole(const ingot::live<sets>& block) {
  auto opened = ingot::live<sets>::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  opened->compact();
  ASSERT_TRUE((
      ingot::detail::is_canonical_block<sets, ingot::narrow_policy>(opened->bytes().data(), opened->size())));
  ASSERT_TRUE(*opened == block);
}

TEST(live_set, agrees_with_the_standard_sets) {
  std::mt19937_64 random(11);
  ingot::live<sets> block;
  std::set<std::int16_t> numbers;
  std::set<spot> spots;
  std::multiset<std::uint8_t> repeated;
  const int steps = live_test::operations(16'000);
  for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
    const auto number = static_cast<std::int16_t>(random() % 3'000 - 1'500);
    const spot where{static_cast<std::uint16_t>(random() % 30), static_cast<float>(number % 20) / 4};
    const auto small = static_cast<std::uint8_t>(random() % 40);
    if (i % 8'000 < 4'500 ? random() % 4 != 0 : random() % 4 == 0) {
      ASSERT_EQ(block->numbers.insert(number).second, numbers.insert(number).second);
      ASSERT_EQ(block->spots.insert(where).second, spots.insert(where).second);
      if (random() % 4 == 0) {
        ASSERT_EQ(*block->repeated.insert(small), *repeated.insert(small));
      }
    } else {
      ASSERT_EQ(block->numbers.erase(number), numbers.erase(number));
      ASSERT_EQ(block->spots.erase(where), spots.erase(where));
      ASSERT_EQ(block->repeated.erase(small), repeated.erase(small));
    }
    ASSERT_EQ(block->repeated.count(small), repeated.count(small));
    const auto next = block->numbers.upper_bound(number);
    const auto expected = numbers.upper_bound(number);
    ASSERT_EQ(next == block->numbers.end(), expected == numbers.end());
    if (expected != numbers.end()) {
      ASSERT_EQ(*next, *expected);
    }
    if (i % 1'000 != 0) continue;
    expect_same(block->numbers, numbers);
    expect_same(block->spots, spots);
    expect_same(block->repeated, repeated);
    expect_whole(block);
  }
}

TEST(live_set, holds_the_ends_of_what_numbers_can_be) {
  ingot::live<ingot::set<std::int16_t>> block;
  std::set<std::int16_t> model;
  for (const int end : {32'767, -32'768, 0, -1}) {
    block->insert(static_cast<std::int16_t>(end)); // the largest key is also the one in free slots
    model.insert(static_cast<std::int16_t>(end));
  }
  EXPECT_FALSE(block->insert(std::int16_t{32'767}).second);
  expect_same(*block, model);
  for (int i = 0; i < 100; ++i) block->insert(static_cast<std::int16_t>(32'767 - i));
  EXPECT_EQ(block->size(), 103U);
  EXPECT_EQ(block->count(std::int16_t{32'767}), 1U);
  EXPECT_EQ(block->upper_bound(std::int16_t{32'767}), block->end());
  EXPECT_EQ(*std::prev(block->end()), 32'767);
  EXPECT_EQ(block->erase(std::int16_t{32'767}), 1U);
  EXPECT_EQ(block->find(std::int16_t{32'767}), block->end());
}

TEST(live_set, rejects_what_has_no_order_and_has_one_zero) {
  ingot::live<ingot::set<double>> block;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(block->insert(nan), std::domain_error);
  EXPECT_EQ(block->try_insert(nan).first, block->end());
  EXPECT_FALSE(block->contains(nan));
  block->insert(-0.0);
  EXPECT_FALSE(std::signbit(*block->begin()));
  EXPECT_FALSE(block->insert(0.0).second);
  EXPECT_TRUE(block->contains(-0.0));
  block->insert(-1.0);
  EXPECT_EQ(*block->begin(), -1.0);
  EXPECT_FALSE(block->contains(nan));
  EXPECT_FALSE(block->try_assign(std::initializer_list<double>{1, nan}));
  EXPECT_EQ(block->size(), 2U);
}

TEST(live_set, orders_text_by_unsigned_bytes_and_finds_it_by_views) {
  ingot::live<sets> block;
  block->names = {"b", "\xC3\xA4", "a", "", std::string_view("a\0b", 3), "a"};
  EXPECT_EQ(block->names.size(), 5U);
  EXPECT_EQ(*block->names.begin(), "");
  EXPECT_EQ(*std::prev(block->names.end()), "\xC3\xA4");
  EXPECT_TRUE(block->names.contains(std::string("b")));
  const auto [first, last] = block->names.equal_range("a");
  EXPECT_EQ(std::distance(first, last), 1);
  block->names.erase(block->names.begin(), std::prev(block->names.end()));
  EXPECT_EQ(block->names.size(), 1U);
  expect_whole(block);
}

} // namespace set_test
