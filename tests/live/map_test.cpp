// SPDX-License-Identifier: Apache-2.0
// A map in a block against std::map: its entries, their order, its iterators and failures. Its
// bytes are a valid block after every kind of change.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/dice.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace map_test {

struct item {
  std::uint32_t id = 0;
  std::uint32_t number = 0;
  std::uint64_t uuid = 0;
  friend bool operator==(const item&, const item&) = default;
  friend auto operator<=>(const item&, const item&) = default;
};
struct shelf {
  ingot::map<std::uint64_t, item> items;
  ingot::map<std::uint64_t, item> others;
};
struct texts {
  ingot::map<ingot::string, ingot::string> entries;
};
struct numbers_and_texts {
  ingot::map<std::uint32_t, std::uint32_t> numbers;
  ingot::vector<ingot::string> texts;
};

using items_map = decltype(shelf::items);
using texts_map = decltype(texts::entries);

static_assert(sizeof(items_map) == 8);
static_assert(ingot::kind_of<items_map> == ingot::kind::map && !ingot::is_multi<items_map>);
static_assert(std::bidirectional_iterator<items_map::iterator> &&
              std::bidirectional_iterator<texts_map::const_iterator>);
static_assert(
    std::is_same_v<std::iter_reference_t<items_map::iterator>, std::pair<const std::uint64_t&, item&>>);
static_assert(std::is_convertible_v<items_map::iterator, items_map::const_iterator>);
static_assert(!std::is_copy_constructible_v<items_map>);
/// Its base class can't be copied either.
using inherited = ingot::detail::btree_container<std::uint64_t, item, ingot::narrow_policy, false>;
static_assert(std::derived_from<items_map, inherited> && !std::is_copy_constructible_v<inherited> &&
              !std::is_copy_assignable_v<inherited>);

template <class Map, class Model>
void expect_same(Map& map, const Model& model) {
  ASSERT_EQ(map.size(), model.size());
  auto at = map.begin();
  for (const auto& [key, value] : model) {
    ASSERT_NE(at, map.end());
    ASSERT_EQ(at->first, key);
    ASSERT_EQ(at->second, value);
    ++at;
  }
  ASSERT_EQ(at, map.end());
  for (auto it = model.rbegin(); it != model.rend(); ++it) {
    --at;
    ASSERT_EQ(at->first, it->first);
  }
  ASSERT_EQ(at, map.begin());
}

/// Expects that the bytes open, and that their compacted form is validated in order and equal.
template <class Live>
void expect_whole(Live& block) {
  auto opened = Live::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  ASSERT_TRUE(*opened == block);
  opened->compact();
  ASSERT_TRUE((ingot::detail::is_canonical_block<typename Live::value_type, ingot::narrow_policy>(
      opened->bytes().data(), opened->size())));
  ASSERT_TRUE(*opened == block);
}

/// Random operations on the map and on its model.
template <class Map, class Model, class Key, class Value>
void step(Map& map, Model& model, std::uint64_t drawn, bool grow, const Key& key, const Value& value) {
  switch (drawn % 16) {
  case 0: {
    const auto [at, fresh] = map.insert_or_assign(key, value);
    ASSERT_EQ(fresh, model.insert_or_assign(key, value).second);
    ASSERT_EQ(at->first, key);
    ASSERT_EQ(at->second, value);
    return;
  }
  case 1: {
    map[key] = value;
    model[key] = value;
    return;
  }
  case 2: {
    const auto at = map.lower_bound(key);
    const auto expected = model.lower_bound(key);
    ASSERT_EQ(at == map.end(), expected == model.end());
    if (expected == model.end()) return;
    ASSERT_EQ(at->first, expected->first);
    const auto next = map.erase(at);
    const auto after = model.erase(expected);
    ASSERT_EQ(next == map.end(), after == model.end());
    if (after != model.end()) {
      ASSERT_EQ(next->first, after->first);
    }
    return;
  }
  case 3: {
    const auto at = map.upper_bound(key);
    const auto expected = model.upper_bound(key);
    ASSERT_EQ(at == map.end(), expected == model.end());
    if (expected != model.end()) {
      ASSERT_EQ(at->first, expected->first);
    }
    ASSERT_EQ(map.contains(key), model.contains(key));
    ASSERT_EQ(map.count(key), model.count(key));
    return;
  }
  default: break;
  }
  if (grow ? drawn % 64 < 48 : drawn % 64 < 16) {
    const auto [at, fresh] = map.try_emplace(key, value);
    const auto [expected, is_new] = model.try_emplace(key, value);
    ASSERT_EQ(fresh, is_new);
    ASSERT_EQ(at->first, key);
    ASSERT_EQ(at->second, expected->second);
  } else {
    ASSERT_EQ(map.erase(key), model.erase(key));
  }
}

TEST(live_map, is_a_map_of_numbers) {
  const std::uint32_t steps = live_test::operations(48'000U) / 4;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    std::mt19937_64 random(seed);
    ingot::live<shelf> block;
    std::map<std::uint64_t, item> model;
    const std::uint64_t range = seed % 2 == 0 ? 5'000 : 50;
    for (std::uint32_t i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
      const std::uint64_t key = random() % range * 0x0123456789ABCDEF;
      step(block->items, model, random(), i % 6'000 < 3'500, key, item{i, 1, key});
      if (i % 1'500 != 0) continue;
      expect_same(block->items, model);
      expect_whole(block);
    }
    expect_same(block->items, model);
    block->items.clear();
    EXPECT_TRUE(block->items.empty());
    EXPECT_EQ(block->items.begin(), block->items.end());
  }
}

TEST(live_map, is_a_map_of_texts) {
  std::mt19937_64 random(5);
  ingot::live<texts> block;
  std::map<std::string, std::string> model;
  const std::uint32_t steps = live_test::operations(12'000U);
  for (std::uint32_t i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
    const std::string key = std::to_string(random() % 1'500) +
                            (random() % 2 == 0 ? " with more after it than fits in place!" : "\xFF");
    step(block->entries, model, random(), i % 6'000 < 3'500, key, std::to_string(i) + key);
    if (i % 1'500 != 0) continue;
    expect_same(block->entries, model);
    expect_whole(block);
  }
  erase_if(block->entries, [](const auto& entry) { return entry.second.size() % 2 == 0; });
  std::erase_if(model, [](const auto& entry) { return entry.second.size() % 2 == 0; });
  expect_same(block->entries, model);
  block->entries.clear();
  EXPECT_EQ(block.size() - block.stats().free_bytes, ingot::live<texts>().size())
      << "all storages were given back";
}

TEST(live_map, takes_what_comes_in_order_or_not_in_ranges_and_braces) {
  ingot::live<shelf> block;
  std::map<std::uint64_t, item> model;
  for (const std::size_t count :
       {0UZ, 1UZ, 2UZ, 5UZ, 15UZ, 16UZ, 17UZ, 64UZ, 255UZ, 256UZ, 257UZ, 300UZ, 4096UZ, 4097UZ, 5000UZ}) {
    model.clear();
    for (std::size_t i = 0; i < count; ++i) model[i * 3] = item{static_cast<std::uint32_t>(i), 2, 3};
    block->items = model;
    expect_same(block->items, model);
    block->others = block->items;
    EXPECT_TRUE(block->others == block->items);
    expect_whole(block);
    std::vector<std::pair<std::uint64_t, item>> mixed(model.begin(), model.end());
    std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(count));
    block->others = mixed;
    EXPECT_TRUE(block->others == block->items);
    mixed.insert(mixed.end(), mixed.begin(), mixed.end());
    block->others.clear();
    block->others.insert(mixed.begin(), mixed.end());
    EXPECT_TRUE(block->others == block->items);
    // A packed tree changes as any other tree does.
    std::mt19937_64 random(count);
    for (int i = 0; i < 300; ++i)
      step(block->items, model, random(), true, random() % (3 * count + 1), item{1, 2, 3});
    expect_same(block->items, model);
    expect_whole(block);
  }
  block->items = {{3, {1, 2, 3}}, {1, {4, 5, 6}}, {3, {7, 8, 9}}};
  model = {{3, {1, 2, 3}}, {1, {4, 5, 6}}, {3, {7, 8, 9}}};
  expect_same(block->items, model);
  block->items.insert({2, {}});
  EXPECT_TRUE(block->items.contains(2));
}

TEST(live_map, fills_its_leaves_with_keys_that_come_in_order) {
  ingot::live<shelf> grown;
  ingot::live<shelf> packed;
  std::map<std::uint64_t, item> model;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    grown->items.try_emplace(i);
    model.try_emplace(i);
  }
  packed->items = model;
  EXPECT_LE(grown.size() - grown.stats().free_bytes, packed.size() + packed.size() / 50);
}

TEST(live_map, is_small_when_compact) {
  ingot::live<ingot::map<std::uint64_t, std::array<std::uint64_t, 3>>> block;
  const std::size_t empty = block.size();
  std::mt19937_64 random(1);
  while (block->size() < 64) (*block)[random()] = {1, 2, 3};
  block.compact();
  EXPECT_LE(block.size() - empty, 2'180U);
}

TEST(live_map, looks_up_by_what_compares_with_keys) {
  ingot::live<texts> block;
  block->entries["b"] = "beta";
  EXPECT_EQ(block->entries.find(std::string_view("b"))->second, "beta");
  EXPECT_EQ(block->entries.find("a"), block->entries.end());
  EXPECT_EQ(block->entries.get_if("a"), nullptr);
  EXPECT_EQ(*block->entries.get_if(std::string("b")), "beta");
  EXPECT_EQ(block->entries.lower_bound("a")->first, "b");
  EXPECT_EQ(block->entries.at("b"), "beta");
  EXPECT_THROW(static_cast<void>(block->entries.at("a")), std::out_of_range);
  EXPECT_EQ(block->entries.erase("b"), 1U);
}

struct throwing {
  bool now;
  // The test is about a conversion.
  operator std::string_view() const { // NOLINT(google-explicit-constructor)
    if (now) throw std::runtime_error("no");
    return "some text that does not fit in place";
  }
};

TEST(live_map, takes_arguments_out_of_itself) {
  ingot::live<texts> block;
  const std::string text(40, 't');
  block->entries["0"] = text;
  for (int i = 1; i < 200; ++i) { // through each way to grow and to split
    block->entries.try_emplace(std::to_string(i * 7919 % 1000), block->entries.begin()->second);
    block->entries.insert_or_assign(std::to_string(i), std::prev(block->entries.end())->second);
  }
  for (const auto& [key, value] : block->entries) EXPECT_EQ(value, text) << key.view();
  while (!block->entries.empty()) block->entries.erase(std::prev(block->entries.end())->first);
  block->entries["x"] = "y";
  auto& same = block->entries;
  block->entries = same;
  EXPECT_EQ(block->entries.size(), 1U);
}

TEST(live_map, takes_arguments_out_of_itself_while_its_leaf_grows_where_it_is) {
  ingot::live<ingot::map<std::uint64_t, ingot::string>> block;
  const std::string text(40, 't');
  (*block)[0] = text;
  for (std::uint64_t i = 1; i < 300; ++i) {
    const std::uint64_t key = i * 0x9E3779B97F4A7C15U;
    EXPECT_THROW(block->try_emplace(key, throwing{true}), std::runtime_error);
    ASSERT_EQ(block->size(), i);
    block->try_emplace(key, std::prev(block->end())->second);
  }
  for (const auto& [key, value] : *block) ASSERT_EQ(value, text) << key;
  expect_whole(block);
}

TEST(live_map, fills_its_leaves_well_with_keys_that_come_by_chance) {
  std::mt19937_64 random(1);
  std::size_t sum = 0;
  for (int i = 0; i < 20; ++i) {
    ingot::live<ingot::map<std::uint64_t, std::array<std::uint64_t, 3>>> block;
    const std::size_t empty = block.size();
    while (block->size() < 64) (*block)[random()] = {1, 2, 3};
    sum += block.size() - empty;
  }
  EXPECT_LE(sum / 20, 2'950U) << "five leaves and their root";
}

TEST(live_map, moves_inside_a_block_and_copies_between_blocks) {
  ingot::live<shelf> a;
  ingot::live<shelf> b;
  for (std::uint64_t i = 0; i < 100; ++i) a->items[i].id = 7;
  const item* const first = a->items.get_if(0);
  a->others = std::move(a->items);
  EXPECT_EQ(a->others.get_if(0), first);
  EXPECT_TRUE(a->items.empty());
  b->items = std::move(a->others);
  EXPECT_EQ(b->items.size(), 100U);
  swap(a->items, a->others);
  EXPECT_EQ(a->items.get_if(0), first);
  EXPECT_THROW(swap(a->items, b->items), ingot::out_of_space);
  EXPECT_LT(a->others, a->items);
  b->items[50].id = 8;
  EXPECT_GT(b->items, a->items);
}

TEST(live_map, outside_a_block_says_so) {
  items_map lone;
  EXPECT_TRUE(lone.empty());
  EXPECT_EQ(lone.begin(), lone.end());
  EXPECT_EQ(lone.find(1), lone.end());
  EXPECT_EQ(lone.lower_bound(1), lone.end());
  EXPECT_EQ(lone.erase(1), 0U);
  EXPECT_EQ(lone.try_insert(1).first, lone.end());
  EXPECT_THROW(lone[1], ingot::out_of_space);
  EXPECT_THROW((lone = {{1, {}}}), ingot::out_of_space);
  lone.clear();
}

/// Blocks of every size in which something does not fit: a failed operation changed nothing.
TEST(live_map, without_space_is_unchanged) {
  const auto memory = std::make_unique<std::byte[]>(16'384);
  int rejected_again = 0;
  for (std::size_t size = 700; size < 9'000; size += 56) {
    auto created = ingot::live<texts>::in({memory.get(), size});
    if (!created) continue;
    auto& block = *created;
    std::map<std::string, std::string> model;
    std::mt19937_64 random(size);
    for (int failures = 0; failures < 8 && !testing::Test::HasFatalFailure();) {
      std::string key = std::to_string(random() % 500);
      key.append(random() % 30, 'k');
      const std::string value(random() % 60, 'v');
      if (block->entries.try_insert(key, value).first != block->entries.end()) {
        model.try_emplace(key, value);
      } else {
        ++failures;
        try {
          block->entries.try_emplace(key, value);
          // The search for a free run merges free runs, so now there may be one that is long
          // enough.
          model.try_emplace(key, value);
        } catch (const ingot::out_of_space&) {
          ++rejected_again;
        }
        expect_same(block->entries, model);
        if (model.empty()) break;
        EXPECT_FALSE(block->entries.try_assign(
            std::vector<std::pair<std::string, std::string>>(2, {std::string(size, 'x'), value})));
        expect_same(block->entries, model);
        auto opened = ingot::live<texts>::open(block.bytes());
        ASSERT_TRUE(opened) << opened.error().message();
        const auto gone = std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
        EXPECT_EQ(block->entries.erase(gone->first), 1U);
        model.erase(gone);
      }
    }
    expect_same(block->entries, model);
  }
  EXPECT_GT(rejected_again, 1'000);
}

TEST(live_map, finds_space_for_a_second_leaf_in_freed_small_storages) {
  // The full leaf moves up by the 40 bytes of an inner node, and another leaf takes 144 more. The
  // rest of the free run is then at least 16 bytes. Freed storages stay in lists of their own until
  // a search finds no run.
  const auto memory = std::make_unique<std::byte[]>(8'192);
  for (std::size_t erased = 1; erased < 20; ++erased) {
    auto block = ingot::live<numbers_and_texts>::in({memory.get(), 8'192}).value();
    block->texts.reserve(400);
    for (std::uint32_t i = 0; i < 16; ++i) block->numbers[i] = i;
    while (block->texts.try_emplace_back("some text that does not fit in place")) {
    }
    ASSERT_GE(block->texts.size(), erased);
    for (std::size_t i = 0; i < erased; ++i) {
      block->texts[i] = "";
      block->texts[i].shrink_to_fit();
    }
    const std::size_t free = block.stats().free_bytes;
    ASSERT_EQ(free, erased * 48);
    const bool inserted = block->numbers.try_insert(16U, 16U).first != block->numbers.end();
    EXPECT_EQ(inserted, free >= 40 + 144 + 16) << erased;
    EXPECT_EQ(block->numbers.try_insert(16U, 16U).first != block->numbers.end(), inserted) << erased;
    EXPECT_TRUE(ingot::live<numbers_and_texts>::open(block.bytes()));
  }
}

TEST(live_map, loses_nothing_when_a_value_throws) {
  ingot::live<texts> block;
  std::map<std::string, std::string> model;
  for (int i = 0; i < 300; ++i) {
    const std::string key = std::to_string(i * 7919 % 1000) + " long enough to have a storage";
    const std::size_t before = block.size() - block.stats().free_bytes;
    EXPECT_THROW(block->entries.try_emplace(key, throwing{true}), std::runtime_error);
    ASSERT_EQ(block.size() - block.stats().free_bytes, before);
    block->entries.try_emplace(key, throwing{false});
    model.try_emplace(key, "some text that does not fit in place");
  }
  expect_same(block->entries, model);
  expect_whole(block);
}

struct tree {
  int value = 0;
  ingot::map<int, tree> below;
};

TEST(live_map, can_hold_maps_of_its_own_type_to_any_depth) {
  ingot::live<tree> block;
  tree* at = &*block;
  for (int i = 0; i < 3'000; ++i) {
    at->below[1].value = -i;
    at = &at->below[i % 3];
    at->value = i;
  }
  auto opened = ingot::live<tree>::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  opened->compact();
  EXPECT_TRUE((
      ingot::detail::is_canonical_block<tree, ingot::narrow_policy>(opened->bytes().data(), opened->size())));
  EXPECT_TRUE(*opened == block);
  block->below.clear();
  EXPECT_EQ(block.size() - block.stats().free_bytes, ingot::live<tree>().size());
}

struct wide_shelf {
  ingot::wide::map<std::uint8_t, ingot::wide::string> items;
};

TEST(live_map, works_with_wide_offsets) {
  ingot::basic_live<wide_shelf, ingot::wide_policy> block;
  std::map<std::uint8_t, std::string> model;
  std::mt19937_64 random(3);
  for (std::uint32_t i = 0; i < 3'000 && !testing::Test::HasFatalFailure(); ++i) {
    step(block->items, model, random(), i % 2'000 < 1'200, static_cast<std::uint8_t>(random()),
         std::to_string(random()) + " and more");
  }
  expect_same(block->items, model);
  auto opened = ingot::basic_live<wide_shelf, ingot::wide_policy>::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
}

TEST(live_map, value_of_the_map_itself_is_inserted_while_it_grows) {
  struct shop {
    ingot::map<std::uint32_t, std::uint64_t> sizes;
    ingot::map<ingot::string, ingot::string> names;
  };
  ingot::live<shop> block;
  block->sizes[0] = 7;
  block->names["0"] = "a name that has a storage of its own";
  for (std::uint32_t i = 1; i < 300; ++i) {
    block->sizes.insert_or_assign(i, block->sizes.at(i - 1));
    block->names.insert_or_assign(std::to_string(i), block->names.at(std::to_string(i - 1)));
  }
  EXPECT_EQ(block->sizes.at(299), 7U);
  EXPECT_EQ(block->names.at("299"), "a name that has a storage of its own");
}

} // namespace map_test
