// SPDX-License-Identifier: Apache-2.0
// The internals of a block: the bytes of its header, the sentinel of empty containers, storages,
// and the reasons of `out_of_space`.
#include <ingot/live/detail/block.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace block_test {

using namespace live_test;
using ingot::live;
using ingot::out_of_space_reason;
using block_ref = ingot::detail::block_ref<ingot::narrow_policy>;
using anchor = ingot::detail::anchor<ingot::narrow_policy>;

struct plain {
  std::uint32_t number = 0x01020304;
  ingot::string name;
  ingot::vector<int> numbers;
};

template <class N>
N at(ingot::bytes_view bytes, std::size_t position) {
  N value{};
  std::memcpy(&value, bytes.data() + position, sizeof value);
  return value;
}

static_assert(ingot::block_policy<ingot::narrow_policy>);
static_assert(sizeof(anchor) == 4 && std::is_trivially_copyable_v<anchor>);

/// Returns the block of a live object, as containers see it.
block_ref block_of(live<plain>& block) { return block_ref(const_cast<std::byte*>(block.bytes().data())); }

TEST(live_block, begins_with_a_header_of_documented_bytes) {
  live<plain> block;
  const auto bytes = block.bytes();
  EXPECT_EQ(std::memcmp(bytes.data(), "ingL", 4), 0);
  EXPECT_EQ(at<std::uint8_t>(bytes, 4), 2);
  const std::uint8_t order = std::endian::native == std::endian::big ? 1 : 0;
  EXPECT_EQ(at<std::uint8_t>(bytes, 5), order | 4); // narrow offsets, an allocator before the block
  EXPECT_EQ(at<std::uint16_t>(bytes, 6), 0);
  EXPECT_EQ(at<std::uint64_t>(bytes, 8), (ingot::detail::layout_id<plain, ingot::narrow_policy>()));
  EXPECT_EQ(at<std::uint64_t>(bytes, 16), ingot::schema_id<plain>);
  EXPECT_EQ(at<std::uint64_t>(bytes, 24), bytes.size());
  EXPECT_EQ(at<std::uint64_t>(bytes, 32), 0U);
  EXPECT_EQ(at<std::uint32_t>(bytes, 48), 0U);  // the sentinel's capacity
  EXPECT_EQ(at<std::uint32_t>(bytes, 52), 48U); // and its distance
  EXPECT_EQ(at<std::uint64_t>(bytes, 56), 0U);
  EXPECT_EQ(at<std::uint32_t>(bytes, 64), 0x01020304U); // the root
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0U);
}

TEST(live_block, empty_containers_point_at_the_sentinel) {
  live<plain> block;
  EXPECT_EQ(reinterpret_cast<const std::byte*>(block->numbers.data()),
            block.bytes().data() + ingot::detail::sentinel_position);
  EXPECT_EQ(block->numbers.capacity(), 0U);
  const block_ref inside = block_of(block);
  EXPECT_EQ(block_ref::capacity_of(inside.sentinel()), 0U);
  EXPECT_TRUE(block_ref::of(inside.sentinel()) == inside);
  inside.release(inside.sentinel()); // the sentinel is no storage
  EXPECT_FALSE(inside.extend(inside.sentinel(), 8));
  expect_opens_again(block);
}

TEST(live_block, storages_know_their_capacity_and_their_block) {
  live<plain> block;
  const block_ref inside = block_of(block);
  for (const std::size_t bytes : {1U, 8U, 9U, 100U, 5000U}) {
    for (const std::size_t alignment : {1U, 4U, 8U, 16U}) {
      std::byte* const data = inside.allocate(bytes, alignment);
      ASSERT_NE(data, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % (alignment < 8 ? 8 : alignment), 0U);
      EXPECT_GE(block_ref::capacity_of(data), bytes);
      EXPECT_EQ(block_ref::capacity_of(data) % 8, 0U);
      EXPECT_TRUE(block_ref::of(data) == inside);
      EXPECT_TRUE(all_zero(data, block_ref::capacity_of(data)));
      std::memset(data, 0xFF, block_ref::capacity_of(data));
      inside.release(data);
      EXPECT_EQ(block.stats().used - block.stats().free_bytes, ingot::detail::first_storage<plain>);
    }
  }
  block.trim();
  EXPECT_EQ(stale_bytes(block), 0U);
}

TEST(live_block, sizes_that_would_wrap_do_not_fit) {
  live<plain> block;
  const block_ref inside = block_of(block);
  constexpr auto max = static_cast<std::size_t>(-1);
  std::byte* const data = inside.allocate(16, 8);
  for (const std::size_t bytes :
       {max, max - 7, max - 8, max - 15, std::size_t{0xFFFF'FFFFU}, std::size_t{0xFFFF'FFF8U},
        std::size_t{0x8000'0000U}, std::size_t{0x7FFF'FFFFU}, std::size_t{0x7FFF'FF00U}}) {
    EXPECT_EQ(inside.allocate(bytes, 8), nullptr);
    EXPECT_EQ(inside.allocate(bytes, 16), nullptr);
    EXPECT_FALSE(inside.extend(data, bytes));
  }
  EXPECT_EQ(block_ref::capacity_of(data), 16U);
}

TEST(live_block, the_last_storage_grows_where_it_is) {
  live<plain> block;
  const block_ref inside = block_of(block);
  std::byte* const data = inside.allocate(16, 8);
  std::memset(data, 0xFF, 16);
  EXPECT_TRUE(inside.extend(data, 1000));
  EXPECT_GE(block_ref::capacity_of(data), 1000U);
  EXPECT_TRUE(all_zero(data + 16, 984));
  static_cast<void>(inside.allocate(16, 8));
  EXPECT_FALSE(inside.extend(data, 2000));
}

TEST(live_block, in_bytes_without_an_allocator_storages_are_only_freed) {
  live<plain> block;
  block->name.assign("a name that has a storage");
  alignas(16) std::array<std::byte, 512> memory{};
  const std::size_t size = block.size();
  std::memcpy(memory.data(), block.bytes().data(), size);
  auto opened = live<plain>::open_in_place(std::span(memory).first(size)).value();
  const block_ref inside(memory.data());
  EXPECT_FALSE(inside.attached());
  EXPECT_EQ(inside.allocate(8, 8), nullptr);
  EXPECT_FALSE(inside.extend(inside.sentinel(), 8));
  opened->name.erase(5);
  opened->name.shrink_to_fit();
  EXPECT_EQ(opened->name, "a nam");
  EXPECT_TRUE(all_zero(memory.data() + ingot::detail::first_storage<plain>,
                       size - ingot::detail::first_storage<plain>));
}

TEST(live_block, an_anchor_has_the_reason_for_no_space) {
  const anchor nowhere;
  EXPECT_FALSE(nowhere.bound());
  EXPECT_EQ(nowhere.capacity(), 0U);
  EXPECT_EQ(nowhere.failure(), out_of_space_reason::outside_block);
  for (const auto why :
       {out_of_space_reason::full, out_of_space_reason::offset_range, out_of_space_reason::in_place,
        out_of_space_reason::outside_block, out_of_space_reason::no_memory}) {
    const ingot::out_of_space thrown(why);
    EXPECT_EQ(thrown.why(), why);
    EXPECT_TRUE(std::string_view(thrown.what()).starts_with("ingot: "));
    const std::bad_alloc& general = thrown;
    EXPECT_EQ(static_cast<const void*>(general.what()), static_cast<const void*>(thrown.what()));
  }
  EXPECT_NE(
      std::string_view(ingot::out_of_space(out_of_space_reason::offset_range).what()).find("ingot::wide"),
      std::string_view::npos);
}

TEST(live_block, shifted_anchors_lead_where_they_led) {
  std::array<std::byte, 64> memory{};
  std::array<anchor, 4> anchors;
  anchors[0].point_at(memory.data() + 8);
  EXPECT_EQ(anchors[0].data(), memory.data() + 8);
  anchors[3] = anchors[0];
  anchors[3].shift(reinterpret_cast<std::byte*>(&anchors[0]) - reinterpret_cast<std::byte*>(&anchors[3]));
  EXPECT_EQ(anchors[3].data(), memory.data() + 8);
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(live_block, of_wide_offsets_says_so_in_its_header) {
  struct wide_plain {
    ingot::wide::string name;
    ingot::wide::vector<int> numbers;
  };
  ingot::wide::live<wide_plain> block;
  const auto bytes = block.bytes();
  EXPECT_EQ(at<std::uint8_t>(bytes, 5) & 2, 2);
  EXPECT_EQ(at<std::uint64_t>(bytes, 40), 0U);
  EXPECT_EQ(at<std::uint64_t>(bytes, 48), 40U);
  block->name.assign("a text that doesn't fit in twenty-three characters");
  for (int i = 0; i < 1000; ++i) block->numbers.push_back(i);
  expect_accounted(block);
  expect_opens_again(block);
}
#endif

} // namespace block_test
