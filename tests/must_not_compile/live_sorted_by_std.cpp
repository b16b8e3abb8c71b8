// SPDX-License-Identifier: Apache-2.0
// std::sort moves elements out of the block, into a variable. A vector sorts by itself.
// expect: deleted
// expect: or vector::sort
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>

struct item {
  ingot::string name;
};
struct person {
  ingot::vector<item> items;
};

void order(ingot::live<person>& who) {
  const auto less = [](const item& a, const item& b) { return a.name < b.name; };
#ifdef MUST_COMPILE
  who->items.sort(less);
#else
  std::sort(who->items.begin(), who->items.end(), less);
#endif
}
