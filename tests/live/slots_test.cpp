// SPDX-License-Identifier: Apache-2.0
// Slots of address space: their size classes, reuse, threads, and systems that have no more
// addresses.
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define INGOT_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INGOT_TEST_THREAD_SANITIZER 1
#endif
#endif

#include "live/block_tools.hpp"
#include "live/whole_slot.hpp"

namespace slots_test {

using namespace live_test;
using ingot::live;
using ingot::max_block_size;
using ingot::detail::raw_slot;
using ingot::detail::slot_pool;
using layout = ingot::detail::slot_layout<ingot::narrow_policy>;

struct numbers {
  ingot::vector<std::uint64_t> all;
  ingot::string name;
};

TEST(live_slots, a_class_holds_what_was_requested) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{60'000}, std::size_t{65'000}, std::size_t{65'536},
        std::size_t{1} << 20, (std::size_t{1} << 20) + 1, std::size_t{100'000'000}}) {
    const unsigned size_class = layout::class_for(bytes);
    EXPECT_GE(layout::limit(std::size_t{1} << size_class), bytes);
    EXPECT_TRUE(size_class == slot_pool::smallest_class ||
                layout::limit(std::size_t{1} << (size_class - 1)) < bytes);
  }
  for (unsigned c = slot_pool::smallest_class; c <= slot_pool::largest_class && c < 34; ++c) {
    const std::size_t slot = std::size_t{1} << c;
    EXPECT_EQ(layout::block_at(slot) % 16, 0U);
    EXPECT_LE(layout::block_at(slot) + layout::limit(slot), slot);
    // The bitmap for the whole block fits before it.
    EXPECT_LE(ingot::detail::arena<std::uint32_t>::bitmap_size(layout::limit(slot)) +
                  sizeof(ingot::detail::arena<std::uint32_t>),
              layout::block_at(slot));
    // A small block, its allocator and its bitmap share a page.
    EXPECT_LT(layout::block_at(slot) % 4096, 1024U);
  }
}

TEST(live_slots, no_maximum_size_reserves_more_than_offsets_reach) {
  const unsigned largest = layout::class_for(static_cast<std::size_t>(-1));
  EXPECT_EQ(largest, layout::class_for(std::size_t{0x7FFF'0000}));
  EXPECT_LE(largest, 32U);
}

TEST(live_slots, returned_memory_is_of_no_other_slot) {
  // Some systems have pages of 4 KiB, but programs must work with any page size: slots begin at
  // multiples of 4 KiB only.
  alignas(4096) static std::byte memory[4 * 65536];
  using block_memory = ingot::detail::block_memory<ingot::narrow_policy>;
  for (std::size_t slot = 0; slot < 65536; slot += 4096) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{16}, std::size_t{8192}, std::size_t{131'000}}) {
      std::byte* const begin = block_memory::begin_of_page(memory + slot + at, memory + slot, 65536);
      EXPECT_GE(begin, memory + slot);
      EXPECT_LE(begin, memory + slot + at);
      EXPECT_LT(memory + slot + at - begin, 65536);
      EXPECT_TRUE(begin == memory + slot || reinterpret_cast<std::uintptr_t>(begin) % 65536 == 0);
    }
  }
  // Adjacent slots, full to their ends, of a size whose memory is returned entirely.
  constexpr std::size_t bytes = std::size_t{1} << 20;
  std::vector<std::optional<live<numbers>>> blocks(6);
  for (auto& each : blocks) {
    each.emplace(max_block_size{layout::limit(bytes)});
    (*each)->all.resize((layout::limit(bytes) - 4096) / 8, 0x7777'7777'7777'7777);
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) blocks[i].reset();
  for (std::size_t i = 1; i < blocks.size(); i += 2) {
    EXPECT_TRUE(
        std::ranges::all_of((*blocks[i])->all, [](std::uint64_t n) { return n == 0x7777'7777'7777'7777; }));
    EXPECT_TRUE(live<numbers>::open(blocks[i]->bytes(), {.max_size = {bytes}}).has_value());
  }
}

TEST(live_slots, are_apart_zero_and_come_again) {
  constexpr unsigned size_class = slot_pool::smallest_class;
  std::set<std::byte*> starts;
  std::vector<raw_slot> taken;
  for (int i = 0; i < 100; ++i) {
    const raw_slot slot = with_memory(slot_pool::acquire(size_class));
    ASSERT_TRUE(static_cast<bool>(slot));
    ASSERT_EQ(slot.size_class, size_class);
    ASSERT_TRUE(starts.insert(slot.start).second);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(slot.start) % 4096, 0U);
    ASSERT_TRUE(all_zero(slot.start, std::size_t{1} << size_class));
    taken.push_back(slot);
  }
  for (auto before = starts.begin(), after = std::next(before); after != starts.end(); ++before, ++after) {
    ASSERT_GE(*after - *before, std::ptrdiff_t{1} << size_class);
  }
  const std::size_t idle = slot_pool::idle(size_class);
  for (const raw_slot& slot : taken) slot_pool::release(slot);
  EXPECT_GE(slot_pool::idle(size_class), idle + 90); // a few stay in the thread's cache
  std::size_t again = 0;
  taken.clear();
  for (int i = 0; i < 100; ++i) {
    taken.push_back(slot_pool::acquire(size_class));
    again += starts.contains(taken.back().start);
    ASSERT_TRUE(all_zero(taken.back().start, std::size_t{1} << size_class)) << "not even the link is left";
  }
  EXPECT_EQ(again, 100U);
  for (const raw_slot& slot : taken) slot_pool::release(slot);
}

#if defined(__wasm__)

TEST(live_slots, memory_that_is_never_given_back_is_used_again) {
  const auto fill = [] {
    std::vector<live<numbers>> blocks;
    for (int i = 0; i < 100; ++i) {
      blocks.emplace_back(max_block_size{1000});
      blocks.back()->name.assign("a name of some length");
    }
    live<numbers> large(max_block_size{std::size_t{8} << 20});
    if (!is_zero_after(large, large.max_size())) return false;
    large->all.resize(900'000, 7);
    return large->all.back() == 7;
  };
  EXPECT_TRUE(fill());
  const std::size_t before = __builtin_wasm_memory_size(0);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(fill());
  EXPECT_EQ(__builtin_wasm_memory_size(0), before);
}

TEST(live_slots, where_memory_ends_a_block_has_a_lower_maximum_size) {
  std::vector<raw_slot> taken;
  do {
    taken.push_back(slot_pool::acquire(slot_pool::largest_class));
    ASSERT_TRUE(static_cast<bool>(taken.back()));
    ASSERT_LT(taken.size(), 17U) << "there are 4 GiB of addresses";
  } while (taken.back().size_class == slot_pool::largest_class);
  live<numbers> block(max_block_size{std::size_t{200} << 20});
  EXPECT_LT(block.max_size(), std::size_t{200} << 20);
  block->all.resize(1000, 7);
  const auto opened = live<numbers>::open(block.bytes());
  EXPECT_TRUE(opened.has_value() && *opened == block);
  for (const raw_slot& slot : taken) slot_pool::release(slot);
}

#else // has threads

TEST(live_slots, a_thread_returns_its_slots) {
  constexpr unsigned size_class = 17;
  const std::size_t idle = slot_pool::idle(size_class);
  std::thread other([] {
    std::vector<raw_slot> taken;
    for (int i = 0; i < 5; ++i) taken.push_back(slot_pool::acquire(size_class));
    for (const raw_slot& slot : taken) slot_pool::release(slot);
  });
  other.join();
  // Idle slots are used first, then new ones.
  EXPECT_EQ(slot_pool::idle(size_class), std::max<std::size_t>(idle, 5));
}

#if !defined(__MINGW32__) // frees the memory of a thread_local object before its destructor runs

/// Constructed before the thread's own slots, so that its destructor runs after theirs.
struct latecomer {
  std::optional<live<numbers>> held;
  std::vector<std::byte*>* starts = nullptr;
  ~latecomer() {
    held.reset();
    if (starts == nullptr) return;
    // Takes and returns slots after the thread's own cache is destroyed.
    for (int i = 0; i < 3; ++i) {
      const raw_slot slot = slot_pool::acquire(18);
      starts->push_back(slot.start);
    }
  }
};

TEST(live_slots, blocks_of_a_thread_may_outlive_its_slots) {
  constexpr unsigned size_class = 18;
  std::vector<std::byte*> late;
  const std::size_t idle = slot_pool::idle(size_class);
  std::thread other([&] {
    static thread_local latecomer last;
    last.starts = &late;
    last.held.emplace(max_block_size{layout::limit(std::size_t{1} << size_class)});
    std::vector<raw_slot> taken;
    for (int i = 0; i < 4; ++i) taken.push_back(slot_pool::acquire(size_class));
    for (const raw_slot& slot : taken) slot_pool::release(slot);
  });
  other.join();
  ASSERT_EQ(late.size(), 3U);
  // Three of five idle slots were taken: no other owner may get them.
  EXPECT_EQ(slot_pool::idle(size_class), std::max<std::size_t>(idle, 5) - 3);
  std::vector<raw_slot> mine;
  for (int i = 0; i < 20; ++i) {
    mine.push_back(slot_pool::acquire(size_class));
    EXPECT_EQ(std::ranges::count(late, mine.back().start), 0);
  }
  for (const raw_slot& slot : mine) slot_pool::release(slot);
  for (std::byte* const start : late) slot_pool::release({start, size_class});
}

#endif

TEST(live_slots, are_acquired_and_released_by_many_threads) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 1; t <= 4; ++t) {
    threads.emplace_back([t, &wrong] {
      std::vector<raw_slot> mine;
      for (unsigned i = 0; i < 2000; ++i) {
        if ((i * t) % 3 != 0 || mine.empty()) {
          const raw_slot slot = slot_pool::acquire(16 + i % 3);
          std::byte* const at = slot.start + 4096 + 400;
          if (!slot || *at != std::byte{0}) ++wrong;
          *at = static_cast<std::byte>(t); // data of another thread would be seen
          mine.push_back(slot);
        } else {
          const raw_slot slot = mine.back();
          mine.pop_back();
          std::byte* const at = slot.start + 4096 + 400;
          if (*at != static_cast<std::byte>(t)) ++wrong;
          *at = std::byte{0};
          slot_pool::release(slot);
        }
        if (mine.size() > 30) {
          for (const raw_slot& slot : mine) {
            slot.start[4096 + 400] = std::byte{0};
            slot_pool::release(slot);
          }
          mine.clear();
        }
      }
      for (const raw_slot& slot : mine) {
        slot.start[4096 + 400] = std::byte{0};
        slot_pool::release(slot);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

#endif

#if defined(__linux__) && !INGOT_SANITIZED // sanitizers have memory and addresses of their own

/// Resident memory of this process, in bytes.
std::size_t resident() {
  std::size_t total = 0;
  std::size_t pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &pages) != 2) pages = 0;
    static_cast<void>(std::fclose(file));
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Thread sanitizers do not support a child of a process with threads.
#if defined(__linux__) && !defined(INGOT_TEST_THREAD_SANITIZER)
/// A mutex that is locked at fork stays locked in the child, because the child has no copies of the
/// other threads.
TEST(live_slots, children_of_a_process_with_busy_threads_make_blocks) {
  std::atomic<bool> done{false};
  const auto churn = [] {
    std::array<raw_slot, 24> taken; // more than a thread caches
    for (auto& each : taken) each = slot_pool::acquire(17);
    for (const auto& each : taken) slot_pool::release(each);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) churn();
    });
  }
  int wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::alarm(30); // a child that hangs ends by a signal
      churn();
      live<numbers> block;
      block->all.push_back(1);
      ::_exit(block->all.size() == 1 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (status != 0 && ++wrong == 2) break; // children that hang take long
  }
  done = true;
  for (auto& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
}
#endif

TEST(live_slots, memory_of_a_large_block_goes_back_with_it) {
  constexpr std::size_t large = std::size_t{64} << 20;
  const std::size_t before = resident();
  {
    live<numbers> block(max_block_size{2 * large});
    block->all.resize(large / 8);
    EXPECT_GT(resident(), before + large / 2);
  }
  EXPECT_LT(resident(), before + large / 64) << "its bitmap, too";
}

TEST(live_slots, advice_that_the_system_rejects_leaves_errno_alone) {
  namespace os = ingot::detail::system;
  constexpr std::size_t bytes = std::size_t{1} << 20;
  std::byte* const gone = os::reserve(bytes);
  ASSERT_NE(gone, nullptr);
  os::unreserve(gone, bytes);
  errno = 0;
  EXPECT_FALSE(os::prepare(gone, bytes));
  EXPECT_FALSE(os::discard(gone, bytes));
  os::prefer_large_pages(gone, bytes);
  EXPECT_EQ(errno, 0);
}

TEST(live_slots, trim_and_reclaim_give_memory_back_while_the_block_lives) {
  constexpr std::size_t large = std::size_t{32} << 20;
  live<numbers> block(max_block_size{2 * large});
  block->all.push_back(1U);
  const std::size_t before = resident();
  const auto grow_and_shrink = [&] {
    block->all.resize(large / 8);
    block->all.clear();
    block->all.shrink_to_fit();
  };
  grow_and_shrink();
  EXPECT_GT(resident(), before + large / 2);
  block.trim();
  EXPECT_LT(resident(), before + large / 8);
  EXPECT_TRUE(is_zero_after(block, large));
  grow_and_shrink();
  block.reclaim();
  {
    const live<numbers> dropped = std::move(block);
  }
  EXPECT_LT(resident(), before + large / 8);
}

TEST(live_slots, ten_thousand_small_blocks_take_a_page_or_two_each) {
  const std::size_t before = resident();
  std::vector<live<numbers>> blocks;
  for (int i = 0; i < 10'000; ++i) {
    blocks.emplace_back(max_block_size{1000});
    blocks.back()->name.assign("a name of some length");
  }
  EXPECT_LT(resident() - before, 10'000U * 3 * 4096);
}

#if INGOT_EXCEPTIONS

/// Runs `f` in a child process that may use `more` bytes of addresses in addition to the present
/// ones. Returns the exit status.
template <class F>
int with_addresses(std::size_t more, F&& f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::size_t pages = 0;
    if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
      static_cast<void>(std::fclose(file));
    }
    const rlim_t limit_bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
    const rlimit limit{limit_bytes, limit_bytes};
    setrlimit(RLIMIT_AS, &limit);
    try {
      _exit(f());
    } catch (...) { // otherwise both processes would run the remaining tests
      _exit(99);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(live_slots, where_addresses_are_scarce_a_block_has_a_lower_maximum_size) {
  EXPECT_EQ(with_addresses(std::size_t{20} << 20,
                           [] {
                             live<numbers> block(max_block_size{std::size_t{1} << 30});
                             if (block.max_size() >= (std::size_t{1} << 30)) return 1;
                             if (block.max_size() < 60'000) return 2;
                             block->all.resize(1000);
                             try {
                               block->all.resize(std::size_t{1} << 26);
                               return 3;
                             } catch (const ingot::out_of_space& e) {
                               if (e.why() != ingot::out_of_space_reason::full) return 4;
                             }
                             const auto opened = live<numbers>::open(block.bytes());
                             return opened.has_value() && *opened == block ? 0 : 5;
                           }),
            0);
}

TEST(live_slots, address_space_exhaustion_is_no_memory) {
  std::vector<live<numbers>> blocks;
  blocks.reserve(60'000); // allocated while there are addresses
  EXPECT_EQ(with_addresses(0,
                           [&] {
                             try {
                               // Addresses that the process has reserved already are used up first.
                               for (int i = 0; i < 60'000; ++i)
                                 blocks.emplace_back(max_block_size{std::size_t{1} << 26});
                               return 1;
                             } catch (const ingot::out_of_space& e) {
                               if (e.why() != ingot::out_of_space_reason::no_memory) return 2;
                             }
                             if (blocks.empty()) return 0;
                             const auto opened = live<numbers>::open(blocks.front().bytes());
                             if (opened || opened.error().code() != ingot::errc::no_memory) return 3;
                             if (live<numbers>::receive_buffer(100)) return 4;
                             if (blocks.front().try_compact()) return 5;
                             blocks.pop_back();
                             return live<numbers>::open(blocks.front().bytes()).has_value() ? 0 : 6;
                           }),
            0);
}

#endif
#endif

} // namespace slots_test
