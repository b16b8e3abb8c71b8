// SPDX-License-Identifier: Apache-2.0
// Sequences in a block that is full, and sequences whose arguments throw. They end in the state
// before or after the operation, and lose no byte.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/thrower.hpp"
#include "live/vector_lists.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vector_test {

using ingot::live;
using ingot::out_of_space_reason;

/// Random operations that need free bytes, drawn from a seed.
class script {
public:
  explicit script(std::uint64_t seed) : random_(seed) {}

  /// Runs the next operation on the model and on the block.
  void step(lists<item>& root, std::vector<item_twin>& a, std::vector<item_twin>& b) {
    const item_twin one = maker<item>::make(random_);
    const std::size_t i = a.empty() ? 0 : random_() % a.size();
    switch (random_() % 15) {
    case 0:
    case 1:
    case 2: a.push_back(one), root.a.push_back(one); break;
    case 3:
      a.insert(a.begin() + static_cast<std::ptrdiff_t>(i), one),
          root.a.insert(root.a.begin() + static_cast<std::ptrdiff_t>(i), one);
      break;
    case 4:
      if (!a.empty()) a.push_back(item_twin(a[i])), root.a.push_back(root.a[i]);
      break;
    case 5: {
      const std::vector<item_twin> more(random_() % 4, one);
      a.insert(a.begin() + static_cast<std::ptrdiff_t>(i), more.begin(), more.end());
      root.a.insert_range(root.a.begin() + static_cast<std::ptrdiff_t>(i), more);
      break;
    }
    case 6: a.resize(a.size() + 2), root.a.resize(root.a.size() + 2); break;
    case 7:
      if (!a.empty()) a.resize(a.size() + 2, item_twin(a[i])), root.a.resize(root.a.size() + 2, root.a[i]);
      break;
    case 8:
      if (!a.empty()) a[i].name += one.name, root.a[i].name.append(one.name);
      break;
    case 9:
      if (!a.empty()) a[i].path.push_back(1), root.a[i].path.push_back(1);
      break;
    case 10: b.push_back(one), root.b.emplace_back(one.name, one.path, one.level); break;
    case 11: b = a, root.b = root.a; break;
    case 12: b = std::vector<item_twin>(1 + random_() % 3, one), root.b = b; break;
    case 13: b.assign(i % 4, one), root.b.assign(i % 4, one); break;
    default:
      if (!b.empty()) b.assign(3, item_twin(b.back())), root.b.assign(3, root.b.back());
      break;
    }
  }

private:
  dice random_;
};

#if INGOT_EXCEPTIONS
TEST(live_vector, in_a_tiny_block_of_every_size_is_as_before_or_as_after_and_loses_no_byte) {
  alignas(16) static std::array<std::byte, 3000> memory;
  std::size_t full = 0;
  for (std::size_t size = 600; size <= memory.size(); ++size) {
    memory.fill(std::byte{0xEE});
    auto created = live<lists<item>>::in(std::span(memory).first(size));
    if (!created) {
      EXPECT_EQ(created.error().code(), ingot::errc::no_space);
      continue;
    }
    auto& block = *created;
    std::vector<item_twin> a;
    std::vector<item_twin> b;
    script steps(size);
    for (int step = 0; step < 60; ++step) {
      const auto a_before = a;
      const auto b_before = b;
      try {
        steps.step(*block, a, b);
      } catch (const ingot::out_of_space& e) {
        ++full;
        EXPECT_EQ(e.why(), out_of_space_reason::full);
        a = a_before;
        b = b_before;
      }
      ASSERT_TRUE(same(block->a, a)) << size << ' ' << step;
      ASSERT_TRUE(same(block->b, b)) << size << ' ' << step;
      expect_accounted(block);
      ASSERT_TRUE(is_zero_after(block)) << size << ' ' << step;
      if (HasFailure()) return;
    }
    ASSERT_TRUE(all_zero(memory.data() + size, 0));
    for (std::size_t i = size; i < memory.size(); ++i)
      ASSERT_EQ(memory[i], std::byte{0xEE}) << "after the span";
    block.trim();
    ASSERT_EQ(stale_bytes(block), 0U);
    ASSERT_TRUE(live<lists<item>>::open(block.bytes()).has_value());
    if (block.try_compact()) {
      ASSERT_TRUE(same(block->a, a));
      ASSERT_TRUE(same(block->b, b));
    }
  }
  EXPECT_GT(full, 10'000U);
}
#endif

TEST(live_vector, try_forms_in_a_tiny_block_of_every_size_change_nothing_when_they_fail) {
  alignas(16) static std::array<std::byte, 2000> memory;
  std::size_t full = 0;
  for (std::size_t size = 600; size <= memory.size(); ++size) {
    auto created = live<lists<item>>::in(std::span(memory).first(size));
    if (!created) continue;
    auto& v = (*created)->a;
    std::vector<item_twin> m;
    dice random(size);
    for (int step = 0; step < 40; ++step) {
      const item_twin one = maker<item>::make(random);
      const std::size_t i = m.empty() ? 0 : random() % m.size();
      auto after = m;
      bool done = true;
      switch (random() % 6) {
      case 0: after.push_back(one), done = v.try_emplace_back(one) != nullptr; break;
      case 1:
        after.insert(after.begin() + static_cast<std::ptrdiff_t>(i), one);
        done = v.try_emplace(v.begin() + static_cast<std::ptrdiff_t>(i), one) != nullptr;
        break;
      case 2: after.resize(m.size() + 3), done = v.try_resize(m.size() + 3); break;
      case 3: done = v.try_reserve(m.size() + 4); break;
      case 4:
        if (!m.empty()) after[i].name += one.name, done = v[i].name.try_append(one.name);
        break;
      default:
        if (!m.empty()) after.push_back(m[i]), done = v.try_emplace_back(v[i]) != nullptr;
        break;
      }
      if (done) m = after;
      else ++full;
      ASSERT_TRUE(same(v, m)) << size << ' ' << step;
      expect_accounted(*created);
      ASSERT_TRUE(is_zero_after(*created));
    }
  }
  EXPECT_GT(full, 5'000U);
}

TEST(live_vector, try_forms_without_space_return_it_and_change_nothing) {
  alignas(16) std::array<std::byte, 1200> memory;
  auto block = live<lists<item>>::in(memory).value();
  while (block->a.try_emplace_back(item_twin{"a text of some length", {1, 2, 3}, 4}) != nullptr) {
  }
  const auto before = twin_of(block->a);
  ASSERT_FALSE(before.empty());
  EXPECT_EQ(block->a.try_emplace(block->a.begin(), item_twin{"a text of some length", {1, 2, 3}, 4}),
            nullptr);
  EXPECT_FALSE(block->a.try_resize(1000));
  EXPECT_FALSE(block->a.try_reserve(1000));
  EXPECT_FALSE(block->a[0].name.try_append(std::string(1000, 'x')));
  EXPECT_TRUE(same(block->a, before));
  expect_accounted(block);
}

#if INGOT_EXCEPTIONS
TEST(live_vector, values_that_throw_leave_it_as_it_was) {
  live<lists<std::uint32_t>> numbers;
  const auto value = [](countdown& calls) { return difficult(calls, 9, "nine nine nine nine"); };
  // Exactly full, so that growth is included
  const std::vector<std::uint32_t> start{1, 2, 3, 4, 5, 6, 7, 8};
  const auto prepare = [&] { numbers->a = start; };
  const auto unchanged = [&](bool through) {
    EXPECT_TRUE(through || same(numbers->a, start));
    EXPECT_TRUE(is_zero_after_elements(numbers->a));
    expect_accounted(numbers);
  };
  EXPECT_EQ(throw_at_every_call(
                prepare, [&](countdown& calls) { numbers->a.emplace_back(value(calls)); }, unchanged),
            2U);
  EXPECT_EQ(
      throw_at_every_call(
          prepare, [&](countdown& calls) { numbers->a.insert(numbers->a.begin(), value(calls)); }, unchanged),
      2U);
  EXPECT_EQ(throw_at_every_call(
                prepare,
                [&](countdown& calls) {
                  const std::vector<difficult> many(5, value(calls));
                  numbers->a.append_range(many);
                },
                unchanged),
            6U);
  EXPECT_EQ(throw_at_every_call(
                prepare,
                [&](countdown& calls) {
                  const std::vector<difficult> many(5, value(calls));
                  numbers->a.insert_range(numbers->a.begin() + 2, many);
                },
                unchanged),
            6U);

  live<lists<item>> items;
  const std::vector<item_twin> before(4, item_twin{"twelve chars", {1}, 1});
  const auto fill = [&] {
    items->a = before;
    items->a.shrink_to_fit();
  };
  const auto as_before = [&](bool through) {
    EXPECT_TRUE(through || same(items->a, before));
    EXPECT_TRUE(is_zero_after_elements(items->a));
    expect_accounted(items);
  };
  EXPECT_EQ(throw_at_every_call(
                fill,
                [&](countdown& calls) {
                  items->a.emplace_back(value(calls), std::vector<std::uint16_t>(9, 1), value(calls));
                },
                as_before),
            3U);
  EXPECT_EQ(
      throw_at_every_call(
          fill, [&](countdown& calls) { items->a.insert(items->a.begin() + 1, value(calls)); }, as_before),
      2U);
}

TEST(live_vector, iterators_that_throw_leave_it_as_it_was) {
  live<lists<item>> block;
  const std::vector<item_twin> before(3, item_twin{"twelve chars", {1}, 1});
  const std::vector<item_twin> source(6, item_twin{"another of those", {2, 3}, 4});
  using iterator = difficult_iterator<item_twin>;
  const auto range = [&](countdown& calls) {
    return std::ranges::subrange(iterator(source.data(), calls),
                                 iterator(source.data() + source.size(), calls));
  };
  const auto prepare = [&] {
    block->a = before;
    block->a.shrink_to_fit();
  };
  const auto unchanged = [&](bool through) {
    EXPECT_TRUE(through || same(block->a, before));
    EXPECT_TRUE(is_zero_after_elements(block->a));
    expect_accounted(block);
  };
  EXPECT_EQ(throw_at_every_call(
                prepare, [&](countdown& calls) { block->a.append_range(range(calls)); }, unchanged),
            7U);
  EXPECT_EQ(throw_at_every_call(
                prepare, [&](countdown& calls) { block->a.insert_range(block->a.begin(), range(calls)); },
                unchanged),
            7U);
  EXPECT_EQ(throw_at_every_call(
                prepare, [&](countdown& calls) { block->a = range(calls); },
                [&](bool through) {
                  EXPECT_TRUE(same(block->a, through ? source : before));
                  expect_accounted(block);
                }),
            7U);
}

TEST(live_vector, predicates_and_orders_that_throw_lose_no_element) {
  live<lists<item>> block;
  std::vector<item_twin> start;
  for (int i = 0; i < 20; ++i) start.push_back({"a text that is long " + std::to_string(i), {1}, i * 7 % 10});
  const auto prepare = [&] { block->a = start; };
  std::size_t predicate_calls = 0;
  const auto goes = [](int level) { return level % 3 == 0; };
  const std::size_t calls_of_erase = throw_at_every_call(
      prepare,
      [&](countdown& calls) {
        predicate_calls = 0;
        block->a.erase_if([&](const item& each) {
          calls.tick();
          ++predicate_calls;
          return goes(each.level);
        });
      },
      [&](bool) {
        // Elements for which the predicate returned true are gone. All others are kept, in order.
        std::vector<item_twin> left;
        for (std::size_t i = 0; i < start.size(); ++i) {
          if (i >= predicate_calls || !goes(start[i].level)) left.push_back(start[i]);
        }
        EXPECT_TRUE(same(block->a, left));
        EXPECT_TRUE(is_zero_after_elements(block->a));
        expect_accounted(block);
      });
  EXPECT_EQ(calls_of_erase, 21U);
  const std::size_t calls_of_sort = throw_at_every_call(
      prepare,
      [&](countdown& calls) {
        block->a.sort([&](const item& a, const item& b) {
          calls.tick();
          return a.level < b.level;
        });
      },
      [&](bool through) {
        EXPECT_TRUE(through || same(block->a, start));
        expect_accounted(block);
      });
  EXPECT_GT(calls_of_sort, 20U);
}
#endif

TEST(live_vector, is_assigned_from_a_range_side_by_side_whose_end_is_not_known) {
  const auto until_zero = std::views::take_while([](int number) { return number != 0; });
  const std::vector<int> from{1, 2, 3, 0, 5};
  ingot::live<ingot::vector<int>> block;
  *block = from | until_zero;
  EXPECT_TRUE(std::ranges::equal(*block, std::vector{1, 2, 3}));
  block->assign_range(std::ranges::subrange(block->begin() + 1, block->end()) | until_zero);
  EXPECT_TRUE(std::ranges::equal(*block, std::vector{2, 3}));
}

} // namespace vector_test
