// SPDX-License-Identifier: Apache-2.0
// The place of a record's version in text: the first member if its name is `version`, otherwise a
// key of its own, which no member may have.
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace version_key_test {

namespace json = ingot::json;
using ingot::errc;

/// Its first member gets the name `version`.
struct edition {
  std::int32_t number = 3;
  std::int32_t pages = 0;
  bool operator==(const edition&) const = default;
};
/// Its first member is called `version` in C++ only.
struct volume {
  std::int32_t version = 5;
  std::int32_t pages = 0;
  bool operator==(const volume&) const = default;
};
/// A character is no integer.
struct letter {
  char version = 'b';
  std::int32_t pages = 0;
  bool operator==(const letter&) const = default;
};
/// Without a version, the key is that of a plain member.
struct plain {
  std::int32_t number = 1;
  bool operator==(const plain&) const = default;
};
/// The version is a member, so the key is that of a plain member.
struct with_both {
  std::int32_t version = 3;
  std::int32_t other = 4;
  bool operator==(const with_both&) const = default;
};
/// A versioned record with a member whose name has the length of the key.
struct described {
  std::int32_t eightchr = 0;
};
struct described_live {
  std::int32_t eightchr = 0;
  INGOT_REFLECT(described_live, eightchr)
};

} // namespace version_key_test

template <>
inline constexpr auto ingot::annotations<version_key_test::edition> =
    ingot::annotate(ingot::type(ingot::version(3)), ingot::member<"number">(ingot::rename("version")));
template <>
inline constexpr auto ingot::annotations<version_key_test::volume> =
    ingot::annotate(ingot::type(ingot::version(3)), ingot::member<"version">(ingot::rename("number")));
template <>
inline constexpr auto ingot::annotations<version_key_test::letter> =
    ingot::annotate(ingot::type(ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<version_key_test::plain> =
    ingot::annotate(ingot::member<"number">(ingot::rename("$version")));
template <>
inline constexpr auto ingot::annotations<version_key_test::with_both> =
    ingot::annotate(ingot::type(ingot::version(3)), ingot::member<"other">(ingot::rename("$version")));
template <>
inline constexpr auto ingot::annotations<version_key_test::described> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<version_key_test::described_live> =
    ingot::annotate(ingot::type(ingot::version(2)));

namespace version_key_test {

/// Returns the text that a program without the type writes of the packed value.
template <class T>
std::string text_by_schema(const T& value) {
  const auto packed = ingot::pack(value).value();
  const auto schema =
      ingot::dynamic_schema::open(ingot::schema_bytes<T>(), ingot::message_profile::pack).value();
  const auto message = ingot::dynamic_message::open(packed, schema).value();
  return json::write(ingot::to_document(message.root(), {.form = ingot::value_format::json}).value()).value();
}
/// Returns the text with the members of the object in the order of documents.
std::string in_order(std::string_view text) { return json::write(json::read_document(text).value()).value(); }

template <class T>
void expect_text(const T& value, std::string_view text) {
  EXPECT_EQ(json::write(value).value(), text);
  EXPECT_EQ(text_by_schema(value), in_order(text));
  const auto read = json::read<T>(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, value);
  const auto unpacked = ingot::unpack<T>(ingot::pack(value).value());
  ASSERT_TRUE(unpacked) << unpacked.error().message();
  EXPECT_EQ(*unpacked, value);
  const auto from_document = json::read_document(text).value().root().as_evolved<T>();
  ASSERT_TRUE(from_document) << from_document.error().message();
  EXPECT_EQ(*from_document, value);
}

TEST(json_version_key, is_a_member_by_the_name_that_texts_and_schemas_have) {
  expect_text(edition{3, 7}, R"({"version":3,"pages":7})");
  expect_text(volume{5, 7}, R"({"$version":3,"number":5,"pages":7})");
  EXPECT_EQ(json::write(letter{'b', 7}).value(), R"({"$version":3,"version":"b","pages":7})");
  EXPECT_EQ(ingot::unpack<letter>(ingot::pack(letter{'b', 7}).value()).value(), (letter{'b', 7}));
  expect_text(plain{6}, R"({"$version":6})");
  expect_text(with_both{3, 6}, R"({"version":3,"$version":6})");
  EXPECT_EQ(json::read<edition>(R"({"version":4,"pages":7})").error().code(), errc::wrong_version);
  EXPECT_EQ(json::read<volume>(R"({"$version":4,"number":3,"pages":7})").error().code(), errc::wrong_version);
}

std::string text_of(ingot::bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
ingot::bytes_view view_of(const std::string& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}
std::string with_key(std::string bytes) {
  const std::size_t at = bytes.find("eightchr");
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at, 8, "$version");
}

TEST(json_version_key, is_no_member_of_an_untrusted_description) {
  const std::string good = text_of(ingot::schema_bytes<described>());
  ASSERT_TRUE(ingot::read_schema(view_of(good)));
  const auto read = ingot::read_schema(view_of(with_key(good)));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), errc::duplicate_key);
  EXPECT_EQ(read.error().offset(), 17U); // the record begins here
  EXPECT_EQ(read.error().expected(), "no member $version beside the version, whose key it is");
}

TEST(json_version_key, is_no_member_of_an_untrusted_layout) {
  std::string bytes = with_key(text_of(ingot::layout_of<described_live>()));
  bytes.resize(bytes.size() - 8);
  const std::uint64_t seal = ingot::detail::dyn::seal_of(view_of(bytes));
  for (int i = 0; i < 64; i += 8) bytes += static_cast<char>(seal >> i & 0xFF);
  const auto read = ingot::dynamic_layout::open(view_of(bytes));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), errc::duplicate_key);
  EXPECT_EQ(read.error().expected(), "no member $version beside the version, whose key it is");
}

} // namespace version_key_test
