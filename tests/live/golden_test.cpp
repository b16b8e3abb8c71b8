// SPDX-License-Identifier: Apache-2.0
// The bytes of canonical blocks never change: every compiler and standard library for a machine makes those that were committed,
// and opens them. On a machine that lays types out otherwise they are refused by name.
//
// Run with INGOT_WRITE_GOLDENS=1 in the environment, the test writes the files that are missing. It never overwrites one.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "document/byte_map.hpp"
#include "zoo/live.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
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
    auto& made = c.items[raw()];
    made.id = u32();
    made.uuid = raw();
    made.number = u32();
    made.timestamp = raw();
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

std::filesystem::path path_of(std::string_view name) {
  return std::filesystem::path(INGOT_SOURCE_DIR) / "tests/golden" / (std::string(name) + ".hex");
}
std::vector<std::byte> read_hex(const std::filesystem::path& path) {
  std::vector<std::byte> bytes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (unsigned byte = 0; words >> std::hex >> byte;) bytes.push_back(static_cast<std::byte>(byte));
  }
  return bytes;
}
void write_hex(const std::filesystem::path& path, std::string_view what, ingot::bytes_view bytes) {
  std::ofstream file(path);
  file << "# " << what << "; little-endian, 64-bit alignment\n";
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = std::to_integer<std::size_t>(bytes[i]);
    file << digits[byte / 16] << digits[byte % 16] << (i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ');
  }
}

/// The layout that the committed files are of.
constexpr bool is_their_layout =
    std::endian::native == std::endian::little && alignof(std::uint64_t) == 8 && sizeof(void*) == 8;

template <class T>
void hold_against(std::string_view name, std::string_view what, const ingot::live<T>& canonical) {
  const auto path = path_of(name);
  if (is_their_layout && std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::filesystem::exists(path))
    write_hex(path, what, canonical.bytes());
  const auto golden = read_hex(path);
  ASSERT_FALSE(golden.empty()) << path;
  const auto opened = ingot::live<T>::open(golden);
  if constexpr (is_their_layout) {
    const auto [a, b] = std::ranges::mismatch(canonical.bytes(), golden);
    EXPECT_TRUE(a == canonical.bytes().end() && b == golden.end())
        << name << ": they part at byte " << a - canonical.bytes().begin();
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_TRUE(*opened == canonical);
  } else {
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), ingot::errc::other_layout);
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
        ingot::dynamic_block::open(read_hex(path_of("live_cabinet")), ingot::layout_of<zoo::live_cabinet>());
    ASSERT_TRUE(cabinet) << cabinet.error().message();
    EXPECT_EQ(byte_map_test::cover(*cabinet).verdict(), "");
    const auto hero =
        ingot::dynamic_block::open(read_hex(path_of("live_char1")), ingot::layout_of<character>());
    ASSERT_TRUE(hero) << hero.error().message();
    EXPECT_EQ(byte_map_test::cover(*hero).verdict(), "");
  }
}

TEST(live_golden, canonical_blocks_are_proved_in_order) {
  if constexpr (is_their_layout) {
    const auto bytes = read_hex(path_of("live_cabinet"));
    ASSERT_FALSE(bytes.empty());
    alignas(16) static std::byte aligned[16384];
    ASSERT_LE(bytes.size(), sizeof aligned);
    std::ranges::copy(bytes, aligned);
    EXPECT_TRUE(
        (ingot::detail::prove_in_order<zoo::live_cabinet, ingot::narrow_policy>(aligned, bytes.size())));
  }
}

} // namespace golden_test
