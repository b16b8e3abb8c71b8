// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/progress_poll.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace cancellable_sort_test {

/// Counts the calls of a callback, and cancels at call `no_at`.
struct waits {
  std::size_t no_at = static_cast<std::size_t>(-1);
  std::size_t calls = 0;
  bool operator()(std::uint64_t, std::uint64_t) { return ++calls != no_at; }
};
/// A poll that calls `by`.
struct polling {
  explicit polling(waits& by) : tracker(by, ingot::progress_ref::unknown), poll(&tracker, 0) {}
  ingot::detail::progress_tracker tracker;
  ingot::detail::progress_poll poll;
};
using numbers = std::vector<std::uint64_t>;
bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Expects that `input` is sorted. Sets the number of comparisons, and returns the number of polls.
std::size_t expect_sorted(numbers input, std::size_t& comparisons) {
  numbers expected = input;
  std::ranges::sort(expected);
  waits by;
  polling each(by);
  comparisons = 0;
  const auto before = [&](std::uint64_t a, std::uint64_t b) {
    ++comparisons;
    return a < b;
  };
  EXPECT_TRUE(ingot::detail::cancellable_sort(input.data(), input.data() + input.size(), before, each.poll));
  EXPECT_EQ(input, expected);
  return by.calls;
}
/// Returns an order in which the median of the first, the middle and the last element is always the
/// second least.
numbers killer(std::size_t count) {
  numbers ordered(count);
  std::iota(ordered.begin(), ordered.end(), std::uint64_t{0});
  // Works in reverse: undoes the swap that the sort would make for the least elements.
  for (std::size_t length = 3; length <= count; ++length) {
    const std::size_t first = count - length;
    std::swap(ordered[first], ordered[first + length / 2]);
  }
  return ordered;
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
  const std::size_t min_questions = count / 2'000;
  std::size_t comparisons = 0;
  const std::size_t questions = expect_sorted(killer(count), comparisons);
  EXPECT_LE(comparisons, bound);
  EXPECT_GE(questions, min_questions) << "the heap sort calls the callback, too";
  EXPECT_GE(expect_sorted(numbers(count, 3), comparisons), min_questions) << "all the same";
  EXPECT_LE(comparisons, bound);
}
TEST(cancellable_sort, stopped_at_any_question_says_so_and_asks_no_more) {
  std::mt19937_64 random(8);
  numbers some(50'000);
  for (auto& each : some) each = random();
  for (const numbers& input : {some, numbers(50'000, 5)}) {
    waits all;
    polling listens(all);
    numbers sorted = input;
    ASSERT_TRUE(ingot::detail::cancellable_sort(sorted.data(), sorted.data() + sorted.size(), std::less(),
                                                listens.poll));
    for (std::size_t no_at = 1; no_at <= all.calls; no_at += 1 + all.calls / (sampled() ? 3 : 11)) {
      waits by{no_at};
      polling each(by);
      numbers left = input;
      EXPECT_FALSE(
          ingot::detail::cancellable_sort(left.data(), left.data() + left.size(), std::less(), each.poll));
      EXPECT_TRUE(each.poll.stopped());
      EXPECT_EQ(by.calls, no_at);
      std::ranges::sort(left);
      ASSERT_EQ(left, sorted) << "no value is missing";
    }
  }
}
TEST(cancellable_sort, without_callback_sorts_in_one_step) {
  numbers some(100'000);
  std::iota(some.rbegin(), some.rend(), std::uint64_t{0});
  ingot::detail::progress_poll each;
  ASSERT_TRUE(ingot::detail::cancellable_sort(some.data(), some.data() + some.size(), std::less(), each));
  EXPECT_TRUE(std::ranges::is_sorted(some));
}

} // namespace cancellable_sort_test
