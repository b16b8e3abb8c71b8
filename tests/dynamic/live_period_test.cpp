// SPDX-License-Identifier: Apache-2.0
// Live blocks are memory, and their layout contains the period of a time: a machine with another
// standard library reads the same times from it.
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/vector.hpp>

#include <chrono>
#include <cstdint>
#include <ratio>
#include <utility>

#include <gtest/gtest.h>

namespace live_period_test {

template <class Period>
using time = std::chrono::sys_time<std::chrono::duration<std::int64_t, Period>>;

template <class Period>
struct events {
  time<Period> first{};
  ingot::vector<time<Period>> all;
  ingot::map<time<Period>, std::int32_t> by_time;
  std::int64_t number = 0;
};

/// A block of a library whose clock has the period `From`, read where the clock has the period
/// `To`.
template <class From, class To>
void expect_same_times() {
  ingot::live<events<From>> written;
  const auto at = [](int n) { return std::chrono::microseconds(n); };
  written->first = time<From>(at(1'700'000'000));
  written->all.push_back(time<From>(at(-3)));
  written->by_time.emplace(time<From>(at(5)), 7);
  written->number = 9;
  const auto conversion = ingot::live_evolution<events<To>>::from(ingot::layout_of<events<From>>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  const auto read = conversion->open(written.bytes());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ((*read)->first.time_since_epoch(), at(1'700'000'000));
  EXPECT_EQ((*read)->all[0].time_since_epoch(), at(-3));
  EXPECT_EQ((*read)->by_time.at(time<To>(at(5))), 7);
  EXPECT_EQ((*read)->number, 9);
}
TEST(live_period, blocks_of_other_libraries_are_read_with_the_same_times) {
  using hundreds = std::ratio<1, 10'000'000>;
  expect_same_times<std::micro, std::nano>();
  expect_same_times<std::nano, std::micro>();
  expect_same_times<hundreds, std::micro>();
  expect_same_times<std::micro, std::micro>();
}
TEST(live_period, a_block_with_another_period_is_another_layout) {
  ingot::live<events<std::micro>> written;
  EXPECT_EQ(ingot::schema_id<events<std::micro>>, ingot::schema_id<events<std::nano>>);
  const auto read = ingot::live<events<std::nano>>::open(written.bytes());
  ASSERT_FALSE(read.has_value()); // otherwise the time would be 1,000 times later
  EXPECT_EQ(read.error().code(), ingot::errc::layout_mismatch);
}
TEST(live_period, a_layout_says_the_period_of_the_memory) {
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<events<std::micro>>());
  ASSERT_TRUE(layout.has_value());
  ingot::live<events<std::micro>> written;
  written->first = time<std::micro>(std::chrono::microseconds(5));
  const auto value = ingot::dynamic_block::open(written.bytes(), *layout);
  ASSERT_TRUE(value.has_value()) << value.error().message();
  EXPECT_EQ(value->root()["first"].period(), (std::pair<std::uint64_t, std::uint64_t>{1, 1'000'000}));
  EXPECT_EQ(value->root()["first"].value_or(std::int64_t{0}), 5);
}
TEST(live_period, a_time_between_two_ticks_is_rejected) {
  ingot::live<events<std::nano>> written;
  written->all.push_back(time<std::nano>(std::chrono::nanoseconds(1500)));
  const auto conversion =
      ingot::live_evolution<events<std::micro>>::from(ingot::layout_of<events<std::nano>>());
  ASSERT_TRUE(conversion.has_value());
  const auto read = conversion->open(written.bytes());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(read.error().path(), "all[0]");
}

} // namespace live_period_test
