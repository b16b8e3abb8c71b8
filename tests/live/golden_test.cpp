// SPDX-License-Identifier: Apache-2.0
// The bytes of canonical blocks never change: every compiler and standard library for a machine
// produces and opens the bytes that were committed. A machine with another layout of types rejects
// them with `layout_mismatch`.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "dynamic/byte_map.hpp"
#include "golden_file.hpp"
#include "zoo/live.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace live_test_types {

struct skill {
  std::uint32_t id, level;
};
struct item {
  std::uint32_t id, number;
  std::uint64_t uuid, timestamp;
};
struct position {
  float x, y, z;
};
struct equip {
  std::uint32_t id, number;
  std::uint64_t uuid, timestamp;
  std::uint32_t level;
  ingot::vector<float> attributes;
};
struct character {
  std::uint64_t id;
  ingot::string name;
  std::uint32_t level;
  float healthpoint, manapoint, speed;
  position pos;
  ingot::map<std::uint64_t, item> items;
  ingot::vector<position> path;
  ingot::vector<float> attributes;
  ingot::vector<equip> equips;
  ingot::vector<skill> skills;
};

} // namespace live_test_types

namespace golden_test {

using live_test_types::character;

/// FILL(seed) of the workload CHAR-1, draw by draw.
void fill(character& c, std::uint64_t seed) {
  std::mt19937_64 named(seed);
  for (int i = 0; i < 8; ++i)
    c.name.push_back("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[named() % 62]);
  std::mt19937_64 raw(seed);
  const auto u32 = [&] { return static_cast<std::uint32_t>(raw() >> 32); };
  const auto real = [&] { return static_cast<float>(raw() >> 40) * 0x1p-24F; };
  c.id = raw();
  c.level = u32();
  for (float* f : {&c.healthpoint, &c.manapoint, &c.speed, &c.pos.x, &c.pos.y, &c.pos.z}) *f = real();
  for (int i = 0; i < 64; ++i) {
    auto& entry = c.items[raw()];
    entry.id = u32();
    entry.uuid = raw();
    entry.number = u32();
    entry.timestamp = raw();
  }
  for (int i = 0; i < 16; ++i) {
    auto& p = c.path.emplace_back();
    for (float* f : {&p.x, &p.y, &p.z}) *f = real();
  }
  for (int i = 0; i < 16; ++i) c.attributes.push_back(real());
  for (int i = 0; i < 8; ++i) {
    auto& e = c.equips.emplace_back();
    e.id = u32();
    e.uuid = raw();
    e.number = u32();
    e.timestamp = raw();
    e.level = u32();
    for (int k = 0; k < 8; ++k) e.attributes.push_back(real());
  }
  for (int i = 0; i < 4; ++i) {
    auto& s = c.skills.emplace_back();
    s.id = u32();
    s.level = u32();
  }
}

struct wide_member {
  std::uint64_t number;
};
/// The layout of the committed files: that of 64-bit machines, 32-bit ARM and wasm32. 32-bit x86
/// aligns members of 64 bits to 4 bytes.
constexpr bool is_their_layout = std::endian::native == std::endian::little && alignof(wide_member) == 8;

template <class T>
void hold_against(std::string_view name, std::string_view what, const ingot::live<T>& canonical) {
  const auto golden = ingot_test::golden(name, std::string(what) + "; little-endian, 64-bit alignment",
                                         is_their_layout ? std::optional(canonical.bytes()) : std::nullopt);
  const auto opened = ingot::live<T>::open(golden);
  if constexpr (is_their_layout) {
    ingot_test::expect_bytes(name, canonical.bytes(), golden);
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_TRUE(*opened == canonical);
  } else {
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), ingot::errc::layout_mismatch);
  }
}

TEST(live_golden, a_game_character_is_the_same_bytes_on_every_compiler) {
  ingot::live<character> c;
  fill(*c, 0);
  c.compact();
  EXPECT_EQ(std::string_view(c->name), "mlvUQAfG");
  hold_against("live_char1", "CHAR-1, FILL(0)", c);
}

TEST(live_golden, every_container_is_the_same_bytes_on_every_compiler) {
  hold_against("live_cabinet", "every container", ingot::live<zoo::live_cabinet>(zoo::make_cabinet()));
}

TEST(live_golden, a_map_of_bytes_has_every_byte_once) {
  if constexpr (is_their_layout) {
    const auto cabinet =
        ingot::dynamic_block::open(ingot_test::golden("live_cabinet"), ingot::layout_of<zoo::live_cabinet>());
    ASSERT_TRUE(cabinet) << cabinet.error().message();
    EXPECT_EQ(byte_map_test::cover(*cabinet).verdict(), "");
    const auto hero =
        ingot::dynamic_block::open(ingot_test::golden("live_char1"), ingot::layout_of<character>());
    ASSERT_TRUE(hero) << hero.error().message();
    EXPECT_EQ(byte_map_test::cover(*hero).verdict(), "");
  }
}

TEST(live_golden, canonical_blocks_are_validated_in_order) {
  if constexpr (is_their_layout) {
    const auto bytes = ingot_test::golden("live_cabinet");
    ASSERT_FALSE(bytes.empty());
    alignas(16) static std::byte aligned[16384];
    ASSERT_LE(bytes.size(), sizeof aligned);
    std::ranges::copy(bytes, aligned);
    EXPECT_TRUE(
        (ingot::detail::is_canonical_block<zoo::live_cabinet, ingot::narrow_policy>(aligned, bytes.size())));
  }
}

} // namespace golden_test
