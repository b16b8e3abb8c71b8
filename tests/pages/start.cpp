// SPDX-License-Identifier: Apache-2.0
// The code of docs/start.md, in one program that ends with 0 if all of it is true.
#include <ingot/ingot.hpp>
#include <ingot/json/json.hpp>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Item {
  std::uint32_t id;
  std::uint32_t count;
};
struct Character {
  std::string name;
  float position[3];
  std::vector<Item> equips;
  std::map<std::string, Item> items;
};

struct LiveCharacter {
  ingot::string name;
  float position[3];
  ingot::vector<Item> equips;
  ingot::map<ingot::string, Item> items;
};

namespace {

int packed(const Character& hero) {
  auto bytes = ingot::pack(hero).value();       // throws std::bad_expected_access without memory
  auto again = ingot::unpack<Character>(bytes); // ingot::result<Character>: a value, or an error
  if (!again) return std::puts(again.error().message().c_str());

  auto seen = ingot::view<Character>::open(bytes); // checked once, nothing is decoded
  if (!seen) return std::puts(seen.error().message().c_str());
  std::string_view name = seen->get<"name">();
  std::uint32_t count = seen->get<"equips">()[0].get<&Item::count>();
  return name == again->name && count == 1 ? 0 : 1;
}

int live(const Character& hero) {
  ingot::live<LiveCharacter> block(hero); // or without a value: ingot::live<LiveCharacter> block;
  block->name = "Ada, Countess of Lovelace";
  block->equips.emplace_back(Item{8, 3});
  block->items["lamp"].count = 1;

  auto bytes = block.bytes();                         // a pointer and a length: send them
  auto got = ingot::live<LiveCharacter>::open(bytes); // validates: any bytes are safe
  if (!got) return std::puts(got.error().message().c_str());
  (*got)->equips[1].count += 1; // changed and grown in place
  (*got)->items.erase("rope");
  return (*got)->items.size() == 1 && (*got)->equips[1].count == 4 ? 0 : 1;
}

int text(const Character& hero) {
  std::string json = ingot::json::write(hero, ingot::json::pretty).value();
  auto read = ingot::json::read<Character>(json);
  auto wrong = ingot::json::read<Item>(R"({"id": 7, "count": -1})");
  std::puts(wrong.error().message().c_str());
  return read && read->name == hero.name && !wrong ? 0 : 1;
}

int document(const Character& hero) {
  ingot::document doc;
  doc["hero"] = hero;
  doc["seen"] = true;
  doc["hero"]["equips"][0]["count"] = 5;
  auto bytes = doc.bytes();                // ready to send, as a block's
  auto got = ingot::document::open(bytes); // validates
  auto back = (*got)["hero"].as<Character>();
  return back && back->equips[0].count == 5 ? 0 : 1;
}

} // namespace

int main() {
  const Character hero{"Ada", {1, 2.5f, 3}, {{7, 1}}, {{"rope", {9, 2}}}};
  return packed(hero) + live(hero) + text(hero) + document(hero);
}
