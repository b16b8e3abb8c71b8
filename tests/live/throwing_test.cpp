// SPDX-License-Identifier: Apache-2.0
// Code of a caller that throws in the middle of a container's operation: at every call, of a value
// for an element, of a key, of an iterator and of a predicate. An error would lose a storage, count
// an element that was never constructed, or lose an element. (vector, hash_map and assignment as a
// whole have such tests of their own.)
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

#include "live/block_tools.hpp"
#include "live/thrower.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#if INGOT_EXCEPTIONS

namespace throwing_test {

using namespace live_test;

const std::string elsewhere = "a text that lies elsewhere";

struct store {
  ingot::map<std::uint32_t, ingot::string> map;
  ingot::multimap<std::uint32_t, ingot::string> multimap;
  ingot::hash_map<std::uint32_t, ingot::string> hash_map;
  ingot::flat_map<std::uint32_t, ingot::string> flat_map;
  ingot::flat_map<ingot::string, ingot::string> by_name;
  ingot::set<ingot::string> set;
  ingot::multiset<ingot::string> multiset;
  ingot::hash_set<ingot::string> hash_set;
  ingot::flat_set<ingot::string> flat_set;
  ingot::queue<ingot::string> queue;
  ingot::pool<ingot::string> pool;
  ingot::optional<ingot::string> optional;
  ingot::variant<std::uint32_t, ingot::string> variant;
  ingot::box<ingot::string> box;
};

/// Fills each container with `n` elements. A container may be exactly full, or have free capacity.
void fill(store& root, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::string text = elsewhere + ", number " + std::to_string(i);
    root.map.try_emplace(i, text), root.multimap.emplace(i / 2, text), root.hash_map.try_emplace(i, text);
    root.flat_map.try_emplace(i, text), root.by_name.try_emplace(text, text), root.set.insert(text),
        root.multiset.insert(text);
    root.hash_set.insert(text), root.flat_set.insert(text), root.queue.push_back(text);
    static_cast<void>(root.pool.add(text));
  }
  if (n > 2 && n % 2 == 0) { // their slots are the next ones to be used, in order
    root.pool.erase(root.pool.begin());
    root.pool.erase(root.pool.begin());
  }
  root.optional = elsewhere;
  root.variant.emplace<ingot::string>(elsewhere);
  root.box = elsewhere;
}

/// `act` throws at its first call, its second and so on until it completes. After each exception
/// the block is unchanged and has lost no byte.
void expect_as_before(std::uint32_t n, const std::function<void(store&, countdown&)>& act) {
  SCOPED_TRACE(n);
  ingot::live<store> before;
  fill(*before, n);
  ingot::live<store> block;
  const std::size_t calls =
      throw_at_every_call([&] { block = before; }, [&](countdown& left) { act(*block, left); },
                          [&](bool through) {
                            EXPECT_EQ(block == before, !through);
                            expect_accounted(block);
                            expect_opens_again(block);
                          });
  EXPECT_GT(calls, 1U) << "nothing of the caller's was called";
}
/// Repeats this for every number of elements up to a few leaves, so that growth and splits are
/// included.
void expect_each_as_before(const std::function<void(store&, countdown&)>& act) {
  for (std::uint32_t n = 0; n <= 40 && !testing::Test::HasFailure(); n += n < 18 ? 1 : 7)
    expect_as_before(n, act);
}

difficult value(countdown& calls) { return {calls, 9'999, "a text that is not to be, and lies elsewhere"}; }

TEST(live_throwing, values_of_maps_leave_them_as_they_were) {
  expect_each_as_before([](store& s, countdown& c) { s.map.try_emplace(1'000U, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.map.insert_or_assign(1'000U, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.multimap.emplace(3U, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.flat_map.try_emplace(1'000U, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.flat_map.insert_or_assign(1'000U, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.by_name.try_emplace(elsewhere, value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.hash_map.insert_or_assign(1'000U, value(c)); });
}

TEST(live_throwing, elements_of_queues_and_pools_leave_them_as_they_were) {
  expect_each_as_before([](store& s, countdown& c) { s.queue.emplace_back(value(c)); });
  expect_each_as_before([](store& s, countdown& c) { s.queue.emplace_front(value(c)); });
  expect_each_as_before([](store& s, countdown& c) { static_cast<void>(s.pool.add(value(c))); });
}

TEST(live_throwing, the_one_value_of_optionals_variants_and_boxes_leaves_them_as_they_were) {
  expect_as_before(1, [](store& s, countdown& c) { s.box.emplace(value(c)); });
  expect_as_before(1, [](store& s, countdown& c) { s.variant.emplace<ingot::string>(value(c)); });
  expect_as_before(1, [](store& s, countdown& c) { s.variant.emplace<std::uint32_t>(value(c)); });
}

/// Ranges read through an iterator that throws: each element is inserted entirely or not at all.
TEST(live_throwing, iterators_lose_no_byte_of_what_they_give) {
  using pairs = std::vector<std::pair<std::uint32_t, std::string>>;
  const pairs entries{{5'000, elsewhere}, {5'001, "b"}, {5'002, elsewhere + "!"}};
  const std::vector<std::string> texts{elsewhere + "?", "b", elsewhere + "!"};
  const auto read = [](const auto& from, countdown& c) {
    using iterator = difficult_iterator<std::ranges::range_value_t<decltype(from)>>;
    return std::ranges::subrange(iterator(from.data(), c), iterator(from.data() + from.size(), c));
  };
  using act = std::function<void(store&, countdown&)>;
  const std::vector<act> whole{
      // Assignment of a whole container completes, or leaves the container unchanged.
      [&](store& s, countdown& c) { s.map = read(entries, c); },
      [&](store& s, countdown& c) { s.multimap = read(entries, c); },
      [&](store& s, countdown& c) { s.flat_map = read(entries, c); },
      [&](store& s, countdown& c) { s.set = read(texts, c); },
      [&](store& s, countdown& c) { s.hash_set = read(texts, c); },
      [&](store& s, countdown& c) { s.flat_set = read(texts, c); },
      [&](store& s, countdown& c) { s.queue = read(texts, c); },
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    SCOPED_TRACE(i);
    expect_as_before(7, whole[i]);
  }
  const std::vector<act> one_by_one{
      [&](store& s, countdown& c) { s.map.insert_range(read(entries, c)); },
      [&](store& s, countdown& c) { s.multimap.insert_range(read(entries, c)); },
      [&](store& s, countdown& c) { s.hash_map.insert_range(read(entries, c)); },
      [&](store& s, countdown& c) { s.flat_map.insert_range(read(entries, c)); },
      [&](store& s, countdown& c) { s.set.insert_range(read(texts, c)); },
      [&](store& s, countdown& c) { s.hash_set.insert_range(read(texts, c)); },
      [&](store& s, countdown& c) { s.flat_set.insert_range(read(texts, c)); },
  };
  for (std::size_t i = 0; i < one_by_one.size(); ++i) {
    SCOPED_TRACE(i);
    ingot::live<store> block;
    std::size_t taken = 0;
    const std::size_t calls = throw_at_every_call(
        [&] {
          block = ingot::live<store>();
          fill(*block, 7);
        },
        [&](countdown& left) { one_by_one[i](*block, left); },
        [&](bool) {
          const store& s = *block;
          const std::size_t all = s.map.size() + s.multimap.size() + s.hash_map.size() + s.flat_map.size() +
                                  s.set.size() + s.hash_set.size() + s.flat_set.size();
          EXPECT_EQ(all, 7 * 7 + taken++);
          expect_accounted(block);
          expect_opens_again(block);
        });
    EXPECT_EQ(calls, 4U);
  }
}

/// A predicate that throws: elements for which it was not called, or returned false, are all kept.
template <class Keys, class Erase>
void expect_no_other_lost(Keys keys, Erase erase) {
  for (std::uint32_t n = 1; n <= 40 && !testing::Test::HasFailure(); n += n < 10 ? 1 : 6) {
    SCOPED_TRACE(n);
    ingot::live<store> block;
    std::size_t predicate_calls = 0;
    const std::size_t calls = throw_at_every_call(
        [&] {
          block = ingot::live<store>();
          fill(*block, n);
          predicate_calls = 0;
        },
        [&](countdown& left) {
          erase(*block, [&](const auto&) {
            left.tick();
            return predicate_calls++ % 2 == 0;
          });
        },
        [&](bool through) {
          const std::size_t left = keys(*block);
          EXPECT_GE(left, n - (predicate_calls + 1) / 2);
          EXPECT_LE(left, n);
          EXPECT_TRUE(!through || left == n / 2);
          expect_accounted(block);
          expect_opens_again(block);
        });
    EXPECT_EQ(calls, n + 1);
  }
}

TEST(live_throwing, predicates_lose_nothing_else) {
  expect_no_other_lost([](store& s) { return s.map.size(); }, [](store& s, auto no) { erase_if(s.map, no); });
  expect_no_other_lost([](store& s) { return s.multimap.size(); },
                       [](store& s, auto no) { erase_if(s.multimap, no); });
  expect_no_other_lost([](store& s) { return s.hash_map.size(); },
                       [](store& s, auto no) { erase_if(s.hash_map, no); });
  expect_no_other_lost([](store& s) { return s.flat_map.size(); },
                       [](store& s, auto no) { erase_if(s.flat_map, no); });
  expect_no_other_lost([](store& s) { return s.set.size(); }, [](store& s, auto no) { erase_if(s.set, no); });
  expect_no_other_lost([](store& s) { return s.multiset.size(); },
                       [](store& s, auto no) { erase_if(s.multiset, no); });
  expect_no_other_lost([](store& s) { return s.hash_set.size(); },
                       [](store& s, auto no) { erase_if(s.hash_set, no); });
  expect_no_other_lost([](store& s) { return s.flat_set.size(); },
                       [](store& s, auto no) { erase_if(s.flat_set, no); });
}

} // namespace throwing_test

#endif
