// SPDX-License-Identifier: Apache-2.0
// Each policy of read_options and write_options, next to the default that it replaces.
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace policies_test {

using ingot::errc;
namespace json = ingot::json;

enum class colour { red, green, blue };

struct window {
  int width = 640;
  int height = 480;
  std::optional<std::string> title;
  std::unique_ptr<int> icon;
  std::vector<int> panes = {1, 2};
};

struct with_defaults {
  int a = 1;
  int b = 2;
  std::string c = "initial";
};

/// More members than the reader looks ahead, with names of all lengths that have separate
/// comparisons.
struct sparse {
  std::optional<int> a, bb, ccc, dddd, eeeeeeee, ffffffff, seventeen_letters, h, ii, jjj, kkkkkkkkk;
  auto tie() {
    return std::array{&a, &bb, &ccc, &dddd,     &eeeeeeee, &ffffffff, &seventeen_letters,
                      &h, &ii, &jjj, &kkkkkkkkk};
  }
  bool operator==(const sparse&) const = default;
};
constexpr std::array<std::string_view, 11> sparse_names{
    "a", "bb", "ccc", "dddd", "eeeeeeee", "ffffffff", "seventeen_letters", "h", "ii", "jjj", "kkkkkkkkk"};

/// More members than bits in one word.
struct long_record {
  int m0 = 1, m1 = 1, m2 = 1, m3 = 1, m4 = 1, m5 = 1, m6 = 1, m7 = 1, m8 = 1, m9 = 1, m10 = 1, m11 = 1,
      m12 = 1, m13 = 1;
  int m14 = 1, m15 = 1, m16 = 1, m17 = 1, m18 = 1, m19 = 1, m20 = 1, m21 = 1, m22 = 1, m23 = 1, m24 = 1,
      m25 = 1, m26 = 1, m27 = 1;
  int m28 = 1, m29 = 1, m30 = 1, m31 = 1, m32 = 1, m33 = 1, m34 = 1, m35 = 1, m36 = 1, m37 = 1, m38 = 1,
      m39 = 1, m40 = 1, m41 = 1;
  int m42 = 1, m43 = 1, m44 = 1, m45 = 1, m46 = 1, m47 = 1, m48 = 1, m49 = 1, m50 = 1, m51 = 1, m52 = 1,
      m53 = 1, m54 = 1, m55 = 1;
  int m56 = 1, m57 = 1, m58 = 1, m59 = 1, m60 = 1, m61 = 1, m62 = 1, m63 = 1, m64 = 1, m65 = 1, m66 = 1,
      m67 = 1, m68 = 1, m69 = 1;
  std::optional<int> m70;
};
constexpr std::size_t long_record_members = 71;

/// Returns the text with all members as 5, in order, except one.
std::string long_text(std::size_t but_for, std::string_view instead) {
  std::string text = "{";
  for (std::size_t i = 0; i < long_record_members; ++i) {
    if (i == but_for && instead.empty()) continue;
    text.append(text.size() > 1 ? ",\"m" : "\"m").append(std::to_string(i)).append("\":");
    text.append(i == but_for ? instead : "5");
  }
  return text + '}';
}

} // namespace policies_test

template <>
inline constexpr auto ingot::annotations<policies_test::with_defaults> =
    ingot::annotate(ingot::member<"b">(ingot::default_value(20)), ingot::member<"c">(ingot::since(2)));

namespace policies_test {

TEST(json_unknown_keys, are_errors_unless_ignored) {
  const std::string_view text = R"({"x":{"deep":[1,{"y":null}]},"width":1,"height":2,"panes":[]})";
  const auto rejected = json::read<window>(text);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::unknown_member);
  EXPECT_EQ(rejected.error().offset(), 1u);
  EXPECT_EQ(rejected.error().found(), "the key \"x\"");
  EXPECT_EQ(rejected.error().expected(), "one of width, height, title, icon, panes");
  const auto read = json::read<window>(text, {.unknown_keys = json::unknown_keys::ignore});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->width, 1);
  EXPECT_EQ(read->height, 2);
}

TEST(json_missing_keys, are_errors_that_name_the_member) {
  const auto rejected = json::read<std::vector<window>>(R"([{"width":1,"panes":[]}])");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::missing_member);
  EXPECT_EQ(rejected.error().path(), "[0].height");
  EXPECT_EQ(rejected.error().offset(), 1u);
  EXPECT_EQ(rejected.error().expected(), "the key \"height\"");
}

/// An initialiser is a default only with an option, which the sentence has to name.
TEST(json_missing_keys, are_errors_that_say_what_would_allow_them) {
  EXPECT_EQ(json::read<window>(R"({"width":1,"panes":[]})").error().message(),
            "missing member at line 1, column 1 (height): expected the key \"height\"; add it, annotate the "
            "member with default_value, or read with missing_keys::use_defaults");
}

TEST(json_missing_keys, use_defaults_gives_the_initialisers) {
  const auto read = json::read<window>(R"({"height":1})", {.missing_keys = json::missing_keys::use_defaults});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->width, 640);
  EXPECT_EQ(read->height, 1);
  EXPECT_EQ(read->panes, (std::vector{1, 2}));
}

TEST(json_missing_keys, an_object_in_use_is_reset_and_not_mixed_with_the_text) {
  window used{1, 2, "old", std::make_unique<int>(5), {9, 9, 9}};
  ASSERT_TRUE(json::read_into(used, R"({"height":3})", {.missing_keys = json::missing_keys::use_defaults}));
  EXPECT_EQ(used.width, 640);
  EXPECT_EQ(used.height, 3);
  EXPECT_FALSE(used.title.has_value());
  EXPECT_EQ(used.icon, nullptr);
  EXPECT_EQ(used.panes, (std::vector{1, 2}));
}

TEST(json_missing_keys, keep_lays_one_text_over_another) {
  window used{1, 2, "old", std::make_unique<int>(5), {9, 9, 9}};
  ASSERT_TRUE(
      json::read_into(used, R"({"height":3,"title":"new"})", {.missing_keys = json::missing_keys::keep}));
  EXPECT_EQ(used.width, 1);
  EXPECT_EQ(used.height, 3);
  EXPECT_EQ(used.title, "new");
  EXPECT_EQ(*used.icon, 5);
  EXPECT_EQ(used.panes, (std::vector{9, 9, 9}));
}

TEST(json_missing_keys, optional_and_owning_members_may_be_absent_or_null) {
  const auto absent = json::read<window>(R"({"width":1,"height":2,"panes":[]})");
  ASSERT_TRUE(absent) << absent.error().message();
  const auto null = json::read<window>(R"({"width":1,"height":2,"panes":[],"title":null,"icon":null})");
  ASSERT_TRUE(null) << null.error().message();
  EXPECT_FALSE(null->title.has_value());
}

TEST(json_missing_keys, any_of_them_may_be_absent_and_keys_come_in_any_order) {
  constexpr std::size_t count = sparse_names.size();
  for (unsigned present = 0; present < 1U << count; ++present) {
    for (const bool backwards : {false, true}) {
      sparse wanted;
      std::string text = "{";
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = backwards ? count - 1 - n : n;
        if ((present >> i & 1) == 0) continue;
        *wanted.tie()[i] = static_cast<int>(i);
        text.append(text.size() > 1 ? ", \"" : "\"").append(sparse_names[i]).append("\":");
        text.append(std::to_string(i));
      }
      sparse used{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
      ASSERT_TRUE(json::read_into(used, text + '}')) << text;
      EXPECT_EQ(used, wanted) << text;
      if (present == 0) continue;
      const auto repeated =
          json::read<sparse>(text + ",\"" + text.substr(2, text.find('"', 2) - 2) + "\":0}");
      ASSERT_FALSE(repeated) << text;
      EXPECT_EQ(repeated.error().code(), errc::duplicate_key);
    }
  }
  for (const char* const near : {R"({"aa":1})", R"({"bc":1})", R"({"cac":1})", R"({"dddx":1})",
                                 R"({"seventeen_lettres":1})", R"({"":1})"}) {
    const auto rejected = json::read<sparse>(near);
    ASSERT_FALSE(rejected) << near;
    EXPECT_EQ(rejected.error().code(), errc::unknown_member);
  }
}

TEST(json_missing_keys, are_missed_in_a_long_record_wherever_they_are) {
  const json::read_options defaults{.missing_keys = json::missing_keys::use_defaults};
  const json::read_options keep{.missing_keys = json::missing_keys::keep};
  for (std::size_t i = 0; i < long_record_members; ++i) {
    const bool optional = i == 70;
    const std::string text = long_text(i, {});
    const auto rejected = json::read<long_record>(text);
    ASSERT_EQ(rejected.has_value(), optional) << i;
    if (!rejected) {
      EXPECT_EQ(rejected.error().code(), errc::missing_member);
      EXPECT_EQ(rejected.error().path(), "m" + std::to_string(i));
    }
    long_record used;
    ASSERT_TRUE(json::read_into(used, long_text(i, "9")));
    ASSERT_TRUE(json::read_into(used, text, keep));
    EXPECT_EQ(json::write(used).value(), long_text(i, "9"));
    ASSERT_TRUE(json::read_into(used, text, defaults));
    EXPECT_EQ(json::write(used).value(), long_text(i, optional ? "" : "1"));
  }
}

TEST(json_missing_keys, default_value_and_since_make_a_member_optional) {
  const auto read = json::read<with_defaults>(R"({"a":5})");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->a, 5);
  EXPECT_EQ(read->b, 20);
  EXPECT_EQ(read->c, "initial");
  with_defaults used{7, 7, "used"};
  ASSERT_TRUE(json::read_into(used, R"({"a":5})"));
  EXPECT_EQ(used.b, 20);
  EXPECT_EQ(used.c, "initial");
}

TEST(json_duplicate_keys, are_errors_at_the_second_key) {
  const auto rejected = json::read<window>(R"({"width":1,"width":2})");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().expected(), "each key once, or the option json::duplicate_keys");
  EXPECT_EQ(rejected.error().code(), errc::duplicate_key);
  EXPECT_EQ(rejected.error().offset(), 11u);
  EXPECT_EQ(rejected.error().path(), "width");
}

TEST(json_duplicate_keys, last_or_first_may_win) {
  const std::string_view text = R"({"width":1,"height":2,"panes":[1,2,3],"width":4,"panes":[7]})";
  const auto last = json::read<window>(text, {.duplicate_keys = json::duplicate_keys::last_wins});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->width, 4);
  EXPECT_EQ(last->panes, (std::vector{7}));
  const auto first = json::read<window>(text, {.duplicate_keys = json::duplicate_keys::first_wins});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->width, 1);
  EXPECT_EQ(first->panes, (std::vector{1, 2, 3}));
}

TEST(json_duplicate_keys, the_last_of_two_records_leaves_nothing_of_the_first) {
  using map = std::map<std::string, window>;
  const std::string_view text =
      R"({"a":{"width":1,"height":2,"panes":[],"title":"t"},"a":{"width":3,"height":4,"panes":[]}})";
  const auto last = json::read<map>(text, {.duplicate_keys = json::duplicate_keys::last_wins});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->at("a").width, 3);
  EXPECT_FALSE(last->at("a").title.has_value());
  const auto first = json::read<map>(text, {.duplicate_keys = json::duplicate_keys::first_wins});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->at("a").width, 1);
}

TEST(json_duplicate_keys, elements_of_sets_follow_the_policy) {
  EXPECT_FALSE(json::read<std::unordered_set<std::string>>(R"(["a","a"])"));
  EXPECT_EQ(json::read<std::set<int>>("[1,1,2]", {.duplicate_keys = json::duplicate_keys::last_wins})
                .value()
                .size(),
            2u);
  EXPECT_EQ(json::read<std::multiset<int>>("[1,1,2]").value().size(), 3u);
}

TEST(json_comments, are_errors_unless_allowed) {
  const std::string_view text = "// all of it\n[1, /* two */ 2,\n 3 // three\n, 4] /**/ // end";
  EXPECT_FALSE(json::read<std::vector<int>>(text));
  EXPECT_EQ(json::read<std::vector<int>>(text, {.comments = json::comments::allow}).value(),
            (std::vector{1, 2, 3, 4}));
}

/// Comments are the first thing in which the text of a person differs from strict JSON.
TEST(json_comments, that_are_rejected_name_the_option) {
  const auto said = [](const auto& read) { return read ? std::string("accepted") : read.error().message(); };
  constexpr std::string_view sentence =
      ": expected no comments, or the option json::comments::allow, found //; correct the text";
  const auto at = [&](std::string_view where) { return std::string(where).append(sentence); };
  using numbers = std::vector<int>;
  EXPECT_EQ(said(json::read<numbers>("// all\n[1]")), at("syntax error at line 1, column 1"));
  EXPECT_EQ(said(json::read<numbers>("[1] // end")), at("syntax error at line 1, column 5"));
  EXPECT_EQ(said(json::read<numbers>("[1,\n2// x\n]")), at("syntax error at line 2, column 2 ([1])"));
  EXPECT_EQ(said(json::read<numbers>("[1, // it's \"one\n2]")), at("syntax error at line 1, column 5"));
  EXPECT_EQ(said(json::read<window>("{ // x\n}")), at("syntax error at line 1, column 3"));
  EXPECT_EQ(said(json::read_document("{\"a\": // x\n1}")), at("syntax error at line 1, column 7 (a)"));
  EXPECT_EQ(json::read<numbers>("[1, /* two */ 2]").error().found(), "/*");
  // Other text is described as before.
  EXPECT_EQ(json::read<numbers>("[1, / 2]").error().expected().find("option"), std::string_view::npos);
  EXPECT_EQ(json::read<std::string>(R"("http://x)").error().code(), errc::truncated);
  EXPECT_EQ(json::read<std::vector<std::string>>(R"(["http://x", y])").error().found(), "y");
  EXPECT_EQ(json::read<numbers>("[x] // y").error().found(), "x");
}

TEST(json_comments, slashes_in_strings_are_text) {
  const json::read_options allowed{.comments = json::comments::allow};
  EXPECT_EQ(json::read<std::string>(R"("http://x/*y*/ \"//")", allowed).value(), "http://x/*y*/ \"//");
}

TEST(json_comments, do_not_move_the_position_of_an_error) {
  const auto rejected =
      json::read<std::vector<int>>("/* a\n b */ [1, x]", {.comments = json::comments::allow});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().offset(), 15u);
  EXPECT_EQ(rejected.error().line(), 2u);
  EXPECT_EQ(rejected.error().column(), 11u);
}

TEST(json_comments, must_end_and_must_be_text) {
  const json::read_options allowed{.comments = json::comments::allow};
  EXPECT_EQ(json::read<int>("1 /* x", allowed).error().code(), errc::truncated);
  EXPECT_EQ(json::read<int>("1 // \xFF", allowed).error().code(), errc::invalid_utf8);
  EXPECT_FALSE(json::read<int>("1/**/2", allowed));
  EXPECT_FALSE(json::read<int>("1 / 2", allowed));
  EXPECT_EQ(json::read<int>("1//", allowed).value(), 1);
}

TEST(json_trailing_commas, are_errors_unless_allowed) {
  const json::read_options allowed{.trailing_commas = json::trailing_commas::allow};
  using numbers = std::map<std::string, std::vector<int>>;
  const std::string_view text = "{\"a\": [1, 2 ,\n ], \"b\": [],\t}";
  EXPECT_FALSE(json::read<numbers>(text));
  EXPECT_EQ(json::read<numbers>(text, allowed).value(), (numbers{{"a", {1, 2}}, {"b", {}}}));
  EXPECT_EQ(json::read_document(text, allowed).value()["a"].size(), 2u);
  EXPECT_EQ(json::read<std::vector<std::string>>(R"(["a,]", "\",}",])", allowed).value(),
            (std::vector<std::string>{"a,]", "\",}"}));
}

TEST(json_trailing_commas, that_are_rejected_name_the_option) {
  using numbers = std::map<std::string, std::vector<int>>;
  EXPECT_EQ(json::read<numbers>("{\"a\": [1, 2,\n]}").error().message(),
            "syntax error at line 2, column 1 ([a][2]): expected a value after the comma, or the option "
            "json::trailing_commas::allow, found ']'; correct the text");
  EXPECT_EQ(json::read<numbers>("{\"a\": [],}").error().expected(),
            "a key after the comma, or the option json::trailing_commas::allow");
  EXPECT_EQ(json::read_document("[[1], [2],]").error().expected(),
            "a value after the comma, or the option json::trailing_commas::allow");
  for (const std::string_view text : {"[1,}", "[,]", "[1,,]", "[\"a,]", "[1,"})
    EXPECT_EQ(json::read_document(text).error().expected().find("option"), std::string_view::npos) << text;
}

TEST(json_trailing_commas, follow_a_value_and_come_once) {
  const json::read_options allowed{.comments = json::comments::allow,
                                   .trailing_commas = json::trailing_commas::allow};
  for (const std::string_view text :
       {"[,]", "[1,,]", "[,1]", "[1],", ",", "[[],,]", "[1,", "[ /* 1 */ , ]", "[\"a\",,]", "[\"a,]"}) {
    EXPECT_FALSE(json::read_document(text, allowed)) << text;
  }
  for (const std::string_view text : {"{,}", "{\"a\":,}", "{\"a\",}", "{\"a\":1,,}", "{\"a\":1,]"}) {
    EXPECT_FALSE(json::read_document(text, allowed)) << text;
  }
  EXPECT_EQ(json::read<std::vector<int>>("[1, // one\n 2, /* two */ ]", allowed).value(),
            (std::vector{1, 2}));
}

TEST(json_trailing_commas, do_not_move_the_position_of_an_error) {
  const auto rejected = json::read<std::vector<std::vector<int>>>(
      "[[1,],\n[x]]", {.trailing_commas = json::trailing_commas::allow});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().line(), 2u);
  EXPECT_EQ(rejected.error().column(), 2u);
}

TEST(json_max_bytes, is_the_longest_text) {
  EXPECT_EQ(json::read<int>("12345", {.max_bytes = 5}).value(), 12345);
  EXPECT_EQ(json::read<int>("12345", {.max_bytes = 4}).error().code(), errc::too_large);
  EXPECT_EQ(json::read_document("[1,2]", {.max_bytes = 4}).error().code(), errc::too_large);
}

TEST(json_byte_order_mark, is_passed_over_at_the_start_only) {
  EXPECT_EQ(json::read<int>("\xEF\xBB\xBF 5").value(), 5);
  EXPECT_EQ(json::read<std::vector<int>>("\xEF\xBB\xBF[x]").error().offset(), 4u);
  EXPECT_FALSE(json::read<std::vector<int>>("[\xEF\xBB\xBF 5]"));
}

TEST(json_depth, is_limited_and_counted_in_brackets) {
  struct tree {
    std::vector<tree> children;
  };
  const auto nested = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += R"({"children":[)";
    for (std::size_t i = 0; i < depth; ++i) text += "]}";
    return text;
  };
  EXPECT_TRUE(json::read<tree>(nested(64)));
  const auto deep = json::read<tree>(nested(65));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code(), errc::too_deep);
  EXPECT_EQ(json::read<tree>(nested(10'000)).error().code(), errc::too_deep);
  EXPECT_TRUE(json::read<tree>(nested(100), {.max_depth = 200}));

  tree chain;
  for (int i = 0; i < 64; ++i) {
    tree outer;
    outer.children.push_back(std::move(chain));
    chain = std::move(outer);
  }
  EXPECT_EQ(json::write(chain).error().code(), errc::too_deep);
  EXPECT_TRUE(json::write(chain.children[0]));
}

TEST(json_empty_members, are_left_out_or_written_as_null) {
  const window value{1, 2, {}, {}, {}};
  EXPECT_EQ(json::write(value).value(), R"({"width":1,"height":2,"panes":[]})");
  EXPECT_EQ(json::write(value, {.empty_members = json::empty_members::null}).value(),
            R"({"width":1,"height":2,"title":null,"icon":null,"panes":[]})");
}

TEST(json_enum_style, names_or_numbers) {
  EXPECT_EQ(json::write(colour::blue).value(), R"("blue")");
  EXPECT_EQ(json::write(colour::blue, {.enum_style = json::enum_style::numbers}).value(), "2");
  const std::map<colour, int> map{{colour::red, 1}};
  EXPECT_EQ(json::write(map).value(), R"({"red":1})");
  EXPECT_EQ(json::write(map, {.enum_style = json::enum_style::numbers}).value(), R"({"0":1})");
  EXPECT_EQ((json::read<std::map<colour, int>>(R"({"0":1,"green":2})").value().size()), 2u);
  EXPECT_FALSE(json::write(static_cast<colour>(7))); // reading it back would fail
}

enum class rights : std::uint8_t { read = 1, write = 2, run = 4, own = 8, all = 7 };
constexpr rights operator|(rights a, rights b) {
  return static_cast<rights>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

TEST(json_enum_style, name_lists_write_combinations_of_flags_as_names) {
  const json::write_options lists{.enum_style = json::enum_style::name_lists};
  const std::vector<rights> values{rights{5}, rights::all, rights{}, rights{15}, rights::own};
  const std::string text = json::write(values, lists).value();
  EXPECT_EQ(text, R"([["read","run"],"all",[],["all","own"],"own"])");
  EXPECT_EQ(json::read<std::vector<rights>>(text).value(), values);
  EXPECT_EQ(json::read<rights>(R"(["write", "write", "read"])").value(), rights{3});
  const std::map<rights, int> keyed{{rights{5}, 1}};
  EXPECT_EQ(json::write(keyed, lists).value(), R"({"5":1})");

  const auto wrong = json::read<std::vector<rights>>(R"([["read","fly"]])");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), errc::unknown_enumerator);
  EXPECT_EQ(wrong.error().path(), "[0][1]");
  EXPECT_TRUE(
      wrong.error().message().ends_with("write a name, an array of names, or the number of a combination"));
  EXPECT_EQ(wrong.error().offset(), 9U);
  EXPECT_EQ(json::read<rights>(R"(["read",1])").error().code(), errc::type_mismatch);
  EXPECT_EQ(json::read<rights>(R"(["read")").error().code(),
            json::read<std::vector<int>>("[1").error().code());
  EXPECT_EQ(json::read<colour>(R"(["red"])").error().code(), errc::type_mismatch) << "colours are no flags";
  EXPECT_EQ(json::write(values, {.enum_style = json::enum_style::name_lists, .max_depth = 1}).error().code(),
            errc::too_deep);
}

TEST(json_indent, breaks_lines_and_leaves_empty_things_alone) {
  const std::map<std::string, std::vector<int>> value{{"a", {1, 2}}, {"b", {}}};
  EXPECT_EQ(json::write(value, json::pretty).value(), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": []\n}");
  EXPECT_EQ(json::write(std::map<std::string, int>{}, json::pretty).value(), "{}");
}

TEST(json_unordered, equal_values_give_equal_text) {
  std::unordered_map<std::string, int> forwards;
  std::unordered_map<std::string, int> backwards;
  for (int i = 0; i < 100; ++i) forwards.emplace("k" + std::to_string(i), i);
  for (int i = 100; i-- > 0;) backwards.emplace("k" + std::to_string(i), i);
  EXPECT_EQ(json::write(forwards).value(), json::write(backwards).value());
}

} // namespace policies_test
