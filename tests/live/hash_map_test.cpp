// SPDX-License-Identifier: Apache-2.0
// A hash map in a block is a std::unordered_map without buckets, whatever operations run on it. Its
// bytes are a message at any time.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/dice.hpp"
#include "live/thrower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hash_map_test {

using ingot::hash_map;
using ingot::string;
using ingot::vector;
using namespace std::string_literals;
using namespace std::string_view_literals;

struct cell {
  std::int16_t x = 0;
  std::int16_t y = 0;
};
struct named_cell {
  cell at;
  string name;
};
struct named_cell_std {
  cell at;
  std::string name;
};
/// One root for all tests: each type of block costs the compiler one walk of each kind.
struct world {
  hash_map<string, std::uint64_t> all;
  hash_map<string, std::uint64_t> others;
  hash_map<std::uint32_t, vector<string>> lists;
  hash_map<std::pair<named_cell, std::int64_t>, int> by_name;
  hash_map<double, string> by_number;
};
struct node {
  std::uint32_t value = 0;
  hash_map<string, node> children;
};

using text_iterator = hash_map<string, std::uint64_t>::iterator;
static_assert(std::forward_iterator<text_iterator>);
static_assert(std::forward_iterator<hash_map<string, std::uint64_t>::const_iterator>);
static_assert(std::convertible_to<text_iterator, hash_map<string, std::uint64_t>::const_iterator>);
static_assert(std::ranges::forward_range<hash_map<int, int>>);
static_assert(sizeof(hash_map<string, node>) == 8 && sizeof(ingot::wide::hash_map<int, int>) == 16);
static_assert(ingot::kind_of<hash_map<string, int>> == ingot::kind::unordered_map);
/// Its base class can't be copied either.
using inherited = ingot::detail::hash_container<hash_map<int, int>, int, int, ingot::narrow_policy>;
static_assert(std::derived_from<hash_map<int, int>, inherited> && !std::is_copy_constructible_v<inherited> &&
              !std::is_copy_assignable_v<inherited>);

[[nodiscard]] std::string key_of(std::uint64_t number) {
  return number % 2 == 0 ? std::to_string(number) : "a key that lies elsewhere: " + std::to_string(number);
}

TEST(live_hash_map, it_is_used_as_a_standard_one) {
  ingot::live<world> block;
  auto& map = block->all;
  EXPECT_TRUE(map.empty());
  EXPECT_TRUE(map.find("a") == map.end());
  EXPECT_FALSE(map.contains("a"s));
  EXPECT_EQ(map.erase("a"sv), 0U);
  map["a"] = 1;
  map["b"s] += 2;
  EXPECT_EQ(map["a"sv], 1U);
  EXPECT_FALSE(map.insert({"a", 7}).second);
  EXPECT_TRUE(map.insert(std::pair("c"s, 3)).second);
  EXPECT_TRUE(map.emplace("d", 4).second);
  EXPECT_FALSE(map.emplace(std::pair("d"sv, 5U)).second);
  EXPECT_EQ(map.emplace_hint(map.end(), "e", 5)->second, 5U);
  EXPECT_EQ(map.try_emplace(map.begin(), "f", 6U)->first, "f");
  EXPECT_FALSE(map.insert_or_assign("f", 66U).second);
  EXPECT_TRUE(map.insert_or_assign("g"s, 7U).second);
  map.insert({{"h", 8}, {"a", 100}});
  EXPECT_EQ(map.size(), 8U);
  EXPECT_EQ(map.at("f"), 66U);
  EXPECT_EQ(std::as_const(map).at("a"), 1U);
  EXPECT_THROW(static_cast<void>(map.at("z")), std::out_of_range);
  EXPECT_EQ(map.get_if("z"), nullptr);
  *map.get_if("g") = 77;
  EXPECT_EQ(map.count("g"), 1U);
  map.find("g")->second = 7;
  EXPECT_EQ(std::as_const(map).find("g")->second, 7U);
  std::uint64_t sum = 0;
  for (auto [key, value] : map) {
    sum += value;
    value += key.size();
  }
  EXPECT_EQ(sum, 1U + 2 + 3 + 4 + 5 + 66 + 7 + 8);
  EXPECT_EQ(map.erase("a"), 1U);
  EXPECT_EQ(std::ranges::distance(map), 7);
  EXPECT_EQ(erase_if(map, [](const auto& entry) { return entry.second > 60; }), 1U);
  std::vector<std::string> keys;
  for (const auto& entry : std::as_const(map)) keys.emplace_back(entry.first.view());
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (std::vector{"b"s, "c"s, "d"s, "e"s, "g"s, "h"s}));
  map.clear();
  EXPECT_TRUE(map.empty() && map.begin() == map.end());
  live_test::expect_opens_again(block);
}

TEST(live_hash_map, thousands_of_operations_leave_what_they_leave_in_a_standard_one) {
  std::mt19937_64 random(21);
  ingot::live<world> block;
  std::unordered_map<std::string, std::uint64_t> model;
  const int steps = live_test::operations(20'000);
  for (int step = 0; step < steps; ++step) {
    auto& map = block->all;
    const std::uint64_t range = 1 + (static_cast<unsigned>(step) / 2'000 % 2 == 0 ? 600U : 60U);
    const std::string key = key_of(random() % range);
    switch (random() % 12) {
    case 0:
    case 1:
    case 2:
      map[key] = static_cast<std::uint64_t>(step);
      model[key] = static_cast<std::uint64_t>(step);
      break;
    case 3:
    case 4: {
      const auto [at, fresh] = map.try_emplace(key, 5U);
      const auto [there, is_fresh] = model.try_emplace(key, 5U);
      ASSERT_EQ(fresh, is_fresh);
      ASSERT_EQ(at->first, there->first);
      ASSERT_EQ(at->second, there->second);
      break;
    }
    case 5:
    case 6:
    case 7: ASSERT_EQ(map.erase(key), model.erase(key)); break;
    case 8: ASSERT_EQ(map.contains(key), model.contains(key)); break;
    case 9:
      if (const auto at = map.find(key); at != map.end()) {
        ASSERT_EQ(at->second, model.at(key));
        map.erase(at);
        model.erase(key);
      }
      break;
    case 10:
      if (random() % 50 == 0) {
        const std::uint64_t rest = random() % 5;
        const auto gone = [rest](const auto& entry) { return entry.second % 5 == rest; };
        ASSERT_EQ(map.erase_if(gone), std::erase_if(model, gone));
      } else if (random() % 200 == 0) {
        map.clear();
        model.clear();
      }
      break;
    default:
      if (random() % 20 == 0) map.shrink_to_fit();
      else if (random() % 20 == 0) map.reserve(random() % 1'000);
    }
    ASSERT_EQ(map.size(), model.size());
    if (step % 1'000 == 999) {
      std::size_t seen = 0;
      for (const auto [k, v] : std::as_const(map)) {
        ASSERT_EQ(model.at(std::string(k.view())), v);
        ++seen;
      }
      ASSERT_EQ(seen, model.size());
      live_test::expect_accounted(block);
      live_test::expect_opens_again(block);
      if (step % 2'000 == 999) block.compact();
    }
  }
}

TEST(live_hash_map, values_that_hold_containers_move_with_their_entries) {
  std::mt19937_64 random(22);
  ingot::live<world> block;
  std::map<std::uint32_t, std::vector<std::string>> model;
  const int steps = live_test::operations(8'000);
  for (int step = 0; step < steps; ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 200);
    const std::string text = key_of(random() % 100);
    switch (random() % 4) {
    case 0:
    case 1:
      block->lists[key].push_back(text);
      model[key].push_back(text);
      break;
    case 2: ASSERT_EQ(block->lists.erase(key), model.erase(key)); break;
    default:
      block->lists.insert_or_assign(key, std::vector{text, text});
      model.insert_or_assign(key, std::vector{text, text});
    }
    if (step % 1'000 != 999) continue;
    ASSERT_EQ(block->lists.size(), model.size());
    for (const auto& [k, list] : model) {
      const auto* const here = block->lists.get_if(k);
      ASSERT_TRUE(here != nullptr && std::equal(here->begin(), here->end(), list.begin(), list.end()));
    }
    live_test::expect_accounted(block);
    live_test::expect_opens_again(block);
  }
  block->lists.clear();
  block->lists.shrink_to_fit();
  ingot_test::expect_nothing_left(block);
}

TEST(live_hash_map, keys_are_found_by_twins_and_by_what_converts) {
  ingot::live<world> block;
  auto& map = block->by_name;
  map.try_emplace(std::pair(named_cell_std{{1, 2}, "a name that lies elsewhere"}, 7), 1);
  map.try_emplace(std::pair(named_cell_std{{1, 3}, "short"}, 8L), 2);
  EXPECT_EQ(map.at(std::pair(named_cell_std{{1, 3}, "short"}, 8)), 2);
  EXPECT_FALSE(map.contains(std::pair(named_cell_std{{1, 2}, "short"}, 8)));
  EXPECT_TRUE(map.contains(map.begin()->first));
  block->by_number[1.5F] = "one and a half";
  EXPECT_TRUE(block->by_number.contains(1.5));
  live_test::expect_opens_again(block);
}

TEST(live_hash_map, nan_is_no_key_and_zeros_have_no_sign) {
  ingot::live<world> block;
  auto& map = block->by_number;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  map[-0.0] = "zero";
  EXPECT_FALSE(std::signbit(map.begin()->first));
  EXPECT_EQ(map.at(0.0), "zero");
  EXPECT_THROW(map[nan], std::domain_error);
  EXPECT_THROW(map.insert({nan, "none"}), std::domain_error);
  const auto [at, fresh] = map.try_insert(nan, "none");
  EXPECT_TRUE(at == map.end() && !fresh);
  EXPECT_FALSE(map.contains(nan));
  const std::vector<std::pair<double, std::string>> bad{{1.0, "one"}, {nan, "none"}};
  EXPECT_FALSE(map.try_assign(bad));
  EXPECT_THROW(map = bad, std::domain_error);
  EXPECT_EQ(map.size(), 1U) << "as it was";
  live_test::expect_opens_again(block);
}

TEST(live_hash_map, arguments_may_be_parts_of_it) {
  ingot::live<world> block;
  auto& map = block->lists;
  map[0] = {"the first of them, and too long to lie in place"};
  for (std::uint32_t i = 1; i < 200; ++i) {
    map.try_emplace(i, map.at(i - 1)); // it grows often; something moves each time
    ASSERT_EQ(map.at(i).front(), "the first of them, and too long to lie in place") << i;
    map.at(i).push_back(std::to_string(i));
  }
  EXPECT_EQ(map.at(199).size(), 200U);
  map.insert_or_assign(0U, map.at(199));
  EXPECT_EQ(map.at(0).size(), 200U);
  for (std::uint32_t i = 200; i < 400; ++i) map.try_emplace(i, std::move(map.at(i - 1)));
  EXPECT_EQ(map.at(399).size(), 200U);
  EXPECT_TRUE(map.at(398).empty());
  live_test::expect_opens_again(block);

  ingot::live<world> keys;
  keys->all["a key that lies elsewhere than in its entry"] = 1;
  for (int i = 0; i < 100; ++i) {
    const auto& last = keys->all.begin()->first;
    EXPECT_FALSE(keys->all.insert({last, 2}).second);
    keys->all.try_emplace(last.view().substr(static_cast<std::size_t>(i) % last.size()), 3U);
  }
  live_test::expect_opens_again(keys);
}

TEST(live_hash_map, it_is_assigned_from_ranges_of_pairs) {
  ingot::live<world> block;
  auto& map = block->all;
  map = {{"a", 1}, {"b", 2}, {"a", 3}};
  EXPECT_EQ(map.size(), 2U);
  EXPECT_EQ(map.at("a"), 1U) << "the first of equal keys";
  const std::unordered_map<std::string, std::uint64_t> twin{{"x", 1}, {"a key that lies elsewhere", 2}};
  map = twin;
  EXPECT_EQ(map.size(), 2U);
  EXPECT_EQ(map.capacity(), 2U);
  EXPECT_EQ(map.at("a key that lies elsewhere"), 2U);
  map = std::map<std::string_view, int>{{"one", 1}, {"two", 2}, {"three", 3}};
  EXPECT_EQ(map.at("three"), 3U);
  map = map | std::views::filter([](const auto& entry) { return entry.second != 2; });
  EXPECT_EQ(map.size(), 2U);
  EXPECT_FALSE(map.contains("two"));
  map.insert_range(std::vector<std::pair<std::string, int>>{{"four", 4}, {"one", 11}});
  EXPECT_EQ(map.at("four") + map.at("one"), 5U);
  const std::unordered_map<std::string, std::uint64_t> out = [&] {
    std::unordered_map<std::string, std::uint64_t> copy;
    for (const auto& [key, value] : map) copy.emplace(key.view(), value);
    return copy;
  }();
  EXPECT_EQ(out.size(), 3U);
  live_test::expect_opens_again(block);
  auto& same = map;
  map = same;
  EXPECT_EQ(map.size(), 3U);
}

TEST(live_hash_map, moving_exchanges_in_one_block_and_copies_between_two) {
  ingot::live<world> block;
  block->all = {{"x", 1}, {"a key that lies elsewhere", 2}};
  const auto* const there = block->all.get_if("x");
  block->others = std::move(block->all);
  EXPECT_EQ(block->others.get_if("x"), there);
  EXPECT_TRUE(block->all.empty());
  swap(block->all, block->others);
  EXPECT_EQ(block->all.size(), 2U);
  ingot::live<world> other;
  other->others = std::move(block->all);
  EXPECT_TRUE(other->others == block->all);
  EXPECT_FALSE(other->all == block->all);
  EXPECT_THROW(other->others.swap(block->all), ingot::out_of_space);
  live_test::expect_opens_again(block);
  live_test::expect_opens_again(other);
}

TEST(live_hash_map, equality_ignores_insertion_order) {
  ingot::live<world> a;
  ingot::live<world> b;
  for (std::uint64_t i = 0; i < 300; ++i) a->all[key_of(i)] = i;
  b->all.reserve(5'000);
  for (std::uint64_t i = 400; i-- != 0;) b->all[key_of(i)] = i;
  EXPECT_FALSE(a == b);
  for (std::uint64_t i = 300; i < 400; ++i) b->all.erase(key_of(i));
  EXPECT_TRUE(a == b);
  b->all[key_of(7)] = 8;
  EXPECT_FALSE(a == b);
  b->all[key_of(7)] = 7;
  a.compact();
  b.compact();
  EXPECT_TRUE(ingot_test::bytes_of(a) == ingot_test::bytes_of(b));
}

TEST(live_hash_map, a_full_block_leaves_it_as_it_was) {
  alignas(16) static std::byte memory[6'000];
  auto created = ingot::live<world>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& map = (*created)->all;
  std::unordered_map<std::string, std::uint64_t> model;
  std::uint64_t i = 0;
  int failures = 0;
  for (; failures < 5; ++i) {
    try {
      map.try_emplace(key_of(i), i);
      model.emplace(key_of(i), i);
    } catch (const ingot::out_of_space&) {
      ++failures;
      const auto [at, fresh] = map.try_insert(key_of(i), i);
      EXPECT_TRUE(at == map.end() && !fresh);
    }
    ASSERT_EQ(map.size(), model.size());
  }
  EXPECT_GT(model.size(), 40U);
  EXPECT_FALSE(map.try_reserve(1'000'000));
  EXPECT_THROW(map.reserve(1'000), ingot::out_of_space);
  std::vector<std::pair<std::string, std::uint64_t>> many;
  for (std::uint64_t k = 1'000; k < 1'200; ++k) many.emplace_back(key_of(k), k);
  EXPECT_FALSE(map.try_assign(many));
  for (const auto& [key, value] : model) ASSERT_EQ(map.at(key), value);
  live_test::expect_accounted(*created);
  EXPECT_TRUE(ingot::live<world>::open(created->bytes()).has_value());
  for (const auto& [key, value] : model) map.erase(key);
  EXPECT_TRUE(map.empty());
  map["again"] = 1;
  EXPECT_EQ(map.at("again"), 1U);
}

TEST(live_hash_map, outside_a_block_it_is_empty_and_says_so) {
  hash_map<int, int> loose;
  EXPECT_TRUE(loose.find(3) == loose.end() && loose.begin() == loose.end());
  EXPECT_THROW(loose[3] = 4, ingot::out_of_space);
  EXPECT_FALSE(loose.try_insert(3, 4).second);
  EXPECT_FALSE(loose.try_reserve(1));
  EXPECT_TRUE(loose.try_reserve(0));
  loose.shrink_to_fit();
  loose.clear();
  hash_map<int, int> other;
  swap(loose, other);
  EXPECT_TRUE(loose == other);
}

TEST(live_hash_map, what_callers_throw_loses_nothing) {
  ingot::live<world> block;
  for (int before = 0; before < 30; ++before) {
    const std::size_t calls = live_test::throw_at_every_call(
        [&] {
          block->by_number.clear();
          for (int i = 0; i < before; ++i) block->by_number[i] = "some text that lies elsewhere";
        },
        [&](live_test::countdown& countdown) {
          block->by_number.try_emplace(1'000, live_test::difficult(countdown, 1, "a text that is not to be"));
        },
        [&](bool through) {
          ASSERT_EQ(block->by_number.size(), static_cast<std::size_t>(before + (through ? 1 : 0)));
          live_test::expect_accounted(block);
        });
    EXPECT_GT(calls, 1U);
  }
  const std::vector<std::pair<std::uint32_t, std::string>> source{{1, "a"}, {2, "b"}, {3, "c"}};
  block->by_number = source;
  using iterator = live_test::difficult_iterator<std::pair<std::uint32_t, std::string>>;
  const std::vector<std::pair<std::uint32_t, std::string>> next{{4, "a text that lies elsewhere"}, {5, "e"}};
  live_test::throw_at_every_call([&] { block->by_number = source; },
                                 [&](live_test::countdown& countdown) {
                                   block->by_number =
                                       std::ranges::subrange(iterator(next.data(), countdown),
                                                             iterator(next.data() + 2, countdown));
                                 },
                                 [&](bool through) {
                                   EXPECT_EQ(block->by_number.contains(4), through);
                                   EXPECT_EQ(block->by_number.contains(1), !through);
                                   live_test::expect_accounted(block);
                                 });
  live_test::expect_opens_again(block);
}

TEST(live_hash_map, maps_hold_maps_of_their_own_type) {
  ingot::live<node> block(ingot::max_block_size{std::size_t{1} << 24});
  node* at = &*block;
  for (int depth = 0; depth < 20'000; ++depth) {
    at->value = static_cast<std::uint32_t>(depth);
    if (depth % 1'000 == 0) at->children["leaf"].value = 7;
    at = &at->children["the next one, by a key that lies elsewhere"];
  }
  live_test::expect_opens_again(block);
  auto copy = block;
  EXPECT_TRUE(copy == block);
  copy->children.clear();
  EXPECT_FALSE(copy == block);
  block->children.clear();
  block->children.shrink_to_fit();
  block->value = 0;
  ingot_test::expect_nothing_left(block);
}

TEST(live_hash_map, wide_blocks_hold_wide_ones) {
  struct wide_model {
    ingot::wide::hash_map<ingot::wide::string, std::uint64_t> all;
  };
  ingot::wide::live<wide_model> block;
  for (std::uint64_t i = 0; i < 1'000; ++i) block->all[key_of(i)] = i;
  for (std::uint64_t i = 0; i < 1'000; i += 3) block->all.erase(key_of(i));
  for (std::uint64_t i = 0; i < 1'000; ++i) ASSERT_EQ(block->all.contains(key_of(i)), i % 3 != 0);
  live_test::expect_opens_again(block);
}

TEST(live_hash_map, bytes_opened_in_place_are_read_and_overwritten) {
  ingot::live<world> block;
  for (std::uint64_t i = 0; i < 50; ++i) block->all[key_of(i)] = i;
  alignas(16) static std::byte memory[16'384];
  const auto bytes = block.bytes();
  ASSERT_LE(bytes.size(), sizeof memory);
  std::ranges::copy(bytes, memory);
  auto opened = ingot::live<world>::open_in_place(std::span(memory, bytes.size()));
  ASSERT_TRUE(opened.has_value());
  auto& map = (*opened)->all;
  map.at(key_of(3)) = 333;
  EXPECT_EQ(map.erase(key_of(4)), 1U);
  EXPECT_TRUE(map.try_insert("4", 4U).second) << "there is a slot for it";
  bool full = false;
  for (std::uint64_t i = 100; i < 200 && !full; ++i) full = !map.try_insert(std::to_string(i), i).second;
  EXPECT_TRUE(full);
  const auto again = ingot::live<world>::open(opened->bytes());
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ((*again)->all.at(key_of(3)), 333U);
}

} // namespace hash_map_test
