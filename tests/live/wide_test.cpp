// SPDX-License-Identifier: Apache-2.0
// Blocks of more than 4 GiB: offsets of 64 bits reach across them. Memory that is never written is
// not allocated, so the block is sparse.
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace wide_test {

struct archive {
  ingot::wide::string name;
  ingot::wide::vector<std::byte> raw;
  ingot::wide::vector<ingot::wide::string> pages;
  ingot::wide::map<std::uint64_t, ingot::wide::string> index;
};
using block = ingot::wide::live<archive>;

constexpr std::uint64_t four_gib = std::uint64_t{1} << 32;
constexpr std::uint64_t five_gib = std::uint64_t{5} << 30;

TEST(live_wide, a_block_beyond_4_GiB_is_written_read_and_validated) {
  if constexpr (sizeof(std::size_t) < 8) GTEST_SKIP() << "there are no such addresses";
  else {
    block created(ingot::max_block_size{static_cast<std::size_t>(five_gib)});
    if (created.max_size() < four_gib) GTEST_SKIP() << "the system sets no such range of addresses aside";
    created->name = "a name that is longer than what fits in place";
    created->raw.reserve(static_cast<std::size_t>(four_gib) + 4096); // never written or allocated
    created->pages.emplace_back("beyond four gibibytes, and as long as it takes");
    created->index.try_emplace(std::uint64_t{7}, "seven, which is beyond them as well");
    ASSERT_GT(created.size(), four_gib);
    const auto distance =
        reinterpret_cast<const char*>(created->pages[0].data()) - reinterpret_cast<const char*>(&*created);
    EXPECT_GT(distance, static_cast<std::ptrdiff_t>(four_gib));

    // Grows and shrinks beyond 4 GiB.
    for (int i = 0; i < 1000; ++i)
      created->pages.emplace_back(std::to_string(i) + " is a page of some length");
    created->pages.erase(created->pages.begin() + 1, created->pages.end());
    created->index.at(7) += ", and grew";

    const auto seen = ingot::wide::live_view<archive>::open(created.bytes());
    ASSERT_TRUE(seen.has_value()) << seen.error().message();
    EXPECT_EQ((*seen)->pages[0], "beyond four gibibytes, and as long as it takes");
    EXPECT_EQ((*seen)->index.at(7), "seven, which is beyond them as well, and grew");

    // An offset from one end of the block to the other is distinguished from one that leads
    // outside.
    std::uint64_t offset = 0;
    auto* const anchor = reinterpret_cast<std::byte*>(&created->pages);
    std::memcpy(&offset, anchor, sizeof offset);
    EXPECT_GT(offset, four_gib);
    const std::uint64_t lies[]{offset + four_gib, offset - four_gib, ~offset, offset << 1};
    for (const std::uint64_t lie : lies) {
      std::memcpy(anchor, &lie, sizeof lie);
      EXPECT_FALSE(ingot::wide::live_view<archive>::open(created.bytes()).has_value()) << lie;
    }
    std::memcpy(anchor, &offset, sizeof offset);

    EXPECT_GT(created.compact(), four_gib);
    EXPECT_LT(created.size(), 2000U);
    EXPECT_EQ(created->pages[0], "beyond four gibibytes, and as long as it takes");
  }
}

} // namespace wide_test
