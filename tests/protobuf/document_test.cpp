// SPDX-License-Identifier: Apache-2.0
// Protobuf's bytes read and written by a schema alone are the same as by the type. Breaks when the
// two ways disagree.
#include <ingot/document/archive.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/reflect/variant_names.hpp>

#include "dynamic/chest.hpp"
#include "protobuf/bytes_of.hpp"
#include "protobuf/letter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace protobuf_document_test {

using ingot::errc;
using protobuf_bytes::bytes_of;
using protobuf_bytes::stored_schema;
using protobuf_letter::filled_letter;
using protobuf_letter::letter;
namespace pb = ingot::protobuf;

/// Converts protobuf's bytes to a packed message by the schema alone.
ingot::result<ingot::buffer> packed_by(ingot::bytes_view bytes, const ingot::schema& by) {
  const auto outcome = pb::read_document(bytes, by);
  if (!outcome) return ingot::fail(outcome.error());
  return ingot::pack_document(*outcome, ingot::dynamic_schema::from(by).value());
}
template <class T>
void expect_same(const T& value) {
  const ingot::schema by = stored_schema<T>();
  const auto typed = pb::write(value);
  ASSERT_TRUE(typed) << typed.error().message();
  const auto packed = ingot::pack(value);
  ASSERT_TRUE(packed);
  const auto message = ingot::dynamic_message::open(*packed, by);
  ASSERT_TRUE(message) << message.error().message();
  const auto untyped = pb::write_message(*message, by);
  ASSERT_TRUE(untyped) << untyped.error().message();
  EXPECT_EQ(*untyped, *typed);
  const auto back = packed_by(*typed, by);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(std::ranges::equal(*back, ingot::as_bytes_view(*packed)));
}

struct chain {
  std::uint32_t n = 0;
  std::unique_ptr<chain> next;
};
struct inner {
  std::int16_t a = 0;
  std::array<std::string, 2> names;
};
struct outer {
  inner one;
  std::variant<std::uint8_t, inner> other;
  std::map<std::uint8_t, inner> all;
};

using named = std::variant<inner, std::string>;

} // namespace protobuf_document_test
template <>
inline constexpr std::string_view ingot::json::variant_names<protobuf_document_test::named>[] = {"record",
                                                                                                 "text"};
namespace protobuf_document_test {

TEST(protobuf_document, is_what_the_type_reads_and_writes) {
  expect_same(dynamic_chest::filled());
  expect_same(std::vector<std::vector<std::map<std::string, std::optional<std::uint8_t>>>>{
      {}, {{{"a", 1}, {"b", std::nullopt}}, {}}});
  expect_same(std::variant<std::uint8_t, std::tuple<bool, std::string>>(std::tuple{true, std::string("x")}));
  expect_same(
      std::optional<std::optional<std::optional<bool>>>(std::optional<std::optional<bool>>(std::nullopt)));
  expect_same(std::uint64_t{5});
  chain all;
  all.next = std::make_unique<chain>();
  all.next->n = 1;
  expect_same(all);
  outer with_class; // whose name is the tag
  with_class.other = inner{5, {}};
  expect_same(with_class);
  expect_same(named("x"));
  const auto read = pb::read_document(pb::write(named("x")).value(), ingot::schema_of<named>()).value();
  EXPECT_EQ(read["text"].as<std::string>(), "x");
}
TEST(protobuf_document, values_of_any_kind_are_what_the_type_has) {
  expect_same(letter());
  expect_same(filled_letter());
  letter noted;
  noted.note.emplace(); // null, which differs from nothing
  expect_same(noted);
  *noted.note = filled_letter().body;
  expect_same(noted);
  expect_same(ingot::document("alone"));
  expect_same(std::vector<std::optional<ingot::document>>{std::nullopt, ingot::document(5)});
  // The document contains the value, not its archive.
  const auto read = pb::read_document(pb::write(filled_letter()).value(), ingot::schema_of<letter>()).value();
  EXPECT_EQ(read["body"], filled_letter().body.root());
  EXPECT_EQ(read["pages"][2]["deep"]["list"][1].as<double>(), -1);
  // A document of the type is also one of the schema.
  const auto back = pb::write_document(ingot::document(noted).root(), ingot::schema_of<letter>());
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, pb::write(noted).value());
}
TEST(protobuf_document, a_value_without_bytes_is_null) {
  const ingot::schema by = stored_schema<letter>();
  // 1: body, 2: an element, 3: a member of the map, 4: the alternative, without bytes
  for (const auto& bytes : {bytes_of({0x08, 1}), bytes_of({0x12, 0}), bytes_of({0x1a, 0}),
                            bytes_of({0x2a, 3, 0x0a, 1, 'k'}), bytes_of({0x2a, 5, 0x0a, 1, 'k', 0x12, 0}),
                            bytes_of({0x32, 2, 0x12, 0}), bytes_of({0x42, 0, 0x42, 0})}) {
    const auto typed = pb::read<letter>(bytes);
    ASSERT_TRUE(typed) << typed.error().message();
    EXPECT_TRUE(typed->body.root().is_null());
    const auto untyped = packed_by(bytes, by);
    ASSERT_TRUE(untyped) << untyped.error().message();
    EXPECT_TRUE(std::ranges::equal(*untyped, ingot::as_bytes_view(ingot::pack(*typed).value())));
  }
  // Earlier contents of an object are removed.
  letter old = filled_letter();
  ASSERT_TRUE(pb::read_into(old, {}));
  EXPECT_TRUE(old.body.root().is_null());
  struct page {
    ingot::live_value text;
    ingot::vector<ingot::live_value> lines;
  };
  ingot::live<page> live;
  live->text = "old";
  live->lines.emplace_back() = 7;
  const auto bytes = pb::write(*live).value();
  ingot::live<page> other;
  other->text = "older";
  ASSERT_TRUE(pb::read_into(*other, bytes));
  EXPECT_EQ(pb::write(*other).value(), bytes);
  ASSERT_TRUE(pb::read_into(*other, {}));
  EXPECT_TRUE(other->text.is_null());
}
TEST(protobuf_document, wrong_archives_are_rejected_by_path_and_byte) {
  const ingot::schema by = stored_schema<letter>();
  ingot::buffer bytes = pb::write(filled_letter()).value();
  ASSERT_TRUE(bytes.resize(4 + std::to_integer<std::size_t>(bytes[3]))); // id and body
  ASSERT_TRUE(pb::read<letter>(bytes));
  std::size_t rejected = 0;
  for (std::size_t bit = 8 * 4; bit < 8 * bytes.size(); ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    const auto typed = pb::read<letter>(flipped);
    const auto untyped = pb::read_document(flipped, by);
    ASSERT_EQ(typed.has_value(), untyped.has_value()) << "bit " << bit;
    if (typed) continue;
    ++rejected;
    EXPECT_EQ(typed.error().code(), untyped.error().code()) << "bit " << bit;
    EXPECT_EQ(typed.error().path(), untyped.error().path()) << "bit " << bit;
    EXPECT_EQ(typed.error().path().substr(0, 4), "body");
    EXPECT_EQ(typed.error().offset(), untyped.error().offset()) << "bit " << bit;
    EXPECT_GE(untyped.error().offset(), 4U);
    EXPECT_LE(untyped.error().offset(), bytes.size());
  }
  EXPECT_GT(rejected, 100U);
  // A packed message with other bytes in place of an archive has no form that readers of protobuf
  // would accept.
  const auto mimic = ingot::pack(std::vector<std::vector<std::byte>>{{}, bytes_of({1, 2, 3})}).value();
  const ingot::schema many = ingot::schema_of<std::vector<ingot::document>>();
  const auto message = ingot::dynamic_message::open(mimic, many);
  ASSERT_TRUE(message) << message.error().message();
  const auto written = pb::write_message(*message, many);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().path(), "[0]");
}
TEST(protobuf_document, merges_as_the_type_does) {
  const ingot::schema by = stored_schema<outer>();
  const auto packed = packed_by(bytes_of({0x12, 4, 0x12, 2, 0x08, 2,    0x12, 2,   0x08, 7, 0x1a, 6, 0x08, 9,
                                          0x12, 2, 0x08, 3, 0x1a, 2,    0x08, 9,   0x48, 1, 0x0a, 2, 0x08, 1,
                                          0x0a, 6, 0x12, 1, 'a',  0x12, 1,    'b', 0x0a, 2, 0x08, 2}),
                                by);
  ASSERT_TRUE(packed) << packed.error().message();
  const auto typed = ingot::unpack<outer>(*packed);
  ASSERT_TRUE(typed);
  EXPECT_EQ(typed->one.a, 2);
  EXPECT_EQ(typed->one.names, (std::array<std::string, 2>{"a", "b"}));
  EXPECT_EQ(std::get<0>(typed->other), 7);
  ASSERT_EQ(typed->all.size(), 1U);
  EXPECT_EQ(typed->all.at(9).a, 0);
  // An array with a part of its elements is not a value of the type.
  EXPECT_FALSE(packed_by(bytes_of({0x0a, 3, 0x12, 1, 'x'}), by));
}
TEST(protobuf_document, errors_say_where) {
  const ingot::schema by = stored_schema<outer>();
  const auto why = [&](std::initializer_list<int> bytes) {
    const auto outcome = pb::read_document(bytes_of(bytes), by);
    EXPECT_FALSE(outcome);
    return outcome ? ingot::error() : outcome.error();
  };
  const auto wrong = why({0x1a, 6, 0x08, 1, 0x12, 2, 0x12, 5});
  EXPECT_EQ(wrong.code(), errc::truncated);
  EXPECT_EQ(wrong.path(), "all[0]");
  EXPECT_EQ(wrong.offset(), 7U);
  const auto large = why({0x0a, 4, 0x08, 0xff, 0xff, 0x7f});
  EXPECT_EQ(large.code(), errc::out_of_range);
  EXPECT_EQ(large.path(), "one.a");
  EXPECT_EQ(why({0x0b, 0x0c}).code(), errc::type_mismatch); // a group
  EXPECT_EQ(why({0x0a, 3, 0x12, 1, 0xff}).code(), errc::invalid_utf8);
  const auto message =
      ingot::dynamic_message::open(ingot::pack(std::uint32_t{5}).value(), ingot::schema_of<std::uint32_t>());
  EXPECT_EQ(pb::write_message(*message, by).error().code(), errc::schema_mismatch);
}
TEST(protobuf_document, no_more_than_a_million_values_come_of_no_bytes) {
  using pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  using some = std::tuple<std::array<pair, 1000>, std::uint32_t>;
  using many = std::tuple<std::array<pair, 300'000>, std::uint32_t>; // four bytes each
  const auto outcome = pb::read_document({}, ingot::schema_of<some>());
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->root()[0].size(), 1000U);
  const auto rejected = pb::read_document({}, ingot::schema_of<many>());
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::too_large);
  // Memory that the bytes themselves justify is not counted.
  const std::vector<pair> zeros(400'000);
  const auto zeros_read = pb::read_document(pb::write(zeros).value(), ingot::schema_of<std::vector<pair>>(),
                                            ingot::max_block_size{std::size_t{1} << 28});
  EXPECT_TRUE(zeros_read) << zeros_read.error().message();
}
TEST(protobuf_document, takes_no_stack_by_the_depth_of_messages) {
  // nested messages, each the only field of the one around it
  std::vector<std::byte> deep;
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> head{std::byte{0x12}};
    for (std::size_t n = deep.size();; n >>= 7) {
      head.push_back(static_cast<std::byte>(n > 0x7F ? n | 0x80 : n));
      if (n <= 0x7F) break;
    }
    deep.insert(deep.begin(), head.begin(), head.end());
  }
  const ingot::schema by = stored_schema<chain>();
  EXPECT_EQ(pb::read_document(deep, by).error().code(), errc::too_deep);
  EXPECT_EQ(pb::read<chain>(deep).error().code(), errc::too_deep);
  EXPECT_TRUE(pb::read_document(deep, by, {.max_depth = 2000}));
}
TEST(protobuf_document, damaged_messages_are_read_as_the_type_reads_them) {
  const ingot::schema by = stored_schema<dynamic_chest::chest>();
  const auto whole = pb::write(dynamic_chest::filled()).value();
  const std::size_t step =
      std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 29; // NOLINT(concurrency-mt-unsafe)
  std::size_t both = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += step) {
    auto flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    const auto typed = pb::read<dynamic_chest::chest>(flipped);
    const auto untyped = packed_by(flipped, by);
    EXPECT_EQ(typed.has_value(), untyped.has_value())
        << "bit " << bit << ": " << (typed ? untyped.error().message() : typed.error().message());
    if (!typed || !untyped) continue;
    ++both;
    EXPECT_TRUE(std::ranges::equal(*untyped, ingot::as_bytes_view(ingot::pack(*typed).value())))
        << "bit " << bit;
  }
  EXPECT_GT(both, 20U);
}

} // namespace protobuf_document_test
