// SPDX-License-Identifier: Apache-2.0
// One value, one meaning: types whose width or period differs between platforms have the same bytes
// on all of them. Without these promises a time that one standard library writes is wrong by a
// factor of 1,000 when another one reads it.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema_id.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace platform_form_test {

using std::chrono::sys_time;
using in_microseconds = sys_time<std::chrono::duration<std::int64_t, std::micro>>;
using in_hundreds = sys_time<std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>>;
using in_nanoseconds = sys_time<std::chrono::duration<std::int64_t, std::nano>>;
using short_days = std::chrono::duration<std::int32_t, std::ratio<86'400>>;
using long_days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;

template <class T>
std::vector<std::byte> packed(const T& value) {
  const auto bytes = ingot::pack(value);
  return bytes ? std::vector<std::byte>(bytes->begin(), bytes->end()) : std::vector<std::byte>();
}
template <class T>
std::vector<std::byte> packed_compactly(const T& value) {
  const auto bytes = ingot::compact::pack(value);
  return bytes ? std::vector<std::byte>(bytes->begin(), bytes->end()) : std::vector<std::byte>();
}

template <class Time>
struct entry {
  Time at{};
  std::vector<Time> all;
  std::map<Time, std::uint8_t> by_time;
};
template <class Time>
entry<Time> sample() {
  using count = typename Time::duration;
  const auto time = [](int microseconds) {
    return Time(std::chrono::duration_cast<count>(std::chrono::microseconds(microseconds)));
  };
  return {
      time(1'700'000'000), {time(-7), time(0)}, {{time(-1), std::uint8_t{1}}, {time(2), std::uint8_t{2}}}};
}
template <class T>
bool equal(const entry<T>& a, const entry<T>& b) {
  return a.at == b.at && a.all == b.all && a.by_time == b.by_time;
}

/// The period of a library's system_clock makes no difference.
template <class Time>
void expect_nanoseconds() {
  const auto value = sample<Time>();
  const auto other = sample<in_nanoseconds>();
  EXPECT_EQ(packed(value), packed(other));
  EXPECT_EQ(packed_compactly(value), packed_compactly(other));
  EXPECT_EQ(ingot::schema_id<entry<Time>>, ingot::schema_id<entry<in_nanoseconds>>);
  const auto back = ingot::unpack<entry<Time>>(packed(other));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(equal(*back, value));
  const auto back_compactly = ingot::compact::unpack<entry<Time>>(packed_compactly(other));
  ASSERT_TRUE(back_compactly.has_value());
  EXPECT_TRUE(equal(*back_compactly, value));
  const auto bytes = packed(value);
  const auto view = ingot::view<entry<Time>>::open(bytes);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->template get<"at">(), other.at);
  EXPECT_EQ(view->template get<"all">()[0], other.all[0]);
}
TEST(platform_form, time_points_of_every_library_are_nanoseconds) {
  expect_nanoseconds<in_microseconds>();
  expect_nanoseconds<in_hundreds>();
  expect_nanoseconds<std::chrono::system_clock::time_point>();
}

struct stamped {
  std::vector<in_microseconds> at;
};
TEST(platform_form, times_that_nanoseconds_cannot_hold_are_rejected_on_writing) {
  constexpr auto max_time = std::chrono::microseconds(std::numeric_limits<std::int64_t>::max() / 1000);
  stamped value{{in_microseconds(max_time), in_microseconds(-max_time)}};
  EXPECT_TRUE(ingot::pack(value).has_value());
  for (const auto beyond :
       {max_time + std::chrono::microseconds(1), -max_time - std::chrono::microseconds(1)}) {
    value.at[1] = in_microseconds(beyond);
    const auto rejected = ingot::pack(value);
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(rejected.error().code(), ingot::errc::out_of_range);
    EXPECT_EQ(rejected.error().path(), "at[1]");
    const auto rejected_compactly = ingot::compact::pack(value);
    ASSERT_FALSE(rejected_compactly.has_value());
    EXPECT_EQ(rejected_compactly.error().code(), ingot::errc::out_of_range);
    EXPECT_EQ(rejected_compactly.error().path(), "at[1]");
  }
  EXPECT_FALSE(ingot::pack(in_microseconds::max()).has_value());
}
struct counted {
  std::vector<in_nanoseconds> at;
};
TEST(platform_form, times_between_two_ticks_of_the_reader_are_rejected_on_reading) {
  const counted value{
      {in_nanoseconds(std::chrono::nanoseconds(5000)), in_nanoseconds(std::chrono::nanoseconds(5001))}};
  const auto read = ingot::unpack<stamped>(packed(value));
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(read.error().path(), "at[1]");
  EXPECT_EQ(read.error().offset(), 12U);
  const auto read_compactly = ingot::compact::unpack<stamped>(packed_compactly(value));
  ASSERT_FALSE(read_compactly.has_value());
  EXPECT_EQ(read_compactly.error().code(), ingot::errc::out_of_range);
}
TEST(platform_form, other_periods_and_other_clocks_keep_theirs) {
  using std::chrono::sys_seconds;
  EXPECT_EQ(packed(sys_seconds(std::chrono::seconds(7)))[0], std::byte{7});
  EXPECT_EQ(packed(sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(7)))[0], std::byte{7});
  using steady = std::chrono::time_point<std::chrono::steady_clock, std::chrono::microseconds>;
  EXPECT_EQ(packed(steady(std::chrono::microseconds(7)))[0], std::byte{7});
  EXPECT_EQ(packed(std::chrono::microseconds(7))[0], std::byte{7});
}

TEST(platform_form, counts_of_named_durations_have_64_bits) {
  EXPECT_EQ(packed(short_days(-7)), packed(long_days(-7)));
  EXPECT_EQ(packed(short_days(-7)).size(), 8U);
  EXPECT_EQ(packed(sys_time<short_days>(short_days(20'000))), packed(sys_time<long_days>(long_days(20'000))));
  EXPECT_EQ(ingot::schema_id<short_days>, ingot::schema_id<long_days>);
  using short_milliseconds = std::chrono::duration<std::int32_t, std::milli>;
  // its own width, which is the same on all platforms
  EXPECT_EQ(packed(short_milliseconds(7)).size(), 4U);
  const auto far = ingot::unpack<short_days>(packed(long_days(std::int64_t{1} << 31)));
  ASSERT_FALSE(far.has_value());
  EXPECT_EQ(far.error().code(), ingot::errc::out_of_range);
}

struct with_long {
  std::int32_t before = 0;
  long number = 0;
  std::vector<unsigned long> all;
  std::map<long, std::string> names;
};
struct with_fixed {
  std::int32_t before = 0;
  std::int64_t number = 0;
  std::vector<std::uint64_t> all;
  std::map<std::int64_t, std::string> names;
};
TEST(platform_form, long_has_64_bits) {
  EXPECT_EQ(ingot::schema_id<with_long>, ingot::schema_id<with_fixed>);
  EXPECT_EQ(packed(with_long{1, -2, {3, 4}, {{-5, "a"}, {6, "b"}}}),
            packed(with_fixed{1, -2, {3, 4}, {{-5, "a"}, {6, "b"}}}));
  const auto back = ingot::unpack<with_long>(packed(with_fixed{1, -2, {3, 4}, {{-5, "a"}, {6, "b"}}}));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->number, -2);
  EXPECT_EQ(back->all, (std::vector<unsigned long>{3, 4}));
  EXPECT_EQ(back->names, (std::map<long, std::string>{{-5, "a"}, {6, "b"}}));
}
TEST(platform_form, a_number_that_long_does_not_hold_is_rejected) {
  const auto bytes = packed(with_fixed{1, 2, {1, 2, 0x1122334455667788}, {}});
  const auto read = ingot::unpack<with_long>(bytes);
  if constexpr (sizeof(long) == 8) {
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(std::uint64_t{read->all[2]}, std::uint64_t{0x1122334455667788});
  } else {
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code(), ingot::errc::out_of_range);
    EXPECT_EQ(read.error().path(), "all[2]");
    const auto view = ingot::view<with_long>::open(bytes); // a view accepts what `unpack` accepts
    ASSERT_FALSE(view.has_value());
    EXPECT_EQ(view.error().path(), "all[2]");
  }
}

enum class long_enum : long { one = 1, minus = -1 };
enum class wide_enum : std::int64_t { one = 1, minus = -1 };
TEST(platform_form, enums_of_long_have_64_bits) {
  EXPECT_EQ(packed(std::vector{long_enum::one, long_enum::minus}),
            packed(std::vector{wide_enum::one, wide_enum::minus}));
  EXPECT_EQ(ingot::schema_id<std::vector<long_enum>>, ingot::schema_id<std::vector<wide_enum>>);
  EXPECT_EQ(ingot::unpack<long_enum>(packed(wide_enum::minus)), long_enum::minus);
}

struct ordered {
  std::map<char, std::uint8_t> by_char;
  std::set<std::pair<char, char>> pairs;
};
TEST(platform_form, keys_of_char_ascend_by_code_unit) {
  const ordered value{{{'\xe9', std::uint8_t{1}}, {'a', std::uint8_t{2}}},
                      {{'\x80', 'a'}, {'a', '\xff'}, {'a', 'b'}}};
  const auto bytes = packed(value);
  ASSERT_EQ(bytes.size(), 8U + 4 + 6);
  const std::string_view tail(reinterpret_cast<const char*>(bytes.data()) + 8, 10);
  EXPECT_EQ(tail, "a\x02\xe9\x01"
                  "aba\xff\x80"
                  "a");
  const auto back = ingot::unpack<ordered>(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->by_char, value.by_char);
  const auto view = ingot::view<ordered>::open(bytes);
  ASSERT_TRUE(view.has_value());
  EXPECT_NE(view->get<"by_char">().find('\xe9'), view->get<"by_char">().end());
}

/// A block is memory: it has the compiler's own types, and its layout states their period.
struct block {
  in_microseconds at{};
  long number = 0;
  short_days days{};
  ingot::map<in_microseconds, int> by_time;
  ingot::hash_map<long, int> by_number;
};
TEST(platform_form, live_blocks_hold_the_types_as_they_are) {
  ingot::live<block> created;
  created->at = in_microseconds::max(); // fits
  created->number = -3;
  created->by_time.emplace(in_microseconds(std::chrono::microseconds(5)), 1);
  created->by_number.emplace(-3, 2);
  const auto back = ingot::live<block>::open(created.bytes());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ((*back)->at, in_microseconds::max());
  EXPECT_EQ((*back)->by_number.at(-3), 2);
  EXPECT_FALSE(ingot::pack(*created).has_value()); // as a message it doesn't
  created->at = {};
  EXPECT_TRUE(ingot::pack(*created).has_value());
}

struct limited {
  in_microseconds at{};
};

} // namespace platform_form_test

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<platform_form_test::limited> =
    ingot::annotate(ingot::member<"at">(ingot::range(0, 1'000'000)));
#endif

namespace platform_form_test {

#if !INGOT_REFLECTION
TEST(platform_form, a_range_is_in_the_stored_unit) {
  EXPECT_TRUE(ingot::unpack<limited>(packed(in_nanoseconds(std::chrono::milliseconds(1)))).has_value());
  const auto above = ingot::unpack<limited>(packed(in_nanoseconds(std::chrono::microseconds(1001))));
  ASSERT_FALSE(above.has_value());
  EXPECT_EQ(above.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(above.error().path(), "at");
}
#endif

} // namespace platform_form_test
