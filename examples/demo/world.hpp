// SPDX-License-Identifier: Apache-2.0
// A generated game world: the same characters for the same seeds, on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace demo {

struct Skill {
  std::uint32_t id, level;
  bool operator==(const Skill&) const = default;
};
struct Item {
  std::uint32_t id, number;
  std::uint64_t uuid, timestamp;
  bool operator==(const Item&) const = default;
};
struct Position {
  float x, y, z;
  bool operator==(const Position&) const = default;
};
struct Equip {
  std::uint32_t id, number;
  std::uint64_t uuid, timestamp;
  std::uint32_t level;
  std::vector<float> attributes;
  bool operator==(const Equip&) const = default;
};
struct Character {
  std::uint64_t id;
  std::string name;
  std::uint32_t level;
  float healthpoint, manapoint, speed;
  Position pos;
  std::map<std::uint64_t, Item> items;
  std::vector<Position> path;
  std::vector<float> attributes;
  std::vector<Equip> equips;
  std::vector<Skill> skills;
  bool operator==(const Character&) const = default;
};
struct World {
  std::vector<Character> characters;
  bool operator==(const World&) const = default;
};

inline Character make_character(std::uint64_t seed) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  Character c{};
  std::mt19937_64 named(seed);
  for (int i = 0; i < 8; ++i) c.name += letters[named() % letters.size()];
  std::mt19937_64 raw(seed);
  const auto u32 = [&] { return static_cast<std::uint32_t>(raw() >> 32); };
  const auto real = [&] { return static_cast<float>(raw() >> 40) * 0x1p-24F; };
  c.id = raw();
  c.level = u32();
  c.healthpoint = real();
  c.manapoint = real();
  c.speed = real();
  for (float* p : {&c.pos.x, &c.pos.y, &c.pos.z}) *p = real();
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t key = raw();
    Item item{};
    item.id = u32();
    item.uuid = raw();
    item.number = u32();
    item.timestamp = raw();
    c.items.emplace(key, item);
  }
  for (int i = 0; i < 16; ++i) {
    Position& p = c.path.emplace_back();
    for (float* v : {&p.x, &p.y, &p.z}) *v = real();
  }
  for (int i = 0; i < 16; ++i) c.attributes.push_back(real());
  for (int i = 0; i < 8; ++i) {
    Equip& e = c.equips.emplace_back();
    e.id = u32();
    e.uuid = raw();
    e.number = u32();
    e.timestamp = raw();
    e.level = u32();
    for (int k = 0; k < 8; ++k) e.attributes.push_back(real());
  }
  for (int i = 0; i < 4; ++i) {
    Skill& s = c.skills.emplace_back();
    s.id = u32();
    s.level = u32();
  }
  return c;
}

inline World make_world(std::uint64_t characters) {
  World world;
  for (std::uint64_t seed = 0; seed < characters; ++seed) world.characters.push_back(make_character(seed));
  return world;
}

} // namespace demo
