// SPDX-License-Identifier: Apache-2.0
// Replacements of parts of <memory>, <algorithm>, <cmath>, <ranges> and <atomic> that are expensive
// to include.
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/core/detail/rotate.hpp>
#include <ingot/core/detail/sort.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace light_tools_test {

struct counted {
  int* alive;
  explicit counted(int& count) : alive(&count) { ++*alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --*alive; }
};

TEST(light_tools, owned_destroys_what_it_owns_once) {
  int alive = 0;
  {
    auto a = ingot::detail::make_owned<counted>(alive);
    ingot::detail::owned<counted> b = std::move(a);
    EXPECT_TRUE(a == nullptr);
    EXPECT_EQ(alive, 1);
    b = ingot::detail::make_owned<counted>(alive);
    EXPECT_EQ(alive, 1);
    auto& same = b;
    b = std::move(same);
    ASSERT_TRUE(b != nullptr);
    counted* const released = b.release();
    EXPECT_FALSE(b);
    EXPECT_EQ(alive, 1);
    a.reset(released);
  }
  EXPECT_EQ(alive, 0);
  const ingot::detail::owned<std::vector<int>[]> many(new std::vector<int>[3]);
  many[2].push_back(7);
  EXPECT_EQ(many[2].size(), 1U);
}

TEST(light_tools, rotate_values_does_as_the_standard) {
  struct wide {
    std::array<int, 100> numbers;
    bool operator==(const wide&) const = default;
  };
  const auto check = []<class T>(std::vector<T> all) {
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{1}, all.size() / 2, all.size() - 1, all.size()}) {
      auto wanted = all;
      auto got = all;
      const auto middle =
          std::rotate(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(at), wanted.end());
      const T* const rotated =
          ingot::detail::rotate_values(got.data(), got.data() + at, got.data() + got.size());
      EXPECT_EQ(got, wanted) << at << " of " << all.size();
      EXPECT_EQ(rotated - got.data(), middle - wanted.begin());
    }
  };
  for (const std::size_t count : {1U, 2U, 3U, 255U, 256U, 257U, 1001U}) {
    std::vector<unsigned char> chars;
    std::vector<std::uint64_t> numbers;
    std::vector<wide> large;
    for (std::size_t i = 0; i < count; ++i) {
      chars.push_back(static_cast<unsigned char>(i));
      numbers.push_back(i * 0x1234567890);
      large.push_back({.numbers = {static_cast<int>(i)}});
    }
    check(chars);
    check(numbers);
    check(large);
  }
}

/// Returns keys in an order that is hard to partition.
std::vector<std::string> keys(std::size_t count, int kind) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = kind == 0   ? random()
                               : kind == 1 ? i
                               : kind == 2 ? count - i
                               : kind == 3 ? random() % 3
                                           : std::min(i, count - i);
    all.push_back(std::to_string(1'000'000'000 + number % 1'000'000'000));
  }
  return all;
}
TEST(light_tools, sort_items_sorts_and_asks_no_more_than_n_log_n_times) {
  for (int kind = 0; kind < 5; ++kind) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 15U, 16U, 17U, 18U, 100U, 3000U}) {
      auto all = keys(count, kind);
      auto wanted = all;
      std::sort(wanted.begin(), wanted.end());
      std::size_t calls = 0;
      ingot::detail::sort_items(all.data(), all.data() + all.size(), [&](const auto& a, const auto& b) {
        ++calls;
        return a < b;
      });
      EXPECT_EQ(all, wanted) << kind << ' ' << count;
      EXPECT_LE(calls, 8 + count * (8 + 3 * static_cast<std::size_t>(std::bit_width(count))))
          << kind << ' ' << count;
    }
  }
}
// An adversary whose comparisons make each partition as uneven as possible (McIlroy, "A killer
// adversary for quicksort").
TEST(light_tools, sort_items_withstands_an_adversary) {
  constexpr int count = 20'000;
  std::vector<int> values(count, count); // `count`: not yet decided
  std::vector<int> items(count);
  for (int i = 0; i < count; ++i) items[static_cast<std::size_t>(i)] = i;
  int decided = 0;
  int candidate = 0;
  std::size_t calls = 0;
  const auto value = [&](int item) -> int& { return values[static_cast<std::size_t>(item)]; };
  ingot::detail::sort_items(items.data(), items.data() + count, [&](int a, int b) {
    ++calls;
    if (value(a) == count && value(b) == count) value(a == candidate ? a : b) = decided++;
    if (value(a) == count) candidate = a;
    else if (value(b) == count) candidate = b;
    return value(a) < value(b);
  });
  EXPECT_LE(calls, std::size_t{count} * 15 * 6);
  EXPECT_TRUE(std::ranges::is_sorted(items, {}, [&](int item) { return value(item); }));
}

TEST(light_tools, floats_are_distinguished_by_sign_and_nan) {
  using ingot::detail::absolute, ingot::detail::is_nan, ingot::detail::is_negative;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(is_nan(nan) && is_nan(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(is_nan(0.0) || is_nan(std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(is_negative(-0.0) && is_negative(-0.0F) && is_negative(-1.0) && !is_negative(0.0));
  EXPECT_EQ(absolute(-2.5), 2.5);
  EXPECT_FALSE(is_negative(absolute(-0.0)));
}

TEST(light_tools, iterator_pairs_are_views) {
  std::array<int, 3> numbers{1, 2, 3};
  const ingot::detail::iterator_pair all{numbers.data(), numbers.data() + 3};
  static_assert(std::ranges::view<std::remove_const_t<decltype(all)>>);
  static_assert(std::ranges::contiguous_range<decltype(all)> && std::ranges::sized_range<decltype(all)>);
  EXPECT_EQ(std::ranges::size(all), 3U);
}

TEST(light_tools, atomic_values_exchange) {
  using word = std::size_t; // 8 bytes are not atomic on each machine of 32 bits
  ingot::detail::atomic_value<word> value(3);
  EXPECT_EQ(value.fetch_add(2), 3U);
  word seen = 4;
  EXPECT_FALSE(value.compare_exchange(seen, 9));
  EXPECT_EQ(seen, 5U);
  EXPECT_TRUE(value.compare_exchange(seen, 9));
  EXPECT_EQ(value.exchange(1), 9U);
  value.store(2);
  EXPECT_EQ(value.load() + value.load_relaxed(), 4U);
  std::uint32_t plain = 1;
  ingot::detail::bring_to(plain, std::uint32_t{8});
  EXPECT_EQ(plain, 8U);
}

} // namespace light_tools_test
