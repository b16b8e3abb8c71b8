// SPDX-License-Identifier: Apache-2.0
// Schemas printed for other tools: as C++ with the same schema, as JSON Schema, and in protobuf's
// language, which its compiler accepts.
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>

#include "dynamic/chest.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace printed_test {

enum class rank : std::int8_t { low = -1, high = 3 };
struct item {
  std::uint32_t id = 0;
  std::optional<std::string> name;
  rank of = rank::low;
};
struct hero {
  std::string first_name;
  float position[3]{};
  std::vector<item> items;
  std::map<std::string, std::vector<std::int64_t>> scores;
  std::variant<std::int32_t, std::string> choice;
  std::unique_ptr<hero> next;
};
/// Differs from `rank` in one number.
enum class other_rank : std::int8_t { low = -1, high = 4 };
struct ranks {
  rank first = rank::low;
  std::vector<rank> more;
  std::map<rank, rank> pairs;
  other_rank other = other_rank::low;
};
struct clash {
  printed_test::rank rank = printed_test::rank::low;
  std::uint8_t camelCase = 0;
};
/// A struct with values of any kind.
struct order {
  std::uint32_t id = 0;
  ingot::document extra;
  std::optional<ingot::document> maybe;
  std::map<std::string, ingot::document> named;
};
/// Enumerators and messages with names that would be equal in a .proto file.
enum class kind : std::int8_t { UNSPECIFIED = 0, LOW = 1 };
struct KIND_LOW {
  std::uint8_t a = 0;
};
struct KIND_UNSPECIFIED {
  std::uint8_t a = 0;
};
struct KindLow {
  std::uint8_t b = 0;
};
struct crowd {
  kind of = kind::LOW;
  KIND_LOW first;
  KIND_UNSPECIFIED second;
  KindLow third;
  rank and_another = rank::low;
};
namespace left {
struct item {
  std::uint8_t a = 0;
};
} // namespace left
namespace right {
struct item {
  std::uint16_t b = 0;
};
} // namespace right
struct namesakes {
  left::item first;
  right::item second;
  std::vector<left::item> more;
};
struct nameless {
  struct {
    std::uint8_t a = 0;
  } main_part;
};
struct odd {
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::vector<std::uint8_t> c;
};

} // namespace printed_test

template <>
inline constexpr auto ingot::annotations<printed_test::odd> =
    ingot::annotate(ingot::type(ingot::version(2), ingot::evolvable),
                    ingot::member<"a">(ingot::rename("class")),
                    ingot::member<"b">(ingot::rename("two words"), ingot::varint));

namespace printed_test {

TEST(printed_schema, as_cpp_has_what_the_type_has) {
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<hero>(), {.name = "hero"}), R"(struct hero;
enum class rank : std::int8_t {
  low = -1,
  high = 3,
};
struct item {
  std::uint32_t id;
  std::optional<std::string> name;
  rank of;
};
struct hero {
  std::string first_name;
  std::array<float, 3> position;
  std::vector<item> items;
  std::map<std::string, std::vector<std::int64_t>> scores;
  std::variant<std::int32_t, std::string> choice;
  std::unique_ptr<hero> next;
};
)");
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<odd>()), R"(struct odd { // version 2, evolvable
  std::uint8_t class_; // "class"
  std::uint8_t two_words; // "two words" // varint
  std::vector<std::uint8_t> c;
};
)");
  // After `rank rank;` the name would refer to the member.
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<clash>()), R"(enum class rank : std::int8_t {
  low = -1,
  high = 3,
};
struct clash {
  rank rank_; // "rank"
  std::uint8_t camelCase;
};
)");
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<std::map<std::uint8_t, bool>>(), {.name = "flags"}),
            "using flags = std::map<std::uint8_t, bool>;\n");
  EXPECT_EQ(ingot::to_cpp(ingot::schema()), "// nothing\n");
}

/// Each use of an enumeration is a node of a type's schema, but its definition is printed once.
TEST(printed_schema, of_a_type_and_of_its_description_are_the_same_text) {
  const ingot::schema& by_type = ingot::schema_of<ranks>();
  const auto by_bytes = ingot::read_schema(ingot::schema_bytes<ranks>()).value();
  EXPECT_EQ(ingot::to_cpp(by_type), ingot::to_cpp(by_bytes));
  EXPECT_EQ(ingot::to_json_schema(by_type).value(), ingot::to_json_schema(by_bytes).value());
  EXPECT_EQ(ingot::to_proto(by_type), ingot::to_proto(by_bytes));
  EXPECT_EQ(ingot::to_cpp(by_type), R"(enum class rank : std::int8_t {
  low = -1,
  high = 3,
};
enum class other_rank : std::int8_t {
  low = -1,
  high = 4,
};
struct ranks {
  rank first;
  std::vector<rank> more;
  std::map<rank, rank> pairs;
  other_rank other;
};
)");
}

// The output of `to_cpp` for `hero`, compiled: it has the schema from which it was printed.
namespace as_printed {
struct hero;
enum class rank : std::int8_t {
  low = -1,
  high = 3,
};
struct item {
  std::uint32_t id;
  std::optional<std::string> name;
  rank of;
};
struct hero {
  std::string first_name;
  std::array<float, 3> position;
  std::vector<item> items;
  std::map<std::string, std::vector<std::int64_t>> scores;
  std::variant<std::int32_t, std::string> choice;
  std::unique_ptr<hero> next;
};
} // namespace as_printed

TEST(printed_schema, as_cpp_has_the_same_schema) {
  EXPECT_EQ(ingot::schema_id<as_printed::hero>, ingot::schema_id<hero>);
}
TEST(printed_schema, longer_ones_are_cut_at_a_line) {
  const std::string whole = ingot::to_cpp(ingot::schema_of<hero>());
  const std::string cut = ingot::to_cpp(ingot::schema_of<hero>(), {.max_bytes = 100});
  EXPECT_LE(cut.size(), 100U);
  EXPECT_TRUE(cut.ends_with("\n// ...\n"));
  EXPECT_TRUE(whole.starts_with(cut.substr(0, cut.size() - 7)));
  EXPECT_EQ(
      ingot::to_json_schema(ingot::schema_of<hero>(), {.name = "hero", .max_bytes = 100}).error().code(),
      ingot::errc::too_large);
}
TEST(printed_schema, as_json_schema_says_what_json_has) {
  EXPECT_EQ(
      ingot::to_json_schema(ingot::schema_of<item>(), {.name = "item"}).value(),
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"item","$ref":"#/$defs/item","$defs":{)"
      R"("rank":{"enum":["low","high"]},"item":{"type":"object","properties":{"id":{"type":"integer","minimum":0,)"
      R"("maximum":4294967295},"name":{"anyOf":[{"type":"null"},{"type":"string"}]},"of":{"$ref":"#/$defs/rank"}},)"
      R"("required":["id","of"],"additionalProperties":false}}})");
  EXPECT_EQ(
      ingot::to_json_schema(ingot::schema_of<std::map<std::int8_t, bool>>()).value(),
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Root","$ref":"#/$defs/$root",)"
      R"("$defs":{"$root":{"type":"object","additionalProperties":{"type":"boolean"},)"
      R"("propertyNames":{"pattern":"^-?[0-9]+$"}}}})");
  // Keys of wider characters are keys of objects, too.
  EXPECT_NE(ingot::to_json_schema(ingot::schema_of<std::map<std::u16string, bool>>())
                .value()
                .find(R"("type":"object","additionalProperties":{"type":"boolean"})"),
            std::string::npos);
  EXPECT_NE(ingot::to_json_schema(ingot::schema_of<odd>()).value().find(R"("$version":{"const":2})"),
            std::string::npos);
}
TEST(printed_schema, as_proto_has_the_members_in_their_order) {
  EXPECT_EQ(ingot::to_proto(ingot::schema_of<hero>(), {.name = "hero"}), R"(syntax = "proto3";

enum Rank {
  RANK_UNSPECIFIED = 0;
  RANK_LOW = -1;
  RANK_HIGH = 3;
}

message Item {
  uint32 id = 1;
  optional string name = 2;
  Rank of = 3;
}

message Hero {
  string first_name = 1;
  repeated float position = 2; // exactly 3
  repeated Item items = 3;
  map<string, HeroScoresValue> scores = 4;
  HeroChoice choice = 5;
  optional Hero next = 6;
}

message HeroChoice {
  oneof alternative {
    int32 alternative0 = 1;
    string alternative1 = 2;
  }
}

message HeroScoresValue {
  repeated int64 value = 1;
}
)");
}
TEST(printed_schema, values_of_any_kind_are_what_each_language_has_for_them) {
  const ingot::schema of = ingot::schema_of<order>();
  EXPECT_EQ(ingot::to_cpp(of, {.name = "order"}), R"(struct order {
  std::uint32_t id;
  ingot::document extra;
  std::optional<ingot::document> maybe;
  std::map<std::string, ingot::document> named;
};
)");
  EXPECT_EQ(
      ingot::to_json_schema(of, {.name = "order"}).value(),
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"order","$ref":"#/$defs/order","$defs":)"
      R"({"order":{"type":"object","properties":{"id":{"type":"integer","minimum":0,"maximum":4294967295},)"
      R"("extra":true,"maybe":{"anyOf":[{"type":"null"},{"type":"array","items":true,"minItems":1,"maxItems":1}]},)"
      R"("named":{"type":"object","additionalProperties":true}},)"
      R"("required":["id","extra","named"],"additionalProperties":false}}})");
  EXPECT_EQ(ingot::to_proto(of, {.name = "order"}), R"(syntax = "proto3";

message Order {
  uint32 id = 1;
  bytes extra = 2; // a value of any kind: an archive of ingot's
  optional bytes maybe = 3; // a value of any kind: an archive of ingot's
  map<string, bytes> named = 4; // a value of any kind: an archive of ingot's
}
)");
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<ingot::live_value>()), "using Root = ingot::document;\n");
}
/// Returns the messages of the protobuf compiler for a file. Empty if it accepts the file.
std::string messages_of_protoc(std::string_view text) {
  const auto folder = std::filesystem::temp_directory_path() / "ingot_printed_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "printed.proto") << text;
  const std::string at = folder.string();
  const std::string command = "protoc --proto_path=" + at + " --descriptor_set_out=" + at + "/printed.pb " +
                              at + "/printed.proto > " + at + "/output 2>&1";
  const int status = std::system(command.c_str()); // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  std::ifstream output(folder / "output");
  std::string said((std::istreambuf_iterator<char>(output)), std::istreambuf_iterator<char>());
  return status == 0 ? "" : "status " + std::to_string(status) + ": " + said;
}
TEST(printed_schema, as_proto_is_taken_by_protobufs_compiler) {
  EXPECT_NE(messages_of_protoc("syntax = \"proto3\"; message A { nothing a = 1; }"), "");
  for (const auto& each :
       {ingot::schema_of<hero>(), ingot::schema_of<odd>(), ingot::schema_of<order>(),
        ingot::schema_of<dynamic_chest::chest>(),
        ingot::schema_of<std::vector<std::vector<std::map<float, std::optional<std::vector<bool>>>>>>(),
        ingot::schema_of<std::variant<std::int8_t, std::vector<std::string>>>(), ingot::schema_of<rank>()})
    EXPECT_EQ(messages_of_protoc(ingot::to_proto(each)), "") << ingot::to_proto(each);
}
/// Enumerators of a file and messages share one scope.
TEST(printed_schema, as_proto_has_no_name_twice) {
  EXPECT_EQ(messages_of_protoc(ingot::to_proto(ingot::schema_of<crowd>())), "")
      << ingot::to_proto(ingot::schema_of<crowd>());
}

// --- names of types ------------------------------------------------------------------------------

TEST(printed_schema, types_of_one_name_are_numbered) {
  const ingot::schema& of = ingot::schema_of<namesakes>();
  EXPECT_EQ(ingot::to_cpp(of), R"(struct item {
  std::uint8_t a;
};
struct item2 {
  std::uint16_t b;
};
struct namesakes {
  item first;
  item2 second;
  std::vector<item> more;
};
)");
  EXPECT_NE(ingot::to_proto(of).find("repeated Item more = 3;"), std::string::npos) << ingot::to_proto(of);
}
TEST(printed_schema, types_without_a_name_are_named_after_the_member) {
  EXPECT_EQ(ingot::to_cpp(ingot::schema_of<nameless>()), R"(struct MainPart {
  std::uint8_t a;
};
struct nameless {
  MainPart main_part;
};
)");
}
/// Returns a schema of a record with one member, whose type is an empty record of this name.
ingot::schema with_type_name(std::string_view name) {
  static std::string_view inner_name;
  inner_name = name;
  return ingot::detail::schema_marks::of_walk([](ingot::detail::schema_walk& walk) {
    ingot::detail::part_writer outer(walk, {ingot::schema_kind::record}, 1);
    outer.type_name([] { return std::string_view("outer"); });
    ingot::detail::part_writer inner(walk, {ingot::schema_kind::record}, 0);
    inner.type_name([] { return inner_name; });
    outer.member("member", 0, inner.finish());
    return outer.finish();
  });
}
TEST(printed_schema, any_name_of_a_type_becomes_an_identifier) {
  const auto declared = [](std::string_view name) {
    const std::string text = ingot::to_cpp(with_type_name(name));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(declared("plain"), "struct plain {");
  EXPECT_EQ(declared("class"), "struct class_ { // \"class\"");
  EXPECT_EQ(declared("std"), "struct std_ { // \"std\"");
  EXPECT_EQ(declared("two words"), "struct two_words { // \"two words\"");
  EXPECT_EQ(declared("1st"), "struct x1st { // \"1st\"");
  EXPECT_EQ(declared("*/ int x; //"), "struct x___int_x____ { // \"*/ int x; //\"");
  EXPECT_EQ(declared("member"), "struct member {"); // and the member of this name is renamed
  EXPECT_EQ(declared("outer"), "struct outer2 {");
  EXPECT_EQ(messages_of_protoc(ingot::to_proto(with_type_name("message"))), "");
  EXPECT_EQ(messages_of_protoc(ingot::to_proto(with_type_name("\xC3\xA9t\xC3\xA9"))), "");
}

} // namespace printed_test
