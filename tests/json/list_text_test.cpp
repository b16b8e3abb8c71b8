// SPDX-License-Identifier: Apache-2.0
// Arrays of records, numbers and strings that follow each other in memory are written by loops of
// their own. The text and the errors are those of lists whose elements are written one by one.
#include <ingot/json/json.hpp>
#include <ingot/reflect/annotations.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace list_text_test {

namespace json = ingot::json;
using ingot::errc;

/// All types of members that the loop for records writes itself, and one that it does not.
struct everything {
  bool b = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  std::uint8_t u8 = 0;
  std::uint16_t u16 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  std::string text;
  std::optional<std::string> maybe;
  std::vector<int> list;
  std::unique_ptr<int> box;
  std::string last;
};
struct point {
  float x = 0, y = 0;
};
struct no_members {};
struct named {
  std::string name;
};
struct long_key {
  int a_name_of_thirty_two_characters_ = 1;
  int a_name_of_twenty_eight_chars = 2;
  int a_name_of_twenty_nine_charact = 3;
  int a_name_that_is_much_longer_than_the_thirty_two_bytes_of_one_move = 4;
};
struct versioned {
  int n = 0;
};
/// `valid` is checked for each element, so the elements are written one by one.
struct checked {
  int n = 0;
  [[nodiscard]] bool valid() const { return n != 13; }
};

} // namespace list_text_test
template <>
inline constexpr auto ingot::annotations<list_text_test::versioned> =
    ingot::annotate(ingot::type(ingot::version(3)));
namespace list_text_test {

/// Returns the text of a list, joined from the texts of its elements.
template <class T>
std::string one_by_one(const std::vector<T>& values, const json::write_options& options = {}) {
  std::string out = "[";
  for (const T& value : values) out += json::write(value, options).value() + ",";
  if (out.size() > 1) out.pop_back();
  return out + "]";
}

template <class T>
class json_list_of_integers : public testing::Test {};
using integers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(json_list_of_integers, integers);

TYPED_TEST(json_list_of_integers, is_the_text_of_each_element) {
  using limits = std::numeric_limits<TypeParam>;
  std::vector<TypeParam> values{0, 1, limits::min(), limits::max()};
  for (TypeParam power = 1; power <= limits::max() / 10;) {
    power = static_cast<TypeParam>(power * 10);
    values.push_back(power);
    values.push_back(static_cast<TypeParam>(power - 1));
    if constexpr (std::is_signed_v<TypeParam>) {
      values.push_back(static_cast<TypeParam>(-power));
      values.push_back(static_cast<TypeParam>(1 - power));
    }
  }
  std::string expected = "[";
  for (const TypeParam value : values) expected += std::to_string(value) + ",";
  expected.back() = ']';
  EXPECT_EQ(json::write(values).value(), expected);
  EXPECT_EQ(json::write(std::list<TypeParam>(values.begin(), values.end())).value(), expected);
  std::vector<std::array<TypeParam, 1>> nested;
  for (const TypeParam value : values) nested.push_back({value});
  EXPECT_EQ(json::write(nested).value(), one_by_one(nested));
}

TEST(json_list, of_other_scalars_is_the_text_of_each_element) {
  EXPECT_EQ(json::write(std::vector<float>{0, -1.5f, 1e-20f, 3e38f}).value(), "[0,-1.5,1e-20,3e38]");
  EXPECT_EQ(json::write(std::vector<double>{0, -1.5, 1e-300, 0.1}).value(), "[0,-1.5,1e-300,0.1]");
  EXPECT_EQ(json::write(std::array<bool, 3>{true, false, true}).value(), "[true,false,true]");
  EXPECT_EQ(json::write(std::vector<std::string>{"", "a", "\"", "\xC3\xA9"}).value(),
            "[\"\",\"a\",\"\\\"\",\"\xC3\xA9\"]");
  EXPECT_EQ(json::write(std::vector<int>{}).value(), "[]");
  EXPECT_EQ(json::write(std::vector<point>{}).value(), "[]");
  EXPECT_EQ(json::write(std::vector<no_members>(2)).value(), "[{},{}]");
  EXPECT_EQ(json::write(std::vector<bool>{true, false}).value(), "[true,false]");
}

std::vector<everything> examples() {
  std::vector<everything> all;
  for (int i = 0; i < 40; ++i) {
    everything e;
    e.b = i % 2 != 0;
    e.i8 = static_cast<std::int8_t>(-i);
    e.i16 = static_cast<std::int16_t>(-300 * i);
    e.i32 = -70'000 * i;
    e.i64 = -5'000'000'000 * i;
    e.u8 = static_cast<std::uint8_t>(6 * i);
    e.u16 = static_cast<std::uint16_t>(1'600 * i);
    e.u32 = 100'000'000u * static_cast<std::uint32_t>(i);
    e.u64 = ~std::uint64_t{0} / static_cast<std::uint64_t>(i + 1);
    e.f32 = 1.0f / static_cast<float>(i + 1);
    e.f64 = 1.0 / (i + 1);
    e.text = std::string(static_cast<std::size_t>(i), 'x');
    if (i % 3 != 0) e.maybe = std::string(static_cast<std::size_t>(40 - i), i % 7 == 0 ? '\n' : 'y');
    e.list.assign(static_cast<std::size_t>(i % 4), i);
    if (i % 5 == 0) e.box = std::make_unique<int>(i);
    e.last = "z";
    all.push_back(std::move(e));
  }
  return all;
}

TEST(json_list, of_records_is_the_text_of_each_record) {
  const std::vector<everything> all = examples();
  for (const auto empties : {json::empty_members::omit, json::empty_members::null}) {
    const json::write_options options{.empty_members = empties};
    const std::string text = json::write(all, options).value();
    EXPECT_EQ(text, one_by_one(all, options));
    const auto back = json::read<std::vector<everything>>(text).value();
    ASSERT_EQ(back.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(json::write(back[i], options).value(), json::write(all[i], options).value());
  }
  EXPECT_EQ(
      json::write(all[1]).value(),
      "{\"b\":true,\"i8\":-1,\"i16\":-300,\"i32\":-70000,\"i64\":-5000000000,\"u8\":6,\"u16\":1600,"
      "\"u32\":100000000,\"u64\":9223372036854775807,\"f32\":0.5,\"f64\":0.5,\"text\":\"x\",\"maybe\":\"" +
          std::string(39, 'y') + "\",\"list\":[1],\"last\":\"z\"}");
}

TEST(json_list, with_indent_has_a_line_for_each_element) {
  const json::write_options options{.indent = 1};
  EXPECT_EQ(json::write(std::vector<int>{1, 2}, options).value(), "[\n 1,\n 2\n]");
  EXPECT_EQ(json::write(std::vector<std::string>{"a"}, options).value(), "[\n \"a\"\n]");
  EXPECT_EQ(json::write(std::vector<int>{}, options).value(), "[]");
  EXPECT_EQ(json::write(std::vector<point>{{1, 2}, {3, 4}}, options).value(),
            "[\n {\n  \"x\": 1,\n  \"y\": 2\n },\n {\n  \"x\": 3,\n  \"y\": 4\n }\n]");
  EXPECT_EQ(json::write(std::vector<no_members>(2), options).value(), "[\n {},\n {}\n]");
  EXPECT_EQ(json::write(std::map<int, named>{{-1, {"a"}}, {20, {"b"}}}, options).value(),
            "{\n \"-1\": {\n  \"name\": \"a\"\n },\n \"20\": {\n  \"name\": \"b\"\n }\n}");
}

// The text of an element can end at any distance from the end of the reserved memory.
TEST(json_list, at_every_capacity_of_the_string_is_the_same) {
  const std::vector<everything> all = examples();
  const std::vector<std::string> strings{std::string(17, 'a'), "", "\x01", std::string(300, '"')};
  const std::map<std::int64_t, int> keys{{-1, 1}, {std::numeric_limits<std::int64_t>::min(), 2}};
  for (std::size_t capacity = 16; capacity < 700; ++capacity) {
    const auto write = [capacity](const auto& value) {
      std::string out;
      out.reserve(capacity);
      EXPECT_TRUE(json::write_to(out, value).has_value());
      return out;
    };
    ASSERT_EQ(write(all[7]), json::write(all[7]).value()) << capacity;
    ASSERT_EQ(write(strings), json::write(strings).value()) << capacity;
    ASSERT_EQ(write(std::vector<int>(60, capacity % 2 != 0 ? 7 : -1'000'000)).size(),
              capacity % 2 != 0 ? 121u : 541u);
    ASSERT_EQ(write(keys), "{\"-9223372036854775808\":2,\"-1\":1}");
    ASSERT_EQ(write(long_key{}), json::write(long_key{}).value());
  }
}

TEST(json_list, keys_of_all_lengths_are_complete) {
  EXPECT_EQ(json::write(long_key{}).value(),
            "{\"a_name_of_thirty_two_characters_\":1,\"a_name_of_twenty_eight_chars\":2,"
            "\"a_name_of_twenty_nine_charact\":3,"
            "\"a_name_that_is_much_longer_than_the_thirty_two_bytes_of_one_move\":4}");
}

TEST(json_list, integer_keys_are_strings) {
  EXPECT_EQ(json::write(std::map<std::uint64_t, int>{{0, 1}, {~std::uint64_t{0}, 2}}).value(),
            "{\"0\":1,\"18446744073709551615\":2}");
  EXPECT_EQ(json::write(std::map<std::int8_t, int>{{-128, 1}, {127, 2}}).value(), "{\"-128\":1,\"127\":2}");
}

TEST(json_list, errors_name_the_element_and_the_member) {
  const auto path_of = [](const auto& value, const json::write_options& options = {}) {
    const auto written = json::write(value, options);
    return written ? std::string("none") : std::string(written.error().path());
  };
  EXPECT_EQ(path_of(std::vector<named>{{"a"}, {"b"}, {"\xFF"}}), "[2].name");
  EXPECT_EQ(path_of(std::vector<std::string>{"a", "\xFF"}), "[1]");
  EXPECT_EQ(path_of(std::vector<std::string>{"a", std::string(40, 'a') + "\xFF"}), "[1]");
  EXPECT_EQ(path_of(std::vector<float>{1, 2, std::numeric_limits<float>::infinity()}), "[2]");
  EXPECT_EQ(path_of(std::vector<double>{1, -std::numeric_limits<double>::infinity()}), "[1]");
  EXPECT_EQ(path_of(std::vector<point>{{1, 2}, {3, std::numeric_limits<float>::quiet_NaN()}}), "[1].y");
  EXPECT_EQ(path_of(std::map<int, std::vector<point>>{{5, {{1, std::numeric_limits<float>::infinity()}}}}),
            "[5][0].y");
  EXPECT_EQ(path_of(std::vector<checked>{{1}, {13}}), "[1]");
  EXPECT_EQ(path_of(std::vector<std::vector<point>>{{}, {{}}}, {.max_depth = 2}), "[1][0]");
  EXPECT_EQ(path_of(std::vector<std::vector<point>>{{}, {{}}}, {.max_depth = 3}), "none");
  EXPECT_EQ(json::write(std::vector<point>(1), {.max_depth = 1}).error().code(), errc::too_deep);
}

TEST(json_list, numbers_that_are_not_finite_follow_the_option) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{1, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 2};
  EXPECT_EQ(json::write(values, {.non_finite = json::non_finite::null}).value(), "[1,null,null,null,2]");
  EXPECT_EQ(json::write(values, {.non_finite = json::non_finite::strings}).value(),
            "[1,\"Infinity\",\"-Infinity\",\"NaN\",2]");
  EXPECT_EQ(json::write(std::vector<point>{{infinity, 1}}, {.non_finite = json::non_finite::null}).value(),
            "[{\"x\":null,\"y\":1}]");
}

TEST(json_list, versions_are_the_first_member_of_each_record) {
  EXPECT_EQ(json::write(std::vector<versioned>{{1}, {2}}).value(),
            "[{\"$version\":3,\"n\":1},{\"$version\":3,\"n\":2}]");
}

// Short strings are copied with the bytes after them. These must not be looked at.
TEST(json_list, short_strings_ignore_the_bytes_after_them) {
  for (std::size_t size = 0; size <= 40; ++size) {
    named in_place; // the bytes after the text are quotes and bytes above 127
    in_place.name.assign(15, '"');
    if (size < 15) in_place.name.assign(15, '\xFF');
    in_place.name.assign(size, 'b');
    EXPECT_EQ(json::write(std::vector{in_place, in_place}).value(),
              "[{\"name\":\"" + in_place.name + "\"},{\"name\":\"" + in_place.name + "\"}]");
    for (std::size_t at = 0; at < size; ++at) {
      in_place.name[at] = '\t';
      std::string expected = in_place.name;
      expected.replace(at, 1, "\\t");
      EXPECT_EQ(json::write(in_place).value(), "{\"name\":\"" + expected + "\"}");
      in_place.name[at] = '\x80';
      EXPECT_EQ(json::write(in_place).error().code(), errc::invalid_utf8);
      in_place.name[at] = 'b';
    }
  }
}

TEST(json_list, cancelled_stops_in_long_lists) {
  std::size_t calls = 0;
  const auto cancel_second = [&calls](std::uint64_t, std::uint64_t) { return ++calls < 2; };
  json::write_options options;
  options.progress = cancel_second;
  const auto expect_cancelled = [&](const auto& value) {
    calls = 0;
    const auto written = json::write(value, options);
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code(), errc::cancelled);
    EXPECT_EQ(calls, 2u);
  };
  expect_cancelled(std::vector<std::uint64_t>(1'000'000, 1));
  expect_cancelled(std::vector<point>(1'000'000));
  expect_cancelled(std::vector<no_members>(1'000'000));
  expect_cancelled(std::vector<std::string>(1'000'000));
}

} // namespace list_text_test
