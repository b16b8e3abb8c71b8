// SPDX-License-Identifier: Apache-2.0
// Times as RFC 3339 text, if the option requests it, and read back as the same times.
#include <ingot/json/json.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace time_style_test {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::sys_time;

constexpr ingot::json::write_options iso8601{.time_style = ingot::json::time_style::iso8601};

struct log_entry {
  std::chrono::system_clock::time_point at{};
  sys_seconds begins{};
  sys_days day{};
  std::chrono::milliseconds lasts{};
  std::vector<sys_time<std::chrono::milliseconds>> marks;
  std::map<sys_seconds, int> counts;
  bool operator==(const log_entry&) const = default;
};

TEST(json_time_style, times_are_written_as_text_and_read_back) {
  const log_entry entry{std::chrono::system_clock::time_point(1'700'000'000'500ms),
                        sys_seconds(0s),
                        sys_days(std::chrono::days(19'675)),
                        1500ms,
                        {sys_time<std::chrono::milliseconds>(-1ms)},
                        {{sys_seconds(-1s), 2}}};
  const auto text = ingot::json::write(entry, iso8601);
  EXPECT_EQ(
      text.value_or(""),
      R"({"at":"2023-11-14T22:13:20.500Z","begins":"1970-01-01T00:00:00Z","day":"2023-11-14T00:00:00Z",)"
      R"("lasts":1500,"marks":["1969-12-31T23:59:59.999Z"],"counts":[["1969-12-31T23:59:59Z",2]]})");
  const auto back = ingot::json::read<log_entry>(*text);
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(*back, entry);
  const auto counts = ingot::json::write(entry);
  EXPECT_TRUE(counts.value_or("").starts_with(R"({"at":1700000000500000000,)"));
  EXPECT_EQ(ingot::json::read<log_entry>(*counts), entry);
}
TEST(json_time_style, every_form_of_rfc_3339_is_read) {
  using nanoseconds = sys_time<std::chrono::nanoseconds>;
  const std::pair<const char*, std::chrono::nanoseconds> texts[] = {
      {"1985-04-12T23:20:50.52Z", 482'196'050'520ms},
      {"1996-12-19T16:39:57-08:00", 851'042'397s},
      {"1937-01-01T12:00:27.87+00:20", -1'041'337'172'130ms},
      {"1970-01-01t00:00:00.000000001000z", 1ns},
      {"2262-04-11T23:47:16.854775807Z", std::chrono::nanoseconds::max()},
      {"1970-01-01T00:00:00-00:00", 0s}};
  for (const auto& [text, since] : texts) {
    const auto read = ingot::json::read<nanoseconds>('"' + std::string(text) + '"');
    ASSERT_TRUE(read.has_value()) << text << ": " << read.error().message();
    EXPECT_EQ(read->time_since_epoch(), since) << text;
  }
}
TEST(json_time_style, what_is_no_time_of_the_type_is_rejected) {
  const auto expect = [](const char* text, ingot::errc code) {
    const auto read = ingot::json::read<std::vector<sys_time<std::chrono::milliseconds>>>(
        "[\"" + std::string(text) + "\"]");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().code(), code) << text;
    EXPECT_EQ(read.error().path(), "[0]");
    EXPECT_EQ(read.error().offset(), 1U);
  };
  expect("yesterday", ingot::errc::type_mismatch);
  expect("", ingot::errc::type_mismatch);
  expect("2023-02-29T00:00:00Z", ingot::errc::type_mismatch);
  expect("2023-11-14T22:13:20", ingot::errc::type_mismatch);
  expect("2023-11-14T22:13:20.0001Z", ingot::errc::out_of_range);
  expect("2023-11-14T22:13:20.0000000001Z", ingot::errc::out_of_range);
  EXPECT_EQ(
      ingot::json::read<std::chrono::system_clock::time_point>("\"9999-01-01T00:00:00Z\"").error().code(),
      ingot::errc::out_of_range);
}
TEST(json_time_style, what_text_cannot_say_is_rejected) {
  const auto far =
      ingot::json::write(std::vector{sys_seconds(253'402'300'799s), sys_seconds(253'402'300'800s)}, iso8601);
  ASSERT_FALSE(far.has_value());
  EXPECT_EQ(far.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(far.error().path(), "[1]");
  EXPECT_EQ(ingot::json::write(sys_seconds(253'402'300'799s), iso8601).value_or(""),
            R"("9999-12-31T23:59:59Z")");
  using picoseconds = std::chrono::duration<std::int64_t, std::pico>;
  EXPECT_FALSE(ingot::json::write(sys_time<picoseconds>(picoseconds(1)), iso8601).has_value());
}
TEST(json_time_style, times_of_other_clocks_and_in_floating_point_stay_counts) {
  using steady = std::chrono::time_point<std::chrono::steady_clock, std::chrono::seconds>;
  EXPECT_EQ(ingot::json::write(steady(7s), iso8601).value_or(""), "7");
  EXPECT_FALSE(ingot::json::read<steady>("\"1970-01-01T00:00:07Z\"").has_value());
  EXPECT_EQ(ingot::json::write(sys_time<std::chrono::duration<double>>(std::chrono::duration<double>(0.25)),
                               iso8601)
                .value_or(""),
            "0.25");
}
/// All numbers of digits, and the boundaries of days and years.
TEST(json_time_style, every_time_is_read_back) {
  using nanoseconds = sys_time<std::chrono::nanoseconds>;
  std::uint64_t seed = 1;
  std::vector<nanoseconds> times{nanoseconds::min(), nanoseconds::max(), nanoseconds()};
  for (int i = 0; i < 2000; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    auto count = static_cast<std::int64_t>(seed);
    for (int zeros = i % 10; zeros > 0; --zeros) count -= count % 10 == 0 ? 0 : count % 10, count /= 10;
    for (int zeros = i % 10; zeros > 0; --zeros) count *= 10;
    times.push_back(nanoseconds(std::chrono::nanoseconds(count)));
    times.push_back(nanoseconds(std::chrono::nanoseconds(count % 86'400'000'000'000)));
  }
  const auto text = ingot::json::write(times, iso8601);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(ingot::json::read<std::vector<nanoseconds>>(*text), times);
}

} // namespace time_style_test
