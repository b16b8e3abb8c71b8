// SPDX-License-Identifier: Apache-2.0
// Texts of earlier versions of a type: members, enumerators and alternatives that were renamed, and
// versions that are read as the type's `previous` and upgraded.
#include <ingot/json/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace json_evolution_test {

enum class mood { glad, unhappy };

struct window {
  std::string title;
  int width = 640;
  std::optional<std::string> theme;
  mood feels = mood::glad;
  bool operator==(const window&) const = default;
};

/// Version 1: a. Version 2: b (was a). Version 3: b (was a), a.
struct reused {
  int b = 0;
  int a = 7;
  int other = 0;
  bool operator==(const reused&) const = default;
};
/// Each member took the name of the next.
struct shifted {
  int a = 1;
  int b = 2;
  int c = 3;
  int d = 4;
  bool operator==(const shifted&) const = default;
};

struct deposit_2 {
  int cents = 0;
};
struct withdrawal {
  int cents = 0;
};
using transfer = std::variant<withdrawal, deposit_2>;

struct speed_1 {
  int kilometres = 0;
};
struct speed_2 {
  int metres = 0;
  std::string unit;
  bool operator==(const speed_2&) const = default;
};
struct speed_3 {
  double metres_a_second = 0;
  int limit = 0;
  bool operator==(const speed_3&) const = default;
};
struct size_1 {
  int centimetres = 0;
};
struct size_2 {
  int millimetres = 0;
  bool operator==(const size_2&) const = default;
};
/// The version is a member.
struct point_1 {
  std::uint32_t version = 1;
  int x = 0;
};
struct point_2 {
  std::uint32_t version = 2;
  double x = 0;
  bool operator==(const point_2&) const = default;
};
/// Without a default constructor.
struct name_1 {
  std::string all;
};
class name_2 {
public:
  name_2(std::string forename, std::string family) : first(std::move(forename)), last(std::move(family)) {}
  std::string first;
  std::string last;
  INGOT_REFLECT(name_2, (), first, last)
};

} // namespace json_evolution_test

template <>
inline constexpr auto ingot::annotations<json_evolution_test::mood> = ingot::annotate(
    ingot::enumerator<json_evolution_test::mood::unhappy>(ingot::renamed_from("sad", "blue")));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::window> =
    ingot::annotate(ingot::member<"title">(ingot::renamed_from("caption", "name")),
                    ingot::member<"theme">(ingot::renamed_from("skin")));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::reused> =
    ingot::annotate(ingot::member<"b">(ingot::renamed_from("a")));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::shifted> =
    ingot::annotate(ingot::member<"a">(ingot::renamed_from("b")),
                    ingot::member<"b">(ingot::renamed_from("c")),
                    ingot::member<"c">(ingot::renamed_from("old")));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::deposit_2> =
    ingot::annotate(ingot::type(ingot::renamed_from("deposit")));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::speed_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::speed_2> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::speed_3> =
    ingot::annotate(ingot::type(ingot::version(4)), ingot::member<"metres_a_second">(ingot::range(0, 1000)),
                    ingot::member<"limit">(ingot::since(4)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::point_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::point_2> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::name_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<json_evolution_test::name_2> =
    ingot::annotate(ingot::type(ingot::version(2)));

template <>
inline constexpr auto ingot::annotations<json_evolution_test::size_2> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
struct ingot::previous<json_evolution_test::size_2> {
  using type = json_evolution_test::size_1;
  static json_evolution_test::size_2 upgrade(json_evolution_test::size_1&& old) {
    return {10 * old.centimetres};
  }
};
template <>
struct ingot::previous<json_evolution_test::speed_2> {
  using type = json_evolution_test::speed_1;
  static json_evolution_test::speed_2 upgrade(json_evolution_test::speed_1&& old) {
    return {old.kilometres * 1000, "m"};
  }
};
template <>
struct ingot::previous<json_evolution_test::speed_3> {
  using type = json_evolution_test::speed_2;
  static ingot::result<json_evolution_test::speed_3> upgrade(json_evolution_test::speed_2&& old) {
    if (old.unit != "m")
      return std::unexpected(ingot::error{ingot::errc::invalid_value}.with_expected("the unit m"));
    return json_evolution_test::speed_3{old.metres / 3600.0, 0};
  }
};
template <>
struct ingot::previous<json_evolution_test::point_2> {
  using type = json_evolution_test::point_1;
  static void upgrade(const json_evolution_test::point_1& old, json_evolution_test::point_2& now) {
    now.x = old.x / 10.0;
    now.version = old.version;
  }
};
template <>
struct ingot::previous<json_evolution_test::name_2> {
  using type = json_evolution_test::name_1;
  static json_evolution_test::name_2 upgrade(json_evolution_test::name_1&& old) {
    const auto space = old.all.find(' ');
    return {old.all.substr(0, space), old.all.substr(space + 1)};
  }
};

namespace json_evolution_test {

using ingot::errc;
using ingot::json::missing_keys;
using ingot::json::read;
using ingot::json::read_options;

constexpr read_options with_defaults{.missing_keys = missing_keys::use_defaults};

TEST(json_former_name, of_a_member_is_read) {
  const window expected{"a", 5, "dark", mood::glad};
  EXPECT_EQ(read<window>(R"({"title":"a","width":5,"theme":"dark","feels":"glad"})").value(), expected);
  EXPECT_EQ(read<window>(R"({"caption":"a","width":5,"skin":"dark","feels":"glad"})").value(), expected);
  EXPECT_EQ(read<window>(R"({"skin":"dark","feels":"glad","width":5,"name":"a"})").value(), expected);
  EXPECT_EQ(read<window>(R"({"capt\u0069on":"a","width":5,"skin":"dark","feels":"glad"})").value(), expected);
}

TEST(json_former_name, beside_the_name_is_an_error_that_has_both) {
  const auto found = [](std::string_view text) { return std::string(read<window>(text).error().found()); };
  EXPECT_EQ(found(R"({"title":"a","caption":"b"})"), R"(the key "caption", a former name of "title")");
  EXPECT_EQ(found(R"({"name":"a","caption":"b"})"), R"(the key "caption", a former name of "title")");
  EXPECT_EQ(found(R"({"caption":"a","width":5,"title":"b"})"),
            R"(the key "title" after its former name "caption")");
  // "caption" is the text of a member, and "skin" a former name of another member
  EXPECT_EQ(found(R"({"skin":"caption","title":"b","title":"b"})"), R"(the key "title" again)");
  const auto twice = read<window>(R"({"title":"a","width":5,"caption":"b"})");
  EXPECT_EQ(twice.error().code(), errc::duplicate_key);
  EXPECT_EQ(twice.error().offset(), 23U);
  EXPECT_EQ(twice.error().path(), "title");
}

TEST(json_former_name, of_an_outer_object_is_not_of_an_inner_one) {
  using list = std::vector<window>;
  constexpr std::string_view text =
      R"([{"caption":"a","width":5,"theme":"","feels":"glad"},{"title":"b","title":"c"}])";
  EXPECT_EQ(read<list>(text).error().found(), R"(the key "title" again)");
}

TEST(json_former_name, is_never_written) {
  EXPECT_EQ(ingot::json::write(window{"a", 5, "dark", mood::unhappy}).value(),
            R"({"title":"a","width":5,"theme":"dark","feels":"unhappy"})");
}

TEST(json_former_name, beside_the_present_one_is_a_repeated_key) {
  for (const std::string_view text : {R"({"title":"a","caption":"b","width":5,"feels":"glad"})",
                                      R"({"caption":"b","title":"a","width":5,"feels":"glad"})",
                                      R"({"caption":"b","name":"a","width":5,"feels":"glad"})"}) {
    const auto wrong = read<window>(text);
    ASSERT_FALSE(wrong.has_value()) << text;
    EXPECT_EQ(wrong.error().code(), errc::duplicate_key) << text;
    EXPECT_EQ(wrong.error().path(), "title") << text;
  }
  const read_options last{.duplicate_keys = ingot::json::duplicate_keys::last_wins};
  EXPECT_EQ(read<window>(R"({"title":"a","caption":"b","width":5,"feels":"glad"})", last)->title, "b");
}

TEST(json_former_name, of_a_type_inside_another_is_read) {
  const auto all =
      read<std::map<std::string, std::vector<window>>>(R"({"x":[{"caption":"a","width":5,"feels":"sad"}]})");
  ASSERT_TRUE(all.has_value()) << all.error().message();
  EXPECT_EQ(all->at("x").at(0).title, "a");
  EXPECT_EQ(all->at("x").at(0).feels, mood::unhappy);
}

TEST(json_former_name, that_no_member_had_is_unknown) {
  const auto wrong = read<window>(R"({"heading":"a","width":5,"feels":"glad"})");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code(), errc::unknown_member);
}

TEST(json_former_name, of_an_enumerator_is_read_as_value_and_key) {
  EXPECT_EQ(read<mood>(R"("sad")"), mood::unhappy);
  EXPECT_EQ(read<mood>(R"("blue")"), mood::unhappy);
  EXPECT_EQ((read<std::map<mood, int>>(R"({"sad":1,"glad":2})")),
            (std::map<mood, int>{{mood::unhappy, 1}, {mood::glad, 2}}));
  EXPECT_EQ(read<mood>(R"("angry")").error().code(), errc::unknown_enumerator);
  EXPECT_EQ(ingot::json::write(mood::unhappy), R"("unhappy")");
}

TEST(json_former_name, of_an_alternative_is_read) {
  const auto transfer_read = read<transfer>(R"({"deposit":{"cents":5}})");
  ASSERT_TRUE(transfer_read.has_value()) << transfer_read.error().message();
  EXPECT_EQ(std::get<deposit_2>(*transfer_read).cents, 5);
  EXPECT_EQ(ingot::json::write(*transfer_read), R"({"deposit_2":{"cents":5}})");
  EXPECT_EQ(read<transfer>(R"({"gift":{"cents":5}})").error().code(), errc::bad_variant);
}

/// As for packed bytes: each member reads the key of its name. If there is none, the text is older.
TEST(json_former_name, that_is_another_members_name_today_goes_by_the_keys_that_there_are) {
  EXPECT_EQ(read<reused>(R"({"b":1,"a":2,"other":3})").value(), (reused{1, 2, 3}));
  EXPECT_EQ(read<reused>(R"({"a":2,"b":1,"other":3})").value(), (reused{1, 2, 3}));
  EXPECT_EQ(read<reused>(R"({"a":1,"other":3})", with_defaults).value(), (reused{1, 7, 3})) << "version 1";
  EXPECT_EQ(read<reused>(R"({"other":3,"b":1})", with_defaults).value(), (reused{1, 7, 3})) << "version 2";
  EXPECT_EQ(read<reused>(R"({"a":1,"other":3})").error().path(), "a");
  EXPECT_EQ(read<reused>(R"({"a":1,"b":2,"a":3,"other":3})").error().code(), errc::duplicate_key);
  EXPECT_EQ(read<reused>(R"({"a":1,"c":2,"other":3})", with_defaults).error().code(), errc::unknown_member);
  EXPECT_EQ(read<reused>(R"({"a":1,"other":)").error().code(), read<window>(R"({"title":)").error().code());
  // the keys of a version in which every name was one further on
  EXPECT_EQ(read<shifted>(R"({"b":10,"c":20,"old":30})", with_defaults).value(), (shifted{10, 20, 30, 4}));
  EXPECT_EQ(read<shifted>(R"({"old":30,"d":40,"c":20,"b":10})").value(), (shifted{10, 20, 30, 40}));
  EXPECT_EQ(read<shifted>(R"({"a":10,"b":20,"c":30,"d":40})").value(), (shifted{10, 20, 30, 40}));
}

TEST(json_previous, version_is_read_as_the_earlier_type_and_upgraded) {
  EXPECT_EQ(read<speed_2>(R"({"$version":1,"kilometres":3})").value(), (speed_2{3000, "m"}));
  EXPECT_EQ(read<speed_2>(R"({"kilometres":3,"$version":1})").value(), (speed_2{3000, "m"}));
  EXPECT_EQ(read<speed_2>(R"({"$version":2,"metres":3,"unit":"m"})").value(), (speed_2{3, "m"}));
  EXPECT_EQ(read<speed_3>(R"({"$version":1,"kilometres":36})").value(), (speed_3{10, 0})) << "two steps";
  EXPECT_EQ(read<speed_3>(R"({"$version":2,"metres":3600,"unit":"m"})").value(), (speed_3{1, 0}));
}

TEST(json_previous, text_without_a_number_is_of_a_type_before_there_were_versions) {
  EXPECT_EQ(read<size_2>(R"({"centimetres":3})").value(), (size_2{30}));
  EXPECT_EQ(read<size_2>(R"({"$version":1,"millimetres":30})").value(), (size_2{30}));
  const auto wrong = read<speed_2>(R"({"kilometres":3})"); // speed_1 has a version
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().path(), "$version");
  EXPECT_EQ(read<speed_2>(R"({"metres":3,"unit":"m"})", with_defaults).value(), (speed_2{3, "m"}));
}

TEST(json_previous, versions_in_between_are_read_as_the_current_type) {
  EXPECT_EQ(read<speed_3>(R"({"$version":3,"metres_a_second":5})").value(), (speed_3{5, 0}));
  EXPECT_EQ(read<speed_3>(R"({"$version":4,"metres_a_second":5,"limit":1})").value(), (speed_3{5, 1}));
}

TEST(json_previous, errors_have_the_code_the_position_and_the_path) {
  const auto rejected = read<std::vector<speed_3>>(R"([{"$version":2,"metres":3600,"unit":"yd"}])");
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  EXPECT_EQ(rejected.error().offset(), 1U);
  EXPECT_EQ(rejected.error().path(), "[0]");
  const auto limited = read<std::vector<speed_3>>(R"([{"$version":2,"metres":36000000,"unit":"m"}])");
  ASSERT_FALSE(limited.has_value());
  EXPECT_EQ(limited.error().code(), errc::out_of_range);
  EXPECT_EQ(limited.error().path(), "[0].metres_a_second");
  const auto typed = read<std::vector<speed_3>>(R"([{"$version":2,"metres":"x","unit":"m"}])");
  EXPECT_EQ(typed.error().code(), errc::type_mismatch);
  EXPECT_EQ(typed.error().path(), "[0].metres");
  EXPECT_EQ(read<speed_3>(R"({"$version":5,"metres_a_second":5,"limit":1})").error().code(),
            errc::wrong_version);
  EXPECT_EQ(read<speed_3>(R"({"$version":99999999999999999999})").error().code(), errc::wrong_version);
  EXPECT_EQ(read<speed_3>(R"({"$version":"x"})").error().code(), errc::type_mismatch);
  EXPECT_EQ(read<speed_3>(R"({"$version":1.5})").error().path(), "$version");
  EXPECT_FALSE(read<speed_3>(R"({"$version":1)").has_value());
  EXPECT_FALSE(read<speed_3>("7").has_value());
  EXPECT_FALSE(read<speed_3>("").has_value());
}

TEST(json_previous, version_that_is_a_member_is_set_to_the_current_one) {
  EXPECT_EQ(read<point_2>(R"({"version":1,"x":25})").value(), (point_2{2, 2.5}));
  EXPECT_EQ(read<point_2>(R"({"x":25,"version":1})").value(), (point_2{2, 2.5}));
  EXPECT_EQ(read<point_2>(R"({"version":2,"x":2.5})").value(), (point_2{2, 2.5}));
}

TEST(json_previous, type_may_lack_a_default_constructor) {
  const auto old = read<std::vector<name_2>>(R"([{"$version":1,"all":"Ada Lovelace"}])");
  ASSERT_TRUE(old.has_value()) << old.error().message();
  EXPECT_EQ(old->at(0).last, "Lovelace");
  const auto now = read<std::optional<name_2>>(R"({"$version":2,"first":"Ada","last":"Lovelace"})");
  ASSERT_TRUE(now.has_value()) << now.error().message();
  EXPECT_EQ((**now).first, "Ada");
}

} // namespace json_evolution_test
