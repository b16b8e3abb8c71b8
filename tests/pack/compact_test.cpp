// SPDX-License-Identifier: Apache-2.0
// The compact profile's lengths, integers and limits; at run time and in constant expressions.
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/pack/compact.hpp>

#include "compact_expect.hpp"
#include "constant_containers.hpp"

#include <gtest/gtest.h>

namespace numbers {

enum class grade : std::int16_t { low = -100, middle = 0, high = 200 };
enum class flag : std::uint8_t { off, on };

template <class T>
struct varying {
  T value{};
};
struct mixed {
  std::uint32_t by_type = 0;
  std::uint32_t kept = 0;
  std::uint8_t byte = 0;
  double plain_float = 0;
  grade mark{};
  flag small{};
  std::optional<std::uint16_t> maybe;
  std::pair<std::int32_t, bool> both;
  std::chrono::seconds span{};
};
struct everything {
  std::uint32_t count = 0;
  double weight = 0;
  std::tuple<std::uint16_t, float> pair{};
};
struct named_map {
  std::map<std::uint32_t, std::int64_t> table;
  std::array<std::uint16_t, 3> row{};
};
struct limited {
  std::vector<std::string> few;
  std::uint32_t small = 0;
};
struct nothing_inside {};

} // namespace numbers

template <class T>
inline constexpr auto ingot::annotations<numbers::varying<T>> =
    ingot::annotate(ingot::member<"value">(ingot::varint));
template <>
inline constexpr auto ingot::annotations<numbers::mixed> =
    ingot::annotate(ingot::type(ingot::varint), ingot::member<"kept">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<numbers::everything> =
    ingot::annotate(ingot::type(ingot::varint, ingot::short_float));
template <>
inline constexpr auto ingot::annotations<numbers::named_map> =
    ingot::annotate(ingot::member<"table">(ingot::varint), ingot::member<"row">(ingot::varint));
template <>
inline constexpr auto ingot::annotations<numbers::limited> = ingot::annotate(
    ingot::member<"few">(ingot::max_size(2)), ingot::member<"small">(ingot::varint, ingot::range(1, 9)));

namespace compact_test {

using compact_test::expect_bytes;
using compact_test::expect_rejected;
using compact_test::hex;
using ingot::errc;
using numbers::varying;

TEST(compact_varint, takes_the_bytes_it_needs) {
  for (unsigned bits = 7; bits < 64; bits += 7) {
    const std::uint64_t above = std::uint64_t{1} << bits;
    const std::size_t size = bits / 7;
    for (const std::uint64_t value : {above - 1, above, above + 1}) {
      const auto packed = ingot::compact::pack(varying<std::uint64_t>{value});
      ASSERT_TRUE(packed);
      EXPECT_EQ(packed->size(), value < above ? size : size + 1) << value;
      EXPECT_EQ(ingot::compact::unpack<varying<std::uint64_t>>(packed).value().value, value);
    }
  }
  expect_bytes(varying<std::uint64_t>{~std::uint64_t{0}}, "ff ff ff ff ff ff ff ff ff 01");
  expect_bytes(varying<std::uint32_t>{300}, "ac 02");
  expect_bytes(varying<std::uint8_t>{200}, "c8"); // one byte is never longer
}

TEST(compact_varint, signed_numbers_are_small_when_near_zero) {
  expect_bytes(varying<std::int32_t>{0}, "00");
  expect_bytes(varying<std::int32_t>{-1}, "01");
  expect_bytes(varying<std::int32_t>{1}, "02");
  expect_bytes(varying<std::int32_t>{-64}, "7f");
  expect_bytes(varying<std::int32_t>{64}, "80 01");
  expect_bytes(varying<std::int32_t>{std::numeric_limits<std::int32_t>::min()}, "ff ff ff ff 0f");
  expect_bytes(varying<std::int64_t>{std::numeric_limits<std::int64_t>::min()},
               "ff ff ff ff ff ff ff ff ff 01");
  expect_bytes(varying<std::int64_t>{std::numeric_limits<std::int64_t>::max()},
               "fe ff ff ff ff ff ff ff ff 01");
  expect_bytes(varying<numbers::grade>{numbers::grade::low}, "c7 01");
  expect_bytes(varying<std::int8_t>{-1}, "ff");
}

TEST(compact_varint, other_encodings_are_rejected) {
  using number = varying<std::uint64_t>;
  expect_rejected<number>(hex("80 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<number>(hex("ff ff 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<number>(hex("ff ff ff ff ff ff ff ff ff 02"), {errc::out_of_range, 0, "value"});
  expect_rejected<number>(hex("ff ff ff ff ff ff ff ff ff 81 00"), {errc::out_of_range, 0, "value"});
  expect_rejected<number>(hex("80 80 80 80 80 80 80 80 80 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<number>(hex("ff ff"), {errc::truncated, 0, "value"});
  expect_rejected<number>(hex(""), {errc::truncated, 0, "value"});
  expect_rejected<std::string>(hex("81 00 'x'"), {errc::not_canonical, 0});
}

TEST(compact_varint, a_number_too_large_for_its_type_is_rejected) {
  expect_rejected<varying<std::uint16_t>>(hex("80 80 04"), {errc::out_of_range, 0, "value"});
  expect_bytes(varying<std::uint16_t>{65535}, "ff ff 03");
  expect_rejected<varying<std::int16_t>>(hex("80 80 04"), {errc::out_of_range, 0, "value"});
  expect_rejected<varying<std::int16_t>>(hex("81 80 04"), {errc::out_of_range, 0, "value"});
  expect_bytes(varying<std::int16_t>{-32768}, "ff ff 03");
  expect_rejected<varying<std::uint32_t>>(hex("80 80 80 80 10"), {errc::out_of_range, 0, "value"});
  expect_rejected<varying<numbers::grade>>(hex("02"), {errc::bad_enum, 0, "value"});
}

TEST(compact_encoding, the_types_annotation_holds_for_members_without_their_own) {
  numbers::mixed value{
      1, 1, 200, 1.5, numbers::grade::high, numbers::flag::on, 300, {-1, true}, std::chrono::seconds{1}};
  expect_bytes(
      value,
      "01  01 00 00 00  c8  00 00 00 00 00 00 f8 3f  90 03  01  01 ac 02  01 01  01 00 00 00 00 00 00 00");
}

TEST(compact_encoding, a_type_may_have_varints_and_short_floats) {
  expect_bytes(numbers::everything{300, 1.5, {5, 2.0F}}, "ac 02  3c  05  40");
  expect_bytes(numbers::everything{1, 0.1, {}}, "01  80 9a 99 99 99 99 99 b9 3f  00  00");
}

TEST(compact_encoding, it_reaches_keys_values_and_elements) {
  expect_bytes(numbers::named_map{{{1, -1}, {300, 64}}, {1, 128, 16384}},
               "02 01 01 ac 02 80 01  01 80 01 80 80 01");
}

TEST(compact_lengths, are_varints_before_what_they_count) {
  expect_bytes(std::string(127, 'x'), std::string("7f '") + std::string(127, 'x') + "'");
  expect_bytes(std::string(128, 'x'), std::string("80 01 '") + std::string(128, 'x') + "'");
  expect_bytes(std::vector<std::uint16_t>{1, 2}, "02 01 00 02 00");
  expect_bytes(std::u16string(u"ab"), "02 61 00 62 00");
  expect_bytes(std::vector<std::string>{"a", ""}, "02 01 'a' 00");
  expect_bytes(std::vector<numbers::nothing_inside>(3), "03");
  expect_bytes(std::optional<std::uint32_t>{}, "00");
  expect_bytes(std::variant<std::string, std::uint8_t>{std::uint8_t{7}}, "01 07");
  expect_bytes(std::expected<void, std::uint8_t>{}, "00");
}

TEST(compact_lengths, are_held_against_the_bytes_before_anything_is_allocated) {
  const std::string_view huge = "ff ff ff ff 0f";
  expect_rejected<std::string>(hex(huge), {errc::bad_length, 0});
  expect_rejected<std::vector<std::uint64_t>>(hex(huge), {errc::bad_length, 0});
  expect_rejected<std::vector<std::uint64_t>>(hex("02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
                                              {errc::bad_length, 0});
  expect_rejected<std::vector<std::string>>(hex("04 00 00 00"), {errc::bad_length, 0});
  expect_rejected<std::map<std::string, std::uint32_t>>(hex("02 00 00 00 00 00 01 'a'"),
                                                        {errc::bad_length, 0});
  expect_rejected<std::vector<std::optional<std::uint64_t>>>(hex("ff 7f 00"), {errc::bad_length, 0});
  expect_rejected<std::vector<numbers::varying<std::uint64_t>>>(hex("ff ff ff ff ff ff ff ff ff 01"),
                                                                {errc::bad_length, 0});
  expect_rejected<std::vector<numbers::nothing_inside>>(hex("81 80 04"), {errc::too_large, 0});
  EXPECT_TRUE(ingot::compact::unpack<std::vector<numbers::nothing_inside>>(hex("80 80 04")));
}

TEST(compact_limits, count_elements_of_size_zero_once) {
  // a limit that a validator checks does not count elements twice
  const std::vector<std::vector<numbers::nothing_inside>> value(1,
                                                                std::vector<numbers::nothing_inside>(40'000));
  const auto packed = ingot::compact::pack(value);
  ASSERT_TRUE(packed);
  EXPECT_TRUE(ingot::compact::validate<decltype(value)>(ingot::as_bytes_view(*packed)));
}

TEST(compact_limits, are_checked_by_every_reader) {
  expect_bytes(numbers::limited{{"a", "b"}, 9}, "02 01 'a' 01 'b' 09");
  expect_rejected<numbers::limited>(hex("03 00 00 00 01"), {errc::too_long, 0, "few"});
  expect_rejected<numbers::limited>(hex("00 00"), {errc::out_of_range, 1, "small"});
  expect_rejected<numbers::limited>(hex("02 00 05 01"), {errc::bad_length, 2, "few[1]"});
}

TEST(compact_trailing, bytes_are_rejected_unless_requested) {
  expect_rejected<std::uint16_t>(hex("01 00 ff"), {errc::trailing_bytes, 2});
  EXPECT_EQ(ingot::compact::unpack<std::uint16_t>(hex("01 00 ff"), {.rest = ingot::trailing::allow}), 1);
  const auto bytes = hex("01 'a' ff");
  const auto seen = ingot::compact::view<std::string>::open(bytes, ingot::trailing::allow);
  ASSERT_TRUE(seen);
  EXPECT_EQ(**seen, "a");
}

TEST(compact_sinks, a_fixed_buffer_may_be_exactly_full) {
  const std::vector<std::string> value{"a", "bc", std::string(200, 'd')};
  const std::size_t size = ingot::compact::packed_size(value).value();
  ASSERT_EQ(size, 1 + 2 + 3 + 202U);
  ingot::fixed_buffer<208> full;
  EXPECT_EQ(ingot::compact::pack_to(full, value), size);
  EXPECT_EQ(full.size(), size);
  ingot::fixed_buffer<207> short_of_one;
  const auto rejected = ingot::compact::pack_to(short_of_one, value);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::no_space);
  EXPECT_EQ(short_of_one.size(), 0U);
}

TEST(compact_sinks, messages_are_appended) {
  std::vector<std::byte> bytes = hex("ff");
  ASSERT_TRUE(ingot::compact::pack_to(bytes, std::string("a")));
  EXPECT_EQ(bytes, hex("ff 01 'a'"));
  std::string text = "x";
  ASSERT_TRUE(ingot::compact::pack_to(text, std::uint16_t{0x4241}));
  EXPECT_EQ(text, "xAB");
  ingot::buffer grown;
  ASSERT_TRUE(ingot::compact::pack_to(grown, std::uint8_t{1}));
  ASSERT_TRUE(ingot::compact::pack_to(grown, std::string("b")));
  EXPECT_TRUE(pack_test::same_bytes(grown, hex("01 01 'b'")));
}

struct folded {
  std::uint16_t number = 0;
  std::string text;
  std::vector<std::uint32_t> list;
  std::optional<std::int8_t> maybe;
  std::variant<std::uint8_t, std::string> either;
  std::tuple<bool, float> pair;
  bool operator==(const folded&) const = default; // constexpr if the members' comparisons are
};

TEST(compact_constexpr, round_trips_run_in_constant_expressions) {
  INGOT_CONSTANT_CONTAINERS bool held = [] {
    folded value{7, "text", {1, 2, 3}, -1, std::uint8_t{4}, {true, 1.5F}};
    value.either = std::string("x");
    ingot::fixed_buffer<64> bytes;
    if (!ingot::compact::pack_to(bytes, value)) return false;
    auto read = ingot::compact::unpack<folded>(ingot::bytes_view(bytes.data(), bytes.size()));
    return read && *read == value;
  }();
  EXPECT_TRUE(held);
  constexpr bool varints = [] {
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{64}, std::numeric_limits<std::int64_t>::min()}) {
      ingot::fixed_buffer<16> bytes;
      const varying<std::int64_t> value{n};
      if (!ingot::compact::pack_to(bytes, value)) return false;
      const auto read =
          ingot::compact::unpack<varying<std::int64_t>>(ingot::bytes_view(bytes.data(), bytes.size()));
      if (!read || read->value != n) return false;
    }
    return true;
  }();
  EXPECT_TRUE(varints);
}

} // namespace compact_test
