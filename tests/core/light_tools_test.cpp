// SPDX-License-Identifier: Apache-2.0
// Replacements of parts of <memory>, <algorithm>, <cmath>, <ranges> and <atomic> that are expensive
// to include.
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/core/detail/rotate.hpp>
#include <ingot/core/detail/set_float.hpp>
#include <ingot/core/detail/sort.hpp>
#include <ingot/core/detail/widen_float.hpp>

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

TEST(light_tools, float_order_is_by_value_with_one_zero_and_nan_last) {
  using ingot::detail::compare_floats;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float smallest = std::numeric_limits<float>::denorm_min();
  constexpr float ascending[]{-infinity, -1.5F, -1.0F, -smallest, 0.0F, smallest, 1.0F, 1.5F, infinity};
  for (const float& a : ascending) {
    for (const float& b : ascending) {
      EXPECT_EQ(compare_floats(a, b), (&a > &b) - (&a < &b)) << a << ' ' << b;
      EXPECT_EQ(compare_floats(double{a}, double{b}), (&a > &b) - (&a < &b)) << a << ' ' << b;
    }
  }
  EXPECT_EQ(compare_floats(-0.0, 0.0), 0);
  for (const std::uint32_t nan : {0x7FC0'0000U, 0xFFC0'0000U, 0x7F80'0001U, 0xFF80'0001U})
    EXPECT_GT(compare_floats(std::bit_cast<float>(nan), infinity), 0) << nan;
}

TEST(light_tools, float_kinds_are_distinguished_at_their_limits) {
  using limits = std::numeric_limits<double>;
  using namespace ingot::detail;
  const double subnormal = std::bit_cast<double>(std::bit_cast<std::uint64_t>(limits::min()) - 1);
  EXPECT_TRUE(is_subnormal(subnormal) && is_subnormal(-limits::denorm_min()));
  EXPECT_FALSE(is_subnormal(limits::min()) || is_subnormal(0.0) || is_subnormal(-0.0));
  EXPECT_TRUE(is_zero(-0.0) && !is_zero(limits::denorm_min()));
  EXPECT_TRUE(is_finite(limits::max()) && is_finite(-0.0));
  EXPECT_FALSE(is_finite(-limits::infinity()) || is_finite(limits::quiet_NaN()));
  EXPECT_TRUE(is_normal_key_float(0.0) && is_normal_key_float(limits::infinity()));
  EXPECT_FALSE(is_normal_key_float(-0.0) || is_normal_key_float(-limits::quiet_NaN()));
  for (const double whole : {0.0, -0.0, 1.0, -3.0, 0x1p52, 0x1p52 + 1, 0x1p63, limits::max()})
    EXPECT_TRUE(is_whole(whole)) << whole;
  for (const double fraction :
       {0.5, -1.5, 0x1p51 + 0.5, limits::denorm_min(), limits::infinity(), limits::quiet_NaN()})
    EXPECT_FALSE(is_whole(fraction)) << fraction;
  EXPECT_TRUE(is_negative(with_sign(0.0, true)) && !is_negative(with_sign(2.0, false)));
  double set = 0;
  set_infinity(set, true);
  EXPECT_EQ(set, -limits::infinity());
  set_nan(set);
  EXPECT_TRUE(is_nan(set));
}

TEST(light_tools, floats_are_widened_and_narrowed_as_the_processor_does) {
  using ingot::detail::narrow_float, ingot::detail::widen_float;
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    // every exponent, below the normal floats more often
    const auto bits = static_cast<std::uint32_t>(i % 2 == 0 ? random() : random() >> 8 & 0x80FF'FFFF);
    const auto narrow = std::bit_cast<float>(bits);
    if ((bits >> 23 & 0xFF) == 0xFF) continue;
    ASSERT_EQ(widen_float(bits), std::bit_cast<std::uint64_t>(double{narrow})) << bits;
    ASSERT_EQ(narrow_float(widen_float(bits)), bits);
    // a double near the float, or in the middle between two floats
    const std::uint64_t wide = widen_float(bits) + (i % 3 == 0 ? 0x1000'0000 : random() & 0x3FFF'FFFF);
    const auto rounded = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(wide)));
    ASSERT_EQ(narrow_float(wide), rounded) << wide;
  }
  for (const std::uint64_t power : {1023 - 149U, 1023 - 150U, 1023 - 151U, 1023 - 127U, 1023 - 126U}) {
    for (const std::uint64_t fraction : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0} >> 12}) {
      const std::uint64_t wide = power << 52 | fraction;
      const auto rounded = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(wide)));
      EXPECT_EQ(narrow_float(wide), rounded) << wide;
    }
  }
}

TEST(light_tools, a_converted_nan_is_quiet_and_keeps_its_other_bits) {
  using ingot::detail::float_to_double, ingot::detail::nearest_float;
  const auto narrow = std::bit_cast<float>(std::uint32_t{0xFF80'0001});
  EXPECT_EQ(std::bit_cast<std::uint64_t>(float_to_double(narrow)), 0xFFF8'0000'2000'0000U);
  const auto wide = std::bit_cast<double>(std::uint64_t{0x7FF0'0000'2000'0001});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(nearest_float<float>(wide)), 0x7FC0'0001U);
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
