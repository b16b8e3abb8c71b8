// SPDX-License-Identifier: Apache-2.0
// Text readers silently lose values in a dozen well-known ways. Each of them is an error here, or
// the value is read exactly: one test each.
#include <ingot/json/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace silent_loss_test {

using ingot::errc;
namespace json = ingot::json;

enum class colour { red, green, blue };
enum class rights : std::uint8_t { read = 1, write = 2, all = 7 };
constexpr rights operator|(rights a, rights b) {
  return static_cast<rights>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct holder {
  std::uint8_t byte = 7;
  std::string text;
  bool operator==(const holder&) const = default;
};

template <class T>
errc code_of(std::string_view text, const json::read_options& options = {}) {
  const auto value = json::read<T>(text, options);
  EXPECT_FALSE(value) << text;
  return value ? errc{} : value.error().code();
}

TEST(json_silent_loss, integers_outside_their_type_are_errors) {
  EXPECT_EQ(code_of<std::uint8_t>("300"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint8_t>("256"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint8_t>("-1"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint64_t>("-1"), errc::out_of_range);
  EXPECT_EQ(code_of<std::int8_t>("128"), errc::out_of_range);
  EXPECT_EQ(code_of<std::int8_t>("-129"), errc::out_of_range);
  EXPECT_EQ(code_of<std::int64_t>("9223372036854775808"), errc::out_of_range);
  EXPECT_EQ(code_of<std::int64_t>("-9223372036854775809"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint64_t>("18446744073709551616"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint64_t>("99999999999999999999"), errc::out_of_range);
  EXPECT_EQ(code_of<std::uint64_t>("100000000000000000000"), errc::out_of_range);
  EXPECT_EQ(code_of<std::int64_t>("123456789012345678901234567890"), errc::out_of_range);
}

TEST(json_silent_loss, integers_up_to_their_limits_are_exact) {
  EXPECT_EQ(json::read<std::uint64_t>("18446744073709551615").value(), 18446744073709551615u);
  EXPECT_EQ(json::read<std::uint64_t>("10000000000000000000").value(), 10000000000000000000u);
  EXPECT_EQ(json::read<std::int64_t>("9223372036854775807").value(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(json::read<std::int64_t>("-9223372036854775808").value(),
            std::numeric_limits<std::int64_t>::min());
  // no double represents it
  EXPECT_EQ(json::read<std::uint64_t>("9007199254740993").value(), 9007199254740993u);
  EXPECT_EQ(json::read<std::int8_t>("-128").value(), -128);
  EXPECT_EQ(json::read<std::uint8_t>("255").value(), 255);
  EXPECT_EQ(json::read<std::uint8_t>("-0").value(), 0);
}

TEST(json_silent_loss, every_power_of_ten_and_its_neighbours_are_exact) {
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits, power *= 10) {
    for (const std::uint64_t n : {power - 1, power, power + 1}) {
      EXPECT_EQ(json::read<std::uint64_t>(std::to_string(n)).value(), n);
      EXPECT_EQ(json::write(n).value(), std::to_string(n));
      if (n > 9223372036854775807u) continue;
      const auto negative = -static_cast<std::int64_t>(n);
      EXPECT_EQ(json::read<std::int64_t>(std::to_string(negative)).value(), negative);
      EXPECT_EQ(json::write(negative).value(), std::to_string(negative));
    }
  }
}

TEST(json_silent_loss, fractions_and_exponents_are_no_integers) {
  EXPECT_EQ(code_of<int>("1.5"), errc::type_mismatch);
  EXPECT_EQ(code_of<int>("1.0"), errc::type_mismatch);
  EXPECT_EQ(code_of<int>("1e2"), errc::type_mismatch);
  EXPECT_EQ(code_of<unsigned>("1E2"), errc::type_mismatch);
}

TEST(json_silent_loss, numbers_too_big_for_a_float_are_errors) {
  EXPECT_EQ(code_of<float>("1e60"), errc::out_of_range);
  EXPECT_EQ(code_of<float>("-1e60"), errc::out_of_range);
  EXPECT_EQ(code_of<float>("3.4028236e38"), errc::out_of_range);
  EXPECT_EQ(code_of<double>("1e400"), errc::out_of_range);
  EXPECT_EQ(code_of<double>("1.8e308"), errc::out_of_range);
  EXPECT_EQ(code_of<double>("1" + std::string(400, '0')), errc::out_of_range);
  EXPECT_EQ(code_of<double>("1e99999999999999999999"), errc::out_of_range);
  EXPECT_EQ(json::read<float>("3.4028235e38").value(), std::numeric_limits<float>::max());
  EXPECT_EQ(json::read<double>("1.7976931348623157e308").value(), std::numeric_limits<double>::max());
}

TEST(json_silent_loss, small_numbers_round_to_the_nearest) {
  EXPECT_EQ(json::read<double>("5e-324").value(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(json::read<float>("1e-45").value(), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(json::read<double>("1e-400").value(), 0.0);
  EXPECT_EQ(json::read<double>("0e400").value(), 0.0);
  EXPECT_EQ(json::read<double>("0e-99999999999999999999").value(), 0.0);
  EXPECT_TRUE(std::signbit(json::read<double>("-0").value()));
  EXPECT_TRUE(std::signbit(json::read<float>("-0.0").value()));
}

TEST(json_silent_loss, an_unknown_enumerator_is_an_error_that_lists_the_names) {
  const auto value = json::read<colour>(R"("purple")");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), errc::unknown_enumerator);
  EXPECT_EQ(value.error().expected(), "one of red, green, blue");
  EXPECT_EQ(value.error().found(), "\"purple\"");
  EXPECT_EQ(code_of<colour>("3"), errc::unknown_enumerator);
  EXPECT_EQ(code_of<colour>("-1"), errc::unknown_enumerator);
  EXPECT_EQ(code_of<colour>("\"\""), errc::unknown_enumerator);
  EXPECT_EQ(json::read<colour>("1").value(), colour::green);
}

TEST(json_silent_loss, a_combination_of_flags_is_its_number_and_an_enumerator_its_name) {
  const std::vector<rights> all{rights::read | rights::write, rights::all, rights{}, rights::write};
  const std::string text = json::write(all).value();
  EXPECT_EQ(text, R"([3,"all",0,"write"])");
  EXPECT_EQ(json::read<std::vector<rights>>(text).value(), all);
  EXPECT_EQ(json::read<rights>("7").value(), rights::all);
  const std::map<rights, int> keyed{{rights{}, 1}, {rights::read, 2}, {rights{6}, 3}};
  EXPECT_EQ(json::write(keyed).value(), R"({"0":1,"read":2,"6":3})");
  EXPECT_EQ((json::read<std::map<rights, int>>(R"({"0":1,"read":2,"6":3})").value()), keyed);

  const auto bad = json::read<rights>("8");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), errc::unknown_enumerator);
  EXPECT_EQ(bad.error().expected(), "a combination of read, write, all");
  EXPECT_EQ(code_of<rights>(R"("read|write")"), errc::unknown_enumerator);
  EXPECT_EQ((code_of<std::map<rights, int>>(R"({"9":1})")), errc::unknown_enumerator);
  EXPECT_EQ(json::write(rights{9}).error().code(), errc::unknown_enumerator);
}

TEST(json_silent_loss, an_escaped_key_names_its_member) {
  EXPECT_EQ(json::read<holder>(R"({"byt\u0065": 9, "\u0074ext": "t"})").value(), (holder{9, "t"}));
}

TEST(json_silent_loss, text_after_the_value_is_an_error) {
  EXPECT_EQ(code_of<int>("1 2"), errc::trailing_bytes);
  EXPECT_EQ(code_of<int>("1,"), errc::trailing_bytes);
  EXPECT_EQ(code_of<std::vector<int>>("[1] x"), errc::trailing_bytes);
  EXPECT_EQ(code_of<std::vector<int>>("[1]]"), errc::trailing_bytes);
  EXPECT_EQ(code_of<std::string>("\"a\"\"b\""), errc::trailing_bytes);
  EXPECT_EQ(code_of<int>(std::string_view("1\0", 2)), errc::syntax);
  EXPECT_EQ(json::read<int>(" \n\t\r1 \n\t\r").value(), 1);
}

TEST(json_silent_loss, arrays_of_fixed_size_are_exact) {
  EXPECT_EQ(code_of<decltype(std::array<int, 3>{})>("[1,2]"), errc::bad_length);
  EXPECT_EQ(code_of<decltype(std::array<int, 3>{})>("[]"), errc::bad_length);
  EXPECT_EQ(code_of<decltype(std::array<int, 3>{})>("[1,2,3,4]"), errc::too_long);
  EXPECT_EQ(code_of<decltype(std::pair<int, bool>{})>("[1]"), errc::bad_length);
  EXPECT_EQ(code_of<decltype(std::pair<int, bool>{})>("[1,true,2]"), errc::too_long);
  EXPECT_EQ(code_of<std::tuple<>>("[1]"), errc::too_long);
  const auto missing = json::read<std::array<int, 3>>("[1,2]");
  EXPECT_EQ(missing.error().expected(), "exactly 3 elements");
  EXPECT_EQ(missing.error().found(), "2");
  EXPECT_EQ(missing.error().offset(), 4u);
}

TEST(json_silent_loss, nan_and_infinity_are_errors_and_what_a_policy_writes_is_read_again) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(json::write(nan).error().code(), errc::out_of_range);
  EXPECT_EQ(json::write(-infinity).error().code(), errc::out_of_range);
  EXPECT_EQ(code_of<double>("null"), errc::type_mismatch);
  EXPECT_EQ(code_of<double>("\"NaN\""), errc::type_mismatch);
  EXPECT_EQ(json::read<double>("null").error().expected(), "a number, or the option json::non_finite::null");
  EXPECT_EQ(json::read<float>("\"NaN\"").error().expected(),
            "a number, or the option json::non_finite::strings");
  EXPECT_EQ(json::read<float>("\"nan\"").error().expected(), "a number");
  EXPECT_EQ(code_of<double>("NaN"), errc::syntax);
  EXPECT_EQ(code_of<double>("-Infinity"), errc::syntax);

  const json::write_options null{.non_finite = json::non_finite::null};
  const json::read_options from_null{.non_finite = json::non_finite::null};
  EXPECT_EQ(json::write(nan, null).value(), "null");
  EXPECT_TRUE(std::isnan(json::read<double>("null", from_null).value()));
  EXPECT_TRUE(std::isnan(json::read<std::vector<float>>("[1,null]", from_null).value()[1]));

  const json::write_options strings{.non_finite = json::non_finite::strings};
  const json::read_options from_strings{.non_finite = json::non_finite::strings};
  for (const double value : {nan, infinity, -infinity}) {
    const auto text = json::write(value, strings).value();
    const auto back = json::read<double>(text, from_strings).value();
    EXPECT_TRUE(back == value || (std::isnan(back) && std::isnan(value))) << text;
  }
  EXPECT_EQ(code_of<double>("\"nan\"", from_strings), errc::type_mismatch);
}

TEST(json_silent_loss, nan_as_null_is_rejected_where_null_means_none) {
  const std::optional<float> nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(json::write(nan, {.non_finite = json::non_finite::null}));
  EXPECT_TRUE(json::write(nan, {.non_finite = json::non_finite::strings}));
}

TEST(json_silent_loss, control_characters_are_escaped_when_written) {
  std::string all;
  for (char c = 0; c < 0x20; ++c) all += c;
  const auto text = json::write(all).value();
  for (const char c : text) EXPECT_GE(c, 0x20);
  EXPECT_EQ(json::read<std::string>(text).value(), all);
  EXPECT_EQ(json::write(std::string("\x7f\"\\/\b\f\n\r\t\x01")).value(), "\"\x7f"
                                                                         R"(\"\\/\b\f\n\r\t\u0001")");
}

TEST(json_silent_loss, control_characters_in_a_string_are_errors_when_read) {
  const auto value = json::read<std::string>("\"ab\ncd\"");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), errc::syntax);
  EXPECT_EQ(value.error().offset(), 3u);
  EXPECT_EQ(value.error().found(), "the control character \\u000a");
}

TEST(json_silent_loss, a_nul_does_not_end_a_string) {
  const std::string with_nul("a\0b", 3);
  EXPECT_EQ(json::read<std::string>(R"("a\u0000b")").value(), with_nul);
  EXPECT_EQ(json::write(with_nul).value(), R"("a\u0000b")");
  EXPECT_EQ((json::read<std::map<std::string, int>>(R"({"a\u0000b":1})").value().at(with_nul)), 1);
}

/// Memory that ends with the text: a reader that loads sixteen bytes at a time must respect the
/// end.
struct exact_text {
  explicit exact_text(std::string_view of) : bytes(of.begin(), of.end()) {}
  [[nodiscard]] std::string_view view() const { return {bytes.data(), bytes.size()}; }
  std::vector<char> bytes;
};

TEST(json_silent_loss, strings_of_every_length_and_escapes_at_every_position_are_exact) {
  constexpr std::size_t longest = 36;
  for (std::size_t length = 0; length <= longest; ++length) {
    for (std::size_t position = 0; position <= length; ++position) { // the last position: no escape
      for (const auto& [written, meant] : {std::pair{R"(\")", '"'}, std::pair{R"(\\)", '\\'}}) {
        std::string text, wanted;
        for (std::size_t i = 0; i < length; ++i) {
          wanted += i == position ? meant : static_cast<char>('a' + i % 26);
          text += i == position ? std::string(written) : std::string(1, wanted.back());
        }
        const exact_text alone('"' + text + '"');
        EXPECT_EQ(json::read<std::string>(alone.view()).value(), wanted);
        for (const char* const spaces : {"", " ", "\n      "}) { // before the bracket
          const exact_text member("{\"byte\":1,\"text\":\"" + text + '"' + spaces + '}');
          holder used{9, std::string(length % 40, 'u')};
          ASSERT_TRUE(json::read_into(used, member.view())) << member.view();
          EXPECT_EQ(used, (holder{1, wanted}));
          const exact_text element("[\"" + text + '"' + spaces + ']');
          EXPECT_EQ(json::read<std::vector<std::optional<std::string>>>(element.view()).value(),
                    std::vector<std::optional<std::string>>{wanted});
        }
      }
    }
  }
}

TEST(json_silent_loss, repeated_keys_and_elements_are_errors) {
  EXPECT_EQ(code_of<holder>(R"({"byte":1,"text":"","byte":2})"), errc::duplicate_key);
  EXPECT_EQ(code_of<holder>(R"({"byte":1,"text":"","b\u0079te":2})"), errc::duplicate_key);
  EXPECT_EQ((code_of<std::map<std::string, int>>(R"({"a":1,"a":1})")), errc::duplicate_key);
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"1":1,"1":1})")), errc::duplicate_key);
  EXPECT_EQ(code_of<std::set<int>>("[1,2,1]"), errc::duplicate_key);
}

TEST(json_silent_loss, keys_that_would_become_one_number_are_rejected) {
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"01":1})")), errc::type_mismatch);
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"-0":1})")), errc::type_mismatch);
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"1 ":1})")), errc::type_mismatch);
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"1.0":1})")), errc::type_mismatch);
  EXPECT_EQ((code_of<std::map<int, int>>(R"({"":1})")), errc::type_mismatch);
  EXPECT_EQ((code_of<std::map<std::uint8_t, int>>(R"({"256":1})")), errc::out_of_range);
  EXPECT_EQ((code_of<std::map<std::uint8_t, int>>(R"({"-1":1})")), errc::out_of_range);
}

TEST(json_silent_loss, deep_nesting_under_an_unknown_key_needs_no_stack) {
  const std::size_t depth = 100'000;
  const std::string deep =
      R"({"x":)" + std::string(depth, '[') + std::string(depth, ']') + R"(,"byte":1,"text":"t"})";
  EXPECT_EQ(json::read<holder>(deep, {.unknown_keys = json::unknown_keys::ignore}).value(), (holder{1, "t"}));
  const std::string open = R"({"x":)" + std::string(depth, '[') + R"(,"byte":1,"text":"t"})";
  EXPECT_EQ(code_of<holder>(open, {.unknown_keys = json::unknown_keys::ignore}), errc::syntax);
}

TEST(json_silent_loss, invalid_utf8_is_an_error_in_both_directions) {
  for (const std::string bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    const auto value = json::read<std::string>("\"ab" + bad + "\"");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code(), errc::invalid_utf8);
    EXPECT_EQ(value.error().offset(), 3u);
    const auto text = json::write("ab" + bad);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code(), errc::invalid_utf8);
    const auto replaced = json::write("ab" + bad, {.invalid_utf8 = json::invalid_utf8::replace}).value();
    EXPECT_EQ(json::read<std::string>(replaced).value().substr(0, 5), "ab\xEF\xBF\xBD");
  }
}

TEST(json_silent_loss, lone_surrogates_are_errors) {
  EXPECT_EQ(code_of<std::string>(R"("\ud800")"), errc::syntax);
  EXPECT_EQ(code_of<std::string>(R"("\udc00")"), errc::syntax);
  EXPECT_EQ(code_of<std::string>(R"("\ud800\u0041")"), errc::syntax);
  EXPECT_EQ(code_of<std::string>(R"("\ud800\ud800")"), errc::syntax);
  EXPECT_EQ(json::read<std::string>(R"("\ud83d\ude00")").value(), "\xF0\x9F\x98\x80");
}

TEST(json_silent_loss, malformed_values_under_ignored_keys_are_errors) {
  const json::read_options ignore{.unknown_keys = json::unknown_keys::ignore};
  for (const std::string_view bad :
       {"[1 2]", "[1,]",    "{\"a\"}",     "{\"a\":}", "{1:2}", "tru", "nul", "01",       "1.",   ".5", "+1",
        "1e",    "\"\\x\"", "\"\\ud800\"", "[",        "{",     "[}",  "'a'", "Infinity", "0x10", "--1"}) {
    const std::string text = R"({"byte":1,"text":"","x":)" + std::string(bad) + "}";
    EXPECT_FALSE(json::read<holder>(text, ignore)) << text;
  }
}

} // namespace silent_loss_test
