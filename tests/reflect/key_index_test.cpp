// SPDX-License-Identifier: Apache-2.0
// The tree that orders keys by their indices: correct order, few comparisons, and valid whatever a
// comparison returns.
#include <ingot/reflect/detail/key_index.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace key_index_test {

using ingot::detail::key_index;

/// Adds `keys`. The first `built` keys are ascending. Returns the greatest number of comparisons
/// for one key.
std::size_t fill(key_index& index, const std::vector<int>& keys, std::size_t built) {
  index.build(built);
  std::size_t max_compared = 0;
  for (std::size_t i = built; i < keys.size(); ++i) {
    std::size_t compared = 0;
    index.descend([&](std::uint32_t number) {
      ++compared;
      return !(keys[i] < keys[number]);
    });
    index.insert();
    max_compared = std::max(max_compared, compared);
  }
  return max_compared;
}
void expect_sorted(const std::vector<int>& keys, std::size_t built) {
  key_index index;
  const std::size_t max_compared = fill(index, keys, built);
  EXPECT_LE(static_cast<double>(max_compared), 1.45 * std::log2(static_cast<double>(keys.size()) + 2) + 1);
  std::vector<std::uint32_t> expected(keys.size());
  std::iota(expected.begin(), expected.end(), 0U);
  std::ranges::sort(expected, {}, [&](std::uint32_t number) { return std::pair(keys[number], number); });
  EXPECT_EQ(index.order(), expected);
}

TEST(key_index, orders_keys_of_any_order_and_keeps_the_order_of_equal_ones) {
  std::mt19937 dice(7); // NOLINT: the same numbers each time
  for (const std::size_t count : {0U, 1U, 2U, 3U, 10U, 1'000U, 5'000U}) {
    for (const std::size_t built : {std::size_t{0}, count / 3, count}) {
      std::vector<int> keys(count);
      for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<int>(count - i);
      std::ranges::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(built));
      expect_sorted(keys, built);
      for (int& key : keys) key = static_cast<int>(dice() % (count / 2 + 1));
      std::ranges::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(built));
      expect_sorted(keys, built);
      std::ranges::sort(keys);
      expect_sorted(keys, built);
    }
  }
}

TEST(key_index, a_comparison_that_contradicts_itself_leaves_each_number_once) {
  std::mt19937 dice(11); // NOLINT: the same numbers each time
  for (int round = 0; round < 20; ++round) {
    key_index index;
    index.build(static_cast<std::size_t>(round));
    for (int i = 0; i < 500; ++i) {
      std::size_t compared = 0;
      index.descend([&](std::uint32_t) { return ++compared, dice() % 3 == 0; });
      EXPECT_LE(compared, 14u);
      index.insert();
    }
    std::vector<std::uint32_t> numbers = index.order();
    std::ranges::sort(numbers);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
    EXPECT_EQ(numbers.size(), 500u + static_cast<std::size_t>(round));
  }
}

TEST(key_index, a_comparison_that_throws_changes_nothing) {
#if defined(__cpp_exceptions)
  key_index index;
  index.build(5);
  EXPECT_THROW(index.descend([](std::uint32_t) -> bool { throw 1; }), int);
  index.descend([](std::uint32_t number) { return number < 2; });
  index.insert();
  EXPECT_EQ(index.order(), (std::vector<std::uint32_t>{0, 1, 5, 2, 3, 4}));
#endif
}

} // namespace key_index_test
