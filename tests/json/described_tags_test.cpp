// SPDX-License-Identifier: Apache-2.0
// Variants whose tag is a member in JSON, for programs without the type: descriptions have the key,
// and text by a description is the text of the type.
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/ref.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>

#include "golden_file.hpp"
#include "json/tagged_scene.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace described_tags_test {

using namespace tagged_scene;

// Blocks.

struct slab {
  std::int32_t width = 0;
  ingot::string name;
  INGOT_REFLECT(slab, width, name)
};
struct spot {
  std::int32_t x = 0;
  INGOT_REFLECT(spot, x)
};
using piece = ingot::variant<spot, slab>;
struct board {
  ingot::vector<piece> pieces;
  ingot::map<ingot::string, piece> by_name;
  INGOT_REFLECT(board, pieces, by_name)
};

struct plain_word {
  std::variant<std::int32_t, square> either;
};

/// Two records that differ only in the `tag_key` of their variants.
namespace first {
struct square {
  std::int16_t side = 0;
};
struct holder {
  std::variant<square> held;
};
} // namespace first
namespace second {
struct square {
  std::int16_t side = 0;
};
struct holder {
  std::variant<square> held;
};
} // namespace second
struct both_holders {
  first::holder one;
  second::holder two;
  std::vector<first::holder> more;
};

struct pieces_and_links {
  ingot::pool<spot> pool;
  ingot::vector<ingot::variant<ingot::ref<spot>, spot>> all;
  INGOT_REFLECT(pieces_and_links, pool, all)
};

} // namespace described_tags_test

template <>
inline constexpr std::string_view ingot::json::tag_key<std::variant<described_tags_test::first::square>> =
    "a";
template <>
inline constexpr std::string_view ingot::json::tag_key<std::variant<described_tags_test::second::square>> =
    "b";
template <>
inline constexpr std::string_view
    ingot::json::tag_key<ingot::variant<ingot::ref<described_tags_test::spot>, described_tags_test::spot>> =
        "kind";

template <>
inline constexpr std::string_view ingot::json::tag_key<described_tags_test::piece> = "type";

namespace described_tags_test {

namespace json = ingot::json;
using ingot::errc;

std::vector<std::uint8_t> bytes_of(ingot::bytes_view bytes) {
  std::vector<std::uint8_t> all;
  for (const std::byte each : bytes) all.push_back(std::to_integer<std::uint8_t>(each));
  return all;
}
ingot::bytes_view view_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
std::string text_of(ingot::bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

template <class T>
ingot::dynamic_schema schema_for_messages(ingot::message_profile profile = ingot::message_profile::pack) {
  return ingot::dynamic_schema::open(ingot::schema_bytes<T>(), profile).value();
}
ingot::live<board> filled_board() {
  ingot::live<board> live;
  live->pieces.push_back(spot{4});
  slab& named_slab = live->pieces.emplace_back().emplace<slab>();
  named_slab.width = 5;
  named_slab.name = "a name longer than what fits in place";
  live->by_name["x"] = spot{6};
  live.compact();
  return live;
}
std::string json_by_description(const ingot::dynamic_value& of,
                                ingot::value_format form = ingot::value_format::json) {
  return json::write(ingot::to_document(of, {.form = form}).value()).value();
}
/// Returns the text with the members of objects in the order of documents.
std::string in_order(std::string_view text) { return json::write(json::read_document(text).value()).value(); }
/// Packs JSON by the description of `T`.
template <class T>
ingot::result<ingot::buffer> pack_text(std::string_view text,
                                       const ingot::pack_document_options& options = {},
                                       ingot::message_profile profile = ingot::message_profile::pack) {
  return ingot::pack_document(json::read_document(text).value(), schema_for_messages<T>(profile), options);
}
template <class T>
ingot::error why(std::string_view text, const ingot::pack_document_options& options = {}) {
  const auto packed = pack_text<T>(text, options);
  EXPECT_FALSE(packed.has_value()) << text;
  return packed ? ingot::error{} : packed.error();
}

TEST(json_described_tags, text_by_a_description_is_that_of_the_type) {
  const scene s = filled();
  const std::string text = json::write(s).value();
  const auto packed = ingot::pack(s).value();
  const auto schema = schema_for_messages<scene>();
  EXPECT_EQ(json_by_description(ingot::dynamic_message::open(packed, schema).value().root()), in_order(text));
  const auto compact = ingot::compact::pack(s).value();
  const auto compact_schema = schema_for_messages<scene>(ingot::message_profile::compact);
  EXPECT_EQ(json_by_description(ingot::dynamic_message::open(compact, compact_schema).value().root()),
            in_order(text));
  EXPECT_TRUE(text.starts_with(R"({"list":[{"type":"circle","radius":2,"label":"c"},)")) << text;
  EXPECT_NE(text.find(R"("one":{"kind \"of\" solid":"cone","version":3,"height":8},"alone":{"$version":2,)"),
            std::string::npos)
      << text;
}

TEST(json_described_tags, documents_have_the_form_without) {
  const auto packed = ingot::pack(std::vector<shape>{square{1}, point{}}).value();
  const auto schema = schema_for_messages<std::vector<shape>>();
  const auto message = ingot::dynamic_message::open(packed, schema).value();
  const auto root = message.root();
  EXPECT_EQ(json_by_description(root, ingot::value_format::document),
            R"([{"square":{"side":1}},{"point":{}}])");
  EXPECT_EQ(json_by_description(root), R"([{"type":"square","side":1},{"type":"point"}])");
}

TEST(json_described_tags, text_of_blocks_is_that_of_the_type) {
  const ingot::live<board> live = filled_board();
  const std::string text = json::write(*live).value();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<board>()).value();
  const auto view = ingot::dynamic_block::open(live.bytes(), layout).value();
  EXPECT_EQ(json_by_description(view.root()), in_order(text));
  EXPECT_TRUE(text.starts_with(R"({"pieces":[{"type":"spot","x":4},{"type":"slab","width":5,)")) << text;
  for (const auto form : {ingot::value_format::json, ingot::value_format::document}) {
    const auto built =
        ingot::build_block(ingot::to_document(view.root(), {.form = form}).value().root(), layout);
    ASSERT_TRUE(built) << built.error().message();
    EXPECT_EQ(text_of(built->bytes()), text_of(live.bytes()));
  }
  // The key goes from layouts to schemas, and back.
  const auto schema = ingot::schema_for(layout).value();
  EXPECT_EQ(text_of(ingot::schema_bytes(schema)), text_of(ingot::schema_bytes<board>()));
  const auto again = ingot::schema_for(ingot::layout_for(schema).value()).value();
  EXPECT_NE(ingot::to_json_schema(again).value().find(R"("type":{"const":"spot"})"), std::string::npos);
}

TEST(json_described_tags, records_that_differ_only_in_the_key_are_two_shared_parts) {
  static_assert(ingot::schema_id<first::holder> == ingot::schema_id<second::holder>);
  const both_holders value{{first::square{1}}, {second::square{2}}, {{first::square{3}}}};
  const std::string text = json::write(value).value();
  EXPECT_EQ(text, R"({"one":{"held":{"a":"square","side":1}},"two":{"held":{"b":"square","side":2}},)"
                  R"("more":[{"held":{"a":"square","side":3}}]})");
  const auto packed = ingot::pack(value).value();
  const auto schema = schema_for_messages<both_holders>();
  EXPECT_EQ(json_by_description(ingot::dynamic_message::open(packed, schema).value().root()), in_order(text));
}

TEST(json_described_tags, alternatives_may_be_links_to_objects_of_a_pool) {
  ingot::live<pieces_and_links> live;
  const auto link = live->pool.add(spot{3});
  live->all.push_back(link);
  live->all.push_back(spot{4});
  const std::string text = json::write(*live).value();
  EXPECT_NE(text.find(R"({"kind":"ref","index":0,"generation":1},{"kind":"spot","x":4})"), std::string::npos)
      << text;
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<pieces_and_links>()).value();
  const auto view = ingot::dynamic_block::open(live.bytes(), layout).value();
  EXPECT_EQ(json_by_description(view.root()), in_order(text));
}

TEST(json_described_tags, both_forms_are_read) {
  const scene s = filled();
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto expected =
        profile == ingot::message_profile::pack ? ingot::pack(s).value() : ingot::compact::pack(s).value();
    const auto schema = schema_for_messages<scene>(profile);
    const auto root = ingot::dynamic_message::open(expected, schema).value();
    for (const auto form : {ingot::value_format::json, ingot::value_format::document}) {
      const auto document = ingot::to_document(root.root(), {.form = form}).value();
      const auto packed = ingot::pack_document(document, schema, {.missing_is_error = true});
      ASSERT_TRUE(packed) << packed.error().message();
      EXPECT_EQ(*packed, expected);
    }
    EXPECT_EQ(pack_text<scene>(json::write(s).value(), {}, profile).value(), expected);
  }
  const auto mixed = pack_text<std::vector<shape>>(
      R"([{"radius":2,"type":"circle"},{"circle":{"radius":2}},{"type":"group","shapes":[{"point":{}}]}])");
  ASSERT_TRUE(mixed) << mixed.error().message();
  EXPECT_EQ(*mixed, ingot::pack(std::vector<shape>{circle{2, {}}, circle{2, {}}, group{{point{}}}}).value());
  // A tag that is also the key: the kind of its value says which form it is.
  EXPECT_EQ(pack_text<named>(R"({"eightchr":{"side":1}})").value(), ingot::pack(named{square{1}}).value());
  EXPECT_EQ(pack_text<named>(R"({"eightchr":"eightchr","side":1})").value(),
            ingot::pack(named{square{1}}).value());
  EXPECT_EQ(pack_text<named>(R"({"eightchr":"nothing"})").value(), ingot::pack(named{point{}}).value());
  EXPECT_EQ(pack_text<std::optional<tile>>("null").value(), ingot::pack(std::optional<tile>()).value());
}

TEST(json_described_tags, has_errors_of_its_own) {
  const auto missing = why<std::vector<shape>>(R"([{"type":"point"},{"radius":1}])");
  EXPECT_EQ(missing.code(), errc::missing_member);
  EXPECT_EQ(missing.path(), "[1].type");
  EXPECT_EQ(why<shape>("{}").code(), errc::missing_member);
  EXPECT_EQ(why<shape>(R"({"circle":{},"radius":1})").code(), errc::missing_member);
  EXPECT_EQ(why<shape>(R"({"type":"hexagon"})").code(), errc::bad_variant);
  EXPECT_EQ(why<shape>(R"({"type":"hexagon"})").path(), "type");
  EXPECT_EQ(why<shape>(R"({"hexagon":{}})").code(), errc::missing_member);
  EXPECT_EQ(why<shape>(R"({"type":1})").code(), errc::type_mismatch);
  EXPECT_EQ(why<shape>(R"({"type":{}})").code(), errc::type_mismatch);
  EXPECT_EQ(why<shape>(R"({"circle":1})").code(), errc::missing_member);
  EXPECT_EQ(why<shape>("[]").code(), errc::type_mismatch);
  EXPECT_EQ(why<shape>(R"({"type":"square","radius":1})").code(), errc::unknown_member);
  // The key is a tag only in the object of an alternative.
  EXPECT_EQ(why<shape>(R"({"square":{"type":"square","side":1}})").code(), errc::unknown_member);
  EXPECT_EQ(why<scene>(R"({"type":"point"})").code(), errc::unknown_member);
  EXPECT_EQ(why<square>(R"({"":1})").code(), errc::unknown_member);
  EXPECT_EQ(why<shape>(R"({"type":"square"})", {.missing_is_error = true}).code(), errc::missing_member);
  EXPECT_TRUE(pack_text<shape>(R"({"type":"square","radius":1})", {.unknown_is_ignored = true}));
  EXPECT_EQ(why<solid>(R"({"kind \"of\" solid":"ball","$version":1,"size":2})").code(), errc::unknown_member);
}

// Descriptions.

/// Compares bytes with a golden, from which the reader in Python is tested, too.
void expect_golden(std::string_view name, std::string_view what, ingot::bytes_view now) {
  ingot_test::expect_bytes(name, now, ingot_test::golden(name, what, now));
}

TEST(json_described_tags, have_the_bytes_of_the_goldens) {
  expect_golden("schema_tagged", "variant<square, point> with the tag_key \"tile\", described",
                ingot::schema_bytes<tile>());
  expect_golden("schema_tagged_scene", "variants with a tag_key in a list, an optional and maps, described",
                ingot::schema_bytes<scene>());
  expect_golden("value_tagged_packed", "a value of schema_tagged_scene, packed",
                ingot::pack(filled()).value());
  expect_golden("value_tagged_compact", "the same value, compact", ingot::compact::pack(filled()).value());
  expect_golden("value_tagged_json", "the JSON of the same value",
                view_of(json::write(filled(), {.empty_members = json::empty_members::null}).value()));
  if (std::endian::native == std::endian::big) GTEST_SKIP() << "another layout";
  expect_golden("layout_tagged", "a block of a vector and a map of variants with a tag_key, described",
                ingot::layout_of<board>());
  expect_golden("value_tagged_live", "a block of layout_tagged", filled_board().bytes());
  expect_golden("value_tagged_live_json", "the JSON of the same block",
                view_of(json::write(*filled_board()).value()));
}

TEST(json_described_tags, is_no_part_of_fingerprints) {
  const std::string tagged = text_of(ingot::schema_bytes<tile>());
  const std::string plain =
      replaced(tagged, std::string_view("\x14\x02\x04tile", 7), std::string_view("\x14\0", 2));
  const auto read = ingot::read_schema(view_of(plain));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->id(), ingot::schema_id<tile>);
  EXPECT_EQ(*read, ingot::schema_of<tile>());
  EXPECT_EQ(read->to_text(), ingot::schema_of<tile>().to_text());
  EXPECT_TRUE(ingot::schema_of<tile>().to_text_with_names().starts_with("variant tag_key tile\n"));
  // Layouts differ only in the key, too.
  const auto by_layout = ingot::layout_for(*read).value();
  const auto by_tagged = ingot::layout_for(ingot::schema_of<tile>()).value();
  EXPECT_EQ(by_layout.layout_id(), by_tagged.layout_id());
  EXPECT_NE(bytes_of(by_layout.bytes()), bytes_of(by_tagged.bytes()));
}

ingot::error why_not(const std::string& description) {
  const auto read = ingot::read_schema(view_of(description));
  EXPECT_FALSE(read);
  return read ? ingot::error{} : read.error();
}

TEST(json_described_tags, of_untrusted_descriptions_is_checked) {
  const std::string good = text_of(ingot::schema_bytes<tile>());
  ASSERT_TRUE(ingot::read_schema(view_of(good)));
  ASSERT_TRUE(ingot::read_schema(view_of(replaced(good, "\4tile", "\5type2"))));
  const auto taken = why_not(replaced(good, "\4tile", "\4side"));
  EXPECT_EQ(taken.code(), errc::duplicate_key);
  EXPECT_EQ(taken.offset(), good.find("\x14\x02\x04tile"));
  EXPECT_EQ(taken.expected(), "a tag_key that no member of an alternative has");
  EXPECT_EQ(why_not(replaced(good, "\4tile", "\10$version")).code(), errc::invalid_value);
  EXPECT_EQ(why_not(replaced(good, "\4tile",
                             "\4ti\x7f"
                             "e"))
                .code(),
            errc::invalid_value);
  EXPECT_EQ(why_not(replaced(good, "\4tile",
                             "\4ti\xff"
                             "e"))
                .code(),
            errc::invalid_utf8);
  EXPECT_EQ(why_not(replaced(good, "\4tile", std::string_view("\0", 1))).code(), errc::invalid_value);
  EXPECT_EQ(why_not(replaced(good, "\4tile", "\x7ftile")).code(), errc::bad_length);
  const auto unknown = why_not(replaced(good, "\x14\x02\x04tile", "\x14\x06\x04tile"));
  EXPECT_EQ(unknown.code(), errc::invalid_value);
  EXPECT_EQ(unknown.expected(), "a width and flags that the kind has");
  // An alternative that is no record.
  const std::string other = text_of(ingot::schema_bytes<plain_word>());
  ASSERT_TRUE(ingot::read_schema(view_of(other)));
  const auto number =
      why_not(replaced(other, std::string_view("\x14\0\x02", 3), std::string_view("\x14\x02\x01k\x02", 5)));
  EXPECT_EQ(number.code(), errc::type_mismatch);
  EXPECT_EQ(number.expected(), "records as alternatives, because of the tag_key");
  // The record that an alternative refers to from inside itself.
  const std::string recursive = text_of(ingot::schema_bytes<shape>());
  EXPECT_EQ(why_not(replaced(recursive, "\4type", "\6shapes")).code(), errc::duplicate_key);
}

/// Returns the error for a layout whose hash at the end is right.
ingot::error why_not_layout(std::string description) {
  description.resize(description.size() - 8);
  const std::uint64_t seal = ingot::detail::dyn::seal_of(view_of(description));
  for (int i = 0; i < 64; i += 8) description += static_cast<char>(seal >> i & 0xFF);
  const auto read = ingot::dynamic_layout::open(view_of(description));
  return read ? ingot::error{} : read.error();
}

TEST(json_described_tags, of_untrusted_layouts_is_checked) {
  const std::string good = text_of(ingot::layout_of<board>());
  EXPECT_EQ(why_not_layout(good).code(), errc{});
  EXPECT_EQ(why_not_layout(replaced(good, "\4type", "\5types")).code(), errc{});
  const auto taken = why_not_layout(replaced(good, "\4type", "\5width"));
  EXPECT_EQ(taken.code(), errc::duplicate_key);
  EXPECT_EQ(taken.expected(), "a tag_key that no member of an alternative has");
  EXPECT_EQ(why_not_layout(replaced(good, "\4type", "\10$version")).code(), errc::invalid_value);
  EXPECT_EQ(why_not_layout(replaced(good, "\4type", std::string_view("\0", 1))).code(), errc::invalid_value);
  EXPECT_EQ(why_not_layout(replaced(good, "\4type",
                                    "\4ty\xff"
                                    "e"))
                .code(),
            errc::invalid_utf8);
  const std::string other = text_of(ingot::layout_of<ingot::vector<ingot::variant<std::int32_t, spot>>>());
  EXPECT_EQ(why_not_layout(other).code(), errc{});
  const char head[] = {36, 0, 8, 4, 2};
  const char tagged[] = {36, 2, 8, 4, 1, 'k', 2};
  EXPECT_EQ(why_not_layout(replaced(other, {head, sizeof head}, {tagged, sizeof tagged})).code(),
            errc::type_mismatch);
}

TEST(json_described_tags, is_in_printed_schemas) {
  const auto text = ingot::to_json_schema(ingot::schema_of<shape>()).value();
  EXPECT_NE(text.find(R"("$root":{"oneOf":[{"$ref":"#/$defs/circle$1"},{"$ref":"#/$defs/square$2"},)"
                      R"({"$ref":"#/$defs/point$3"},{"$ref":"#/$defs/group$4"}]})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("circle$1":{"type":"object","properties":{"type":{"const":"circle"},"radius":)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("point$3":{"type":"object","properties":{"type":{"const":"point"}},)"
                      R"("required":["type"],"additionalProperties":false})"),
            std::string::npos)
      << text;
  const auto versions = ingot::to_json_schema(ingot::schema_of<solid>()).value();
  EXPECT_NE(versions.find(R"("properties":{"kind \"of\" solid":{"const":"ball"},"size":{"type":"integer",)"
                          R"("minimum":-2147483648,"maximum":2147483647},"$version":{"const":2}},)"
                          R"("required":["kind \"of\" solid","$version","size"])"),
            std::string::npos)
      << versions;
  const std::string code = ingot::to_cpp(ingot::schema_of<scene>());
  EXPECT_NE(code.find("// template <> inline constexpr std::string_view ingot::json::tag_key<std::variant<"
                      "/* ball */ ball, /* cone */ cone>> = \"kind \\\"of\\\" solid\";\n"),
            std::string::npos)
      << code;
  EXPECT_EQ(code.find("> = \"type\";"), code.rfind("> = \"type\";")) << code;
}

} // namespace described_tags_test
