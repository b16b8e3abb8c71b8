// SPDX-License-Identifier: Apache-2.0
// A pool in a block: graphs and cycles of links that are copied, compacted and validated. A link
// never finds another object than its own.
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <ranges>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pool_test {

using ingot::pool;
using ingot::ref;
using ingot::string;
using ingot::vector;

struct node {
  string name;
  vector<ref<node>> links;
};
struct graph {
  ref<node> root;
  pool<node> nodes;
};
struct node_std {
  std::string name;
  std::vector<ref<node>> links;
};
struct nest {
  pool<nest> inner;
  std::uint8_t size = 0;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

/// Three objects in a circle, and the free slot of a fourth.
ingot::live<graph> circle() {
  ingot::live<graph> created;
  auto& nodes = created->nodes;
  const auto a = nodes.add("a");
  const auto gone = nodes.add("gone");
  const auto b = nodes.add(long_text);
  const auto c = nodes.add("c");
  nodes.get(a)->links.push_back(b);
  nodes.get(b)->links.push_back(c);
  nodes.get(c)->links = {a, gone, c};
  created->root = a;
  nodes.erase(gone);
  return created;
}

static_assert(sizeof(pool<node>) == 8 && sizeof(ref<node>) == 8 && std::is_trivially_copyable_v<ref<node>>);
static_assert(ingot::kind_of<ref<node>> == ingot::kind::record && !ingot::detail::holds_offsets<ref<node>>);
static_assert(std::ranges::forward_range<pool<node>> && std::ranges::forward_range<const pool<node>>);
static_assert(std::is_convertible_v<pool<node>::iterator, pool<node>::const_iterator>);
static_assert(!std::is_copy_constructible_v<pool<int>>);

TEST(live_pool, keeps_objects_that_links_find) {
  ingot::live<pool<std::uint8_t>> numbers; // smaller than the data of a free slot
  EXPECT_TRUE(numbers->empty());
  EXPECT_EQ(numbers->begin(), numbers->end());
  EXPECT_EQ(numbers->get({}), nullptr);
  const auto one = numbers->add(std::uint8_t{1});
  const auto two = numbers->add(std::uint8_t{2});
  EXPECT_TRUE(one);
  EXPECT_NE(one, two);
  EXPECT_EQ(*numbers->get(one), 1);
  EXPECT_EQ(numbers->ref_of(*numbers->get(two)), two);
  EXPECT_EQ(numbers->size(), 2U);
  EXPECT_TRUE(numbers->erase(one));
  EXPECT_FALSE(numbers->erase(one));
  EXPECT_FALSE(numbers->contains(one));
  const auto three = numbers->add(std::uint8_t{3}); // in the slot of the first object
  EXPECT_EQ(three.index, one.index);
  EXPECT_EQ(numbers->get(one), nullptr);
  EXPECT_EQ(*numbers->get(three), 3);
  EXPECT_EQ(numbers->get({one.index, one.generation + 1}), nullptr);
  EXPECT_EQ(numbers->get({99, 1}), nullptr);
  EXPECT_TRUE(std::ranges::equal(*numbers, std::vector<int>{3, 2}));
  EXPECT_EQ(numbers->begin().ref(), three);
  EXPECT_EQ(numbers->erase_if([](int n) { return n == 2; }), 1U);
  EXPECT_EQ((std::unordered_set<ref<std::uint8_t>>{one, two, three, one}.size()), 3U);
  ingot_test::expect_whole(numbers);
}

TEST(live_pool, copies_and_compacts_graphs_with_their_links) {
  auto original = circle();
  ingot_test::expect_whole(original);
  ingot::live<graph> copy;
  copy = *original;
  EXPECT_TRUE(copy == original);
  auto at = copy->root;
  std::vector<std::string> names;
  for (int i = 0; i < 4; ++i) {
    names.emplace_back(copy->nodes.get(at)->name.view());
    at = copy->nodes.get(at)->links[0];
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", long_text, "c", "a"}));
  const auto gone = copy->nodes.get(ref<node>{3, 1})->links[1];
  EXPECT_EQ(copy->nodes.get(gone), nullptr);
  copy->nodes.add("new");
  EXPECT_EQ(copy->nodes.get(gone), nullptr);
  EXPECT_FALSE(copy == original);
  copy.compact();
  EXPECT_EQ(copy->nodes.size(), 4U);
  ingot_test::expect_whole(copy);
  ingot_test::expect_whole(ingot::live<graph>());
}

TEST(live_pool, is_equal_bytes_for_equal_values_whatever_the_order_of_erasure) {
  ingot::live<pool<string>> a;
  ingot::live<pool<string>> b;
  std::vector<ref<string>> links;
  for (int i = 0; i < 6; ++i) {
    links.push_back(a->add(std::to_string(i)));
    b->add(std::to_string(i));
  }
  for (const int i : {1, 4, 2}) a->erase(links[static_cast<std::size_t>(i)]);
  for (const int i : {4, 2, 1}) b->erase(links[static_cast<std::size_t>(i)]);
  EXPECT_TRUE(a == b);
  a.compact();
  b.compact();
  EXPECT_TRUE(ingot_test::bytes_of(a) == ingot_test::bytes_of(b));
  EXPECT_EQ(a->add("next").index, 1U); // a copy takes the lowest free slot first
}

TEST(live_pool, takes_the_elements_of_a_range) {
  ingot::live<graph> live;
  live->nodes.add("old");
  live->nodes = std::vector<node_std>{{"x", {{1, 1}}}, {long_text, {{0, 1}}}};
  EXPECT_EQ(live->nodes.size(), 2U);
  const node* const first = live->nodes.get({0, 1});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(live->nodes.get(first->links[0])->name, long_text);
  EXPECT_TRUE(ingot_test::is_canonical(
      ingot::live<pool<node>>(std::vector<node_std>{{"x", {}}, {long_text, {{0, 1}}}})));
  ingot_test::expect_whole(live);
}

TEST(live_pool, takes_arguments_from_its_own_objects) {
  ingot::live<pool<string>> live;
  const auto first = live->add(long_text);
  for (int i = 0; i < 20; ++i) {
    const auto copy = live->add(*live->get(first)); // the slots move during this
    EXPECT_EQ(*live->get(copy), long_text);
  }
  ingot_test::expect_whole(live);
}

TEST(live_pool, retires_a_slot_whose_generations_are_used_up) {
  ingot::live<pool<std::uint64_t>> live;
  live->add(7U);
  live->add(8U);
  auto bytes = ingot_test::bytes_of(live);
  const auto slot =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(live->get({0, 1})) - live.bytes().data());
  const std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  std::memcpy(bytes.data() + slot + 8, &last, sizeof last);
  auto opened = ingot::live<pool<std::uint64_t>>::open(bytes);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  auto& worn = **opened;
  const ref<std::uint64_t> link{0, last};
  EXPECT_EQ(*worn.get(link), 7U);
  EXPECT_TRUE(worn.erase(link));
  EXPECT_EQ(worn.get(link), nullptr);
  EXPECT_EQ(worn.get({0, 0}), nullptr);
  EXPECT_EQ(worn.add(9U).index, 2U);
  worn.clear();
  EXPECT_EQ(worn.add(9U).index, 1U);
  EXPECT_EQ(worn.size(), 1U);
  ingot_test::expect_whole(*opened);
}

TEST(live_pool, without_space_is_unchanged) {
  std::vector<std::byte> memory(1000);
  auto created = ingot::live<graph>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& nodes = (*created)->nodes;
  const auto one = nodes.add("one");
  const auto two = nodes.add("two");
  nodes.erase(one);
  const std::string much(2000, 'x');
  EXPECT_FALSE(nodes.try_add(much)); // in a free slot
  EXPECT_FALSE(nodes.try_reserve(1000));
  EXPECT_FALSE(nodes.try_assign(std::vector<node_std>{{"x", {}}, {much, {}}}));
  EXPECT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes.get(two)->name, "two");
#if INGOT_EXCEPTIONS
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  EXPECT_THROW(nodes.add(throwing{}), int);
  EXPECT_THROW(nodes.add(much), ingot::out_of_space);
  graph outside;
  EXPECT_THROW(outside.nodes.add(), ingot::out_of_space);
#endif
  ingot_test::expect_whole(*created);
  EXPECT_EQ(nodes.add("again").index, one.index);
}

TEST(live_pool, leaves_no_bytes_of_its_objects) {
  auto live = circle();
  live->root = {};
  live->nodes.clear();
  EXPECT_EQ(live->nodes.size(), 0U);
  live.trim();
  const auto bytes = live.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_EQ(text.find("text that"), std::string_view::npos);
  live->nodes = ingot::live<graph>()->nodes;
  ingot_test::expect_nothing_left(live);
}

TEST(live_pool, holds_pools_of_its_own_type_to_any_depth) {
  ingot::live<nest> live;
  nest* at = &*live;
  for (int i = 0; i < 10'000; ++i) at = at->inner.get(at->inner.add());
  at->size = 5;
  ingot_test::expect_whole(live);
  live->inner.erase(live->inner.begin());
  live->inner = ingot::live<nest>()->inner;
  ingot_test::expect_nothing_left(live);
}

TEST(live_pool, follows_a_model_through_random_operations) {
  std::mt19937_64 random(6);
  ingot::live<pool<string>> live;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> expected;
  std::vector<ref<string>> all;
  const int steps = live_test::operations(20'000);
  for (int step = 0; step < steps; ++step) {
    const auto some = all.empty() ? ref<string>{} : all[random() % all.size()];
    const auto found = expected.find({some.index, some.generation});
    switch (random() % 6) {
    case 0:
    case 1: {
      const std::string text(random() % 30, static_cast<char>('a' + random() % 26));
      const auto added = live->add(text);
      EXPECT_TRUE(expected.try_emplace({added.index, added.generation}, text).second);
      all.push_back(added);
      break;
    }
    case 2:
    case 3:
      EXPECT_EQ(live->erase(some), found != expected.end());
      if (found != expected.end()) expected.erase(found);
      break;
    case 4: {
      const string* const object = live->get(some);
      ASSERT_EQ(object != nullptr, found != expected.end());
      if (object != nullptr) {
        EXPECT_EQ(*object, found->second);
      }
      break;
    }
    default:
      if (random() % 200 == 0) {
        live->clear();
        expected.clear();
      } else if (random() % 200 == 0) {
        live.compact();
      }
    }
    EXPECT_EQ(live->size(), expected.size());
    if (step % 4000 == 0) ingot_test::expect_whole(live);
  }
  std::size_t seen = 0;
  for (auto at = live->begin(); at != live->end(); ++at, ++seen) {
    EXPECT_EQ(*at, expected.at({at.ref().index, at.ref().generation}));
  }
  EXPECT_EQ(seen, expected.size());
  ingot_test::expect_whole(live);
}

TEST(live_pool, survives_damage) {
  ingot_test::expect_damage_is_survived(circle(), [](graph& g) {
    std::size_t count = 0;
    for (auto& each : g.nodes) {
      ++count;
      each.name += long_text;
      for (const auto link : each.links) {
        if (node* const there = g.nodes.get(link)) there->name += "x";
      }
      each.links.push_back(g.root);
    }
    EXPECT_EQ(count, g.nodes.size());
    for (int i = 0; i < 5; ++i) {
      const auto added = g.nodes.add(long_text);
      EXPECT_EQ(g.nodes.get(added)->name, long_text);
      if (i % 2 == 0) {
        EXPECT_TRUE(g.nodes.erase(added));
      }
    }
    g.nodes.erase(g.root);
    g.nodes.erase_if([](const node& each) { return each.name.size() > 60; });
    g.nodes.shrink_to_fit();
    g.nodes.clear();
    g.nodes.add("after");
  });
  ingot::live<pool<std::uint8_t>> small;
  for (int i = 0; i < 4; ++i) small->add(static_cast<std::uint8_t>(i));
  small->erase(small->begin());
  small->erase(small->begin());
  ingot_test::expect_damage_is_survived(small, [](pool<std::uint8_t>& p) {
    for (std::uint8_t i = 0; i < 6; ++i) p.add(i);
    p.erase(p.begin());
    p.add(std::uint8_t{9});
    p.clear();
  });
}

TEST(live_pool, does_not_read_generations_from_unused_capacity) {
  ingot::live<pool<node>> block;
  block->reserve(6);
  static_cast<void>(block->add(long_text));
  const std::vector<std::byte> whole(block.bytes().begin(), block.bytes().end());
  std::size_t accepted = 0;
  for (std::size_t at = ingot::detail::root_position + sizeof(pool<node>); at + 4 <= whole.size(); at += 4) {
    for (const std::uint32_t number : {1U, 2U, 0xFFFFFFFFU}) {
      SCOPED_TRACE(at);
      auto damaged = whole;
      std::memcpy(damaged.data() + at, &number, sizeof number);
      auto opened = ingot::live<pool<node>>::open(damaged);
      if (!opened) continue;
      ++accepted;
      auto& nodes = **opened;
      const std::size_t before = nodes.size();
      for (std::size_t i = before; i < 6; ++i) {
        const ref<node> added = nodes.try_add(long_text);
        ASSERT_TRUE(nodes.contains(added));
        EXPECT_EQ(nodes.get(added)->name, long_text);
      }
      EXPECT_EQ(std::ranges::distance(nodes), 6);
      EXPECT_TRUE(ingot::live<pool<node>>::open(opened->bytes()).has_value());
    }
  }
  EXPECT_GT(accepted, 100U);
}
TEST(live_pool, rejects_free_lists_that_lie) {
  ingot::live<pool<std::uint64_t>> live;
  std::vector<ref<std::uint64_t>> links;
  for (std::uint64_t i = 0; i < 4; ++i) links.push_back(live->add(i));
  const auto slots =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(live->get(links[0])) - live.bytes().data());
  live->erase(links[1]);
  live->erase(links[2]);
  const auto bytes = ingot_test::bytes_of(live);
  const auto error_of = [&](std::size_t position, unsigned value) {
    auto damaged = bytes;
    damaged[position] = static_cast<std::byte>(value);
    return ingot::live<pool<std::uint64_t>>::open(damaged).error().code();
  };
  EXPECT_EQ(error_of(slots - 8, 1), ingot::errc::bad_length);       // fewer objects than there are
  EXPECT_EQ(error_of(slots - 4, 0), ingot::errc::bad_length);       // no free slot
  EXPECT_EQ(error_of(slots - 4, 1), ingot::errc::bad_length);       // a slot that is taken
  EXPECT_EQ(error_of(slots - 4, 9), ingot::errc::bad_length);       // a slot that does not exist
  EXPECT_EQ(error_of(slots + 2 * 16, 3), ingot::errc::bad_length);  // a circle
  EXPECT_EQ(error_of(slots + 16, 2), ingot::errc::bad_length);      // a circle
  EXPECT_EQ(error_of(slots + 16 + 5, 1), ingot::errc::bad_padding); // data in a free slot
  EXPECT_EQ(error_of(slots + 12, 1), ingot::errc::bad_padding);     // in the padding between slots
}

} // namespace pool_test
