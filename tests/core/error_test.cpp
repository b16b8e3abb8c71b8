// SPDX-License-Identifier: Apache-2.0
// Users see ingot's errors when something fails. An error reports the position, what was wrong and
// what to do, also when no memory is left.
#include <ingot/core/error.hpp>
#include <ingot/core/format.hpp>

#include <cstddef>
#include <iterator>
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

struct sentence {
  errc code;
  std::string_view text;
};
/// The whole sentence of each code, for an error without a path, `expected` and `found`.
constexpr sentence sentences[] = {
    {errc::truncated, "truncated at byte 5; the bytes were cut short, or are of another type"},
    {errc::trailing_bytes, "trailing bytes at byte 5; pass only the bytes of the value"},
    {errc::bad_length, "bad length at byte 5; the bytes are damaged or of another type"},
    {errc::bad_bool, "bad bool at byte 5; the bytes are damaged or of another type"},
    {errc::bad_enum, "bad enumerator at byte 5; correct the value, or annotate the enum: ingot::flags if "
                     "combinations of enumerators are values, ingot::open_enum if every number is, before "
                     "C++26 ingot::enumerator<> for one beyond 1023"},
    {errc::bad_variant, "bad tag at byte 5; the bytes are damaged or of another type"},
    {errc::bad_padding,
     "bad padding at byte 5; the bytes are damaged or were not written by a conforming writer"},
    {errc::not_canonical, "not canonical at byte 5; the bytes were not written by a conforming writer"},
    {errc::unsorted_keys,
     "unsorted keys at byte 5; the bytes are damaged or were not written by a conforming writer"},
    {errc::duplicate_key, "duplicate key at byte 5; write each key once"},
    {errc::out_of_range,
     "out of range at byte 5; correct the value, or choose a type or a range that has it"},
    {errc::too_long, "too long at byte 5; check the sender, or raise the limit"},
    {errc::invalid_utf8, "invalid UTF-8 at byte 5; convert the text to UTF-8 first"},
    {errc::invalid_value, "invalid value at byte 5; correct the value at its source"},
    {errc::wrong_version, "wrong version at byte 5; read it with the version of the type that wrote it"},
    {errc::too_large, "too large at byte 5; make the value smaller, or raise the limit"},
    {errc::too_deep, "too deep at byte 5; flatten the value; where the call has max_depth, raise it"},
    {errc::no_space, "no space at byte 5; use a larger buffer or a larger maximum size"},
    {errc::no_memory, "out of memory at byte 5; free memory, or read in smaller pieces"},
    {errc::io, "input or output failed at byte 5; see the system's error"},
    {errc::syntax, "syntax error at byte 5; correct the text"},
    {errc::type_mismatch, "wrong type at byte 5; correct the value or the member's type"},
    {errc::unknown_member,
     "unknown member at byte 5; remove it, or let JSON ignore it (unknown_keys::ignore)"},
    {errc::missing_member, "missing member at byte 5; add it, or annotate the member with default_value"},
    {errc::unknown_enumerator, "unknown enumerator at byte 5; use one of the enum's names"},
    {errc::overlap, "overlap at byte 5; the bytes are damaged or were made to mislead"},
    {errc::misaligned,
     "misaligned at byte 5; copy the bytes to memory of that alignment, or open() them, which copies"},
    {errc::not_ingot, "not ingot at byte 5; check where the bytes come from"},
    {errc::layout_mismatch,
     "other layout at byte 5; send packed bytes between machines that lay types out differently"},
    {errc::schema_mismatch,
     "other type at byte 5; read it as the type that wrote it, in the form that it has"},
    {errc::state_mismatch,
     "other state at byte 5; apply the changes in between first, or send the whole document"},
    {errc::bad_checksum,
     "bad checksum at byte 5; the bytes were damaged after they were written: take another copy"},
    {errc::unsupported,
     "unsupported at byte 5; this call or this build of the library can't do it: use one that can"},
    {errc::cancelled, "cancelled at byte 5; stopped on request; call again to finish"},
    {errc::not_closed, "not closed at byte 5; wait until its editor closes it; after a crash, use "
                       "edit_options::repair or `ingot recover`"},
    {errc::file_changed,
     "file changed at byte 5; open it again; what was written since the other program changed it is lost"},
    {errc::too_many_collisions, "too many collisions at byte 5; check the sender; if the keys are right, "
                                "give them a better hash or raise max_collisions"},
    {errc::too_much_memory, "too much memory at byte 5; check the sender, or raise max_memory"},
};

TEST(error, every_code_has_its_sentence) {
  ASSERT_EQ(std::size(sentences), ingot::detail::errc_texts.size());
  for (std::size_t i = 0; i < std::size(sentences); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(sentences[i].code), i);
    EXPECT_EQ((error{sentences[i].code, 5}.message()), sentences[i].text);
  }
}

// The advice of some codes depends on `expected`, `found` and the line. Each case has a row.
TEST(error, every_other_advice_has_its_sentence) {
  const auto message = [](errc code, std::string_view expected, std::string_view found = {}) {
    return error{code}.with_expected(expected).with_found(found).message();
  };
  const auto in_text = [](errc code, std::string_view expected) {
    return error{code}.with_expected(expected).with_position(2, 3).message();
  };
  EXPECT_EQ(
      message(errc::bad_variant, "the tag of the variant", "cow"),
      "bad tag at byte 0: expected the tag of the variant, found cow; use one of these tags, and only one");
  EXPECT_EQ(message(errc::bad_variant, "an object with one key"),
            "bad tag at byte 0: expected an object with one key; use one of these tags, and only one");
  EXPECT_EQ(message(errc::bad_variant, "value or error", "other"),
            "bad tag at byte 0: expected value or error, found other; use one of these tags, and only one");
  EXPECT_EQ(in_text(errc::bad_variant, "one of cat, dog"),
            "bad tag at line 2, column 3: expected one of cat, dog; use one of these tags, and only one");
  EXPECT_EQ(message(errc::missing_member, "an integer", "nothing"),
            "missing member at byte 0: expected an integer, found nothing; check the path");
  EXPECT_EQ(message(errc::missing_member, "a value that exists"),
            "missing member at byte 0: expected a value that exists; check the path");
  EXPECT_EQ(message(errc::missing_member, "the key \"type\", the tag of the variant"),
            "missing member at byte 0: expected the key \"type\", the tag of the variant; add it");
  EXPECT_EQ(in_text(errc::missing_member, "the key \"$version\""),
            "missing member at line 2, column 3: expected the key \"$version\"; add it");
  EXPECT_EQ(
      in_text(errc::missing_member, "the key \"speed\""),
      "missing member at line 2, column 3: expected the key \"speed\"; add it, annotate the member with "
      "default_value, or read with missing_keys::use_defaults");
  for (const std::string_view expected :
       {"an existing member", "an index of the container", "an object or an array on the path"}) {
    EXPECT_EQ(message(errc::out_of_range, expected, "7"),
              "out of range at byte 0: expected " + std::string(expected) + ", found 7; check the path");
  }
  for (const std::string_view expected : {"a file that can be read", "a folder to save to"}) {
    EXPECT_EQ(message(errc::io, expected, "none"),
              "input or output failed at byte 0: expected " + std::string(expected) +
                  ", found none; check the path (a relative path begins in the working directory) and the "
                  "permissions");
  }
  EXPECT_EQ(in_text(errc::truncated, "a value"),
            "truncated at line 2, column 3: expected a value; the text was cut short");
  EXPECT_EQ(in_text(errc::trailing_bytes, "the end"),
            "trailing bytes at line 2, column 3: expected the end; pass only the text of the value");
  EXPECT_EQ(in_text(errc::bad_length, "3 elements"),
            "bad length at line 2, column 3: expected 3 elements; correct the text");
  EXPECT_EQ(message(errc::bad_length, "as many elements as the array has", "2"),
            "bad length at byte 0: expected as many elements as the array has, found 2; correct the value");
  EXPECT_EQ(
      message(errc::bad_enum, "a kind of type that exists", "99"),
      "bad enumerator at byte 0: expected a kind of type that exists, found 99; the bytes are damaged, or "
      "a later version of the library wrote them");
  EXPECT_EQ(message(errc::bad_enum, "a combination of read, write", "8"),
            "bad enumerator at byte 0: expected a combination of read, write, found 8; correct the value, or "
            "annotate the enum ingot::open_enum if every number is a value");
  EXPECT_EQ(message(errc::unknown_enumerator, "the name of a flag", "fly"),
            "unknown enumerator at byte 0: expected the name of a flag, found fly; write a name, an array of "
            "names, or the number of a combination");
  EXPECT_EQ(
      message(errc::unknown_enumerator, "a combination of read, write", "the key \"8\""),
      "unknown enumerator at byte 0: expected a combination of read, write, found the key \"8\"; use one "
      "of the enum's names");
  EXPECT_EQ(
      message(errc::unknown_enumerator, "one of calm, angry", "3"),
      "unknown enumerator at byte 0: expected one of calm, angry, found 3; use one of the enum's names, or "
      "annotate the enum ingot::flags or ingot::open_enum");
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
