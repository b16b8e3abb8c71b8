// SPDX-License-Identifier: Apache-2.0
// The code of docs/dynamic.md.
#include <ingot/dynamic/byte_map.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include "pages.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace pages::dynamic_types {

struct Item {
  std::uint32_t number = 0;
  std::uint32_t count = 0;
};
struct Equip {
  std::uint32_t id = 0;
  ingot::vector<float> attributes;
};
struct Character {
  ingot::string name;
  ingot::vector<Equip> equips;
  ingot::map<std::uint64_t, Item> items;
};
struct PlainEquip {
  std::uint32_t id = 0;
  std::vector<float> attributes;
};
struct PlainCharacter {
  std::string name;
  std::vector<PlainEquip> equips;
  std::map<std::uint64_t, Item> items;
};

bool block() {
  ingot::live<Character> character;
  character->name = "Ada";
  character->equips.emplace_back().attributes = {0.5f, 1, 2.5f};
  character->items[0xda4c] = Item{8056, 1};
  send(character.bytes());
  const std::vector<std::byte> received = wire;
  std::ostringstream out;
  std::vector<std::byte> description;
  const auto keep = [&](const char*, ingot::bytes_view bytes) {
    description.assign(bytes.begin(), bytes.end());
  };

  // A program with the type: some hundred bytes, the same on every machine with the same layout.
  // Send them once, or store them beside blocks.
  keep("character.layout", ingot::layout_of<Character>());

  // A program without the type: any bytes, from any source.
  auto layout = ingot::dynamic_layout::open(description);
  if (!layout) return complain(layout.error().message());
  auto hero = ingot::dynamic_block::open(received, *layout);
  if (!hero) return complain(hero.error().message());

  auto third = hero->at("equips[0].attributes[2]").as<float>(); // a result: 2.5 is no int
  auto number = hero->at("items").find(0xda4c)["number"];       // by key; enumerators also by name
  for (const auto& part : hero->root().parts())                 // members, elements, entries
    out << part.name << ": " << part.value << '\n';
  ingot::document doc = *ingot::to_document(hero->root());

  struct shares final : ingot::byte_visitor {
    std::array<std::uint64_t, ingot::byte_uses> of{};
    void enter(const ingot::byte_step&) override {}
    void leave() override {}
    void bytes(const ingot::byte_piece& piece) override { of[std::size_t(piece.use)] += piece.length; }
  } found;
  auto done = ingot::map_bytes(found, *hero); // no_memory, or nothing
  std::uint64_t holes = found.of[std::size_t(ingot::byte_use::hole)];
  std::uint64_t all = 0;
  for (const std::uint64_t each : found.of) all += each;
  return third && *third == 2.5f && number.as<int>().value_or(0) == 8056 &&
         out.str().starts_with("name: \"Ada\"\n") && doc["equips"][0]["attributes"].size() == 3 && done &&
         holes < all && all == received.size();
}

bool message() {
  const PlainCharacter plain{"Ada", {{1, {0.5f, 1, 2.5f}}}, {{0xda4c, {8056, 1}}}};
  send(ingot::pack(plain).value());
  const std::vector<std::byte> received = wire;
  const ingot::bytes_view description = ingot::schema_bytes<PlainCharacter>();

  // Once for any number of messages; of compact ones message_profile::compact.
  auto by = ingot::dynamic_schema::open(description, ingot::message_profile::pack);
  if (!by) return complain(by.error().message());
  auto hero = ingot::dynamic_message::open(received, *by);
  if (!hero) return complain(hero.error().message());

  auto third = hero->at("equips[0].attributes[2]").as<float>();
  auto range = hero->at("items").find(0xda4c)["count"].own_bytes(); // its offset and length

  ingot::document doc = *ingot::to_document(hero->root());
  doc["name"] = "Ann";
  auto changed = ingot::pack_document(doc, *by); // a message again, or why not, by path
  if (!third || *third != 2.5f || range.length != 4 || !changed) return false;
  const auto again = ingot::unpack<PlainCharacter>(*changed);
  return again && again->name == "Ann" && again->items.at(0xda4c).count == 1;
}

} // namespace pages::dynamic_types

bool pages::dynamic_page() { return dynamic_types::block() && dynamic_types::message(); }
