// SPDX-License-Identifier: Apache-2.0
// Durations and times that are read with another period: exactly, or rejected with both periods in
// the message. Without this a second is read as a millisecond, or a file of another standard
// library can't be read.
#include <ingot/pack/evolution.hpp>
#include <ingot/schema/detail/period.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_period_test {

using ingot::errc;
using ingot::evolution;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_time;

template <class Bytes>
std::vector<std::byte> copy(const Bytes& bytes) {
  const auto view = ingot::as_bytes_view(*bytes);
  return {view.begin(), view.end()};
}

/// Reads in both profiles, which have to agree.
template <class New, class Old>
ingot::result<New> evolved(const Old& old) {
  const auto conversion = evolution<New>::from(ingot::schema_of<Old>());
  if (!conversion) return ingot::fail(conversion.error());
  const auto packed = conversion->unpack(copy(ingot::pack(old)));
  const auto compact = conversion->unpack_compact(copy(ingot::compact::pack(old)));
  EXPECT_EQ(packed.has_value(), compact.has_value());
  if (!packed) {
    EXPECT_EQ(packed.error().code(), compact.error().code());
    EXPECT_EQ(packed.error().path(), compact.error().path());
  }
  return packed;
}

template <class Rep>
using in_seconds = std::chrono::duration<Rep>;
template <class Rep>
using in_milliseconds = std::chrono::duration<Rep, std::milli>;

struct old_trip {
  std::string name;
  seconds lasts{};
  sys_time<seconds> begins{};
  std::vector<minutes> stops;
  std::optional<sys_time<milliseconds>> ends;
};
struct new_trip {
  sys_time<std::chrono::nanoseconds> begins{};
  std::string name;
  milliseconds lasts{};
  std::vector<seconds> stops;
  std::optional<sys_time<seconds>> ends;
};

TEST(evolution_period, what_is_exact_is_converted) {
  const old_trip old{"home",
                     seconds(-90),
                     sys_time<seconds>(seconds(1'700'000'000)),
                     {minutes(2), minutes(0)},
                     sys_time<milliseconds>(milliseconds(-5000))};
  const auto now = evolved<new_trip>(old);
  ASSERT_TRUE(now.has_value()) << now.error().message();
  EXPECT_EQ(now->lasts, milliseconds(-90'000));
  EXPECT_EQ(now->begins.time_since_epoch(), seconds(1'700'000'000));
  EXPECT_EQ(now->stops, (std::vector<seconds>{seconds(120), seconds(0)}));
  EXPECT_EQ(now->ends->time_since_epoch(), seconds(-5));
  const auto answer = ingot::compatible<new_trip>(ingot::schema_of<old_trip>());
  EXPECT_TRUE(answer);
  EXPECT_NE(answer.to_text().find("lasts: changed from duration in 1/1 s to duration in 1/1000 s"),
            std::string::npos)
      << answer.to_text();
}
TEST(evolution_period, what_is_not_exact_is_rejected_with_both_periods) {
  const old_trip old{"home", {}, {}, {}, sys_time<milliseconds>(milliseconds(-5001))};
  const auto now = evolved<new_trip>(old);
  ASSERT_FALSE(now.has_value());
  EXPECT_EQ(now.error().code(), errc::out_of_range);
  EXPECT_EQ(now.error().path(), "ends");
  EXPECT_EQ(now.error().expected(), "a duration in 1/1000 s that is a whole count in 1/1 s");
  const old_trip far{"home", seconds(std::numeric_limits<std::int64_t>::max() / 1000 + 1), {}, {}, {}};
  const auto too_far = evolved<new_trip>(far);
  ASSERT_FALSE(too_far.has_value());
  EXPECT_EQ(too_far.error().path(), "lasts");
}
TEST(evolution_period, counts_have_to_fit_the_new_integer) {
  using short_milliseconds = in_milliseconds<std::int16_t>;
  EXPECT_EQ(evolved<short_milliseconds>(seconds(32)), short_milliseconds(32'000));
  EXPECT_EQ(evolved<short_milliseconds>(seconds(33)).error().code(), errc::out_of_range);
  EXPECT_EQ(evolved<short_milliseconds>(seconds(-32)), short_milliseconds(-32'000));
  EXPECT_EQ(evolved<short_milliseconds>(seconds(-33)).error().code(), errc::out_of_range);
  using natural = in_milliseconds<std::uint64_t>;
  EXPECT_EQ(evolved<natural>(seconds(7)), natural(7000));
  EXPECT_EQ(evolved<natural>(seconds(-7)).error().code(), errc::out_of_range);
  using wide_natural = in_seconds<std::uint64_t>;
  EXPECT_EQ(evolved<seconds>(natural(std::numeric_limits<std::uint64_t>::max() - 615)),
            seconds(18'446'744'073'709'551));
  EXPECT_EQ(evolved<milliseconds>(wide_natural(9'223'372'036'854'775)),
            milliseconds(9'223'372'036'854'775'000));
  EXPECT_EQ(evolved<milliseconds>(wide_natural(9'223'372'036'854'776)).error().code(), errc::out_of_range);
  using lowest = in_milliseconds<std::int64_t>;
  EXPECT_EQ(evolved<in_seconds<std::int8_t>>(lowest(-128'000)), in_seconds<std::int8_t>(-128));
  EXPECT_EQ(evolved<in_seconds<std::int8_t>>(lowest(-129'000)).error().code(), errc::out_of_range);
}
TEST(evolution_period, periods_that_are_no_multiples_of_each_other_meet_where_they_can) {
  using frames = std::chrono::duration<std::int64_t, std::ratio<1, 60>>;
  EXPECT_EQ(evolved<milliseconds>(frames(6)), milliseconds(100));
  EXPECT_EQ(evolved<milliseconds>(frames(1)).error().code(), errc::out_of_range);
  EXPECT_EQ(evolved<frames>(milliseconds(-50)), frames(-3));
  EXPECT_EQ(evolved<hours>(minutes(60)), hours(1));
}
struct hash {
  template <class Duration>
  std::size_t operator()(const Duration& d) const {
    return static_cast<std::size_t>(d.count());
  }
};
TEST(evolution_period, ordered_keys_are_converted_and_hashed_ones_are_not) {
  using old_map = std::map<sys_time<seconds>, int>;
  using new_map = std::map<sys_time<milliseconds>, int>;
  const auto time = [](int n) { return sys_time<seconds>(seconds(n)); };
  EXPECT_EQ(evolved<new_map>(old_map{{time(-300), 1}, {time(2), 2}, {time(500), 3}}),
            (new_map{{time(-300), 1}, {time(2), 2}, {time(500), 3}}));
  EXPECT_EQ(evolved<std::set<milliseconds>>(std::set{seconds(1), seconds(2)}),
            (std::set{milliseconds(1000), milliseconds(2000)}));
  const auto hashed = evolution<std::unordered_map<milliseconds, int, hash>>::from(
      ingot::schema_of<std::unordered_map<seconds, int, hash>>());
  ASSERT_FALSE(hashed.has_value());
  EXPECT_EQ(hashed.error().code(), errc::schema_mismatch);
}

/// Every small count in every pair of some periods, compared with a computation by fractions.
TEST(evolution_period, conversion_agrees_with_fractions) {
  using ingot::schema_attributes;
  using ingot::schema_kind;
  const std::pair<std::uint64_t, std::uint64_t> periods[] = {{1, 1},  {1, 10}, {60, 1},
                                                             {1, 60}, {3, 7},  {14, 9}};
  const auto period = [](const auto& of) {
    return schema_attributes{schema_kind::duration, 0, 0, of.first, of.second};
  };
  int converted = 0;
  for (const auto& was : periods) {
    for (const auto& is : periods) {
      const auto step = ingot::detail::step_between(period(was), period(is));
      for (std::int64_t count = -400; count <= 400; ++count) {
        const auto above = count * static_cast<std::int64_t>(was.first * is.second);
        const auto below = static_cast<std::int64_t>(was.second * is.first);
        for (const bool has_sign : {true, false}) {
          const std::int64_t lowest = has_sign ? -128 : 0;
          const std::int64_t highest = has_sign ? 127 : 255;
          const bool fits = above % below == 0 && above / below >= lowest && above / below <= highest;
          const auto found = ingot::detail::convert_count(
              static_cast<std::uint64_t>(count), {schema_kind::integer, 8, 1},
              {schema_kind::integer, 1, static_cast<std::uint8_t>(has_sign ? 1 : 0)}, step);
          ASSERT_EQ(found.has_value(), fits) << count << ' ' << was.first << '/' << was.second;
          if (!fits) continue;
          ++converted;
          ASSERT_EQ(static_cast<std::int64_t>(*found), above / below);
        }
      }
    }
  }
  EXPECT_GT(converted, 3000);
}

} // namespace evolution_period_test
