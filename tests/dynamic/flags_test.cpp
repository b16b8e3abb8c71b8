// SPDX-License-Identifier: Apache-2.0
// A combination of flags is a value for every reader, with the type and without: a reader that
// rejected it could not read the output of another writer. A bit that no enumerator declares is
// rejected by every reader.
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace flags_test {

using ingot::errc;

/// Read, write and own; 0x10 is not declared.
enum class rights : std::uint16_t { read = 1, write = 2, own = 0x400 };
constexpr rights operator|(rights a, rights b) {
  return static_cast<rights>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// `rights` with the same numbers and names, but closed.
namespace closed {
enum class rights : std::uint16_t { read = 1, write = 2, own = 0x400 };
}
/// `rights` with the same numbers and names, but open.
namespace open {
enum class rights : std::uint16_t { read = 1, write = 2, own = 0x400 };
}
/// Declares bits only together, by `all`; signed.
enum class signs : std::int8_t { one = 1, all = -1 };
constexpr signs operator|(signs a, signs b) {
  return static_cast<signs>(static_cast<int>(a) | static_cast<int>(b));
}

/// Two enumerators share a bit.
enum class parts : std::uint8_t { low = 3, high = 6, top = 12 };
constexpr parts operator|(parts a, parts b) {
  return static_cast<parts>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

enum class grade : std::int8_t { low = -1, high = 1 };
struct grades {
  grade low = grade::low;
};

template <class Rights>
struct record {
  Rights now{};
  std::vector<Rights> before;
  friend bool operator==(const record&, const record&) = default;
};
using flagged = record<rights>;
struct block {
  rights now{};
  ingot::vector<rights> before;
};
struct closed_block {
  closed::rights now{};
  ingot::vector<closed::rights> before;
};

} // namespace flags_test
template <>
inline constexpr auto ingot::annotations<flags_test::open::rights> =
    ingot::annotate(ingot::type(ingot::open_enum));
namespace flags_test {

constexpr rights mixed = rights::read | rights::own;
constexpr rights wrong{0x401 | 0x10};

const flagged good{mixed, {rights{}, rights::write, mixed, rights{0x403}}};

/// The bytes of a record with numbers that its flags don't declare, from a type that accepts them.
template <class Pack>
std::vector<std::byte> forged(Pack&& pack) {
  const auto bytes = pack(record<open::rights>{open::rights{0x401}, {open::rights{2}, open::rights{0x410}}});
  return {bytes.begin(), bytes.end()};
}
const auto packed_of = [](const auto& value) { return ingot::pack(value).value(); };
const auto compact_of = [](const auto& value) { return ingot::compact::pack(value).value(); };

TEST(flags, of_messages_are_read_by_type_and_by_schema) {
  const auto packed = packed_of(good);
  EXPECT_EQ(ingot::unpack<flagged>(packed).value(), good);
  const auto compact = compact_of(good);
  EXPECT_EQ(ingot::compact::unpack<flagged>(compact).value(), good);

  const auto schema = ingot::read_schema(ingot::schema_bytes<flagged>()).value();
  EXPECT_EQ(schema.to_text(), ingot::schema_of<flagged>().to_text());
  EXPECT_NE(schema.to_text().find("flags enum u16 {read = 1, write = 2, own = 1024}"), std::string::npos);
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const bool is_packed = profile == ingot::message_profile::pack;
    const auto message = ingot::dynamic_message::open(
        is_packed ? ingot::as_bytes_view(packed) : ingot::as_bytes_view(compact), schema, profile);
    ASSERT_TRUE(message) << message.error().message();
    EXPECT_EQ(message->at("now").as<int>().value(), 0x401);
    EXPECT_EQ(message->at("now").enumerator(), "");
    EXPECT_EQ(message->at("before[1]").enumerator(), "write");
    const auto rejected =
        ingot::dynamic_message::open(is_packed ? forged(packed_of) : forged(compact_of), schema, profile);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code(), errc::bad_enum);
    EXPECT_EQ(rejected.error().path(), "before[1]");
  }
  EXPECT_EQ(ingot::unpack<flagged>(forged(packed_of)).error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::compact::unpack<flagged>(forged(compact_of)).error().code(), errc::bad_enum);
}

TEST(flags, with_a_sign_have_the_bits_of_all_enumerators) {
  for (int i = -128; i < 128; ++i) {
    const auto bytes = packed_of(static_cast<signs>(i));
    ASSERT_TRUE(ingot::unpack<signs>(bytes));
    ASSERT_TRUE(ingot::dynamic_message::open(bytes, ingot::schema_of<signs>())) << i;
  }
}

TEST(flags, of_blocks_are_read_by_type_and_by_layout) {
  ingot::live<block> live_block;
  live_block->now = mixed;
  live_block->before.push_back(rights::own | rights::write);
  live_block->before.push_back(rights{});
  const std::vector<std::byte> bytes(live_block.bytes().begin(), live_block.bytes().end());
  ASSERT_TRUE(ingot::live<block>::open(bytes));
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<block>()).value();
  EXPECT_EQ(ingot::schema_for(layout)->id(), ingot::schema_id<block>);
  const auto read = ingot::dynamic_block::open(bytes, layout);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->at("before[0]").as<int>().value(), 0x402);

  live_block->now = wrong;
  const std::vector<std::byte> bad(live_block.bytes().begin(), live_block.bytes().end());
  EXPECT_EQ(ingot::live<block>::open(bad).error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::dynamic_block::open(bad, layout).error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::dynamic_block::open(bad, layout).error().path(), "now");
}

TEST(flags, of_documents_are_names_or_numbers) {
  const auto layout = ingot::dynamic_layout::of<block>().value();
  ingot::document said;
  said = good;
  EXPECT_EQ(said["now"].as<int>().value(), 0x401);
  EXPECT_EQ(said["before"][1].as<std::string>().value(), "write");
  EXPECT_EQ(said.root().as<flagged>().value(), good);
  const auto built = ingot::build_block(said, layout);
  ASSERT_TRUE(built) << built.error().message();
  EXPECT_EQ(ingot::to_document(built->root())->root().as<flagged>().value(), good);
  const auto schema = ingot::dynamic_schema::from(ingot::schema_of<flagged>()).value();
  EXPECT_EQ(ingot::unpack<flagged>(ingot::pack_document(said, schema).value()).value(), good);

  ingot::document bad;
  bad = good;
  static_cast<void>(bad["before"][2].set(0x10));
  EXPECT_EQ(bad.root().as<flagged>().error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::build_block(bad, layout).error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::pack_document(bad, schema).error().code(), errc::bad_enum);
}

/// Without the number, the sentence would not say which of a thousand values is wrong.
TEST(bad_enumerator, is_named_by_its_number_in_every_representation) {
  const auto said = [](const auto& outcome) {
    return outcome ? std::string("accepted") : std::string(outcome.error().found());
  };
  const grades bad{.low = static_cast<grade>(-3)};
  const std::vector<std::byte> packed{std::byte{0xFD}};
  const auto schema = ingot::schema_of<grades>();
  EXPECT_EQ(said(ingot::unpack<grades>(packed)), "-3");
  EXPECT_EQ(said(ingot::pack(bad)), "-3");
  EXPECT_EQ(said(ingot::dynamic_message::open(packed, schema)), "-3");
  const std::vector<std::byte> compact{std::byte{0xFD}};
  EXPECT_EQ(said(ingot::compact::unpack<grades>(compact)), "-3");
  EXPECT_EQ(said(ingot::dynamic_message::open(compact, schema, ingot::message_profile::compact)), "-3");

  ingot::live<grades> live;
  live->low = bad.low;
  const std::vector<std::byte> block_bytes(live.bytes().begin(), live.bytes().end());
  const auto opened = ingot::live<grades>::open(block_bytes);
  EXPECT_EQ(said(opened), "-3");
  EXPECT_EQ(opened.error().path(), "low");
  EXPECT_EQ(said(ingot::dynamic_block::open(block_bytes, ingot::layout_of<grades>())), "-3");
  ingot::live<block> wide;
  wide->now = wrong;
  const std::vector<std::byte> wide_bytes(wide.bytes().begin(), wide.bytes().end());
  EXPECT_EQ(said(ingot::live<block>::open(wide_bytes)), "1041");

  ingot::document doc;
  ASSERT_TRUE(doc.root().set_at("/low", -3));
  EXPECT_EQ(said(doc.root().as<grades>()), "-3");
  EXPECT_EQ(said(ingot::pack_document(doc, ingot::dynamic_schema::from(schema).value())), "-3");
  EXPECT_EQ(said(doc.root().set("high", bad)), "-3");
}

/// Returns text of a value that is an integer, a name, or a list of such values.
std::string text_of(const ingot::value& from) {
  if (from.is_string()) return std::string(from.value_or(std::string_view()));
  if (!from.is_array()) return std::to_string(from.value_or(std::int64_t{-1000}));
  std::string text = "[";
  for (std::size_t i = 0; i < from.size(); ++i) text += (i == 0 ? "" : " ") + text_of(from[i]);
  return text + "]";
}
/// Returns the text of a value by its schema, in which combinations of flags are lists of names.
template <class T>
std::string listed(const T& value) {
  const auto schema = ingot::dynamic_schema::from(ingot::schema_of<T>()).value();
  const auto bytes = packed_of(value);
  const auto message = ingot::dynamic_message::open(bytes, schema).value();
  const auto converted = ingot::to_document(message.root(), {.form = ingot::value_format::json_name_lists});
  return text_of(converted.value().root());
}

TEST(flags, in_text_by_schema_are_lists_of_names) {
  EXPECT_EQ(listed(std::vector{mixed, rights::write, rights{}, rights{0x403}}),
            "[[read own] write [] [read write own]]");
  EXPECT_EQ(listed(std::vector{parts{7}, parts::high, parts{5}, parts{15}}), "[7 high 5 [low top]]")
      << "no enumerators without common bits give 7 and 5";
  EXPECT_EQ(listed(std::vector{signs{3}, signs::all, signs{}}), "[3 all []]");
  EXPECT_EQ(listed(std::vector{open::rights{3}}), "[3]") << "no flags";
  const auto layout = ingot::dynamic_layout::of<block>().value();
  const auto built = ingot::build_block(ingot::document(good), layout).value();
  const auto converted = ingot::to_document(built.root(), {.form = ingot::value_format::json_name_lists});
  EXPECT_EQ(text_of(converted->root()["now"]), "[read own]");
  EXPECT_EQ(converted->root().as<flagged>().value(), good);
}

TEST(flags, are_read_from_lists_of_names) {
  ingot::document input;
  input["now"] = std::vector<std::string>{"own", "read", "own"};
  input["before"] =
      std::vector<std::vector<std::string>>{{}, {"write"}, {"read", "own"}, {"read", "write", "own"}};
  const auto schema = ingot::dynamic_schema::from(ingot::schema_of<flagged>()).value();
  EXPECT_EQ(input.root().as<flagged>().value(), good);
  EXPECT_EQ(input.root().as_evolved<flagged>().value(), good);
  EXPECT_EQ(ingot::unpack<flagged>(ingot::pack_document(input, schema).value()).value(), good);
  const auto layout = ingot::dynamic_layout::of<block>().value();
  EXPECT_EQ(ingot::to_document(ingot::build_block(input, layout)->root())->root().as<flagged>().value(),
            good);

  const auto check = [&](errc code, std::string_view path) {
    const auto typed = input.root().as<flagged>();
    ASSERT_FALSE(typed);
    EXPECT_EQ(typed.error().code(), code);
    EXPECT_EQ(typed.error().path(), path);
    const auto packed = ingot::pack_document(input, schema);
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code(), code);
    EXPECT_EQ(packed.error().path(), path);
  };
  static_cast<void>(input["before"][2][1].set("fly"));
  check(errc::unknown_enumerator, "before[2][1]");
  static_cast<void>(input["before"][2][1].set(1));
  check(errc::type_mismatch, "before[2][1]");
  // A closed enumeration takes no list.
  const ingot::document list(std::vector<std::string>{"read"});
  EXPECT_EQ(list.root().as<closed::rights>().error().code(), errc::type_mismatch);
  const auto one = ingot::dynamic_schema::from(ingot::schema_of<closed::rights>()).value();
  EXPECT_EQ(ingot::pack_document(list, one).error().code(), errc::type_mismatch);
}

TEST(flags, of_layouts_differ_from_closed_ones) {
  const auto theirs = ingot::dynamic_layout::of<closed_block>().value();
  const auto same = ingot::same_layout<block>(theirs);
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().expected(), "flags enum u16 rights");
  EXPECT_EQ(same.error().found(), "enum u16 rights");
  const auto derived = ingot::layout_for(ingot::schema_of<block>());
  ASSERT_TRUE(derived);
  EXPECT_TRUE(ingot::same_layout<block>(*derived));
}

TEST(flags, evolve_into_more_flags_and_open_enumerations_without_a_loss_and_into_others_unless_used) {
  EXPECT_TRUE(ingot::compatible<open::rights>(ingot::schema_of<rights>()).reads_every_value());
  EXPECT_TRUE(ingot::compatible<rights>(ingot::schema_of<closed::rights>()).reads_every_value());
  for (const auto& some : {ingot::compatible<closed::rights>(ingot::schema_of<rights>()),
                           ingot::compatible<rights>(ingot::schema_of<open::rights>())}) {
    EXPECT_TRUE(some) << "the value decides";
    EXPECT_FALSE(some.reads_every_value());
  }
  const auto conversion = ingot::evolution<record<open::rights>>::from(ingot::schema_of<flagged>());
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->unpack(packed_of(good))->now, open::rights{0x401});
}

TEST(flags, are_in_everything_that_is_created_from_a_schema) {
  EXPECT_NE(ingot::to_cpp(ingot::schema_of<rights>()).find("{ // flags\n"), std::string::npos);
  const std::string json = ingot::to_json_schema(ingot::schema_of<rights>()).value();
  EXPECT_NE(
      json.find(
          R"({"anyOf":[{"enum":["read","write","own"]},{"type":"integer","minimum":0,"maximum":1027}]})"),
      std::string::npos)
      << json;
}

TEST(flags, and_open_at_once_are_rejected_in_descriptions) {
  auto bytes = ingot::schema_bytes<rights>();
  std::vector<std::byte> forged_schema(bytes.begin(), bytes.end());
  // header, one shared part: kind 6, width 2, flags 4
  ASSERT_EQ(forged_schema[17], std::byte{6});
  ASSERT_EQ(forged_schema[19], std::byte{4});
  forged_schema[19] = std::byte{6};
  EXPECT_FALSE(ingot::read_schema(forged_schema));
  const auto description = ingot::layout_of<block>();
  std::vector<std::byte> forged_layout(description.begin(), description.end());
  std::size_t changed = 0;
  for (std::size_t i = 25; i + 2 < forged_layout.size() && changed == 0; ++i) {
    if (forged_layout[i] == std::byte{6} && forged_layout[i + 1] == std::byte{128}) {
      forged_layout[i + 1] = std::byte{130};
      ++changed;
    }
  }
  EXPECT_EQ(changed, 1U);
  EXPECT_FALSE(ingot::dynamic_layout::open(forged_layout));
}

} // namespace flags_test
