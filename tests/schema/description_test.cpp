// SPDX-License-Identifier: Apache-2.0
// Descriptions as bytes: one encoding, equal for equal schemas, and no other bytes are accepted.
#include <ingot/schema/description.hpp>

#include "golden_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace description_test {

using ingot::errc;
using ingot::read_schema;
using ingot::schema_bytes;
using ingot::schema_id;
using ingot::schema_of;
using byte_vector = std::vector<std::byte>;

enum class colour : std::int8_t { dark = -1, red, green };
struct example {
  std::uint16_t id;
  std::vector<example> parts;
  colour front;
  colour back;
  std::optional<std::string> note;
};
struct twin { // equal to `example`, with other type names
  std::uint16_t id;
  std::vector<twin> parts;
  colour front;
  colour back;
  std::unique_ptr<std::string> note;
};

namespace namesake {
struct example { // equal to the other `example`, in another namespace
  std::uint16_t id;
  std::vector<example> parts;
  colour front;
  colour back;
  std::optional<std::string> note;
};
} // namespace namesake
template <class T>
struct boxed {
  T value;
};
namespace namespace_of_its_own {
struct item {
  std::int8_t a;
};
} // namespace namespace_of_its_own

struct left_half;
struct right_half {
  std::unique_ptr<left_half> left;
};
struct left_half {
  right_half a;
  right_half b;
  std::vector<left_half> more;
};
struct halves {
  right_half r;
  left_half l;
};

struct one {
  std::uint8_t value;
};
struct other { // equal to `one`, with another name
  std::uint8_t value;
};
struct two_parts {
  one a;
  other b;
  one c;
};
struct nothing {};
struct counts {
  std::int32_t n;
  std::map<std::int32_t, std::int64_t> all;
  double at;
};
struct plain_counts { // the same members, without annotations for protobuf
  std::int32_t n;
  std::map<std::int32_t, std::int64_t> all;
  double at;
};
struct pairs {
  plain_counts plain;
  counts other;
};

} // namespace description_test

template <>
inline constexpr auto ingot::annotations<description_test::counts> = ingot::annotate(
    ingot::member<"n">(ingot::field_number(536'870'911), ingot::proto_sint),
    ingot::member<"all">(ingot::field_number(1), ingot::proto_fixed, ingot::proto_key(ingot::proto_sint)),
    ingot::member<"at">(ingot::quantize(0.5), ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<description_test::plain_counts> =
    ingot::annotate(ingot::member<"at">(ingot::quantize(0.5)));

namespace description_test {

template <class T>
byte_vector described() {
  const auto bytes = schema_bytes<T>();
  return {bytes.begin(), bytes.end()};
}
std::string text_of(const ingot::result<ingot::schema>& read) {
  return read ? read->to_text() : read.error().message();
}

TEST(description, of_equal_schemas_with_equal_names_is_equal_bytes) {
  EXPECT_EQ(described<example>(), described<namesake::example>());
  EXPECT_NE(described<example>(), described<twin>());
  EXPECT_NE(described<example>(), described<halves>());
}

/// Returns the names of the types that a description has: of the root, then of its parts.
std::vector<std::string> type_names(const ingot::schema& of, std::uint32_t node) {
  std::vector<std::string> names{of.nodes()[node].name};
  for (const auto& child : of.nodes()[node].children) {
    if (of.node(child).attributes.kind == ingot::schema_kind::recursion) continue;
    for (auto& name : type_names(of, child.node)) {
      if (!name.empty()) names.push_back(std::move(name));
    }
  }
  return names;
}
TEST(description, has_the_names_of_the_types) {
  const auto read = read_schema(schema_bytes<example>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(type_names(*read, read->root_index()), (std::vector<std::string>{"example", "colour", "colour"}));
  EXPECT_EQ(schema_bytes(*read), described<example>()); // they are written again
}
TEST(description, has_names_of_types_without_namespaces_and_template_arguments) {
  struct local_type {
    boxed<boxed<std::int8_t>> nested;
    namespace_of_its_own::item item;
  };
  const auto read = read_schema(schema_bytes<local_type>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(type_names(*read, read->root_index()),
            (std::vector<std::string>{"local_type", "boxed", "boxed", "item"}));
}
template <class T>
auto local_of_a_template(T value) {
  struct inside {
    T value;
  };
  return inside{value};
}
TEST(description, has_the_name_of_a_local_class_of_a_template_function) {
  using inside = decltype(local_of_a_template(boxed<int>{}));
  const auto read = read_schema(schema_bytes<inside>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(type_names(*read, read->root_index()), (std::vector<std::string>{"inside", "boxed"}));
}
TEST(description, has_an_empty_name_for_a_class_without_a_name) {
  const struct {
    std::int8_t a;
  } value{};
  const auto read = read_schema(schema_bytes<std::remove_const_t<decltype(value)>>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->root().name, "");
}
TEST(description, names_of_types_do_not_change_the_schema_id) {
  EXPECT_EQ(schema_id<example>, schema_id<twin>);
  const auto read = read_schema(schema_bytes<twin>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->id(), schema_id<example>);
  EXPECT_TRUE(*read == schema_of<example>());
  EXPECT_EQ(read->to_text(), schema_of<example>().to_text());
  EXPECT_NE(read->to_text_with_names(), schema_of<example>().to_text_with_names());
}

TEST(description, of_groups_of_records_leads_back_to_the_record_meant) {
  const auto read = read_schema(schema_bytes<halves>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->id(), schema_id<halves>);
  for (const auto& node : read->nodes()) {
    if (node.attributes.kind != ingot::schema_kind::recursion) continue;
    EXPECT_EQ(read->nodes()[node.target].attributes.kind, ingot::schema_kind::record);
  }
}

TEST(description, says_what_occurs_often_once) {
  const std::string bytes(reinterpret_cast<const char*>(described<two_parts>().data()),
                          described<two_parts>().size());
  EXPECT_EQ(bytes.find("one"), bytes.rfind("one"));     // one part for both members
  EXPECT_EQ(bytes.find("other"), bytes.rfind("other")); // another part, because it has another name
}

TEST(description, has_the_bytes_that_the_page_shows) {
  const byte_vector now = described<example>();
  EXPECT_EQ(
      now,
      ingot_test::golden(
          "schema_example",
          "struct example { u16 id; vector<example> parts; colour front, back; optional<string> note; }, "
          "enum class colour : int8_t { dark = -1, red, green }, described",
          ingot::bytes_view(now)));
}

// --- refused descriptions ------------------------------------------------------------------------

/// Returns the head, then `rest`. The fingerprint belongs to no schema: other errors are reported
/// before it is compared.
byte_vector with_head(std::initializer_list<int> rest) {
  byte_vector bytes(16);
  std::memcpy(bytes.data(), "ingS\3", 5);
  for (const int each : rest) bytes.push_back(static_cast<std::byte>(each));
  return bytes;
}
void expect_rejected(const byte_vector& bytes, errc code, std::size_t offset, std::string_view why) {
  const auto read = read_schema(bytes);
  ASSERT_FALSE(read.has_value()) << why;
  EXPECT_EQ(read.error().code(), code) << why << ": " << read.error().message();
  EXPECT_EQ(read.error().offset(), offset) << why << ": " << read.error().message();
}

TEST(description, that_is_cut_is_rejected_at_every_byte) {
  const byte_vector whole = described<example>();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_schema(std::span(whole).first(size)).has_value()) << size;
  byte_vector longer = whole;
  longer.push_back(std::byte{0});
  expect_rejected(longer, errc::trailing_bytes, whole.size(), "a byte after");
}

TEST(description, that_begins_otherwise_is_rejected) {
  byte_vector bytes = described<example>();
  bytes[0] = std::byte{'x'};
  expect_rejected(bytes, errc::not_ingot, 0, "magic");
  bytes = described<example>();
  bytes[4] = std::byte{2};
  expect_rejected(bytes, errc::wrong_version, 4, "version");
  bytes = described<example>();
  bytes[6] = std::byte{1};
  expect_rejected(bytes, errc::bad_padding, 6, "zeros");
  bytes = described<example>();
  bytes[8] ^= std::byte{1};
  expect_rejected(bytes, errc::schema_mismatch, 8, "fingerprint");
}

TEST(description, with_parts_that_no_type_has_is_rejected) {
  expect_rejected(with_head({0, 26}), errc::bad_enum, 17, "a kind that there isn't");
  expect_rejected(with_head({0, 2, 3, 0}), errc::invalid_value, 17, "an integer of three bytes");
  expect_rejected(with_head({0, 2, 4, 2}), errc::invalid_value, 17, "an open integer");
  expect_rejected(with_head({0, 3, 2}), errc::invalid_value, 17, "a float of two bytes");
  expect_rejected(with_head({0, 4, 8}), errc::invalid_value, 17, "a character of eight bytes");
  expect_rejected(with_head({0, 15, 1, 1}), errc::invalid_value, 17, "a set with a sign");
  expect_rejected(with_head({1, 23, 2, 0, 0, 0, 0}), errc::invalid_value, 17, "an open record");
  expect_rejected(with_head({1, 23, 40, 0, 0, 0, 0}), errc::invalid_value, 17, "evolvable and eliding");
  expect_rejected(with_head({0, 7, 2, 4, 2, 4, 1}), errc::not_canonical, 17, "half a second as 2/4");
  expect_rejected(with_head({0, 7, 0, 1, 2, 4, 1}), errc::not_canonical, 17, "a period of nothing");
  expect_rejected(with_head({0, 7, 1, 1, 1}), errc::type_mismatch, 17, "a duration that counts in bools");
  expect_rejected(with_head({0, 8, 1}), errc::type_mismatch, 17, "a time point by a bool");
  expect_rejected(with_head({0, 9, 2, 4, 1}), errc::type_mismatch, 17, "a complex of integers");
  expect_rejected(with_head({0, 20, 0, 0}), errc::out_of_range, 17, "a variant of nothing");
  expect_rejected(with_head({0, 20, 4, 1, 0, 1}), errc::invalid_value, 17, "a variant with another flag");
  expect_rejected(with_head({0, 20, 2, 0, 1, 0, 1}), errc::invalid_value, 19, "an empty tag_key");
  expect_rejected(with_head({0, 21, 3, 1, 1, 1}), errc::out_of_range, 17, "an outcome of three");
  expect_rejected(with_head({0, 22, 0x80, 0}), errc::not_canonical, 18, "a number in too many bytes");
  expect_rejected(with_head({0, 22, 9, 1}), errc::bad_length, 18, "more parts than bytes");
  expect_rejected(with_head({0, 24, 0}), errc::out_of_range, 17, "a recursion to nothing");
  expect_rejected(with_head({0, 0, 0}), errc::out_of_range, 17, "a shared part that isn't there");
  expect_rejected(with_head({1, 23, 16, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0, 0}), errc::out_of_range, 17,
                  "a version of 33 bits");
}

TEST(description, with_names_that_cant_be_shown_is_rejected) {
  const auto named = [](std::initializer_list<int> name) {
    byte_vector bytes = with_head({1, 23, 0, 0, 1, static_cast<int>(name.size())});
    for (const int each : name) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {0, 1, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  expect_rejected(named({'a', '\n'}), errc::invalid_value, 21, "a line's end");
  expect_rejected(named({'a', 0x7F}), errc::invalid_value, 21, "delete");
  expect_rejected(named({0xC2, 0x9B}), errc::invalid_value, 21, "a control character of two bytes");
  expect_rejected(named({'a', 0xFF}), errc::invalid_utf8, 21, "no UTF-8");
  expect_rejected(named({}), errc::invalid_value, 21, "no name");
  expect_rejected(named({'a'}), errc::schema_mismatch, 8, "nothing but the fingerprint");
}

TEST(description, with_type_names_that_cant_be_shown_is_rejected) {
  const auto record = [](std::initializer_list<int> name) {
    byte_vector bytes = with_head({1, 23, 0, static_cast<int>(name.size())});
    for (const int each : name) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {0, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  const auto enumeration = [](std::initializer_list<int> name) {
    byte_vector bytes = with_head({1, 6, 1, 0, static_cast<int>(name.size())});
    for (const int each : name) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {0, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  expect_rejected(record({'a', '\n'}), errc::invalid_value, 19, "a line's end");
  expect_rejected(record({0xC2, 0x9B}), errc::invalid_value, 19, "a control character of two bytes");
  expect_rejected(record({'a', 0xFF}), errc::invalid_utf8, 19, "no UTF-8");
  expect_rejected(with_head({1, 23, 0, 100, 'a', 0, 0, 0}), errc::bad_length, 19, "longer than the bytes");
  expect_rejected(enumeration({'a', 0x7F}), errc::invalid_value, 20, "delete");
  expect_rejected(record({'i', 'n', 't'}), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(record({}), errc::schema_mismatch, 8, "no name, and nothing but the fingerprint");
  expect_rejected(enumeration({}), errc::schema_mismatch, 8, "no name, and nothing but the fingerprint");
}

TEST(description, annotations_for_protobuf_are_read_back) {
  const auto read = read_schema(schema_bytes<pairs>());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->id(), schema_id<pairs>);
  const auto& both = read->root().children;
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(read->node(both[0]).id, read->node(both[1]).id); // two records that differ only in them
  const auto& plain = read->node(both[0]).children;
  const auto& other = read->node(both[1]).children;
  EXPECT_EQ(plain[0].field_number, 0U);
  EXPECT_EQ(plain[0].form.to_byte(), 0);
  EXPECT_EQ(other[0].field_number, 536'870'911U);
  EXPECT_EQ(other[0].form.to_byte(), 1);
  EXPECT_EQ(other[1].field_number, 1U);
  EXPECT_EQ(other[1].form.to_byte(), 2 | 1 << 2);
  EXPECT_EQ(other[2].form.to_byte(), 1 << 4);
  EXPECT_EQ(other[2].step(), "0.5");
  EXPECT_EQ(schema_bytes(*read), described<pairs>());
}
TEST(description, bad_annotations_for_protobuf_are_rejected) {
  // A record with one boolean member, `a`, with the annotation bits `bits` and the bytes after
  // them.
  const auto annotated = [](int bits, std::initializer_list<int> rest) {
    byte_vector bytes = with_head({1, 23, 0, 0, 1, 1, 'a', bits});
    for (const int each : rest) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {1, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  expect_rejected(annotated(64, {1}), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(annotated(128, {1}), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(annotated(192, {0xFF, 0xFF, 0xFF, 0xFF, 1, 2 | 2 << 2 | 3 << 4}), errc::schema_mismatch, 8,
                  "nothing but the fingerprint");
  expect_rejected(annotated(64, {0}), errc::out_of_range, 24, "no number");
  expect_rejected(annotated(64, {0x80, 0x80, 0x80, 0x80, 2}), errc::out_of_range, 24, "a number of 30 bits");
  expect_rejected(annotated(64, {0xB8, 0x94, 1}), errc::out_of_range, 24, "19000");
  expect_rejected(annotated(64, {0x81, 0}), errc::not_canonical, 24, "a number that could be shorter");
  for (const int form : {0, 3, 3 << 2, 64, 128})
    expect_rejected(annotated(128, {form}), errc::bad_padding, 24, "annotations that there aren't");
  expect_rejected(with_head({1, 23, 0, 0, 2, 1, 'a', 64, 2, 1, 1, 'b', 0, 1, 0, 0}), errc::duplicate_key, 17,
                  "the number of another member");
  expect_rejected(with_head({1, 23, 0, 0, 2, 1, 'a', 64, 5, 1, 1, 'b', 64, 5, 1, 0, 0}), errc::duplicate_key,
                  17, "one number twice");
  expect_rejected(
      with_head({2, 23, 0, 0, 1, 1, 'a', 64, 5, 1, 23, 0, 0, 1, 1, 'a', 64, 5, 1, 22, 2, 0, 0, 0, 1}),
      errc::not_canonical, 26, "a part that is shared twice");
  expect_rejected(
      with_head({2, 23, 0, 0, 1, 1, 'a', 64, 5, 1, 23, 0, 0, 1, 1, 'a', 64, 6, 1, 22, 2, 0, 0, 0, 1}),
      errc::schema_mismatch, 8, "nothing but the fingerprint");
}

TEST(description, variant_with_bad_names_is_rejected) {
  const auto named = [](int flags, char a, char b) {
    byte_vector bytes = with_head({0, 20, flags, 2});
    for (const char name : {a, b}) {
      bytes.push_back(static_cast<std::byte>(name != 0));
      if (name != 0) bytes.push_back(static_cast<std::byte>(name));
      bytes.push_back(std::byte{1}); // a boolean
    }
    return bytes;
  };
  expect_rejected(named(0, 'a', 'b'), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(named(0, 'a', 'a'), errc::schema_mismatch, 8, "equal names that are no tags");
  expect_rejected(named(0, 0, 0), errc::schema_mismatch, 8, "no names");
  expect_rejected(named(1, 'a', 'b'), errc::schema_mismatch, 8, "two tags");
  expect_rejected(named(1, 'a', 'a'), errc::duplicate_key, 17, "equal tags");
  expect_rejected(named(1, 'a', 0), errc::invalid_value, 23, "no tag");
  expect_rejected(named(0, 'a', '\n'), errc::invalid_value, 23, "a line's end");
}

TEST(description, with_a_step_that_no_floats_have_is_rejected) {
  const auto stepped = [](std::initializer_list<int> step) {
    byte_vector bytes = with_head({1, 23, 0, 0, 1, 1, 'a', 16});
    for (const int each : step) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {3, 8, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  expect_rejected(stepped({1, 9}), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(stepped({0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0}), errc::schema_mismatch, 8,
                  "nothing but the fingerprint");
  expect_rejected(stepped({0, 0}), errc::invalid_value, 24, "a step of nothing");
  expect_rejected(stepped({0x80, 0x80, 0x80, 0x80, 0x10, 0}), errc::invalid_value, 24, "units of 33 bits");
  expect_rejected(stepped({1, 10}), errc::invalid_value, 24, "more digits than there are");
  expect_rejected(stepped({10, 1}), errc::not_canonical, 24, "1.0");
}

TEST(description, with_a_unit_vector_of_bytes_that_none_has_is_rejected) {
  const auto sized = [](int flags, std::initializer_list<int> following) {
    byte_vector bytes = with_head({1, 23, 0, 0, 1, 1, 'a', flags});
    for (const int each : following) bytes.push_back(static_cast<std::byte>(each));
    for (const int each : {14, 3, 3, 4, 0, 0}) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  for (const int bytes : {0, 2, 8})
    expect_rejected(sized(32, {bytes}), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(sized(48, {1, 2, 4}), errc::schema_mismatch, 8, "after a step, too");
  expect_rejected(sized(32, {1}), errc::invalid_value, 24, "one byte");
  expect_rejected(sized(32, {9}), errc::invalid_value, 24, "more than a word");
  expect_rejected(sized(48, {1, 2, 255}), errc::invalid_value, 26, "more than a word after a step");
}

TEST(description, with_enumerators_that_no_enum_has_is_rejected) {
  const auto enumeration = [](int flags, int a, int a_high, int b) {
    return with_head({1, 6,   1, flags, 0, 2, a, a_high, a_high, a_high, a_high, a_high, a_high, a_high,
                      1, 'a', b, 0,     0, 0, 0, 0,      0,      0,      1,      'b',    0,      0});
  };
  expect_rejected(enumeration(0, 1, 0, 2), errc::schema_mismatch, 8, "nothing but the fingerprint");
  expect_rejected(enumeration(1, 0xFF, 0xFF, 2), errc::schema_mismatch, 8, "-1 comes before 2");
  expect_rejected(enumeration(0, 1, 1, 2), errc::out_of_range, 22, "a value wider than the width");
  expect_rejected(enumeration(1, 0xFF, 0, 2), errc::out_of_range, 22, "255 in eight bits with a sign");
  expect_rejected(enumeration(0, 2, 0, 2), errc::not_canonical, 32, "a value twice");
  expect_rejected(enumeration(0, 3, 0, 2), errc::not_canonical, 32, "falling values");
  const auto named = [](int a, int b) {
    return with_head({1, 6, 1, 0, 0, 3, 1, 0, 0, 0,   0, 0, 0, 0, 1, a, //
                      2, 0, 0, 0, 0, 0, 0, 0, 1, 'b', 3, 0, 0, 0, 0, 0, 0, 0, 1, b, 0, 0});
  };
  expect_rejected(named('a', 'c'), errc::schema_mismatch, 8, "three names");
  expect_rejected(named('a', 'a'), errc::duplicate_key, 51, "a name twice");
}

TEST(description, in_another_encoding_is_rejected) {
  expect_rejected(with_head({0, 23, 0, 0, 0}), errc::not_canonical, 17, "a record that is not shared");
  expect_rejected(with_head({0, 13, 23, 0, 0, 0}), errc::not_canonical, 18, "neither is it inside");
  expect_rejected(with_head({0, 6, 1, 0, 0, 0}), errc::not_canonical, 17, "nor an enumeration");
  expect_rejected(with_head({0, 13, 6, 1, 0, 0, 0}), errc::not_canonical, 18, "wherever it is");
  expect_rejected(with_head({1, 1, 0, 0}), errc::not_canonical, 17, "a shared bool");
  expect_rejected(with_head({2, 23, 0, 0, 0, 0, 0, 0, 0}), errc::not_canonical, 21,
                  "a reference as a shared part");
  expect_rejected(with_head({1, 23, 0, 0, 0, 1}), errc::not_canonical, 17, "a shared part without a user");
  expect_rejected(with_head({2, 23, 0, 0, 0, 23, 8, 0, 0, 22, 2, 0, 1, 0, 0}), errc::not_canonical, 17,
                  "another order");
  expect_rejected(with_head({2, 23, 0, 0, 0, 23, 0, 0, 0, 22, 2, 0, 0, 0, 1}), errc::not_canonical, 21,
                  "equal parts");
  expect_rejected(with_head({2, 23, 0, 0, 0, 23, 8, 0, 0, 22, 2, 0, 0, 0, 1}), errc::schema_mismatch, 8,
                  "as it should be");
}

TEST(description, of_a_record_that_lies_in_itself_is_rejected) {
  expect_rejected(with_head({1, 23, 0, 0, 1, 1, 'a', 0, 24, 0, 0, 0}), errc::invalid_value, 17, "itself");
  expect_rejected(with_head({1, 23, 0, 0, 1, 1, 'a', 0, 14, 2, 24, 0, 0, 0}), errc::invalid_value, 17,
                  "an array");
  expect_rejected(with_head({1, 23, 0, 0, 1, 1, 'a', 0, 19, 24, 0, 0, 0}), errc::schema_mismatch, 8,
                  "an optional");
  expect_rejected(with_head({1, 23, 0, 0, 1, 1, 'a', 0, 13, 24, 0, 0, 0}), errc::schema_mismatch, 8,
                  "a sequence");
}

TEST(description, nests_128_parts_deep_and_no_deeper) {
  const auto nested = [](std::size_t depth) {
    byte_vector bytes = with_head({0});
    bytes.insert(bytes.end(), depth - 1, std::byte{13});
    bytes.push_back(std::byte{1});
    return bytes;
  };
  expect_rejected(nested(128), errc::schema_mismatch, 8, "deep enough");
  expect_rejected(nested(129), errc::too_deep, 16 + 1 + 128, "too deep");
  // A chain of shared parts: each is a record of the previous one.
  byte_vector chain = with_head({});
  const auto append = [&](std::initializer_list<int> bytes) {
    for (const int each : bytes) chain.push_back(static_cast<std::byte>(each));
  };
  append({0x81, 1, 23, 0, 0, 0});
  for (int i = 0; i < 128; ++i) append({23, 0, 0, 1, 1, 'a', 0, 0, i});
  append({0, 0x80, 1});
  const auto read = read_schema(chain);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), errc::too_deep) << read.error().message();
}

/// A record in a group with many other records. Each of them refers to itself, too.
byte_vector large_group(std::size_t others) {
  byte_vector bytes = with_head({1, 23, 0, 0});
  const auto number = [&](std::size_t n) {
    for (; n >= 0x80; n >>= 7) bytes.push_back(static_cast<std::byte>(n | 0x80));
    bytes.push_back(static_cast<std::byte>(n));
  };
  const auto append = [&](std::initializer_list<int> more) {
    for (const int each : more) bytes.push_back(static_cast<std::byte>(each));
  };
  number(others);
  for (std::size_t i = 1; i <= others; ++i) {
    append({1, 0x61, 0, 19, 23, 0, 0, 2, 1, 0x62, 0, 19, 24});
    number(i);
    append({1, 0x63, 0, 19, 24, 0});
  }
  append({0, 0});
  return bytes;
}

/// Returns the id of the root: the last node that no other node holds. Without such a node it is
/// one byte of the fingerprint.
std::uint64_t root_id(const byte_vector& bytes, const std::vector<ingot::schema_node>& nodes) {
  std::vector<bool> held(nodes.size());
  for (const auto& node : nodes) {
    for (const auto& child : node.children) held[child.node] = true;
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!held[i]) return nodes[i].id;
  }
  return std::to_integer<std::uint64_t>(bytes[8]);
}

TEST(description, of_a_large_group_is_written_without_looking_through_it) {
  const bool sampled = std::getenv("INGOT_TEST_SAMPLED") != nullptr;
  byte_vector bytes =
      large_group(sampled ? 20'000 : 200'000); // comparing each with all: 20,000 million steps
  std::vector<ingot::schema_node> nodes;
  const auto root = ingot::detail::description_reader(bytes, nodes).read();
  ASSERT_FALSE(root.has_value());
  ASSERT_EQ(root.error().code(), errc::schema_mismatch) << root.error().message();
  std::uint64_t id = root_id(bytes, nodes);
  for (std::size_t k = 0; k < 8; ++k, id >>= 8) bytes[8 + k] = static_cast<std::byte>(id & 0xFF);
  const auto read = read_schema(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_TRUE(schema_bytes(*read) == bytes);
}

TEST(description, that_was_changed_is_rejected_or_the_encoding_of_another_schema) {
  std::minstd_rand random(7);
  std::size_t accepted = 0;
  const byte_vector wholes[]{described<example>(), described<halves>(), described<two_parts>()};
  for (int i = 0; i < 30'000; ++i) {
    byte_vector bytes = wholes[random() % 3];
    for (auto n = 1 + random() % 3; n != 0; --n) {
      const std::size_t at = 16 + random() % (bytes.size() - 16);
      if (random() % 4 == 0) bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
      else bytes[at] = static_cast<std::byte>(random() % 26);
      if (bytes.size() < 20) break;
    }
    // Corrects the fingerprint, as an attacker would.
    std::vector<ingot::schema_node> nodes;
    ingot::detail::description_reader reader(bytes, nodes);
    static_cast<void>(reader.read());
    for (std::size_t k = 0; k < 8; ++k) bytes[8 + k] = static_cast<std::byte>(reader.id() >> 8 * k & 0xFF);
    const auto read = read_schema(bytes);
    if (!read) continue;
    ++accepted;
    EXPECT_EQ(schema_bytes(*read), bytes) << text_of(read);
    EXPECT_FALSE(read->to_text().empty());
  }
  EXPECT_GT(accepted, 100U);
}

} // namespace description_test
