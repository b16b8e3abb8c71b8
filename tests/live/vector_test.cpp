// SPDX-License-Identifier: Apache-2.0
// Sequences in a block against std::vector: elements that are numbers, elements that hold
// containers, and arguments that are elements of the same vector.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/dice.hpp"
#include "live/failures.hpp"
#include "live/twins.hpp"
#include "live/vector_lists.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <forward_list>
#include <limits>
#include <list>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace vector_test {

using namespace live_test;
using ingot::live;
using ingot::out_of_space_reason;

static_assert(sizeof(ingot::vector<item>) == 8);
#if SIZE_MAX > 0xFFFFFFFF
static_assert(sizeof(ingot::wide::vector<int>) == 16);
#endif
static_assert(!std::is_copy_constructible_v<ingot::vector<int>> &&
              !std::is_move_constructible_v<ingot::vector<int>>);
static_assert(std::is_trivially_destructible_v<ingot::vector<item>>);
static_assert(std::ranges::contiguous_range<ingot::vector<int>> &&
              std::ranges::contiguous_range<ingot::vector<bool>>);
static_assert(!std::is_copy_constructible_v<item>);

template <class T>
class vector_model {
  using make = maker<T>;
  using twin = typename make::twin;
  using model = std::vector<twin>;

public:
  explicit vector_model(std::uint64_t seed) : random_(seed) { block_->nested.resize(2); }

  void run(std::size_t steps) {
    for (std::size_t step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      const std::size_t i = random_() % count;
      operate(at(i), models_[i]);
      check(i);
      if (step % 500 == 499) expect_whole(step);
    }
  }

private:
  static constexpr std::size_t count = 4;

  ingot::vector<T>& at(std::size_t i) {
    const std::array<ingot::vector<T>*, count> all{&block_->a, &block_->b, &block_->nested[0],
                                                   &block_->nested[1]};
    return *all[i];
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  static auto position_in(auto& v, std::size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); }
  /// std::stable_sort allocates its memory by a function that is deprecated now.
  static void stable_sort(model& m) {
    std::list<twin> sorted(m.begin(), m.end());
    sorted.sort(&make::template less_of<twin>);
    m.assign(sorted.begin(), sorted.end());
  }
  model values() {
    model drawn(below(3) == 0 ? below(20) : below(4));
    for (auto& each : drawn) each = make::make(random_);
    return drawn;
  }

  void operate(ingot::vector<T>& v, model& m) {
    const std::size_t from = below(m.size() + 1);
    const std::size_t length = below(m.size() - from + 1);
    const std::size_t where = below(m.size() + 1);
    const twin one = make::make(random_);
    if (m.size() > 120) {
      v.erase(position_in(v, 10), v.end());
      m.erase(position_in(m, 10), m.end());
      return;
    }
    switch (random_() % 34) {
    case 0:
    case 1: v.emplace_back(one), m.push_back(one); break;
    case 2: v.push_back(one), m.push_back(one); break;
    case 3:
      if (!m.empty()) v.pop_back(), m.pop_back();
      break;
    case 4: v.insert(position_in(v, where), one), m.insert(position_in(m, where), one); break;
    case 5: v.emplace(position_in(v, where), one), m.emplace(position_in(m, where), one); break;
    case 6: {
      const model more = values();
      ASSERT_EQ(v.insert_range(position_in(v, where), more) - v.begin(), static_cast<std::ptrdiff_t>(where));
      m.insert(position_in(m, where), more.begin(), more.end());
      break;
    }
    case 7: {
      const model more = values();
      v.append_range(more), m.insert(m.end(), more.begin(), more.end());
      break;
    }
    case 8: {
      const model more = values();
      const std::forward_list<twin> list(more.begin(), more.end());
      v.append_range(list), m.insert(m.end(), more.begin(), more.end());
      break;
    }
    case 9:
      v.erase(position_in(v, from), position_in(v, from + length)),
          m.erase(position_in(m, from), position_in(m, from + length));
      break;
    case 10:
      if (!m.empty()) {
        const std::size_t i = below(m.size());
        v.erase(position_in(v, i)), m.erase(position_in(m, i));
      }
      break;
    case 11: v.resize(where), m.resize(where); break;
    case 12: v.resize(m.size() + length % 9), m.resize(m.size() + length % 9); break;
    case 13: v.reserve(where + 5); break;
    case 14: v.shrink_to_fit(); break;
    case 15:
      if (below(4) == 0) v.clear(), m.clear();
      break;
    case 16: m = values(), v = m; break;
    case 17: m = values(), v.assign(m.begin(), m.end()); break;
    case 18: m = values(), v.assign_range(m); break;
    // Arguments that are elements of the vector itself.
    case 19:
    case 20:
      if (!m.empty()) {
        const std::size_t i = below(m.size());
        v.push_back(v[i]);
        m.push_back(twin(m[i]));
      }
      break;
    case 21:
      if (!m.empty()) {
        const std::size_t i = below(m.size());
        v.insert(position_in(v, where), v[i]);
        m.insert(position_in(m, where), twin(m[i]));
      }
      break;
    case 22:
      if (!m.empty()) {
        const std::size_t i = below(m.size());
        v.resize(m.size() + length, v[i]);
        m.resize(m.size() + length, twin(m[i]));
      }
      break;
    case 23:
      if (!m.empty()) {
        const std::size_t i = below(m.size());
        v.assign(where, v[i]);
        m.assign(where, twin(m[i]));
      }
      break;
    case 24:
      if (m.size() < 60) {
        const model twice(m);
        v.append_range(v);
        m.insert(m.end(), twice.begin(), twice.end());
      }
      break;
    case 25: {
      const model part(position_in(m, from), position_in(m, from + length));
      v.insert_range(position_in(v, where), std::span<T>(v.data() + from, length));
      m.insert(position_in(m, where), part.begin(), part.end());
      break;
    }
    case 26: {
      const model part(position_in(m, from), position_in(m, from + length));
      v.assign_range(std::span<const T>(v.data() + from, length));
      m = part;
      break;
    }
    case 27: v = std::as_const(v); break;
    case 28: v.swap(v); break;
    // Algorithms.
    case 29:
      v.sort(&make::template less_of<T>);
      stable_sort(m);
      break;
    case 30: {
      const std::size_t middle = from + below(length + 1);
      const auto at_middle =
          v.rotate(position_in(v, from), position_in(v, middle), position_in(v, from + length));
      ASSERT_EQ(at_middle - v.begin(),
                std::rotate(position_in(m, from), position_in(m, middle), position_in(m, from + length)) -
                    m.begin());
      break;
    }
    case 31: v.reverse(), std::ranges::reverse(m); break;
    case 32:
      ASSERT_EQ(v.erase_if([](const T& each) { return make::goes(each); }),
                std::erase_if(m, [](const twin& each) { return make::goes(each); }));
      break;
    // Operations on two vectors.
    case 33: {
      const std::size_t j = below(count);
      switch (below(4)) {
      case 0: v = at(j), m = model(models_[j]); break;
      case 1: v.swap(at(j)), m.swap(models_[j]); break;
      case 2:
        if (j != index_of(m)) v = std::move(at(j)), m.swap(models_[j]);
        break;
      default:
        if (!m.empty() && !models_[j].empty()) {
          T& mine = v[below(m.size())];
          T& other = at(j)[0];
          std::swap(m[static_cast<std::size_t>(&mine - v.data())], models_[j][0]);
          ingot::vector<T>::swap_elements(mine, other);
        }
        break;
      }
      check(j);
      break;
    }
    default: break;
    }
  }
  std::size_t index_of(const model& m) const { return static_cast<std::size_t>(&m - models_.data()); }

  void check(std::size_t i) {
    const ingot::vector<T>& v = at(i);
    ASSERT_TRUE(same(v, models_[i]));
    ASSERT_EQ(v.size(), models_[i].size());
    ASSERT_EQ(v.empty(), models_[i].empty());
    ASSERT_GE(v.capacity(), v.size());
    ASSERT_TRUE(is_zero_after_elements(v));
  }
  void expect_whole(std::size_t step) {
    SCOPED_TRACE(step);
    for (std::size_t i = 0; i < count; ++i) check(i);
    expect_accounted(block_);
    EXPECT_TRUE(is_zero_after(block_, 4096));
    if (step % 5000 == 4999) {
      expect_opens_again(block_);
      block_.compact();
      for (std::size_t i = 0; i < count; ++i) check(i);
    } else if (step % 2500 == 2499) {
      block_.trim();
      EXPECT_EQ(stale_bytes(block_), 0U);
      block_.reclaim();
    } else {
      const auto opened = live<lists<T>>::open(block_.bytes());
      ASSERT_TRUE(opened.has_value()) << opened.error().message();
      EXPECT_TRUE(*opened == block_);
    }
  }

  dice random_;
  live<lists<T>> block_;
  std::array<model, count> models_;
};

TEST(live_vector, of_numbers_agrees_with_a_model_over_a_hundred_thousand_operations) {
  const std::size_t half = live_test::operations(std::size_t{100'000}) / 2;
  vector_model<std::uint32_t>(1).run(half);
  vector_model<std::uint32_t>(2).run(half);
}
TEST(live_vector, of_containers_agrees_with_a_model_over_a_hundred_thousand_operations) {
  const std::size_t half = live_test::operations(std::size_t{100'000}) / 2;
  vector_model<item>(1).run(half);
  vector_model<item>(2).run(half);
}

TEST(live_vector, makes_elements_of_values_of_twins_and_of_values_for_their_members) {
  live<lists<item>> block;
  block->a.emplace_back(item_twin{"a twin", {1, 2, 3}, 7});
  block->a.emplace_back("members in order", std::vector<std::uint16_t>{4, 5}, 8);
  block->a.emplace_back("only the first of them");
  block->a.emplace_back();
  block->a.emplace_back(block->a[0]);
  block->a.push_back(item{});
  EXPECT_TRUE(same(block->a, std::vector<item_twin>{{"a twin", {1, 2, 3}, 7},
                                                    {"members in order", {4, 5}, 8},
                                                    {"only the first of them", {}, 0},
                                                    {"", {}, 0},
                                                    {"a twin", {1, 2, 3}, 7},
                                                    {"", {}, 0}}));
  struct words {
    ingot::vector<ingot::string> all;
    ingot::vector<ingot::vector<int>> rows;
    ingot::vector<std::pair<ingot::string, int>> pairs;
    ingot::vector<std::array<ingot::string, 2>> couples;
  };
  live<words> text;
  text->all = {"brace", "values of any length, as text"};
  text->all.push_back("another that is long enough");
  text->all.insert(text->all.begin(), "first");
  text->all.assign({"these", "only"});
  text->rows.emplace_back(std::list<int>{1, 2, 3});
  text->rows.emplace_back(std::views::iota(0, 4));
  text->rows.insert(text->rows.begin(), std::vector<int>{});
  text->pairs.emplace_back("a text longer than eleven", 1);
  text->pairs.emplace_back(std::pair<std::string, int>("pair", 2));
  text->couples.emplace_back(std::array<std::string, 2>{"one", "the other one, somewhat longer"});
  EXPECT_EQ(text->all.size(), 2U);
  EXPECT_EQ(text->rows[2].size(), 4U);
  EXPECT_EQ(text->pairs[0].first, "a text longer than eleven");
  EXPECT_EQ(text->couples[0][1], "the other one, somewhat longer");
  expect_opens_again(text);
}

TEST(live_vector, of_bool_is_a_vector) {
  struct flags {
    ingot::vector<bool> all;
  };
  live<flags> block;
  const std::vector<bool> source{true, false, true, true};
  block->all = source;
  bool& first = block->all.front();
  first = false;
  block->all.push_back(block->all[3]);
  block->all.resize(8, true);
  EXPECT_TRUE(
      std::ranges::equal(block->all, std::vector<bool>{false, false, true, true, true, true, true, true}));
  block->all.sort();
  EXPECT_EQ(block->all.erase_if([](bool b) { return !b; }), 2U);
  expect_opens_again(block);
}

TEST(live_vector, aligns_elements_to_sixteen_bytes_wherever_they_move) {
  struct alignas(16) quad {
    float x[4];
  };
  struct quads {
    ingot::vector<quad> all;
    ingot::vector<std::uint8_t> between;
    ingot::vector<ingot::vector<quad>> nested;
  };
  live<quads> block;
  dice random(5);
  const auto aligned = [](const ingot::vector<quad>& v) {
    return v.empty() || reinterpret_cast<std::uintptr_t>(v.data()) % 16 == 0;
  };
  for (int i = 0; i < 3000; ++i) {
    auto& mine = block->nested.emplace_back();
    if (block->nested.size() > 20)
      block->nested.erase(block->nested.begin() + static_cast<std::ptrdiff_t>(random() % 20));
    else mine.resize(random() % 5 + 1);
    block->all.emplace_back(quad{{1, 2, 3, static_cast<float>(i)}});
    block->between.resize(random() % 300);
    block->between.shrink_to_fit();
    if (i % 7 == 0) block->all.shrink_to_fit();
    if (i % 90 == 0) block->all.clear();
    ASSERT_TRUE(aligned(block->all));
    for (const auto& each : block->nested) ASSERT_TRUE(aligned(each));
    if (i % 100 == 0) {
      expect_accounted(block);
      const auto opened = live<quads>::open(block.bytes());
      ASSERT_TRUE(opened.has_value()) << opened.error().message();
      block.compact();
      ASSERT_TRUE(live<quads>::open(block.bytes()).has_value());
    }
  }
}

TEST(live_vector, outside_a_block_is_empty_and_says_that_it_can_not_grow) {
  ingot::vector<int> numbers;
  ingot::vector<item> items;
  EXPECT_TRUE(numbers.empty());
  EXPECT_EQ(numbers.capacity(), 0U);
  EXPECT_EQ(numbers.begin(), numbers.end());
  EXPECT_EQ(failure_of([&] { numbers.push_back(1); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { items.emplace_back(); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers.reserve(1); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers.resize(1); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers.resize(1, 2); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers.assign(1, 2); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers = {1, 2}; }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { numbers.insert(numbers.begin(), 2); }), out_of_space_reason::outside_block);
  EXPECT_EQ(numbers.try_emplace_back(1), nullptr);
  EXPECT_FALSE(numbers.try_reserve(1));
  EXPECT_FALSE(numbers.try_resize(1));
  EXPECT_FALSE(numbers.try_assign(std::array{1, 2}));
  // All operations that an empty vector allows.
  numbers.clear();
  numbers.shrink_to_fit();
  numbers.reserve(0);
  numbers.resize(0);
  numbers.sort();
  numbers.reverse();
  items.sort([](const item&, const item&) { return false; });
  EXPECT_EQ(numbers.erase_if([](int) { return true; }), 0U);
  EXPECT_EQ(numbers.rotate(numbers.begin(), numbers.begin(), numbers.end()), numbers.end());
  EXPECT_EQ(numbers.erase(numbers.begin(), numbers.end()), numbers.end());
  numbers = std::vector<int>{};
  numbers.append_range(std::vector<int>{});
  ingot::vector<int> other;
  numbers = other;
  numbers = std::move(other);
  numbers.swap(other); // NOLINT(bugprone-use-after-move)
  swap(numbers, numbers);
  EXPECT_TRUE(numbers == other);
  EXPECT_EQ(numbers.get_if(0), nullptr);
}

TEST(live_vector, moves_between_blocks_by_copy_and_swaps_only_in_one) {
  live<lists<item>> first;
  live<lists<item>> second;
  first->a.emplace_back(item_twin{"long enough for a storage", {1, 2}, 1});
  second->a = std::move(first->a);
  EXPECT_TRUE(second->a == first->a);
  second->b.push_back(std::move(first->a[0]));
  EXPECT_TRUE(second->b == second->a);
  EXPECT_EQ(first->a[0].name, "long enough for a storage");
  EXPECT_EQ(failure_of([&] { first->a.swap(second->a); }), out_of_space_reason::different_block);
  EXPECT_TRUE(second->b == first->a);
  first->b.swap(second->nested.emplace_back()); // both empty
  item alone;
  alone.name = "eleven chrs";
  alone.level = 5;
  first->a.push_back(std::move(alone));
  EXPECT_TRUE(same(first->a[1], {"eleven chrs", {}, 5}));
  const ingot::vector<item>& read_only = first->a;
  EXPECT_TRUE(second->a.try_assign(std::move(read_only))); // NOLINT(performance-move-const-arg)
  EXPECT_TRUE(second->a == first->a);
  expect_accounted(first);
  expect_accounted(second);
}

TEST(live_vector, moves_elements_between_containers_of_one_block_without_copying_what_they_hold) {
  live<lists<item>> block;
  block->a.emplace_back(item_twin{std::string(500, 'x'), {1, 2, 3}, 1});
  const char* const text = block->a[0].name.data();
  block->b.push_back(std::move(block->a[0]));
  EXPECT_EQ(block->b[0].name.data(), text);
  EXPECT_EQ(block->b[0].path.size(), 3U);
  block->nested.emplace_back(std::move(block->b));
  EXPECT_EQ(block->nested[0][0].name.data(), text);
  expect_accounted(block);
  expect_opens_again(block);
}

TEST(live_vector, lengths_that_no_block_has_are_rejected) {
  live<lists<std::uint32_t>> block;
  block->a = {1, 2, 3};
  constexpr auto max = static_cast<std::size_t>(-1);
  for (const std::size_t length :
       {max, max / 4, max / 4 + 1, max / 2 + 1, max / 4 + 2, block->a.max_size() + 1}) {
    EXPECT_FALSE(block->a.try_reserve(length)) << length;
    EXPECT_FALSE(block->a.try_resize(length)) << length;
    EXPECT_EQ(failure_of([&] { block->a.resize(length, 7U); }), out_of_space_reason::full) << length;
    EXPECT_EQ(failure_of([&] { block->a.resize(length, block->a[1]); }), out_of_space_reason::full) << length;
    EXPECT_FALSE(block->b.try_resize(length)) << length;
  }
  EXPECT_EQ(block->a.size(), 3U);
  expect_accounted(block);
}

TEST(live_vector, resizing_by_one_and_appending_take_constant_time_each_on_average) {
  live<lists<std::uint32_t>> block;
  block->b.resize(1); // so that `a` can't grow in place
  std::size_t storages = 0;
  const std::uint32_t* at = nullptr;
  for (std::size_t i = 1; i < 10'000; ++i) {
    block->a.resize(i);
    if (i % 16 == 0) block->b.emplace_back();
    if (block->a.data() != at) ++storages;
    at = block->a.data();
  }
  EXPECT_LE(storages, 16U);
}

TEST(live_vector, sorts_stably_and_in_bounds_whatever_the_order_says) {
  struct floats {
    ingot::vector<float> all;
    ingot::vector<item> items;
  };
  live<floats> block;
  dice random(3);
  for (int i = 0; i < 3000; ++i) {
    block->all.push_back(random() % 3 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                           : static_cast<float>(random() % 1000));
  }
  block->all.sort(); // NaNs have no order
  EXPECT_EQ(block->all.size(), 3000U);
  std::size_t calls = 0;
  block->all.sort([&](float, float) { return ++calls, random() % 2 == 0; });
  EXPECT_LE(calls, 3000U * 12);
  block->all.sort([](float, float) { return true; });
  for (int i = 0; i < 500; ++i) block->items.emplace_back(item_twin{std::to_string(i), {}, i % 7});
  block->items.sort([](const item& a, const item& b) { return a.level < b.level; });
  for (std::size_t i = 1; i < 500; ++i) {
    const auto& a = block->items[i - 1];
    const auto& b = block->items[i];
    ASSERT_TRUE(a.level < b.level || (a.level == b.level && std::stoi(std::string(a.name.view())) <
                                                                std::stoi(std::string(b.name.view()))));
  }
  block->items.sort([&](const item&, const item&) { return random() % 2 == 0; });
  expect_accounted(block);
}

TEST(live_vector, compares_by_element) {
  live<lists<std::uint32_t>> block;
  block->a = {1, 2, 3};
  block->b = {1, 2, 4};
  EXPECT_LT(block->a, block->b);
  EXPECT_NE(block->a, block->b);
  block->b.pop_back();
  EXPECT_GT(block->a, block->b);
  block->b.push_back(3U);
  EXPECT_EQ(block->a, block->b);
  EXPECT_TRUE(std::ranges::equal(block->a | std::views::reverse, std::vector{3U, 2U, 1U}));
  EXPECT_EQ(*block->a.rbegin(), 3U);
  EXPECT_EQ(*block->a.get_if(2), 3U);
  EXPECT_EQ(block->a.get_if(3), nullptr);
}

TEST(live_vector, of_foreign_bytes_with_a_storage_too_small_for_an_element_grows) {
  live<lists<item>> block;
  block->b.reserve(1); // the only storage
  std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  const std::uint32_t capacity = 8;
  const std::size_t prefix = ingot::detail::first_storage<lists<item>>;
  std::memcpy(bytes.data() + prefix, &capacity, sizeof capacity);
  auto opened = live<lists<item>>::open(bytes);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_EQ((*opened)->b.capacity(), 0U);
  (*opened)->b.emplace_back("a text of more than eleven");
  (*opened)->b.emplace_back("another one of them");
  (*opened)->b.erase((*opened)->b.begin());
  EXPECT_EQ((*opened)->b[0].name, "another one of them");
  expect_accounted(*opened, 8);
}

struct tree {
  ingot::string name;
  ingot::vector<tree> children;
};

TEST(live_vector, of_its_own_kind_replaces_its_parent) {
  live<tree> block;
  auto& child = block->children.emplace_back("a child of some length");
  child.children.emplace_back("a grandchild of some length");
  child.children.emplace_back("another grandchild");
  block->children = std::move(block->children[0].children);
  ASSERT_EQ(block->children.size(), 2U);
  EXPECT_EQ(block->children[0].name, "a grandchild of some length");
  expect_accounted(block);
}

TEST(live_vector, of_its_own_kind_is_assigned_a_value_below_it) {
  const auto grow = [](tree& root, int depth, auto& again) -> void {
    root.name.assign("a name of depth " + std::to_string(depth));
    for (int i = 0; depth != 0 && i < 3; ++i) again(root.children.emplace_back(), depth - 1, again);
  };
  live<tree> expected;
  grow(*expected, 3, grow);
  for (int method = 0; method < 5; ++method) {
    SCOPED_TRACE(method);
    live<tree> block;
    grow(*block, 4, grow);
    switch (method) {
    case 0: *block = block->children[1]; break;
    case 1: EXPECT_TRUE(block.try_assign(block->children[1])); break;
    case 2: *block = std::move(block->children[1]); break;
    case 3: EXPECT_TRUE(block.try_assign(std::move(block->children[1]))); break;
    default:
      block->children = block->children[1].children;
      block->name = expected->name;
      break;
    }
    EXPECT_TRUE(block == expected);
    expect_accounted(block);
    expect_opens_again(block);
  }
}

TEST(live_vector, of_its_own_kind_is_copied_validated_and_dropped_however_deep_it_is) {
  live<tree> block(ingot::max_block_size{std::size_t{1} << 27});
  tree* at = &*block;
  for (int i = 0; i < 200'000; ++i) at = &at->children.emplace_back();
  at->name.assign("the deepest of all");
  const auto opened = live<tree>::open(block.bytes(), {.max_size = {std::size_t{1} << 27}});
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == block);
  block.compact();
  EXPECT_TRUE(*opened == block);
  EXPECT_TRUE(
      (ingot::detail::is_canonical_block<tree, ingot::narrow_policy>(block.bytes().data(), block.size())));
  block->children.clear();
  expect_accounted(block);
}

} // namespace vector_test
