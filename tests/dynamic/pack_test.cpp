// SPDX-License-Identifier: Apache-2.0
// Documents written as messages of a schema: a document that came from a message gives its bytes
// again, and one that no message can represent is rejected with its path.
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "document/message_bytes.hpp"
#include "dynamic/byte_map.hpp"
#include "dynamic/chest.hpp"

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_pack_test {

struct taste { // omits members that equal their default
  std::uint8_t level = 50;
  std::string tongue = "en";
  friend auto operator<=>(const taste&, const taste&) = default;
};
struct spot {
  float x = 0;
  friend auto operator<=>(const spot&, const spot&) = default;
};
struct heading {
  std::string name;
  std::array<float, 3> ahead{};
  std::array<double, 4> turn{};
  std::vector<std::array<float, 3>> normals;
  std::optional<std::array<float, 4>> rough;
  std::array<float, 3> axes[2]{};
  std::map<std::string, std::array<double, 3>> named;
  std::array<float, 3> exact{};
  std::uint8_t last = 0;
};
struct unit_keys {
  std::map<std::array<float, 3>, std::array<float, 3>> by_place;
};

} // namespace dynamic_pack_test

template <>
inline constexpr auto ingot::annotations<dynamic_pack_test::taste> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<dynamic_pack_test::spot> =
    ingot::annotate(ingot::member<"x">(ingot::quantize(0.01)));
template <>
inline constexpr auto ingot::annotations<dynamic_pack_test::unit_keys> =
    ingot::annotate(ingot::member<"by_place">(ingot::unit_vector));
template <>
inline constexpr auto ingot::annotations<dynamic_pack_test::heading> = ingot::annotate(
    ingot::member<"ahead">(ingot::unit_vector(32)), ingot::member<"turn">(ingot::unit_vector),
    ingot::member<"normals">(ingot::unit_vector), ingot::member<"rough">(ingot::unit_vector(32)),
    ingot::member<"axes">(ingot::unit_vector(40)), ingot::member<"named">(ingot::unit_vector(16)));

namespace dynamic_pack_test {

using dynamic_chest::both;
using dynamic_chest::byte_vector;
using dynamic_chest::bytes_of;
using dynamic_chest::chest;
using ingot::document;
using ingot::dynamic_message;
using ingot::dynamic_schema;
using ingot::message_profile;
using ingot::pack_document;
byte_vector hex(std::string_view text) {
  byte_vector parsed;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3)
    parsed.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  return parsed;
}
template <class T>
dynamic_schema schema_for(message_profile profile = message_profile::pack) {
  return dynamic_schema::from(ingot::schema_of<T>(), profile).value();
}
/// Converts a message to a document and back.
std::string again(ingot::bytes_view bytes, const dynamic_schema& by) {
  const auto message = dynamic_message::open(bytes, by);
  if (!message) return message.error().message();
  const auto converted = ingot::to_document(message->root());
  if (!converted) return converted.error().message();
  const auto packed = pack_document(*converted, by);
  if (!packed) return packed.error().message();
  return *packed == bytes ? "the same" : "others";
}
/// Returns the document as a `T`.
template <class T>
ingot::result<T> converted_to(const document& from, const ingot::pack_document_options& options = {}) {
  const auto bytes = pack_document(from, schema_for<T>(), options);
  if (!bytes) return ingot::fail(bytes.error());
  // The compact profile gives the same value.
  const auto small = pack_document(from, schema_for<T>(message_profile::compact), options);
  EXPECT_TRUE(small) << small.error().message();
  EXPECT_TRUE(dynamic_message::open(small.value(), schema_for<T>(message_profile::compact)));
  return ingot::unpack<T>(*bytes);
}
template <class T>
std::string rejected(const document& from, const ingot::pack_document_options& options = {}) {
  std::string report;
  for (const message_profile profile : both) {
    const auto bytes = pack_document(from, schema_for<T>(profile), options);
    const std::string here =
        bytes ? "accepted"
              : std::string(to_string(bytes.error().code())) + " at " + std::string(bytes.error().path());
    EXPECT_TRUE(report.empty() || report == here) << report << ", " << here;
    report = here;
  }
  return report;
}
document object_of(std::initializer_list<std::pair<std::string_view, int>> members) {
  document object;
  for (const auto& [key, number] : members) object[key] = number;
  return object;
}

TEST(dynamic_pack, keys_are_not_rounded_to_one) {
  const std::map<spot, spot> near{{{0.101F}, {0.101F}}, {{0.104F}, {0.104F}}};
  const auto bytes = ingot::pack(near).value();
  const auto by = schema_for<std::map<spot, spot>>();
  EXPECT_EQ(again(bytes, by), "the same");
  const document doc = ingot::to_document(dynamic_message::open(bytes, by)->root()).value();
  const auto packed = pack_document(doc, schema_for<std::map<spot, spot>>(message_profile::compact));
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), ingot::errc::invalid_value);
  EXPECT_EQ(packed.error().path(), "[0].key.x");
}

TEST(dynamic_pack, a_message_comes_back_from_its_document) {
  for (const message_profile profile : both) {
    EXPECT_EQ(again(bytes_of(dynamic_chest::filled(), profile), schema_for<chest>(profile)), "the same");
    const double nan = std::bit_cast<double>(std::uint64_t{0x7FF4'0000'2000'0001});
    const float small_nan = std::bit_cast<float>(0xFFA0'0001U);
    const std::vector<std::variant<double, float, std::u32string>> all{nan,   small_nan, -0.0,
                                                                       1e300, 3.0F,      U"\U0001F5DD"};
    EXPECT_EQ(again(bytes_of(all, profile), schema_for<decltype(all)>(profile)), "the same");
    using words = std::unordered_map<std::string, std::optional<std::vector<bool>>>;
    EXPECT_EQ(again(bytes_of(words{{"b", {}}, {"aa", {{true, false}}}, {"", {{}}}}, profile),
                    schema_for<words>(profile)),
              "the same");
  }
}

// No type has them as keys, but a schema may: they are sorted by their payloads, and such a record
// has another form there than in a list.
TEST(dynamic_pack, records_that_say_their_size_are_sorted_as_keys) {
  const byte_vector described =
      hex("69 6e 67 53 03 00 00 00 65 c1 99 6a 6d 55 f5 be 01 17 08 00 01 01 61 00 02 01 00 0f 00 00 00");
  const auto opened = [&](message_profile profile) {
    return dynamic_schema::open(described, profile).value();
  };
  EXPECT_EQ(again(hex("02 01 01 01 02"), opened(message_profile::compact)), "the same");
  const document two =
      ingot::to_document(
          dynamic_message::open(hex("02 01 01 01 02"), opened(message_profile::compact)).value().root())
          .value();
  const ingot::buffer packed = pack_document(two, opened(message_profile::pack)).value();
  EXPECT_EQ(again(packed, opened(message_profile::pack)), "the same");
}

TEST(dynamic_pack, keys_that_left_out_defaults_stay_in_their_order) {
  using tastes = std::unordered_multimap<std::uint8_t, std::map<taste, taste>>;
  const tastes all{
      {1, {{{10, "a"}, {}}, {{50, "en"}, {40, "en"}}, {{60, "x"}, {}}}}, {1, {{{}, {}}}}, {2, {}}};
  for (const message_profile profile : both)
    EXPECT_EQ(again(bytes_of(all, profile), schema_for<tastes>(profile)), "the same");
}

struct level {
  std::uint8_t number = 0;
  std::int16_t height = 0;
};
struct hero {
  std::string name = "?";
  std::uint32_t age = 7;
  std::optional<std::string> title;
  std::vector<level> levels;
  dynamic_chest::metal of = dynamic_chest::metal::gold;
  std::variant<std::uint8_t, std::string> choice;
};

TEST(dynamic_pack, what_is_missing_is_zero_or_an_error) {
  const auto plain = converted_to<hero>(object_of({{"age", 3}}));
  ASSERT_TRUE(plain) << plain.error().message();
  EXPECT_EQ(plain->name, "");
  EXPECT_EQ(plain->age, 3U);
  EXPECT_FALSE(plain->title);
  EXPECT_EQ(plain->of, dynamic_chest::metal::copper);
  EXPECT_EQ(plain->choice.index(), 0U);
  ingot::pack_document_options strict;
  strict.missing_is_error = true;
  EXPECT_EQ(rejected<hero>(object_of({{"age", 3}}), strict), "missing member at name");
  EXPECT_EQ(rejected<std::optional<level>>(object_of({{"number", 3}}), strict), "missing member at height");
}
TEST(dynamic_pack, what_the_record_lacks_is_an_error_or_passed_over) {
  ingot::pack_document_options loose;
  loose.unknown_is_ignored = true;
  EXPECT_EQ(rejected<level>(object_of({{"number", 1}, {"width", 2}})), "unknown member at ");
  EXPECT_EQ(rejected<level>(object_of({{"number", 1}, {"width", 2}}), loose), "accepted");
}
TEST(dynamic_pack, numbers_that_a_type_does_not_hold_are_rejected_by_their_path) {
  document from;
  from["levels"] = std::vector<std::map<std::string, int>>{{{"number", 255}}, {{"height", -32'768}}};
  EXPECT_EQ(rejected<hero>(from), "accepted");
  from["levels"][1]["height"] = -32'769;
  EXPECT_EQ(rejected<hero>(from), "out of range at levels[1].height");
  from["levels"][1]["height"] = 2.0;
  EXPECT_EQ(rejected<hero>(from), "accepted");
  from["levels"][1]["height"] = 2.5;
  EXPECT_EQ(rejected<hero>(from), "wrong type at levels[1].height");
  from["levels"][1]["height"] = "2";
  EXPECT_EQ(rejected<hero>(from), "wrong type at levels[1].height");
  from["levels"] = 5;
  EXPECT_EQ(rejected<hero>(from), "wrong type at levels");
  EXPECT_EQ(rejected<std::vector<std::uint64_t>>(document(std::vector<double>{18446744073709551615.0})),
            "out of range at [0]");
  EXPECT_EQ(rejected<std::vector<float>>(document(std::vector<double>{1e39})), "out of range at [0]");
  EXPECT_EQ(
      rejected<std::vector<float>>(document(std::vector<double>{std::numeric_limits<double>::infinity()})),
      "accepted");
}
TEST(dynamic_pack, names_are_those_of_the_schema) {
  document from;
  from["of"] = "lead";
  EXPECT_EQ(converted_to<hero>(from)->of, dynamic_chest::metal::lead);
  from["of"] = 70;
  EXPECT_EQ(converted_to<hero>(from)->of, dynamic_chest::metal::gold);
  from["of"] = "silver";
  EXPECT_EQ(rejected<hero>(from), "unknown enumerator at of");
  from["of"] = 1;
  EXPECT_EQ(rejected<hero>(from), "bad enumerator at of");
  from["of"] = "lead";
  from["choice"] = std::map<std::string, std::string>{{"1", "text"}};
  EXPECT_EQ(std::get<1>(converted_to<hero>(from)->choice), "text");
  from["choice"]["2"] = "more";
  EXPECT_EQ(rejected<hero>(from), "wrong type at choice");
  from["choice"] = object_of({{"2", 1}});
  EXPECT_EQ(rejected<hero>(from), "bad tag at choice");
}
ingot::buffer packed_by(const document& from, const dynamic_schema& by) {
  const auto encoded = pack_document(from, by);
  EXPECT_TRUE(encoded);
  return encoded.value_or(ingot::buffer());
}
std::vector<std::vector<double>> pairs_of(double number) { return {{2, 1}, {1, number}}; }
TEST(dynamic_pack, keys_are_sorted_and_may_be_written_as_members) {
  using by_number = std::map<std::int32_t, std::string>;
  document from;
  from["-2"] = "b";
  from["10"] = "c";
  from["-300"] = "a";
  EXPECT_EQ(converted_to<by_number>(from).value(), (by_number{{-300, "a"}, {-2, "b"}, {10, "c"}}));
  from["x"] = "d";
  EXPECT_EQ(rejected<by_number>(from).substr(0, 10), "wrong type");
  using by_metal = std::map<dynamic_chest::metal, std::uint8_t>;
  EXPECT_EQ(converted_to<by_metal>(object_of({{"gold", 1}, {"-2", 2}})).value(),
            (by_metal{{dynamic_chest::metal::gold, 1}, {dynamic_chest::metal::lead, 2}}));
  EXPECT_EQ(rejected<by_metal>(object_of({{"lead", 1}, {"-2", 2}})), "duplicate key at ");
  using by_real = std::map<double, std::uint8_t>;
  std::vector<std::vector<double>> pairs{{2, 1}, {-0.0, 2}};
  EXPECT_EQ(converted_to<by_real>(document(pairs)).value(), (by_real{{0.0, 2}, {2, 1}}));
  pairs.push_back({std::numeric_limits<double>::quiet_NaN(), 2});
  EXPECT_EQ(rejected<by_real>(document(pairs)), "not canonical at [2].key");
  using curves = std::set<std::vector<double>>;
  using points = std::set<std::array<float, 2>>;
  EXPECT_EQ(packed_by(document(pairs_of(-0.0)), schema_for<curves>()),
            packed_by(document(pairs_of(0.0)), schema_for<curves>()));
  EXPECT_EQ(packed_by(document(pairs_of(-0.0)), schema_for<curves>(message_profile::compact)),
            packed_by(document(pairs_of(0.0)), schema_for<curves>(message_profile::compact)));
  EXPECT_TRUE(converted_to<curves>(document(pairs_of(-0.0))));
  EXPECT_TRUE(converted_to<points>(document(pairs_of(-0.0))));
  const auto wrong = pairs_of(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(rejected<curves>(document(wrong)), rejected<points>(document(wrong)));
  EXPECT_EQ(rejected<curves>(document(wrong)).substr(0, 13), "not canonical");
}
struct counted_item {
  std::uint32_t count = 0;
};
TEST(dynamic_pack, errors_name_entries_as_the_document_does) {
  using by_number = std::map<std::int64_t, counted_item>;
  using by_hash = std::unordered_map<std::int64_t, counted_item>;
  using by_text = std::unordered_map<std::string, counted_item>;
  document from;
  for (int key = 3; key < 18; ++key) from[std::to_string(key)]["count"] = key;
  from["14"]["count"] = "x";
  EXPECT_EQ(rejected<by_number>(from), "wrong type at [14].count");
  EXPECT_EQ(rejected<by_hash>(from), "wrong type at [14].count");
  EXPECT_EQ(rejected<by_text>(from), "wrong type at [14].count");
  from["14"]["count"] = 14;
  from["-x"]["count"] = 1;
  EXPECT_EQ(rejected<by_number>(from), "wrong type at [-x].key");
  EXPECT_EQ(rejected<by_hash>(from), "wrong type at [-x].key");
  using pairs = std::vector<std::pair<std::int64_t, std::map<std::string, std::string>>>;
  const document negative(pairs{{7, {}}, {-14, {{"count", "x"}}}, {-20, {}}});
  EXPECT_EQ(rejected<by_number>(negative), "wrong type at [-14].count");
  EXPECT_EQ(rejected<by_hash>(negative), "wrong type at [-14].count");
  using large_pairs = std::vector<std::pair<std::uint64_t, std::vector<int>>>;
  const document large(large_pairs{{~std::uint64_t{0}, {}}});
  EXPECT_EQ((rejected<std::map<std::uint64_t, counted_item>>(large)), "wrong type at [18446744073709551615]");
  // Equal keys of a hash table are sorted by their values.
  const document repeated(pairs{{7, {}}, {14, {}}, {14, {{"count", "x"}}}});
  EXPECT_EQ((rejected<std::unordered_multimap<std::int64_t, counted_item>>(repeated)),
            "wrong type at [14].count");
  // Keys that are neither text nor an integer: the index of the pair in the document.
  using real_pairs = std::vector<std::pair<double, std::map<std::string, std::string>>>;
  const document real(real_pairs{{2.5, {}}, {1.5, {{"count", "x"}}}, {0.5, {}}});
  EXPECT_EQ((rejected<std::map<double, counted_item>>(real)), "wrong type at [1].value.count");
  EXPECT_EQ((rejected<std::unordered_map<double, counted_item>>(real)), "wrong type at [1].value.count");
  using points = std::vector<std::vector<double>>;
  const document few(points{{5, 1}, {4}, {3, 1}});
  EXPECT_TRUE((rejected<std::set<std::array<double, 2>>>(few)).ends_with(" at [1]"));
}
TEST(dynamic_pack, accepts_bytes_and_characters) {
  struct strings {
    char four[4]{};
    std::vector<std::byte> raw;
    char one = 0;
    char32_t rune = 0;
    std::u16string wide;
  };
  document from;
  from["four"] = "ab";
  from["raw"] = byte_vector{std::byte{1}, std::byte{200}};
  from["one"] = "z";
  from["rune"] = "\u20AC";
  from["wide"] = "\U0001F5DD";
  const auto read = converted_to<strings>(from);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(std::string(read->four, 4), std::string("ab\0\0", 4));
  EXPECT_EQ(read->raw.size(), 2U);
  EXPECT_EQ(read->one, 'z');
  EXPECT_EQ(read->rune, U'\u20AC');
  EXPECT_EQ(read->wide, u"\U0001F5DD");
  from["four"] = "abcde";
  EXPECT_EQ(rejected<strings>(from), "too long at four");
  from["four"] = "";
  from["wide"] = "\xFF";
  EXPECT_EQ(rejected<strings>(from), "invalid UTF-8 at wide");
}
// The bytes of a direction belong to all its numbers. Each number can be read, and writing takes
// all from the document.
TEST(dynamic_pack, directions_and_rotations_are_wholes) {
  heading all{"north",
              {0.6F, 0, -0.8F},
              {0.5, -0.5, 0.5, 0.5},
              {{0, 0, 1}, {}, {0, -1, 0}},
              {{0, 0, 0, 1}},
              {},
              {{"a", {1, 0, 0}}, {"b", {0, 1, 0}}},
              {1, 2, 3},
              7};
  all.axes[1] = {0, 1, 0};
  const std::vector<heading> list{all, {}, all};
  for (const message_profile profile : both) {
    const auto bytes = bytes_of(list, profile);
    const auto by = schema_for<std::vector<heading>>(profile);
    EXPECT_EQ(again(bytes, by), "the same");
    const auto message = dynamic_message::open(bytes, by).value();
    EXPECT_EQ(byte_map_test::cover(message).verdict(), "");
    const auto last = message.root()[2];
    EXPECT_EQ(last["ahead"][0].as<float>(), 0.6F);
    EXPECT_EQ(last["ahead"][2].as<float>(), -0.8F);
    EXPECT_EQ(last["turn"][1].as<double>(), -0.5);
    EXPECT_EQ(last["normals"].size(), 3U);
    EXPECT_EQ(last["normals"][2][1].as<float>(), -1.0F);
    EXPECT_EQ(last["axes"][1][1].as<float>(), 1.0F);
    EXPECT_EQ(last["named"]["b"][1].as<double>(), 1.0);
    EXPECT_EQ(last["exact"][2].as<float>(), 3.0F);
    EXPECT_EQ(last["last"].as<int>(), 7);
    for (std::size_t n = 0; n < bytes.size(); ++n)
      EXPECT_FALSE(dynamic_message::open(ingot::bytes_view(bytes).first(n), by)) << n;
  }
  const auto by = schema_for<heading>(message_profile::compact);
  const auto packed_text = [&](const std::vector<double>& ahead) {
    document from;
    from["ahead"] = ahead;
    const auto packed = pack_document(from, by);
    return packed ? std::string("accepted") : packed.error().message();
  };
  EXPECT_EQ(packed_text({0, 0, 1}), "accepted");
  EXPECT_EQ(packed_text({0, 0, 0}), "accepted");
  EXPECT_TRUE(packed_text({0, 0, 2}).starts_with("out of range at byte 0 (ahead): expected a unit vector"));
  document
      // two keys might become the same direction: the compiler rejects such types, and
      // `pack_document` such schemas
      keyed;
  keyed["by_place"] = std::vector<std::vector<std::vector<int>>>{{{0, 0, 1}, {1, 0, 0}}};
  EXPECT_TRUE(pack_document(keyed, schema_for<unit_keys>(message_profile::pack)));
  EXPECT_EQ(pack_document(keyed, schema_for<unit_keys>(message_profile::compact)).error().code(),
            ingot::errc::invalid_value);
}

// A schema of a few bytes can demand any number of zeros.
TEST(dynamic_pack, messages_are_no_longer_than_their_limit) {
  struct zeros {
    std::array<std::uint8_t, 1000> all{};
    std::uint8_t last = 0;
  };
  ingot::pack_document_options limited;
  limited.max_bytes = 1001;
  EXPECT_EQ(rejected<zeros>(document(), limited).substr(0, 10), "wrong type");
  EXPECT_EQ(rejected<zeros>(object_of({{"last", 1}}), limited), "accepted");
  limited.max_bytes = 1000;
  for (const message_profile profile : both) {
    const auto encoded = pack_document(object_of({{"last", 1}}), schema_for<zeros>(profile), limited);
    EXPECT_EQ(encoded.error().code(), ingot::errc::too_large);
    const auto of_text = pack_document(document("a"), schema_for<std::array<char, 1001>>(profile), limited);
    EXPECT_EQ(of_text.error().code(), ingot::errc::too_large);
    const auto of_bits =
        pack_document(document(std::map<std::string, int>{{"x", 1}}),
                      schema_for<std::map<std::string, std::bitset<9000>>>(profile), limited);
    EXPECT_EQ(of_bits.error().code(), ingot::errc::too_large);
  }
}
TEST(dynamic_pack, nothing_is_nested_deeper_than_messages_are) {
  const auto nested = [](int depth) {
    ingot::document_writer from;
    for (int i = 0; i < depth; ++i) from.begin_object(), from.key("inner"), from.begin_array();
    for (int i = 0; i < depth; ++i) from.end(), from.end();
    return from.finish().value();
  };
  EXPECT_EQ(rejected<dynamic_chest::box>(nested(100)), "accepted");
  EXPECT_EQ(rejected<dynamic_chest::box>(nested(140)).substr(0, 8), "too deep");
}

} // namespace dynamic_pack_test
