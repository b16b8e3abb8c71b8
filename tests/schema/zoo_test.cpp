// SPDX-License-Identifier: Apache-2.0
// Tests of the zoo, on which other tests depend. hostile/round_trip_test.cpp, which visits all
// types anyway, tests that each type's samples repeat for a seed and differ between seeds.
#include "zoo/zoo.hpp"

#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace zoo_test {

// Goldens depend on samples, so every compiler and machine has to draw the same ones.
TEST(zoo, samples_are_the_same_everywhere) {
  std::uint64_t numbers = 0;
  std::string text;
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    numbers = numbers * 31 + std::bit_cast<std::uint64_t>(zoo::sample<double>(seed));
    numbers = numbers * 31 + std::bit_cast<std::uint32_t>(zoo::sample<float>(seed));
    numbers = numbers * 31 + zoo::sample<std::uint64_t>(seed);
    for (const auto& row : zoo::sample<zoo::character>(seed).equips) numbers = numbers * 31 + row.uuid;
    text += zoo::sample<std::string>(seed);
  }
  for (const char c : text) numbers = numbers * 31 + static_cast<unsigned char>(c);
  EXPECT_EQ(numbers, 0x37D881C3B19267F1U);
}

TEST(zoo, recursive_samples_have_depth) {
  bool deep = false;
  for (std::uint64_t seed = 1; seed < 32; ++seed) {
    const auto tree = zoo::sample<zoo::outline>(seed);
    for (const auto& part : tree.parts) deep = deep || !part.parts.empty();
  }
  EXPECT_TRUE(deep);
}

TEST(zoo, equality_sees_bits_and_not_the_order_of_hash_tables) {
  EXPECT_FALSE(zoo::equal(0.0, -0.0));
  EXPECT_TRUE(zoo::equal(std::nan(""), std::nan("")));
  EXPECT_TRUE(zoo::equal(std::unordered_multiset<int>{1, 2, 2}, std::unordered_multiset<int>{2, 1, 2}));
  EXPECT_FALSE(zoo::equal(std::unordered_multiset<int>{1, 2, 2}, std::unordered_multiset<int>{1, 1, 2}));
  EXPECT_FALSE(zoo::equal(std::multimap<int, int>{{1, 2}, {1, 3}}, std::multimap<int, int>{{1, 3}, {1, 2}}));
  EXPECT_FALSE(zoo::equal(std::vector<bool>{true}, std::vector<bool>{true, false}));
  EXPECT_FALSE(zoo::equal(std::make_unique<int>(1), std::make_unique<int>(2)));
}

// The checks of the workload itself: independent implementations agree on these values.
TEST(zoo, char1_is_the_workloads_character) {
  const zoo::character c = zoo::char1(0);
  EXPECT_EQ(c.name, "mlvUQAfG");
  EXPECT_EQ(c.id, 0x28e837c5cb41dc3eU);
  EXPECT_EQ(c.level, 4261231228U);
  EXPECT_FLOAT_EQ(c.healthpoint, 0.0395690203F);
  ASSERT_EQ(c.items.size(), 64U);
  const auto& [key, item] = *c.items.begin();
  EXPECT_EQ(key, 0x00f64c9e274c54f4U);
  EXPECT_EQ(item.id, 1943450707U);
  EXPECT_EQ(item.number, 4209980811U);
  EXPECT_EQ(item.uuid, 0x9895a7b16ea1317eU);
  EXPECT_EQ(item.timestamp, 0x202442eee6dfc486U);
  EXPECT_EQ(c.skills.back().level, 1000981275U);
  EXPECT_EQ(zoo::char1(1).name, "sqIEmvsd");
}

} // namespace zoo_test
