// SPDX-License-Identifier: Apache-2.0
// Under AddressSanitizer and Valgrind, bytes that a block owns and doesn't use are poisoned, so
// that a stale reference is reported. Bytes that `bytes()` returns, and memory that is the caller's
// again, are not poisoned.
#include <ingot/live/live.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "poison_tools.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace poison_test {

#if INGOT_POISONS == 0

TEST(poison, without_the_sanitizer_nothing_is_poisoned) { EXPECT_FALSE(ingot::detail::poisons); }

#else

using ingot_test::readable;
using ingot_test::reported;
using poison = ingot_test::nothing_reported;

struct pair {
  std::uint64_t first = 1;
  std::uint64_t second = 2;
};
struct world {
  ingot::vector<std::uint32_t> numbers;
  ingot::vector<pair> pairs;
  ingot::vector<ingot::vector<std::uint64_t>> nested;
  ingot::string text;
  ingot::queue<std::uint32_t> waiting;
  ingot::queue<pair> pairs_waiting;
  ingot::pool<pair> objects;
};

/// Returns the first position from which `bytes` is poisoned up to its end, or its size if there is
/// none.
[[nodiscard]] std::size_t poisoned_from(const void* start, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(start);
  std::size_t n = size;
  while (n != 0 && reported(bytes + n - 1)) --n;
  return n;
}

TEST_F(poison, vector_elements_that_went) {
  ingot::live<world> block;
  auto& v = block->numbers;
  for (std::uint32_t i = 0; i < 9; ++i) v.push_back(i);
  ASSERT_EQ(v.capacity(), 16U);
  EXPECT_EQ(poisoned_from(v.data(), 64), 36U);
  v.pop_back();
  EXPECT_EQ(poisoned_from(v.data(), 64), 32U);
  v.pop_back();
  EXPECT_EQ(poisoned_from(v.data(), 64), 28U);
  v.erase(v.begin(), v.begin() + 2);
  EXPECT_EQ(poisoned_from(v.data(), 64), 20U);
  v.erase_if([](std::uint32_t each) { return each == 3; });
  EXPECT_EQ(poisoned_from(v.data(), 64), 16U);
  v.resize(2);
  EXPECT_EQ(poisoned_from(v.data(), 64), 8U);
  v.resize(7);
  EXPECT_EQ(poisoned_from(v.data(), 64), 28U);
  v.insert(v.begin(), 5U);
  EXPECT_EQ(poisoned_from(v.data(), 64), 32U);
  const std::array<std::uint32_t, 3> three{1, 2, 3};
  v.assign_range(three);
  EXPECT_EQ(poisoned_from(v.data(), 64), 12U);
  v.append_range(three);
  EXPECT_EQ(poisoned_from(v.data(), 64), 24U);
  v.assign(11, 7U);
  EXPECT_EQ(poisoned_from(v.data(), 64), 44U);
  v.clear();
  EXPECT_EQ(poisoned_from(v.data(), 64), 0U);
  v.shrink_to_fit();
  v.reserve(5);
  EXPECT_EQ(poisoned_from(v.data(), 24), 0U);
  v.push_back(1);
  EXPECT_EQ(poisoned_from(v.data(), 24), 4U);
}

TEST_F(poison, vector_that_grows_in_place) {
  ingot::live<world> block;
  auto& v = block->pairs;
  for (int i = 0; i < 100; ++i) {
    v.emplace_back();
    ASSERT_EQ(poisoned_from(v.data(), v.capacity() * sizeof(pair)), v.size() * sizeof(pair));
  }
}

TEST_F(poison, vector_that_moved_is_stale) {
  ingot::live<world> block;
  auto& v = block->numbers;
  v.push_back(1);
  const std::uint32_t* const old = v.data();
  block->text = "a text that follows the vector, so that the text must move";
  v.reserve(1000);
  ASSERT_NE(v.data(), old);
  EXPECT_TRUE(reported(old));
  const std::uint32_t* const long_one = v.data();
  block->text.append(1000, 'x');
  v.reserve(5000);
  ASSERT_NE(v.data(), long_one);
  EXPECT_TRUE(reported(long_one));
  EXPECT_TRUE(reported(long_one + 999));
}

TEST_F(poison, elements_of_erased_elements) {
  ingot::live<world> block;
  block->nested.emplace_back().push_back(7);
  block->nested.emplace_back();
  const std::uint64_t* const inner = block->nested[0].data();
  block->nested.erase(block->nested.begin());
  EXPECT_TRUE(reported(inner));
}

TEST_F(poison, text_that_went) {
  ingot::live<world> block;
  auto& s = block->text;
  s = "a text of twenty-seven chars";
  s.reserve(60);
  const auto size = s.capacity() + 1;
  ASSERT_EQ(s.size(), 28U);
  EXPECT_EQ(poisoned_from(s.data(), size), 29U); // with the terminator after it
  s.pop_back();
  EXPECT_EQ(poisoned_from(s.data(), size), 28U);
  s.append(" and more");
  EXPECT_EQ(poisoned_from(s.data(), size), 37U);
  s.resize(50, 'x');
  EXPECT_EQ(poisoned_from(s.data(), size), 51U);
  s.insert(3, "yyy");
  EXPECT_EQ(poisoned_from(s.data(), size), 54U);
  s.erase(1, 40);
  EXPECT_EQ(poisoned_from(s.data(), size), 14U);
  const char* const old = s.data();
  s.shrink_to_fit();
  ASSERT_NE(s.data(), old);
  EXPECT_TRUE(reported(old));
}

TEST_F(poison, queue_elements_that_went) {
  ingot::live<world> block;
  auto& q = block->waiting;
  for (std::uint32_t i = 0; i < 8; ++i) q.push_back(i);
  const std::uint32_t* const first = &q.front();
  q.pop_front();
  q.pop_front();
  EXPECT_TRUE(reported(first));
  EXPECT_TRUE(reported(first + 1));
  EXPECT_FALSE(reported(first + 2));
  q.pop_back();
  EXPECT_TRUE(reported(first + 7));
  q.push_back(1U);
  q.push_back(2U); // wraps around
  EXPECT_FALSE(reported(first));
  EXPECT_EQ(&q.back(), first);

  auto& wide = block->pairs_waiting;
  for (std::uint64_t i = 0; i < 40; ++i) {
    wide.emplace_back(i, i);
    if (i % 3 != 0) wide.emplace_front(i, i);
    if (i % 4 != 0) {
      const pair* const gone = &wide.front();
      wide.pop_front();
      ASSERT_TRUE(reported(gone));
    }
    for (const pair& each : wide) ASSERT_FALSE(reported(&each));
  }
  const pair* const gone = &wide.back();
  wide.clear();
  EXPECT_TRUE(reported(gone));
}

TEST_F(poison, pool_objects_that_went) {
  ingot::live<world> block;
  auto& p = block->objects;
  const auto a = p.add();
  const auto b = p.add();
  const pair* const stale = p.get(a);
  p.erase(a);
  EXPECT_TRUE(reported(&stale->first));
  EXPECT_TRUE(reported(&stale->second));
  EXPECT_EQ(p.get(a), nullptr); // links still find no object
  EXPECT_EQ(p.get(b)->second, 2U);
  EXPECT_FALSE(reported(p.get(p.add(3U, 4U))));
  EXPECT_FALSE(reported(stale));
  p.erase(b);
  // In free slots, then in others
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(reported(p.get(p.add())));
  const auto gone = p.add();
  p.erase(gone);
  p.reserve(100); // the free slot moves with the others
  p.reserve(200);
  EXPECT_EQ(p.get(gone), nullptr);
  const pair* const last = &*p.begin();
  EXPECT_EQ(last->second, 4U);
  EXPECT_EQ(std::ranges::count(p, 2U, &pair::second), 20);
  p.clear();
  EXPECT_TRUE(reported(last));
  EXPECT_FALSE(reported(p.get(p.add())));
}

TEST_F(poison, what_follows_the_block) {
  ingot::live<world> block;
  const std::byte* const end = block.bytes().data() + block.bytes().size();
  EXPECT_TRUE(reported(end));
  block->numbers.push_back(1);
  EXPECT_TRUE(readable(block.bytes()));
  EXPECT_TRUE(reported(block.bytes().data() + block.bytes().size()));
}

TEST_F(poison, bytes_are_readable_with_holes_and_unused_capacity) {
  ingot::live<world> block;
  for (std::uint32_t i = 0; i < 100; ++i) {
    block->numbers.push_back(i);
    block->text.append("0123456789");
    block->waiting.push_back(i);
    if (i % 3 == 0) block->waiting.pop_front();
    if (i % 5 == 0) block->numbers.pop_back();
    const auto link = block->objects.add();
    if (i % 2 == 0) block->objects.erase(link);
  }
  ASSERT_NE(block.stats().free_bytes, 0U);
  EXPECT_TRUE(readable(block.bytes()));
  const std::string sent(reinterpret_cast<const char*>(block.bytes().data()), block.bytes().size());
  const std::uint32_t* const last = &block->numbers.back();
  block->numbers.pop_back(); // elements that are removed from now on are reported again
  EXPECT_TRUE(reported(last));
  EXPECT_TRUE(block.check());
  block.trim();
  EXPECT_TRUE(readable(block.bytes()));
  static_cast<void>(block.reclaim());
  block.scrub();
  static_cast<void>(block.field_sizes());
  EXPECT_TRUE(ingot::live<world>::open(block.bytes()));
  const ingot::live<world> copy(block);
  block.compact();
  EXPECT_TRUE(block == copy);
}

TEST_F(poison, a_block_that_ended) {
  const std::uint32_t* stale = nullptr;
  {
    ingot::live<world> block;
    block->numbers.push_back(1);
    stale = block->numbers.data();
  }
  EXPECT_TRUE(reported(stale));
  {
    ingot::live<world> block; // in the same slot
    block->numbers.push_back(1);
    EXPECT_EQ(block->numbers[0], 1U);
  }
  ingot::live<world> block;
  block->numbers.push_back(2);
  stale = block->numbers.data();
  block.compact();
  EXPECT_TRUE(reported(stale));
}

TEST_F(poison, received_bytes_are_readable_before_they_are_opened) {
  {
    ingot::live<world> block;
    block->text.append(5000, 'x');
  }
  auto receive_buffer = ingot::live<world>::receive_buffer(4000);
  EXPECT_TRUE(readable(receive_buffer.bytes()));
}

TEST_F(poison, memory_of_the_caller_is_readable_at_any_time) {
  alignas(16) std::array<std::byte, 4096> memory{};
  const auto change = [&](ingot::live<world>& block) {
    block->numbers.push_back(1);
    block->numbers.clear();
    block->numbers.shrink_to_fit();
    block->waiting.push_back(1U);
    block->waiting.pop_back();
    block->objects.erase(block->objects.add());
    EXPECT_TRUE(readable(memory));
  };
  auto block = ingot::live<world>::in(memory).value();
  change(block);
  block.compact(); // its bytes are rewritten where they are
  change(block);
  block = ingot::live<world>(block);
  static_cast<void>(block.bytes());
  auto attached = ingot::live<world>::attach(memory).value();
  change(attached);
}

TEST_F(poison, bytes_opened_in_place_are_the_callers) {
  ingot::live<world> block;
  block->numbers = {1, 2, 3};
  block->objects.add();
  block->waiting = {1, 2, 3};
  block->text = "a text that has a storage";
  const auto bytes = block.bytes();
  struct alignas(16) unit {
    std::array<std::byte, 16> bytes;
  };
  std::vector<unit> memory((bytes.size() + 15) / 16);
  const std::span<std::byte> there(memory[0].bytes.data(), bytes.size());
  std::ranges::copy(bytes, there.begin());
  auto here = ingot::live<world>::open_in_place(there).value();
  here->numbers.pop_back();
  here->waiting.pop_front();
  here->text.clear();
  here->objects.clear();
  EXPECT_TRUE(readable(there));
}

TEST(poison_death, a_stale_element_is_reported) {
  GTEST_FLAG_SET(death_test_style, "fast");
  ingot::live<world> block;
  block->numbers.push_back(1);
  const volatile std::uint32_t* const stale = block->numbers.data();
  block->numbers.pop_back();
#if INGOT_POISONS == 1
  EXPECT_DEATH(static_cast<void>(*stale), "use-after-poison");
#else
  const unsigned before = VALGRIND_COUNT_ERRORS;
  const std::uint32_t seen = *stale;
  EXPECT_EQ(VALGRIND_COUNT_ERRORS, before + 1) << seen;
#endif
}

#endif

} // namespace poison_test
