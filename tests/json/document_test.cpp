// SPDX-License-Identifier: Apache-2.0
// Text to documents and back: exact values, errors at their position, options as documented, real
// files unchanged. Without this a document might differ from its text.
#include <ingot/document/live_value.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/vector.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace json_document_test {

using namespace ingot::literals;
using namespace std::string_view_literals;
using ingot::errc;
using ingot::value_kind;
namespace json = ingot::json;

ingot::document read(std::string_view text, const json::read_options& options = {}) {
  auto parsed = json::read_document(text, options);
  EXPECT_TRUE(parsed.has_value()) << text << ": " << parsed.error().message();
  return parsed ? std::move(*parsed) : ingot::document();
}
std::string write(const ingot::document& doc, const json::write_options& options = {}) {
  auto written = json::write(doc, options);
  EXPECT_TRUE(written.has_value()) << written.error().message();
  return written ? *written : std::string();
}

/// Returns the error code; nothing on success.
template <class T>
std::optional<ingot::errc> code_of(const ingot::result<T>& of) {
  return of ? std::nullopt : std::optional(of.error().code());
}

TEST(json_document, numbers_are_what_the_text_says) {
  struct number_case {
    std::string_view text;
    value_kind kind;
    std::uint64_t bits;
  };
  const auto real = [](double d) { return std::bit_cast<std::uint64_t>(d); };
  const auto whole = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
  const number_case cases[] = {
      {"0", value_kind::integer, 0},
      {"-0", value_kind::number, real(-0.0)},
      {"-0.0", value_kind::number, real(-0.0)},
      {"0.0", value_kind::number, real(0.0)},
      {"7", value_kind::integer, 7},
      {"-1", value_kind::integer, whole(-1)},
      {"9223372036854775807", value_kind::integer, whole(std::numeric_limits<std::int64_t>::max())},
      {"-9223372036854775808", value_kind::integer, whole(std::numeric_limits<std::int64_t>::min())},
      {"9223372036854775808", value_kind::large_integer, std::uint64_t{1} << 63},
      {"18446744073709551615", value_kind::large_integer, ~std::uint64_t{0}},
      {"1.0", value_kind::number, real(1)},
      {"1e2", value_kind::number, real(100)},
      {"1E+2", value_kind::number, real(100)},
      {"0.1", value_kind::number, real(0.1)},
      {"9007199254740993.0", value_kind::number, real(9007199254740992.0)}, // ties to even
      {"9007199254740993.0000000000000000000001", value_kind::number, real(9007199254740994.0)},
      {"1.7976931348623157e308", value_kind::number, real(1.7976931348623157e308)},
      {"2.2250738585072011e-308", value_kind::number, real(2.2250738585072011e-308)},
      {"5e-324", value_kind::number, real(5e-324)},
      {"2e-324", value_kind::number, real(0.0)},
      {"-1e-999", value_kind::number, real(-0.0)},
      {"123456789012345678901234567890e-20", value_kind::number, real(1234567890.1234567)},
      {"0.30000000000000004", value_kind::number, real(0.30000000000000004)},
  };
  for (const auto& [text, kind, bits] : cases) {
    const auto doc = read(text);
    EXPECT_EQ(doc.root().kind(), kind) << text;
    if (kind == value_kind::number) EXPECT_EQ(real(doc.root().value_or(7.5)), bits) << text;
    else if (kind == value_kind::integer)
      EXPECT_EQ(whole(doc.root().value_or(std::int64_t{5})), bits) << text;
    else EXPECT_EQ(doc.root().value_or(std::uint64_t{5}), bits) << text;
    EXPECT_TRUE(read(write(doc)) == doc) << text << " as " << write(doc);
  }
  for (const auto text : {"1e309", "-1.8e308", "[1,1e400]", "18446744073709551616", "-9223372036854775809"})
    EXPECT_EQ(code_of(json::read_document(text)), errc::out_of_range) << text;
}

TEST(json_document, doubles_stay_doubles) {
  std::mt19937_64 random(7);
  ingot::document doc;
  auto root = doc.root();
  for (const double d :
       {0.0, -0.0, 1.0, -5.0, 1e15, 1e16, 1e21, 1e22, 123456789.0, 0.1, 1e-7, 5e-324, 1.7976931348623157e308})
    ASSERT_TRUE(root.append(d));
  for (int i = 0; i < 2000; ++i) {
    const auto d = std::bit_cast<double>(random());
    ASSERT_TRUE(root.append(std::isfinite(d) ? d : 0.5));
    ASSERT_TRUE(root.append(static_cast<double>(static_cast<std::int64_t>(random()) >> random() % 64)));
  }
  EXPECT_TRUE(read(write(doc)) == doc);
  EXPECT_EQ(write(ingot::document(5.0)), "5.0");
  EXPECT_EQ(write(ingot::document(-0.0)), "-0.0");
  EXPECT_EQ(write(ingot::document(1e300)), "1e+300");
}

/// Large numbers of a type are written without point and exponent, like integers.
TEST(json_document, large_numbers_of_a_type_come_back_through_a_document) {
  struct sample {
    double exact;
    float nearest;
  };
  const sample of{729151836437348096.0, 97194280000000.0F};
  const auto text = json::write(of);
  ASSERT_EQ(text, "{\"exact\":729151836437348096,\"nearest\":97194280000000}");
  const auto back = read(*text).root().as<sample>();
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(back->exact, of.exact);
  EXPECT_EQ(back->nearest, of.nearest);
}
TEST(json_document, strings_are_what_the_text_says) {
  const auto is = [](std::string_view text, std::string_view wanted) {
    const auto doc = read(text);
    EXPECT_EQ(doc.root().value_or("?"sv), wanted) << text;
    EXPECT_TRUE(read(write(doc)) == doc) << text;
  };
  is(R"("")", "");
  is(R"("\u0000")", "\0"sv);
  is(R"("a\u0000b")", "a\0b"sv);
  is(R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t");
  is(R"("\u00e9\u20AC\uD83D\uDe00")", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  is("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  is(R"("\\u0041")", "\\u0041");
  for (const std::size_t size : {std::size_t{126}, std::size_t{127}, std::size_t{128}, std::size_t{70'000}}) {
    const std::string text(size, 'x');
    is('"' + text + '"', text);
    is('"' + text + "\\n\"", text + '\n');
  }
  const auto keys = read(
      R"({"a\u0000":1,"\ud83d\ude00":2,"":3,"a key of more than thirty-two bytes, which lies apart":4})");
  EXPECT_EQ(keys["a\0"sv].value_or(0), 1);
  EXPECT_EQ(keys["\xF0\x9F\x98\x80"].value_or(0), 2);
  EXPECT_EQ(keys[""].value_or(0), 3);
  EXPECT_EQ(keys["a key of more than thirty-two bytes, which lies apart"].value_or(0), 4);
}

TEST(json_document, errors_say_where) {
  struct error_case {
    std::string_view text;
    errc code;
    std::uint64_t offset;
    std::string_view path;
  };
  const error_case cases[] = {
      {R"({"a":{"b":[1,{"x":1,"y":2,"x":3}]}})", errc::duplicate_key, 26, "a.b[1]"},
      {R"({"x":[{},{"a":[1,2],"b":{"a":1}}],"y":1,"z":{"y":[]},"y":2})", errc::duplicate_key, 53, ""},
      {R"({"a":1,"\u0061":2})", errc::duplicate_key, 7, ""},
      {R"({"a":[1,2,{"b":tru}]})", errc::syntax, 15, "a[2].b"},
      {R"({"a":[1,2,{"b":1e999}]})", errc::out_of_range, 15, "a[2].b"},
      {R"({"a":1,"b":"\ud800"})", errc::syntax, 12, "b"},
      {R"([[],[[1],[2 3]]])", errc::syntax, 12, "[1][1][0]"},
      {R"({"a":[{"b":1},{"c" 1}]})", errc::syntax, 19, "a[1].c"},
      {R"({"a":1 "b":2})", errc::syntax, 7, "a"},
      {"[1,2", errc::truncated, 4, "[1]"},
      {R"({"a":[)", errc::truncated, 6, "a[0]"},
      {"[1]\n\n  x", errc::trailing_bytes, 7, ""},
      {"[\"\xFF\"]", errc::invalid_utf8, 2, ""},
  };
  for (const auto& [text, code, offset, path] : cases) {
    const auto doc = json::read_document(text);
    ASSERT_FALSE(doc.has_value()) << text;
    EXPECT_EQ(doc.error().code(), code) << text << doc.error().message();
    EXPECT_EQ(doc.error().offset(), offset) << text << doc.error().message();
    EXPECT_EQ(doc.error().path(), path) << text;
  }
  const auto error = json::read_document("{\n  \"a\": [1,\n    x]}").error();
  EXPECT_EQ(error.line(), 3u);
  EXPECT_EQ(error.column(), 5u);
  EXPECT_EQ(error.message(),
            "syntax error at line 3, column 5 (a[1]): expected a value, found x; correct the text");
}

TEST(json_document, policies_of_reading) {
  constexpr auto twice = R"({"a":1,"b":2,"a":[3]})"sv;
  EXPECT_FALSE(json::read_document(twice).has_value());
  EXPECT_EQ(read(twice, {.duplicate_keys = json::duplicate_keys::last_wins})["a"][0].value_or(0), 3);
  EXPECT_EQ(read(twice, {.duplicate_keys = json::duplicate_keys::first_wins})["a"].value_or(0), 1);

  constexpr auto commented = "/* a */ [1, // one\n2]"sv;
  EXPECT_FALSE(json::read_document(commented).has_value());
  EXPECT_EQ(read(commented, {.comments = json::comments::allow})[1].value_or(0), 2);

  EXPECT_TRUE(json::read_document("[[[]]]", {.max_depth = 3}).has_value());
  EXPECT_EQ(code_of(json::read_document("[[[]]]", {.max_depth = 2})), errc::too_deep);
  EXPECT_EQ(json::read_document("[[[]]]", {.max_depth = 2}).error().path(), "[0][0]");

  // A size limit that is too low, and the default, which is high enough.
  const std::string text = '"' + std::string(3'000'000, 'x') + '"';
  EXPECT_EQ(code_of(json::read_document(text, ingot::max_block_size{1 << 20})), errc::no_space);
  EXPECT_EQ(read(text).root().length(), 3'000'000u);
}

TEST(json_document, policies_of_writing) {
  ingot::document doc;
  for (const char* key : {"b", "a", "d", "c", ""}) doc[key] = std::vector<int>{1, 2};
  EXPECT_EQ(write(doc, {.key_order = json::key_order::sorted}),
            R"({"":[1,2],"a":[1,2],"b":[1,2],"c":[1,2],"d":[1,2]})");
  EXPECT_TRUE(read(write(doc)) == doc);
  EXPECT_TRUE(read(write(doc, json::pretty)) == doc);
  EXPECT_EQ(json::write(doc.root()["a"], json::pretty).value(), "[\n  1,\n  2\n]");
  EXPECT_EQ(write(read("[[],{}]"), json::pretty), "[\n  [],\n  {}\n]");

  // A value without a JSON form is an error with its path, and leaves the text unchanged.
  doc = read(R"({"a":[1,{"b":0}]})");
  auto member = doc.at("/a/1/b");
  std::string out = "before";
  ASSERT_TRUE(member.set(std::numeric_limits<double>::infinity()));
  const auto infinite = json::write_to(out, doc);
  ASSERT_FALSE(infinite.has_value());
  EXPECT_EQ(infinite.error().code(), errc::out_of_range);
  EXPECT_EQ(infinite.error().path(), "a[1].b");
  EXPECT_EQ(out, "before");
  EXPECT_EQ(write(doc, {.non_finite = json::non_finite::null}), R"({"a":[1,{"b":null}]})");
  EXPECT_EQ(write(doc, {.non_finite = json::non_finite::strings}), R"({"a":[1,{"b":"Infinity"}]})");

  ASSERT_TRUE(member.set("\xFF"));
  EXPECT_EQ(code_of(json::write(doc)), errc::invalid_utf8);
  EXPECT_EQ(json::write(doc, {.key_order = json::key_order::sorted}).error().path(), "a[1].b");
  EXPECT_EQ(write(doc, {.invalid_utf8 = json::invalid_utf8::replace}),
            "{\"a\":[1,{\"b\":\"\xEF\xBF\xBD\"}]}");

  const auto encoded = [&](std::string_view bytes, json::binary_style style) {
    EXPECT_TRUE(member.set(ingot::as_bytes_view(bytes)));
    return json::write(member, {.binary = style});
  };
  EXPECT_EQ(code_of(encoded("ab", json::binary_style::error)), errc::type_mismatch);
  EXPECT_EQ(encoded("ab", json::binary_style::numbers), "[97,98]");
  EXPECT_EQ(encoded("", json::binary_style::numbers), "[]");
  EXPECT_EQ(encoded("", json::binary_style::base64), R"("")");
  EXPECT_EQ(encoded("f", json::binary_style::base64), R"("Zg==")");
  EXPECT_EQ(encoded("fo", json::binary_style::base64), R"("Zm8=")");
  EXPECT_EQ(encoded("foobar", json::binary_style::base64), R"("Zm9vYmFy")");
  EXPECT_EQ(encoded("\xFB\xEF\xFF", json::binary_style::base64), R"("++//")");

  EXPECT_EQ(code_of(json::write(ingot::value())), errc::missing_member);
}

TEST(json_document, a_key_that_is_stored_once_makes_no_more_text_than_is_allowed) {
  ingot::document doc(ingot::max_block_size{1 << 24});
  const std::string key(20'000, 'k');
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(doc.root().append(std::map<std::string, int>{{key, i}}));
  doc.compact();
  ASSERT_LT(doc.bytes().size(), 40'000U);
  for (const auto order : {json::key_order::stored, json::key_order::sorted}) {
    std::string out = "before";
    const auto rejected = json::write_to(out, doc, {.key_order = order, .max_bytes = 1 << 20});
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(rejected.error().code(), errc::too_large);
    EXPECT_LE(rejected.error().offset(), 1U << 20) << "where it would have been too much";
    EXPECT_EQ(out, "before");
    EXPECT_LT(out.capacity(), 3U << 20) << "nor was more made";
  }
  // Exact to the byte, whatever comes last.
  doc = read(R"([1,"text",{"key":[]},1.5,null,"\u0001",{}])");
  ASSERT_TRUE(doc.root().append(std::vector<std::byte>(5, std::byte{200})));
  while (!doc.root().empty()) {
    for (const auto style : {json::binary_style::base64, json::binary_style::numbers}) {
      const std::string whole = write(doc, {.binary = style});
      EXPECT_EQ(write(doc, {.binary = style, .max_bytes = whole.size()}), whole);
      for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_EQ(code_of(json::write(doc, {.binary = style, .max_bytes = size})), errc::too_large)
            << whole << size;
    }
    ASSERT_TRUE(doc.root().erase(doc.root().size() - 1));
  }
}

TEST(json_document, a_text_may_be_a_value_of_a_document) {
  ingot::document doc;
  doc["a"] = 1;
  doc["b"] = "kept";
  ASSERT_TRUE(json::read_into(doc["a"], R"({"x":[1,2,"text",{"y":null}]})"));
  EXPECT_EQ(doc.at("/a/x/2").value_or("?"sv), "text");
  const auto damaged = json::read_into(doc["a"], R"({"x":[[1],[2]})");
  ASSERT_FALSE(damaged.has_value());
  EXPECT_EQ(damaged.error().path(), "x[1]");
  EXPECT_EQ(doc["a"]["x"][0].value_or(0), 1) << "after an error it is as it was";
  EXPECT_EQ(code_of(json::read_into(doc["a"], "[1] 2")), errc::trailing_bytes);
  EXPECT_EQ(doc["a"]["x"][0].value_or(0), 1);
  ASSERT_TRUE(
      json::read_into(doc["a"], R"({"x":1,"x":2})", {.duplicate_keys = json::duplicate_keys::last_wins}));
  EXPECT_EQ(doc["a"]["x"].value_or(0), 2);
  EXPECT_EQ(code_of(json::read_into(doc["none"], "1")), errc::missing_member);
  EXPECT_TRUE(ingot::document::open(doc.bytes()).has_value());

  // Among other events.
  ingot::document_writer to;
  to.begin_array();
  ASSERT_TRUE(json::read_events(to, R"({"a":[1]})"));
  EXPECT_EQ(code_of(json::read_events(to, "[1")), errc::truncated);
  ingot::document_writer again;
  again.begin_object(), again.key("a");
  ASSERT_TRUE(json::read_events(again, "[[]]", {.max_depth = 2}));
  again.end();
  EXPECT_EQ(write(again.finish().value()), R"({"a":[[]]})");
}

TEST(json_document, literals_are_values) {
  ingot::document doc;
  doc["limits"] = R"({"low": -1, "high": [2, 3.5, "\u00e9"], "none": null})"_json;
  doc["list"] = std::vector{"1"_json, "[true]"_json};
  EXPECT_EQ(write(doc, {.key_order = json::key_order::sorted}),
            "{\"limits\":{\"high\":[2,3.5,\"\xC3\xA9\"],\"low\":-1,\"none\":null},\"list\":[1,[true]]}");
  EXPECT_EQ(ingot::document(R"({"a":1,"a":2})"_json)["a"].value_or(0), 2);
  ASSERT_TRUE(doc.root().set("[]"_json));
  EXPECT_TRUE(doc.root().is_array());

  // The compiler gives the same result for a text as the reader.
  using json::detail::literal_check;
  static_assert(
      literal_check(R"( {"a" : [ ] , "b":[{},"\ud83d\ude00",-0,0.5e-7,18446744073709551615]} )").good());
  static_assert(literal_check("\"\xC3\xA9\xED\x9F\xBF\xF4\x8F\xBF\xBF\"").good());
  static_assert(!literal_check("").good() && !literal_check("[").good() && !literal_check("[}").good());
  static_assert(!literal_check("[1,]").good() && !literal_check("{\"a\":1,}").good() &&
                !literal_check("[1 2]").good());
  static_assert(!literal_check("01").good() && !literal_check("1.").good() && !literal_check("-").good() &&
                !literal_check("1e").good() && !literal_check("1e400").good());
  static_assert(!literal_check("18446744073709551616").good() &&
                !literal_check("-9223372036854775809").good());
  static_assert(!literal_check("\"\\x\"").good() && !literal_check("\"\\ud800\"").good() &&
                !literal_check("\"\n\"").good());
  static_assert(!literal_check("\"\xC0\xAF\"").good() && !literal_check("\"\xED\xA0\x80\"").good() &&
                !literal_check("\"\xE2\x82\"").good());
  static_assert(!literal_check("{a:1}").good() && !literal_check("truth").good() &&
                !literal_check("nul").good() && !literal_check("1 x").good());
}

TEST(json_document, every_file_of_iso_codes_comes_back_as_it_was) {
  // Records by code, in the form of a typed reader.
  using table = std::map<std::string, std::vector<std::map<std::string, std::string>>>;
  unsigned files = 0;
  unsigned tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/share/iso-codes/json")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ++files;
    auto doc = read(text);
    const std::string written = write(doc);
    const auto back = read(written);
    ASSERT_TRUE(back == doc) << entry.path();
    EXPECT_EQ(write(back), written) << entry.path();
    EXPECT_TRUE(read(write(doc, {.key_order = json::key_order::sorted, .indent = 2})) == doc) << entry.path();
    if (entry.path().filename().string().starts_with("iso_")) {
      ++tables;
      const auto typed = json::read<table>(text);
      ASSERT_TRUE(typed.has_value()) << typed.error().message();
      EXPECT_EQ(doc.root().as<table>(), *typed) << entry.path();
    }
    // Validated like untrusted bytes, and its canonical form is that of its copy.
    ASSERT_TRUE(ingot::document::open(doc.bytes(), {.max_size = {64u << 20}}).has_value()) << entry.path();
  }
  EXPECT_GE(files, 16u);
  EXPECT_GE(tables, 8u);
}

TEST(json_document, a_text_after_one_that_failed_is_rejected_for_the_same_reason) {
  for (const std::string_view second : {R"({"a": 1, "a": 2})", "[1]", "7", "{", "]", ""}) {
    ingot::document_writer to;
    to.begin_array();
    ASSERT_FALSE(ingot::json::read_events(to, R"({"a": 1, "a": 2})").has_value());
    EXPECT_FALSE(ingot::json::read_events(to, second).has_value()) << second;
    EXPECT_FALSE(to.finish().has_value());
  }
}

struct with_any {
  int id = 0;
  ingot::document extra;
  std::optional<ingot::document> maybe;
  std::vector<ingot::document> more;
  bool operator==(const with_any&) const = default;
};
struct live_with_any {
  int id = 0;
  ingot::live_value extra;
  ingot::optional<ingot::live_value> maybe;
  ingot::vector<ingot::live_value> more;
};

TEST(json_document, a_member_of_any_value_takes_any_value) {
  const std::string text =
      R"({"id":7,"extra":{"price":3.5,"deep":[[1,{"a":null}]],"big":18446744073709551615},"maybe":[null],"more":["x",-1,false,null]})";
  json::write_options sorted;
  sorted.key_order = json::key_order::sorted;
  const std::string in_order =
      R"({"id":7,"extra":{"big":18446744073709551615,"deep":[[1,{"a":null}]],"price":3.5},"maybe":[null],"more":["x",-1,false,null]})";
  const auto read = json::read<with_any>(text);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->extra.at("/deep/0/0").as<int>(), 1);
  EXPECT_TRUE(read->maybe.has_value() && read->maybe->root().is_null());
  EXPECT_EQ(json::write(*read, sorted).value(), in_order);

  ingot::live<live_with_any> block;
  const auto into = json::read_into(*block, text);
  ASSERT_TRUE(into.has_value()) << into.error().message();
  EXPECT_EQ(block->extra, read->extra);
  EXPECT_EQ(json::write(*block, sorted).value(), in_order);
  EXPECT_EQ(json::write(block->extra["deep"]).value(), R"([[1,{"a":null}]])");
  block->extra = R"({"low": [1, 2]})"_json;
  EXPECT_EQ(json::write(block->extra).value(), R"({"low":[1,2]})");
  ASSERT_TRUE(json::read_into(block->extra.edit().root(), R"({"k": "v"})").has_value());
  EXPECT_EQ(block->extra["k"].as<std::string>(), "v");

  // Errors have the whole path.
  const auto bad = json::read<with_any>(R"({"id":7,"extra":{"list":[1,tru]},"more":[]})");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().path(), "extra.list[1]");
  const auto twice = json::read<with_any>(R"({"id":7,"extra":{"k":1,"k":2},"more":[]})");
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().code(), errc::duplicate_key);
  // A value without a text is an error there, too.
  with_any not_finite;
  not_finite.extra["x"] = std::numeric_limits<double>::infinity();
  const auto written = json::write(not_finite);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().path(), "extra.x");
}

TEST(json_document, each_of_many_values_gets_addresses_for_itself_and_not_for_the_text_after_it) {
  const std::string long_suffix(std::size_t{1} << 20, 'x');
  const auto read =
      json::read<std::vector<ingot::document>>(R"([1,[2,[3]],{"a":{"b":"\u00e9"}},")" + long_suffix + "\"]");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  ASSERT_EQ(read->size(), 4U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ((*read)[i].max_size(), ingot::document::default_max_block_size.bytes) << i;
  EXPECT_EQ((*read)[2].at("/a/b").as<std::string>(), "\u00e9");
  EXPECT_EQ((*read)[3].root().length(), long_suffix.size());
  // An error in skipped text is reported as without skipping.
  const auto broken = json::read<std::vector<ingot::document>>(R"([1,{"a":[2,}],")" + long_suffix + "\"]");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code(), errc::syntax);
  EXPECT_EQ(broken.error().offset(), 11U);
}

} // namespace json_document_test
