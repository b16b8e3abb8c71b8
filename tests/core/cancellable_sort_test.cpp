// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/progress_tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sort_asked_test {

/// Counts polls and cancels at poll `no_at`.
struct waits {
  std::size_t* questions;
  std::size_t no_at = static_cast<std::size_t>(-1);
  bool operator()() const { return ++*questions != no_at; }
  explicit operator bool() const { return true; }
};
struct nobody {
  bool operator()() const {
    ADD_FAILURE() << "called, although it converts to false";
    return false;
  }
  explicit operator bool() const { return false; }
};
using numbers = std::vector<std::uint64_t>;
bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Counts the comparisons, and returns the number of polls.
std::size_t expect_sorted(numbers given, std::size_t& comparisons) {
  numbers expected = given;
  std::ranges::sort(expected);
  std::size_t questions = 0;
  ingot::detail::step_poll<waits> each({&questions});
  comparisons = 0;
  const auto before = [&](std::uint64_t a, std::uint64_t b) {
    ++comparisons;
    return a < b;
  };
  EXPECT_TRUE(ingot::detail::cancellable_sort(given.data(), given.data() + given.size(), before, each));
  EXPECT_EQ(given, expected);
  return questions;
}
/// Returns an order in which the median of the first, the middle and the last element is always the
/// second least.
numbers killer(std::size_t count) {
  numbers made(count);
  std::iota(made.begin(), made.end(), std::uint64_t{0});
  // In reverse: undoes the swap that the sort would do for the least elements.
  for (std::size_t length = 3; length <= count; ++length) {
    const std::size_t first = count - length;
    std::swap(made[first], made[first + length / 2]);
  }
  return made;
}

TEST(cancellable_sort, sorts_what_there_is_like_the_standard_sort) {
  std::mt19937_64 random(7);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 1000U, 32'768U, 32'769U, 70'000U}) {
    if (sampled() && count == 70'000U) continue; // 32,769 need two steps already
    for (const std::uint64_t different : {1U, 2U, 300U, 1U << 31}) {
      if (sampled() && count > 1000 && different < 300) continue;
      numbers some(count);
      for (auto& each : some) each = random() % different;
      std::size_t comparisons = 0;
      const std::size_t questions = expect_sorted(some, comparisons);
      if (count <= 32'768) {
        EXPECT_EQ(questions, 0U) << "so few are one step";
      } else {
        EXPECT_GE(questions, count / 4096);
      }
      std::ranges::sort(some);
      expect_sorted(some, comparisons);
      std::ranges::reverse(some);
      expect_sorted(some, comparisons);
    }
  }
}
TEST(cancellable_sort, of_any_order_takes_no_more_than_n_log_n) {
  const std::size_t count = sampled() ? 70'000 : 200'000;
  const std::size_t bound = 6 * count * 18; // 18: bits of the greater count
  const std::size_t asked_often = count / 2'000;
  std::size_t comparisons = 0;
  const std::size_t questions = expect_sorted(killer(count), comparisons);
  EXPECT_LE(comparisons, bound);
  EXPECT_GE(questions, asked_often) << "the heap sort calls the callback, too";
  EXPECT_GE(expect_sorted(numbers(count, 3), comparisons), asked_often) << "all the same";
  EXPECT_LE(comparisons, bound);
}
TEST(cancellable_sort, stopped_at_any_question_says_so_and_asks_no_more) {
  std::mt19937_64 random(8);
  numbers some(50'000);
  for (auto& each : some) each = random();
  for (const numbers& given : {some, numbers(50'000, 5)}) {
    std::size_t all = 0;
    ingot::detail::step_poll<waits> listens({&all});
    numbers sorted = given;
    ASSERT_TRUE(
        ingot::detail::cancellable_sort(sorted.data(), sorted.data() + sorted.size(), std::less(), listens));
    for (std::size_t no_at = 1; no_at <= all; no_at += 1 + all / (sampled() ? 3 : 11)) {
      std::size_t questions = 0;
      ingot::detail::step_poll<waits> each({&questions, no_at});
      numbers left = given;
      EXPECT_FALSE(
          ingot::detail::cancellable_sort(left.data(), left.data() + left.size(), std::less(), each));
      EXPECT_TRUE(each.stopped());
      EXPECT_EQ(questions, no_at);
      std::ranges::sort(left);
      ASSERT_EQ(left, sorted) << "no value is missing";
    }
  }
}
TEST(cancellable_sort, without_callback_sorts_in_one_step) {
  numbers some(100'000);
  std::iota(some.rbegin(), some.rend(), std::uint64_t{0});
  ingot::detail::step_poll<nobody> each({});
  ASSERT_TRUE(ingot::detail::cancellable_sort(some.data(), some.data() + some.size(), std::less(), each));
  EXPECT_TRUE(std::ranges::is_sorted(some));
}

} // namespace sort_asked_test
