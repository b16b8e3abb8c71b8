// SPDX-License-Identifier: Apache-2.0
// With C++26 reflection a struct of plain std:: members is enough: the compiler writes its twin.
#include <ingot/live/twin.hpp>

#include <cstdio>
#if INGOT_REFLECTION

#include <map>
#include <string>
#include <vector>

struct Item {
  std::uint32_t id;
  std::uint32_t count;
};
struct Character {
  std::string name;
  std::vector<float> attributes;
  std::map<std::uint64_t, Item> items;
};

int main() {
  ingot::live<Character> hero; // no second struct
  hero->name = "a name as long as it likes to be";
  hero->attributes = {1.5F, 2.5F};
  hero->items[0xda4c] = Item{8056, 1};

  auto received = ingot::live<Character>::open(hero.bytes());
  if (!received) return std::puts(received.error().message().c_str()), 1;
  (*received)->attributes.push_back(3.5F); // grows where it lies
  return (*received)->attributes.size() == 3 && *received != hero ? 0 : 1;
}

#else

int main() { std::puts("this example needs C++26 reflection: g++ 16 with -std=c++26 -freflection"); }

#endif
