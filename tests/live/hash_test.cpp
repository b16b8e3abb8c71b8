// SPDX-License-Identifier: Apache-2.0
// The hash is part of the format: these numbers are what any other reader has to get, and were computed by another program from
// the page in <ingot/live/hash.hpp>. Those of docs/format.md are among them, held by tests/python/test_hash.py.
#include <ingot/live/detail/hash_layout.hpp>
#include <ingot/live/hash.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hash_test {

using namespace std::string_view_literals;
using ingot::hash_value;
namespace d = ingot::detail;

constexpr std::uint64_t second_seed = d::next_seed(d::first_seed);

enum class signed_enum : std::int8_t { minus = -1 };
struct point {
  int x = 0;
  std::int64_t y = 0;
};
struct named {
  std::uint64_t id = 0;
  ingot::string name;
};
struct named_std {
  std::uint64_t id = 0;
  std::string name;
};

TEST(live_hash, seeds_follow_each_other_as_specified) {
  EXPECT_EQ(d::first_seed, 0x7F4A7C159E3779B9);
  EXPECT_EQ(second_seed, 0xC6069BCD9AB5F28D);
  EXPECT_EQ(d::next_seed(second_seed), 0x68A266631A5CDA39);
}

TEST(live_hash, numbers_hash_as_specified) {
  const std::array<std::pair<std::uint64_t, std::array<std::uint64_t, 2>>, 5> expected{{
      {0, {0x4EF9C199BEEC8311, 0xB2E7C3D30B56A5D1}},
      {1, {0x2CB15BD021A20723, 0x5D39314CC55FC224}},
      {~std::uint64_t{0}, {0x2EFDDD5DBE828B66, 0xBCF7AB136B6095D9}},
      {42, {0xCABDB3E09BFE362B, 0x0C6AA639260250F3}},
      {std::uint64_t{1} << 63, {0x1D95057CFF49C16B, 0x6F1AC568145A77BB}},
  }};
  for (const auto& [number, hashes] : expected) {
    EXPECT_EQ(hash_value(number), hashes[0]) << number;
    EXPECT_EQ(hash_value(number, second_seed), hashes[1]) << number;
  }
}

TEST(live_hash, text_hashes_as_specified) {
  const std::array<std::pair<std::string_view, std::array<std::uint64_t, 2>>, 11> expected{{
      {""sv, {0x4EF9C199BEEC8311, 0xB2E7C3D30B56A5D1}},
      {"a"sv, {0xD43CF74BEC278451, 0x72DA18F22EC848FB}},
      {"ab"sv, {0x16961264C12BAF89, 0x6580F6A9F3B54E2D}},
      {"abc"sv, {0x9B6F55E0313851ED, 0x5E98171F8147630E}},
      {"abcd"sv, {0xF3F9A2B7B3B60085, 0x5976FD1FCCB49DC6}},
      {"abcdefg"sv, {0xF882C2B928DC2750, 0x30D519C120AFD4D9}},
      {"abcdefgh"sv, {0x17EF013F71D59482, 0x94E816A4B0E589FE}},
      {"abcdefghijklmnop"sv, {0x145A81388C35DBBB, 0xA3184026590039F5}},
      {"abcdefghijklmnopq"sv, {0xD186D24FB448AC9D, 0x507BB12FB9B9DF6E}},
      {"abcdefghijklmnopqrstuvwxyz0123456"sv, {0xCCB94CE26B247F0D, 0xFDFA0AD071EB5B92}},
      {"\xff\x80\x00"sv, {0x4DDBDBF85866C8B6, 0x22CAD3B04FBC7540}},
  }};
  for (const auto& [text, hashes] : expected) {
    EXPECT_EQ(hash_value(text), hashes[0]) << text;
    EXPECT_EQ(hash_value(text, second_seed), hashes[1]) << text;
    EXPECT_EQ(hash_value(std::string(text)), hashes[0]) << text;
  }
  EXPECT_EQ(hash_value(u"hi\u4e16"sv), 0xAC675708A486D73E) << "code units, least significant byte first";
  EXPECT_EQ(hash_value(U"abcd"sv), hash_value("a\0\0\0b\0\0\0c\0\0\0d\0\0\0"sv));
}

TEST(live_hash, of_text_is_the_same_without_a_jump_on_its_length) {
  std::string text;
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::string exact(text.begin(), text.end()); // the sanitizers know where it ends
    for (const std::uint64_t seed : {d::first_seed, d::next_seed(d::first_seed)}) {
      EXPECT_EQ(d::hash_text_steadily(seed, exact.data(), n), d::hash_text(seed, exact.data(), n)) << n;
    }
    text += static_cast<char>(37 * n + 11);
  }
  const std::u16string wide = u"a text of wider units, each of two bytes";
  for (std::size_t n = 0; n <= wide.size(); ++n) {
    EXPECT_EQ(d::hash_text_steadily(d::first_seed, wide.data(), n),
              d::hash_text(d::first_seed, wide.data(), n));
  }
}

TEST(live_hash, what_is_made_of_numbers_and_text_hashes_as_specified) {
  EXPECT_EQ(hash_value(0.0), 0x4EF9C199BEEC8311);
  EXPECT_EQ(hash_value(1.5), 0x1A266234F1E4E4D8);
  EXPECT_EQ(hash_value(-2.25f, second_seed), 0xCE1277794D3522B8);
  EXPECT_EQ(hash_value(std::pair(7, "seven"sv)), 0x921CC0A2A9AA51D9);
  EXPECT_EQ(hash_value(std::array<std::uint32_t, 3>{1, 2, 3}), 0x8DDC5F787F1E5849);
  EXPECT_EQ(hash_value(std::array<std::uint8_t, 3>{1, 2, 3}), 0xD83E7681426C0F53);
  EXPECT_EQ(hash_value(std::vector<std::uint32_t>{1, 2, 3}), 0x2A892D6A00E0CFF8);
}

TEST(live_hash, it_is_the_value_that_is_hashed) {
  EXPECT_EQ(hash_value(std::int8_t{-1}), hash_value(std::int64_t{-1}));
  EXPECT_EQ(hash_value(signed_enum::minus), hash_value(-1));
  EXPECT_EQ(hash_value(true), hash_value(1));
  EXPECT_EQ(hash_value('\xff'), hash_value(255)) << "wherever char is signed";
  EXPECT_EQ(hash_value(-0.0), hash_value(0.0F));
  EXPECT_EQ(hash_value(std::chrono::seconds(42)), hash_value(42));
  EXPECT_EQ(hash_value(point{7, -9}), hash_value(std::pair(7, -9)));
  EXPECT_EQ(hash_value(std::vector<std::byte>{std::byte{'a'}, std::byte{'b'}}), hash_value("ab"sv));
}

TEST(live_hash, twins_hash_alike) {
  ingot::live<named> block;
  for (const std::string text : {"", "short", "a text that is too long for a string in place"}) {
    block->id = text.size();
    block->name = text;
    EXPECT_EQ(hash_value(*block), hash_value(named_std{text.size(), text}));
  }
}

TEST(live_hash, it_is_constant_where_that_is_asked) {
  static_assert(hash_value(std::uint64_t{42}) == 0xCABDB3E09BFE362B);
  static_assert(hash_value(3) != hash_value(4));
  static_assert(d::multiply(~std::uint64_t{0}, ~std::uint64_t{0}).high == ~std::uint64_t{1});
  static_assert(d::hash_text(d::first_seed, "abcdefghijklmnopqrstuvwxyz0123456", 33) == 0xCCB94CE26B247F0D);
  static_assert(d::hash_text(d::first_seed, u"hi\u4e16", 3) == 0xAC675708A486D73E);
}

TEST(live_hash, machines_without_wide_products_get_the_same) {
  std::mt19937_64 random(1);
  const auto same = [](std::uint64_t a, std::uint64_t b) {
    const auto one = d::multiply(a, b);
    const auto other = d::multiply_in_halves(a, b);
    return one.high == other.high && one.low == other.low;
  };
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(same(random() >> random() % 64, random() >> random() % 64));
  for (const std::uint64_t a :
       {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0xFFFFFFFF}}) {
    EXPECT_TRUE(same(a, ~std::uint64_t{0}));
    EXPECT_TRUE(same(a, std::uint64_t{1} << 32));
  }
}

TEST(live_hash, groups_of_tags_answer_the_same_on_any_machine) {
  std::mt19937_64 random(2);
  std::array<std::uint8_t, d::tag_group_size> tags{};
  for (int round = 0; round < 100'000; ++round) {
    for (auto& tag : tags)
      tag = static_cast<std::uint8_t>(random() % 3 == 0 ? 0 : 0x80 | (random() % 4 * 0x15 + 1));
    std::uint32_t full = 0;
    for (std::size_t i = 0; i < tags.size(); ++i) full |= std::uint32_t{tags[i] != 0} << i;
    ASSERT_EQ(d::portable_tag_group(tags.data()).full(), full);
    ASSERT_EQ(d::tag_group(tags.data()).full(), full);
    for (const std::uint8_t wanted :
         {tags[0], tags[9], std::uint8_t{0x80}, std::uint8_t{0x81}, std::uint8_t{0xFF}}) {
      if (wanted == 0) continue;
      std::uint32_t with = 0;
      for (std::size_t i = 0; i < tags.size(); ++i) with |= std::uint32_t{tags[i] == wanted} << i;
      ASSERT_EQ(d::portable_tag_group(tags.data()).with(wanted), with);
      ASSERT_EQ(d::tag_group(tags.data()).with(wanted), with);
    }
  }
}

TEST(live_hash, homes_are_the_fewest_that_have_room) {
  for (std::size_t n = 1; n < 5'000; ++n) {
    const std::size_t homes = d::hash_homes(n);
    ASSERT_EQ(d::hash_room(homes), n);
    if (homes > 1) {
      ASSERT_LT(d::hash_room(homes - 1), n);
    }
  }
}

TEST(live_hash, tags_and_homes_together_are_in_the_order_of_hashes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = random();
    const std::uint64_t b = i % 2 == 0 ? random() : a + random() % 1000;
    const std::size_t homes = 1 + static_cast<std::size_t>(random()) % (std::size_t{1} << random() % 30);
    const auto left = d::locate(std::min(a, b), homes);
    const auto right = d::locate(std::max(a, b), homes);
    ASSERT_LT(right.home, homes);
    ASSERT_TRUE(left.home < right.home || (left.home == right.home && left.tag <= right.tag));
  }
}

} // namespace hash_test
