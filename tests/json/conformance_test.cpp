// SPDX-License-Identifier: Apache-2.0
// Decides which texts are JSON: the cases of the JSON parsing test suite
// (github.com/nst/JSONTestSuite), written again under their names. Texts with y must be accepted,
// texts with n rejected; with i the choice is ours, and stated here. Without this a reader may be
// strict or lax in cases that no other test covers.
#include <ingot/json/document.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace conformance_test {

using namespace std::string_view_literals;

struct text_case {
  std::string_view name;
  std::string_view text;
};

constexpr text_case accepted[] = {
    {"array_arraysWithSpaces", "[[]   ]"},
    {"array_empty-string", "[\"\"]"},
    {"array_empty", "[]"},
    {"array_ending_with_newline", "[\"a\"]\n"},
    {"array_false", "[false]"},
    {"array_heterogeneous", "[null, 1, \"1\", {}]"},
    {"array_null", "[null]"},
    {"array_with_1_and_newline", "[1\n]"},
    {"array_with_leading_space", " [1]"},
    {"array_with_several_null", "[1,null,null,null,2]"},
    {"array_with_trailing_space", "[2] "},
    {"number", "[123e65]"},
    {"number_0e+1", "[0e+1]"},
    {"number_0e1", "[0e1]"},
    {"number_after_space", "[ 4]"},
    {"number_double_close_to_zero",
     "[-0.000000000000000000000000000000000000000000000000000000000000000001]"},
    {"number_int_with_exp", "[20e1]"},
    {"number_minus_zero", "[-0]"},
    {"number_negative_int", "[-123]"},
    {"number_negative_one", "[-1]"},
    {"number_negative_zero", "[-0]"},
    {"number_real_capital_e", "[1E22]"},
    {"number_real_capital_e_neg_exp", "[1E-2]"},
    {"number_real_capital_e_pos_exp", "[1E+2]"},
    {"number_real_exponent", "[123e45]"},
    {"number_real_fraction_exponent", "[123.456e78]"},
    {"number_real_neg_exp", "[1e-2]"},
    {"number_real_pos_exponent", "[1e+2]"},
    {"number_simple_int", "[123]"},
    {"number_simple_real", "[123.456789]"},
    {"object", R"({"asd":"sdf", "dfg":"fgh"})"},
    {"object_basic", R"({"asd":"sdf"})"},
    {"object_duplicated_key", R"({"a":"b","a":"c"})"},           // depends on the options
    {"object_duplicated_key_and_value", R"({"a":"b","a":"b"})"}, // depends on the options
    {"object_empty", "{}"},
    {"object_empty_key", R"({"":0})"},
    {"object_escaped_null_in_key", R"({"foo\u0000bar": 42})"},
    {"object_extreme_numbers", R"({ "min": -1.0e+28, "max": 1.0e+28 })"},
    {"object_long_strings",
     R"({"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})"},
    {"object_simple", R"({"a":[]})"},
    {"object_string_unicode", R"({"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430"})"},
    {"object_with_newlines", "{\n\"a\": \"b\"\n}"},
    {"string_1_2_3_bytes_UTF-8_sequences", R"(["\u0060\u012a\u12AB"])"},
    {"string_accepted_surrogate_pair", R"(["\uD801\udc37"])"},
    {"string_accepted_surrogate_pairs", R"(["\ud83d\ude39\ud83d\udc8d"])"},
    {"string_allowed_escapes", R"(["\"\\\/\b\f\n\r\t"])"},
    {"string_backslash_and_u_escaped_zero", R"(["\\u0000"])"},
    {"string_backslash_doublequotes", R"(["\""])"},
    {"string_comments", R"(["a/*b*/c/*d//e"])"},
    {"string_double_escape_a", R"(["\\a"])"},
    {"string_double_escape_n", R"(["\\n"])"},
    {"string_escaped_control_character", R"(["\u0012"])"},
    {"string_escaped_noncharacter", R"(["\uFFFF"])"},
    {"string_in_array", R"(["asd"])"},
    {"string_in_array_with_leading_space", R"([ "asd"])"},
    {"string_last_surrogates_1_and_2", R"(["\uDBFF\uDFFF"])"},
    {"string_nbsp_uescaped", R"(["new\u00A0line"])"},
    {"string_nonCharacterInUTF-8_U+10FFFF", "[\"\xF4\x8F\xBF\xBF\"]"},
    {"string_nonCharacterInUTF-8_U+FFFF", "[\"\xEF\xBF\xBF\"]"},
    {"string_null_escape", R"(["\u0000"])"},
    {"string_one-byte-utf-8", R"(["\u002c"])"},
    {"string_pi", "[\"\xCF\x80\"]"},
    {"string_reservedCharacterInUTF-8_U+1BFFF", "[\"\xF0\x9B\xBF\xBF\"]"},
    {"string_simple_ascii", R"(["asd "])"},
    {"string_space", R"(" ")"},
    {"string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF", R"(["\uD834\uDd1e"])"},
    {"string_three-byte-utf-8", R"(["\u0821"])"},
    {"string_two-byte-utf-8", R"(["\u0123"])"},
    {"string_u+2028_line_sep", "[\"\xE2\x80\xA8\"]"},
    {"string_u+2029_par_sep", "[\"\xE2\x80\xA9\"]"},
    {"string_uEscape", R"(["\u0061\u30af\u30EA\u30b9"])"},
    {"string_uescaped_newline", R"(["new\u000Aline"])"},
    {"string_unescaped_char_delete", "[\"\x7F\"]"},
    {"string_unicode", R"(["\uA66D"])"},
    {"string_unicodeEscapedBackslash", R"(["\u005C"])"},
    {"string_unicode_2", "[\"\xE2\x8D\x82\xE3\x88\xB4\xE2\x8D\x82\"]"},
    {"string_unicode_U+10FFFE_nonchar", R"(["\uDBFF\uDFFE"])"},
    {"string_unicode_U+1FFFE_nonchar", R"(["\uD83F\uDFFE"])"},
    {"string_unicode_U+200B_ZERO_WIDTH_SPACE", R"(["\u200B"])"},
    {"string_unicode_U+2064_invisible_plus", R"(["\u2064"])"},
    {"string_unicode_U+FDD0_nonchar", R"(["\uFDD0"])"},
    {"string_unicode_U+FFFE_nonchar", R"(["\uFFFE"])"},
    {"string_unicode_escaped_double_quote", R"(["\u0022"])"},
    {"string_utf8", "[\"\xE2\x82\xAC\xF0\x9D\x84\x9E\"]"},
    {"string_with_del_character", "[\"a\x7F"
                                  "a\"]"},
    {"structure_lonely_false", "false"},
    {"structure_lonely_int", "42"},
    {"structure_lonely_negative_real", "-0.1"},
    {"structure_lonely_null", "null"},
    {"structure_lonely_string", "\"asd\""},
    {"structure_lonely_true", "true"},
    {"structure_string_empty", "\"\""},
    {"structure_trailing_newline", "[\"a\"]\n"},
    {"structure_true_in_array", "[true]"},
    {"structure_whitespace_array", " [] "},
    // more than the suite
    {"all_white_space", "\t\r\n [\t1\r,\n2 ]\r\n\t"},
    {"integers_of_64_bits", "[-9223372036854775808,9223372036854775807,18446744073709551615]"},
    {"denormal", "[5e-324]"},
    {"too_small_is_zero", "[1e-400]"},
    {"many_digits", "[0.10000000000000000555111512312578270211815834045410156251]"},
    {"zero_with_a_huge_exponent", "[0e999999999999999999999]"},
    {"largest_two_and_three_byte_characters", "[\"\xDF\xBF\xED\x9F\xBF\xEE\x80\x80\"]"},
};

constexpr text_case rejected[] = {
    {"array_1_true_without_comma", "[1 true]"},
    {"array_a_invalid_utf8", "[a\xE5]"},
    {"array_colon_instead_of_comma", "[\"\": 1]"},
    {"array_comma_after_close", "[\"\"],"},
    {"array_comma_and_number", "[,1]"},
    {"array_double_comma", "[1,,2]"},
    {"array_double_extra_comma", "[\"x\",,]"},
    {"array_extra_close", "[\"x\"]]"},
    {"array_extra_comma", "[\"\",]"},
    {"array_incomplete", "[\"x\""},
    {"array_incomplete_invalid_value", "[x"},
    {"array_inner_array_no_comma", "[3[4]]"},
    {"array_invalid_utf8", "[\xFF]"},
    {"array_items_separated_by_semicolon", "[1:2]"},
    {"array_just_comma", "[,]"},
    {"array_just_minus", "[-]"},
    {"array_missing_value", "[   , \"\"]"},
    {"array_newlines_unclosed", "[\"a\",\n4\n,1,"},
    {"array_number_and_comma", "[1,]"},
    {"array_number_and_several_commas", "[1,,]"},
    {"array_spaces_vertical_tab_formfeed", "[\"\x0B"
                                           "a\"\\f]"},
    {"array_star_inside", "[*]"},
    {"array_unclosed", "[\"\""},
    {"array_unclosed_trailing_comma", "[1,"},
    {"array_unclosed_with_new_lines", "[1,\n1\n,1"},
    {"array_unclosed_with_object_inside", "[{}"},
    {"incomplete_false", "[fals]"},
    {"incomplete_null", "[nul]"},
    {"incomplete_true", "[tru]"},
    {"multidigit_number_then_00", "123\0"sv},
    {"number_++", "[++1234]"},
    {"number_+1", "[+1]"},
    {"number_+Inf", "[+Inf]"},
    {"number_-01", "[-01]"},
    {"number_-1.0.", "[-1.0.]"},
    {"number_-2.", "[-2.]"},
    {"number_-NaN", "[-NaN]"},
    {"number_.-1", "[.-1]"},
    {"number_.2e-3", "[.2e-3]"},
    {"number_0.1.2", "[0.1.2]"},
    {"number_0.3e+", "[0.3e+]"},
    {"number_0.3e", "[0.3e]"},
    {"number_0.e1", "[0.e1]"},
    {"number_0_capital_E+", "[0E+]"},
    {"number_0_capital_E", "[0E]"},
    {"number_0e+", "[0e+]"},
    {"number_0e", "[0e]"},
    {"number_1.0e+", "[1.0e+]"},
    {"number_1.0e-", "[1.0e-]"},
    {"number_1.0e", "[1.0e]"},
    {"number_1_000", "[1 000.0]"},
    {"number_1eE2", "[1eE2]"},
    {"number_2.e+3", "[2.e+3]"},
    {"number_2.e-3", "[2.e-3]"},
    {"number_2.e3", "[2.e3]"},
    {"number_9.e+", "[9.e+]"},
    {"number_Inf", "[Inf]"},
    {"number_NaN", "[NaN]"},
    {"number_U+FF11_fullwidth_digit_one", "[\xEF\xBC\x91]"},
    {"number_expression", "[1+2]"},
    {"number_hex_1_digit", "[0x1]"},
    {"number_hex_2_digits", "[0x42]"},
    {"number_infinity", "[Infinity]"},
    {"number_invalid+-", "[0e+-1]"},
    {"number_invalid-negative-real", "[-123.123foo]"},
    {"number_invalid-utf-8-in-bigger-int", "[123\xE5]"},
    {"number_invalid-utf-8-in-exponent", "[1e1\xE5]"},
    {"number_invalid-utf-8-in-int", "[0\xE5]\n"},
    {"number_minus_infinity", "[-Infinity]"},
    {"number_minus_sign_with_trailing_garbage", "[-foo]"},
    {"number_minus_space_1", "[- 1]"},
    {"number_neg_int_starting_with_zero", "[-012]"},
    {"number_neg_real_without_int_part", "[-.123]"},
    {"number_neg_with_garbage_at_end", "[-1x]"},
    {"number_-00.0", "[-00.0]"},
    {"number_-00e0", "[-00e0]"},
    {"number_00.0", "[00.0]"},
    {"number_00e0", "[00e0]"},
    {"number_real_garbage_after_e", "[1ea]"},
    {"number_real_with_invalid_utf8_after_e", "[1e\xE5]"},
    {"number_real_without_fractional_part", "[1.]"},
    {"number_starting_with_dot", "[.123]"},
    {"number_with_alpha", "[1.2a-3]"},
    {"number_with_alpha_char", "[1.8011670033376514H-308]"},
    {"number_with_leading_zero", "[012]"},
    {"object_bad_value", R"(["x", truth])"},
    {"object_bracket_key", "{[: \"x\"}\n"},
    {"object_comma_instead_of_colon", R"({"x", null})"},
    {"object_double_colon", R"({"x"::"b"})"},
    {"object_emoji", "{\xF0\x9F\x87\xA8\xF0\x9F\x87\xAD}"},
    {"object_garbage_at_end", R"({"a":"a" 123})"},
    {"object_key_with_single_quotes", "{key: 'value'}"},
    {"object_lone_continuation_byte_in_key_and_trailing_comma", "{\"\xB9\":\"0\",}"},
    {"object_missing_colon", R"({"a" b})"},
    {"object_missing_key", R"({:"b"})"},
    {"object_missing_semicolon", R"({"a" "b"})"},
    {"object_missing_value", R"({"a":)"},
    {"object_no-colon", R"({"a")"},
    {"object_non_string_key", "{1:1}"},
    {"object_non_string_key_but_huge_number_instead", "{9999E9999:1}"},
    {"object_repeated_null_null", "{null:null,null:null}"},
    {"object_several_trailing_commas", R"({"id":0,,,,,})"},
    {"object_single_quote", "{'a':0}"},
    {"object_trailing_comma", R"({"id":0,})"},
    {"object_trailing_comment", R"({"a":"b"}/**/)"},
    {"object_trailing_comment_open", R"({"a":"b"}/**//)"},
    {"object_trailing_comment_slash_open", R"({"a":"b"}//)"},
    {"object_trailing_comment_slash_open_incomplete", R"({"a":"b"}/)"},
    {"object_two_commas_in_a_row", R"({"a":"b",,"c":"d"})"},
    {"object_unquoted_key", R"({a: "b"})"},
    {"object_unterminated-value", R"({"a":"a)"},
    {"object_with_single_string", R"({ "foo" : "bar", "a" })"},
    {"object_with_trailing_garbage", R"({"a":"b"}#)"},
    {"single_space", " "},
    {"string_1_surrogate_then_escape", R"(["\uD800\"])"},
    {"string_1_surrogate_then_escape_u", R"(["\uD800\u"])"},
    {"string_1_surrogate_then_escape_u1", R"(["\uD800\u1"])"},
    {"string_1_surrogate_then_escape_u1x", R"(["\uD800\u1x"])"},
    {"string_accentuated_char_no_quotes", "[\xC3\xA9]"},
    {"string_backslash_00", "[\"\\\0\"]"sv},
    {"string_escape_x", R"(["\x00"])"},
    {"string_escaped_backslash_bad", R"(["\\\"])"},
    {"string_escaped_ctrl_char_tab", "[\"\\\t\"]"},
    {"string_escaped_emoji", "[\"\\\xF0\x9F\x8C\x80\"]"},
    {"string_incomplete_escape", R"(["\"])"},
    {"string_incomplete_escaped_character", R"(["\u00A"])"},
    {"string_incomplete_surrogate", R"(["\uD834\uDd"])"},
    {"string_incomplete_surrogate_escape_invalid", R"(["\uD800\uD800\x"])"},
    {"string_invalid-utf-8-in-escape", "[\"\\u\xE5\"]"},
    {"string_invalid_backslash_esc", R"(["\a"])"},
    {"string_invalid_unicode_escape", R"(["\uqqqq"])"},
    {"string_invalid_utf8_after_escape", "[\"\\\xE5\"]"},
    {"string_leading_uescaped_thinspace", R"([\u0020"asd"])"},
    {"string_no_quotes_with_bad_escape", R"([\n])"},
    {"string_octal_escape", R"(["\012"])"},
    {"string_single_doublequote", "\""},
    {"string_single_quote", "['single quote']"},
    {"string_single_string_no_double_quotes", "abc"},
    {"string_start_escape_unclosed", R"(["\)"},
    {"string_unescaped_ctrl_char", "[\"a\0a\"]"sv},
    {"string_unescaped_newline", "[\"new\nline\"]"},
    {"string_unescaped_tab", "[\"\t\"]"},
    {"string_unicode_CapitalU", R"("\UA66D")"},
    {"string_with_trailing_garbage", R"(""x)"},
    {"structure_U+2060_word_joined", "[\xE2\x81\xA0]"},
    {"structure_UTF8_BOM_no_data", "\xEF\xBB\xBF"},
    {"structure_angle_bracket_.", "<.>"},
    {"structure_angle_bracket_null", "[<null>]"},
    {"structure_array_trailing_garbage", "[1]x"},
    {"structure_array_with_extra_array_close", "[1]]"},
    {"structure_array_with_unclosed_string", "[\"asd]"},
    {"structure_ascii-unicode-identifier", "a\xC3\xA5"},
    {"structure_capitalized_True", "[True]"},
    {"structure_close_unopened_array", "1]"},
    {"structure_comma_instead_of_closing_brace", R"({"x": true,)"},
    {"structure_double_array", "[][]"},
    {"structure_end_array", "]"},
    {"structure_incomplete_UTF8_BOM", "\xEF\xBB{}"},
    {"structure_lone-invalid-utf-8", "\xE5"},
    {"structure_lone-open-bracket", "["},
    {"structure_no_data", ""},
    {"structure_null-byte-outside-string", "[\0]"sv},
    {"structure_number_with_trailing_garbage", "2@"},
    {"structure_object_followed_by_closing_object", "{}}"},
    {"structure_object_unclosed_no_value", R"({"":)"},
    {"structure_object_with_comment", R"({"a":/*comment*/"b"})"},
    {"structure_object_with_trailing_garbage", R"({"a": true} "x")"},
    {"structure_open_array_apostrophe", "['"},
    {"structure_open_array_comma", "[,"},
    {"structure_open_array_open_object", "[{"},
    {"structure_open_array_open_string", "[\"a"},
    {"structure_open_array_string", "[\"a\""},
    {"structure_open_object", "{"},
    {"structure_open_object_close_array", "{]"},
    {"structure_open_object_comma", "{,"},
    {"structure_open_object_open_array", "{["},
    {"structure_open_object_open_string", "{\"a"},
    {"structure_open_object_string_with_apostrophes", "{'a'"},
    {"structure_open_open", R"(["\{["\{["\{["\{)"},
    {"structure_single_eacute", "\xE9"},
    {"structure_single_star", "*"},
    {"structure_trailing_#", R"({"a":"b"}#{})"},
    {"structure_uescaped_LF_before_string", R"([\u000A""])"},
    {"structure_unclosed_array", "[1"},
    {"structure_unclosed_array_partial_null", "[ false, nul"},
    {"structure_unclosed_array_unfinished_false", "[ true, fals"},
    {"structure_unclosed_array_unfinished_true", "[ false, tru"},
    {"structure_unclosed_object", R"({"asd":"asd")"},
    {"structure_unicode-identifier", "\xC3\xA5"},
    {"structure_whitespace_U+2060_word_joiner", "\xE2\x81\xA0"},
    {"structure_whitespace_formfeed", "[\x0C]"},
    // more than the suite
    {"closed_by_the_other", "[}"},
    {"object_closed_by_the_other", R"({"a":1])"},
    {"true_and_more", "[truee]"},
    {"null_and_a_string", "[null\"\"]"},
    {"two_values", "1 2"},
    {"value_for_a_key_only", "{\"a\"}"},
    {"comma_for_a_value", R"({"a":,})"},
    {"colon_at_the_root", "\"a\":1"},
    {"minus_at_the_end", "-"},
    {"number_cut_at_the_exponent", "1e"},
    {"number_cut_at_the_point", "1."},
    {"nbsp", "[\xC2\xA0"
             "1]"},
};

// Cases that the suite leaves open: accepted or not, by default.
struct chosen_case {
  std::string_view name;
  std::string_view text;
  bool is_accepted;
};
constexpr chosen_case chosen[] = {
    // A number is read as the nearest double, but never as infinity.
    {"number_double_huge_neg_exp", "[123.456e-789]", true},
    {"number_huge_exp",
     "[0."
     "4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969"
     "999999006]",
     false},
    {"number_neg_int_huge_exp", "[-1e+9999]", false},
    {"number_pos_double_huge_exp", "[1.5e+9999]", false},
    {"number_real_neg_overflow", "[-123123e100000]", false},
    {"number_real_pos_overflow", "[123123e100000]", false},
    {"number_real_underflow", "[123e-10000000]", true},
    // An integer is exact, or an error unless an option asks for the nearest double.
    {"number_too_big_neg_int", "[-123123123123123123123123123123]", false},
    {"number_too_big_pos_int", "[100000000000000000000]", false},
    {"number_very_big_negative_int", "[-237462374673276894279832749832423479823246327846]", false},
    // Code points without a UTF-8 form are rejected.
    {"object_key_lone_2nd_surrogate", R"({"\uDFAA":0})", false},
    {"string_1st_surrogate_but_2nd_missing", R"(["\uDADA"])", false},
    {"string_1st_valid_surrogate_2nd_invalid", R"(["\uD888\u1234"])", false},
    {"string_incomplete_surrogate_and_escape_valid", R"(["\uD800\n"])", false},
    {"string_incomplete_surrogate_pair", R"(["\uDd1ea"])", false},
    {"string_incomplete_surrogates_escape_valid", R"(["\uD800\uD800\n"])", false},
    {"string_invalid_lonely_surrogate", R"(["\ud800"])", false},
    {"string_invalid_surrogate", R"(["\ud800abc"])", false},
    {"string_inverted_surrogates_U+1D11E", R"(["\uDd1e\uD834"])", false},
    {"string_lone_second_surrogate", R"(["\uDFAA"])", false},
    {"string_UTF-16LE_with_BOM", "\xFF\xFE[\0\"\0\xE9\0\"\0]\0"sv, false},
    {"string_UTF-8_invalid_sequence", "[\"\xE6\x97\xA5\xD1\x88\xFA\"]", false},
    {"string_UTF8_surrogate_U+D800", "[\"\xED\xA0\x80\"]", false},
    {"string_invalid_utf-8", "[\"\xFF\"]", false},
    {"string_iso_latin_1", "[\"\xE9\"]", false},
    {"string_lone_utf8_continuation_byte", "[\"\x81\"]", false},
    {"string_not_in_unicode_range", "[\"\xF4\xBF\xBF\xBF\"]", false},
    {"string_overlong_sequence_2_bytes", "[\"\xC0\xAF\"]", false},
    {"string_overlong_sequence_6_bytes", "[\"\xFC\x83\xBF\xBF\xBF\xBF\"]", false},
    {"string_overlong_sequence_6_bytes_null", "[\"\xFC\x80\x80\x80\x80\x80\"]", false},
    {"string_truncated-utf-8", "[\"\xE0\xFF\"]", false},
    {"string_utf16BE_no_BOM", "\0[\0\"\0\xE9\0\"\0]"sv, false},
    {"string_utf16LE_no_BOM", "[\0\"\0\xE9\0\"\0]\0"sv, false},
    // A byte order mark at the start is skipped.
    {"structure_UTF-8_BOM_empty_object", "\xEF\xBB\xBF{}", true},
    {"overlong_sequence_3_bytes", "[\"\xE0\x80\xAF\"]", false},
    {"overlong_sequence_4_bytes", "[\"\xF0\x80\x80\xAF\"]", false},
};

/// Reads the text in memory of its exact size, so that a sanitizer detects reads after it.
ingot::result<ingot::document> read(std::string_view text, const ingot::json::read_options& options = {}) {
  const std::vector<char> exact(text.begin(), text.end());
  return ingot::json::read_document({exact.data(), exact.size()}, options);
}
void expect_round_trip(const ingot::document& doc, std::string_view name) {
  const auto text = ingot::json::write(doc, {.max_depth = 1000});
  ASSERT_TRUE(text.has_value()) << name << ": " << text.error().message();
  const auto back = read(*text, {.max_depth = 1000});
  ASSERT_TRUE(back.has_value()) << name << ": " << back.error().message();
  EXPECT_TRUE(*back == doc) << name << ": " << *text;
}

/// Returns the error code; nothing on success.
template <class T>
std::optional<ingot::errc> code_of(const ingot::result<T>& of) {
  return of ? std::nullopt : std::optional(of.error().code());
}

TEST(json_conformance, what_is_json_is_read) {
  for (const auto& [name, text] : accepted) {
    const auto doc = read(text, {.duplicate_keys = ingot::json::duplicate_keys::last_wins});
    ASSERT_TRUE(doc.has_value()) << name << ": " << doc.error().message();
    expect_round_trip(*doc, name);
  }
}

TEST(json_conformance, what_is_not_is_rejected_inside_the_text) {
  for (const auto& [name, text] : rejected) {
    const auto doc = read(text);
    ASSERT_FALSE(doc.has_value()) << name;
    EXPECT_LE(doc.error().offset(), text.size()) << name;
    EXPECT_GE(doc.error().line(), 1u) << name;
  }
}

TEST(json_conformance, what_may_be_either_is_as_documented) {
  for (const auto& [name, text, is_accepted] : chosen) {
    const auto doc = read(text);
    ASSERT_EQ(doc.has_value(), is_accepted) << name;
    if (doc) expect_round_trip(*doc, name);
  }
  const ingot::json::read_options nearest{.large_integers = ingot::json::large_integers::nearest};
  EXPECT_EQ(read("[100000000000000000000]", nearest).value()[0].value_or(0.0), 1e20);
  EXPECT_EQ(read("[18446744073709551616]", nearest).value()[0].value_or(0.0), 18446744073709551616.0);
  EXPECT_EQ(read("[-9223372036854775809]", nearest).value()[0].value_or(0.0), -9223372036854775808.0);
  EXPECT_FALSE(read("[1e400]", nearest).has_value());
}

TEST(json_conformance, depth_is_an_error_or_works_and_costs_no_stack) {
  const std::uint32_t deep = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 100'000 : 1'000'000;
  const std::string arrays = std::string(deep, '[') + std::string(deep, ']');
  EXPECT_EQ(code_of(read(arrays)), ingot::errc::too_deep);
  const auto doc = read(arrays, {.max_depth = deep});
  ASSERT_TRUE(doc.has_value()) << doc.error().message();
  EXPECT_EQ(ingot::json::write(*doc, {.max_depth = deep}).value(), arrays);
  EXPECT_EQ(code_of(ingot::json::write(*doc)), ingot::errc::too_deep);

  // Texts that end too soon, in objects, too. The path of an error at the innermost level consists
  // of the last names.
  EXPECT_EQ(code_of(read(std::string(deep, '['), {.max_depth = deep})), ingot::errc::truncated);
  std::string objects;
  for (std::size_t i = 0; i < deep / 10; ++i) objects += R"({"a":)";
  const auto open = read(objects, {.max_depth = deep});
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().code(), ingot::errc::truncated);
  EXPECT_TRUE(open.error().path().ends_with("a.a.a")) << open.error().path();
  EXPECT_EQ(read(R"([[{"":)" + std::string(500, '[') + std::string(500, ']') + "}]]", {.max_depth = 503})
                .value()[0][0][""]
                .size(),
            1u);
}

} // namespace conformance_test
