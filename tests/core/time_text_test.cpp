// SPDX-License-Identifier: Apache-2.0
// Times as text, as numbers and as durations. An error would change a time point: an earlier
// version read a count of seconds as one of nanoseconds.
#include <ingot/core/detail/time_text.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <random>
#include <ratio>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace time_text_test {

using ingot::detail::instant;
using ingot::detail::time_outcome;
using namespace std::chrono;

std::string text_of(const instant& from) {
  char chars[ingot::detail::max_time_text];
  return {chars, ingot::detail::write_time_text(chars, from)};
}
std::string duration_text_of(const instant& from) {
  char chars[ingot::detail::max_time_text];
  return {chars, ingot::detail::write_duration_text(chars, from)};
}
std::string shown(time_outcome outcome, const instant& time) {
  switch (outcome) {
  case time_outcome::malformed: return "malformed";
  case time_outcome::inexact: return "inexact";
  case time_outcome::out_of_range: return "out of range";
  case time_outcome::exact: break;
  }
  return std::to_string(time.seconds) + "+" + std::to_string(time.nanoseconds);
}
std::string read(std::string_view text) {
  instant time;
  const auto outcome = ingot::detail::read_time_text(text, time);
  return shown(outcome, time);
}
std::string read_duration(std::string_view text) {
  instant time;
  const auto outcome = ingot::detail::read_duration_text(text, time);
  return shown(outcome, time);
}
std::string read_number(double number) {
  instant time;
  const auto outcome = ingot::detail::read_time_number(number, time);
  return shown(outcome, time);
}

TEST(time_text, read_is_what_iso_8601_says) {
  EXPECT_EQ(read("1970-01-01T00:00:00Z"), "0+0");
  EXPECT_EQ(read("2023-11-14T22:13:20Z"), "1700000000+0");
  EXPECT_EQ(read("2023-11-14t22:13:20.5z"), "1700000000+500000000");
  EXPECT_EQ(read("2023-11-14 22:13:20,123456789Z"), "1700000000+123456789");
  EXPECT_EQ(read("2023-11-14T23:13:20+01:00"), "1700000000+0");
  EXPECT_EQ(read("2023-11-14T16:43:20-0530"), "1700000000+0");
  EXPECT_EQ(read("2023-11-14T23:13+01"), "1699999980+0");
  EXPECT_EQ(read("2023-11-14"), "1699920000+0");
  EXPECT_EQ(read("1969-12-31T23:59:59.999999999Z"), "-1+999999999");
  EXPECT_EQ(read("0000-02-29T00:00:00Z"), "-62162121600+0");
  EXPECT_EQ(read("2000-02-29"), "951782400+0");
  EXPECT_EQ(read("+010000-01-01T00:00:00Z"), "253402300800+0");
  EXPECT_EQ(read("-000001-12-31T23:59:59Z"), "-62167219201+0");
  EXPECT_EQ(read("2023-11-14T22:13:20.1234567890000Z"), "1700000000+123456789");
  EXPECT_EQ(read("2023-11-14T22:13:20.1234567891Z"), "inexact");
  EXPECT_EQ(read("+999999999999-01-01"), "out of range");
  for (const char* wrong : {"",
                            "2023",
                            "2023-11",
                            "2023-11-14T",
                            "2023-11-14T22",
                            "2023-11-14T22:13:20",
                            "2023-13-01",
                            "2023-00-01",
                            "2023-02-29",
                            "1900-02-29",
                            "2023-04-31",
                            "2023-11-14T24:00:00Z",
                            "2023-11-14T22:60:00Z",
                            "2016-12-31T23:59:60Z",
                            "2023-11-14T22:13:20.Z",
                            "2023-11-14T22:13:20Z ",
                            " 2023-11-14",
                            "2023-11-14Z",
                            "20231114T221320Z",
                            "2023-11-14T22:13:20+1:00",
                            "2023-11-14T22:13:20+24:00",
                            "2023-11-14T22:13:20+01:60",
                            "+2023-11-14",
                            "-99999-01-01",
                            "+1234567890123-01-01",
                            "2023-11-14T22:13:20ZZ",
                            "2023-11-1a",
                            "PT1S",
                            "2023/11/14"})
    EXPECT_EQ(read(wrong), "malformed") << wrong;
}

TEST(time_text, written_is_read_as_the_same) {
  EXPECT_EQ(text_of({1700000000, 0}), "2023-11-14T22:13:20Z");
  EXPECT_EQ(text_of({1700000000, 500'000'000}), "2023-11-14T22:13:20.500Z");
  EXPECT_EQ(text_of({1700000000, 123'456'000}), "2023-11-14T22:13:20.123456Z");
  EXPECT_EQ(text_of({-1, 1}), "1969-12-31T23:59:59.000000001Z");
  EXPECT_EQ(text_of({253402300800, 0}), "+010000-01-01T00:00:00Z");
  EXPECT_EQ(text_of({-62167219201, 0}), "-000001-12-31T23:59:59Z");
  EXPECT_EQ(text_of({std::numeric_limits<std::int64_t>::max(), 999'999'999}),
            "+292277026596-12-04T15:30:07.999999999Z");
  EXPECT_EQ(text_of({std::numeric_limits<std::int64_t>::min(), 0}), "-292277022657-01-27T08:29:52Z");
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto wide = static_cast<std::int64_t>(random());
    const instant time{wide >> random() % 63, static_cast<std::uint32_t>(random() % 1'000'000'000)};
    instant back;
    ASSERT_EQ(ingot::detail::read_time_text(text_of(time), back), time_outcome::exact) << text_of(time);
    ASSERT_EQ(back, time) << text_of(time);
    ASSERT_LE(text_of(time).size(), ingot::detail::max_time_text);
    ASSERT_EQ(ingot::detail::read_duration_text(duration_text_of(time), back), time_outcome::exact)
        << duration_text_of(time);
    ASSERT_EQ(back, time);
    ASSERT_LE(duration_text_of(time).size(), ingot::detail::max_time_text);
  }
}

TEST(time_text, durations) {
  EXPECT_EQ(read_duration("PT1.5S"), "1+500000000");
  EXPECT_EQ(read_duration("-PT0.25S"), "-1+750000000");
  EXPECT_EQ(read_duration("P1DT2H3M4S"), "93784+0");
  EXPECT_EQ(read_duration("+P2W"), "1209600+0");
  EXPECT_EQ(read_duration("P1W1D"), "691200+0");
  EXPECT_EQ(read_duration("PT36H"), "129600+0");
  EXPECT_EQ(read_duration("PT9223372036854775807S"), "9223372036854775807+0");
  EXPECT_EQ(read_duration("PT9223372036854775808S"), "out of range");
  EXPECT_EQ(read_duration("-PT9223372036854775808S"), "-9223372036854775808+0");
  EXPECT_EQ(read_duration("-PT9223372036854775808.1S"), "out of range");
  EXPECT_EQ(read_duration("PT18446744073709551617S"), "out of range");
  EXPECT_EQ(read_duration("P999999999999999999D"), "out of range");
  EXPECT_EQ(read_duration("PT0.0000000001S"), "inexact");
  for (const char* wrong : {"", "P", "PT", "P1", "P1Y", "P1M", "PT1", "P1H", "PT1D", "PT1S1M", "PT1.5M",
                            "PT1S1S", "P1DT", "1S", "--PT1S", "PT1.S", "PT-1S"})
    EXPECT_EQ(read_duration(wrong), "malformed") << wrong;
  EXPECT_EQ(duration_text_of({90, 0}), "PT90S");
  EXPECT_EQ(duration_text_of({-1, 750'000'000}), "-PT0.250S");
}

TEST(time_number, is_the_decimal_that_was_meant) {
  EXPECT_EQ(read_number(1700000000), "1700000000+0");
  EXPECT_EQ(read_number(1700000000.1), "1700000000+100000000");
  EXPECT_EQ(read_number(1700000000.123456), "1700000000+123456000");
  EXPECT_EQ(read_number(-0.5), "-1+500000000");
  EXPECT_EQ(read_number(-0.0), "0+0");
  EXPECT_EQ(read_number(0.9999999996), "1+0");
  EXPECT_EQ(read_number(5e-324), "0+0");
  EXPECT_EQ(read_number(-5e-324), "0+0");
  EXPECT_EQ(read_number(0x1p62), "4611686018427387904+0");
  EXPECT_EQ(read_number(0x1p63), "out of range");
  EXPECT_EQ(read_number(-0x1p63), "out of range");
  EXPECT_EQ(read_number(std::numeric_limits<double>::infinity()), "out of range");
  EXPECT_EQ(read_number(std::numeric_limits<double>::quiet_NaN()), "out of range");
}

template <class D>
std::string into(const instant& from) {
  D time{};
  const auto outcome = ingot::detail::to_duration(from, time);
  return outcome == time_outcome::exact ? std::to_string(time.count()) : shown(outcome, {});
}

TEST(time_duration, is_exact_or_rejected) {
  EXPECT_EQ(into<nanoseconds>({1700000000, 5}), "1700000000000000005");
  EXPECT_EQ(into<microseconds>({1700000000, 5}), "inexact");
  EXPECT_EQ(into<microseconds>({-1, 500'000'000}), "-500000");
  EXPECT_EQ(into<milliseconds>({1700000000, 5'000'000}), "1700000000005");
  EXPECT_EQ(into<seconds>({1700000000, 500'000'000}), "inexact");
  EXPECT_EQ(into<seconds>({-1, 0}), "-1");
  EXPECT_EQ(into<minutes>({61, 0}), "inexact");
  EXPECT_EQ(into<days>({-172800, 0}), "-2");
  EXPECT_EQ((into<duration<std::int64_t, std::pico>>({-1, 1})), "-999999999000");
  EXPECT_EQ((into<duration<std::int64_t, std::ratio<1001, 30000>>>({1001, 0})), "30000");
  EXPECT_EQ((into<duration<std::int8_t>>({128, 0})), "out of range");
  EXPECT_EQ((into<duration<std::uint32_t>>({-1, 0})), "out of range");
  EXPECT_EQ((into<duration<double>>({-1, 750'000'000})), std::to_string(-0.25));
  EXPECT_EQ(into<nanoseconds>({-9223372037, 145'224'192}), "-9223372036854775808");
  EXPECT_EQ(into<nanoseconds>({-9223372037, 145'224'191}), "out of range");
  EXPECT_EQ(into<nanoseconds>({9223372036, 854'775'808}), "out of range");
}

TEST(time_duration, comes_back) {
  const auto check = [](auto from) {
    instant time;
    ASSERT_EQ(ingot::detail::from_duration(from, time), time_outcome::exact);
    decltype(from) back{};
    ASSERT_EQ(ingot::detail::to_duration(time, back), time_outcome::exact);
    EXPECT_EQ(back, from);
  };
  check(nanoseconds::min());
  check(nanoseconds::max());
  check(microseconds::min());
  check(milliseconds::max());
  check(days(-5));
  check(duration<std::int64_t, std::pico>(-5000));
  check(duration<double>(-0.25));
  instant time;
  EXPECT_EQ(ingot::detail::from_duration(duration<std::int64_t, std::pico>(1), time), time_outcome::inexact);
  EXPECT_EQ(ingot::detail::from_duration(duration<std::int64_t, std::ratio<1, 3>>(1), time),
            time_outcome::inexact);
  EXPECT_EQ(ingot::detail::from_duration(duration<std::int64_t, std::ratio<1000>>::max(), time),
            time_outcome::out_of_range);
  EXPECT_EQ(ingot::detail::from_duration(duration<std::uint64_t>::max(), time), time_outcome::out_of_range);
}

} // namespace time_text_test
