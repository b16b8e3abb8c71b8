// SPDX-License-Identifier: Apache-2.0
// A hash set in a block is a std::unordered_set without buckets, whatever operations run on it. Its
// bytes are a message at any time.
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hash_set_test {

using ingot::hash_set;
using ingot::string;
using namespace std::string_literals;
using namespace std::string_view_literals;

/// A key whose bytes in memory do not sort as the number does, and which has padding.
struct ticket {
  std::int8_t row = 0;
  std::int32_t seat = 0;
};
/// One root for all tests: each type of block costs the compiler one walk of each kind.
struct world {
  hash_set<string> texts;
  hash_set<string> others;
  hash_set<std::int32_t> numbers;
  hash_set<std::uint8_t> bytes;
  hash_set<ticket> tickets;
};

static_assert(std::forward_iterator<hash_set<string>::iterator>);
static_assert(std::ranges::forward_range<const hash_set<std::int32_t>>);
static_assert(std::same_as<std::ranges::range_reference_t<hash_set<string>>, const string&>);
static_assert(sizeof(hash_set<string>) == 8 && sizeof(ingot::wide::hash_set<int>) == 16);
static_assert(ingot::kind_of<hash_set<string>> == ingot::kind::unordered_set);

[[nodiscard]] std::string text_of(std::uint64_t number) {
  return number % 2 == 0 ? std::to_string(number) : "a text that lies elsewhere: " + std::to_string(number);
}

TEST(live_hash_set, it_is_used_as_a_standard_one) {
  ingot::live<world> block;
  auto& set = block->texts;
  EXPECT_TRUE(set.empty() && set.begin() == set.end());
  EXPECT_TRUE(set.insert("a").second);
  EXPECT_FALSE(set.insert("a"s).second);
  EXPECT_TRUE(set.emplace("b"sv).second);
  EXPECT_EQ(*set.emplace_hint(set.end(), "c"), "c");
  EXPECT_EQ(*set.insert(set.begin(), "d"s), "d");
  set.insert({"e", "f", "a"});
  const std::vector more{"g"s, "h"s};
  set.insert(more.begin(), more.end());
  set.insert_range(std::set{"i"sv});
  EXPECT_EQ(set.size(), 9U);
  EXPECT_TRUE(set.contains("g") && !set.contains("z"sv));
  EXPECT_EQ(set.count("h"s), 1U);
  EXPECT_TRUE(set.find("z") == set.end());
  EXPECT_EQ(*set.find("i"), "i");
  EXPECT_EQ(set.erase("i"), 1U);
  EXPECT_EQ(set.erase("i"), 0U);
  EXPECT_EQ(erase_if(set, [](const string& text) { return text < "c"; }), 2U);
  EXPECT_EQ(std::ranges::distance(set), 6);
  block->others = set;
  EXPECT_TRUE(block->others == set);
  set.erase(set.find("c"));
  EXPECT_FALSE(block->others == set);
  swap(set, block->others);
  EXPECT_EQ(set.size(), 6U);
  set = std::move(block->others);
  EXPECT_EQ(set.size(), 5U);
  set.assign({"x", "y"});
  EXPECT_TRUE(set.contains("x") && set.size() == 2);
  set = std::unordered_set{"a text that lies elsewhere"s};
  EXPECT_EQ(set.begin()->view(), "a text that lies elsewhere");
  EXPECT_FALSE(set.insert(*set.begin()).second);
  for (int i = 0; i < 50; ++i)
    set.insert(set.begin()->view().substr(static_cast<std::size_t>(i) % set.begin()->size()));
  live_test::expect_opens_again(block);
}

TEST(live_hash_set, thousands_of_operations_leave_what_they_leave_in_a_standard_one) {
  std::mt19937_64 random(31);
  ingot::live<world> block;
  std::unordered_set<std::string> texts;
  std::set<std::int32_t> numbers;
  const int steps = live_test::operations(20'000);
  for (int step = 0; step < steps; ++step) {
    const std::string text = text_of(random() % 300);
    const auto number = static_cast<std::int32_t>(random() % 1'000) - 500;
    switch (random() % 6) {
    case 0:
    case 1:
      ASSERT_EQ(block->texts.insert(text).second, texts.insert(text).second);
      ASSERT_EQ(block->numbers.insert(number).second, numbers.insert(number).second);
      break;
    case 2:
      ASSERT_EQ(block->texts.erase(text), texts.erase(text));
      ASSERT_EQ(block->numbers.erase(number), numbers.erase(number));
      break;
    case 3:
      ASSERT_EQ(block->texts.contains(text), texts.contains(text));
      ASSERT_EQ(block->numbers.count(number), numbers.count(number));
      break;
    case 4:
      if (random() % 100 == 0) {
        const auto gone = [](auto each) { return each % 3 == 0; };
        ASSERT_EQ(block->numbers.erase_if(gone), std::erase_if(numbers, gone));
      }
      break;
    default:
      if (random() % 500 == 0) {
        block->texts.clear();
        texts.clear();
      }
    }
    if (step % 2'000 != 1'999) continue;
    ASSERT_TRUE(
        std::ranges::equal(std::set<std::int32_t>(block->numbers.begin(), block->numbers.end()), numbers));
    ASSERT_EQ(block->texts.size(), texts.size());
    for (const auto& each : block->texts) ASSERT_TRUE(texts.contains(std::string(each.view())));
    live_test::expect_accounted(block);
    live_test::expect_opens_again(block);
  }
}

TEST(live_hash_set, every_key_of_a_small_type_fits_in) {
  ingot::live<world> block;
  for (int i = 0; i < 256; ++i) ASSERT_TRUE(block->bytes.insert(static_cast<std::uint8_t>(i)).second);
  for (int i = 0; i < 256; ++i) ASSERT_FALSE(block->bytes.insert(static_cast<std::uint8_t>(i)).second);
  live_test::expect_opens_again(block);
  block.compact();
  EXPECT_EQ(block->bytes.capacity(), 256U);
  // All sizes, each in the canonical form.
  for (int i = 255; i >= 0; --i) {
    ASSERT_EQ(block->bytes.erase(static_cast<std::uint8_t>(i)), 1U);
    auto copy = block;
    copy.compact();
    ASSERT_TRUE(copy == block);
    ASSERT_TRUE(ingot_test::is_canonical(copy));
    ASSERT_EQ(copy->bytes.capacity(), static_cast<std::size_t>(i));
  }
}

TEST(live_hash_set, records_are_compared_by_their_members) {
  ingot::live<world> block;
  for (std::int8_t row = -50; row < 50; ++row)
    for (std::int32_t seat = 0; seat < 20; ++seat)
      ASSERT_TRUE(block->tickets.insert({row, seat * seat}).second);
  EXPECT_FALSE(block->tickets.insert(ticket{-50, 361}).second);
  EXPECT_TRUE(block->tickets.contains({49, 0}));
  EXPECT_FALSE(block->tickets.contains({50, 0}));
  EXPECT_EQ(block->tickets.size(), 2'000U);
  live_test::expect_opens_again(block);
}

TEST(live_hash_set, a_full_block_leaves_it_as_it_was) {
  alignas(16) static std::byte memory[3'000];
  auto created = ingot::live<world>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& set = (*created)->texts;
  std::size_t count = 0;
  for (;; ++count) {
    const auto [at, fresh] = set.try_insert(text_of(count));
    if (at == set.end()) break;
    ASSERT_TRUE(fresh);
  }
  EXPECT_GT(count, 10U);
  EXPECT_THROW(set.insert(text_of(count)), ingot::out_of_space);
  EXPECT_THROW(set = std::views::iota(0, 1'000) |
                     std::views::transform([](int i) { return text_of(static_cast<unsigned>(i)); }),
               ingot::out_of_space);
  ASSERT_EQ(set.size(), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(set.contains(text_of(i)));
  live_test::expect_accounted(*created);
}

} // namespace hash_set_test
