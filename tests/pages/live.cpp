// SPDX-License-Identifier: Apache-2.0
// The code of docs/live.md.
#include <ingot/document/live_value.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/same_layout_everywhere.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "pages.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

  auto got = ingot::live<Character>::open(received); // validates: any bytes are safe
  if (!got) return complain(got.error().message());
  (*got)->equips[0].attributes.push_back(7); // grows in place
  send(got->bytes());                        // sends it on
  if (wire.empty() || wire == received) return complain("nothing was sent on");
  return (*got)->equips[0].attributes.size() == 3 && (*got)->equips[0].attributes[2] == 7 &&
         (*got)->name == "It is just a character's name." && (*got)->items.at(0xda4c).number == 8056;
}

int values() {
  struct order {
    ingot::string id;
    ingot::live_value extra;
  };

  ingot::live<order> o;
  o->extra["price"] = 3.5;
  o->extra["tags"] = std::vector<std::string>{"new", "bulky"};
  const double price = o->extra["price"].value_or(0.0);

  auto edit = o->extra.edit();          // several changes, or some deeper down
  ingot::value_ref tags = edit["tags"]; // follows its value while others grow and move
  if (!tags.append("paid")) return 1;
  return price == 3.5 && edit["tags"].size() == 3 && edit["tags"][2].as<std::string>() == "paid" ? 0 : 2;
}

struct Ship {
  std::uint64_t id;
  ingot::string name;
  ingot::vector<float> cargo;
};
static_assert(ingot::same_layout_everywhere<Ship>);

enum class Mode : std::uint8_t { idle, moving };
struct Robot {
  Mode mode = Mode::idle;
  ingot::vector<Mode> plan;
};

bool checked() {
  const auto from_network = static_cast<Mode>(7);
  ingot::live<Robot> robot;
  robot->plan.push_back(from_network); // memory takes any number
  auto good = robot.check();           // the result that `open` of these bytes would have
  if (good) return complain("7 is no mode");
  std::string why = good.error().message(); // bad enumerator at byte … (plan[0]): expected …
  auto opened = ingot::live<Robot>::open(robot.bytes());
  return !opened && opened.error().message() == why && good.error().path() == "plan[0]";
}

struct Door {
  ingot::optional<std::uint32_t> key;
  ingot::variant<std::uint32_t, ingot::string> label; // a number or text
};

bool labelled() {
  std::string printed;
  const auto print = [&](std::string_view text) { printed = text; };
  ingot::live<Door> door;
  door->key = 7u;
  door->label.emplace<ingot::string>("Cellar");
  if (const auto* text = door->label.get_if<ingot::string>()) print(std::string_view(*text));
  return printed == "Cellar" && door->key == 7u;
}

struct Monster {
  ingot::string name;
  std::uint32_t power = 0;
};
struct World {
  ingot::pool<Monster> monsters;
  ingot::ref<Monster> boss; // finds nothing yet
};

bool linked() {
  ingot::live<World> w;
  ingot::pool<Monster>& monsters = w->monsters;
  w->boss = monsters.add("Grendel", 100u);
  if (Monster* boss = monsters.get(w->boss)) boss->power += 5; // null if it was erased
  std::uint32_t total = 0;
  for (const Monster& each : monsters) total += each.power;
  monsters.erase(w->boss); // the link never finds another object
  return total == 105 && monsters.empty() && monsters.get(w->boss) == nullptr;
}

bool spent() {
  ingot::live<Character> hero;
  hero->name = "It is just a character's name.";
  hero->equips.emplace_back().attributes = {1.2f, 2.0f};
  std::size_t sum = 0;
  std::size_t of_equips = 0;
  const auto report = [&](std::string_view name, std::size_t bytes) {
    sum += bytes;
    if (name == "equips") of_equips = bytes;
  };
  for (const ingot::field_size& field : hero.field_sizes()) // "equips", 56
    report(field.name, field.bytes);
  const ingot::block_stats stats = hero.stats();
  if (of_equips != 56) return complain("equips have " + std::to_string(of_equips));
  return stats.used == stats.live + stats.free_bytes && sum < stats.live;
}

bool priced() {
  struct shop {
    ingot::hash_map<ingot::string, double> prices;
  };
  ingot::live<shop> all;
  auto& prices = all->prices;
  prices["pear"] = 2.5;
  prices.insert_or_assign("apple", prices.at("pear")); // not prices["apple"] = prices["pear"]
  return prices.at("apple") == 2.5;
}

} // namespace pages::live_types

bool pages::live_page() {
  return live_types::shown() && live_types::values() == 0 && live_types::spent() && live_types::priced() &&
         live_types::labelled() && live_types::checked() && live_types::linked();
}
