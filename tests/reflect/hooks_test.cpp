// SPDX-License-Identifier: Apache-2.0
// A type's own checks run each time it is read, and the limits of its members apply to the final
// value.
#include <ingot/reflect/hooks.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

struct even {
  int value = 0;
  [[nodiscard]] bool valid() const { return value % 2 == 0; }
};
struct counted {
  int value = 0;
  int loads = 0;
  void after_load() { ++loads; }
};
struct refusing {
  int value = 0;
  [[nodiscard]] bool after_load() const { return value > 0; }
};
struct explaining {
  int value = 0;
  ingot::result<void> after_load() {
    if (value < 0) return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("no debt"));
    value *= 2;
    return {};
  }
  [[nodiscard]] bool valid() const { return value < 100; }
};
struct foreign {
  int value = 0;
};
struct bare {
  int value;
};
struct limited {
  int percent;
  std::vector<double> samples;
  int grid[2];
  std::optional<unsigned> maybe;
  std::string text;
  std::chrono::seconds wait;
  int free;
};

} // namespace zoo

template <>
struct ingot::valid<zoo::foreign> {
  static bool check(const zoo::foreign& f) { return f.value != 13; }
};
template <>
struct ingot::after_load<zoo::foreign> {
  static ingot::result<void> run(zoo::foreign& f) {
    ++f.value;
    return {};
  }
};
template <>
inline constexpr auto ingot::annotations<zoo::limited> = ingot::annotate(
    ingot::member<"percent">(ingot::range(0, 100)), ingot::member<"samples">(ingot::range(-1.0, 1.0)),
    ingot::member<"samples">(ingot::max_size(3)), ingot::member<"grid">(ingot::range(1, 9)),
    ingot::member<"maybe">(ingot::range(5U, 6U)), ingot::member<"text">(ingot::utf8, ingot::max_size(8)),
    ingot::member<"wait">(ingot::range(0, 60)));

namespace hooks_test {

template <class T>
bool runs(T& object) {
  ingot::detail::hook_failure failure;
  return ingot::detail::run_hooks(object, failure);
}
template <std::size_t I, class V>
bool accepts(const V& value) {
  ingot::detail::limit_failure failure;
  return ingot::detail::check_member<zoo::limited, I>(value, failure);
}

TEST(hooks, types_without_any_cost_nothing) {
  static_assert(!ingot::detail::has_hooks<zoo::bare> && !ingot::detail::has_hooks<int>);
  static_assert(!ingot::detail::has_hooks<std::string> && !ingot::detail::has_hooks<std::vector<int>>);
  static_assert(ingot::detail::has_hooks<zoo::even> && ingot::detail::has_hooks<zoo::foreign>);
}

TEST(valid, decides) {
  zoo::even object{4};
  EXPECT_TRUE(runs(object));
  object.value = 5;
  EXPECT_FALSE(runs(object));
}

TEST(after_load, runs_once_and_may_return_nothing) {
  zoo::counted object;
  EXPECT_TRUE(runs(object));
  EXPECT_EQ(object.loads, 1);
}

TEST(after_load, may_reject_with_a_bool) {
  zoo::refusing object{1};
  EXPECT_TRUE(runs(object));
  object.value = 0;
  EXPECT_FALSE(runs(object));
}

TEST(after_load, may_reject_with_an_error_that_is_passed_on) {
  zoo::explaining object{-1};
  ingot::detail::hook_failure failure;
  EXPECT_FALSE(ingot::detail::run_hooks(object, failure));
  EXPECT_TRUE(failure.has_error);
  EXPECT_EQ(failure.why.expected(), "no debt");
}

TEST(after_load, comes_before_valid) {
  zoo::explaining object{60}; // doubled by after_load, and then too great
  EXPECT_FALSE(runs(object));
  object.value = 40;
  EXPECT_TRUE(runs(object));
}

TEST(hooks, traits_serve_foreign_types) {
  zoo::foreign object{12};
  EXPECT_FALSE(runs(object));
  object.value = 1;
  EXPECT_TRUE(runs(object));
  EXPECT_EQ(object.value, 2);
}

TEST(range, is_checked_on_numbers_and_their_containers) {
  EXPECT_TRUE((accepts<0>(100) && !accepts<0>(101) && !accepts<0>(-1)));
  EXPECT_TRUE((accepts<1>(std::vector<double>{-1, 0, 1})));
  EXPECT_FALSE((accepts<1>(std::vector<double>{0, 1.01})));
  EXPECT_FALSE((accepts<1>(std::vector<double>{std::numeric_limits<double>::quiet_NaN()})));
  const int good[2] = {1, 9};
  const int bad[2] = {1, 10};
  EXPECT_TRUE(accepts<2>(good));
  EXPECT_FALSE(accepts<2>(bad));
  EXPECT_TRUE(accepts<3>(std::optional<unsigned>{}));
  EXPECT_FALSE(accepts<3>(std::optional<unsigned>{7}));
  EXPECT_TRUE(accepts<5>(std::chrono::seconds{60}));
  EXPECT_FALSE(accepts<5>(std::chrono::seconds{61}));
  EXPECT_TRUE(accepts<6>(std::numeric_limits<int>::min()));
}

TEST(max_size, counts_elements_and_bytes) {
  EXPECT_FALSE((accepts<1>(std::vector<double>{0, 0, 0, 0})));
  EXPECT_TRUE(accepts<4>(std::string("12345678")));
  EXPECT_FALSE(accepts<4>(std::string("123456789")));
}

struct utf8_case {
  std::string_view text;
  bool good;
};
constexpr std::array utf8_cases = {
    utf8_case{"", true},
    utf8_case{"plain", true},
    utf8_case{{"\0", 1}, true},
    utf8_case{"\x7F", true},
    utf8_case{"\x80", false},             // continuation byte alone
    utf8_case{"\xC2\x80", true},          // first of two bytes
    utf8_case{"\xC1\xBF", false},         // overlong
    utf8_case{"\xC0\x80", false},         // overlong zero
    utf8_case{"\xDF\xBF", true},          // last of two bytes
    utf8_case{"\xC2", false},             // truncated
    utf8_case{"\xC2 ", false},            // no continuation byte
    utf8_case{"\xE0\xA0\x80", true},      // first of three bytes
    utf8_case{"\xE0\x9F\xBF", false},     // overlong
    utf8_case{"\xED\x9F\xBF", true},      // last before the surrogates
    utf8_case{"\xED\xA0\x80", false},     // surrogate
    utf8_case{"\xEE\x80\x80", true},      // first after the surrogates
    utf8_case{"\xEF\xBF\xBF", true},      // last of three bytes
    utf8_case{"\xE2\x82", false},         // truncated
    utf8_case{"\xE2\x82\xC0", false},     // third byte is no continuation byte
    utf8_case{"\xF0\x90\x80\x80", true},  // first of four bytes
    utf8_case{"\xF0\x8F\xBF\xBF", false}, // overlong
    utf8_case{"\xF4\x8F\xBF\xBF", true},  // U+10FFFF
    utf8_case{"\xF4\x90\x80\x80", false}, // past it
    utf8_case{"\xF5\x80\x80\x80", false},
    utf8_case{"\xF0\x90\x80", false}, // truncated
    utf8_case{"\xFF", false},
    utf8_case{"a\xC3\xA9z\xE2\x82\xAC\xF0\x9F\x98\x80", true},
};

TEST(utf8, table_of_boundaries) {
  for (const auto& each : utf8_cases) {
    EXPECT_EQ(ingot::detail::is_utf8(each.text), each.good) << testing::PrintToString(each.text);
    EXPECT_EQ(ingot::detail::is_utf8("ab" + std::string(each.text) + "c"), each.good);
  }
  static_assert(ingot::detail::is_utf8("\xC2\x80") && !ingot::detail::is_utf8("\xC1\xBF"));
}

TEST(utf8, is_checked_on_members) {
  EXPECT_TRUE(accepts<4>(std::string("\xC3\xA9")));
  EXPECT_FALSE(accepts<4>(std::string("\xC3")));
}

// The error says which values would be accepted.
TEST(range_text, has_both_bounds_exactly) {
  const auto text = [](auto low, auto high) {
    const ingot::range_t limits = {ingot::bound::of(low), ingot::bound::of(high)};
    return std::string(ingot::detail::range_text(limits.low, limits.high).view());
  };
  EXPECT_EQ(text(0, 150), "a value from 0 to 150");
  EXPECT_EQ(text(-5, -1L), "a value from -5 to -1");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()),
            "a value from -9223372036854775808 to 18446744073709551615");
  EXPECT_EQ(text(-0.5, 0.1), "a value from -0.5 to 0.1");
  EXPECT_EQ(text(0.0, 1e14), "a value from 0 to 100000000000000");
  EXPECT_EQ(text(-273.15, 1.0625), "a value from -273.15 to 1.0625");
  EXPECT_EQ(text(0.000000001, 2.05), "a value from 0.000000001 to 2.05");
  for (const double unprinted :
       {1e15, 1e-10, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(text(0, unprinted), "a value within the member's range") << unprinted;
  static_assert(ingot::detail::range_text(ingot::bound::of(0), ingot::bound::of(1.5)).view() ==
                "a value from 0 to 1.5");
}

} // namespace hooks_test
