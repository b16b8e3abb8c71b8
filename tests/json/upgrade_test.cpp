// SPDX-License-Identifier: Apache-2.0
// Text of older versions is upgraded on reading, step by step; text of newer ones is rejected.
#include <ingot/json/json.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace upgrade_test {

/// Version 3. Version 1 had `caption` and one `size`; version 2 renamed it to `title`.
struct window {
  std::uint32_t version = 3;
  std::string title;
  int width = 0;
  int height = 0;
  bool operator==(const window&) const = default;
};

/// The version is stored next to the members.
struct plain {
  int a = 0;
  int b = 7;
  bool operator==(const plain&) const = default;
};

struct desk {
  std::vector<window> windows;
  plain extra;
};

struct additions_only {
  int a = 0;
  int added = 5;
};

} // namespace upgrade_test

template <>
inline constexpr auto ingot::annotations<upgrade_test::window> =
    ingot::annotate(ingot::type(ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<upgrade_test::plain> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<upgrade_test::additions_only> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"added">(ingot::since(2)));

template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<upgrade_test::window>[] = {
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       EXPECT_EQ(object.version(), 1u);
       object.rename("caption", "title");
       return {};
     }},
    {2,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       EXPECT_EQ(object.version(), 2u);
       const auto size = object.get<int>("size");
       if (!size) return std::unexpected(size.error());
       object.remove("size");
       if (auto set = object.set("width", *size); !set) return set;
       return object.set("height", *size);
     }},
};
template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<upgrade_test::plain>[] = {
    {0,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       object.set_text("b", "-1");
       return {};
     }},
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       if (object.contains("fail"))
         return std::unexpected(ingot::error(ingot::errc::invalid_value).with_expected("no fail"));
       return {};
     }},
};

namespace upgrade_test {

using ingot::errc;
namespace json = ingot::json;

TEST(json_upgrade, the_current_version_is_written_and_read_back) {
  EXPECT_EQ(json::write(window{3, "t", 1, 2}).value(), R"({"version":3,"title":"t","width":1,"height":2})");
  EXPECT_EQ(json::write(plain{1, 2}).value(), R"({"$version":2,"a":1,"b":2})");
  EXPECT_EQ(json::read<window>(json::write(window{3, "t", 1, 2})).value(), (window{3, "t", 1, 2}));
  EXPECT_EQ(json::read<plain>(json::write(plain{1, 2})).value(), (plain{1, 2}));
}

TEST(json_upgrade, another_version_in_the_member_is_not_written) {
  EXPECT_EQ(json::write(window{2, "t", 1, 2}).error().code(), errc::wrong_version);
}

TEST(json_upgrade, each_step_runs_from_the_version_of_the_text) {
  EXPECT_EQ(json::read<window>(R"({"version":1,"caption":"c","size":5})").value(), (window{3, "c", 5, 5}));
  EXPECT_EQ(json::read<window>(R"({"version":2,"title":"c","size":5})").value(), (window{3, "c", 5, 5}));
  EXPECT_EQ(json::read<window>(R"({"title":"c","width":1,"height":2,"version":3})").value(),
            (window{3, "c", 1, 2}));
}

TEST(json_upgrade, the_version_may_stand_anywhere) {
  EXPECT_EQ(json::read<window>(R"({"caption":"c", "size" : 5 , "version" : 1 })").value(),
            (window{3, "c", 5, 5}));
}

TEST(json_upgrade, a_text_without_a_version_is_of_version_0) {
  EXPECT_EQ(json::read<plain>(R"({"a":1})").value(), (plain{1, -1}));
  const auto rejected = json::read<window>(R"({"title":"c","width":1,"height":2})");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::missing_member);
  EXPECT_EQ(rejected.error().path(), "version");
}

TEST(json_upgrade, newer_and_unknown_versions_are_rejected) {
  const auto newer = json::read<window>(R"({"version":4,"title":"c","width":1,"height":2})");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code(), errc::wrong_version);
  EXPECT_EQ(newer.error().offset(), 11u);
  EXPECT_EQ(newer.error().path(), "version");
  EXPECT_EQ(newer.error().expected(), "version 3 or older");
  EXPECT_EQ(json::read<window>(R"({"version":0,"caption":"c","size":5})").error().code(),
            errc::wrong_version);
  EXPECT_EQ(json::read<window>(R"({"version":-1})").error().code(), errc::wrong_version);
}

TEST(json_upgrade, works_inside_other_values) {
  const auto read = json::read<desk>(
      R"({"windows":[{"version":1,"caption":"c","size":5},{"version":3,"title":"d","width":1,"height":2}],"extra":{"a":3}})");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->windows[0], (window{3, "c", 5, 5}));
  EXPECT_EQ(read->windows[1], (window{3, "d", 1, 2}));
  EXPECT_EQ(read->extra, (plain{3, -1}));
}

TEST(json_upgrade, errors_in_untouched_values_point_at_the_original_text) {
  const auto rejected =
      json::read<desk>("{\"windows\":[\n  {\"version\":1, \"caption\": [\"c\"], \"size\":5}]}");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::type_mismatch);
  EXPECT_EQ(rejected.error().line(), 2u);
  EXPECT_EQ(rejected.error().column(), 28u);
  EXPECT_EQ(rejected.error().path(), "windows[0].title");
}

TEST(json_upgrade, errors_in_rewritten_values_point_at_the_object) {
  const auto rejected =
      json::read<desk>("{\"windows\":[\n  {\"version\":1, \"caption\": \"c\", \"size\":\"big\"}]}");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().line(), 2u);
  EXPECT_EQ(rejected.error().column(), 3u);
  EXPECT_EQ(rejected.error().path(), "windows[0].size");
}

TEST(json_upgrade, a_step_may_reject) {
  const auto rejected = json::read<plain>(R"({"$version":1,"a":1,"b":2,"fail":true})");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  EXPECT_EQ(rejected.error().expected(), "no fail");
}

TEST(json_upgrade, versions_that_only_added_members_need_no_step) {
  EXPECT_EQ(json::read<additions_only>(R"({"$version":1,"a":1})").value().added, 5);
  EXPECT_EQ(json::read<additions_only>(R"({"$version":2,"a":1,"added":6})").value().added, 6);
  EXPECT_EQ(json::read<additions_only>(R"({"$version":2,"a":1})").error().code(), errc::missing_member);
  EXPECT_EQ(json::read<additions_only>(R"({"a":1})").error().code(), errc::missing_member);
}

TEST(json_upgrade, policies_hold_for_old_text_too) {
  EXPECT_EQ(json::read<window>(R"({"version":1,"caption":"c","size":5,"x":1})").error().code(),
            errc::unknown_member);
  EXPECT_TRUE(json::read<window>(R"({"version":1,"caption":"c","size":5,"x":1})",
                                 {.unknown_keys = json::unknown_keys::ignore}));
  EXPECT_EQ(json::read<window>(R"({"version":1,"caption":"c","caption":"d","size":5})").error().code(),
            errc::duplicate_key);
  EXPECT_EQ(json::read<window>(R"({"version":1,"caption":"c","caption":"d","size":5})",
                               {.duplicate_keys = json::duplicate_keys::last_wins})
                .value()
                .title,
            "d");
}

TEST(json_object_editor, keeps_order_and_changes_by_key) {
  json::object_editor editor;
  EXPECT_TRUE(editor.set("a", 1));
  EXPECT_TRUE(editor.set("b", std::vector{1, 2}));
  editor.set_text("c", "null");
  EXPECT_EQ(editor.text("b"), "[1,2]");
  EXPECT_FALSE(editor.text("x"));
  EXPECT_EQ(editor.get<int>("a").value(), 1);
  EXPECT_EQ(editor.get<int>("x").error().code(), errc::missing_member);
  EXPECT_EQ(editor.get<int>("b").error().path(), "b");
  EXPECT_FALSE(editor.rename("a", "c"));
  EXPECT_FALSE(editor.rename("x", "y"));
  EXPECT_TRUE(editor.rename("a", "z"));
  EXPECT_TRUE(editor.remove("b"));
  EXPECT_FALSE(editor.remove("b"));
  ASSERT_EQ(editor.entries().size(), 2u);
  EXPECT_EQ(editor.entries()[0].key, "z");
  EXPECT_FALSE(editor.set("n", 1 / 0.0));
}

} // namespace upgrade_test
