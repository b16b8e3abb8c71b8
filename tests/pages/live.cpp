// SPDX-License-Identifier: Apache-2.0
// What docs/live.md shows.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "pages.hpp"

#include <cstdint>

namespace pages::live_types {

struct Item {
  std::uint32_t number = 0;
  std::uint32_t count = 0;
};
struct Equip {
  std::uint32_t id;
  ingot::vector<float> attributes;
};
struct Character {
  std::uint64_t id;
  ingot::string name;
  ingot::vector<Equip> equips;
  ingot::map<std::uint64_t, Item> items;
};

bool shown() {
  ingot::live<Character> hero;
  hero->name = "It is just a character's name.";
  hero->equips.emplace_back().attributes = {1.2f, 2.0f};
  hero->items[0xda4c] = Item{8056, 1};
  send(hero.bytes()); // nothing is encoded
  const std::vector<std::byte> received = wire;

  auto got = ingot::live<Character>::open(received); // proved: any bytes, from anybody
  if (!got) return complain(got.error().message());
  (*got)->equips[0].attributes.push_back(7); // grows where it lies
  return (*got)->equips[0].attributes.size() == 3 && (*got)->equips[0].attributes[2] == 7 &&
         (*got)->name == "It is just a character's name." && (*got)->items.at(0xda4c).number == 8056;
}

} // namespace pages::live_types

bool pages::live_page() { return live_types::shown(); }
