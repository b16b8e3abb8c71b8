// SPDX-License-Identifier: Apache-2.0
// The calls that code written for the containers of the standard library makes. One body runs on a
// container of a block and on its model. Without this interface such code would not compile, or
// would do something else.
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

#include "live/block_tools.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace interface_test {

using namespace live_test;
using namespace std::string_view_literals;
using ingot::live;

struct everything {
  ingot::vector<int> vector;
  ingot::vector<ingot::string> texts;
  ingot::queue<int> queue;
  ingot::map<int, int> map;
  ingot::map<ingot::string, int> named;
  ingot::multimap<int, int> multimap;
  ingot::set<int> set;
  ingot::set<std::pair<int, int>> pairs;
  ingot::multiset<int> multiset;
  ingot::hash_map<int, int> hash_map;
  ingot::hash_set<int> hash_set;
  ingot::flat_map<int, int> flat_map;
  ingot::flat_set<int> flat_set;
};
struct models {
  std::vector<int> vector;
  std::vector<std::string> texts;
  std::deque<int> queue;
  std::map<int, int> map;
  std::map<std::string, int, std::less<>> named;
  std::multimap<int, int> multimap;
  std::set<int> set;
  std::set<std::pair<int, int>> pairs;
  std::multiset<int> multiset;
  std::unordered_map<int, int> hash_map;
  std::unordered_set<int> hash_set;
  std::map<int, int> flat_map;
  std::set<int> flat_set;
};

static_assert(std::ranges::contiguous_range<ingot::vector<int>> &&
              std::ranges::contiguous_range<ingot::flat_set<int>>);
static_assert(std::ranges::random_access_range<ingot::queue<int>> &&
              std::ranges::random_access_range<ingot::flat_map<int, int>>);
static_assert(std::ranges::bidirectional_range<ingot::map<int, int>> &&
              std::ranges::bidirectional_range<ingot::multimap<int, int>> &&
              std::ranges::bidirectional_range<ingot::set<int>> &&
              std::ranges::bidirectional_range<ingot::multiset<int>>);
static_assert(std::ranges::forward_range<ingot::hash_map<int, int>> &&
              std::ranges::forward_range<ingot::hash_set<int>> &&
              std::ranges::forward_range<ingot::pool<int>>);
static_assert(std::ranges::sized_range<const ingot::map<int, int>> &&
              std::ranges::sized_range<const ingot::hash_map<int, int>> &&
              std::ranges::common_range<const ingot::multimap<int, int>>);

template <class A, class B>
bool alike(const A& a, const B& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    if constexpr (requires { x.second; }) return x.first == y.first && x.second == y.second;
    else return x == y;
  });
}
template <class A, class B>
bool alike_unordered(const A& a, const B& b) {
  if (a.size() != b.size()) return false;
  for (const auto& each : b) {
    if constexpr (requires { typename A::mapped_type; }) {
      if (!a.contains(each.first) || a.at(each.first) != each.second) return false;
    } else {
      if (!a.contains(each)) return false;
    }
  }
  return true;
}

class live_interface : public testing::Test {
protected:
  template <class F>
  void both(F f) {
    f(*block_);
    f(model_);
    EXPECT_TRUE(alike(block_->vector, model_.vector));
    EXPECT_TRUE(alike(block_->texts, model_.texts));
    EXPECT_TRUE(alike(block_->queue, model_.queue));
    EXPECT_TRUE(alike(block_->map, model_.map));
    EXPECT_TRUE(alike(block_->named, model_.named));
    EXPECT_TRUE(alike(block_->multimap, model_.multimap));
    EXPECT_TRUE(alike(block_->set, model_.set));
    EXPECT_TRUE(alike(block_->pairs, model_.pairs));
    EXPECT_TRUE(alike(block_->multiset, model_.multiset));
    EXPECT_TRUE(alike_unordered(block_->hash_map, model_.hash_map));
    EXPECT_TRUE(alike_unordered(block_->hash_set, model_.hash_set));
    EXPECT_TRUE(alike(block_->flat_map, model_.flat_map));
    EXPECT_TRUE(alike(block_->flat_set, model_.flat_set));
    expect_accounted(block_);
  }
  live<everything> block_;
  models model_;
};

TEST_F(live_interface, of_vectors_has_copies_lists_and_checked_access) {
  both([](auto& root) {
    auto& v = root.vector;
    v.assign(3, 7);
    auto inserted = v.insert(v.begin() + 1, 2, 5);
    EXPECT_EQ(inserted - v.begin(), 1);
    inserted = v.insert(v.cbegin(), {1, 2, 3});
    EXPECT_EQ(inserted - v.begin(), 0);
    inserted = v.insert(v.end(), 1, v[0]);
    EXPECT_EQ(inserted - v.begin(), 8);
    EXPECT_EQ(v.at(8), 1);
    EXPECT_EQ(std::as_const(v).at(1), 2);
    EXPECT_EQ(*v.crbegin(), 1);
    EXPECT_EQ(v.crend() - v.crbegin(), 9);
    EXPECT_EQ(erase(v, 7), 3U);
    v.insert(v.begin(), 30, v[2]); // an element that moves
    v.assign(40, v[31]);
    v.assign(2, v[0]);
    v.resize(5, v[1]);
  });
  both([](auto& root) {
    auto& v = root.texts;
    v.assign(3, "a text that is not short");
    v.insert(v.begin() + 1, 2, "another that isn't");
    v.insert(v.end(), {"x", "y", "a text that is not short"});
    v.insert(v.begin(), 40, v[1]);
    v.resize(50, v[41]);
    EXPECT_EQ(erase(v, "another that isn't"), 44U);
    v.assign(6, v[2]);
    EXPECT_EQ(v.at(5), v.front());
  });
#if INGOT_EXCEPTIONS
  both([](auto& root) {
    EXPECT_THROW(static_cast<void>(root.vector.at(root.vector.size())), std::out_of_range);
    EXPECT_THROW(static_cast<void>(std::as_const(root.texts).at(6)), std::out_of_range);
  });
#endif
}

TEST_F(live_interface, of_queues_has_copies_lists_and_checked_access) {
  both([](auto& root) {
    auto& q = root.queue;
    q.assign({4, 5, 6});
    q.push_front(3);
    q.resize(6, q.front());
    EXPECT_EQ(q.at(5), 3);
    EXPECT_EQ(*q.crbegin(), 3);
    q.resize(40, q[2]);
    // `assign` of a queue may take one of its own elements. std::deque frees the element first.
    if constexpr (std::same_as<decltype(q), std::deque<int>&>) q.assign(3, int{q[39]});
    else q.assign(3, q[39]);
    EXPECT_EQ(q.at(2), 5);
    const std::list<int> more{9, 8, 7};
    q.assign(more.begin(), more.end());
    q.resize(2);
    q.resize(1, 5);
  });
#if INGOT_EXCEPTIONS
  both([](auto& root) { EXPECT_THROW(static_cast<void>(root.queue.at(1)), std::out_of_range); });
#endif
}

TEST_F(live_interface, of_queues_grows_by_copies_of_an_element_though_growing_moves_it) {
  both([](auto& root) {
    auto& q = root.queue;
    q.assign({4, 5, 6});
    q.resize(40, q[1]); // more than twice as many: the element moves more than once
  });
  live<ingot::queue<ingot::string>> texts;
  std::deque<std::string> model;
  for (auto i = 0; i < 5; ++i) { // the ring begins in its middle
    texts->push_front("a text that is not short");
    model.emplace_front("a text that is not short");
  }
  for (const std::size_t count : {6U, 7U, 40U, 41U, 200U}) {
    texts->back() = std::string(20 + count, 'b');
    model.back() = std::string(20 + count, 'b');
    texts->resize(count, texts->back());
    model.resize(count, std::string(model.back()));
    EXPECT_TRUE(alike(*texts, model)) << count;
  }
  expect_accounted(texts);

  struct marked {
    int mark;
    std::array<int, 9> others;
  };
  live<ingot::queue<marked>> records;
  records->push_back({3, {}});
  records->resize(30, records->front());
  EXPECT_TRUE(std::ranges::all_of(*records, [](const marked& one) { return one.mark == 3; }));
}

#if INGOT_EXCEPTIONS
TEST_F(live_interface, of_queues_takes_a_range_whole_or_not_at_all) {
  alignas(16) std::array<std::byte, 2000> memory;
  auto full = live<ingot::queue<ingot::string>>::in(memory).value();
  full->assign(3, "a text that is not short");
  const std::vector<std::string> before(full->begin(), full->end());
  const std::vector<std::string> more(60, "another that is not short");
  EXPECT_THROW(full->append_range(more), ingot::out_of_space);
  EXPECT_TRUE(alike(*full, before));
  EXPECT_THROW(full->resize(60, full->front()), ingot::out_of_space);
  EXPECT_TRUE(alike(*full, before));
  EXPECT_THROW(full->assign(60, full->front()), ingot::out_of_space);
  EXPECT_TRUE(alike(*full, before));
  expect_accounted(full);
}
#endif

TEST_F(live_interface, of_maps_takes_hints_and_names_its_order) {
  const auto ordered = [](auto& m) {
    EXPECT_EQ(m.insert(m.begin(), {5, 50})->first, 5);
    EXPECT_EQ(m.insert(m.end(), std::pair{3, 30})->second, 30);
    EXPECT_TRUE(m.key_comp()(3, 5));
    EXPECT_TRUE(m.value_comp()(*m.begin(), *std::next(m.begin())));
    EXPECT_EQ(m.crbegin()->first, 5);
    EXPECT_EQ(std::distance(m.crbegin(), m.crend()), 2);
  };
  const auto unique = [](auto& m) {
    EXPECT_EQ(m.insert_or_assign(m.begin(), 5, 55)->second, 55);
    EXPECT_EQ(m.insert_or_assign(m.begin(), 6, 66)->second, 66);
    EXPECT_EQ(m.insert(m.begin(), {5, 1})->second, 55);
    EXPECT_EQ(m.at(6), 66);
    EXPECT_EQ(std::as_const(m).at(5), 55);
  };
  both([&](auto& root) {
    ordered(root.map);
    unique(root.map);
    ordered(root.flat_map);
    unique(root.flat_map);
    ordered(root.multimap);
    root.multimap.insert(root.multimap.end(), {5, 51});
    root.hash_map.insert(root.hash_map.begin(), {5, 50});
    root.hash_map.insert(root.hash_map.begin(), std::pair{7, 70});
    unique(root.hash_map);
    root.named.insert(root.named.begin(), {"a key that is not short", 1});
    root.named.insert_or_assign(root.named.end(), "a key that is not short", 2);
    EXPECT_EQ(root.named.at("a key that is not short"), 2);
  });
#if INGOT_EXCEPTIONS
  both([](auto& root) {
    EXPECT_THROW(static_cast<void>(root.map.at(99)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(std::as_const(root.map).at(99)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(root.hash_map.at(99)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(root.flat_map.at(99)), std::out_of_range);
  });
#endif
}

TEST_F(live_interface, of_sets_makes_keys_in_place_and_names_its_order) {
  both([](auto& root) {
    root.set.emplace();
    root.set.emplace(3);
    root.multiset.emplace();
    root.multiset.emplace_hint(root.multiset.begin(), 0);
    root.flat_set.emplace();
    root.flat_set.emplace_hint(root.flat_set.begin(), 4);
    root.hash_set.emplace();
    root.hash_set.emplace_hint(root.hash_set.begin(), 4);
    root.pairs.emplace(2, 3);
    root.pairs.emplace_hint(root.pairs.begin(), 1, 4);
    EXPECT_TRUE(root.set.key_comp()(0, 3));
    EXPECT_TRUE(root.flat_set.value_comp()(0, 4));
    EXPECT_EQ(*root.set.crbegin(), 3);
    EXPECT_EQ(*root.flat_set.crbegin(), 4);
  });
}

TEST_F(live_interface, of_tables_has_ranges_of_entries) {
  both([](auto& root) {
    for (int i = 0; i < 500; ++i) root.hash_map[i * 7] = i, root.hash_set.insert(i * 5);
    const auto [first, last] = root.hash_map.equal_range(70);
    EXPECT_EQ(std::distance(first, last), 1);
    EXPECT_EQ(first->second, 10);
    const auto [none, nowhere] = std::as_const(root.hash_set).equal_range(1);
    EXPECT_TRUE(none == nowhere);
    EXPECT_TRUE(root.hash_map.key_eq()(3, 3));
    EXPECT_EQ(root.hash_set.hash_function()(3), root.hash_set.hash_function()(3));
  });
}

TEST_F(live_interface, of_tables_erases_ranges_of_entries_and_no_others) {
  live<ingot::hash_map<int, int>> block;
  live<ingot::hash_set<int>> keys;
  for (std::size_t from = 0; from < 60; from += 7) {
    for (std::size_t count = 0; count < 60 - from; count += 5) {
      block->clear();
      keys->clear();
      for (int i = 0; i < 60; ++i) block->try_emplace(i * 11, i), keys->insert(i * 11);
      const auto walk = [&](auto& table) {
        std::vector<int> left;
        std::size_t rank = 0;
        for (const auto& each : table) {
          if (rank < from || rank >= from + count) {
            if constexpr (requires { each.first; }) left.push_back(each.first);
            else left.push_back(each);
          }
          ++rank;
        }
        auto first = std::next(table.begin(), static_cast<std::ptrdiff_t>(from));
        const auto last = std::next(first, static_cast<std::ptrdiff_t>(count));
        const auto after = table.erase(first, last);
        EXPECT_EQ(std::distance(after, table.end()), static_cast<std::ptrdiff_t>(60 - from - count));
        EXPECT_EQ(table.size(), left.size());
        for (const int key : left) EXPECT_TRUE(table.contains(key)) << key;
      };
      walk(*block);
      walk(*keys);
    }
  }
}

TEST_F(live_interface, what_may_be_absent_takes_braces) {
  struct point {
    int x;
    int y;
  };
  struct held {
    ingot::optional<int> number;
    ingot::optional<point> corner;
    ingot::optional<ingot::vector<int>> numbers;
    ingot::optional<ingot::map<int, ingot::string>> texts;
    ingot::box<point> far;
    ingot::box<ingot::vector<ingot::string>> lines;
  };
  live<held> block;
  block->number = {3};
  block->corner = {1, 2};
  block->numbers = {1, 2, 3};
  block->texts = {{1, "a text that is not short"}, {2, "b"}};
  block->far = {3, 4};
  block->lines = {"a", "a text that is not short"};
  EXPECT_EQ(block->number, 3);
  EXPECT_EQ(block->corner->y, 2);
  EXPECT_EQ(block->numbers->size(), 3U);
  EXPECT_EQ(block->texts->at(1), "a text that is not short");
  EXPECT_EQ(block->far->x, 3);
  EXPECT_EQ(block->lines->size(), 2U);
  expect_accounted(block);
  block->number = {};
  block->corner = {};
  block->numbers = {};
  block->texts = {};
  block->far = {};
  block->lines = {};
  EXPECT_FALSE(block->number || block->corner || block->numbers || block->texts || block->far ||
               block->lines);
  expect_accounted(block);
}

TEST_F(live_interface, choices_and_boxes_are_hashed) {
  struct held {
    ingot::variant<int, ingot::string> choice;
    ingot::box<int> box;
    ingot::box<int> none;
  };
  live<held> a;
  live<held> b;
  a->choice = b->choice = "the same text in both";
  a->box = b->box = 7;
  using choice = ingot::variant<int, ingot::string>;
  EXPECT_EQ(std::hash<choice>{}(a->choice), std::hash<choice>{}(b->choice));
  EXPECT_EQ(std::hash<ingot::box<int>>{}(a->box), std::hash<ingot::box<int>>{}(b->box));
  EXPECT_EQ(std::hash<ingot::box<int>>{}(a->none), std::hash<ingot::box<int>>{}(b->none));
  b->choice = 3;
  EXPECT_NE(std::hash<choice>{}(a->choice), std::hash<choice>{}(b->choice));
}

} // namespace interface_test
