// SPDX-License-Identifier: Apache-2.0
// A flat map in a block is a std::map in one storage: sorted keys, then their values. Only
// alignment padding is between them.
#include <ingot/live/flat_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/schema_id.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <ranges>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace flat_map_test {

using ingot::flat_map;
using ingot::string;
using ingot::vector;

struct part {
  string name;
  std::uint16_t number = 3;
};
struct part_std {
  std::string name;
  std::uint16_t number = 3;
};
struct model {
  flat_map<std::uint8_t, std::uint64_t> numbers;
  flat_map<string, part> parts;
};
struct model_std {
  std::map<std::uint8_t, std::uint64_t> numbers;
  std::map<std::string, part_std> parts;
};
struct folder {
  flat_map<string, folder> inner;
  int size = 0;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

model_std sample() {
  return {{{3, 30}, {1, 10}, {2, 20}}, {{"b", {"two", 2}}, {long_text, {long_text, 1}}, {"c", {"three", 3}}}};
}

static_assert(sizeof(flat_map<string, part>) == 8);
static_assert(ingot::kind_of<flat_map<int, int>> == ingot::kind::map && !ingot::is_multi<flat_map<int, int>>);
static_assert(std::random_access_iterator<flat_map<int, string>::iterator>);
static_assert(std::random_access_iterator<flat_map<string, int>::const_iterator>);
static_assert(std::ranges::random_access_range<flat_map<int, int>>);
static_assert(std::is_convertible_v<flat_map<int, int>::iterator, flat_map<int, int>::const_iterator>);
static_assert(!std::is_copy_constructible_v<flat_map<int, int>>);
static_assert(ingot::schema_id<model> == ingot::schema_id<model_std>);

TEST(live_flat_map, takes_the_twin_whole) {
  const ingot::live<model> live(sample());
  EXPECT_EQ(live->numbers.at(2), 20U);
  ASSERT_EQ(live->parts.size(), 3U);
  EXPECT_EQ(live->parts.at(long_text).name, long_text);
  EXPECT_EQ(live->parts.begin()->first, long_text);
  EXPECT_EQ(live->parts.find("b")->second.number, 2);
  EXPECT_TRUE(ingot_test::is_canonical(live));
  ingot_test::expect_whole(live);
  ingot_test::expect_whole(ingot::live<model>());
}

TEST(live_flat_map, finds_as_std_map_does) {
  ingot::live<model> live;
  auto& map = live->numbers;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(3), map.end());
  EXPECT_EQ(map.get_if(3), nullptr);
  map = {{7, 70}, {3, 30}, {5, 50}, {3, 31}};
  EXPECT_EQ(map.size(), 3U);
  EXPECT_EQ(map.at(3), 30U);
  EXPECT_TRUE(map.contains(5));
  EXPECT_FALSE(map.contains(6));
  EXPECT_EQ(map.count(7), 1U);
  EXPECT_EQ(map.lower_bound(4)->first, 5);
  EXPECT_EQ(map.lower_bound(5)->first, 5);
  EXPECT_EQ(map.upper_bound(5)->first, 7);
  EXPECT_EQ(map.upper_bound(7), map.end());
  EXPECT_EQ(map.equal_range(5).second - map.equal_range(5).first, 1);
  EXPECT_EQ(std::ranges::distance(map.rbegin(), map.rend()), 3);
  EXPECT_EQ(map.rbegin()->second, 70U);
  EXPECT_TRUE(std::ranges::equal(map.keys(), std::vector<std::uint8_t>{3, 5, 7}));
  EXPECT_EQ(map.values()[1], 50U);
  for (auto [key, value] : map) value += key;
  EXPECT_EQ(map[5], 55U);
  EXPECT_EQ(map[9], 0U);
  EXPECT_EQ((map.begin() + 1)[1].first, 7);
  EXPECT_EQ(map.insert_or_assign(std::uint8_t{9}, 99U).first->second, 99U);
  EXPECT_FALSE(map.insert(std::pair(std::uint8_t{9}, 1U)).second);
  EXPECT_TRUE(map.insert({std::uint8_t{8}, 88U}).second);
  EXPECT_EQ(map.emplace_hint(map.end(), 8, 1U)->second, 88U);
  EXPECT_EQ(map.erase(8), 1U);
  EXPECT_EQ(map.erase(8), 0U);
  EXPECT_EQ(map.erase(map.begin())->first, 5);
  EXPECT_EQ(map.erase_if([](const auto& entry) { return entry.first > 6; }), 2U);
  EXPECT_EQ(map.size(), 1U);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(static_cast<void>(map.at(200)), std::out_of_range);
#endif
  ingot_test::expect_whole(live);
}

TEST(live_flat_map, orders_text_by_unsigned_bytes_and_finds_it_by_any_text) {
  ingot::live<flat_map<string, int>> map;
  for (const char* key : {"b", "\xC3\xA4", "a", "", "ab"})
    map->try_emplace(key, static_cast<int>(std::strlen(key)));
  std::vector<std::string> keys;
  for (const auto& [key, value] : *map) keys.emplace_back(key.view());
  EXPECT_EQ(keys, (std::vector<std::string>{"", "a", "ab", "b", "\xC3\xA4"}));
  EXPECT_TRUE(map->contains(std::string_view("ab")) && map->contains(std::string("ab")) &&
              map->contains("ab"));
  EXPECT_TRUE(map->contains(map->begin()->first));
  (*map)["new"] = 4;
  EXPECT_EQ(map->at("new"), 4);
}

TEST(live_flat_map, rejects_nan_and_has_one_zero) {
  ingot::live<flat_map<double, int>> map;
  EXPECT_TRUE(map->try_insert(-0.0, 1).second);
  EXPECT_FALSE(map->try_insert(0.0, 2).second);
  EXPECT_FALSE(std::signbit(map->begin()->first));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(map->try_insert(nan, 3).first, map->end());
  EXPECT_FALSE(map->contains(nan));
  EXPECT_FALSE(map->try_assign(std::map<double, int>{{nan, 1}}));
  EXPECT_EQ(map->size(), 1U);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(map->try_emplace(nan, 3), std::domain_error);
#endif
  ingot_test::expect_whole(map);
}

TEST(live_flat_map, takes_arguments_from_its_own_entries) {
  ingot::live<flat_map<string, part>> map;
  (*map)[long_text].name = long_text;
  for (char c = 'z'; c >= 'b'; --c) { // each goes to the first position, and the storage grows
    const auto inserted = map->try_emplace(std::string(1, c), map->begin()->second);
    ASSERT_TRUE(inserted.second);
    EXPECT_EQ(inserted.first->second.name, long_text);
  }
  map->try_emplace(map->begin()->second.name.view().substr(1), map->rbegin()->second);
  map->insert_or_assign("b", map->at("c"));
  EXPECT_EQ(map->erase(map->begin()->first), 1U);
  ingot_test::expect_whole(map);
}

TEST(live_flat_map, without_space_is_unchanged) {
  std::vector<std::byte> memory(1100);
  auto created = ingot::live<model>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& live = *created;
  live->parts.try_emplace("a", long_text, std::uint16_t{1});
  const std::string much(2000, 'x');
  EXPECT_EQ(live->parts.try_insert("b", much).first, live->parts.end());
  EXPECT_EQ(live->parts.try_insert(much, "b").first, live->parts.end());
  model_std large = sample();
  large.parts["z"].name = much;
  EXPECT_FALSE(live->parts.try_assign(large.parts));
  EXPECT_FALSE(live->numbers.try_reserve(1000));
  EXPECT_EQ(live->parts.size(), 1U);
  EXPECT_EQ(live->parts.at("a").name, long_text);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(live->parts.try_emplace("b", much), ingot::out_of_space);
  EXPECT_THROW(live->parts.try_emplace(much, "b"), ingot::out_of_space);
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  EXPECT_THROW(live->parts.try_emplace("b", throwing{}), int);
  live->numbers = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
  EXPECT_THROW(live->numbers.erase_if(
                   [](const auto& entry) { return entry.first == 4 ? throw 1 : entry.first % 2 == 0; }),
               int);
  EXPECT_TRUE(std::ranges::equal(live->numbers.keys(), std::vector<int>{1, 3, 4}));
#endif
  ingot_test::expect_whole(live);
}

TEST(live_flat_map, leaves_no_bytes) {
  ingot::live<model> live(sample());
  live->numbers.erase(1);
  live->numbers.clear();
  live->numbers.shrink_to_fit();
  live->parts = std::map<std::string, part_std>{};
  live->parts.shrink_to_fit();
  ingot_test::expect_nothing_left(live);
}

TEST(live_flat_map, moves_and_swaps_within_a_block) {
  ingot::live<vector<flat_map<int, string>>> maps;
  maps->resize(2);
  (*maps)[0] = {{1, "one"}, {2, long_text}};
  const void* const keys = (*maps)[0].keys().data();
  (*maps)[1] = std::move((*maps)[0]);
  EXPECT_EQ((*maps)[1].keys().data(), keys);
  swap((*maps)[0], (*maps)[1]);
  (*maps)[1] = (*maps)[0];
  EXPECT_EQ((*maps)[0], (*maps)[1]);
  (*maps)[1][2] = "two";
  EXPECT_GT((*maps)[1], (*maps)[0]);
  (*maps)[0] = (*maps)[0];
  EXPECT_EQ((*maps)[0].at(2), long_text);
  ingot_test::expect_whole(maps);
}

TEST(live_flat_map, holds_its_own_type_below_to_any_depth) {
  ingot::live<folder> root(ingot::max_block_size{std::size_t{16} << 20});
  folder* at = &*root;
  for (int i = 0; i < 5000; ++i) {
    at->inner["z"].size = i;
    at = &at->inner["a"];
  }
  ingot_test::expect_whole(root);
  ingot::live<folder> copy;
  copy = *root;
  EXPECT_TRUE(copy == root);
  root->inner = root->inner.at("a").inner; // a part of the value that is replaced
  EXPECT_EQ(root->inner.at("z").size, 1);
  ingot_test::expect_whole(root);
  root->inner.clear();
  root->inner.shrink_to_fit();
  ingot_test::expect_nothing_left(root);
}

TEST(live_flat_map, takes_unordered_ranges) {
  std::unordered_map<std::string, part_std> from;
  for (int i = 0; i < 50; ++i) from[std::to_string(i * 7)] = {long_text, static_cast<std::uint16_t>(i)};
  ingot::live<model> live;
  live->parts = from;
  EXPECT_EQ(live->parts.size(), 50U);
  EXPECT_TRUE(std::ranges::is_sorted(live->parts.keys()));
  for (const auto& [key, value] : from) EXPECT_EQ(live->parts.at(key).number, value.number);
  live->numbers.insert_range(std::vector<std::pair<std::uint8_t, std::uint64_t>>{{4, 1}, {2, 2}, {4, 3}});
  EXPECT_EQ(live->numbers.at(4), 1U);
  ingot_test::expect_whole(live);
}

TEST(live_flat_map, follows_std_map_through_random_operations) {
  std::mt19937_64 random(4);
  ingot::live<model> live;
  model_std expected;
  const auto key = [&] { return std::string(random() % 20, static_cast<char>('a' + random() % 5)); };
  const int steps = live_test::operations(20'000);
  for (int step = 0; step < steps; ++step) {
    const auto number = static_cast<std::uint8_t>(random());
    switch (random() % 9) {
    case 0:
    case 1:
      EXPECT_EQ(live->numbers.try_emplace(number, static_cast<std::uint64_t>(step)).second,
                expected.numbers.try_emplace(number, step).second);
      break;
    case 2: EXPECT_EQ(live->numbers.erase(number), expected.numbers.erase(number)); break;
    case 3: live->numbers[number] = expected.numbers[number] = random(); break;
    case 4: {
      const auto k = key();
      live->parts[k].name = expected.parts[k].name = std::string(random() % 30, 'n');
      break;
    }
    case 5: {
      const auto k = key();
      EXPECT_EQ(live->parts.erase(k), expected.parts.erase(k));
      break;
    }
    case 6: {
      const auto lower = live->numbers.lower_bound(number);
      const auto same = expected.numbers.lower_bound(number);
      ASSERT_EQ(lower == live->numbers.end(), same == expected.numbers.end());
      if (same != expected.numbers.end()) {
        EXPECT_EQ(lower->first, same->first);
      }
      break;
    }
    case 7:
      if (random() % 50 == 0) {
        const auto odd = [](const auto& entry) { return entry.first % 2 == 1; };
        EXPECT_EQ(live->numbers.erase_if(odd), std::erase_if(expected.numbers, odd));
      }
      break;
    default:
      if (random() % 50 == 0) live->numbers.shrink_to_fit();
    }
    if (step % 4000 == 0) ingot_test::expect_whole(live);
  }
  EXPECT_TRUE(live == ingot::live<model>(expected));
  ASSERT_EQ(live->numbers.size(), expected.numbers.size());
  for (const auto& [k, v] : expected.numbers) EXPECT_EQ(live->numbers.at(k), v);
  ingot_test::expect_whole(live);
}

TEST(live_flat_map, survives_damage) {
  const ingot::live<model> block(sample());
  ingot_test::expect_damage_is_survived(block, [](model& m) {
    for (auto [key, value] : m.parts) {
      EXPECT_EQ(m.parts.find(key)->second.number, value.number);
      value.name += long_text;
    }
    for (const auto& [key, value] : m.numbers) EXPECT_EQ(m.numbers.at(key), value);
    EXPECT_FALSE(m.parts.contains("absent"));
    m.numbers.try_emplace(17, 1U);
    m.numbers[18] = 2;
    m.parts.try_emplace("m", long_text, std::uint16_t{1});
    m.parts.insert_or_assign(long_text, "x");
    m.parts.erase("b");
    m.parts.erase(m.parts.begin());
    EXPECT_TRUE(std::ranges::is_sorted(m.numbers.keys()));
    m.numbers.erase_if([](const auto& entry) { return entry.first < 3; });
    m.numbers.shrink_to_fit();
    m.parts.reserve(20);
    m.numbers.clear();
  });
}

TEST(live_flat_map, names_what_is_wrong_with_its_bytes) {
  ingot::live<flat_map<std::uint8_t, std::uint64_t>> block(
      std::map<std::uint8_t, std::uint64_t>{{1, 1}, {2, 2}, {3, 3}});
  const auto bytes = ingot_test::bytes_of(block);
  const auto keys = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(block->keys().data()) -
                                             block.bytes().data());
  const auto error_of = [&](std::size_t position, unsigned value) {
    auto damaged = bytes;
    damaged[position] = static_cast<std::byte>(value);
    return ingot::live<flat_map<std::uint8_t, std::uint64_t>>::open(damaged).error();
  };
  EXPECT_EQ(error_of(keys, 2).code(), ingot::errc::duplicate_key);
  EXPECT_EQ(error_of(keys, 2).path(), "[1]");
  EXPECT_EQ(error_of(keys + 1, 4).code(), ingot::errc::unsorted_keys);
  EXPECT_EQ(error_of(keys + 1, 4).path(), "[2]");
  EXPECT_EQ(error_of(ingot::detail::root_position + 4, 4).code(), ingot::errc::bad_length);
}

} // namespace flat_map_test
