// SPDX-License-Identifier: Apache-2.0
// Values of any kind in damaged blocks: rejected, or fit for every operation. An accepted block is
// accepted again after each edit.
#include <ingot/document/live_value.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/dice.hpp"
#include "live/offering.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace live_value_damage_test {

using namespace live_test;
using ingot::live;

struct single {
  ingot::live_value value;
};
struct order {
  ingot::string id;
  ingot::live_value extra;
  ingot::vector<ingot::live_value> more;
  ingot::map<ingot::string, ingot::live_value> named;
};

void fill(order& root) {
  root.id = "an order of some length";
  root.extra["price"] = 3.5;
  root.extra["tags"] = std::vector<std::string>{"new", "bulky", "a tag that is longer than short texts are"};
  root.extra["count"] = 70'000;
  root.more.emplace_back();
  root.more.back() = std::vector<int>{1, 2, 300};
  root.more.emplace_back() = "text";
  root.named["a"] = std::vector<double>{0.1, 0.2};
}
void edit(order& root) {
  static_cast<void>(root.extra.erase("tags"));
  static_cast<void>(root.more[0].append("a longer text, which has to be put somewhere"));
  static_cast<void>(root.more[0].erase(std::size_t{0}));
  root.named["b"] = nullptr;
}

/// If the count of free bytes were wrong after an edit, a block that `open` accepted would no
/// longer open in its own program.
TEST(live_value_damage, damaged_blocks_are_rejected_or_usable) {
  live<order> block;
  fill(*block);
  block.compact();
  const byte_vector canonical = bytes_of(block);
  edit(*block);
  const byte_vector edited_bytes = bytes_of(block);
  offering<order> all("values of any kind");
  dice random(5);
  for (const byte_vector& bytes : {canonical, edited_bytes}) offer_all_damage(all, bytes, 61, random);
  EXPECT_GT(all.accepted, all.tried / 100);
}

/// Returns a block with one object of three members, and the greatest count of free bytes that
/// `open` accepts.
byte_vector max_holes() {
  live<single> block;
  block->value["first"] = "a text of some length that has a size";
  block->value["second"] = 1.5;
  block->value["third"] = std::vector<std::string>{"one", "two"};
  block.compact();
  byte_vector bytes = bytes_of(block);
  const auto size = static_cast<std::uint32_t>(block->value.bytes().size());
  std::memcpy(bytes.data() + ingot::detail::root_position + 4, &size, sizeof size);
  return bytes;
}

TEST(live_value_damage, hole_count_of_all_bytes_survives_every_edit) {
  const byte_vector bytes = max_holes();
  const auto after = [&](auto&& change) {
    auto block = live<single>::open(bytes);
    ASSERT_TRUE(block.has_value());
    change((*block)->value);
    expect_reopens(*block, true);
    byte_vector memory = bytes;
    exact_bytes there(bytes);
    if (!there.is_aligned()) return;
    auto in_place = live<single>::open_in_place(there.span());
    ASSERT_TRUE(in_place.has_value());
    change((*in_place)->value);
    expect_reopens(*in_place, false);
  };
  after([](auto& v) { EXPECT_TRUE(v.erase("first").has_value()); });
  after([](auto& v) { EXPECT_TRUE(v.erase("third").has_value()); });
  after([](auto& v) { EXPECT_TRUE(v.set("second", nullptr).has_value()); });
  after([](auto& v) { EXPECT_TRUE(v.clear().has_value()); });
  after([](auto& v) { EXPECT_TRUE(v.set(nullptr).has_value()); });
  after([](auto& v) { v.reset(); });
  after([](auto& v) { static_cast<void>(v.set("more", std::string(300, 'x'))); });
  after([](auto& v) { static_cast<void>(v.rename("first", "1")); });
}

TEST(live_value_damage, hole_count_is_sound_while_editing) {
  // The block may be sent before the editing ends.
  auto block = live<single>::open(max_holes());
  ASSERT_TRUE(block.has_value());
  auto edit = (*block)->value.edit();
  for (const char* const key : {"third", "second", "first"}) {
    EXPECT_TRUE(edit.root().erase(key).has_value());
    expect_reopens(*block, true);
  }
}

} // namespace live_value_damage_test
