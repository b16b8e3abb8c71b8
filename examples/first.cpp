// SPDX-License-Identifier: Apache-2.0
// The example of the README: one plain struct, text, bytes, and the bytes read in place.
#include <ingot/json/json.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

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

int main() { return run(); }
