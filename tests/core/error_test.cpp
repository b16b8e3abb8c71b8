// SPDX-License-Identifier: Apache-2.0
// Users see ingot's errors when something fails. An error reports the position, what was wrong and
// what to do, also when no memory is left.
#include <ingot/core/error.hpp>
#include <ingot/core/format.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

namespace {

using ingot::errc;
using ingot::error;

TEST(error, is_returned_without_allocation) {
  EXPECT_TRUE(std::is_trivially_copyable_v<error>);
  EXPECT_LE(sizeof(error), 384U);
}

TEST(error, every_code_has_a_name_and_advice) {
  EXPECT_EQ(ingot::detail::errc_texts.size(), static_cast<std::size_t>(errc::too_much_memory) + 1);
  for (std::size_t i = 0; i < ingot::detail::errc_texts.size(); ++i) {
    const auto code = static_cast<errc>(i);
    EXPECT_NE(to_string(code), "unknown error") << i;
    EXPECT_FALSE(ingot::detail::errc_texts[i].advice.empty()) << i;
  }
  EXPECT_EQ(to_string(static_cast<errc>(255)), "unknown error");
  EXPECT_EQ(to_string(errc::truncated), "truncated");
  EXPECT_EQ(to_string(errc::unknown_enumerator), "unknown enumerator");
}

// The advice of a code names an option only if every call that fails with the code has this option.
// It names no number that differs from case to case.
TEST(error, advice_fits_every_call_that_fails_so) {
  const auto message = [](errc code) { return error{code}.message(); };
  EXPECT_EQ(message(errc::trailing_bytes), "trailing bytes at byte 0; pass only the bytes of the value");
  EXPECT_EQ(message(errc::too_deep),
            "too deep at byte 0; flatten the value; where the call has max_depth, raise it");
  EXPECT_EQ(message(errc::misaligned),
            "misaligned at byte 0; copy the bytes to memory of that alignment, or open() them, which copies");
  EXPECT_EQ(message(errc::out_of_range),
            "out of range at byte 0; correct the value, or choose a type or a range that has it");
  EXPECT_EQ(message(errc::schema_mismatch),
            "other type at byte 0; read it as the type that wrote it, in the form that it has");
}

// A text has no bytes that could be damaged, and no other type. So advice about texts must mention
// neither.
TEST(error, advice_about_texts_does_not_speak_of_bytes) {
  for (std::size_t i = 0; i < ingot::detail::errc_texts.size(); ++i) {
    const auto code = static_cast<errc>(i);
    if (code == errc::bad_bool || code == errc::bad_padding || code == errc::not_canonical ||
        code == errc::unsorted_keys || code == errc::overlap || code == errc::misaligned ||
        code == errc::not_ingot || code == errc::layout_mismatch || code == errc::bad_checksum)
      continue; // only bytes have these errors
    const std::string message = error{code}.with_position(2, 3).message();
    EXPECT_EQ(message.find("byte", message.find("; ")), std::string::npos) << message;
  }
  error tag{errc::bad_variant};
  EXPECT_EQ(
      tag.with_expected("the index of an alternative").message(),
      "bad tag at byte 0: expected the index of an alternative; the bytes are damaged or of another type");
  // an error about a document, which has no lines
  EXPECT_EQ(
      tag.with_expected("one key of cat, dog").with_found("cow").message(),
      "bad tag at byte 0: expected one key of cat, dog, found cow; use one of these tags, and only one");
}

TEST(error, advice_about_enums_is_what_helps) {
  const auto advice = [](errc code, std::string_view expected, std::string_view found) {
    const std::string message = error{code}.with_expected(expected).with_found(found).message();
    return message.substr(message.find("; ") + 2);
  };
  constexpr std::string_view of_flags = "write a name, an array of names, or the number of a combination";
  EXPECT_EQ(advice(errc::unknown_enumerator, "a combination of read, write", "\"fly\""), of_flags);
  EXPECT_EQ(advice(errc::unknown_enumerator, "a combination of read, write", "8"), of_flags);
  EXPECT_EQ(advice(errc::unknown_enumerator, "the name of a flag", "fly"), of_flags);
  EXPECT_EQ(advice(errc::unknown_enumerator, "a combination of read, write", "the key \"8\""),
            "use one of the enum's names"); // an array is no key
  EXPECT_EQ(advice(errc::unknown_enumerator, "one of calm, angry", "\"sad\""), "use one of the enum's names");
  EXPECT_EQ(advice(errc::unknown_enumerator, "one of calm, angry", "-3"),
            "use one of the enum's names, or annotate the enum ingot::flags or ingot::open_enum");
  EXPECT_EQ(advice(errc::bad_enum, "a combination of flags", "8"),
            "correct the value, or annotate the enum ingot::open_enum if every number is a value");
  EXPECT_NE(advice(errc::bad_enum, "an enumerator", "8").find("ingot::flags"), std::string::npos);
}

TEST(error, advice_about_what_is_missing_is_what_helps) {
  const auto advice = [](const error& err) {
    const std::string message = err.message();
    return message.substr(message.find("; ") + 2);
  };
  EXPECT_EQ(advice(error{errc::missing_member}.with_expected("speed")),
            "add it, or annotate the member with default_value");
  // A lookup in a document: no type has the member.
  EXPECT_EQ(advice(error{errc::missing_member}.with_expected("an integer").with_found("nothing")),
            "check the path");
  EXPECT_EQ(advice(error{errc::io}.with_expected("a file that can be read").with_found("none")),
            "check the path (a relative path begins in the working directory) and the permissions");
  EXPECT_EQ(advice(error{errc::io}.with_expected("all bytes to be written").with_found("none")),
            "see the system's error");
}

TEST(error, paths_grow_from_the_inside_out) {
  error err{errc::bad_bool, 17};
  err.in_member("attributes").in_element(3).in_member("equips");
  EXPECT_EQ(err.path(), "equips[3].attributes");
  EXPECT_EQ(error{errc::bad_bool}.in_element(2).in_element(1).in_member("m").path(), "m[1][2]");
  EXPECT_EQ(error{errc::bad_bool}.in_key("sword").in_member("items").path(), "items[sword]");
  EXPECT_EQ(error{}.path(), "");
}

TEST(error, deep_paths_keep_their_innermost_part) {
  error err{errc::too_deep};
  err.in_member("leaf");
  for (int i = 0; i < 100; ++i) err.in_member("some_branch");
  EXPECT_LE(err.path().size(), 120U);
  EXPECT_TRUE(err.path().starts_with("...")) << err.path();
  EXPECT_TRUE(err.path().ends_with("some_branch.leaf")) << err.path();
}

TEST(error, a_name_longer_than_the_path_is_cut) {
  error err{errc::too_deep};
  err.in_member(std::string(500, 'x'));
  EXPECT_EQ(err.path(), "...");
}

TEST(error, message_is_one_sentence_with_position_and_advice) {
  error err{errc::bad_bool, 17};
  err.with_expected("0 or 1").with_found(std::uint64_t{7}).in_member("alive");
  EXPECT_EQ(err.message(), "bad bool at byte 17 (alive): expected 0 or 1, found 7; "
                           "the bytes are damaged or of another type");
}

TEST(error, message_names_line_and_column_for_text) {
  error err{errc::syntax, 40};
  err.with_position(3, 9).with_found("}");
  EXPECT_EQ(err.message(), "syntax error at line 3, column 9: found }; correct the text");
  EXPECT_EQ(err.line(), 3U);
  EXPECT_EQ(err.column(), 9U);
}

TEST(error, long_texts_are_cut_and_marked) {
  error err{errc::type_mismatch};
  err.with_found(std::string(500, 'f')).with_expected(std::string(500, 'e'));
  EXPECT_EQ(err.found().size(), 64U);
  EXPECT_TRUE(err.found().ends_with("f..."));
  EXPECT_EQ(err.expected().size(), 80U);
  EXPECT_TRUE(err.expected().ends_with("e..."));
}

TEST(error, found_takes_the_greatest_number) {
  EXPECT_EQ(error{}.with_found(~std::uint64_t{0}).found(), "18446744073709551615");
  EXPECT_EQ(error{}.with_found(std::uint64_t{0}).found(), "0");
}

TEST(error, works_in_constant_expressions) {
  constexpr error err =
      error{errc::bad_enum, 4}.with_found(std::uint64_t{9}).in_element(12).in_member("colours");
  static_assert(err.code() == errc::bad_enum && err.offset() == 4);
  static_assert(err.path() == "colours[12]" && err.found() == "9");
}

TEST(error, is_written_to_streams_and_formatted_as_its_message) {
  const error err = error{errc::bad_enum, 4}.with_found(std::uint64_t{9}).in_member("colour");
  std::ostringstream out;
  out << err << '|' << errc::too_long;
  EXPECT_EQ(out.str(), err.message() + "|too long");
#if defined(__cpp_lib_format)
  EXPECT_EQ(std::format("{}", err), err.message());
  EXPECT_EQ(std::format("{:>10}.", errc::too_long), "  too long.");
#endif
}

} // namespace

// In ingot's own namespace shifts find its operators.
namespace ingot { inline namespace INGOT_V1 { namespace detail {
static_assert((std::byte{1} << 3U) == std::byte{8});
}}} // namespace ingot::INGOT_V1::detail

namespace {

TEST(fail, makes_a_result) {
  const ingot::result<int> bad = ingot::fail(errc::truncated, 5);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code(), errc::truncated);
  EXPECT_EQ(bad.error().offset(), 5U);
}

} // namespace
