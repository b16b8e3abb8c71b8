// SPDX-License-Identifier: Apache-2.0
// Variants whose tag is a member of the alternative's object, as other libraries write them. The
// tag may be anywhere in the object, and everything that a record's text may have still works.
#include <ingot/document/document.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/json/upgrade.hpp>
#include <ingot/live/detail/twin_variant.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema_id.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace member_tag_test {

struct circle {
  double radius = 1;
  std::optional<std::string> label;
  friend bool operator==(const circle&, const circle&) = default;
};
struct square {
  int side = 0;
  friend bool operator==(const square&, const square&) = default;
};
struct point {
  friend bool operator==(const point&, const point&) = default;
};
struct group;
using shape = std::variant<circle, square, point, group>;
struct group {
  std::vector<shape> shapes;
  bool operator==(const group&) const;
};
bool group::operator==(const group& other) const { return shapes == other.shapes; }

/// Was called `box` before, and is checked.
struct cube {
  int edge = 0;
  [[nodiscard]] bool valid() const { return edge >= 0; }
};
struct ball {
  std::int64_t size = 0;
  std::string name;
};
struct ball_1 {
  std::int64_t half = 0;
};
/// Has a step for texts of version 1.
struct cone {
  int height = 0;
};
/// The names of two members were used again.
struct prism {
  int b = 0;
  int a = 7;
};
/// Has no default constructor.
struct pinned {
  pinned(int a, int b) : x(a), y(b) {} // NOLINT(bugprone-easily-swappable-parameters)
  int x, y;
  INGOT_REFLECT(pinned, x, y)
};
/// Its member `kind` has no key.
struct hidden {
  int kind = 3;
  int open = 0;
};
using solid = std::variant<cube, ball, cone, prism, hidden>;
using tile = std::variant<square, point>;
using named = std::variant<square, circle>;
using spot = std::variant<std::monostate, pinned>;
struct scene {
  solid first;
  std::optional<solid> second;
};

} // namespace member_tag_test

template <>
inline constexpr std::string_view ingot::json::tag_key<member_tag_test::shape> = "type";
template <>
inline constexpr std::string_view ingot::json::tag_key<member_tag_test::solid> = "kind";
template <>
inline constexpr std::string_view ingot::json::tag_key<member_tag_test::named> = "a \"key\"";
template <>
inline constexpr std::string_view ingot::json::variant_names<member_tag_test::named>[] = {"a\nb", "circle"};
template <>
inline constexpr std::string_view ingot::json::tag_key<member_tag_test::tile> = "tile";
template <>
inline constexpr std::string_view ingot::json::tag_key<member_tag_test::spot> = "at";
template <>
inline constexpr auto ingot::annotations<member_tag_test::cube> =
    ingot::annotate(ingot::type(ingot::renamed_from("box")));
template <>
inline constexpr auto ingot::annotations<member_tag_test::ball_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<member_tag_test::ball> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<member_tag_test::ball> {
  using type = member_tag_test::ball_1;
  static member_tag_test::ball upgrade(const member_tag_test::ball_1& old) { return {2 * old.half, "old"}; }
};
template <>
inline constexpr auto ingot::annotations<member_tag_test::cone> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<member_tag_test::cone>[] = {
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       if (object.contains("kind")) return std::unexpected(ingot::error{ingot::errc::invalid_value});
       object.rename("size", "height");
       return {};
     }},
};
template <>
inline constexpr auto ingot::annotations<member_tag_test::prism> =
    ingot::annotate(ingot::member<"b">(ingot::renamed_from("a")));
template <>
inline constexpr auto ingot::annotations<member_tag_test::hidden> =
    ingot::annotate(ingot::member<"kind">(ingot::skip));

namespace member_tag_test {

namespace json = ingot::json;
using ingot::errc;

template <class T>
ingot::error why(std::string_view text, const json::read_options& options = {}) {
  const auto read = json::read<T>(text, options);
  EXPECT_FALSE(read.has_value()) << text;
  return read ? ingot::error{} : read.error();
}

TEST(json_member_tag, is_written_first) {
  EXPECT_EQ(json::write(shape{circle{2.5, {}}}).value(), R"({"type":"circle","radius":2.5})");
  EXPECT_EQ(json::write(shape{point{}}).value(), R"({"type":"point"})");
  const shape nested{group{{square{1}, group{}}}};
  EXPECT_EQ(json::write(nested).value(),
            R"({"type":"group","shapes":[{"type":"square","side":1},{"type":"group","shapes":[]}]})");
  EXPECT_EQ(json::write(shape{square{1}}, json::pretty).value(),
            "{\n  \"type\": \"square\",\n  \"side\": 1\n}");
  EXPECT_EQ(json::write(shape{point{}}, json::pretty).value(), "{\n  \"type\": \"point\"\n}");
  EXPECT_EQ(json::write(solid{ball{4, "b"}}).value(), R"({"kind":"ball","$version":2,"size":4,"name":"b"})");
  EXPECT_EQ(json::write(named{square{1}}).value(), R"({"a \"key\"":"a\nb","side":1})");
  EXPECT_EQ(json::write(spot{}).value(), R"({"at":"monostate"})");
  const auto bad = json::write(scene{cube{1}, cube{-1}});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), errc::invalid_value);
  EXPECT_EQ(bad.error().path(), "second");
  EXPECT_EQ(json::write(nested, {.max_depth = 2}).error().code(), errc::too_deep);
  EXPECT_TRUE(json::write(nested, {.max_depth = 4}));
}

TEST(json_member_tag, is_read_wherever_it_is) {
  for (const std::string_view text :
       {R"({"type":"circle","radius":2,"label":"c"})", R"({"radius":2,"type":"circle","label":"c"})",
        R"({"label":"c","radius":2,"type":"circle"})",
        R"({ "label" : "c", "\u0074ype" : "circ\u006ce", "radius" : 2 })"})
    EXPECT_EQ(json::read<shape>(text).value(), (shape{circle{2, "c"}})) << text;
  EXPECT_EQ(json::read<shape>(R"({"type":"point"})").value(), shape{point{}});
  const auto nested = json::read<shape>(
      R"({"shapes":[{"shapes":[{"side":3,"type":"square"}],"type":"group"},{"type":"point"}],"type":"group"})");
  EXPECT_EQ(nested.value(), (shape{group{{group{{square{3}}}, point{}}}}));
  EXPECT_EQ(json::read<named>(R"({"side":5,"a \u0022key\"":"a\nb"})").value(), named{square{5}});
  const auto pinned_one = json::read<spot>(R"({"y":2,"at":"pinned","x":1})");
  ASSERT_TRUE(pinned_one) << pinned_one.error().message();
  EXPECT_EQ(std::get<pinned>(*pinned_one).y, 2);
  const auto skipped = json::read<solid>(R"({"open":1,"kind":"hidden"})");
  ASSERT_TRUE(skipped) << skipped.error().message();
  EXPECT_EQ(std::get<hidden>(*skipped).kind, 3);
}

TEST(json_member_tag, may_be_left_out_of_the_form_without_tag_key) {
  EXPECT_EQ(json::read<shape>(R"({"circle":{"radius":2}})").value(), (shape{circle{2, {}}}));
  EXPECT_EQ(json::read<shape>(R"({"group":{"shapes":[{"point":{}},{"type":"point"}]}})").value(),
            (shape{group{{point{}, point{}}}}));
  EXPECT_EQ(std::get<cube>(json::read<solid>(R"({"box":{"edge":2}})").value()).edge, 2);
  // Documents have that form, and so do messages that become documents.
  const std::vector<shape> shapes{circle{2, "c"}, group{{square{3}}}, point{}};
  const auto schema = ingot::dynamic_schema::from(ingot::schema_of<std::vector<shape>>()).value();
  const auto bytes = ingot::pack(shapes).value();
  const auto message = ingot::dynamic_message::open(bytes, schema).value();
  const auto text = json::write(ingot::to_document(message.root()).value());
  EXPECT_EQ(json::read<std::vector<shape>>(text.value()).value(), shapes);
  ingot::document doc;
  doc = shapes;
  EXPECT_EQ(json::read<std::vector<shape>>(json::write(doc).value()).value(), shapes);
}

TEST(json_member_tag, has_errors_of_its_own) {
  const auto missing = why<std::vector<shape>>(R"([{"type":"point"},{"radius":1}])");
  EXPECT_EQ(missing.code(), errc::missing_member);
  EXPECT_EQ(missing.path(), "[1].type");
  EXPECT_TRUE(missing.message().ends_with(": expected the key \"type\", the tag of the variant; add it"))
      << missing.message();
  EXPECT_EQ(missing.offset(), 18u);
  EXPECT_EQ(why<shape>("{}").code(), errc::missing_member);
  EXPECT_EQ(why<shape>(R"({"circle":1})").path(), "type");
  EXPECT_EQ(why<shape>(R"({"circle":{},"radius":1})").code(), errc::missing_member);
  // It can't be a default, either.
  EXPECT_EQ(why<shape>(R"({"radius":1})", {.missing_keys = json::missing_keys::use_defaults}).code(),
            errc::missing_member);
  const auto unknown = why<shape>(R"({"radius":1,"type":"hexagon"})");
  EXPECT_EQ(unknown.code(), errc::bad_variant);
  EXPECT_EQ(unknown.path(), "type");
  EXPECT_EQ(unknown.offset(), 19u);
  EXPECT_EQ(unknown.expected(), "one of circle, square, point, group");
  EXPECT_EQ(unknown.found(), "\"hexagon\"");
  EXPECT_TRUE(unknown.message().ends_with("; use one of these tags, and only one")) << unknown.message();
  const auto number = why<shape>(R"({"type":1})");
  EXPECT_EQ(number.code(), errc::type_mismatch);
  EXPECT_EQ(number.path(), "type");
  EXPECT_EQ(why<shape>("[]").code(), errc::type_mismatch);
  // Errors of members have the members' paths.
  const auto member =
      why<std::vector<shape>>(R"([{"shapes":[{"type":"circle","radius":true}],"type":"group"}])");
  EXPECT_EQ(member.path(), "[0].shapes[0].radius");
  EXPECT_EQ(why<shape>(R"({"type":"circle","radius":1,"side":2})").code(), errc::unknown_member);
  EXPECT_EQ(why<shape>(R"({"type":"point","radius":1})").code(), errc::unknown_member);
  EXPECT_EQ(why<shape>(R"({"type":"circle"})").path(), "radius");
  // The key is a tag only in the object of an alternative, and not in values inside.
  EXPECT_EQ(why<std::vector<scene>>(R"([{"first":{"kind":"cube","edge":1},"kind":"cube"}])").code(),
            errc::unknown_member);
  EXPECT_EQ(why<solid>(R"({"kind":"cube","edge":-1})").code(), errc::invalid_value);
  for (const std::string_view torn :
       {R"({"radius":1,"type")", R"({"radius":1,"type":"circ)", R"({"radius":[1,)"})
    EXPECT_FALSE(json::read<shape>(torn)) << torn;
}

TEST(json_member_tag, that_is_repeated_follows_the_policy) {
  constexpr std::string_view same = R"({"type":"square","side":1,"type":"square"})";
  constexpr std::string_view other = R"({"type":"square","side":1,"type":"point"})";
  for (const std::string_view text :
       {same, other, std::string_view(R"({"side":1,"type":"square","type":"square"})")}) {
    const auto repeated = why<shape>(text);
    EXPECT_EQ(repeated.code(), errc::duplicate_key);
    EXPECT_EQ(repeated.path(), "type");
    EXPECT_EQ(repeated.offset(), text.rfind("\"type"));
  }
  const json::read_options first{.duplicate_keys = json::duplicate_keys::first_wins};
  const json::read_options last{.unknown_keys = json::unknown_keys::ignore,
                                .duplicate_keys = json::duplicate_keys::last_wins};
  EXPECT_EQ(json::read<shape>(other, first).value(), shape{square{1}});
  EXPECT_EQ(json::read<shape>(other, last).value(), shape{point{}});
  EXPECT_EQ(json::read<shape>(R"({"type":"square","side":1,"type":[{}]})", first).value(), shape{square{1}});
  EXPECT_EQ(why<shape>(R"({"type":"square","side":1,"type":[{}]})", last).code(), errc::type_mismatch);
  // Ignored keys don't make a repeated tag unnoticed.
  EXPECT_EQ(why<shape>(other, {.unknown_keys = json::unknown_keys::ignore}).code(), errc::duplicate_key);
}

TEST(json_member_tag, goes_with_older_versions) {
  EXPECT_EQ(std::get<cube>(json::read<solid>(R"({"edge":2,"kind":"box"})").value()).edge, 2);
  for (const std::string_view text :
       {R"({"$version":1,"half":4,"kind":"ball"})", R"({"kind":"ball","half":4,"$version":1})"}) {
    const auto read = json::read<solid>(text);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(std::get<ball>(*read).size, 8);
    EXPECT_EQ(std::get<ball>(*read).name, "old");
  }
  for (const std::string_view text :
       {R"({"$version":1,"size":4,"kind":"cone"})", R"({"kind":"cone","size":4,"$version":1})"}) {
    const auto read = json::read<solid>(text);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(std::get<cone>(*read).height, 4);
  }
  EXPECT_EQ(why<solid>(R"({"kind":"cone","size":4,"$version":1,"kind":"cone"})").code(), errc::duplicate_key);
  for (const std::string_view text : {R"({"a":4,"kind":"prism"})", R"({"kind":"prism","a":4})"}) {
    const auto read = json::read<solid>(text, {.missing_keys = json::missing_keys::use_defaults});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(std::get<prism>(*read).b, 4);
    EXPECT_EQ(std::get<prism>(*read).a, 7);
  }
}

TEST(json_member_tag, used_objects_are_read_like_new_ones) {
  shape used{circle{7, "old"}};
  ASSERT_TRUE(json::read_into(used, R"({"radius":1,"type":"circle"})"));
  EXPECT_EQ(used, (shape{circle{1, {}}}));
  ASSERT_TRUE(json::read_into(used, R"({"label":"kept","type":"circle"})",
                              {.missing_keys = json::missing_keys::keep}));
  EXPECT_EQ(used, (shape{circle{1, "kept"}}));
  ASSERT_TRUE(json::read_into(used, R"({"side":1,"type":"square"})"));
  EXPECT_EQ(used, shape{square{1}});
}

/// The twin that reflection generates, here written by hand.
struct tile_twin {
  ingot::detail::variant_in_twin<tile, ingot::narrow_policy, square, point> one;
  INGOT_REFLECT(tile_twin, one)
};
struct tile_source {
  tile one;
};
static_assert(ingot::schema_id<tile_twin> == ingot::schema_id<tile_source>);

TEST(json_member_tag, of_a_twin_is_that_of_the_original) {
  const ingot::live<tile_twin> live(tile_source{square{4}});
  const std::string text = json::write(*live).value();
  EXPECT_EQ(text, R"({"one":{"tile":"square","side":4}})");
  EXPECT_EQ(json::read<tile_source>(text).value().one, tile{square{4}});
  ingot::live<tile_twin> read;
  ASSERT_TRUE(json::read_into(*read, text));
  EXPECT_EQ(json::write(*read).value(), text);
}

/// Objects in each other are passed over once for each level around them, so the time grows with
/// the depth, which is limited, and not with its square times the width.
TEST(json_member_tag, takes_linear_time_for_wide_objects) {
  std::string text = R"({"shapes":[)";
  for (int i = 0; i < 20'000; ++i) text += R"({"radius":1,"label":"x","type":"circle"},)";
  text += R"({"type":"point"}],"type":"group"})";
  const auto read = json::read<shape>(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(std::get<group>(*read).shapes.size(), 20'001u);
  // A callback counts bytes once, whatever is passed over.
  std::uint64_t last = 0;
  bool ascends = true;
  const auto progress = [&](std::uint64_t done, std::uint64_t) {
    ascends = ascends && done >= last;
    last = done;
    return true;
  };
  ASSERT_TRUE(json::read<shape>(text, {.progress = progress}));
  EXPECT_TRUE(ascends);
  EXPECT_EQ(last, text.size());
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += R"({"shapes":[)";
  for (int i = 0; i < 60; ++i) deep += R"(],"type":"group"})";
  EXPECT_TRUE(json::read<shape>(deep));
  std::string deeper;
  for (int i = 0; i < 70; ++i) deeper += R"({"shapes":[)";
  for (int i = 0; i < 70; ++i) deeper += R"(],"type":"group"})";
  EXPECT_EQ(why<shape>(deeper).code(), errc::too_deep);
}

} // namespace member_tag_test
