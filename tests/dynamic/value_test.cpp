// SPDX-License-Identifier: Apache-2.0
// Queries of values in a block that is read without its type, and their results if a conversion is
// not possible.
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/schema.hpp>

#include "dynamic/hostile.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_value_test {

using ingot::dynamic_block;
using ingot::dynamic_kind;
using ingot::dynamic_layout;
using ingot::errc;
using namespace dynamic_hostile;

enum loose { none, one, five = 5 };          // can represent 0 to 7 only
enum signed_loose { below = -3, above = 2 }; // -4 to 3
enum class answer : bool { no, yes };
enum class fixed : std::uint8_t { only = 1 };
struct numbers {
  std::int32_t a = 7;
  std::int32_t b = 8;
  std::int32_t c = -4;
  std::int32_t d = -5;
  std::uint8_t e = 1;
  std::uint8_t f = 2;
  answer g = answer::yes;
  std::uint64_t h = ~std::uint64_t{0};
};

// The same members in a block and in messages.
struct live_part {
  ingot::string name;
  std::int32_t weight = 0;
};
struct live_whole {
  live_part first;
  ingot::vector<live_part> items;
  ingot::map<ingot::string, live_part> named;
  ingot::map<std::int32_t, std::int32_t> scores;
};
struct part {
  std::string name;
  std::int32_t weight = 0;
};
struct whole {
  part first;
  std::vector<part> items;
  std::map<std::string, part> named;
  std::map<std::int32_t, std::int32_t> scores;
};
whole filled() {
  whole value;
  for (int i = 0; i < 3; ++i) value.items.emplace_back().weight = 1000 + i;
  value.named["a"].weight = 3;
  value.scores[5] = 6;
  value.scores[7] = -8;
  return value;
}
template <class R>
std::string said(const R& outcome) {
  if (outcome) return "no error";
  return std::string(to_string(outcome.error().code())) + " in " + std::string(outcome.error().path());
}
void expect_paths(const ingot::dynamic_value& root) {
  EXPECT_EQ(said(root.as<int>()), "wrong type in ");
  EXPECT_EQ(said(root.at("first.name").as<int>()), "wrong type in first.name");
  EXPECT_EQ(said(root["first"].as<std::string>()), "wrong type in first");
  EXPECT_EQ(said(root.at("items[2].name").as<int>()), "wrong type in items[2].name");
  EXPECT_EQ(said(root["items"][1].as<int>()), "wrong type in items[1]");
  EXPECT_EQ(said(root["items"][1]["weight"].as<std::int8_t>()), "out of range in items[1].weight");
  EXPECT_EQ(root.at("items[1].weight").as<std::uint8_t>().error().message().substr(0, 15), "out of range at");
  EXPECT_EQ(root.at("items[1].weight").as<std::uint8_t>().error().expected(), "an integer from 0 to 255");
  EXPECT_EQ(root.at("items[1].weight").as<std::uint8_t>().error().found(), "1001");
  EXPECT_EQ(root["scores"].find(7).as<unsigned>().error().found(), "-8");
  EXPECT_EQ(said(root.at(R"(named["a"].name)").as<double>()), "wrong type in named[a].name");
  EXPECT_EQ(said(root["scores"][1].as<std::string>()), "wrong type in scores[1]");
  for (const auto& each : root["scores"].parts())
    EXPECT_TRUE(said(each.key.as<std::string>()).ends_with("].key")) << said(each.key.as<std::string>());

  EXPECT_EQ(said(root.at("a.b").as<int>()), "missing member in a.b");
  EXPECT_EQ(said(root.at("items[9].name").as<int>()), "missing member in items[9].name");
  EXPECT_EQ(said(root.at("items[9").as<int>()), "missing member in items[9");
  EXPECT_EQ(said(root["zz"]["y"][3].as<std::string>()), "missing member in zz.y[3]");
  EXPECT_EQ(said(root["zz"].at("y").as<bool>()), "missing member in zz.y");
  EXPECT_EQ(said(root[9].as<int>()), "missing member in [9]");
  EXPECT_EQ(said(root["first"]["y"].as<ingot::bytes_view>()), "missing member in ...y");
  EXPECT_EQ(said(root["named"].find("none").as<int>()), "missing member in ...[none]");
  EXPECT_EQ(said(root["scores"].find(-9).as<int>()), "missing member in ...[-9]");
  EXPECT_EQ(said(root["a name of many letters"].as<int>()), "missing member in a name of ma...");
  EXPECT_EQ(said(root.at("first.named.nothing").as<int>()), "missing member in ...named.nothing");
  EXPECT_EQ(root.at("a.b").as<int>().error().message(),
            "missing member at byte 0 (a.b): expected a number, found nothing; check the path");
  EXPECT_EQ(said(ingot::dynamic_value().as<int>()), "missing member in ");
  EXPECT_EQ(root["zz"].type_index(), 0U);
  EXPECT_EQ(root["zz"].value_or(7), 7);
  EXPECT_EQ(root["zz"].size(), 0U);
}

/// Without the path, "wrong type at byte 148" does not help the caller of a lookup by path.
TEST(dynamic_value, names_the_path_in_errors) {
  ingot::live<live_whole> block;
  for (int i = 0; i < 3; ++i) block->items.emplace_back().weight = 1000 + i;
  block->named["a"].weight = 3;
  block->scores[5] = 6;
  block->scores[7] = -8;
  const auto in_block = dynamic_block::open(block.bytes(), ingot::layout_of<live_whole>());
  ASSERT_TRUE(in_block) << in_block.error().message();
  expect_paths(in_block->root());
  const auto value = filled();
  const auto packed = ingot::pack(value).value();
  const auto in_packed = ingot::dynamic_message::open(packed, ingot::schema_of<whole>());
  ASSERT_TRUE(in_packed) << in_packed.error().message();
  expect_paths(in_packed->root());
  const auto compact = ingot::compact::pack(value).value();
  const auto in_compact =
      ingot::dynamic_message::open(compact, ingot::schema_of<whole>(), ingot::message_profile::compact);
  ASSERT_TRUE(in_compact) << in_compact.error().message();
  expect_paths(in_compact->root());
}
/// The search for a path must end soon, also among a million values.
TEST(dynamic_value, names_no_path_that_takes_a_long_search) {
  ingot::live<ingot::vector<live_part>> list;
  ingot::live<ingot::map<std::int32_t, std::int32_t>> map;
  list->resize(5000);
  for (int i = 0; i < 5000; ++i) (*map)[i] = i;
  const auto in_list = dynamic_block::open(list.bytes(), ingot::layout_of<ingot::vector<live_part>>());
  ASSERT_TRUE(in_list) << in_list.error().message();
  EXPECT_EQ(said(in_list->root()[4999]["name"].as<int>()), "wrong type in [4999].name");
  const auto in_map =
      dynamic_block::open(map.bytes(), ingot::layout_of<ingot::map<std::int32_t, std::int32_t>>());
  ASSERT_TRUE(in_map) << in_map.error().message();
  EXPECT_EQ(said(in_map->root()[900].as<std::string>()), "wrong type in [900]");
  EXPECT_EQ(said(in_map->root()[4999].as<std::string>()), "wrong type in ...");
}

/// A number that the type can't represent would be undefined behaviour in the calling program.
TEST(dynamic_value, an_enum_is_a_value_that_it_can_hold) {
  const ingot::live<numbers> block;
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<numbers>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  const auto root = read->root();
  EXPECT_EQ(static_cast<int>(root["a"].as<loose>().value_or(none)), 7);
  EXPECT_EQ(root["b"].as<loose>().error().code(), errc::out_of_range);
  EXPECT_EQ(root["c"].as<loose>().error().code(), errc::out_of_range);
  EXPECT_EQ(root["h"].as<loose>().error().code(), errc::out_of_range);
  EXPECT_EQ(static_cast<int>(root["c"].as<signed_loose>().value_or(above)), -4);
  EXPECT_EQ(root["d"].as<signed_loose>().error().code(), errc::out_of_range);
  EXPECT_EQ(root["a"].as<signed_loose>().error().code(), errc::out_of_range);
  // like any std::uint8_t
  EXPECT_EQ(static_cast<int>(root["f"].as<fixed>().value_or(fixed::only)), 2);
  EXPECT_EQ(root["b"].as<fixed>().value_or(fixed::only), static_cast<fixed>(8));
  EXPECT_EQ(root["c"].as<fixed>().error().code(), errc::out_of_range);
}
TEST(dynamic_value, an_enum_of_booleans_is_one) {
  const ingot::live<numbers> block;
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<numbers>());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->root()["g"].as<answer>().value_or(answer::no), answer::yes);
  EXPECT_EQ(read->root()["g"].enumerator(), "yes");
  EXPECT_EQ(read->root()["e"].as<answer>().value_or(answer::no), answer::yes);
  EXPECT_EQ(read->root()["f"].as<answer>().error().code(), errc::out_of_range);
  auto bytes = copy(block.bytes());
  bytes[static_cast<std::size_t>(read->root()["g"].position())] = std::byte{2};
  EXPECT_EQ(dynamic_block::open(bytes, ingot::layout_of<numbers>()).error().code(), errc::bad_enum);
  EXPECT_EQ(ingot::live<numbers>::open(bytes).error().code(), errc::bad_enum);
}

/// Text of wider characters is hashed as if its bytes were in the order of the hash. Here its bytes
/// are in the other order, and at an odd address.
TEST(dynamic_value, wide_text_has_one_hash_in_either_byte_order) {
  const auto hash_both = [](const auto& text) {
    using unit = typename std::remove_cvref_t<decltype(text)>::value_type;
    std::vector<std::byte> turned(1);
    for (const unit each : text) {
      for (std::size_t i = sizeof(unit); i-- != 0;)
        turned.push_back(static_cast<std::byte>(std::uint32_t{each} >> 8 * i));
    }
    const auto same = [&](auto state) {
      EXPECT_EQ(state.text(text.data(), text.size()).done(),
                ingot::detail::dyn::put_turned(state, turned.data() + 1, text.size(), sizeof(unit)).done())
          << text.size();
    };
    same(ingot::detail::fold_state{7});
    same(ingot::detail::keyed_state{ingot::detail::keyed_hash(7)});
  };
  std::u16string narrow;
  std::u32string wide;
  for (unsigned i = 0; i < 40; ++i) {
    hash_both(narrow);
    hash_both(wide);
    narrow.push_back(static_cast<char16_t>(0x1234 * i + 1));
    wide.push_back(static_cast<char32_t>(0x12345678 * i + 1));
  }
}

struct lists {
  ingot::map<ingot::string, std::uint32_t> sorted;
  ingot::hash_map<ingot::string, std::uint32_t> hashed;
};
/// Many keys are sorted once, like those of the typed block. Inserting them one by one would take
/// more than four times as long, and even more for larger maps.
TEST(dynamic_value, a_map_becomes_a_document_in_the_time_of_its_type) {
  ingot::live<lists> block(ingot::max_block_size{std::size_t{64} << 20});
  for (std::uint32_t i = 0; i < 150'000; ++i) block->hashed.try_emplace(std::to_string(i), i);
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<lists>());
  ASSERT_TRUE(read.has_value());
  const ingot::max_block_size max_size{std::size_t{64} << 20};
  using clock = std::chrono::steady_clock;
  clock::duration typed = clock::duration::max();
  clock::duration dynamic = clock::duration::max();
  for (int i = 0; i < 2; ++i) { // the faster of two runs, as the machine may be busy
    const auto begun = clock::now();
    const ingot::document wanted(*block, max_size);
    const auto between = clock::now();
    const auto converted = ingot::to_document(read->root(), {.max_size = max_size});
    const auto ended = clock::now();
    ASSERT_TRUE(converted.has_value()) << converted.error().message();
    EXPECT_TRUE(wanted == *converted);
    typed = std::min(typed, between - begun);
    dynamic = std::min(dynamic, ended - between);
  }
  EXPECT_LT(dynamic, 3 * typed);
}
TEST(dynamic_value, a_document_without_space_says_so) {
  ingot::live<lists> block;
  for (std::uint32_t i = 0; i < 20'000; ++i) block->sorted.try_emplace("key " + std::to_string(i), i);
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<lists>());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(ingot::to_document(read->root(), {.max_size = {4096}}).error().code(), errc::no_space);
  ingot::document small(ingot::max_block_size{4096});
  EXPECT_EQ(small.root().set("all", read->root()).error().code(), errc::no_space);
  EXPECT_TRUE(ingot::document::open(small.bytes()).has_value());
}

TEST(dynamic_value, a_block_moved_from_has_nothing) {
  const ingot::live<numbers> block;
  auto read = dynamic_block::open(block.bytes(), ingot::layout_of<numbers>());
  ASSERT_TRUE(read.has_value());
  const auto value = read->root()["a"];
  const dynamic_block moved = std::move(*read);
  EXPECT_EQ(value.as<int>().value_or(0), 7); // handles refer to the block, even if it was moved
  EXPECT_FALSE(read->root().exists());       // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(read->bytes().empty());
  EXPECT_EQ(read->layout().layout_id(), moved.layout().layout_id());
}

} // namespace dynamic_value_test
