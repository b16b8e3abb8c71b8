// SPDX-License-Identifier: Apache-2.0
// Untrusted descriptions of layouts, and the values that are read by them, as documents, text and
// numbers.
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "dynamic/hostile.hpp"
#include "golden_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_layout_test {

using ingot::dynamic_block;
using ingot::dynamic_kind;
using ingot::dynamic_layout;
using ingot::errc;
using ingot::detail::dyn::layout_bytes;
using namespace dynamic_hostile;

enum class size : std::int8_t { small = -1, medium, large };
struct dish {
  ingot::string name;
  size portion = size::medium;
  ingot::optional<double> price;
  ingot::vector<std::int32_t> tags;
};
/// Only members that documents can represent, so that results with and without the type can be
/// compared.
struct menu {
  std::uint64_t id = 1;
  bool open = true;
  ingot::string title;
  ingot::vector<dish> dishes;
  ingot::map<ingot::string, dish> by_name;
  ingot::hash_map<ingot::string, std::uint16_t> stock;
  ingot::optional<ingot::string> note;
  ingot::optional<ingot::string> none;
  ingot::box<dish> special;
  std::pair<std::int8_t, float> corner{-3, 0.25F};
  std::array<std::uint8_t, 3> rgb{1, 2, 255};
  ingot::vector<std::byte> raw;
  ingot::pool<dish> kitchen;
  ingot::ref<dish> first;
};
struct chain {
  std::uint32_t number = 0;
  ingot::box<chain> next;
};
struct counter {
  std::uint32_t total;
};
struct plain {
  std::int16_t a = -2;
  std::uint32_t b = 7;
};
struct checked {
  std::int32_t n = 1;
  [[nodiscard]] bool valid() const { return n > 0; }
};

} // namespace dynamic_layout_test

template <>
inline constexpr auto ingot::annotations<dynamic_layout_test::counter> =
    ingot::annotate(ingot::type(ingot::version(3)));

namespace dynamic_layout_test {

ingot::live<menu> make_menu() {
  ingot::live<menu> block;
  block->title = "what there is to eat, and when";
  for (int i = 0; i < 3; ++i) {
    dish& each = block->dishes.emplace_back();
    each.name = i == 1 ? "a soup with a long name" : "soup";
    each.portion = i == 2 ? size::large : size::small;
    if (i != 0) each.price.emplace(2.5 * i);
    each.tags = {i, 300 * i};
  }
  block->by_name.try_emplace("soup").first->second.tags = {1};
  block->by_name.try_emplace("salad of a longer kind");
  block->stock["soup"] = 12;
  block->note.emplace("closed on Mondays, and on Tuesdays");
  block->special.emplace().name = "special";
  block->raw = {std::byte{1}, std::byte{2}};
  block->first = block->kitchen.add();
  block->kitchen.get(block->first)->name = "first";
  const auto gone = block->kitchen.add();
  static_cast<void>(block->kitchen.add());
  block->kitchen.erase(gone);
  return block;
}

TEST(dynamic_layout, a_block_becomes_the_document_that_its_type_becomes) {
  const auto typed = make_menu();
  const auto read = dynamic_block::open(typed.bytes(), ingot::layout_of<menu>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  const ingot::document wanted(*typed);
  const auto converted = ingot::to_document(read->root());
  ASSERT_TRUE(converted.has_value()) << converted.error().message();
  EXPECT_TRUE(wanted == *converted);
  EXPECT_EQ((*converted)["dishes"][1]["name"].value_or(std::string_view()), "a soup with a long name");

  ingot::document whole;
  whole["special"] = read->at("special"); // a part of the block, in another document
  ingot::document part(*typed->special);
  EXPECT_TRUE(std::as_const(whole)["special"] == std::as_const(part).root());
}

TEST(dynamic_layout, values_are_found_by_the_paths_that_errors_print) {
  const auto typed = make_menu();
  const auto read = dynamic_block::open(typed.bytes(), ingot::layout_of<menu>());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->at("dishes[1].tags[1]").as<int>().value_or(0), 300);
  EXPECT_EQ(read->at("dishes[1].name").value_or("none"), "a soup with a long name");
  EXPECT_EQ(read->at("dishes[1].tags[1]").value_or("none"), "none");
  EXPECT_EQ(read->at("by_name[1].tags[0]").as<int>().value_or(0), 1);
  EXPECT_EQ(read->at("by_name[\"soup\"].tags[0]").as<int>().value_or(0), 1);
  EXPECT_EQ(read->at("stock[\"soup\"]").as<std::uint8_t>().value_or(0), 12);
  EXPECT_EQ(read->at("special.name").as<std::string>().value_or(""), "special");
  EXPECT_EQ(read->at("corner.first").as<int>().value_or(0), -3);
  EXPECT_EQ(read->at("note").held().as<std::string_view>().value_or(""),
            "closed on Mondays, and on Tuesdays");
  for (const char* const wrong :
       {"dishes[3]", "dishes[", "dishes[]", "dishes[-1]", "dish", "title.x", "none.x", ".title",
        "dishes[1]tags", "title[0]", "by_name[\"soup]", "dishes[99999999999999999999]", "id[0]"})
    EXPECT_FALSE(read->at(wrong).exists()) << wrong;

  const auto pool = read->root()["kitchen"];
  EXPECT_EQ(pool.get(read->root()["first"])["name"].as<std::string>().value_or(""), "first");
  EXPECT_EQ(pool.size(), 2U);
  const auto dish_type = read->at("dishes[0]");
  EXPECT_EQ(dish_type.type_name(), "dish");
  EXPECT_EQ(dish_type.type_index(), read->at("special").held().type_index());
  EXPECT_EQ(dish_type["portion"].enumerator(), "small");
}

TEST(dynamic_layout, numbers_stay_the_same) {
  const auto typed = make_menu();
  const auto read = dynamic_block::open(typed.bytes(), ingot::layout_of<menu>());
  ASSERT_TRUE(read.has_value());
  const auto tag = read->at("dishes[1].tags[1]"); // 300
  EXPECT_EQ(tag.as<std::uint8_t>().error().code(), errc::out_of_range);
  EXPECT_EQ(tag.as<std::int16_t>().value_or(0), 300);
  EXPECT_EQ(tag.as<double>().value_or(0), 300.0);
  EXPECT_EQ(read->at("corner.first").as<std::uint64_t>().error().code(), errc::out_of_range);
  EXPECT_EQ(read->at("corner.second").as<int>().error().code(), errc::out_of_range);
  EXPECT_EQ(read->at("dishes[2].price").held().as<int>().value_or(0), 5);
  EXPECT_EQ(read->at("id").as<bool>().error().code(), errc::type_mismatch);
  EXPECT_EQ(read->at("title").as<int>().error().code(), errc::type_mismatch);
  EXPECT_EQ(read->at("dishes[0].portion").as<size>().value_or(size::large), size::small);
  EXPECT_EQ(read->at("nothing").as<int>().error().code(), errc::missing_member);
}

TEST(dynamic_layout, depth_of_a_block_is_no_depth_of_the_stack) {
  ingot::live<chain> block(ingot::max_block_size{std::size_t{16} << 20});
  chain* at = &*block;
  for (std::uint32_t i = 1; i < 100'000; ++i) {
    at = &at->next.emplace();
    at->number = i;
  }
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<chain>());
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(to_string(read->root(), 40), "{number: 0, next: {number: 1, next: {num...");
  EXPECT_TRUE(to_string(read->root(), std::size_t{1} << 23)
                  .ends_with("number: 99999, next: none}" + std::string(99'999, '}')));
  EXPECT_EQ(ingot::to_document(read->root()).error().code(), errc::too_deep);
}

TEST(dynamic_layout, a_description_that_is_not_the_block_s_is_rejected_by_name) {
  const ingot::live<plain> block;
  EXPECT_EQ(dynamic_block::open(block.bytes(), ingot::layout_of<chain>()).error().code(),
            errc::schema_mismatch);
  EXPECT_EQ(dynamic_block::open(block.bytes(), ingot::wide::layout_of<plain>()).error().code(),
            errc::layout_mismatch);
#if UINTPTR_MAX > 0xFFFFFFFF // other machines have no wide blocks
  const ingot::wide::live<plain> wide;
  EXPECT_EQ(dynamic_block::open(wide.bytes(), ingot::layout_of<plain>()).error().code(),
            errc::layout_mismatch);
  EXPECT_TRUE(dynamic_block::open(wide.bytes(), ingot::wide::layout_of<plain>()).has_value());
#endif
  EXPECT_EQ(dynamic_layout::of<plain>()->layout_id(), ingot::peek(block.bytes())->layout_id);
  // Bytes of another record's name, in a description with an updated hash: the types still have the
  // same layout_id.
  auto renamed = copy(ingot::layout_of<plain>());
  renamed.at(renamed.size() - 9 - 3) ^= std::byte{1};
  EXPECT_EQ(dynamic_layout::open(renamed).error().code(), errc::invalid_value);
}
TEST(dynamic_layout, checks_of_the_type_are_announced) {
  const ingot::live<checked> block;
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<checked>());
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->layout().asks_valid());
  EXPECT_FALSE(dynamic_layout::of<plain>()->asks_valid());
}

TEST(dynamic_layout, every_prefix_and_every_flipped_bit_is_rejected) {
  const auto whole = copy(ingot::layout_of<menu>());
  ASSERT_TRUE(dynamic_layout::open(whole).has_value());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(dynamic_layout::open(ingot::bytes_view(whole).first(size)).has_value()) << size;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto flipped = whole;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_FALSE(dynamic_layout::open(flipped).has_value()) << bit;
  }
}
TEST(dynamic_layout, blocks_of_a_forged_description_are_safe_to_read) {
  const auto typed = make_menu();
  const auto whole = copy(ingot::layout_of<menu>());
  const auto block = copy(typed.bytes());
  std::size_t layouts = 0;
  std::size_t blocks = 0;
  for (std::size_t bit = 8 * ingot::detail::dyn::layout_head; bit < 8 * (whole.size() - 8); ++bit) {
    auto flipped = whole;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    const auto outcome = read_anything(flipped, block);
    layouts += outcome.layout ? 1 : 0;
    blocks += outcome.block ? 1 : 0;
    EXPECT_EQ(outcome.failure, "") << bit;
  }
  // Other names and other sizes of the same bytes: some have to be accepted, or nothing was tested.
  EXPECT_GT(layouts, 100U);
  EXPECT_GT(blocks, 50U);
  EXPECT_LT(blocks, 8 * whole.size() / 2);
}

/// Two members of one name, as a class and its base may have: lookups find the first.
TEST(dynamic_layout, members_of_one_name_make_one_key) {
  auto bytes = copy(ingot::layout_of<plain>());
  const auto b = std::find(bytes.begin() + 24, bytes.end(), std::byte{'b'});
  ASSERT_NE(b, bytes.end());
  *b = std::byte{'a'};
  const auto sealed = sealed_anew(bytes);
  const ingot::live<plain> block;
  const auto read = dynamic_block::open(block.bytes(), sealed);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(to_string(read->root()), "{a: -2, a: 7}");
  const auto converted = ingot::to_document(read->root());
  ASSERT_TRUE(converted.has_value());
  EXPECT_EQ(converted->root().size(), 1U);
  EXPECT_EQ((*converted)["a"].value_or(0), -2);
  EXPECT_TRUE(ingot::document::open(converted->bytes()).has_value());
}

/// A description of records, each given by its size and by the types and offsets of its members.
struct member {
  std::uint64_t offset;
  std::uint64_t type;
};
struct record_of {
  std::uint64_t size;
  std::vector<member> members;
};
std::vector<std::byte> description(const std::vector<record_of>& records) {
  ingot::detail::dyn::layout_writer writer;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    layout_bytes type;
    type.byte(static_cast<std::uint8_t>(dynamic_kind::record));
    type.byte(0);
    type.number(records[i].size);
    type.byte(1);
    type.text("r");
    type.number(records[i].members.size());
    for (const member& each : records[i].members) {
      type.text("m");
      type.number(each.offset);
      type.number(each.type);
      type.byte(0);
    }
    static std::string tags[256];
    tags[i] = std::to_string(i);
    writer.describe(writer.add(tags[i]).index, std::move(type));
  }
  return writer.finish(4, 0, 0);
}
errc why(const std::vector<std::byte>& bytes) {
  const auto sealed = sealed_anew(bytes);
  const auto layout = dynamic_layout::open(sealed);
  return layout ? errc::io : layout.error().code(); // io: not a reason for rejection
}

TEST(dynamic_layout, types_that_make_no_sense_are_rejected) {
  EXPECT_EQ(why(description({{1, {}}})), errc::io);
  EXPECT_EQ(why(description({{8, {{0, 1}}}, {8, {}}})), errc::io);
  EXPECT_EQ(why(description({{8, {{0, 0}}}})), errc::invalid_value); // contains itself
  // contains itself through another record
  EXPECT_EQ(why(description({{8, {{0, 1}}}, {8, {{0, 0}}}})), errc::invalid_value);
  EXPECT_EQ(why(description({{8, {{0, 2}}}, {8, {}}})), errc::out_of_range); // no such type
  EXPECT_EQ(why(description({{8, {{4, 1}}}, {8, {}}})), errc::bad_length);   // beyond the end
  EXPECT_EQ(why(description({{8, {{~std::uint64_t{0}, 1}}}, {8, {}}})), errc::bad_length);
  EXPECT_EQ(why(description({{0, {}}})), errc::out_of_range);
  EXPECT_EQ(why(description({{std::uint64_t{1} << 41, {}}})), errc::out_of_range);
  std::vector<record_of> deep;
  for (std::uint64_t i = 0; i < 64; ++i) deep.push_back({8, {{0, i + 1}}});
  deep.push_back({8, {}});
  EXPECT_EQ(why(description(deep)), errc::too_deep);
  deep.erase(deep.begin());
  for (auto& each : deep) {
    for (auto& one : each.members) --one.type;
  }
  EXPECT_EQ(why(description(deep)), errc::io);
  // Each contains the next one twice, in the same bytes: 2^40 objects in 8.
  std::vector<record_of> doubled;
  for (std::uint64_t i = 0; i < 40; ++i) doubled.push_back({8, {{0, i + 1}, {0, i + 1}}});
  doubled.push_back({8, {}});
  EXPECT_EQ(why(description(doubled)), errc::too_large);
}

TEST(dynamic_layout, the_bytes_of_a_description_never_change) {
  struct example {
    std::uint16_t id;
    ingot::string name;
    ingot::vector<float> sizes;
  };
  if (std::endian::native == std::endian::big) GTEST_SKIP() << "another layout";
  const auto hold = [](const char* name, const std::vector<std::byte>& encoded) {
    const auto bytes = ingot_test::golden(name);
    ingot_test::expect_bytes(name, encoded, bytes);
    EXPECT_TRUE(dynamic_layout::open(bytes).has_value());
  };
  hold("layout_example", copy(ingot::layout_of<example>()));
  hold("layout_versioned_example", copy(ingot::layout_of<counter>()));
}

TEST(dynamic_layout, a_description_that_did_not_have_versions_is_rejected_by_its_number) {
  auto bytes = copy(ingot::layout_of<counter>());
  bytes[4] = std::byte{1};
  const auto old = dynamic_layout::open(sealed_anew(bytes));
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code(), errc::wrong_version);
  EXPECT_EQ(old.error().offset(), 4U);
}

} // namespace dynamic_layout_test
