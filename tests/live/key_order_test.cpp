// SPDX-License-Identifier: Apache-2.0
// The order of keys, which is part of the format: two programs that disagree would not find each other's entries.
#include <ingot/live/key_order.hpp>
#include <ingot/live/string.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

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

TEST(live_key_order, floats_by_value_with_nan_behind_all) {
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

TEST(live_key_order, what_is_made_of_several_by_the_first_that_differs) {
  EXPECT_LT(compare_keys(point{1, 9}, point{2, 0}), 0);
  EXPECT_GT(compare_keys(point{1, 9}, twin{1, 0}), 0);
  EXPECT_EQ(compare_keys(point{1, 9}, twin{1, 9}), 0);
  EXPECT_LT(compare_keys(std::pair(1, 2), std::pair(1, 3)), 0);
  EXPECT_LT(compare_keys(std::array{1, 2}, std::array{2, 1}), 0);
}

} // namespace key_order_test
