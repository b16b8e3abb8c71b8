// SPDX-License-Identifier: Apache-2.0
// Who compacts a large block is told how far it is, in order and to the end, and can stop it at each of these calls: the block is what it was then.
#include <ingot/core/progress.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace live_progress_test {

using ingot::errc;
using ingot_test::listener;

struct alignas(16) aligned {
  double at[4] = {};
};
template <class P>
struct world {
  ingot::basic_vector<ingot::basic_string<char, P>, P> names;
  ingot::basic_hash_map<std::uint64_t, double, P> by_number;
  ingot::basic_map<std::uint64_t, ingot::basic_string<char, P>, P> in_order;
  ingot::basic_vector<ingot::basic_vector<aligned, P>, P> places;
};
/// Some megabytes, with holes in between.
template <class P>
void fill(world<P>& w) {
  for (std::uint32_t i = 0; i < 12'000; ++i) {
    w.names.push_back("a name that has a storage of its own, and sometimes a long one" +
                      std::string(i % 97, 'n'));
    w.by_number[i * 7919] = i;
    w.in_order[i * 31 % 5'000] = std::string(40 + i % 60, 't');
    if (i % 8 == 0) w.places.emplace_back().resize(i % 23);
    if (i % 3 == 0) w.names[i / 2] = "shorter";
  }
}
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

template <class Block>
void stop_everywhere(Block& block, std::size_t at_least) {
  const auto before = copy_of(block.bytes());
  Block expected = block;
  expected.compact();
  for (std::size_t n = 0;; ++n) {
    listener heard{.stop_at = n};
    const auto done = block.try_compact(heard);
    if (done) {
      EXPECT_TRUE(std::ranges::is_sorted(heard.told));
      for (const auto& [made, total] : heard.told) EXPECT_EQ(total, before.size());
      EXPECT_EQ(heard.told.back().first, before.size());
      EXPECT_GE(heard.told.size(), at_least);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(heard.told.size(), n + 1) << "nobody is told any more who has said no";
    ASSERT_EQ(copy_of(block.bytes()), before) << n;
  }
  EXPECT_EQ(copy_of(block.bytes()), copy_of(expected.bytes())) << "told or not, it becomes the same";
}

TEST(live_progress, of_compacting_is_told_and_who_stops_it_has_the_block_that_was) {
  ingot::live<world<ingot::narrow_policy>> block(ingot::ceiling{64 << 20});
  fill(*block);
  stop_everywhere(block, 6);
  block->names.resize(20'000); // it can still grow
  for (auto& name : block->names) name = std::string(200, 'm');
  EXPECT_TRUE(ingot::live<world<ingot::narrow_policy>>::open(block.bytes()));
}

#if SIZE_MAX > 0xFFFF'FFFF
TEST(live_progress, of_wide_blocks_too) {
  ingot::basic_live<world<ingot::wide_policy>, ingot::wide_policy> block(ingot::ceiling{64 << 20});
  fill(*block);
  stop_everywhere(block, 6);
}
#endif

TEST(live_progress, of_a_block_that_can_just_hold_itself) {
  ingot::live<ingot::vector<std::uint64_t>> block(ingot::ceiling{1 << 20});
  const std::size_t room = (block.max_size() - block.size()) / 8 - 4;
  ASSERT_TRUE(block->try_reserve(room));
  for (std::size_t i = 0; i < room; ++i) block->push_back(i);
  stop_everywhere(block, 2);
}

TEST(live_progress, of_small_blocks_is_told_at_the_end) {
  ingot::live<ingot::vector<int>> block;
  block->assign({1, 2, 3});
  stop_everywhere(block, 1);
}

TEST(live_progress, of_blocks_in_memory_of_others_is_told_as_well) {
  using block_type = ingot::live<world<ingot::narrow_policy>>;
  block_type source(ingot::ceiling{64 << 20});
  fill(*source);
  std::vector<std::byte> memory(std::size_t{16} << 20);
  auto made = block_type::in(memory);
  ASSERT_TRUE(made.has_value());
  block_type& block = *made;
  ASSERT_TRUE(block.try_assign(*source));
  const auto before = copy_of(block.bytes());
  listener heard{.stop_at = 3};
  EXPECT_EQ(block.try_compact(heard).error().code(), errc::cancelled);
  EXPECT_EQ(copy_of(block.bytes()), before);
  EXPECT_TRUE(block.try_compact(listener{}));
  source.compact();
  EXPECT_EQ(copy_of(block.bytes()), copy_of(source.bytes()));
}

TEST(live_progress, leaves_the_memory_that_was_not_needed_as_it_was_found) {
  // Slots are zero when they are handed out, whoever had them.
  using layout = ingot::detail::slot_layout<ingot::narrow_policy>;
  ingot::live<world<ingot::narrow_policy>> block(ingot::ceiling{64 << 20});
  fill(*block);
  ASSERT_FALSE(block.try_compact(listener{.stop_at = 2}));
  const auto slot = ingot::detail::slot_pool::acquire(layout::class_for(block.max_size()));
  ASSERT_TRUE(slot);
  const std::size_t front = layout::block_at(std::size_t{1} << slot.size_class);
  EXPECT_TRUE(std::all_of(slot.start, slot.start + front, [](std::byte b) { return b == std::byte{}; }));
  ingot::detail::slot_pool::release(slot);
}

#ifdef __cpp_exceptions
TEST(live_progress, lets_what_is_thrown_through) {
  ingot::live<world<ingot::narrow_policy>> block(ingot::ceiling{64 << 20});
  fill(*block);
  const auto before = copy_of(block.bytes());
  int calls = 0;
  const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
    if (++calls == 3) throw std::runtime_error("enough");
    return true;
  };
  EXPECT_THROW(static_cast<void>(block.try_compact(throws)), std::runtime_error);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(copy_of(block.bytes()), before);
}
#endif

} // namespace live_progress_test
