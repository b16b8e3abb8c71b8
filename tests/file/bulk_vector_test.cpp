// SPDX-License-Identifier: Apache-2.0
// Without these tests a vector that files are loaded into could use small pages, never free its
// memory, lose elements as it grows, or allocate more than it needs.
#include <ingot/file/bulk_vector.hpp>
#include <ingot/file/detail/streamed_list.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>

#include "simulated_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace bulk_vector_test {

using file_test::simulated_disk;
using ingot::bulk_vector;
using ingot::detail::large_page;

struct tick {
  std::uint32_t time = 0;
  float price = 0;
  bool operator==(const tick&) const = default;
};
struct plain_tick {
  std::uint32_t time;
  float price;
};
static_assert(ingot::detail::resizes_uninitialized<bulk_vector<plain_tick>>);
// Uninitialised elements would all be written before the first is read. These are created a piece
// at a time, as in a standard vector.
static_assert(!ingot::detail::resizes_uninitialized<bulk_vector<tick>>);
static_assert(ingot::detail::is_streamed_bulk<bulk_vector<tick>>);
static_assert(ingot::schema_id<bulk_vector<tick>> == ingot::schema_id<std::vector<tick>>);

struct bulk_memory {
  ingot::bulk_allocator<std::byte> from;
  std::size_t bytes;
  std::byte* start;

  explicit bulk_memory(std::size_t size) : bytes(size), start(from.allocate(size)) {}
  bulk_memory(const bulk_memory&) = delete;
  bulk_memory& operator=(const bulk_memory&) = delete;
  ~bulk_memory() { from.deallocate(start, bytes); }
};
[[nodiscard]] std::size_t small_page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
[[nodiscard]] bool is_mapped(const std::byte* page) {
  unsigned char there = 0;
  auto* const at = const_cast<std::byte*>(page - reinterpret_cast<std::uintptr_t>(page) % small_page());
  return ::mincore(at, small_page(), &there) == 0 || errno != ENOMEM;
}

/// Returns false on an emulated system, which may keep the addresses of freed memory mapped.
[[nodiscard]] bool knows_what_is_mapped() {
  void* const page =
      ::mmap(nullptr, small_page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool there = is_mapped(static_cast<std::byte*>(page));
  ::munmap(page, small_page());
  return there && !is_mapped(static_cast<std::byte*>(page));
}
/// Returns the number of page faults while all of these pages are written.
[[nodiscard]] long brought_for(std::byte* start, std::size_t bytes) {
  const auto brought = [] {
    ::rusage usage{};
    EXPECT_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
  };
  const long before = brought();
  for (std::size_t i = 0; i < bytes; i += small_page()) start[i] = std::byte{1};
  return brought() - before;
}

TEST(bulk_vector, what_is_large_begins_at_a_large_page) {
  for (const std::size_t bytes : {large_page, large_page + 1, 2'400'000UZ, 4 * large_page - 7}) {
    const bulk_memory memory(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.start) % large_page, 0U) << bytes;
  }
}

TEST(bulk_vector, rounds_up_by_an_eighth_or_less) {
  if (!knows_what_is_mapped()) GTEST_SKIP() << "the system doesn't tell";
  for (const std::size_t bytes : {large_page, large_page + 1, 2'400'000UZ, 8 * large_page + 1}) {
    // The memory after a block is unmapped, unless something else was mapped there, which seldom
    // happens to all of them.
    const bulk_memory several[4] = {bulk_memory(bytes), bulk_memory(bytes), bulk_memory(bytes),
                                    bulk_memory(bytes)};
    std::size_t ends = 0;
    for (const auto& memory : several) {
      EXPECT_TRUE(is_mapped(memory.start + bytes - 1));
      ends += is_mapped(memory.start + bytes + bytes / 8 + small_page()) ? 0U : 1U;
    }
    EXPECT_NE(ends, 0U) << bytes;
  }
}

TEST(bulk_vector, memory_goes_back_to_the_system) {
  if (!knows_what_is_mapped()) GTEST_SKIP() << "the system doesn't tell";
  for (const std::size_t bytes : {large_page, 2'400'000UZ, 8 * large_page}) {
    const std::byte* first = nullptr;
    {
      const bulk_memory memory(bytes);
      first = memory.start;
      ASSERT_TRUE(is_mapped(first) && is_mapped(first + bytes - 1));
    }
    EXPECT_FALSE(is_mapped(first) || is_mapped(first + bytes - 1)) << bytes;
  }
}

#if defined(__linux__)
TEST(bulk_vector, pages_are_large_where_the_system_has_them) {
  constexpr std::size_t bytes = 8 * large_page;
  void* const mapped =
      ::mmap(nullptr, bytes + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* const aligned = static_cast<std::byte*>(mapped) +
                        (large_page - reinterpret_cast<std::uintptr_t>(mapped) % large_page) % large_page;
  static_cast<void>(::madvise(aligned, bytes, MADV_HUGEPAGE));
  const long min_faults = brought_for(aligned, bytes);
  ::munmap(mapped, bytes + large_page);
  // 1,000 of 4,096 pages
  if (min_faults > 1000) GTEST_SKIP() << "it has none, or has run out of them";
  const bulk_memory memory(bytes);
  EXPECT_LT(brought_for(memory.start, bytes), 1000);
}
#endif

TEST(bulk_vector, elements_stay_as_it_grows_out_of_small_memory_into_large) {
  bulk_vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < large_page / 8 + 1000; ++i) list.push_back(i * 7);
  for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(list[i], i * 7);
  list.resize(100);
  list.shrink_to_fit();
  for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(list[i], i * 7);
}

TEST(bulk_vector, values_are_stored_if_there_are_any) {
  const bulk_vector<tick> list(1000, tick{3, 4});
  EXPECT_EQ(std::ranges::count(list, tick{3, 4}), 1000);
  EXPECT_EQ(bulk_vector<std::uint32_t>({1, 2, 3}).back(), 3U);
}

TEST(bulk_vector, and_standard_vector_load_each_others_files) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, large_page / sizeof(tick) - 1,
                                  large_page / sizeof(tick), 3 * large_page / sizeof(tick) + 5}) {
    std::vector<tick> list(count);
    for (std::uint32_t i = 0; i < count; ++i) list[i] = {i, static_cast<float>(i) / 4};
    for (const bool packs : {false, true}) {
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("file", list, {.columns = packs}, disk).has_value());
      const auto bulk = ingot::load<bulk_vector<tick>>("file", {}, disk);
      ASSERT_TRUE(bulk.has_value()) << bulk.error().message();
      ASSERT_TRUE(std::ranges::equal(*bulk, list));
      simulated_disk other;
      ASSERT_TRUE(ingot::save("file", *bulk, {}, other).has_value());
      EXPECT_TRUE(ingot::load<std::vector<tick>>("file", {}, other).value() == list);
    }
  }
}

TEST(bulk_vector, allocators_are_equal_whatever_they_are_of) {
  static_assert(ingot::bulk_allocator<int>() == ingot::bulk_allocator<int>());
  static_assert(ingot::bulk_allocator<int>() == ingot::bulk_allocator<char>());
  static_assert(!(ingot::bulk_allocator<int>() != ingot::bulk_allocator<char>()));
}

TEST(bulk_vector, members_with_initialisers_have_them) {
  bulk_vector<tick> list(large_page / sizeof(tick) + 7, tick{1, 2});
  list.resize(3 * list.size());
  EXPECT_EQ(list.back(), tick{});
}

TEST(bulk_vector, moves_and_swaps_hand_the_memory_over) {
  constexpr std::size_t count = large_page / sizeof(tick) + 7;
  bulk_vector<tick> one(count, tick{1, 2});
  bulk_vector<tick> other(3, tick{3, 4});
  const tick* const at = one.data();
  std::swap(one, other);
  EXPECT_EQ(other.data(), at);
  one = std::move(other);
  EXPECT_EQ(one.data(), at);
  const bulk_vector<tick> copy = one;
  EXPECT_NE(copy.data(), at);
  EXPECT_TRUE(copy == one);
}

TEST(bulk_vector, memory_leaves_errno_alone) {
  errno = 77;
  {
    const bulk_memory memory(2'400'000);
  }
  EXPECT_EQ(errno, 77);
  // A range that the system rejects.
  auto* const rejected = reinterpret_cast<std::byte*>(std::uintptr_t{1}); // NOLINT
  ingot::detail::give_large_pages(rejected, large_page);
  EXPECT_EQ(errno, 77);
}

#if defined(__linux__)
TEST(bulk_vector, a_program_with_few_addresses_has_memory_of_small_pages) {
  const auto confined = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    // Enough for the memory, but not for 2 MiB more. (A part of these would be freed.)
    const ::rlim_t max_addresses = pages * small_page() + 3'400'000;
    const ::rlimit limit{max_addresses, max_addresses};
    if (pages == 0 || ::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(0);
    ingot::bulk_allocator<std::byte> from;
    std::byte* const start = from.allocate(2'400'000);
    std::fill_n(start, 2'400'000, std::byte{1});
    from.deallocate(start, 2'400'000);
    ::_exit(0);
  };
  EXPECT_EXIT(confined(), testing::ExitedWithCode(0), "");
}
#endif

#if defined(__cpp_exceptions)
TEST(bulk_vector, says_that_there_is_no_memory_as_the_program_does) {
  ingot::bulk_allocator<std::uint64_t> memory;
  EXPECT_THROW(static_cast<void>(memory.allocate(std::numeric_limits<std::size_t>::max() / 16)),
               std::bad_alloc);
  EXPECT_THROW(static_cast<void>(memory.allocate(std::numeric_limits<std::size_t>::max() / 4)),
               std::bad_alloc);
}
#endif

} // namespace bulk_vector_test
