// SPDX-License-Identifier: Apache-2.0
// Blocks on a system whose addresses get memory only on request, as on Windows: how much they
// request, when they give it back, and what happens if there is none (simulated_pages.hpp).
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace committed_memory_test {

using ingot::document;
using ingot::live;
using ingot::max_block_size;
using ingot::detail::system::page_size;
using ingot::detail::system::simulated;

struct numbers {
  ingot::vector<std::uint64_t> all;
  ingot::string name;
};
struct words {
  ingot::vector<ingot::string> all;
};
struct wide_root {
  std::array<std::uint64_t, 40'000> cells;
  ingot::vector<std::uint64_t> all;
};
struct carried {
  std::uint64_t id;
  std::uint32_t count;
};
struct character {
  ingot::string name;
  ingot::map<std::uint64_t, carried> items;
  ingot::hash_map<std::uint32_t, float> attributes;
  ingot::vector<std::array<float, 3>> path;
};
void fill(character& c, std::uint64_t seed) {
  c.name = "a name of some length";
  for (std::uint64_t i = 0; i < 64; ++i) c.items[seed * 31 + i * 7] = {i, 1};
  for (std::uint32_t i = 0; i < 16; ++i) c.attributes[i] = 0.5F;
  for (std::uint64_t i = 0; i < 16 + seed % 64; ++i) c.path.push_back({1, 2, 3});
}

[[nodiscard]] std::size_t pages() { return simulated().pages.size(); }
[[nodiscard]] std::size_t bytes() { return pages() * page_size; }
/// Bytes of the pages that the machine has given memory at their first use.
[[nodiscard]] std::size_t touched_bytes() {
  std::size_t sum = 0;
  const auto machine_page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const std::uintptr_t page : simulated().pages) {
    bool touched = false;
    for (std::size_t at = 0; at < page_size; at += machine_page) {
      unsigned char state = 0;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the set has addresses
      touched |= ::mincore(reinterpret_cast<void*>(page + at), machine_page, &state) == 0 && (state & 1) != 0;
    }
    if (touched) sum += page_size;
  }
  return sum;
}

/// Requests fail from the `which`-th from now on, or only that one.
class failing_requests {
public:
  failing_requests(std::size_t which, bool afterwards) {
    reached = false;
    simulated().failing_request = simulated().requests + which;
    simulated().fails_afterwards = afterwards;
  }
  failing_requests(const failing_requests&) = delete;
  failing_requests& operator=(const failing_requests&) = delete;
  ~failing_requests() { end(); }
  [[nodiscard]] static bool were_reached() {
    return reached || simulated().requests > simulated().failing_request;
  }
  /// There is memory again.
  static void end() {
    reached |= simulated().requests > simulated().failing_request;
    simulated().failing_request = static_cast<std::size_t>(-1);
    simulated().fails_afterwards = false;
  }

private:
  static inline bool reached = false;
};

/// Expects that all bytes with memory in idle slots are zero. Takes slots to look at these bytes.
void expect_clean_slots() {
  using ingot::detail::slot_pool;
  for (const unsigned size_class : {16U, 20U, 21U, 22U}) {
    std::vector<ingot::detail::raw_slot> taken;
    for (int i = 0; i < 12; ++i) {
      taken.push_back(slot_pool::acquire(size_class));
      ASSERT_TRUE(static_cast<bool>(taken.back()));
      const auto first = reinterpret_cast<std::uintptr_t>(taken.back().start);
      const std::set<std::uintptr_t>& all = simulated().pages;
      for (auto page = all.lower_bound(first);
           page != all.end() && *page < first + (std::size_t{1} << size_class); ++page) {
        const auto* const at = taken.back().start + (*page - first);
        ASSERT_TRUE(std::all_of(at, at + page_size, [](std::byte b) { return b == std::byte{}; }));
      }
    }
    for (const auto& slot : taken) slot_pool::release(slot);
  }
}

/// Runs `work` with each of its requests failing, alone and with all later requests. `work` returns
/// true if it succeeded.
template <class Work>
void fail_each_request(Work&& work) {
  for (const bool afterwards : {false, true}) {
    std::size_t failures = 0;
    for (std::size_t which = 0;; ++which) {
      ASSERT_LT(which, 20'000U);
      bool reached = false;
      {
        const failing_requests fail(which, afterwards);
        bool done = false;
#if INGOT_EXCEPTIONS
        try {
          done = work();
        } catch (const ingot::out_of_space& e) {
          EXPECT_EQ(e.why(), ingot::out_of_space_reason::no_memory) << which;
        }
#else
        done = work();
#endif
        reached = failing_requests::were_reached();
        failures += !done;
        // If one request fails, the allocator makes a smaller one.
        if (!reached && !done) ADD_FAILURE() << which;
      }
      if (testing::Test::HasFailure() || !reached) break;
      if (which % 8 == 0) expect_clean_slots();
    }
    expect_clean_slots();
    if (afterwards) {
      EXPECT_GT(failures, 0U);
    }
  }
}

TEST(committed_memory, a_small_block_has_one_page) {
  std::vector<live<numbers>> blocks;
  blocks.reserve(1000);
  for (int i = 0; i < 100; ++i) blocks.emplace_back(); // slots that other tests have used
  const std::size_t before = pages();
  for (int i = 0; i < 900; ++i) {
    blocks.emplace_back();
    blocks.back()->name = "a name of some length";
  }
  EXPECT_LE(pages() - before, 900U);
  EXPECT_GE(pages() - before, 900U - 100U);
}

TEST(committed_memory, a_maximum_size_requests_nothing) {
  const std::size_t before = bytes();
  live<numbers> block(max_block_size{std::size_t{1} << 30});
  document text(max_block_size{std::size_t{1} << 30});
  EXPECT_LE(bytes() - before, 2 * page_size);
  EXPECT_GT(block.max_size(), (std::size_t{1} << 30) - 1);
}

TEST(committed_memory, a_growing_block_requests_a_little_more_than_it_uses) {
  const std::size_t before = bytes();
  const std::size_t requests = simulated().requests;
  live<numbers> block(max_block_size{std::size_t{256} << 20});
  for (std::uint64_t i = 0; i < 3'000'000; ++i) block->all.push_back(i);
  const std::size_t used = block.size();
  EXPECT_LE(bytes() - before, (used + used / 16) / 64 * 65 + 8 * page_size);
  EXPECT_LT(simulated().requests - requests, 600U);
}

TEST(committed_memory, of_many_characters_is_what_they_touch) {
  const std::size_t before = bytes();
  const std::size_t touched = touched_bytes();
  std::vector<live<character>> all;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    all.emplace_back(max_block_size{std::size_t{6} << 20}); // slots that no other test has used
    fill(*all.back(), i);
  }
  const std::size_t requested = bytes() - before;
  EXPECT_LE(static_cast<double>(requested), 1.1 * static_cast<double>(touched_bytes() - touched));
}

TEST(committed_memory, goes_back_when_a_block_ends) {
  constexpr std::size_t large = std::size_t{16} << 20;
  {
    const live<numbers> slot(max_block_size{2 * large});
  }
  const std::size_t before = bytes();
  {
    live<numbers> block(max_block_size{2 * large});
    block->all.resize(large / 8);
    EXPECT_GT(bytes(), before + large / 2);
  }
  EXPECT_LE(bytes(), before + 2 * page_size);
  expect_clean_slots();
}

TEST(committed_memory, goes_back_when_a_block_is_trimmed) {
  constexpr std::size_t large = std::size_t{8} << 20;
  const std::size_t before = bytes();
  live<numbers> block(max_block_size{2 * large});
  for (int round = 0; round < 3; ++round) {
    block->all.resize(large / 8, 7);
    EXPECT_EQ(block->all.back(), 7U);
    block->all.clear();
    block->all.shrink_to_fit();
    block.trim();
    EXPECT_LE(bytes(), before + 2 * page_size);
  }
  document text(max_block_size{2 * large});
  text["long"] = std::string(large, 'x');
  text["long"] = 1;
  static_cast<void>(text.try_compact());
  text.trim();
  EXPECT_LE(bytes(), before + 6 * page_size + (std::size_t{128} << 10));
}

TEST(committed_memory, idle_slots_keep_the_first_pages_only) {
  const std::size_t before = bytes();
  std::vector<std::size_t> counts;
  for (int round = 0; round < 3; ++round) {
    {
      std::vector<live<numbers>> blocks(50);
      for (auto& block : blocks) block->all.resize(50'000);
    }
    counts.push_back(bytes());
  }
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
  EXPECT_LE(counts[0] - before, 50 * ((std::size_t{64} << 10) + 3 * page_size));
}

TEST(committed_memory, that_cannot_be_given_back_is_zero_for_the_next_block) {
  simulated().keeps_memory = true;
  for (int round = 0; round < 3; ++round) {
    live<numbers> block(max_block_size{std::size_t{4} << 20});
    block->all.resize(300'000, 0x7777'7777'7777'7777U);
    block->all.clear();
    block->all.shrink_to_fit();
    block.trim();
    block->all.resize(200'000);
    EXPECT_EQ(std::ranges::count(block->all, 0U), 200'000);
  }
  simulated().keeps_memory = false;
  expect_clean_slots();
}

TEST(committed_memory, that_fails_leaves_the_block_as_it_was) {
  fail_each_request([] {
    std::optional<live<numbers>> block(std::in_place, max_block_size{std::size_t{4} << 20});
    std::uint64_t count = 0;
    const auto grow = [&] {
      for (; count < 30'000; ++count) (*block)->all.push_back(count);
    };
#if INGOT_EXCEPTIONS
    try {
      grow();
    } catch (const ingot::out_of_space&) {
      EXPECT_EQ((*block)->all.size(), count);
      for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ((*block)->all[i], i);
      failing_requests::end();
      (*block)->all.push_back(count); // there is memory again
      const auto opened = live<numbers>::open(block->bytes());
      EXPECT_TRUE(opened && *opened == *block);
      throw;
    }
#else
    grow();
#endif
    return true;
  });
}

TEST(committed_memory, that_fails_is_an_error_of_every_way_to_open) {
  live<numbers> block(max_block_size{std::size_t{4} << 20});
  block->all.resize(40'000, 9);
  const std::vector<std::byte> message(block.bytes().begin(), block.bytes().end());
  fail_each_request([&] {
    const auto opened = live<numbers>::open(message);
    if (!opened) {
      EXPECT_EQ(opened.error().code(), ingot::errc::no_memory);
      return false;
    }
    return *opened == block;
  });
  fail_each_request([&] { return live<numbers>::open_unchecked(message).has_value(); });
  fail_each_request([&] {
    auto space = live<numbers>::receive_buffer(message.size());
    if (!space) return false;
    std::ranges::copy(message, space.data());
    return live<numbers>::open(std::move(space)).has_value();
  });
  fail_each_request([&] { return live<numbers>(block) == block; });
  fail_each_request([&] { return block.try_copy({}).has_value(); });
  fail_each_request([&] {
    block->all.resize(block->all.size() - 1);
    return block.try_compact().has_value();
  });
}

TEST(committed_memory, that_is_reserved_is_there) {
  fail_each_request([] {
    live<numbers> block(max_block_size{std::size_t{2} << 20});
    block.reserve(1'000'000);
    failing_requests none(0, true); // nothing more is requested
    block->all.resize(100'000);
    return true;
  });
  fail_each_request([] {
    live<numbers> block(max_block_size{60'000});
    EXPECT_TRUE(block.reserve(1'000'000)); // in a larger slot
    failing_requests none(0, true);
    block->all.resize(100'000);
    return true;
  });
}

TEST(committed_memory, that_is_missing_moves_no_block) {
  {
    const live<numbers> idle(max_block_size{1'000'500});
  } // its slot has a page with memory
  live<numbers> block(max_block_size{std::size_t{2} << 20});
  block->all.push_back(7);
  const numbers* const before = &*block;
  const std::size_t max_size = block.max_size();
  {
    failing_requests all(0, true);
    EXPECT_THROW(block.reserve(1'000'000), ingot::out_of_space);
  }
  EXPECT_EQ(&*block, before);
  EXPECT_EQ(block.max_size(), max_size);
  EXPECT_EQ(block->all[0], 7);
  EXPECT_FALSE(block.reserve(1'000'000)); // there is memory again
  live<numbers> small(max_block_size{60'000});
  const numbers* const here = &*small;
  {
    failing_requests all(0, true);
    EXPECT_THROW(small.reserve(1'000'000), ingot::out_of_space); // the free slot has one page
  }
  EXPECT_EQ(&*small, here);
}

TEST(committed_memory, that_is_missing_gives_no_smaller_block) {
  {
    const live<numbers> idle(max_block_size{std::size_t{70} << 20});
  } // its slot would be free
  // No other test has a block of this size, so no free slot of this size has memory.
  failing_requests all(0, true);
  EXPECT_THROW(live<numbers>(max_block_size{std::size_t{140} << 20}), ingot::out_of_space);
}

TEST(committed_memory, of_a_large_root_is_there_at_once) {
  fail_each_request([] {
    live<wide_root> block;
    block->cells.back() = 3;
    block->all.push_back(1);
    return true;
  });
}

TEST(committed_memory, of_documents_fails_and_comes_again) {
  document whole(max_block_size{std::size_t{4} << 20});
  for (int i = 0; i < 3'000; ++i)
    whole[std::to_string(i)] = std::string(static_cast<std::size_t>(i % 90), 'v');
  const std::vector<std::byte> message(whole.bytes().begin(), whole.bytes().end());
  fail_each_request([&] {
    document text(max_block_size{std::size_t{4} << 20});
    for (int i = 0; i < 1'500; ++i)
      text[std::to_string(i)] = std::string(static_cast<std::size_t>(i % 90), 'v');
    return true;
  });
  fail_each_request([&] {
    const auto opened = document::open(message);
    if (!opened) {
      EXPECT_EQ(opened.error().code(), ingot::errc::no_memory);
      return false;
    }
    return *opened == whole;
  });
  fail_each_request([&] { return document::open_unchecked(message).has_value(); });
  fail_each_request([&] { return whole.try_copy({}).has_value(); });
  fail_each_request([&] {
    auto space = document::receive_buffer(message.size(), {});
    if (!space) return false;
    std::ranges::copy(message, space.data());
    return document::open(std::move(space)).has_value();
  });
  document newer = whole;
  auto base = ingot::document_snapshot::of(newer);
  newer["another"] = 1;
  const auto patch = base.value().changes(newer);
  ASSERT_TRUE(patch.has_value());
  document target = whole;
  fail_each_request([&] {
    document older(target);
    const auto applied = older.apply(*patch);
    EXPECT_EQ(older, applied ? newer : whole);
    return applied.has_value();
  });
}

TEST(committed_memory, is_requested_while_progress_is_reported) {
  live<words> block(max_block_size{std::size_t{16} << 20});
  for (int i = 0; i < 20'000; ++i) block->all.emplace_back(std::string(100, 'w'));
  std::uint64_t reports = 0;
  const auto count = [&](std::uint64_t, std::uint64_t) {
    ++reports;
    return true;
  };
  ASSERT_TRUE(block.try_compact(count).has_value());
  EXPECT_GT(reports, 4U);
  fail_each_request([&] {
    reports = 0;
    const auto done = block.try_compact(count);
    if (!done) {
      EXPECT_EQ(done.error().code(), ingot::errc::no_memory);
      return false;
    }
    EXPECT_GE(reports, 1U); // at the end, if there was no memory for more
    return block->all.size() == 20'000;
  });
}

} // namespace committed_memory_test
