// SPDX-License-Identifier: Apache-2.0
// An element that holds containers can't be moved out of its block.
// expect: deleted
// expect: ingot: assign it,
#include <ingot/live/live.hpp>
#include <ingot/live/vector.hpp>

#include <utility>

struct item {
  ingot::vector<int> numbers;
};
struct person {
  ingot::vector<item> items;
};

std::size_t size(ingot::live<person>& who) {
#ifdef MUST_COMPILE
  const item& taken = who->items[0];
#else
  const item taken = std::move(who->items[0]);
#endif
  return taken.numbers.size();
}
