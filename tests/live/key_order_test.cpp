// SPDX-License-Identifier: Apache-2.0
// The order of keys is part of the format: with different orders, two programs would not find each
// other's entries.
#include <ingot/live/detail/key_order.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace key_order_test {

using ingot::detail::compare_keys;
using ingot::detail::is_key;
using ingot::detail::is_normal_key;
using ingot::detail::is_plain_key;
using ingot::detail::normalize_key;
using ingot::detail::raw_key_t;

enum class color : std::int8_t { dark = -1, red, green };
struct point {
  std::int32_t x = 0;
  double y = 0;
};
struct twin {
  std::int32_t x = 0;
  double y = 0;
};

static_assert(is_plain_key<std::uint64_t>() && is_plain_key<bool>() && is_plain_key<char>() &&
              is_plain_key<color>());
static_assert(is_plain_key<std::chrono::seconds>() && is_plain_key<std::chrono::sys_seconds>());
static_assert(!is_plain_key<double>() && !is_plain_key<point>() && !is_plain_key<ingot::string>());
static_assert(!is_plain_key<std::chrono::duration<double>>());
static_assert(std::is_same_v<raw_key_t<char>, std::uint8_t> && std::is_same_v<raw_key_t<color>, std::int8_t>);

TEST(live_key_order, texts_stand_as_their_bytes_do_wherever_they_differ) {
  // Texts of all lengths around a word, equal up to any position, with letters below and above
  // 0x80.
  std::vector<std::string> texts;
  for (std::size_t n = 0; n <= 18; ++n) {
    for (std::size_t at = 0; at <= n; ++at) {
      for (const char letter : {'\0', 'a', '\x7f', '\x80', '\xff'}) {
        std::string text(n, 'a');
        if (at < n) text[at] = letter;
        texts.push_back(std::move(text));
      }
    }
  }
  const auto sign = [](int order) { return static_cast<int>(order > 0) - static_cast<int>(order < 0); };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); j += 1 + i % 3) {
      const std::string_view one = texts[i];
      const std::string_view other = texts[j];
      ASSERT_EQ(sign(compare_keys(one, other)), sign(one.compare(other))) << one << ' ' << other;
    }
  }
}

TEST(live_key_order, numbers_and_enums_by_value) {
  EXPECT_LT(compare_keys(-1, 1), 0);
  EXPECT_LT(compare_keys(std::int64_t{-1}, std::uint64_t{1}), 0);
  EXPECT_LT(compare_keys(color::dark, color::red), 0);
  EXPECT_GT(compare_keys(std::chrono::seconds(2), std::chrono::seconds(-2)), 0);
  EXPECT_EQ(compare_keys(true, true), 0);
}

TEST(live_key_order, characters_and_text_by_unsigned_units) {
  EXPECT_LT(compare_keys('a', '\xE4'), 0);
  EXPECT_LT(compare_keys(std::string("z"), "\xC3\xA4"), 0);
  EXPECT_LT(compare_keys(std::string_view("a"), std::string_view("a\0", 2)), 0);
  EXPECT_EQ(compare_keys(std::string("a"), std::string_view("a")), 0);
  EXPECT_LT(compare_keys(std::u16string_view(u"\U00010000"), std::u16string_view(u"\uFFFF")), 0);
}

TEST(live_key_order, floats_by_value_with_nan_last) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare_keys(-0.0, 0.0), 0);
  EXPECT_LT(compare_keys(std::numeric_limits<double>::infinity(), nan), 0);
  EXPECT_EQ(compare_keys(nan, nan), 0);
  EXPECT_FALSE(is_key(point{1, nan}));
  EXPECT_TRUE(is_key(point{1, -0.0}));
  EXPECT_FALSE(is_normal_key(point{1, -0.0}));
  point at{1, -0.0};
  normalize_key(at);
  EXPECT_FALSE(std::signbit(at.y));
  EXPECT_TRUE(is_normal_key(at));
}

TEST(live_key_order, records_by_the_first_member_that_differs) {
  EXPECT_LT(compare_keys(point{1, 9}, point{2, 0}), 0);
  EXPECT_GT(compare_keys(point{1, 9}, twin{1, 0}), 0);
  EXPECT_EQ(compare_keys(point{1, 9}, twin{1, 9}), 0);
  EXPECT_LT(compare_keys(std::pair(1, 2), std::pair(1, 3)), 0);
  EXPECT_LT(compare_keys(std::array{1, 2}, std::array{2, 1}), 0);
}

/// A key that owns a container of floats.
struct curve {
  std::uint8_t id = 0;
  ingot::vector<float> points;
};
struct curve_twin {
  std::uint8_t id = 0;
  std::vector<float> points;
};
struct keyed {
  ingot::map<ingot::vector<float>, std::uint8_t> map;
  ingot::set<curve> set;
  ingot::hash_map<ingot::vector<float>, std::uint8_t> hash_map;
  ingot::hash_set<ingot::vector<ingot::vector<float>>> nested;
  ingot::flat_map<ingot::vector<float>, std::uint8_t> flat;
};
using floats = std::vector<float>;

TEST(live_key_order, floats_in_sequences_in_keys_have_one_zero_and_no_nan) {
  ingot::live<keyed> block;
  block->map[floats{1, -0.0F}] = 1;
  block->set.insert(curve_twin{1, {-0.0F}});
  block->hash_map[floats{-0.0F}] = 1;
  block->nested.insert(std::vector<floats>{{}, {1, -0.0F}});
  block->flat[floats{-0.0F}] = 1;
  EXPECT_FALSE(std::signbit(block->map.begin()->first[1]));
  EXPECT_FALSE(std::signbit(block->set.begin()->points[0]));
  EXPECT_FALSE(std::signbit(block->hash_map.begin()->first[0]));
  EXPECT_FALSE(std::signbit((*block->nested.begin())[1][1]));
  EXPECT_FALSE(std::signbit((*block->flat.begin()).first[0]));
  EXPECT_TRUE(block->map.contains(floats{1, 0}) && block->map.contains(floats{1, -0.0F}));
  EXPECT_TRUE(block->hash_map.contains(floats{0}) && block->hash_map.contains(floats{-0.0F}));
  EXPECT_TRUE(block->flat.contains(floats{0}) && block->flat.contains(floats{-0.0F}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(block->map.try_emplace(floats{0}, std::uint8_t{2}).first->second, 2);
  EXPECT_EQ(block->map.try_insert(floats{nan}, std::uint8_t{3}).first, block->map.end());
  EXPECT_EQ(block->set.try_insert(curve_twin{1, {1, nan}}).first, block->set.end());
  EXPECT_EQ(block->hash_map.try_insert(floats{nan}, std::uint8_t{3}).first, block->hash_map.end());
  EXPECT_EQ(block->nested.try_insert(std::vector<floats>{{nan}}).first, block->nested.end());
  EXPECT_EQ(block->flat.try_insert(floats{nan}, std::uint8_t{3}).first, block->flat.end());
  EXPECT_TRUE(ingot::live<keyed>::open(block.bytes()));
}

/// Expects that a block is rejected when 1.5 in one of its keys is overwritten by -0.0 or NaN.
template <class T, class Fill>
void expect_rejected_when_not_normal(Fill fill) {
  ingot::live<T> block;
  fill(*block);
  const std::vector<std::byte> good(block.bytes().begin(), block.bytes().end());
  ASSERT_TRUE(ingot::live<T>::open(good));
  const auto bits = [](float x) { return std::bit_cast<std::array<std::byte, 4>>(x); };
  for (const float bad : {-0.0F, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<std::byte> bytes = good;
    const auto found = std::ranges::search(bytes, bits(1.5F));
    ASSERT_EQ(found.size(), 4U);
    std::ranges::copy(bits(bad), found.begin());
    const auto opened = ingot::live<T>::open(bytes);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), ingot::errc::not_canonical) << opened.error().message();
  }
}

TEST(live_key_order, blocks_with_other_keys_are_rejected) {
  using vector = ingot::vector<float>;
  expect_rejected_when_not_normal<ingot::map<vector, std::uint8_t>>(
      [](auto& map) { map[floats{2, 1.5F}] = 1; });
  expect_rejected_when_not_normal<ingot::set<curve>>([](auto& set) { set.insert(curve_twin{1, {1.5F}}); });
  expect_rejected_when_not_normal<ingot::hash_map<vector, std::uint8_t>>(
      [](auto& map) { map[floats{2, 1.5F}] = 1; });
  expect_rejected_when_not_normal<ingot::flat_map<vector, std::uint8_t>>(
      [](auto& map) { map[floats{2, 1.5F}] = 1; });
}

} // namespace key_order_test
