// SPDX-License-Identifier: Apache-2.0
// The allocator of a block against a model: memory that it returns is zero, aligned and overlaps
// nothing. Freed memory is zero again, and is merged and reused.
#include <ingot/live/detail/arena.hpp>
#include <ingot/live/detail/block_validator.hpp>

#include "live/dice.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#if INGOT_POISONS == 1
#include <sanitizer/asan_interface.h>
#endif

namespace arena_test {

using ingot::detail::arena;

/// Memory with a block of `limit` bytes. The first 64 bytes are taken.
template <class A>
class area {
public:
  using Offset = typename A::offset_type;
  static constexpr Offset head = 64;
  static constexpr std::size_t prefix_size = sizeof(ingot::detail::storage_prefix<Offset>);

  explicit area(std::size_t limit)
      : limit_(limit), bitmap_((A::bitmap_size(limit) + 15) / 16 * 16),
        memory_(bitmap_ + sizeof(A) + limit + 16) {
    const auto misaligned = reinterpret_cast<std::uintptr_t>(memory_.data()) % 16;
    start_ = memory_.data() + (misaligned == 0 ? 0 : 16 - misaligned);
    allocator_ = new (start_ + bitmap_) A;
    allocator_->start(head, static_cast<Offset>(limit));
  }
  [[nodiscard]] A* operator->() { return allocator_; }
  [[nodiscard]] std::span<std::byte> block() { return {start_ + bitmap_ + sizeof(A), limit_}; }
  [[nodiscard]] bool holds(Offset at, Offset size, std::byte value) {
    const auto bytes = block().subspan(at, size);
    return std::ranges::all_of(bytes, [value](std::byte b) { return b == value; });
  }
  /// Under a sanitizer free bytes can't be read.
  void unpoison() {
    if constexpr (ingot::detail::poisons) ingot::detail::unpoison(block().data(), limit_);
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
  A* allocator_;
};

/// Random operations on an allocator and on a map of the taken bytes.
template <class A>
class model {
  using Offset = typename A::offset_type;

public:
  model(std::uint64_t seed, std::size_t limit) : memory_(limit), random_(seed), limit_(limit) {}

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      const auto what = random_() % 16;
      if (what < 8 || taken_.empty()) allocate();
      else if (what < 10) extend();
      else release();
      Offset sum = area<A>::head;
      for (const auto& [at, size] : taken_) sum += size;
      ASSERT_EQ(sum + memory_->free_bytes(), memory_->used()) << "step " << i;
    }
  }
  void release_all() {
    while (!taken_.empty() && !testing::Test::HasFailure()) release();
    EXPECT_TRUE(memory_->consolidate());
    EXPECT_EQ(memory_->used() - memory_->free_bytes(), area<A>::head);
    EXPECT_EQ(memory_->free_bytes(), 0U);
    memory_.unpoison();
    // The header was never written
    EXPECT_TRUE(memory_.holds(0, static_cast<Offset>(limit_), std::byte{0}));
  }

private:
  static constexpr auto prefix_size = static_cast<Offset>(area<A>::prefix_size);
  static constexpr std::byte mine{0xA5};

  void allocate() {
    const auto wanted =
        static_cast<Offset>((random_() % 8 == 0 ? random_() % 5000 : random_() % 200) / 8 * 8 + 8);
    const bool aligned = random_() % 4 == 0;
    const auto run = aligned ? memory_->allocate_aligned(wanted) : memory_->allocate(wanted);
    if (!run) {
      // The allocator fails only if no free run has the requested length, with gaps for alignment
      // and links counted in.
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
#if INGOT_POISONS == 1
    ASSERT_TRUE(__asan_address_is_poisoned(memory_.block().data() + it->first));
    ASSERT_TRUE(__asan_address_is_poisoned(memory_.block().data() + it->first + it->second - 1));
#endif
    taken_.erase(it);
  }
  [[nodiscard]] auto any() {
    const auto it = taken_.lower_bound(static_cast<Offset>(random_() % limit_));
    return it == taken_.end() ? taken_.begin() : it;
  }

  area<A> memory_;
  std::mt19937_64 random_;
  std::size_t limit_;
  std::map<Offset, Offset> taken_;
};

template <class A>
class live_allocator : public testing::Test {};
#if SIZE_MAX > 0xFFFFFFFF
using allocators = testing::Types<arena<std::uint32_t>, arena<std::uint64_t>>;
#else
using allocators = testing::Types<arena<std::uint32_t>>;
#endif
TYPED_TEST_SUITE(live_allocator, allocators);

TYPED_TEST(live_allocator, agrees_with_a_model) {
  const std::size_t steps = live_test::operations(std::size_t{48'000}) / 12;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    model<TypeParam> small(seed, 20'000); // full most of the time
    small.run(steps);
    small.release_all();
    // With runs that are longer than the search in the bitmap
    model<TypeParam> large(seed, std::size_t{1} << 20);
    large.run(steps);
    large.release_all();
  }
}

TYPED_TEST(live_allocator, continues_with_the_storages_that_validation_found) {
  area<TypeParam> memory(4096);
  using offset = typename TypeParam::offset_type;
  constexpr offset used = 1024;
  // The header and one run in the middle are taken. The free bytes are not zero: another allocator
  // left something in them.
  ingot::detail::bitmap_claims claims(memory->bitmap_end());
  std::memset(memory->bitmap_end() - used / 512, 0, used / 64);
  ASSERT_TRUE(claims.take(0, 64));
  ASSERT_TRUE(claims.take(512, 128));
  memory.unpoison();
  memory.fill(64, used - 64, std::byte{0x5A});
  memory->adopt(used, 4096);
  memory.unpoison();
  EXPECT_TRUE(memory.holds(512, 128, std::byte{0x5A}));
  EXPECT_EQ(memory->used(), 640U) << "what is free at the end is no hole";
  EXPECT_EQ(memory->free_bytes(), 448U);
  EXPECT_EQ(memory->peak(), used) << "after it no memory was touched";
  EXPECT_TRUE(memory.holds(640, 4096 - 640, std::byte{0}));
  memory->forget_holes();
  EXPECT_EQ(memory->free_bytes(), 0U);
  memory.unpoison();
  EXPECT_TRUE(memory.holds(64, 448, std::byte{0}));
}

TYPED_TEST(live_allocator, hands_out_again_what_came_back) {
  area<TypeParam> memory(4096);
  const auto first = memory->allocate(40);
  const auto second = memory->allocate(40);
  memory->release(first.at, first.size);
  const auto third = memory->allocate(40);
  EXPECT_EQ(third.at, first.at);
  memory->release(second.at, second.size);
  EXPECT_EQ(memory->allocate(40).at, second.at) << "the end of the block";
  memory->release(second.at, second.size);
  EXPECT_TRUE(memory->consolidate());
  EXPECT_EQ(memory->used(), second.at) << "the last run goes back to the tail";
  EXPECT_FALSE(memory->consolidate());
}

TYPED_TEST(live_allocator, the_last_run_grows_in_place_to_the_end_of_the_block) {
  area<TypeParam> memory(1024);
  const auto run = memory->allocate(64);
  EXPECT_TRUE(memory->extend(run.at, 64, 1024 - run.at));
  EXPECT_FALSE(memory->extend(run.at, 1024 - run.at, 1032 - run.at));
  EXPECT_FALSE(memory->allocate(16));
  EXPECT_EQ(memory->used(), 1024U);
}

TYPED_TEST(live_allocator, a_full_block_is_left_as_it_was) {
  area<TypeParam> memory(256);
  constexpr auto huge = static_cast<typename TypeParam::offset_type>(-8);
  const auto hole = memory->allocate(64);
  ASSERT_TRUE(memory->allocate(104));
  memory->release(hole.at, hole.size);
  memory.unpoison();
  const std::vector<std::byte> before(memory.block().begin(), memory.block().end());
  EXPECT_FALSE(memory->allocate(72));
  EXPECT_FALSE(memory->allocate(200));
  EXPECT_FALSE(memory->allocate_aligned(200));
  EXPECT_FALSE(memory->allocate(huge));
  EXPECT_FALSE(memory->allocate_aligned(huge));
  memory.unpoison();
  EXPECT_TRUE(std::ranges::equal(before, memory.block()));
}

static_assert(ingot::detail::block_allocator<arena<std::uint32_t>>);
static_assert(sizeof(arena<std::uint32_t>) <= 384, "an arena and a small block share a page");

} // namespace arena_test
