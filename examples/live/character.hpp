// SPDX-License-Identifier: Apache-2.0
// The demo's character, live: the same members in the containers of a block. demo::Character, with
// std:: containers, is its twin.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "../demo/world.hpp"

#include <cstdint>

namespace live_demo {

using demo::Item;
using demo::Position;
using demo::Skill;

struct Equip {
  std::uint32_t id, number;
  std::uint64_t uuid, timestamp;
  std::uint32_t level;
  ingot::vector<float> attributes;
};
struct Character {
  std::uint64_t id;
  ingot::string name;
  std::uint32_t level;
  float healthpoint, manapoint, speed;
  Position pos;
  ingot::map<std::uint64_t, Item> items;
  ingot::vector<Position> path;
  ingot::vector<float> attributes;
  ingot::vector<Equip> equips;
  ingot::vector<Skill> skills;
};
using Hero = ingot::live<Character>;

/// Sixty kilobytes are enough for one character for ever; memory comes by use.
inline constexpr ingot::max_block_size hero_ceiling{50 * 1024};

} // namespace live_demo
