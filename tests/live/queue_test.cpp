// SPDX-License-Identifier: Apache-2.0
// A queue in a block is a std::deque in a ring.
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace queue_test {

using ingot::queue;
using ingot::string;

struct job {
  string name;
  std::uint32_t number = 0;
};
namespace standard {
struct job { // alternatives are matched by the name of their class, which the twin has, too
  std::string name;
  std::uint32_t number = 0;
  bool operator==(const job&) const = default;
};
} // namespace standard
using job_std = standard::job;
struct level {
  queue<level> below;
  int depth = 0;
};

/// All of the smaller containers, nested.
struct model {
  ingot::vector<ingot::optional<string>> texts;
  ingot::optional<ingot::vector<ingot::box<job>>> jobs;
  ingot::variant<string, ingot::vector<int>, job> one;
  ingot::box<ingot::variant<int, queue<string>>> other;
  ingot::flat_map<string, ingot::optional<queue<job>>> waiting;
  ingot::flat_set<std::uint16_t> numbers;
  queue<ingot::flat_map<int, ingot::variant<int, string>>> maps;
};
struct model_std {
  std::vector<std::optional<std::string>> texts;
  std::optional<std::vector<std::unique_ptr<job_std>>> jobs;
  std::variant<std::string, std::vector<int>, job_std> one;
  std::unique_ptr<std::variant<int, std::deque<std::string>>> other;
  std::map<std::string, std::optional<std::deque<job_std>>> waiting;
  std::set<std::uint16_t> numbers;
  std::deque<std::map<int, std::variant<int, std::string>>> maps;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

static_assert(sizeof(queue<job>) == 8);
static_assert(ingot::kind_of<queue<job>> == ingot::kind::sequence);
static_assert(std::ranges::random_access_range<queue<job>> &&
              std::ranges::random_access_range<const queue<job>>);
static_assert(std::is_convertible_v<queue<job>::iterator, queue<job>::const_iterator>);
static_assert(!std::is_copy_constructible_v<queue<int>>);

TEST(live_queue, grows_and_shrinks_at_both_ends) {
  ingot::live<queue<int>> live;
  auto& q = *live;
  EXPECT_TRUE(q.empty());
  EXPECT_EQ(q.begin(), q.end());
  for (int i = 0; i < 20; ++i) i % 2 == 0 ? q.push_back(i) : q.push_front(i);
  EXPECT_EQ(q.front(), 19);
  EXPECT_EQ(q.back(), 18);
  EXPECT_EQ(q[10], 0);
  EXPECT_EQ(std::accumulate(q.begin(), q.end(), 0), 190);
  EXPECT_EQ(*q.rbegin(), 18);
  EXPECT_EQ(q.begin()[3], 13);
  std::ranges::sort(q);
  EXPECT_TRUE(std::ranges::equal(q, std::views::iota(0, 20)));
  q.pop_front();
  q.pop_back();
  EXPECT_EQ(q.front(), 1);
  EXPECT_EQ(q.get_if(18), nullptr);
  EXPECT_EQ(*q.get_if(17), 18);
  q.resize(30);
  EXPECT_EQ(q.back(), 0);
  q.resize(3);
  EXPECT_EQ(q.back(), 3);
  EXPECT_GE(q.capacity(), 30U);
  q.shrink_to_fit();
  EXPECT_EQ(q.capacity(), 3U);
  ingot_test::expect_whole(live);
  q = {7, 8};
  EXPECT_EQ(q.size(), 2U);
  q.clear();
  q.shrink_to_fit();
  ingot_test::expect_nothing_left(live);
}

TEST(live_queue, has_no_more_slots_than_needed_as_it_moves) {
  ingot::live<queue<job>> live;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    live->emplace_back(long_text, i);
    if (live->size() == 7) {
      EXPECT_EQ(live->front().number, i - 6);
      live->pop_front();
    }
  }
  EXPECT_LE(live->capacity(), 8U);
  EXPECT_LE(live.size(), 2000U);
  ingot_test::expect_whole(live);
}

TEST(live_queue, takes_arguments_from_its_own_elements) {
  ingot::live<queue<job>> live;
  live->emplace_back(long_text, 1U);
  for (int i = 0; i < 40; ++i) i % 2 == 0 ? live->push_back(live->front()) : live->push_front(live->back());
  EXPECT_TRUE(std::ranges::all_of(*live, [](const job& each) { return each.name == long_text; }));
  ingot_test::expect_whole(live);
}

TEST(live_queue, without_space_is_unchanged) {
  std::vector<std::byte> memory(900);
  auto created = ingot::live<queue<job>>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& q = **created;
  q.emplace_back("one", 1U);
  const std::string much(2000, 'x');
  EXPECT_EQ(q.try_emplace_back(much), nullptr);
  EXPECT_EQ(q.try_emplace_front(much), nullptr);
  EXPECT_FALSE(q.try_reserve(500));
  EXPECT_FALSE(q.try_assign(std::deque<job_std>{{"x", 1}, {much, 2}}));
  ASSERT_EQ(q.size(), 1U);
  EXPECT_EQ(q.front().name, "one");
#if INGOT_EXCEPTIONS
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  EXPECT_THROW(q.emplace_front(throwing{}), int);
  EXPECT_THROW(q.emplace_back(much), ingot::out_of_space);
#endif
  EXPECT_EQ(q.size(), 1U);
  ingot_test::expect_whole(*created);
}

TEST(live_queue, holds_its_own_type_below_to_any_depth) {
  ingot::live<level> live;
  level* at = &*live;
  for (int i = 0; i < 10'000; ++i) {
    at->below.emplace_back().depth = -i;
    at = &at->below.emplace_front();
    at->depth = i;
  }
  ingot_test::expect_whole(live);
  live->below = live->below.front().below; // a part of the value that is replaced
  EXPECT_EQ(live->below.front().depth, 1);
  ingot_test::expect_whole(live);
}

TEST(live_queue, follows_std_deque_through_random_operations) {
  std::mt19937_64 random(7);
  ingot::live<queue<job>> live;
  std::deque<job_std> expected;
  const auto same = [](const job& a, const job_std& b) { return a.name == b.name && a.number == b.number; };
  const int steps = live_test::operations(20'000);
  for (int step = 0; step < steps; ++step) {
    const job_std one{std::string(random() % 30, 'j'), static_cast<std::uint32_t>(step)};
    switch (random() % 9) {
    case 0:
    case 1:
      live->push_back(one);
      expected.push_back(one);
      break;
    case 2:
    case 3:
      live->push_front(one);
      expected.push_front(one);
      break;
    case 4:
    case 5:
      if (!expected.empty()) {
        live->pop_front();
        expected.pop_front();
      }
      break;
    case 6:
    case 7:
      if (!expected.empty()) {
        live->pop_back();
        expected.pop_back();
      }
      break;
    default:
      if (random() % 100 == 0) live->shrink_to_fit();
      else if (random() % 500 == 0) {
        live->clear();
        expected.clear();
      } else if (!expected.empty()) {
        const auto i = random() % expected.size();
        live->operator[](i) = live->front();
        expected[i] = job_std(expected.front());
      }
    }
    ASSERT_EQ(live->size(), expected.size());
    if (step % 2000 == 0) {
      ASSERT_TRUE(std::ranges::equal(*live, expected, same));
      ingot_test::expect_whole(live);
    }
  }
  EXPECT_TRUE(std::ranges::equal(*live, expected, same));
}

TEST(live_queue, survives_damage) {
  ingot::live<queue<job>> live;
  for (std::uint32_t i = 0; i < 5; ++i) live->emplace_back(i == 4 ? long_text : "short", i);
  for (int i = 0; i < 3; ++i) live->pop_front();
  live->shrink_to_fit();
  live->emplace_front("before", 9U);
  live->pop_back();
  live->emplace_front("around", 9U); // the first element is now after the last one in memory
  const auto use = [](queue<job>& q) {
    for (auto& each : q) each.name += long_text;
    for (int i = 0; i < 5; ++i) {
      q.emplace_back(long_text, 1U);
      q.emplace_front("x", 2U);
    }
    q.push_back(q.front());
    EXPECT_EQ(q.back().name, "x");
    while (q.size() > 6) q.pop_front();
    q.shrink_to_fit();
    q.resize(9);
    q.pop_back();
    q.clear();
    q.emplace_front("again", 3U);
  };
  ingot_test::expect_damage_is_survived(live, use);
  live.compact();
  ingot_test::expect_damage_is_survived(live, use);
}

TEST(live_queue, rejects_rings_that_lie) {
  ingot::live<queue<std::uint32_t>> live(std::vector<std::uint32_t>{1, 2, 3, 4});
  const auto first =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&live->front()) - live.bytes().data());
  const auto error_of = [&](std::size_t position, unsigned value) {
    auto damaged = ingot_test::bytes_of(live);
    damaged[position] = static_cast<std::byte>(value);
    return ingot::live<queue<std::uint32_t>>::open(damaged);
  };
  EXPECT_EQ(error_of(first - 8, 4).error().code(), ingot::errc::bad_length); // begins outside
  // Fewer slots than elements
  EXPECT_EQ(error_of(first - 4, 3).error().code(), ingot::errc::bad_length);
  // More than the storage has
  EXPECT_EQ(error_of(first - 4, 5).error().code(), ingot::errc::bad_length);
  EXPECT_TRUE(error_of(first - 8, 3).has_value());
}

TEST(live_containers, nest_in_each_other_and_take_the_twin_of_std_members) {
  model_std twin;
  twin.texts = {"a", std::nullopt, long_text};
  twin.jobs.emplace();
  twin.jobs->push_back(std::make_unique<job_std>(job_std{long_text, 1}));
  twin.jobs->push_back(nullptr);
  twin.one = job_std{long_text, 2};
  twin.other =
      std::make_unique<std::variant<int, std::deque<std::string>>>(std::deque<std::string>{"x", long_text});
  twin.waiting["b"] = std::deque<job_std>{{long_text, 3}, {"c", 4}};
  twin.waiting[long_text] = std::nullopt;
  twin.numbers = {5, 3, 9};
  twin.maps.push_back({{1, 1}, {0, long_text}});
  twin.maps.emplace_back();
  ingot::live<model> m(twin);
  EXPECT_EQ(m->texts[2], std::optional<std::string>(long_text));
  EXPECT_EQ((*m->jobs)[0]->name, long_text);
  EXPECT_EQ(ingot::get<job>(m->one).number, 2U);
  EXPECT_EQ(ingot::get<1>(*m->other)[1], long_text);
  EXPECT_EQ(m->waiting.at("b")->back().name, "c");
  EXPECT_EQ(m->waiting.at(long_text), std::nullopt);
  EXPECT_EQ(*m->numbers.begin(), 3);
  EXPECT_EQ(ingot::get<string>(m->maps[0].at(0)), long_text);
  EXPECT_TRUE(ingot_test::is_canonical(m));
  ingot_test::expect_whole(m);
  const ingot::live<model> copy(m);
  m = model_std{};
  EXPECT_FALSE(m == copy);
  ingot_test::expect_whole(m);
  *m = *copy;
  EXPECT_TRUE(m == copy);
  ingot_test::expect_whole(m);
  ingot_test::expect_damage_is_survived(copy, [&](model& each) {
    each.texts.emplace_back("z");
    each.waiting["new"].emplace().emplace_back(long_text, 1U);
    if (each.jobs) each.jobs->emplace_back().emplace("n", 2U);
    each.maps.emplace_front()[4] = long_text;
    each.other.emplace().emplace<1>().push_back(long_text);
    each.one = each.texts.back().value_or("none");
    each = *copy;
  });
}

} // namespace queue_test
