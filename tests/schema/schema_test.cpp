// SPDX-License-Identifier: Apache-2.0
// The description as a value: its text, its equality, and its agreement with the compile-time
// fingerprint.
#include <ingot/schema/schema.hpp>

#include "zoo/zoo.hpp"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace described {

struct names {
  std::uint8_t plain_1;
  std::uint8_t with_quotes;
  std::uint8_t with_dot;
  std::uint8_t with_newline;
};
struct renamed_twin {
  std::uint8_t plain_1;
  std::uint8_t with_quotes;
};
template <int N>
struct fan {
  fan<N - 1> a, b, c, d;
};
template <>
struct fan<0> {
  std::uint8_t leaf;
};
struct failing {
  std::expected<void, std::uint8_t> outcome;
  std::expected<bool, std::uint8_t> answer;
};

} // namespace described

template <>
inline constexpr auto ingot::annotations<described::names> =
    ingot::annotate(ingot::member<"with_quotes">(ingot::rename("say \"a\\b\"")),
                    ingot::member<"with_dot">(ingot::rename("a.b")),
                    ingot::member<"with_newline">(ingot::rename("two\nlines")));

namespace schema_test {

using ingot::schema;
using ingot::schema_id;
using ingot::schema_of;

template <class T>
std::string text() {
  return schema_of<T>().to_text();
}

TEST(schema, has_the_id_that_the_compiler_computed) {
  zoo::for_each_type(
      []<class T>(std::string_view name) { EXPECT_EQ(schema_of<T>().id(), schema_id<T>) << name; });
}

TEST(schema, equality_text_and_id_agree_on_all_pairs_of_the_zoo) {
  struct entry {
    std::string_view name;
    schema description;
    std::string text;
  };
  std::vector<entry> all;
  zoo::for_each_type(
      [&]<class T>(std::string_view name) { all.push_back({name, schema_of<T>(), text<T>()}); });
  for (const entry& a : all) {
    for (const entry& b : all) {
      const bool same = a.description.id() == b.description.id();
      EXPECT_EQ(same, a.description == b.description) << a.name << " and " << b.name;
      EXPECT_EQ(same, a.text == b.text) << a.name << " and " << b.name;
    }
  }
}

TEST(schema, text_names_no_cpp_type) {
  zoo::for_each_type([]<class T>(std::string_view name) {
    const std::string t = text<T>();
    EXPECT_EQ(t.find("::"), std::string::npos) << name;
    EXPECT_EQ(t.back(), '\n') << name;
  });
}

TEST(schema, text_of_scalars_is_one_line) {
  EXPECT_EQ(text<bool>(), "bool\n");
  EXPECT_EQ(text<std::int8_t>(), "i8\n");
  EXPECT_EQ(text<std::uint64_t>(), "u64\n");
  EXPECT_EQ(text<double>(), "f64\n");
  EXPECT_EQ(text<char16_t>(), "char16\n");
  EXPECT_EQ(text<std::byte>(), "byte\n");
  EXPECT_EQ(text<std::u32string>(), "string32\n");
  EXPECT_EQ(text<std::bitset<77>>(), "bitset of 77\n");
  EXPECT_EQ(text<std::complex<float>>(), "complex of f32\n");
  EXPECT_EQ(text<zoo::mood>(), "enum i8 {furious = -2, sad = -1, calm = 1, happy = 5}\n");
  EXPECT_EQ(text<zoo::permission>(), "open enum u32 {none = 0, read = 1, write = 2, execute = 4}\n");
  EXPECT_EQ(text<zoo::rights>(), "flags enum u8 {none = 0, read = 1, write = 2, own = 131}\n");
  EXPECT_EQ(text<zoo::weather>(), "flags enum i16 {rain = 1, wind = 4, snow = 1024}\n");
  EXPECT_EQ(text<zoo::priority>(), "enum i16 {low = 0, HIGH = 10, \"drop everything\" = 100}\n");
}

TEST(schema, text_of_a_record_lists_its_members) {
  EXPECT_EQ(text<zoo::character>(), R"(record
  id: u64
  name: string
  level: u32
  healthpoint: f32
  manapoint: f32
  speed: f32
  pos: record
    x: f32
    y: f32
    z: f32
  items: map
    key: u64
    value: record
      id: u32
      number: u32
      uuid: u64
      timestamp: u64
  path: sequence of record
    x: f32
    y: f32
    z: f32
  attributes: sequence of f32
  equips: sequence of record
    id: u32
    number: u32
    uuid: u64
    timestamp: u64
    level: u32
    attributes: sequence of f32
  skills: sequence of record
    id: u32
    level: u32
)");
}

TEST(schema, text_describes_each_kind) {
  EXPECT_EQ(text<zoo::mixture>(), R"(record
  flag: bool
  feeling: enum i8 {furious = -2, sad = -1, calm = 1, happy = 5}
  wide: string16
  maybe: optional u16
  either: variant
    0: u8
    1: string
  outcome: expected
    value: record
      family: string
      given: string
    error: enum i8 {furious = -2, sad = -1, calm = 1, happy = 5}
  pointer: optional record
    x: f64
    y: f64
  table: map
    key: string
    value: sequence of record
      x: f64
      y: f64
  hashed: unordered map
    key: u32
    value: string
  cells: set of record
    column: i32
    row: i32
  bits: bitset of 12
  when: time_point by duration in 1/1000 s as i64
  took: duration in 1/1000000 s as i64
  impedance: complex of f32
  file: path
  pair: tuple
    0: string
    1: u8
  tuple: tuple
    0: u32
    1: sequence of bool
)");
  EXPECT_EQ(text<zoo::arrays>(), R"(record
  position: array of 3 f32
  matrix: array of 2 array of 3 i16
  tag: array of 4 char8
  names: array of 2 string
  colours: array of 2 enum u8 {red = 0, green = 1, blue = 2}
  none: array of 2 record
)");
  EXPECT_EQ(text<described::failing>(), R"(record
  outcome: expected
    error: u8
  answer: expected
    value: bool
    error: u8
)");
}

TEST(schema, text_tells_annotations_that_change_bytes) {
  EXPECT_EQ(text<zoo::customer>(), R"(record
  years: u16
  name: string
  visits: varint u64
  balance: varint i32
  purchases: varint sequence of i64
  fingerprint: fixed u32
  discount: short_float f32
  weight: short_float f64
  tastes: sequence of f32
  coupon: string
)");
  EXPECT_EQ(text<zoo::save_header>(), "record version 3\n  version: u16\n  title: string\n  length: u32\n");
  EXPECT_EQ(text<zoo::reading>(), "record evolvable\n  time: u64\n  value: f32\n");
  EXPECT_TRUE(text<zoo::preferences>().starts_with("record elide_defaults\n"));
}

TEST(schema, text_tells_where_recursion_leads) {
  EXPECT_EQ(text<zoo::binary_tree>(), R"(record
  value: i32
  left: optional the record at .
  right: optional the record at .
)");
  EXPECT_EQ(text<zoo::folder>(), R"(record
  entries: map
    key: string
    value: record
      content: variant
        0: u64
        1: string
        2: optional the record at .
  shortcut: optional the record at .entries[]
)");
  // Entered at another type, the same record has another path.
  EXPECT_NE(text<std::vector<zoo::outline>>().find("parts: sequence of the record at []"), std::string::npos);
}

TEST(schema, text_quotes_names_that_are_no_identifiers) {
  EXPECT_EQ(text<described::names>(), R"(record
  plain_1: u8
  "say \"a\\b\"": u8
  "a.b": u8
  "two\x0alines": u8
)");
}

TEST(schema, text_is_bounded) {
  const schema large = schema_of<described::fan<10>>(); // a million leaves
  EXPECT_LE(large.nodes().size(), 12U);
  EXPECT_LE(large.to_text().size(), schema::default_text_limit);
  const schema s = schema_of<zoo::character>();
  const std::string whole = s.to_text();
  EXPECT_EQ(s.to_text(whole.size()), whole);
  for (std::size_t limit = 4; limit < whole.size(); ++limit) {
    const std::string cut = s.to_text(limit);
    ASSERT_LE(cut.size(), limit);
    ASSERT_TRUE(cut.ends_with("...\n")) << limit;
    ASSERT_TRUE(whole.starts_with(cut.substr(0, cut.size() - 4))) << limit;
  }
}

TEST(schema, streams_its_text) {
  std::ostringstream out;
  out << schema_of<zoo::tick>() << "end";
  EXPECT_EQ(out.str(), text<zoo::tick>() + "end");
}

TEST(schema, nodes_can_be_walked) {
  const schema s = schema_of<zoo::customer>();
  const ingot::schema_node& root = s.root();
  EXPECT_EQ(root.attributes.kind, ingot::schema_kind::record);
  ASSERT_EQ(root.children.size(), 10U);
  EXPECT_EQ(root.children[4].name, "purchases");
  EXPECT_TRUE(root.children[4].has(ingot::schema_annotation::is_varint));
  const ingot::schema_node& purchases = s.node(root.children[4]);
  EXPECT_EQ(purchases.attributes.kind, ingot::schema_kind::sequence);
  EXPECT_EQ(purchases.id, schema_id<std::vector<std::int64_t>>);
  const ingot::schema_node& element = s.node(purchases.children.front());
  EXPECT_EQ(element.attributes.width, 8);
  EXPECT_TRUE(element.attributes.has(ingot::schema_flag::is_signed));
}

TEST(schema, a_recursion_knows_its_target) {
  const schema s = schema_of<zoo::binary_tree>();
  const ingot::schema_node& left = s.node(s.root().children[1]);
  const ingot::schema_node& recursion = s.node(left.children.front());
  ASSERT_EQ(recursion.attributes.kind, ingot::schema_kind::recursion);
  EXPECT_EQ(&s.nodes()[recursion.target], &s.root());
}

TEST(schema, of_nothing_is_empty) {
  EXPECT_TRUE(schema().empty());
  EXPECT_EQ(schema().id(), 0U);
  EXPECT_EQ(schema(), schema());
  EXPECT_NE(schema(), schema_of<bool>());
  EXPECT_EQ(schema().to_text(), "nothing\n");
}

} // namespace schema_test
