// SPDX-License-Identifier: Apache-2.0
// The examples of the README: a live block that is sent, received and sent on; then one plain
// struct, text, bytes, and the bytes read in place.
#include <ingot/json/json.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace block {

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

std::vector<std::byte> received; // in place of a network

void send(ingot::bytes_view bytes) { received.assign(bytes.begin(), bytes.end()); }
int complain(const std::string& why) { return std::fputs(why.c_str(), stderr), 1; }

void begin() {
  ingot::live<Character> hero;
  hero->name = "It is just a character's name.";
  hero->equips.emplace_back().attributes = {1.2f, 2.0f};
  hero->items[0xda4c] = Item{8056, 1};
  send(hero.bytes()); // nothing is encoded
}

int answer() {
  auto got = ingot::live<Character>::open(received); // validates: any bytes are safe
  if (!got) return complain(got.error().message());
  (*got)->equips[0].attributes.push_back(7); // grows in place
  send(got->bytes());                        // sends it on
  return (*got)->equips[0].attributes.size() == 3 ? 0 : 1;
}

} // namespace block

// [readme]
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

int run() {
  auto hero = ingot::json::read<Character>(R"({
    "name": "Ada", "position": [1, 2.5, 3],
    "equips": [{"id": 7, "count": 1}], "items": {"rope": {"id": 9, "count": 2}}
  })");
  if (!hero) return std::fputs(hero.error().message().c_str(), stderr), 1;

  auto bytes = ingot::pack(*hero);                 // a result: 55 portable bytes, no generated code
  auto seen = ingot::view<Character>::open(bytes); // checked once; or the error of `pack`
  if (!seen) return std::fputs(seen.error().message().c_str(), stderr), 1;
  std::string_view name = seen->get<"name">();   // any field, in place
  auto rope = seen->get<"items">().find("rope"); // binary search in the bytes
  std::uint32_t count = (*rope).second.get<&Item::count>();

  auto again = ingot::unpack<Character>(bytes); // or decoded, checked while it goes
  auto text = ingot::json::write(*again, ingot::json::pretty);
  return text && name == "Ada" && count == 2 ? 0 : 1;
}
// [readme]

int main() {
  block::begin();
  return block::answer() != 0 ? 1 : run();
}
