// SPDX-License-Identifier: Apache-2.0
// Every container of the layer in one block of untrusted bytes, damaged in every way: the block is
// rejected or fit for every operation.
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "live/dice.hpp"
#include "live/offering.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace everything_test {

using namespace live_test;
using ingot::live;

struct trees {
  ingot::map<std::uint32_t, ingot::string> map;
  ingot::map<ingot::string, std::uint16_t> by_name;
  ingot::set<ingot::string> set;
  ingot::multimap<std::uint16_t, ingot::string> multimap;
};
struct tables {
  ingot::hash_map<ingot::string, std::uint32_t> hash_map;
  ingot::hash_map<std::uint64_t, ingot::string> by_number;
  ingot::hash_set<std::uint32_t> hash_set;
};
struct flats {
  ingot::flat_map<ingot::string, ingot::string> flat_map;
  ingot::flat_set<std::int32_t> flat_set;
};
struct singles {
  ingot::optional<ingot::string> text;
  ingot::optional<std::uint32_t> number;
  ingot::variant<std::uint32_t, ingot::string, ingot::vector<bool>> choice;
  ingot::vector<ingot::variant<bool, ingot::string>> choices;
  ingot::box<ingot::string> box;
  ingot::vector<ingot::optional<ingot::vector<std::uint8_t>>> more;
};
struct rings {
  ingot::queue<ingot::string> queue;
  ingot::queue<std::uint32_t> numbers;
  ingot::pool<ingot::string> pool;
};

std::string text(std::size_t i) {
  return i % 2 == 0 ? "t" + std::to_string(i) : "a text of more than eleven " + std::to_string(i);
}

void fill(trees& root) {
  for (std::size_t i = 0; i < 6; ++i) {
    root.map.try_emplace(static_cast<std::uint32_t>(i * 3), text(i));
    root.by_name.try_emplace(text(i), static_cast<std::uint16_t>(i));
    root.set.insert(text(i));
    root.multimap.emplace(static_cast<std::uint16_t>(i / 2), text(i));
  }
}
void fill(tables& root) {
  for (std::size_t i = 0; i < 6; ++i) {
    root.hash_map.try_emplace(text(i), static_cast<std::uint32_t>(i));
    root.by_number.try_emplace(i * 3, text(i));
    root.hash_set.insert(static_cast<std::uint32_t>(i * 7));
  }
}
void fill(flats& root) {
  for (std::size_t i = 0; i < 5; ++i) {
    root.flat_map.try_emplace(text(i), text(i + 1));
    root.flat_set.insert(static_cast<std::int32_t>(i * 7) - 10);
  }
}
void fill(singles& root) {
  root.text.emplace("an optional text of some length");
  root.number.emplace(7U);
  root.choice.emplace<ingot::string>("a chosen text of some length");
  root.choices.emplace_back(true);
  root.choices.emplace_back(std::string("another chosen text"));
  root.box.emplace("a boxed text of some length");
  root.more.emplace_back();
  root.more.emplace_back(std::vector<std::uint8_t>{1, 2, 3});
}
void fill(rings& root) {
  for (std::size_t i = 0; i < 5; ++i) {
    root.queue.push_back(text(i));
    root.numbers.push_back(static_cast<std::uint32_t>(i));
    static_cast<void>(root.pool.add(text(i)));
  }
  root.queue.pop_front();
  root.pool.erase(root.pool.begin());
}
/// Removes something and adds something else, so that there are free bytes between storages.
void edit(trees& root) {
  root.map.erase(6U), root.set.erase(text(3)), root.by_name.try_emplace(text(9), std::uint16_t{9});
}
void edit(tables& root) { root.hash_map.erase(text(3)), root.by_number.try_emplace(99U, text(9)); }
void edit(flats& root) { root.flat_map.erase(text(3)), root.flat_map.try_emplace(text(9), text(9)); }
void edit(singles& root) { root.choices.pop_back(), root.box.emplace("another boxed text of some length"); }
void edit(rings& root) {
  root.queue.pop_front(), root.queue.push_back(text(9)), static_cast<void>(root.pool.add(text(7)));
}

/// Offers all mutants of a `T`'s bytes, canonical and edited. `dense` is the step between pairs of
/// words.
template <class T>
void damage_everything(const char* name, std::size_t dense) {
  live<T> block;
  fill(*block);
  block.compact();
  const auto canonical = bytes_of(block);
  EXPECT_TRUE(
      (ingot::detail::is_canonical_block<T, ingot::narrow_policy>(canonical.data(), canonical.size())));
  edit(*block);
  const auto edited = bytes_of(block);
  offering<T> all(name);
  dice random(3);
  for (const auto& bytes : {canonical, edited}) offer_all_damage(all, bytes, dense, random);
  EXPECT_GT(all.accepted, all.tried / 100);
}

TEST(live_everything, trees_of_damaged_bytes_are_rejected_or_usable) {
  damage_everything<trees>("trees", 61);
}
TEST(live_everything, tables_of_damaged_bytes_are_rejected_or_usable) {
  damage_everything<tables>("tables", 61);
}
TEST(live_everything, flat_containers_of_damaged_bytes_are_rejected_or_usable) {
  damage_everything<flats>("flat containers", 13);
}
TEST(live_everything, single_objects_of_damaged_bytes_are_rejected_or_usable) {
  damage_everything<singles>("single objects", 5);
}
TEST(live_everything, rings_of_damaged_bytes_are_rejected_or_usable) { damage_everything<rings>("rings", 5); }

/// Two trees of several nodes each, with the same keys: a node of one tree would fit into the
/// other.
struct twin_trees {
  ingot::map<std::uint32_t, std::uint32_t> first;
  ingot::map<std::uint32_t, std::uint32_t> second;
};

TEST(live_everything, nodes_of_trees_that_are_accepted_lie_inside_and_apart) {
  live<twin_trees> block;
  for (std::uint32_t i = 0; i < 40; ++i) block->first.try_emplace(i, i), block->second.try_emplace(i, i);
  block.compact();
  const auto bytes = bytes_of(block);
  const auto size = static_cast<std::int32_t>(bytes.size());
  std::size_t accepted = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size() && !HasFailure(); at += 4) {
    std::int32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word == 0 || word > size || word < -size) continue; // not a link
    for (std::int32_t to = -size; to <= size + 64; to += 8) {
      auto mutant = bytes;
      const std::int32_t redirected = word % 8 + to;
      std::memcpy(mutant.data() + at, &redirected, sizeof redirected);
      exact_bytes there(mutant);
      const auto opened = live<twin_trees>::open_in_place(there.span());
      if (!opened) continue;
      ++accepted;
      std::vector<const void*> addresses;
      for (const auto* tree : {&(*opened)->first, &(*opened)->second}) {
        for (const auto& [key, mapped] : *tree) addresses.push_back(&key);
      }
      std::ranges::sort(addresses);
      ASSERT_EQ(std::ranges::adjacent_find(addresses), addresses.end()) << at << " leads to " << redirected;
      ASSERT_TRUE(addresses.empty() || (addresses.front() >= there.span().data() &&
                                        addresses.back() < there.span().data() + there.span().size()))
          << at << " leads to " << redirected;
    }
  }
  EXPECT_GT(accepted, 0U);
}

} // namespace everything_test
