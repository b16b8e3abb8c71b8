// SPDX-License-Identifier: Apache-2.0
// A flat set in a block is a std::set in one piece.
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace flat_set_test {

using ingot::flat_set;
using ingot::string;
using ingot::vector;

enum class color : std::uint8_t { red = 1, green = 2, blue = 3 };
struct spot {
  std::int16_t x = 0;
  string name;
};
struct spot_std {
  std::int16_t x = 0;
  std::string name;
  auto operator<=>(const spot_std&) const = default;
};
struct model {
  flat_set<color> colors;
  flat_set<string> names;
  flat_set<spot> spots;
};
struct model_std {
  std::set<color> colors;
  std::set<std::string> names;
  std::set<spot_std> spots;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

model_std sample() {
  return {{color::blue, color::red}, {"b", long_text, "c"}, {{2, "two"}, {-1, long_text}, {2, "also"}}};
}

static_assert(sizeof(flat_set<string>) == 8);
static_assert(ingot::kind_of<flat_set<int>> == ingot::kind::set && !ingot::is_multi<flat_set<int>>);
static_assert(std::ranges::contiguous_range<flat_set<string>>);

TEST(live_flat_set, takes_the_twin_whole) {
  const ingot::live<model> live(sample());
  EXPECT_EQ(live->colors.size(), 2U);
  EXPECT_TRUE(live->names.contains(long_text));
  EXPECT_EQ(live->spots.begin()->x, -1);
  EXPECT_EQ(live->spots.begin()[1].name, "also");
  EXPECT_TRUE(live->spots.contains(spot_std{2, "two"}));
  EXPECT_FALSE(live->spots.contains(spot_std{2, "three"}));
  EXPECT_TRUE(ingot_test::is_canonical(live));
  ingot_test::expect_whole(live);
  ingot_test::expect_whole(ingot::live<model>());
}

TEST(live_flat_set, is_a_std_set) {
  ingot::live<model> live;
  auto& set = live->names;
  set = {"c", "a", "b", "a"};
  EXPECT_EQ(set.size(), 3U);
  EXPECT_FALSE(set.insert("a").second);
  EXPECT_TRUE(set.insert(long_text).second);
  EXPECT_EQ(*set.lower_bound("aa"), "b");
  EXPECT_EQ(*set.upper_bound("b"), "c");
  EXPECT_EQ(set.find("x"), set.end());
  EXPECT_EQ(set.count("c"), 1U);
  EXPECT_EQ(set.erase("c"), 1U);
  EXPECT_EQ(set.erase(set.begin())->view(), long_text);
  set.emplace(set.begin()->view().substr(2));
  EXPECT_EQ(*set.emplace_hint(set.begin(), "zz"), "zz");
  set.insert_range(std::vector<std::string>{"q", "p"});
  EXPECT_TRUE(std::ranges::is_sorted(set.keys()));
  EXPECT_EQ(set.erase_if([](const string& key) { return key.size() < 3; }), 4U);
  EXPECT_EQ(set.size(), 2U);
  live->colors.insert(color::green);
  EXPECT_NE(live->colors, ingot::live<model>()->colors);
  ingot_test::expect_whole(live);
  set.clear();
  set.shrink_to_fit();
  live->colors.clear();
  live->colors.shrink_to_fit();
  ingot_test::expect_nothing_left(live);
}

TEST(live_flat_set, follows_std_set_through_random_operations) {
  std::mt19937_64 random(5);
  ingot::live<model> live;
  model_std expected;
  const int steps = live_test::operations(10'000);
  for (int step = 0; step < steps; ++step) {
    const std::string name(random() % 20, static_cast<char>('a' + random() % 6));
    const spot_std at{static_cast<std::int16_t>(random() % 40 - 20), name};
    switch (random() % 5) {
    case 0: EXPECT_EQ(live->names.insert(name).second, expected.names.insert(name).second); break;
    case 1: EXPECT_EQ(live->names.erase(name), expected.names.erase(name)); break;
    case 2: EXPECT_EQ(live->spots.contains(at), expected.spots.contains(at)); break;
    case 3: EXPECT_EQ(live->spots.insert(at).second, expected.spots.insert(at).second); break;
    default: EXPECT_EQ(live->spots.erase(at), expected.spots.erase(at));
    }
    if (step % 2500 == 0) ingot_test::expect_whole(live);
  }
  EXPECT_TRUE(live == ingot::live<model>(expected));
  EXPECT_TRUE(std::ranges::equal(live->names, expected.names, {}, &string::view));
  ingot_test::expect_whole(live);
}

TEST(live_flat_set, without_space_is_unchanged) {
  std::vector<std::byte> memory(900);
  auto created = ingot::live<model>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& set = (*created)->names;
  set.insert("a");
  const std::string much(2000, 'x');
  EXPECT_EQ(set.try_insert(much).first, set.end());
  EXPECT_FALSE(set.try_assign(std::set<std::string>{"b", much}));
  EXPECT_EQ(set.size(), 1U);
  EXPECT_TRUE(set.contains("a"));
#if INGOT_EXCEPTIONS
  EXPECT_THROW(set.insert(much), ingot::out_of_space);
#endif
  ingot_test::expect_whole(*created);
}

TEST(live_flat_set, survives_damage) {
  const ingot::live<model> block(sample());
  ingot_test::expect_damage_is_survived(block, [](model& m) {
    for (const auto& key : m.names) EXPECT_NE(m.names.find(key), m.names.end());
    for (const auto& key : m.spots) EXPECT_NE(m.spots.find(key), m.spots.end());
    EXPECT_FALSE(m.names.contains("absent"));
    m.names.insert("m");
    m.colors.insert(color::green);
    m.spots.insert(spot_std{0, long_text});
    m.spots.erase(m.spots.begin());
    m.names.erase_if([](const string& key) { return key.size() == 1; });
    m.names.reserve(30);
    m.colors.clear();
  });
}

} // namespace flat_set_test
