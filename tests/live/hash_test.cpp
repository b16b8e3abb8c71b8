// SPDX-License-Identifier: Apache-2.0
// The hash is part of the format: any other reader has to compute these numbers. Another program
// computed them from the text in <ingot/live/hash.hpp>. The numbers of docs/format.md are among
// them: tests/python/test_hash.py compares them.
#include <ingot/live/detail/hash_layout.hpp>
#include <ingot/live/hash.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hash_test {

using namespace std::string_view_literals;
using ingot::hash_value;
namespace d = ingot::detail;

// Any seed but the first selects the keyed hash
constexpr std::uint64_t another_seed = 0x0123456789ABCDEF;

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

TEST(live_hash, the_keyed_hash_is_siphash_1_3) {
  // Computed by OpenSSL: openssl mac -macopt hexkey:... -macopt size:8 -macopt c-rounds:1 -macopt
  // d-rounds:3 SIPHASH
  EXPECT_EQ(d::first_seed, 0x7F4A7C159E3779B9);
  d::keyed_hash sip(0x0706050403020100, 0x0F0E0D0C0B0A0908);
  EXPECT_EQ(sip.done(), 0xABAC0158050FC4DC);
  sip.add(1);
  EXPECT_EQ(sip.done(), 0x32C5EA5CE472F19B);
  d::keyed_hash longer(5, 7); // more bytes than the count in its last block can express
  for (std::uint64_t i = 0; i < 40; ++i) longer.add(i);
  EXPECT_EQ(longer.done(), 0x71C8DD89B2E4AA29);
}

TEST(live_hash, keys_that_zero_a_factor_collide_under_the_first_seed_alone) {
  const auto key = [](std::uint64_t i, std::uint64_t seed) {
    const std::array<std::uint64_t, 2> halves{i, std::rotl(seed ^ 16 * d::text_factor, 32)};
    std::string text;
    for (const std::uint64_t half : halves) {
      for (unsigned byte = 0; byte < 8; ++byte) text += static_cast<char>(half >> 8 * byte & 0xFF);
    }
    return text;
  };
  EXPECT_EQ(hash_value(key(1, d::first_seed)), 0U);
  EXPECT_EQ(hash_value(key(2, d::first_seed)), 0U);
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, another_seed}) {
    EXPECT_NE(hash_value(key(1, seed), seed), hash_value(key(2, seed), seed)) << seed;
    EXPECT_NE(hash_value(key(1, d::first_seed), seed), hash_value(key(2, d::first_seed), seed)) << seed;
  }
}

TEST(live_hash, the_words_of_a_key_tell_it) {
  // The lengths of texts and sequences follow their parts, also in nested ones.
  using texts = std::vector<std::string>;
  const std::vector<std::vector<texts>> keys{{},
                                             {{}},
                                             {{}, {}},
                                             {{""}},
                                             {{"", ""}},
                                             {{""}, {""}},
                                             {{"a"}},
                                             {{"a", ""}},
                                             {{"", "a"}},
                                             {{std::string(1, '\0')}},
                                             {{std::string(8, '\0')}},
                                             {{std::string(9, '\0')}},
                                             {{std::string(8, '\0'), ""}},
                                             {{"12345678"}},
                                             {{"1234567812345678"}},
                                             {{"12345678", "12345678"}}};
  std::set<std::uint64_t> hashes;
  for (const auto& key : keys) hashes.insert(hash_value(key, another_seed));
  EXPECT_EQ(hashes.size(), keys.size());
}

TEST(live_hash, numbers_hash_as_specified) {
  const std::array<std::pair<std::uint64_t, std::array<std::uint64_t, 2>>, 5> expected{{
      {0, {0x4EF9C199BEEC8311, 0xAB49468563334844}},
      {1, {0x2CB15BD021A20723, 0x97077ABE3BECD836}},
      {~std::uint64_t{0}, {0x2EFDDD5DBE828B66, 0xCEEF50BB77F956DA}},
      {42, {0xCABDB3E09BFE362B, 0x8E344A3965AC5CF6}},
      {std::uint64_t{1} << 63, {0x1D95057CFF49C16B, 0x016B92E32AFA2B69}},
  }};
  for (const auto& [number, hashes] : expected) {
    EXPECT_EQ(hash_value(number), hashes[0]) << number;
    EXPECT_EQ(hash_value(number, another_seed), hashes[1]) << number;
  }
}

TEST(live_hash, text_hashes_as_specified) {
  const std::array<std::pair<std::string_view, std::array<std::uint64_t, 2>>, 11> expected{{
      {""sv, {0x4EF9C199BEEC8311, 0xAB49468563334844}},
      {"a"sv, {0xD43CF74BEC278451, 0xD5D246EF9F933566}},
      {"ab"sv, {0x16961264C12BAF89, 0x2FD3DDB8AE6F8A6E}},
      {"abc"sv, {0x9B6F55E0313851ED, 0x1AA53BFC7153C5CA}},
      {"abcd"sv, {0xF3F9A2B7B3B60085, 0x18CB9BB10506B3AA}},
      {"abcdefg"sv, {0xF882C2B928DC2750, 0xB5D7F825C43C6B93}},
      {"abcdefgh"sv, {0x17EF013F71D59482, 0xA08BF908702737C6}},
      {"abcdefghijklmnop"sv, {0x145A81388C35DBBB, 0x6F30AAA76CD3D698}},
      {"abcdefghijklmnopq"sv, {0xD186D24FB448AC9D, 0x4E41AABA5128B1AF}},
      {"abcdefghijklmnopqrstuvwxyz0123456"sv, {0xCCB94CE26B247F0D, 0x9ABCF2478742FC3B}},
      {"\xff\x80\x00"sv, {0x4DDBDBF85866C8B6, 0x85401B6947D89032}},
  }};
  for (const auto& [text, hashes] : expected) {
    EXPECT_EQ(hash_value(text), hashes[0]) << text;
    EXPECT_EQ(hash_value(text, another_seed), hashes[1]) << text;
    EXPECT_EQ(hash_value(std::string(text)), hashes[0]) << text;
  }
  EXPECT_EQ(hash_value(u"hi\u4e16"sv), 0xAC675708A486D73E) << "code units, least significant byte first";
  EXPECT_EQ(hash_value(U"abcd"sv), hash_value("a\0\0\0b\0\0\0c\0\0\0d\0\0\0"sv));
}

TEST(live_hash, of_text_is_the_same_without_a_jump_on_its_length) {
  std::string text;
  for (std::size_t n = 0; n <= 70; ++n) {
    // Exact size, so that sanitizers see where the text ends
    const std::string exact(text.begin(), text.end());
    for (const std::uint64_t seed : {d::first_seed, another_seed}) {
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

TEST(live_hash, records_of_numbers_and_text_hash_as_specified) {
  EXPECT_EQ(hash_value(0.0), 0x4EF9C199BEEC8311);
  EXPECT_EQ(hash_value(1.5), 0x1A266234F1E4E4D8);
  EXPECT_EQ(hash_value(-2.25f, another_seed), 0x091DF3AC2B7CFD3B);
  EXPECT_EQ(hash_value(std::pair(7, "seven"sv)), 0x921CC0A2A9AA51D9);
  EXPECT_EQ(hash_value(std::array<std::uint32_t, 3>{1, 2, 3}), 0x8DDC5F787F1E5849);
  EXPECT_EQ(hash_value(std::array<std::uint8_t, 3>{1, 2, 3}), 0xD83E7681426C0F53);
  EXPECT_EQ(hash_value(std::vector<std::uint32_t>{1, 2, 3}), 0x2A892D6A00E0CFF8);
  EXPECT_EQ(hash_value(std::pair(7, "seven"sv), another_seed), 0x104958FCD8573A4E);
  EXPECT_EQ(hash_value(std::array<std::uint32_t, 3>{1, 2, 3}, another_seed), 0x389BCC2111AEA7F8);
  EXPECT_EQ(hash_value(std::array<std::uint8_t, 3>{1, 2, 3}, another_seed), 0x1C775085F4846389);
  EXPECT_EQ(hash_value(std::vector<std::uint32_t>{1, 2, 3}, another_seed), 0xE3C212F40F842527);
  EXPECT_EQ(hash_value(u"hi\u4e16"sv, another_seed), 0xE1F4278ACFC1C144);
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

TEST(live_hash, it_is_constant_in_constant_expressions) {
  static_assert(hash_value(std::uint64_t{42}) == 0xCABDB3E09BFE362B);
  static_assert(hash_value(3) != hash_value(4));
  static_assert(hash_value(std::uint64_t{42}, another_seed) == 0x8E344A3965AC5CF6);
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

TEST(live_hash, homes_are_the_fewest_that_suffice) {
  for (std::size_t n = 1; n < 5'000; ++n) {
    const std::size_t home_count = d::hash_home_count(n);
    ASSERT_EQ(d::hash_capacity(home_count), n);
    if (home_count > 1) {
      ASSERT_LT(d::hash_capacity(home_count - 1), n);
    }
  }
}

TEST(live_hash, tags_and_homes_together_are_in_the_order_of_hashes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = random();
    const std::uint64_t b = i % 2 == 0 ? random() : a + random() % 1000;
    const std::size_t home_count = 1 + static_cast<std::size_t>(random()) % (std::size_t{1} << random() % 30);
    const auto left = d::locate(std::min(a, b), home_count);
    const auto right = d::locate(std::max(a, b), home_count);
    ASSERT_LT(right.home, home_count);
    ASSERT_TRUE(left.home < right.home || (left.home == right.home && left.tag <= right.tag));
  }
}

} // namespace hash_test
