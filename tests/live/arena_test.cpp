// SPDX-License-Identifier: Apache-2.0
// The allocator of a block against a model: what it hands out is zero, aligned and overlaps nothing; what comes back grows
// together again.
#include <ingot/live/arena.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace arena_test {

using ingot::detail::arena;

/// Memory with a block of `limit` bytes, of which the first 64 are taken.
template <class Offset>
class area {
public:
  static constexpr Offset head = 64;
  static constexpr std::size_t prefix_size = sizeof(ingot::detail::storage_prefix<Offset>);

  explicit area(std::size_t limit)
      : limit_(limit), bitmap_((arena<Offset>::bitmap_size(limit) + 15) / 16 * 16),
        memory_(bitmap_ + sizeof(arena<Offset>) + limit + 16) {
    const auto misaligned = reinterpret_cast<std::uintptr_t>(memory_.data()) % 16;
    start_ = memory_.data() + (misaligned == 0 ? 0 : 16 - misaligned);
    arena_ = new (start_ + bitmap_) arena<Offset>;
    arena_->start(head, static_cast<Offset>(limit));
  }
  [[nodiscard]] arena<Offset>* operator->() { return arena_; }
  [[nodiscard]] std::span<std::byte> block() { return {start_ + bitmap_ + sizeof(arena<Offset>), limit_}; }
  [[nodiscard]] bool holds(Offset at, Offset size, std::byte value) {
    const auto bytes = block().subspan(at, size);
    return std::ranges::all_of(bytes, [value](std::byte b) { return b == value; });
  }
  void fill(Offset at, Offset size, std::byte value) {
    if (size != 0) std::memset(block().data() + at, std::to_integer<int>(value), size);
  }
  [[nodiscard]] ingot::detail::storage_prefix<Offset> prefix_at(Offset at) {
    ingot::detail::storage_prefix<Offset> prefix{};
    std::memcpy(&prefix, block().data() + at, sizeof prefix);
    return prefix;
  }

private:
  std::size_t limit_;
  std::size_t bitmap_;
  std::vector<std::byte> memory_;
  std::byte* start_;
  arena<Offset>* arena_;
};

/// Random operations on an arena and on a map of what is taken.
template <class Offset>
class model {
public:
  model(std::uint64_t seed, std::size_t limit) : memory_(limit), random_(seed), limit_(limit) {}

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      const auto what = random_() % 16;
      if (what < 8 || taken_.empty()) allocate();
      else if (what < 10) extend();
      else release();
      Offset sum = area<Offset>::head;
      for (const auto& [at, size] : taken_) sum += size;
      ASSERT_EQ(sum + memory_->free_bytes(), memory_->used()) << "step " << i;
    }
  }
  void release_all() {
    while (!taken_.empty() && !testing::Test::HasFailure()) release();
    memory_->consolidate();
    EXPECT_EQ(memory_->used(), area<Offset>::head);
    EXPECT_EQ(memory_->free_bytes(), 0U);
    EXPECT_TRUE(memory_.holds(0, static_cast<Offset>(limit_), std::byte{0})); // the head was never written
  }

private:
  static constexpr auto prefix_size = static_cast<Offset>(area<Offset>::prefix_size);
  static constexpr std::byte mine{0xA5};

  void allocate() {
    const auto wanted =
        static_cast<Offset>((random_() % 8 == 0 ? random_() % 5000 : random_() % 200) / 8 * 8 + 8);
    const bool aligned = random_() % 4 == 0;
    const auto run = aligned ? memory_->allocate_aligned(wanted) : memory_->allocate(wanted);
    if (!run) {
      // Full, and not for want of trying: no hole is as long as what was asked, gaps for alignment and links counted in.
      ASSERT_LT(memory_->limit() - memory_->used(), wanted + 64);
      return;
    }
    ASSERT_GE(run.size, wanted);
    ASSERT_LE(run.size, limit_ - run.at);
    if (aligned) {
      ASSERT_EQ((run.at + prefix_size) % 16, 0U);
    }
    const auto next = taken_.lower_bound(run.at);
    ASSERT_TRUE(next == taken_.end() || run.at + run.size <= next->first);
    if (next != taken_.begin()) {
      ASSERT_LE(std::prev(next)->first + std::prev(next)->second, run.at);
    }
    ASSERT_TRUE(memory_.holds(run.at + prefix_size, run.size - prefix_size, std::byte{0}));
    ASSERT_EQ(memory_.prefix_at(run.at).capacity, run.size - prefix_size);
    ASSERT_EQ(memory_.prefix_at(run.at).distance, run.at);
    memory_.fill(run.at + prefix_size, run.size - prefix_size, mine);
    taken_[run.at] = run.size;
  }
  void extend() {
    const auto it = any();
    const auto [at, size] = *it;
    const auto more = static_cast<Offset>(random_() % 20 * 8 + 8);
    if (!memory_->extend(at, size, size + more)) return;
    const auto next = std::next(it);
    ASSERT_LE(at + size + more, next == taken_.end() ? limit_ : next->first);
    ASSERT_TRUE(memory_.holds(at + size, more, std::byte{0}));
    ASSERT_EQ(memory_.prefix_at(at).capacity, size + more - prefix_size);
    memory_.fill(at + size, more, mine);
    it->second = size + more;
  }
  void release() {
    const auto it = any();
    ASSERT_TRUE(memory_.holds(it->first + prefix_size, it->second - prefix_size, mine));
    memory_->release(it->first, it->second);
    taken_.erase(it);
  }
  [[nodiscard]] auto any() {
    const auto it = taken_.lower_bound(static_cast<Offset>(random_() % limit_));
    return it == taken_.end() ? taken_.begin() : it;
  }

  area<Offset> memory_;
  std::mt19937_64 random_;
  std::size_t limit_;
  std::map<Offset, Offset> taken_;
};

template <class Offset>
void expect_model_holds() {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    model<Offset> small(seed, 20'000); // full most of the time
    small.run(4'000);
    small.release_all();
    model<Offset> large(seed, std::size_t{1} << 20); // with runs longer than the search in the bitmap
    large.run(4'000);
    large.release_all();
  }
}

TEST(live_arena, agrees_with_a_model) { expect_model_holds<std::uint32_t>(); }
#if SIZE_MAX > 0xFFFFFFFF
TEST(live_arena, agrees_with_a_model_with_wide_offsets) { expect_model_holds<std::uint64_t>(); }
#endif

TEST(live_arena, hands_out_again_what_came_back) {
  area<std::uint32_t> memory(4096);
  const auto first = memory->allocate(40);
  const auto second = memory->allocate(40);
  memory->release(first.at, first.size);
  EXPECT_EQ(memory->allocate(40).at, first.at);
  memory->release(second.at, second.size);
  EXPECT_EQ(memory->allocate(40).at, second.at);
  memory->release(second.at, second.size);
  EXPECT_TRUE(memory->consolidate());
  EXPECT_EQ(memory->used(), second.at) << "the last run goes back to the tail";
  EXPECT_FALSE(memory->consolidate());
}

TEST(live_arena, the_last_run_grows_in_place_to_the_end_of_the_block) {
  area<std::uint32_t> memory(1024);
  const auto run = memory->allocate(64);
  EXPECT_TRUE(memory->extend(run.at, 64, 1024 - run.at));
  EXPECT_FALSE(memory->extend(run.at, 1024 - run.at, 1032 - run.at));
  EXPECT_FALSE(memory->allocate(16));
  EXPECT_EQ(memory->used(), 1024U);
}

TEST(live_arena, a_full_block_is_left_as_it_was) {
  area<std::uint32_t> memory(256);
  const auto hole = memory->allocate(64);
  ASSERT_TRUE(memory->allocate(104));
  memory->release(hole.at, hole.size);
  const std::vector<std::byte> before(memory.block().begin(), memory.block().end());
  EXPECT_FALSE(memory->allocate(72));
  EXPECT_FALSE(memory->allocate(200));
  EXPECT_FALSE(memory->allocate_aligned(200));
  EXPECT_FALSE(memory->allocate(0xFFFFFFF8U));
  EXPECT_FALSE(memory->allocate_aligned(0xFFFFFFF8U));
  EXPECT_TRUE(std::ranges::equal(before, memory.block()));
}

static_assert(ingot::detail::block_allocator<arena<std::uint32_t>>);
static_assert(sizeof(arena<std::uint32_t>) <= 384, "an arena and a small block share a page");

} // namespace arena_test
