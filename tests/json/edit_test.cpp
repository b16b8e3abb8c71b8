// SPDX-License-Identifier: Apache-2.0
// Edits of text change one value and keep all other bytes. New values follow the layout of the
// text.
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>
#include <ingot/json/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace edit_test {

namespace json = ingot::json;
using ingot::errc;

struct limits {
  int low = 0;
  std::vector<int> high;
};

constexpr json::edit_options relaxed{.comments = json::comments::allow,
                                     .trailing_commas = json::trailing_commas::allow};

/// Returns the edited text, or the message of the error.
template <class T>
std::string edited(std::string_view text, std::string_view pointer, const T& value,
                   const json::edit_options& options = relaxed) {
  const auto result = json::edit(text, pointer, value, options);
  return result ? *result : result.error().message();
}
std::string erased(std::string_view text, std::string_view pointer,
                   const json::edit_options& options = relaxed) {
  const auto result = json::erase(text, pointer, options);
  return result ? *result : result.error().message();
}

TEST(json_edit, replaces_the_value_and_keeps_all_other_bytes) {
  EXPECT_EQ(edited(R"( { "b" :1 ,"a": [ 1,  2 ] } )", "/a/1", 30), R"( { "b" :1 ,"a": [ 1,  30 ] } )");
  EXPECT_EQ(edited("{\"b\": 1.50, \"a\": \"\\u0041\", \"c\": 1e2}\r\n", "/b", "x"),
            "{\"b\": \"x\", \"a\": \"\\u0041\", \"c\": 1e2}\r\n");
  EXPECT_EQ(edited(" 5 ", "", true), " true ");
  EXPECT_EQ(edited("\xEF\xBB\xBF[1]", "/0", 2), "\xEF\xBB\xBF[2]");
}

TEST(json_edit, writes_every_type_that_write_accepts) {
  const std::string text = R"({"a":0})";
  EXPECT_EQ(edited(text, "/a", limits{1, {2, 3}}), R"({"a":{"low":1,"high":[2,3]}})");
  EXPECT_EQ(edited(text, "/a", std::optional<int>()), R"({"a":null})");
  EXPECT_EQ(edited(text, "/a", std::map<std::string, double>{{"x", 0.5}}), R"({"a":{"x":0.5}})");
  ingot::document doc;
  ASSERT_TRUE(doc.root().set_at("/x/y", 5));
  EXPECT_EQ(edited(text, "/a", doc), R"({"a":{"x":{"y":5}}})");
  EXPECT_EQ(edited(text, "/a", doc["x"]), R"({"a":{"y":5}})");
  EXPECT_EQ(edited(text, "/a", std::as_const(doc).root()), R"({"a":{"x":{"y":5}}})");
}

TEST(json_edit, options_of_writing_apply_to_the_value) {
  EXPECT_EQ(edited("[0]", "/0", std::numeric_limits<double>::infinity(),
                   {.writing = {.non_finite = json::non_finite::strings}}),
            R"(["Infinity"])");
  EXPECT_EQ(edited("{}", "/a\xFF", 1, {.writing = {.invalid_utf8 = json::invalid_utf8::replace}}),
            "{\"a\xEF\xBF\xBD\":1}");
}

TEST(json_edit, a_missing_key_becomes_the_last_member) {
  EXPECT_EQ(edited(R"({"a":1})", "/b", 2), R"({"a":1,"b":2})");
  EXPECT_EQ(edited(R"({"a": 1, "c": 2})", "/b", 2), R"({"a": 1, "c": 2, "b": 2})");
  EXPECT_EQ(edited("{\n  \"a\": 1\n}\n", "/b", 2), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
  EXPECT_EQ(edited("{}", "/a\"b", 1), R"({"a\"b":1})");
}

TEST(json_edit, the_end_of_an_array_takes_a_new_element) {
  EXPECT_EQ(edited("[1,2]", "/-", 3), "[1,2,3]");
  EXPECT_EQ(edited("[1, 2]", "/2", 3), "[1, 2, 3]");
  EXPECT_EQ(edited("[\n\t1\n]", "/-", 2), "[\n\t1,\n\t2\n]");
  EXPECT_EQ(edited("[]", "/-", 2), "[2]");
}

TEST(json_edit, a_new_value_has_the_indentation_and_line_ends_of_the_text) {
  EXPECT_EQ(edited("{\n   \"a\": {\n      \"b\": 1\n   }\n}", "/a/c", limits{1, {2}}),
            "{\n   \"a\": {\n      \"b\": 1,\n      \"c\": {\n         \"low\": 1,\n         \"high\": [\n"
            "            2\n         ]\n      }\n   }\n}");
  EXPECT_EQ(edited("{\r\n\t\"a\": 1\r\n}", "/a", limits{1, {}}),
            "{\r\n\t\"a\": {\r\n\t\t\"low\": 1,\r\n\t\t\"high\": []\r\n\t}\r\n}");
  EXPECT_EQ(edited("{\n\"a\": 1\n}", "/a", std::vector{1}), "{\n\"a\": [\n1\n]\n}");
  EXPECT_EQ(edited("{\n  \"a\": {},\n  \"b\": []\n}", "/a/c", 1),
            "{\n  \"a\": {\n    \"c\": 1\n  },\n  \"b\": []\n}");
  EXPECT_EQ(edited("{\n}", "/a", 1), "{\n  \"a\": 1\n}");
  EXPECT_EQ(edited("{\n    \"a\": {\n        \"b\": 1\n    }\n}", "/a", std::vector{1, 2}),
            "{\n    \"a\": [\n        1,\n        2\n    ]\n}");
  EXPECT_EQ(edited("{\n    \"a\": 1\n}", "", std::vector{1, 2}), "[\n    1,\n    2\n]");
}

TEST(json_edit, a_new_value_in_one_line_has_the_spaces_of_the_text) {
  EXPECT_EQ(edited(R"({"a": 1, "b": 2})", "/b", limits{1, {2, 3}}),
            R"({"a": 1, "b": {"low": 1, "high": [2, 3]}})");
  EXPECT_EQ(edited(R"({"a":1,"b":2})", "/b", limits{1, {2, 3}}), R"({"a":1,"b":{"low":1,"high":[2,3]}})");
  EXPECT_EQ(edited("{\n  \"a\": [1, 2]\n}", "/a", std::vector{3, 4}), "{\n  \"a\": [3, 4]\n}");
  EXPECT_EQ(edited("{\n  \"a\": [1, 2]\n}", "/a/-", 3), "{\n  \"a\": [1, 2, 3]\n}");
  EXPECT_EQ(edited("[1, 2,\n 3, 4]", "/-", 5), "[1, 2,\n 3, 4, 5]");
  EXPECT_EQ(edited("[0, 1]", "/1", R"(a,b:"[c)"), R"([0, "a,b:\"[c"])");
}

TEST(json_edit, comments_stay_with_their_lines) {
  EXPECT_EQ(edited("{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}", "/c", 3),
            "{\n  \"a\": 1, // one\n  \"b\": 2, // two\n  \"c\": 3\n}");
  EXPECT_EQ(edited("{\r\n  \"a\": 1 /* \" */ // {\r\n}", "/b", 3),
            "{\r\n  \"a\": 1, /* \" */ // {\r\n  \"b\": 3\r\n}");
  EXPECT_EQ(edited("[1, 2 /* two */]", "/-", 3), "[1, 2 /* two */, 3]");
  EXPECT_EQ(edited("[1 // one\n]", "/-", 3), "[1, // one\n  3\n]");
  EXPECT_EQ(edited("{ // none\n}", "/a", 3), "{ // none\n  \"a\": 3\n}");
  EXPECT_EQ(edited("/* [ */ {\"a\" /* b */ : /* c */ 1 /* d */} // ]", "/a", 2),
            "/* [ */ {\"a\" /* b */ : /* c */ 2 /* d */} // ]");
}

// Otherwise the new part followed the comment, which then seems to be about the new part.
TEST(json_edit, a_new_part_after_a_comment_at_the_end_of_the_line_has_its_own_line) {
  EXPECT_EQ(edited("{\"a\": 1 /* one */\n}", "/b", 2), "{\"a\": 1, /* one */\n  \"b\": 2\n}");
  EXPECT_EQ(edited("{\"a\": 1 // one\n}", "/b", 2), "{\"a\": 1, // one\n  \"b\": 2\n}");
  EXPECT_EQ(edited("{\n  \"a\": 1, \"b\": 2 /* two */\n}", "/c", 3),
            "{\n  \"a\": 1, \"b\": 2, /* two */\n  \"c\": 3\n}");
  EXPECT_EQ(edited("{\n  \"x\": [1, 2 // two\n  ]\n}", "/x/-", 3),
            "{\n  \"x\": [1, 2, // two\n    3\n  ]\n}");
  EXPECT_EQ(edited("{\"a\": 1, // one\n}", "/b", 2), "{\"a\": 1, // one\n  \"b\": 2,\n}");
  EXPECT_EQ(edited("{\"a\": 1 /* one */, \"b\": 2\n}", "/c", 3),
            "{\"a\": 1 /* one */, \"b\": 2, \"c\": 3\n}");
}

TEST(json_edit, trailing_commas_stay) {
  EXPECT_EQ(edited("[1, 2,]", "/-", 3), "[1, 2, 3,]");
  EXPECT_EQ(edited("{\n  \"a\": 1, // one\n}", "/b", 2), "{\n  \"a\": 1, // one\n  \"b\": 2,\n}");
  EXPECT_EQ(erased("[1, 2,]", "/1"), "[1,]");
  EXPECT_EQ(erased("[1,]", "/0"), "[]");
}

TEST(json_edit, escaped_keys_are_found_by_their_meaning) {
  EXPECT_EQ(edited(R"({"\u0061\/\"~": 1, "a": 2})", "/a~1\"~0", 3), R"({"\u0061\/\"~": 3, "a": 2})");
  EXPECT_EQ(edited(R"({"0": {"": 1}})", "/0/", 3), R"({"0": {"": 3}})");
}

TEST(json_edit, comments_and_trailing_commas_are_errors_unless_allowed) {
  const auto commented = json::edit("{ // a\n \"a\": 1}", "/a", 2);
  ASSERT_FALSE(commented);
  EXPECT_EQ(commented.error().code(), errc::syntax);
  EXPECT_EQ(commented.error().offset(), 2u);
  const auto trailing = json::edit("[1, [2,]]", "/0", 2);
  ASSERT_FALSE(trailing);
  EXPECT_EQ(trailing.error().code(), errc::syntax);
  EXPECT_EQ(trailing.error().path(), "[1]");
}

void expect_error(std::string_view text, std::string_view pointer, errc code, std::size_t offset,
                  std::string_view path, const json::edit_options& options = {}) {
  const auto result = json::edit(text, pointer, 1, options);
  ASSERT_FALSE(result) << *result;
  EXPECT_EQ(result.error().code(), code) << result.error().message();
  EXPECT_EQ(result.error().offset(), offset) << result.error().message();
  EXPECT_EQ(result.error().path(), path);
  EXPECT_NE(result.error().line(), 0u);
}

TEST(json_edit, errors_have_offset_and_path) {
  expect_error(R"({"a": {"b": {}}})", "/a/c/d", errc::missing_member, 6, "a.c");
  expect_error(R"({"a": [1, 2]})", "/a/3", errc::out_of_range, 6, "a[3]");
  expect_error(R"({"a": [1, 2]})", "/a/x", errc::out_of_range, 6, "a.x");
  expect_error(R"({"a": [1, 2]})", "/a/01", errc::out_of_range, 6, "a.01");
  expect_error(R"({"a": [1, 2]})", "/a/-/b", errc::out_of_range, 6, "a[2]");
  expect_error(R"({"a": [1, "x"]})", "/a/1/b", errc::type_mismatch, 10, "a[1]");
  expect_error(R"({"a": null})", "/a/b", errc::type_mismatch, 6, "a");
  expect_error("", "/a", errc::truncated, 0, "");
  expect_error("[1] 2", "/0", errc::trailing_bytes, 4, "");
}

// The advice was about the type: "correct the value or the member's type".
TEST(json_edit, errors_of_the_path_advise_about_the_path) {
  for (const std::string_view pointer : {"/b/x/y", "/a/7", "/a/x", "/a/1/b"}) {
    const auto result = json::edit(R"({"a": [1, "x"], "b": {}})", pointer, 1);
    ASSERT_FALSE(result);
    EXPECT_TRUE(std::string_view(result.error().message()).ends_with("; check the path"))
        << result.error().message();
  }
  const auto gone = json::erase(R"({"a": 1})", "/b");
  ASSERT_FALSE(gone);
  EXPECT_TRUE(std::string_view(gone.error().message()).ends_with("; check the path"))
      << gone.error().message();
}

TEST(json_edit, the_whole_text_is_validated) {
  expect_error(R"({"a": 1, "b": [}]})", "/a", errc::syntax, 15, "b");
  expect_error(R"({"b": 01, "a": 1})", "/a", errc::syntax, 6, "b");
  expect_error(R"({"b": {"c": "\x"}, "a": 1})", "/a", errc::syntax, 13, "b");
  expect_error("{\"a\": 1, \"b\": \"\xFF\"}", "/a", errc::invalid_utf8, 15, "");
  expect_error(R"({"a": 1, "b": tru})", "/a", errc::syntax, 14, "b");
  expect_error(R"({"a": 1)", "/a", errc::truncated, 7, "");
  expect_error(R"({"a": 1, 2: 3})", "/a", errc::syntax, 9, "");
}

TEST(json_edit, a_repeated_key_of_the_path_is_an_error) {
  expect_error(R"({"a": 1, "b": 2, "\u0061": 3})", "/a", errc::duplicate_key, 17, "\\u0061");
  expect_error(R"({"a": {"b": 1}, "c": 1, "a": {}})", "/a/b", errc::duplicate_key, 24, "a");
  EXPECT_FALSE(json::erase(R"({"a": 1, "a": 1})", "/a"));
  EXPECT_TRUE(json::edit(R"({"a": 1, "b": {"a": 1}, "c": 1})", "/a", 2));
}

TEST(json_edit, a_path_that_is_no_pointer_is_an_error) {
  for (const std::string_view pointer : {"a", "/a~", "/a~2b", "a/b"}) {
    const auto result = json::edit(R"({"a": 1})", pointer, 1);
    ASSERT_FALSE(result) << pointer;
    EXPECT_EQ(result.error().code(), errc::syntax);
    EXPECT_EQ(result.error().expected(), "a JSON Pointer");
  }
}

TEST(json_edit, errors_of_the_value_have_the_path_in_the_text) {
  const std::vector<double> numbers{1, std::numeric_limits<double>::quiet_NaN()};
  const auto result = json::edit(R"({"a": [{}]})", "/a/0/x", numbers);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), errc::out_of_range);
  EXPECT_EQ(result.error().path(), "a[0].x[1]");
  const auto name = json::edit("{}", "/\xFF", 1);
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code(), errc::invalid_utf8);
}

TEST(json_edit, the_result_is_within_the_depth_limit) {
  const json::edit_options three{.max_depth = 3};
  EXPECT_EQ(edited("[[[1]]]", "/0/0/0", 2, three), "[[[2]]]");
  EXPECT_EQ(edited("[[1]]", "/0/0", std::vector{1}, three), "[[[1]]]");
  const auto deeper = json::edit("[[[1]]]", "/0/0/0", std::vector{1}, three);
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().code(), errc::too_deep);
  expect_error("[[[[1]]]]", "/0/0/0/0", errc::too_deep, 3, "[0][0][0]", three);
}

TEST(json_edit, values_outside_the_path_may_have_any_depth) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const std::size_t depth = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 100'000 : 1'000'000;
  std::string deep = "[" + std::string(depth, '[') + std::string(depth, ']') + ",1]";
  EXPECT_TRUE(json::edit_in_place(deep, "/1", 2));
  EXPECT_TRUE(deep.ends_with("],2]"));
  EXPECT_TRUE(json::erase_in_place(deep, "/0"));
  EXPECT_EQ(deep, "[2]");
  std::string path;
  for (std::size_t i = 0; i < depth; ++i) path += "/0";
  EXPECT_FALSE(json::edit(std::string(depth, '['), path, 1));
  EXPECT_FALSE(json::edit(std::string(depth, '['), path, 1, {.max_depth = 0xFFFFFFFF}));
  const auto nested =
      json::edit(std::string(depth, '[') + "0" + std::string(depth, ']'), path, 1, {.max_depth = 0xFFFFFFFF});
  ASSERT_TRUE(nested);
  EXPECT_EQ((*nested)[depth], '1');
}

TEST(json_edit, in_place_an_error_changes_nothing) {
  std::string text = R"({"a": 1, "b": 2})";
  const std::string before = text;
  EXPECT_FALSE(json::edit_in_place(text, "/a/b", 1));
  EXPECT_FALSE(json::erase_in_place(text, "/c"));
  EXPECT_EQ(text, before);
  const std::string_view part = std::string_view(text).substr(2, 1);
  ASSERT_TRUE(json::edit_in_place(text, "/a", part));
  EXPECT_EQ(text, R"({"a": "a", "b": 2})");
}

TEST(json_edit, in_place_only_the_bytes_after_the_value_move) {
  std::string text = R"({"a": 1, "b": 2})";
  text.reserve(64);
  const char* const data = text.data();
  ASSERT_TRUE(json::edit_in_place(text, "/a", 1000));
  ASSERT_TRUE(json::edit_in_place(text, "/c", 1000));
  EXPECT_EQ(text.data(), data);
  EXPECT_EQ(text, R"({"a": 1000, "b": 2, "c": 1000})");
}

TEST(json_erase, removes_the_value_with_its_comma) {
  EXPECT_EQ(erased(R"({"a": 1, "b": 2, "c": 3})", "/a"), R"({"b": 2, "c": 3})");
  EXPECT_EQ(erased(R"({"a": 1, "b": 2, "c": 3})", "/b"), R"({"a": 1, "c": 3})");
  EXPECT_EQ(erased(R"({"a": 1, "b": 2, "c": 3})", "/c"), R"({"a": 1, "b": 2})");
  EXPECT_EQ(erased("[1,2]", "/0"), "[2]");
  EXPECT_EQ(erased("[ 1 ]", "/0"), "[]");
  EXPECT_EQ(erased("[1, 2,\n 3]", "/1"), "[1,\n 3]");
}

TEST(json_erase, removes_the_line_of_the_value) {
  const std::string text = "{\n  \"a\": 1,\n\n  \"b\": [\n    2\n  ],\n  \"c\": 3\n}\n";
  EXPECT_EQ(erased(text, "/a"), "{\n\n  \"b\": [\n    2\n  ],\n  \"c\": 3\n}\n");
  EXPECT_EQ(erased(text, "/b"), "{\n  \"a\": 1,\n\n  \"c\": 3\n}\n");
  EXPECT_EQ(erased(text, "/c"), "{\n  \"a\": 1,\n\n  \"b\": [\n    2\n  ]\n}\n");
  EXPECT_EQ(erased(text, "/b/0"), "{\n  \"a\": 1,\n\n  \"b\": [],\n  \"c\": 3\n}\n");
  EXPECT_EQ(erased("[\r\n\t1,\r\n\t2\r\n]", "/0"), "[\r\n\t2\r\n]");
}

TEST(json_erase, keeps_comments) {
  const std::string text = "{\n  // a\n  \"a\": 1, // one\n  \"b\": 2 /* two */, \"c\": 3 // three\n}";
  EXPECT_EQ(erased(text, "/a"), "{\n  // a\n  // one\n  \"b\": 2 /* two */, \"c\": 3 // three\n}");
  EXPECT_EQ(erased(text, "/b"), "{\n  // a\n  \"a\": 1, // one\n   /* two */ \"c\": 3 // three\n}");
  EXPECT_EQ(erased(text, "/c"), "{\n  // a\n  \"a\": 1, // one\n  \"b\": 2 /* two */  // three\n}");
  EXPECT_EQ(erased("[/* x */ 1 /* y */]", "/0"), "[/* x */  /* y */]");
}

TEST(json_erase, a_missing_value_is_an_error) {
  const auto expect = [](std::string_view text, std::string_view pointer, errc code, std::string_view path) {
    const auto result = json::erase(text, pointer);
    ASSERT_FALSE(result) << *result;
    EXPECT_EQ(result.error().code(), code);
    EXPECT_EQ(result.error().path(), path);
  };
  expect(R"({"a": {}})", "/a/b", errc::missing_member, "a.b");
  expect(R"({"a": [1]})", "/a/1", errc::out_of_range, "a[1]");
  expect(R"({"a": [1]})", "/a/-", errc::out_of_range, "a[1]");
  expect("[1]", "", errc::invalid_value, "");
}

TEST(json_edit, progress_can_stop_the_call) {
  std::uint64_t done = 0;
  const auto count = [&](std::uint64_t at, std::uint64_t) {
    done = at;
    return true;
  };
  const std::string text = "[" + std::string(1 << 20, ' ') + "1]";
  ASSERT_TRUE(json::edit(text, "/0", 2, {.progress = count}));
  EXPECT_EQ(done, text.size());
  const auto stop = [](std::uint64_t, std::uint64_t) { return false; };
  const auto stopped = json::edit(text, "/0", 2, {.progress = stop});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), errc::cancelled);
}

TEST(json_edit, a_text_over_the_limit_is_an_error) {
  const auto result = json::edit("[1, 2]", "/0", 2, {.max_bytes = 5});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), errc::too_large);
}

} // namespace edit_test
