// SPDX-License-Identifier: Apache-2.0
// The types of the workloads: CHAR-1's character, MONSTER's monster, SINK's message, TICK's three.
#pragma once

#include "sample.hpp"

#include <map>

namespace zoo {

struct skill {
  std::uint32_t id;
  std::uint32_t level;
};
ZOO_MEMBERS(skill, id, level)
struct item {
  std::uint32_t id;
  std::uint32_t number;
  std::uint64_t uuid;
  std::uint64_t timestamp;
};
ZOO_MEMBERS(item, id, number, uuid, timestamp)
struct position {
  float x, y, z;
};
ZOO_MEMBERS(position, x, y, z)
struct equip {
  std::uint32_t id;
  std::uint32_t number;
  std::uint64_t uuid;
  std::uint64_t timestamp;
  std::uint32_t level;
  std::vector<float> attributes;
};
ZOO_MEMBERS(equip, id, number, uuid, timestamp, level, attributes)

/// CHAR-1. `sample` gives small characters; `char1` gives those of the workload.
struct character {
  std::uint64_t id;
  std::string name;
  std::uint32_t level;
  float healthpoint;
  float manapoint;
  float speed;
  position pos;
  std::map<std::uint64_t, item> items;
  std::vector<position> path;
  std::vector<float> attributes;
  std::vector<equip> equips;
  std::vector<skill> skills;
};
ZOO_MEMBERS(character, id, name, level, healthpoint, manapoint, speed, pos, items, path, attributes, equips,
            skills)

/// FILL(seed) of the workload, with the same order of random numbers.
inline character char1(std::uint64_t seed) {
  character c{};
  std::mt19937_64 raw(seed);
  for (int i = 0; i < 8; ++i) {
    c.name.push_back("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[raw() % 62]);
  }
  raw.seed(seed);
  const auto u64 = [&] { return raw(); };
  const auto u32 = [&] { return static_cast<std::uint32_t>(raw() >> 32); };
  const auto real = [&] { return static_cast<float>(raw() >> 40) * 0x1p-24f; };
  const auto point = [&] {
    position p{};
    p.x = real();
    p.y = real();
    p.z = real();
    return p;
  };
  c.id = u64();
  c.level = u32();
  c.healthpoint = real();
  c.manapoint = real();
  c.speed = real();
  c.pos = point();
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t key = u64();
    item it{};
    it.id = u32();
    it.uuid = u64();
    it.number = u32();
    it.timestamp = u64();
    c.items[key] = it;
  }
  for (int i = 0; i < 16; ++i) c.path.push_back(point());
  for (int i = 0; i < 16; ++i) c.attributes.push_back(real());
  for (int i = 0; i < 8; ++i) {
    equip& e = c.equips.emplace_back();
    e.id = u32();
    e.uuid = u64();
    e.number = u32();
    e.timestamp = u64();
    e.level = u32();
    for (int k = 0; k < 8; ++k) e.attributes.push_back(real());
  }
  for (int i = 0; i < 4; ++i) {
    skill& s = c.skills.emplace_back();
    s.id = u32();
    s.level = u32();
  }
  return c;
}

enum class monster_colour : std::uint8_t { red, green, blue };
template <>
struct sampler<monster_colour> : one_of<monster_colour::red, monster_colour::green, monster_colour::blue> {};

struct weapon {
  std::string name;
  std::int16_t damage;
};
ZOO_MEMBERS(weapon, name, damage)

/// MONSTER.
struct monster {
  position place;
  std::int16_t mana;
  std::int16_t hp;
  std::string name;
  std::vector<std::uint8_t> inventory;
  monster_colour colour;
  std::vector<weapon> weapons;
  weapon equipped;
  std::vector<position> path;
};
ZOO_MEMBERS(monster, place, mana, hp, name, inventory, colour, weapons, equipped, path)

struct sink_pair {
  std::uint32_t key;
  float value;
};
ZOO_MEMBERS(sink_pair, key, value)
struct sink_part {
  std::vector<std::uint8_t> blob;
  std::string note;
};
ZOO_MEMBERS(sink_part, blob, note)

/// SINK.
struct sink_message {
  std::uint64_t id;
  std::string title;
  std::vector<std::uint8_t> blob;
  std::vector<sink_pair> pairs;
  sink_part part;
  double tail;
};
ZOO_MEMBERS(sink_message, id, title, blob, pairs, part, tail)

/// TICK, 25 bytes of data in 32 of memory.
struct tick {
  std::uint64_t time;
  double price;
  std::uint32_t size;
  std::uint32_t id;
  std::uint8_t side;
};
ZOO_MEMBERS(tick, time, price, size, id, side)

template <class F>
void for_each_game(F&& f) {
  f.template operator()<position>("position");
  f.template operator()<tick>("tick");
  f.template operator()<std::vector<tick>>("vector_tick");
  f.template operator()<character>("character");
  f.template operator()<monster>("monster");
  f.template operator()<std::vector<monster>>("vector_monster");
  f.template operator()<sink_message>("sink_message");
  f.template operator()<std::vector<sink_message>>("vector_sink_message");
}

} // namespace zoo
