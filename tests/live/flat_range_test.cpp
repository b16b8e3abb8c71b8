// SPDX-License-Identifier: Apache-2.0
// Ranges may have the keys of a flat set or map in any order. Inserting descending keys one by one
// would move all entries each time. The tests count the moves.
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include "live/block_tools.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace flat_range_test {

std::uint64_t moves = 0;

/// A key that counts its moves in a block.
struct counted {
  std::uint32_t number = 0;
  friend auto operator<=>(const counted&, const counted&) = default;
};

} // namespace flat_range_test

template <>
void ingot::detail::relocate<flat_range_test::counted>(flat_range_test::counted* to,
                                                       const flat_range_test::counted* from,
                                                       std::size_t count) noexcept {
  flat_range_test::moves += count;
  std::memmove(static_cast<void*>(to), static_cast<const void*>(from), count * sizeof *to);
}

namespace flat_range_test {

using ingot::live;
using set = ingot::flat_set<counted>;
using map = ingot::flat_map<counted, std::uint32_t>;
using text_map = ingot::flat_map<std::uint32_t, ingot::string>;
using keys = std::vector<counted>;
using entries = std::vector<std::pair<counted, std::uint32_t>>;

constexpr std::uint32_t many = 4'000;

enum class order { ascending, descending, scattered };
constexpr std::uint32_t number(order in, std::uint32_t i, std::uint32_t count = many) {
  switch (in) {
  case order::ascending: return i;
  case order::descending: return count - 1 - i;
  default: return static_cast<std::uint32_t>(std::uint64_t{i} * 2'654'435'761U % 4'294'967'291U) % 100'000;
  }
}
keys keys_in(order in) {
  keys list;
  for (std::uint32_t i = 0; i < many; ++i) list.push_back({number(in, i)});
  return list;
}
entries entries_in(order in) {
  entries list;
  for (std::uint32_t i = 0; i < many; ++i) list.emplace_back(counted{number(in, i)}, i);
  return list;
}

/// Growth moves each key about twice, building the index moves the earlier keys a few times, and
/// the final order moves each once. Insertion one by one would take thousands.
template <class Block, class Act>
void expect_few(Block& block, std::size_t old_size, order in, const Act& act) {
  const std::uint64_t limit = (in == order::ascending ? 2 : 4) * many + 20 * old_size;
  moves = 0;
  act(*block);
  EXPECT_LE(moves, limit);
  EXPECT_TRUE(std::ranges::is_sorted(block->keys()));
  EXPECT_EQ(std::ranges::adjacent_find(block->keys()), block->keys().end());
  EXPECT_TRUE(block.check());
}

TEST(live_flat_range, sets_take_ranges_of_any_order_by_few_moves) {
  for (const order in : {order::ascending, order::descending, order::scattered}) {
    SCOPED_TRACE(static_cast<int>(in));
    const keys from = keys_in(in);
    auto sorted = from;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const auto expect = [&](const auto& act) {
      live<set> block;
      expect_few(block, 0, in, act);
      EXPECT_TRUE(std::ranges::equal(block->keys(), sorted));
    };
    expect([&](set& to) { EXPECT_TRUE(to.try_assign(from)); });
    expect([&](set& to) { to = from; });
    expect([&](set& to) { to = from | std::views::filter([](counted) { return true; }); });
    expect([&](set& to) { to.insert_range(from); });
    expect([&](set& to) { to.insert(from.begin(), from.end()); });
    moves = 0;
    EXPECT_TRUE(std::ranges::equal(live<set>(from)->keys(), sorted));
    EXPECT_LE(moves, 4 * many);
  }
}

TEST(live_flat_range, maps_take_ranges_of_any_order_by_few_moves) {
  for (const order in : {order::ascending, order::descending, order::scattered}) {
    SCOPED_TRACE(static_cast<int>(in));
    const entries from = entries_in(in);
    std::map<counted, std::uint32_t> sorted;
    sorted.insert(from.begin(), from.end()); // the first of equal keys counts
    const auto expect = [&](const auto& act) {
      live<map> block;
      expect_few(block, 0, in, act);
      EXPECT_TRUE(std::ranges::equal(block->keys(), std::views::keys(sorted)));
      EXPECT_TRUE(std::ranges::equal(block->values(), std::views::values(sorted)));
    };
    expect([&](map& to) { EXPECT_TRUE(to.try_assign(from)); });
    expect([&](map& to) { to = from; });
    expect([&](map& to) { to.insert_range(from); });
    expect([&](map& to) { to.insert(from.begin(), from.end()); });
  }
}

TEST(live_flat_range, insertion_between_other_entries_takes_few_moves) {
  live<map> block;
  for (std::uint32_t i = 0; i < many; ++i) block->try_emplace(counted{2 * i}, 7U);
  entries odd;
  for (std::uint32_t i = many; i-- > 0;) odd.emplace_back(counted{2 * i + 1}, i);
  // Keys that exist already
  for (std::uint32_t i = many; i-- > 0;) odd.emplace_back(counted{2 * i}, i);
  expect_few(block, many, order::descending, [&](map& to) { to.insert_range(odd); });
  ASSERT_EQ(block->size(), 2 * many);
  for (std::uint32_t i = 0; i < many; ++i) {
    EXPECT_EQ(block->values()[2 * i], 7U);
    EXPECT_EQ(block->values()[2 * i + 1], i);
  }
  // A few keys among many cost what single insertions cost, not an index of all keys.
  moves = 0;
  block->insert_range(entries{{{90'002}, 0}, {{90'001}, 0}});
  EXPECT_LE(moves, 1U);
}

/// Values that own storages, keys that repeat, and containers that had entries before.
TEST(live_flat_range, entries_keep_their_values) {
  for (const order in : {order::descending, order::scattered}) {
    std::vector<std::pair<std::uint32_t, std::string>> from;
    for (std::uint32_t i = 0; i < 600; ++i)
      from.emplace_back(number(in, i % 400, 400),
                        "a text that has a storage of its own " + std::to_string(i));
    std::map<std::uint32_t, std::string> expected(from.begin(), from.end());
    live<text_map> block;
    EXPECT_TRUE(block->try_assign(from));
    EXPECT_TRUE(*block == *live<text_map>(expected));
    live_test::expect_accounted(block);
    live_test::expect_opens_again(block);
    block->clear();
    for (const std::uint32_t i : {3U, 200'000U, 50U})
      block->try_emplace(i, "was there"), expected[i] = "was there";
    block->insert_range(from);
    EXPECT_TRUE(*block == *live<text_map>(expected));
    live_test::expect_accounted(block);
    live_test::expect_opens_again(block);
  }
}

/// The block is full while entries are out of order.
TEST(live_flat_range, in_a_full_block_assignment_changes_nothing_and_insertion_keeps_earlier_entries) {
  std::vector<std::pair<std::uint32_t, std::string>> from;
  for (std::uint32_t i = 1'000; i-- > 0;) from.emplace_back(i, "a text that takes some bytes of the block");
  std::vector<std::byte> memory(40'000);
  auto block = live<text_map>::in(memory).value();
  block->try_emplace(500U, "old");
  EXPECT_FALSE(block->try_assign(from));
  EXPECT_FALSE(block->try_assign(from | std::views::filter([](const auto&) { return true; })));
  ASSERT_EQ(block->size(), 1U);
  EXPECT_EQ(block->at(500), "old");
  live_test::expect_accounted(block);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(block->insert_range(from), ingot::out_of_space);
  EXPECT_GT(block->size(), 200U);
  EXPECT_LT(block->size(), 900U);
  EXPECT_EQ(block->at(500), "old");
  for (std::uint32_t i = 1; i < block->size() - 1; ++i)
    EXPECT_EQ(block->keys()[block->size() - i], i == 0 ? 0 : 1'000 - i);
  live_test::expect_accounted(block);
  live_test::expect_opens_again(block);
#endif
}

/// Repeated keys take no space: any number of them fits into a small block.
TEST(live_flat_range, repeated_keys_take_no_space) {
  std::vector<std::byte> memory(6'000);
  auto block = live<set>::in(memory).value();
  const auto from = std::views::iota(0U, 20'000U) |
                    std::views::transform([](std::uint32_t i) { return counted{(i * 7'919) % 500}; });
  block->insert_range(from);
  EXPECT_EQ(block->size(), 500U);
  EXPECT_TRUE(std::ranges::is_sorted(block->keys()));
  live_test::expect_opens_again(block);
}

#if INGOT_EXCEPTIONS
TEST(live_flat_range, a_range_that_throws_leaves_the_entries_in_order) {
  const auto from = std::views::iota(0U, 1'000U) | std::views::transform([](std::uint32_t i) {
                      if (i == 900) throw i;
                      return counted{1'000 - i};
                    });
  live<set> block;
  EXPECT_THROW(block->insert_range(from), std::uint32_t);
  EXPECT_EQ(block->size(), 900U);
  EXPECT_TRUE(block.check());
  EXPECT_THROW(static_cast<void>(block->try_assign(from)), std::uint32_t);
  EXPECT_EQ(block->size(), 900U);
  EXPECT_TRUE(block.check());
  live_test::expect_accounted(block);
  live<ingot::flat_set<double>> floats;
  std::vector<double> numbers;
  for (int i = 300; i > 0; --i) numbers.push_back(i);
  numbers.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(floats->insert_range(numbers), std::domain_error);
  EXPECT_EQ(floats->size(), 300U);
  EXPECT_TRUE(floats.check());
  EXPECT_FALSE(floats->try_assign(numbers));
  EXPECT_EQ(floats->size(), 300U);
}
#endif

/// This breaks the precondition. The block stays valid nevertheless.
TEST(live_flat_range, a_range_that_changes_the_container_does_no_harm) {
  live<set> block;
  const auto from = std::views::iota(0U, 1'000U) | std::views::transform([&](std::uint32_t i) {
                      if (i == 900) block->clear();
                      return counted{1'000 - i};
                    });
  block->insert_range(from);
  EXPECT_EQ(block->size(), 100U);
  EXPECT_TRUE(block.check());
  live_test::expect_accounted(block);
}

} // namespace flat_range_test
