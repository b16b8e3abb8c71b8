// SPDX-License-Identifier: Apache-2.0
// An error contains its position in bytes, line and column, the member, and the expected and found
// values.
#include <ingot/json/json.hpp>

#include <array>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace positions_test {

using ingot::errc;
namespace json = ingot::json;

struct item {
  int id = 0;
  std::vector<float> attributes;
};
struct hero {
  std::string name;
  std::vector<item> items;
  std::map<std::string, item> named;
  std::map<int, std::array<int, 2>> grid;
  std::variant<int, item> either;
};

struct expectation {
  std::string_view text;
  errc code;
  std::size_t offset;
  std::uint32_t line;
  std::uint32_t column;
  std::string_view path;
  std::string_view expected;
  std::string_view found;
};

template <class T>
void check(const expectation& want) {
  const auto value = json::read<T>(want.text, {.missing_keys = json::missing_keys::use_defaults});
  ASSERT_FALSE(value) << want.text;
  const ingot::error& err = value.error();
  EXPECT_EQ(err.code(), want.code) << want.text << "\n" << err.message();
  EXPECT_EQ(err.offset(), want.offset) << want.text;
  EXPECT_EQ(err.line(), want.line) << want.text;
  EXPECT_EQ(err.column(), want.column) << want.text;
  EXPECT_EQ(err.path(), want.path) << want.text;
  EXPECT_EQ(err.expected(), want.expected) << want.text;
  EXPECT_EQ(err.found(), want.found) << want.text;
}

TEST(json_errors, stand_at_the_value_with_its_path) {
  constexpr std::string_view integer = "an integer from -2147483648 to 2147483647";
  check<hero>({"{\n  \"name\": \"a\",\n  \"items\": [{\"id\": 1}, {\"id\": \"x\"}]\n}", errc::type_mismatch,
               47, 3, 31, "items[1].id", integer, "the string \"x\""});
  check<hero>({R"({"items":[{"id":1,"attributes":[1,2,true]}]})", errc::type_mismatch, 36, 1, 37,
               "items[0].attributes[2]", "a number", "true"});
  check<hero>({R"({"named":{"a key":{"id":null}}})", errc::type_mismatch, 24, 1, 25, "named[a key].id",
               integer, "null"});
  check<hero>(
      {R"({"grid":{"-7":[1,2,3]}})", errc::too_long, 19, 1, 20, "grid[-7]", "exactly 2 elements", "more"});
  check<hero>({R"({"grid":{"x":[1,2]}})", errc::type_mismatch, 9, 1, 10, "grid[x]",
               "an integer from -2147483648 to 2147483647 as key", "the key \"x\""});
  check<hero>({R"({"either":{"item":{"id":[]}}})", errc::type_mismatch, 24, 1, 25, "either.item.id", integer,
               "an array"});
  check<hero>({R"({"either":{"2":1}})", errc::bad_variant, 11, 1, 12, "either", "one key of 0, item",
               "the key \"2\""});
  check<hero>({R"({"either":{"1":{"id":1}}})", errc::bad_variant, 11, 1, 12, "either",
               "the tag item, not the index of the alternative", "the key \"1\""});
  check<hero>({R"({"either":{}})", errc::bad_variant, 11, 1, 12, "either", "one key of 0, item", "no key"});
  check<hero>({R"({"either":{"0":1,"1":{}}})", errc::bad_variant, 17, 1, 18, "either",
               "'}' after the only key", "the string \"1\""});
  check<hero>({R"({"name":5})", errc::type_mismatch, 8, 1, 9, "name", "a string", "5"});
  check<hero>({"5", errc::type_mismatch, 0, 1, 1, "", "an object", "5"});
}

TEST(json_errors, tell_broken_syntax_from_wrong_types) {
  check<std::vector<int>>({"", errc::truncated, 0, 1, 1, "", "a value", "the end of the text"});
  check<std::vector<int>>({" \n ", errc::truncated, 3, 2, 2, "", "a value", "the end of the text"});
  check<std::vector<int>>({"[1", errc::truncated, 2, 1, 3, "", "',' or ']'", "the end of the text"});
  check<std::vector<int>>({"[1,", errc::truncated, 3, 1, 4, "[1]",
                           "an integer from -2147483648 to 2147483647", "the end of the text"});
  check<std::vector<int>>({"[1 2]", errc::syntax, 3, 1, 4, "", "',' or ']'", "2"});
  check<std::vector<int>>({"[1}", errc::syntax, 2, 1, 3, "", "',' or ']'", "'}'"});
  check<std::vector<bool>>({"[true,]", errc::syntax, 6, 1, 7, "[1]",
                            "a value after the comma, or the option json::trailing_commas::allow", "']'"});
  check<std::vector<bool>>({"[truex]", errc::syntax, 1, 1, 2, "[0]", "true or false", "truex"});
  check<std::vector<bool>>({"[true\"x\"]", errc::syntax, 1, 1, 2, "[0]", "true or false", "true"});
  check<hero>({"{\"name\" \"x\"}", errc::syntax, 8, 1, 9, "", "':'", "the string \"x\""});
  check<hero>({"{\"name\":\"x\",}", errc::syntax, 12, 1, 13, "",
               "a key after the comma, or the option json::trailing_commas::allow", "'}'"});
  check<hero>({"{name:1}", errc::syntax, 1, 1, 2, "", "a key in quotes", "name"});
  check<hero>({"{\"name\":\"x\"", errc::truncated, 11, 1, 12, "", "',' or '}'", "the end of the text"});
  check<std::string>({"\"abc", errc::truncated, 0, 1, 1, "", "a closing quote", "the end of the text"});
  check<std::string>({"\"a\\qb\"", errc::syntax, 2, 1, 3, "", "a JSON escape (surrogates in pairs)", "\\qb"});
  check<int>({"1 2", errc::trailing_bytes, 2, 1, 3, "", "the end of the text", "2"});
}

TEST(json_errors, read_as_one_sentence) {
  const auto value = json::read<hero>(R"({"items":[{"id":3000000000}]})",
                                      {.missing_keys = json::missing_keys::use_defaults});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message(),
            "out of range at line 1, column 17 (items[0].id): expected an integer "
            "from -2147483648 to 2147483647, found "
            "3000000000; correct the value, or choose a type or a range that has it");
}

TEST(json_errors, on_writing_carry_the_path) {
  struct inner {
    std::map<std::string, std::vector<double>> values;
  };
  struct outer {
    std::vector<inner> parts;
  };
  outer value;
  value.parts.resize(2);
  value.parts[1].values["a \"key\""] = {1, 1 / 0.0};
  const auto text = json::write(value);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().path(), "parts[1].values[a \\\"key\\\"][1]");
}

TEST(json_errors, every_prefix_of_a_text_is_an_error_at_its_end_or_before) {
  const std::string text =
      R"({"name":"a\u0041é","items":[{"id":-12,"attributes":[1.5e3,0]}],"named":{},"grid":{"1":[2,3]},"either":{"0":1}})";
  ASSERT_TRUE(json::read<hero>(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    // A separate copy, so that a sanitizer detects reads past the end.
    const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    const auto value = json::read<hero>(std::string_view(cut.data(), cut.size()));
    ASSERT_FALSE(value) << size;
    EXPECT_LE(value.error().offset(), size);
  }
}

TEST(json_errors, in_white_space_of_any_amount_are_placed) {
  std::string text = "[";
  for (int i = 0; i < 300; ++i) text += "\n   ";
  text += "x]";
  const auto value = json::read<std::vector<int>>(text);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().line(), 301u);
  EXPECT_EQ(value.error().column(), 4u);
}

} // namespace positions_test
