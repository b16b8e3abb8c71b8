// SPDX-License-Identifier: Apache-2.0
// Writers reject each value that readers of its type reject. For values of many types,
// with each part invalidated in turn, `pack` and `compact::pack` succeed exactly when reading the
// bytes does, and fail with the same code, path and message. The functions below the check write
// the bytes. Without this, the sender loses a message.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "writes_what_is_read.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace closure_test {

using ingot::errc;

TEST(pack_closure, types_with_something_to_reject_write_what_they_read) {
  tally counts;
  zoo::for_each_rejected(writes_what_is_read{8, counts});
  EXPECT_GT(counts.written, 1000);
  EXPECT_GT(counts.rejected, 1000);
}
TEST(pack_closure, scalars_of_the_zoo_write_what_they_read) { // zoo_closure_test.cpp has the rest
  tally counts;
  zoo::for_each_scalar(writes_what_is_read{4, counts});
  EXPECT_GT(counts.written, 30);
}

/// A form that every sink rejects if `percent` is out of its range.
zoo::form with_percent(std::int32_t percent) {
  zoo::form f;
  f.percent = percent;
  return f;
}

template <class Pack>
void expect_unchanged_sinks(const Pack& pack_to) {
  const auto bad = with_percent(101);
  const auto expect_failure = [](const auto& outcome) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), errc::out_of_range);
    EXPECT_EQ(outcome.error().path(), "percent");
    EXPECT_EQ(outcome.error().expected(), "a value from 0 to 100");
  };
  std::vector<std::byte> vector(3, std::byte{7});
  expect_failure(pack_to(vector, bad));
  EXPECT_EQ(vector, std::vector<std::byte>(3, std::byte{7}));
  std::string text = "text";
  expect_failure(pack_to(text, bad));
  EXPECT_EQ(text, "text");
  ingot::buffer buffer;
  ASSERT_TRUE(pack_to(buffer, std::uint32_t{5}));
  const auto* const data = buffer.data();
  const auto capacity = buffer.capacity();
  expect_failure(pack_to(buffer, bad));
  EXPECT_EQ(buffer.size(), 4U);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.capacity(), capacity);
  std::array<std::byte, 256> memory;
  memory.fill(std::byte{9});
  expect_failure(pack_to(std::span<std::byte>(memory), bad));
  for (const std::byte each : memory) ASSERT_EQ(each, std::byte{9});
  ingot::fixed_buffer<256> fixed;
  ASSERT_TRUE(pack_to(fixed, std::uint8_t{1}));
  expect_failure(pack_to(fixed, bad));
  EXPECT_EQ(fixed.size(), 1U);
}

TEST(pack_closure, a_rejected_value_leaves_the_sink_as_it_was) {
  expect_unchanged_sinks([](auto&& sink, const auto& value) { return ingot::pack_to(sink, value); });
  expect_unchanged_sinks([](auto&& sink, const auto& value) { return ingot::compact::pack_to(sink, value); });
}

TEST(pack_closure, progress_makes_no_difference) {
  const auto progress = [](std::uint64_t, std::uint64_t) { return true; };
  EXPECT_EQ(ingot::pack(with_percent(-1), progress).error().path(), "percent");
  EXPECT_EQ(ingot::compact::pack(with_percent(-1), progress).error().path(), "percent");
  EXPECT_TRUE(ingot::pack(with_percent(1), progress));
}

TEST(pack_closure, a_rejected_entry_is_named_by_its_index_in_the_bytes) {
  std::unordered_map<std::uint32_t, zoo::gear> map;
  for (std::uint32_t i = 0; i < 100; ++i) map[i * 7919 % 1000] = zoo::gear::back;
  for (auto& [key, value] : map) {
    const auto before = std::exchange(value, static_cast<zoo::gear>(9));
    const auto read = ingot::unpack<std::unordered_map<std::uint32_t, zoo::gear>>(pack_test::unchecked(map));
    ASSERT_FALSE(read);
    zoo::expect_same_error(ingot::pack(map).error(), read.error(), "pack");
    zoo::expect_same_error(ingot::compact::pack(map).error(), read.error(), "compact");
    value = before;
  }
}

template <class T>
void expect_rejected_key(const T& value, std::string_view path) {
  const auto read = ingot::unpack<T>(pack_test::unchecked(value));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path(), path);
  EXPECT_EQ(read.error().code(), errc::bad_enum);
  zoo::expect_same_error(ingot::pack(value).error(), read.error(), "pack");
  const auto read_compact = ingot::compact::unpack<T>(pack_test::unchecked_compact(value));
  ASSERT_FALSE(read_compact);
  zoo::expect_same_error(ingot::compact::pack(value).error(), read_compact.error(), "compact");
}
TEST(pack_closure, keys_are_checked) {
  using zoo::level;
  expect_rejected_key(std::set<level>{level::none, level{9}}, "[1]");
  expect_rejected_key(std::map<level, std::string>{{level{-7}, "a"}, {level::none, "b"}}, "[0].key");
  expect_rejected_key(std::unordered_map<std::uint8_t, std::set<level>>{{5, {level{1}}}}, "[0].value[0]");
  expect_rejected_key(std::map<std::pair<std::string, level>, int>{{{"a", level{1}}, 2}}, "[0].key[1]");
}

/// An error that `pack` always reported has the path that readers report.
TEST(pack_closure, a_version_in_a_map_is_named_as_readers_name_it) {
  const std::map<std::string, zoo::save_header> map{{"a", {}},
                                                    {"b", {.version = 4, .title = {}, .length = 0}}};
  EXPECT_EQ(ingot::pack(map).error().path(), "[1].value.version");
  EXPECT_EQ(ingot::compact::pack(map).error().path(), "[1].value.version");
  // The first member is reported first.
  const zoo::save_header right;
  const zoo::save_header wrong{.version = 4, .title = {}, .length = 0};
  auto packed = ingot::pack(right).value();
  auto compact = ingot::compact::pack(right).value();
  packed.data()[0] = compact.data()[0] = std::byte{4};
  zoo::expect_same_error(ingot::pack(wrong).error(), ingot::unpack<zoo::save_header>(packed).error(), "pack");
  zoo::expect_same_error(ingot::compact::pack(wrong).error(),
                         ingot::compact::unpack<zoo::save_header>(compact).error(), "compact");
}

struct rounded {
  float share = 0;
  std::vector<std::array<float, 3>> more;
  [[nodiscard]] bool valid() const { return share != 0.25F; }
};

} // namespace closure_test
template <>
inline constexpr auto ingot::annotations<closure_test::rounded> =
    ingot::annotate(ingot::member<"share">(ingot::range(0, 1), ingot::quantize(0.4)));
namespace closure_test {

/// Compact bytes store the number after rounding to steps: 1 becomes 1.2, which is out of the
/// range.
TEST(pack_closure, rounded_members_are_checked_as_they_are_read) {
  tally counts;
  for (int i = -10; i < 30; ++i) {
    const rounded value{static_cast<float>(i) / 20, {}};
    expect_agreement(ingot::compact::pack(value),
                     ingot::compact::unpack<rounded>(pack_test::unchecked_compact(value)), "compact", counts);
    if (value.share >= 0 && value.share <= 1 && value.share != 0.25F) {
      EXPECT_TRUE(ingot::pack(value));
    }
  }
  EXPECT_GT(counts.written, 5);
  EXPECT_EQ(ingot::compact::pack(rounded{1, {}}).error().path(), "share");
}

TEST(pack_closure, typed_messages_are_checked_as_well) {
  std::vector<std::byte> sink(1);
  EXPECT_EQ(ingot::pack_typed_to(sink, with_percent(101)).error().path(), "percent");
  EXPECT_EQ(ingot::compact::pack_typed_to(sink, with_percent(101)).error().path(), "percent");
  EXPECT_EQ(sink.size(), 1U);
}

/// A type that the compiler knows to have nothing to reject costs nothing: these are `false` at
/// compile time.
TEST(pack_closure, what_has_nothing_to_reject_is_known_when_compiled) {
  constexpr ingot::detail::reader_checks checks{};
  static_assert(!ingot::detail::can_be_rejected<checks, std::vector<std::map<std::string, double>>>);
  static_assert(!ingot::detail::can_be_rejected<checks, zoo::point>);
  // `after_load` alone rejects nothing
  static_assert(!ingot::detail::can_be_rejected<checks, zoo::rectangle>);
  static_assert(!ingot::detail::can_be_rejected<checks, std::vector<zoo::money>>);
  static_assert(ingot::detail::can_be_rejected<checks, std::vector<zoo::serial_number>>);
  static_assert(ingot::detail::can_be_rejected<checks, std::optional<zoo::gear>>);
  static_assert(ingot::detail::can_be_rejected<checks, zoo::branch>);
}

constexpr bool rejects_in_constant_expressions() {
  std::vector<std::byte> bytes;
  const std::pair<zoo::gear, std::uint8_t> bad{static_cast<zoo::gear>(7), std::uint8_t{1}};
  return !ingot::pack_to(bytes, bad).has_value() && bytes.empty();
}
static_assert(rejects_in_constant_expressions());

} // namespace closure_test
