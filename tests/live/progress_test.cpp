// SPDX-License-Identifier: Apache-2.0
// Compacting, opening or copying a large block reports progress in order and to the end, and each
// report can cancel the operation. After a cancellation a block is unchanged, and nothing is left
// of a new one.
#include <ingot/core/progress.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/whole_slot.hpp"
#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
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
  ingot::basic_vector<ingot::basic_vector<aligned, P>, P> points;
};
/// Fills a block with some megabytes, with free runs in between.
template <class P>
void fill(world<P>& w) {
  for (std::uint32_t i = 0; i < 12'000; ++i) {
    w.names.push_back("a name that has a storage of its own, and sometimes a long one" +
                      std::string(i % 97, 'n'));
    w.by_number[i * 7919] = i;
    w.in_order[i * 31 % 5'000] = std::string(40 + i % 60, 't');
    if (i % 8 == 0) w.points.emplace_back().resize(i % 23);
    if (i % 3 == 0) w.names[i / 2] = "shorter";
  }
}
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

template <class Block>
void stop_everywhere(Block& block, std::size_t min_calls) {
  const auto before = copy_of(block.bytes());
  Block expected = block;
  expected.compact();
  ingot_test::throw_everywhere([&](ingot::progress_ref progress) { return block.try_compact(progress); });
  ASSERT_EQ(copy_of(block.bytes()), before);
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    const auto done = block.try_compact(reported);
    if (done) {
      EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
      for (const auto& [bytes, total] : reported.calls) EXPECT_EQ(total, before.size());
      EXPECT_EQ(reported.calls.back().first, before.size());
      EXPECT_GE(reported.calls.size(), min_calls);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
    ASSERT_EQ(copy_of(block.bytes()), before) << n;
  }
  EXPECT_EQ(copy_of(block.bytes()), copy_of(expected.bytes()))
      << "with and without progress the result is the same";
}

struct plain_world {
  std::vector<std::string> names;
  std::unordered_map<std::uint64_t, double> by_number;
  std::map<std::uint64_t, std::string> in_order;
  std::vector<std::vector<aligned>> points;
};

TEST(live_progress, of_assigning_what_the_program_has_is_reported_and_stopped_leaves_the_old_block) {
  plain_world from;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    from.names.push_back(std::string(i % 100, 'n'));
    from.by_number.emplace(i * 7919, 0.5);
    from.in_order.emplace(i * 31 % 20'000, std::string(i % 50, 'o'));
    from.points.emplace_back(i % 3);
  }
  ingot::live<world<ingot::narrow_policy>> block(ingot::max_block_size{64 << 20});
  block->names.emplace_back("what was there");
  const std::vector<std::byte> before(block.bytes().begin(), block.bytes().end());
  ingot::live<world<ingot::narrow_policy>> expected(ingot::max_block_size{64 << 20});
  ASSERT_TRUE(expected.try_assign(from));
  std::size_t unknown = 0;
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        auto done = block.try_rebuild(from, progress);
        EXPECT_TRUE(std::ranges::equal(block.bytes(), done ? expected.bytes() : ingot::bytes_view(before)));
        return done;
      },
      [&](const listener& reported, bool is_done) {
        if (!is_done) return;
        EXPECT_EQ(reported.calls.back().first, expected.bytes().size());
        EXPECT_EQ(reported.calls.back().second, expected.bytes().size());
        unknown = reported.calls.size() - 1;
        for (std::size_t i = 0; i < unknown; ++i)
          EXPECT_EQ(reported.calls[i].second, ingot::progress_ref::unknown);
      },
      {.is_placed = false});
  EXPECT_GE(unknown, expected.bytes().size() / (std::size_t{512} << 10) + 20'000 / 4096);
  block->names.emplace_back(std::string(1 << 20, 'm')); // it can still grow
  EXPECT_TRUE(block == block);

  // A table allocates its memory first.
  std::unordered_map<std::uint64_t, double> numbers;
  for (std::uint64_t i = 0; i < 100'000; ++i) numbers.emplace(i * 7919, 0.5);
  ingot::live<ingot::hash_map<std::uint64_t, double>> table(ingot::max_block_size{64 << 20});
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    const auto done = table.try_rebuild(numbers, reported);
    EXPECT_EQ(table->size(), done ? 100'000U : 0U);
    if (done) {
      EXPECT_GE(reported.calls.size(), 100'000U / 4096);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
  }

  ingot::live<world<ingot::narrow_policy>> small;
  EXPECT_EQ(small.try_rebuild(from).error().code(), errc::no_memory);
}

TEST(live_progress, of_compacting_is_reported_and_stopped_leaves_the_old_block) {
  ingot::live<world<ingot::narrow_policy>> block(ingot::max_block_size{64 << 20});
  fill(*block);
  stop_everywhere(block, 6);
  block->names.resize(20'000); // it can still grow
  for (auto& name : block->names) name = std::string(200, 'm');
  EXPECT_TRUE(ingot::live<world<ingot::narrow_policy>>::open(block.bytes()));
}

#if SIZE_MAX > 0xFFFF'FFFF
TEST(live_progress, of_wide_blocks_too) {
  ingot::basic_live<world<ingot::wide_policy>, ingot::wide_policy> block(ingot::max_block_size{64 << 20});
  fill(*block);
  stop_everywhere(block, 6);
}
#endif

TEST(live_progress, of_a_block_that_can_just_hold_itself) {
  ingot::live<ingot::vector<std::uint64_t>> block(ingot::max_block_size{1 << 20});
  const std::size_t count = (block.max_size() - block.size()) / 8 - 4;
  ASSERT_TRUE(block->try_reserve(count));
  for (std::size_t i = 0; i < count; ++i) block->push_back(i);
  stop_everywhere(block, 2);
}

TEST(live_progress, of_small_blocks_is_reported_at_the_end) {
  ingot::live<ingot::vector<int>> block;
  block->assign({1, 2, 3});
  stop_everywhere(block, 1);
}

TEST(live_progress, user_provided_memory_reports_progress) {
  using block_type = ingot::live<world<ingot::narrow_policy>>;
  block_type source(ingot::max_block_size{64 << 20});
  fill(*source);
  std::vector<std::byte> memory(std::size_t{16} << 20);
  auto created = block_type::in(memory);
  ASSERT_TRUE(created.has_value());
  block_type& block = *created;
  ASSERT_TRUE(block.try_assign(*source));
  const auto before = copy_of(block.bytes());
  listener reported{.stop_at = 3};
  EXPECT_EQ(block.try_compact(reported).error().code(), errc::cancelled);
  EXPECT_EQ(copy_of(block.bytes()), before);
  EXPECT_TRUE(block.try_compact(listener{}));
  source.compact();
  EXPECT_EQ(copy_of(block.bytes()), copy_of(source.bytes()));
}

TEST(live_progress, leaves_the_memory_that_was_not_needed_as_it_was_found) {
  // Slots are zero when they are handed out, whatever they held before.
  using layout = ingot::detail::slot_layout<ingot::narrow_policy>;
  ingot::live<world<ingot::narrow_policy>> block(ingot::max_block_size{64 << 20});
  fill(*block);
  ASSERT_FALSE(block.try_compact(listener{.stop_at = 2}));
  const auto slot =
      live_test::with_memory(ingot::detail::slot_pool::acquire(layout::class_for(block.max_size())));
  ASSERT_TRUE(slot);
  const std::size_t front = layout::block_at(std::size_t{1} << slot.size_class);
  EXPECT_TRUE(std::all_of(slot.start, slot.start + front, [](std::byte b) { return b == std::byte{}; }));
  ingot::detail::slot_pool::release(slot);
}

/// Opens or copies repeatedly, cancelled a little later each time, until it completes. Returns the
/// result.
template <class Call>
auto stop_making(std::uint64_t total, std::size_t min_calls, const Call& call) {
  ingot_test::throw_everywhere(call);
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    auto outcome = call(ingot::progress_ref(reported));
    if (outcome) {
      EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
      for (const auto& [done, all] : reported.calls) EXPECT_EQ(all, total);
      EXPECT_EQ(reported.calls.back().first, total);
      EXPECT_EQ(std::ranges::count(reported.calls, std::pair(total, total)), 1)
          << "the total is reported once";
      EXPECT_GE(reported.calls.size(), min_calls);
      return std::move(*outcome);
    }
    EXPECT_EQ(outcome.error().code(), errc::cancelled) << outcome.error().message();
    EXPECT_EQ(outcome.error().offset(), reported.calls.back().first);
    EXPECT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
  }
}
template <class P>
void open_everywhere(bool canonical) {
  using block_type = ingot::basic_live<world<P>, P>;
  const ingot::max_block_size max_size{64 << 20};
  block_type block(max_size);
  fill(*block);
  if (canonical) block.compact();
  const std::vector<std::byte> bytes = copy_of(block.bytes());
  // A report waits for the end of a storage, so there may be a few reports less.
  const std::size_t steps = bytes.size() / (std::size_t{256} << 10) * 4 / 5;
  ASSERT_GE(steps, 6U);
  const auto silent = block_type::open(bytes, {.max_size = max_size});
  ASSERT_TRUE(silent.has_value());
  const block_type copied = block;
  const auto expect_block = [&](block_type opened, const block_type& as) {
    EXPECT_EQ(copy_of(opened.bytes()), copy_of(as.bytes()));
    EXPECT_EQ(opened.stats().free_bytes, as.stats().free_bytes) << "what is free is known as well";
    opened->names.resize(20'000); // it can grow
    for (auto& name : opened->names) name = std::string(200, 'm');
    EXPECT_TRUE(block_type::open(opened.bytes()));
  };
  expect_block(stop_making(2 * bytes.size(), 2 * steps,
                           [&](ingot::progress_ref progress) {
                             return block_type::open(bytes, {.max_size = max_size, .progress = progress});
                           }),
               *silent);
  expect_block(stop_making(bytes.size(), steps,
                           [&](ingot::progress_ref progress) {
                             auto to = block_type::receive_buffer(bytes.size(), max_size);
                             std::ranges::copy(bytes, to.data());
                             return block_type::open(std::move(to), progress);
                           }),
               *silent);
  expect_block(stop_making(bytes.size(), steps,
                           [&](ingot::progress_ref progress) {
                             return block.try_copy({.max_size = max_size, .progress = progress});
                           }),
               copied);
  expect_block(block.try_copy({.max_size = max_size}).value(), copied);
  std::vector<aligned> lent(bytes.size() / sizeof(aligned) + 1);
  const std::span<std::byte> target = std::as_writable_bytes(std::span(lent)).first(bytes.size());
  std::ranges::copy(bytes, target.begin());
  EXPECT_TRUE((stop_making(bytes.size(), steps, [&](ingot::progress_ref progress) {
                 return ingot::basic_live_view<world<P>, P>::open(target, progress);
               })->names == block->names));
  EXPECT_TRUE(stop_making(bytes.size(), steps, [&](ingot::progress_ref progress) {
                return block_type::open_in_place(target, progress);
              }) == block);
}

TEST(live_progress, of_opening_and_copying_is_reported_and_stopped_returns_nothing) {
  for (const bool canonical : {false, true}) open_everywhere<ingot::narrow_policy>(canonical);
#if SIZE_MAX > 0xFFFF'FFFF
  open_everywhere<ingot::wide_policy>(false);
#endif
}

TEST(live_progress, of_opening_what_is_no_block_has_the_same_error_without_progress) {
  using block_type = ingot::live<world<ingot::narrow_policy>>;
  const ingot::max_block_size max_size{64 << 20};
  block_type block(max_size);
  fill(*block);
  const std::vector<std::byte> good = copy_of(block.bytes());
  int rejected = 0;
  for (std::size_t at = 0; at < good.size(); at += at < 200 ? 8 : good.size() / 13) {
    auto bytes = good;
    bytes[at] ^= std::byte{0x41};
    const auto silent = block_type::open(bytes, {.max_size = max_size});
    listener reported;
    const auto with_progress = block_type::open(bytes, {.max_size = max_size, .progress = reported});
    ASSERT_EQ(silent.has_value(), with_progress.has_value()) << at;
    if (silent) continue;
    ++rejected;
    EXPECT_EQ(with_progress.error().message(), silent.error().message()) << at;
    for (const auto& [done, total] : reported.calls) EXPECT_LT(done, total);
  }
  EXPECT_GE(rejected, 15);
  auto longer = good;
  longer.resize(good.size() + 8);
  EXPECT_EQ(block_type::open(longer, {.max_size = max_size, .progress = listener{}}).error().code(),
            errc::trailing_bytes);
}

/// Slots are zero when they are handed out, whatever they held before, also slots in which a block
/// was being opened.
template <class Block, class Call>
void expect_slot_left_clean(std::size_t max_block_size, const Call& call) {
  using layout = ingot::detail::slot_layout<ingot::narrow_policy>;
  call();
  const auto slot =
      live_test::with_memory(ingot::detail::slot_pool::acquire(layout::class_for(max_block_size)));
  ASSERT_TRUE(slot);
  const std::size_t size = std::size_t{1} << slot.size_class;
  EXPECT_TRUE(std::all_of(slot.start, slot.start + size, [](std::byte b) { return b == std::byte{}; }));
  ingot::detail::slot_pool::release(slot);
}

TEST(live_progress, of_what_was_stopped_leaves_memory_as_it_was_found) {
  using block_type = ingot::live<world<ingot::narrow_policy>>;
  const ingot::max_block_size max_size{16 << 20};
  block_type block(ingot::max_block_size{64 << 20});
  fill(*block);
  const auto bytes = copy_of(block.bytes());
  const std::size_t steps = bytes.size() / (std::size_t{256} << 10);
  for (const std::size_t at : {std::size_t{0}, steps / 2, steps + 2, 2 * steps - 1}) {
    expect_slot_left_clean<block_type>(max_size.bytes, [&] {
      EXPECT_EQ(
          block_type::open(bytes, {.max_size = max_size, .progress = listener{.stop_at = at}}).error().code(),
          errc::cancelled);
    });
#ifdef __cpp_exceptions
    expect_slot_left_clean<block_type>(max_size.bytes, [&] {
      std::size_t calls = 0;
      const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
        if (calls++ == at) throw std::runtime_error("enough");
        return true;
      };
      EXPECT_THROW(static_cast<void>(block_type::open(bytes, {.max_size = max_size, .progress = throws})),
                   std::runtime_error);
    });
#endif
  }
  expect_slot_left_clean<block_type>(max_size.bytes, [&] {
    EXPECT_EQ(block.try_copy({.max_size = max_size, .progress = listener{.stop_at = 2}}).error().code(),
              errc::cancelled);
  });
}

#ifdef __cpp_exceptions
TEST(live_progress, lets_what_is_thrown_through) {
  ingot::live<world<ingot::narrow_policy>> block(ingot::max_block_size{64 << 20});
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
