// SPDX-License-Identifier: Apache-2.0
// Strings in JSON text: escapes and validation at every position within blocks of sixteen bytes and
// across them, compared with a writer of one byte at a time.
#include <ingot/document/document.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace string_text_test {

/// A type whose hook gives an ill-formed string the first time only.
struct changing {
  mutable int calls = 0;
};

} // namespace string_text_test

template <>
struct ingot::adapt<string_text_test::changing> {
  static std::string to(const string_text_test::changing& from) {
    return ++from.calls == 1 ? "\xFF" : "well-formed";
  }
  static string_text_test::changing from(std::string_view) { return {}; }
};

namespace string_text_test {

namespace json = ingot::json;
using ingot::errc;

/// Writes a string as JSON, one byte at a time.
std::string escaped(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr std::string_view letters = "\"\"\\\\\bb\ff\nn\rr\tt";
    const auto byte = static_cast<unsigned char>(c);
    std::size_t found = std::string_view::npos;
    for (std::size_t i = 0; i < letters.size(); i += 2) {
      if (letters[i] == c) found = i;
    }
    if (found != std::string_view::npos) {
      out += '\\';
      out += letters[found + 1];
    } else if (byte < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      out += "\\u00";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Returns the number of bytes before the first ill-formed sequence, by the table of the Unicode
/// standard (3-7).
std::size_t well_formed(std::string_view text) {
  const auto in = [text](std::size_t at, unsigned low, unsigned high) {
    return at < text.size() && static_cast<unsigned char>(text[at]) >= low &&
           static_cast<unsigned char>(text[at]) <= high;
  };
  const auto tail = [&in](std::size_t at) { return in(at, 0x80, 0xBF); };
  std::size_t at = 0;
  while (at < text.size()) {
    if (in(at, 0, 0x7F)) at += 1;
    else if (in(at, 0xC2, 0xDF) && tail(at + 1)) at += 2;
    else if (in(at, 0xE0, 0xE0) && in(at + 1, 0xA0, 0xBF) && tail(at + 2)) at += 3;
    else if (in(at, 0xE1, 0xEC) && tail(at + 1) && tail(at + 2)) at += 3;
    else if (in(at, 0xED, 0xED) && in(at + 1, 0x80, 0x9F) && tail(at + 2)) at += 3;
    else if (in(at, 0xEE, 0xEF) && tail(at + 1) && tail(at + 2)) at += 3;
    else if (in(at, 0xF0, 0xF0) && in(at + 1, 0x90, 0xBF) && tail(at + 2) && tail(at + 3)) at += 4;
    else if (in(at, 0xF1, 0xF3) && tail(at + 1) && tail(at + 2) && tail(at + 3)) at += 4;
    else if (in(at, 0xF4, 0xF4) && in(at + 1, 0x80, 0x8F) && tail(at + 2) && tail(at + 3)) at += 4;
    else return at;
  }
  return at;
}

struct record {
  int number = 7;
  std::string text;
};

std::string found_byte(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(text[well_formed(text)]);
  return std::string("the byte 0x") + hex[byte >> 4] + hex[byte & 15];
}

/// Writes `text` in a record in a list, and in documents, and compares with the text or the error
/// that is expected. The bytes are in memory of their exact size where a sanitizer can see it.
void expect_right(std::string_view text) {
  const bool is_good = well_formed(text) == text.size();
  const std::vector<record> list{{1, "before"}, {2, std::string(text)}, {3, "\xC3\xA9"}};
  const auto written = json::write(list);
  ASSERT_EQ(written.has_value(), is_good) << escaped(text);
  const std::string before = R"([{"number":1,"text":"before"},{"number":2,"text":)";
  if (is_good) {
    EXPECT_EQ(*written, before + escaped(text) + "},{\"number\":3,\"text\":\"\xC3\xA9\"}]");
  } else {
    EXPECT_EQ(written.error().code(), errc::invalid_utf8);
    EXPECT_EQ(written.error().offset(), before.size());
    EXPECT_EQ(written.error().path(), "[1].text");
    EXPECT_EQ(written.error().found(), found_byte(text));
  }
  const std::unique_ptr<char[]> exact(new char[text.size()]);
  if (!text.empty()) std::char_traits<char>::copy(exact.get(), text.data(), text.size());
  const auto viewed = json::write(std::string_view(exact.get(), text.size()));
  ASSERT_EQ(viewed.has_value(), is_good);
  if (is_good) {
    EXPECT_EQ(*viewed, escaped(text));
  }
  const ingot::document doc(std::vector<std::string>{"first", std::string(text)});
  const auto from_document = json::write(doc);
  ASSERT_EQ(from_document.has_value(), is_good) << escaped(text);
  if (is_good) {
    EXPECT_EQ(*from_document, "[\"first\"," + escaped(text) + "]");
  } else {
    EXPECT_EQ(from_document.error().code(), errc::invalid_utf8);
    EXPECT_EQ(from_document.error().found(), found_byte(text));
  }
}

constexpr std::string_view pieces[]{
    "\"", "\\", "\n", "\x01", "\x1F", "\x7F", " ", "!", "#", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80",
    "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
    // ill-formed: lone bytes, truncated, overlong, surrogates, above U+10FFFF
    "\x80", "\xBF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xF0\x9F", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
    "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF",
    "\xFE"};

TEST(json_string_text, bytes_at_each_position_are_escaped_or_rejected) {
  for (const std::string_view piece : pieces) {
    for (const std::size_t size : {0u, 1u, 2u, 3u, 5u, 9u, 14u, 17u, 31u, 36u, 50u}) {
      for (std::size_t at = 0; at <= size; ++at) {
        std::string text(size, 'a');
        expect_right(text.insert(at, piece));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(json_string_text, random_strings_are_escaped_or_rejected) {
  std::mt19937_64 random(7); // NOLINT(*-msc51-cpp): the same texts in each run
  for (int i = 0; i < 3'000; ++i) {
    std::string text;
    const bool may_be_bad = i % 3 == 0;
    for (auto left = random() % (i % 50 == 0 ? 400 : 20); left != 0; --left)
      text += random() % 2 == 0 ? std::string(random() % 20, 'x')
                                : std::string(pieces[random() % (may_be_bad ? std::size(pieces) : 17)]);
    expect_right(text);
    if (HasFatalFailure()) return;
  }
}

// The writer validates its text in parts. A sequence may be in two parts, and an error may be in
// any of them.
TEST(json_string_text, long_texts_are_validated_in_all_parts) {
  for (const std::string_view character : {"\xD0\x96", "\xE3\x81\x82", "\xF0\x9F\x98\x80", "\"\xD0\x96"}) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      std::string text(shift, 'a');
      while (text.size() < 150'000) text += character;
      expect_right(text);
      std::vector<std::string> list(40, text.substr(0, 5'000 / character.size() * character.size() + shift));
      const auto good = json::write(list);
      ASSERT_TRUE(good);
      EXPECT_EQ(json::read<std::vector<std::string>>(*good).value(), list);
      const std::size_t escaped_size = escaped(list[0]).size();
      for (const std::size_t bad : {0u, 6u, 7u, 13u, 20u, 39u}) {
        auto damaged = list;
        damaged[bad] += "\xD0";
        const std::size_t offset = 1 + bad * (escaped_size + 1); // those before it are equal
        std::string out = "kept";
        const auto written = json::write_to(out, damaged);
        ASSERT_FALSE(written);
        EXPECT_EQ(out, "kept");
        EXPECT_EQ(written.error().code(), errc::invalid_utf8);
        EXPECT_EQ(written.error().offset(), offset);
        EXPECT_EQ(written.error().path(), "[" + std::to_string(bad) + "]");
        const auto replaced = json::write(damaged, {.invalid_utf8 = json::invalid_utf8::replace});
        ASSERT_TRUE(replaced);
        damaged[bad] = list[bad] + "\xEF\xBF\xBD";
        EXPECT_EQ(json::read<std::vector<std::string>>(*replaced).value(), damaged);
      }
    }
  }
}

// The first ill-formed string is the error, even if a later value fails before the text is
// validated, and an earlier failure stays the error.
TEST(json_string_text, first_error_is_reported) {
  struct both {
    std::string text;
    double number = 0;
    std::string last;
  };
  const double infinity = 1e308 * 10;
  const auto first = json::write(both{"\xFF", infinity, ""});
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code(), errc::invalid_utf8);
  EXPECT_EQ(first.error().path(), "text");
  const auto second = json::write(both{"\xC3\xA9", infinity, "\xFF"});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), errc::out_of_range);
  EXPECT_EQ(second.error().path(), "number");
}

TEST(json_string_text, hook_that_gives_another_string_the_second_time_is_an_error) {
  const changing value;
  const auto written = json::write(value);
  ASSERT_FALSE(written) << *written;
  EXPECT_EQ(written.error().code(), errc::invalid_utf8);
  EXPECT_EQ(value.calls, 2);
}

TEST(json_string_text, progress_never_decreases_when_a_text_is_written_again) {
  std::vector<std::string> list(200, std::string(5'000, 'a') + "\xC3\xA9");
  list[190] += '\xFF';
  std::uint64_t before = 0;
  bool is_ordered = true;
  const auto progress = [&](std::uint64_t done, std::uint64_t) {
    is_ordered = is_ordered && done >= before;
    before = done;
    return true;
  };
  const auto written = json::write(list, {.progress = progress});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), errc::invalid_utf8);
  EXPECT_EQ(written.error().path(), "[190]");
  EXPECT_TRUE(is_ordered);
  EXPECT_GT(before, 500'000U);
}

TEST(json_string_text, wide_documents_have_strings_of_every_kind) {
  for (const std::string_view piece : {"plain", "\xD0\x96", "\xE3\x81\x82", "\"", "\x01"}) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < 2'000; ++i) {
      std::string text = std::to_string(i);
      while (text.size() < 10 + i % 200) text += piece;
      list.push_back(text);
    }
    ingot::document doc(list);
    const auto written = json::write(doc);
    ASSERT_TRUE(written);
    EXPECT_EQ(*written, json::write(list).value());
    list[1'990] += "\xF0\x9F";
    const auto rejected = json::write(ingot::document(list));
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code(), errc::invalid_utf8);
    EXPECT_EQ(rejected.error().path(), "[1990]");
  }
}

} // namespace string_text_test
