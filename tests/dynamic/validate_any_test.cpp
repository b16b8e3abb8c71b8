// SPDX-License-Identifier: Apache-2.0
// Validation finds invalid bytes of a value of any kind, wherever a message contains them, and
// accepts valid ones.
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace check_any_test {

using byte_vector = std::vector<std::byte>;
using ingot::document;
using ingot::dynamic_message;
using ingot::dynamic_schema;
using ingot::message_profile;

struct inner {
  std::uint8_t number = 0;
  document one;
};
struct outer {
  document first;
  std::vector<inner> list;
  std::vector<std::uint32_t> numbers;
  std::map<std::string, document> named;
  std::optional<document> maybe;
  std::variant<std::uint16_t, document> either;
  std::vector<std::vector<document>> deep;
};

byte_vector bytes_of(const ingot::buffer& bytes) { return {bytes.begin(), bytes.end()}; }

/// Each of its values is a different text, so that its bytes can be found.
outer sample() {
  outer filled;
  filled.first = document("in_first");
  filled.list.resize(3);
  filled.list[2].one = document("in_list");
  filled.numbers = {1, 2, 3};
  filled.named["b"] = document("in_named");
  filled.maybe = document("in_maybe");
  filled.either = document("in_either");
  filled.deep.resize(2);
  filled.deep[1].resize(2);
  filled.deep[1][1] = document("in_deep");
  return filled;
}

void expect_found(const byte_vector& bytes, message_profile profile) {
  const auto types = dynamic_schema::open(ingot::schema_bytes<outer>(), profile).value();
  const auto as = [&](const byte_vector& from) { return dynamic_message::open(from, types); };
  const auto whole = as(bytes);
  ASSERT_TRUE(whole.has_value()) << whole.error().message();
  const auto right = ingot::validate_any(whole->root());
  EXPECT_TRUE(right.has_value()) << right.error().message();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const auto& [word, path] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"in_first", "first"},
                                                                            {"in_list", "list[2].one"},
                                                                            {"in_named", "named[0].value"},
                                                                            {"in_maybe", "maybe"},
                                                                            {"in_either", "either"},
                                                                            {"in_deep", "deep[1][1]"}}) {
    const std::size_t at = text.rfind("ingA", text.find(word)); // the beginning of an archive
    ASSERT_NE(at, text.npos) << word;
    byte_vector damaged = bytes;
    damaged[at + 3] = std::byte{'B'};
    const auto message = as(damaged);
    ASSERT_TRUE(message.has_value()) << "or nothing need be said of what is in the bytes";
    const auto found = ingot::validate_any(message->root());
    ASSERT_FALSE(found.has_value()) << word;
    EXPECT_EQ(found.error().path(), path);
    EXPECT_EQ(found.error().offset(), at) << word;
  }
}
TEST(validate_any, finds_what_is_no_value_wherever_it_is) {
  const outer value = sample();
  expect_found(bytes_of(ingot::pack(value).value()), message_profile::pack);
  expect_found(bytes_of(ingot::compact::pack(value).value()), message_profile::compact);
}
TEST(validate_any, of_bytes_that_are_no_value_of_any_kind_says_nothing) {
  const std::vector<std::byte> bytes{std::byte{0xFF}};
  const auto packed = bytes_of(ingot::pack(bytes).value());
  const auto message = dynamic_message::open(
      packed,
      dynamic_schema::open(ingot::schema_bytes<std::vector<std::byte>>(), message_profile::pack).value());
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(ingot::validate_any(message->root()));
  EXPECT_TRUE(ingot::validate_any({})) << "absent";
}

} // namespace check_any_test
