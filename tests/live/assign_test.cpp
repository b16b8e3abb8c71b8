// SPDX-License-Identifier: Apache-2.0
// Assignment to objects in a block: from the same type, from twins, from values for members. Also
// equality, and the state after a full block or an exception of the caller's code.
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/thrower.hpp"
#include "live/twins.hpp"

#include <array>
#include <cstdint>
#include <list>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace assign_test {

using namespace live_test;
using ingot::live;
namespace detail = ingot::detail;

struct shelf {
  std::array<ingot::string, 2> labels;
  ingot::string plates[2];
  std::pair<std::uint32_t, ingot::string> owner;
  ingot::vector<item> items;
  ingot::vector<std::pair<ingot::string, std::uint32_t>> prices;
  std::uint32_t height = 0;
};
struct shelf_twin {
  std::array<std::string, 2> labels;
  std::array<std::string_view, 2> plates;
  std::pair<std::uint32_t, std::string> owner;
  std::list<item_twin> items;
  std::vector<std::pair<const char*, std::uint16_t>> prices;
  std::uint8_t height = 0;
};
shelf_twin sample() {
  return {{"a label of some length", "short"}, {"a plate of some length", "p"},
          {7, "an owner of some length"},      {{"an item of some length", {1, 2}, 3}, {"", {}, 0}},
          {{"a price of some length", 9}},     4};
}

static_assert(detail::are_twins<item, item_twin>() && detail::are_twins<shelf, shelf_twin>());
static_assert(!detail::are_twins<item, shelf>() && !detail::are_twins<item, int>());

TEST(live_assign, a_twin_is_taken_over_member_by_member) {
  live<shelf> block(sample());
  EXPECT_EQ(block->labels[0], "a label of some length");
  EXPECT_EQ(block->labels[1], "short");
  EXPECT_EQ(block->plates[0], "a plate of some length");
  EXPECT_EQ(block->owner.second, "an owner of some length");
  ASSERT_EQ(block->items.size(), 2U);
  EXPECT_TRUE(same(block->items[0], {"an item of some length", {1, 2}, 3}));
  EXPECT_EQ(block->prices[0].first, "a price of some length");
  EXPECT_EQ(block->prices[0].second, 9U);
  EXPECT_EQ(block->height, 4U);
  expect_opens_again(block);
}

TEST(live_assign, assigning_again_leaks_nothing_and_itself_changes_nothing) {
  live<shelf> block(sample());
  const std::size_t used = block.stats().used - block.stats().free_bytes;
  for (int i = 0; i < 20; ++i) {
    block = sample();
    EXPECT_EQ(block.stats().used - block.stats().free_bytes, used);
    *block = *block;
    block->items = block->items;
    EXPECT_EQ(block.stats().used - block.stats().free_bytes, used);
    expect_accounted(block);
  }
  const live<shelf> twin(sample());
  EXPECT_TRUE(twin == block);
}

TEST(live_assign, objects_of_two_blocks_are_copied_and_of_one_taken_over) {
  live<shelf> first(sample());
  live<shelf> second;
  *second = std::move(*first);
  EXPECT_EQ(second->owner.second, "an owner of some length");
  EXPECT_EQ(first->owner.second, "an owner of some length");
  EXPECT_TRUE(first == second);
  struct pair_of {
    shelf a;
    shelf b;
  };
  live<pair_of> both;
  ASSERT_TRUE(detail::assign_value(both->a, sample()));
  const char* const text = both->a.owner.second.data();
  both->b = std::move(both->a);
  EXPECT_EQ(both->b.owner.second.data(), text);
  EXPECT_EQ(both->b.labels[0], "a label of some length");
  expect_accounted(both);
}

TEST(live_assign, equality_is_of_values) {
  live<shelf> a(sample());
  live<shelf> b;
  b->items.reserve(100);
  b->labels[0].reserve(100);
  b = sample();
  EXPECT_TRUE(a == b);
  for (const auto change :
       {+[](shelf& s) { s.labels[1].push_back('!'); }, +[](shelf& s) { s.plates[1].clear(); },
        +[](shelf& s) { s.owner.first = 8; }, +[](shelf& s) { s.items[0].path.push_back(std::uint16_t{1}); },
        +[](shelf& s) { s.items.pop_back(); }, +[](shelf& s) { s.prices[0].second = 0; },
        +[](shelf& s) { s.height = 5; }}) {
    live<shelf> changed(a);
    change(*changed);
    EXPECT_FALSE(changed == a);
  }
}

TEST(live_assign, an_element_that_does_not_fit_is_absent) {
  // Assigning the third member of an element fails: the storages of the other members are freed.
  alignas(16) static std::array<std::byte, 4096> memory;
  std::size_t failed = 0;
  for (std::size_t size = 600; size < 2000; size += 8) {
    auto created = live<shelf>::in(std::span(memory).first(size));
    if (!created) continue;
    auto& block = *created;
    while (block->items.try_emplace_back("a name of thirty characters or so",
                                         std::vector<std::uint16_t>(20, 7), 3) != nullptr) {
    }
    ++failed;
    expect_accounted(block);
    ASSERT_TRUE(is_zero_after_elements(block->items));
    ASSERT_TRUE(is_zero_after(block));
    block.trim();
    ASSERT_EQ(stale_bytes(block), 0U);
  }
  EXPECT_GT(failed, 100U);
}

#if INGOT_EXCEPTIONS
TEST(live_assign, an_element_whose_value_threw_is_not_there) {
  live<shelf> roomy;
  EXPECT_EQ(throw_at_every_call([&] { roomy->prices.clear(), roomy->prices.shrink_to_fit(); },
                                [&](countdown& calls) {
                                  for (int i = 0; i < 9; ++i) {
                                    roomy->prices.emplace_back(difficult(calls, 1, "a price of some length"),
                                                               difficult(calls, 2, ""));
                                  }
                                },
                                [&](bool) {
                                  expect_accounted(roomy);
                                  EXPECT_TRUE(is_zero_after_elements(roomy->prices));
                                  for (const auto& price : roomy->prices) EXPECT_EQ(price.second, 2U);
                                }),
            19U);
}
#endif

TEST(live_assign, a_root_without_space_holds_some_of_the_value_and_loses_no_byte) {
  alignas(16) static std::array<std::byte, 4096> memory;
  std::size_t full = 0;
  const auto value = sample();
  for (std::size_t size = 600; size < 2000; ++size) {
    auto created = live<shelf>::in(std::span(memory).first(size));
    if (!created) continue;
    for (int twice = 0; twice < 2; ++twice) {
      full += !created->try_assign(value);
      expect_accounted(*created);
      ASSERT_TRUE(is_zero_after(*created));
      ASSERT_TRUE(live<shelf>::open(created->bytes()).has_value());
    }
  }
  EXPECT_GT(full, 100U);
}

#if INGOT_EXCEPTIONS
TEST(live_assign, iterators_that_throw_in_the_middle_of_a_value_lose_no_byte) {
  struct ranged {
    std::array<std::string, 2> labels{};
    std::array<std::string_view, 2> plates{};
    std::pair<std::uint32_t, std::string> owner{1, "an owner of some length"};
    std::ranges::subrange<difficult_iterator<item_twin>> items;
    std::set<std::pair<std::string, std::uint32_t>> prices{{"a price of some length", 1}};
    std::uint32_t height = 3;
  };
  static_assert(detail::are_twins<shelf, ranged>());
  const std::vector<item_twin> source(4, item_twin{"an item of some length", {1, 2}, 3});
  live<shelf> block;
  EXPECT_EQ(throw_at_every_call([&] { block = sample(); },
                                [&](countdown& calls) {
                                  ranged value;
                                  using iterator = difficult_iterator<item_twin>;
                                  value.items = {iterator(source.data(), calls),
                                                 iterator(source.data() + 4, calls)};
                                  block = value;
                                },
                                [&](bool) {
                                  expect_accounted(block);
                                  EXPECT_TRUE(live<shelf>::open(block.bytes()).has_value());
                                }),
            5U);
  EXPECT_EQ(block->items.size(), 4U);
}
#endif

} // namespace assign_test
