// SPDX-License-Identifier: Apache-2.0
// The iterator that an insertion returns reaches the whole container, forwards to the end and
// backwards to the first entry, also when the insertion made the tree taller or moved the entries.
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/set.hpp>

#include <iterator>
#include <utility>

#include <gtest/gtest.h>

namespace inserted_iterator_test {

struct containers {
  ingot::map<int, int> map;
  ingot::multimap<int, int> multimap;
  ingot::set<int> set;
  ingot::multiset<int> multiset;
  ingot::flat_map<int, int> flat_map;
  ingot::flat_set<int> flat_set;
};

template <class Iterator>
Iterator iterator_of(Iterator at) {
  return at;
}
template <class Iterator>
Iterator iterator_of(const std::pair<Iterator, bool>& done) {
  return done.first;
}
int key_of(int key) { return key; }
template <class Entry>
int key_of(const Entry& entry) {
  return entry.first;
}

/// Inserts 0 to 599 in ascending order, then 1,199 to 600 in descending order.
template <class Container, class Insert>
void expect_distances_to_both_ends(Container& c, Insert&& insert) {
  int inserted = 0;
  const auto look = [&](int key, int before, int after) {
    const auto at = iterator_of(insert(key));
    ++inserted;
    ASSERT_EQ(key_of(*at), key);
    ASSERT_EQ(std::distance(c.begin(), at), before) << key;
    ASSERT_EQ(std::distance(at, c.end()), after + 1) << key;
    auto first = at;
    for (int i = 0; i < before; ++i) --first;
    ASSERT_EQ(first, c.begin()) << key;
  };
  for (int key = 0; key < 600; ++key) ASSERT_NO_FATAL_FAILURE(look(key, inserted, 0));
  for (int key = 1199; key >= 600; --key) ASSERT_NO_FATAL_FAILURE(look(key, 600, 1199 - key));
}

TEST(live_inserted_iterator, of_maps_leads_to_both_ends) {
  ingot::live<containers> block;
  expect_distances_to_both_ends(block->map, [&](int key) { return block->map.try_emplace(key, key); });
  expect_distances_to_both_ends(block->flat_map,
                                [&](int key) { return block->flat_map.try_emplace(key, key); });
}

TEST(live_inserted_iterator, of_a_multimap_leads_to_both_ends) {
  ingot::live<containers> block;
  expect_distances_to_both_ends(block->multimap,
                                [&](int key) { return block->multimap.try_insert(key, key); });
  block->multimap.clear();
  expect_distances_to_both_ends(block->multimap, [&](int key) { return block->multimap.emplace(key, key); });
}

TEST(live_inserted_iterator, of_sets_leads_to_both_ends) {
  ingot::live<containers> block;
  expect_distances_to_both_ends(block->set, [&](int key) { return block->set.insert(key); });
  expect_distances_to_both_ends(block->multiset, [&](int key) { return block->multiset.insert(key); });
  expect_distances_to_both_ends(block->flat_set, [&](int key) { return block->flat_set.insert(key); });
}

} // namespace inserted_iterator_test
