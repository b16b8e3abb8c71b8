// SPDX-License-Identifier: Apache-2.0
// A block as its owner sees it: created, copied, moved, grown to its maximum size, compacted,
// opened from anywhere, rejected with a reason. live_span_test.cpp tests blocks in memory of
// others.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/dice.hpp"
#include "live/failures.hpp"
#include "live/world.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace live_live_test {

using namespace live_test;
using ingot::errc;
using ingot::live;
using ingot::max_block_size;
using ingot::out_of_space_reason;
using ingot_test::bytes_of;

static_assert(std::is_nothrow_move_constructible_v<live<world>> &&
              std::is_nothrow_move_assignable_v<live<world>>);
static_assert(std::is_copy_constructible_v<live<world>>);

TEST(live_live, begins_as_the_default_value) {
  live<world> block;
  EXPECT_TRUE(static_cast<bool>(block));
  EXPECT_EQ(block->level, 1);
  EXPECT_TRUE(block->name.empty());
  EXPECT_TRUE(block->words.empty());
  EXPECT_EQ(block.size(), ingot::detail::first_storage<world>);
  EXPECT_EQ(block.stats().used, block.size());
  EXPECT_EQ(block.stats().free_bytes, 0U);
  EXPECT_GE(block.max_size(), std::size_t{1'000'000});
  expect_opens_again(block);
}

// A program pays for live bytes. `field_sizes` tells how many of them each member takes.
TEST(live_live, stats_say_what_is_used_live_and_free_and_what_each_member_takes) {
  live<world> block(sample());
  block.compact();
  EXPECT_EQ(block.stats().live, block.stats().used);
  const auto sum = [&] {
    std::size_t all = 0;
    for (const auto& field : block.field_sizes()) all += field.bytes;
    return all;
  };
  // `world` has no padding, so the rest of the live bytes is the header.
  EXPECT_EQ(ingot::detail::root_position + sum(), block.stats().live);
  EXPECT_EQ(block.field_sizes()[0].name, "name");
  EXPECT_EQ(block.field_sizes()[0].bytes, 16 + 8 + ingot::detail::round_up(block->name.size() + 1, 8));
  EXPECT_EQ(block.field_sizes()[2].bytes, 8 + 8 + 5 * sizeof(std::uint64_t));
  EXPECT_EQ(block.field_sizes()[4].bytes, sizeof(std::int32_t));

  for (int i = 0; i < 100; ++i) block->words.emplace_back("a word that goes again, and is long");
  block->words.erase(block->words.begin(), block->words.end() - 1);
  const ingot::block_stats now = block.stats();
  EXPECT_GT(now.free_bytes, 100 * 36U);
  EXPECT_EQ(now.used, now.live + now.free_bytes);
  EXPECT_EQ(ingot::detail::root_position + sum(), now.live);
  EXPECT_EQ(now.live, reach(block).bytes);
}

TEST(live_live, is_constructed_from_its_twin_and_from_its_own_value) {
  const world_twin twin = sample();
  live<world> of_twin(twin);
  expect_sample(*of_twin);
  live<world> of_value(*of_twin);
  expect_sample(*of_value);
  EXPECT_TRUE(of_value == of_twin);
  of_value->name.push_back('!');
  EXPECT_FALSE(of_value == of_twin);
  of_value = twin;
  EXPECT_TRUE(of_value == of_twin);
  of_value = *of_value; // itself
  expect_sample(*of_value);
  live<world> moved_into(world_twin(twin), max_block_size{100'000});
  expect_sample(*moved_into);
  EXPECT_GE(moved_into.max_size(), 100'000U - 8);
  expect_accounted(of_value);
  // Both blocks were assigned the value in the order of its members.
  EXPECT_TRUE(std::ranges::equal(of_twin.bytes(), moved_into.bytes()));
}

TEST(live_live, copies_are_apart_and_moves_keep_references) {
  live<world> block(sample());
  block->words.erase(block->words.begin()); // makes a free run
  live<world> copy(block);
  EXPECT_TRUE(copy == block);
  EXPECT_TRUE(std::ranges::equal(copy.bytes(), block.bytes()) || copy.stats().free_bytes != 0);
  copy->words.emplace_back("only in the copy, and of some length");
  EXPECT_FALSE(copy == block);
  expect_accounted(copy);
  expect_accounted(block);

  const ingot::string& word = block->words[0];
  live<world> moved(std::move(block));
  EXPECT_EQ(&word, &moved->words[0]);
  EXPECT_FALSE(static_cast<bool>(block)); // NOLINT(bugprone-use-after-move)
  live<world> of_nothing(block);
  EXPECT_FALSE(static_cast<bool>(of_nothing));
  block = std::move(moved);
  EXPECT_EQ(&word, &block->words[0]);
  moved = block; // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(moved == block);
  moved = std::as_const(moved);
  EXPECT_TRUE(moved == block);
  moved->name.assign("another name, longer than eleven");
  swap(moved, block);
  EXPECT_EQ(block->name, "another name, longer than eleven");
  EXPECT_EQ(&word, &moved->words[0]);
}

TEST(live_live, a_copy_grows_as_far_as_its_source) {
  live<world> block(max_block_size{std::size_t{8} << 20});
  const live<world> copy(block);
  EXPECT_EQ(copy.max_size(), block.max_size());
  live<world> small(max_block_size{1000});
  small->numbers.resize(5000);
  EXPECT_GE(live<world>(small).max_size(), live<world>().max_size());
}

TEST(live_live, equal_values_are_equal_bytes_once_compact) {
  live<world> plain(sample());
  live<world> edited;
  dice random(7);
  for (int i = 0; i < 2000; ++i) {
    edited->words.emplace_back(std::string(random() % 40, 'w'));
    edited->numbers.insert(edited->numbers.begin(), random());
    edited->items.emplace_back(
        item_twin{std::string(random() % 20, 'i'), std::vector<std::uint16_t>(random() % 9), 1});
    if (edited->words.size() > 30) edited->words.erase(edited->words.begin(), edited->words.begin() + 20);
    if (edited->items.size() > 20) edited->items.clear();
  }
  edited = sample();
  EXPECT_TRUE(edited == plain);
  edited.compact();
  plain.compact();
  EXPECT_TRUE(std::ranges::equal(edited.bytes(), plain.bytes()));
  expect_sample(*edited);
  const auto again = bytes_of(edited);
  EXPECT_EQ(edited.compact(), 0U);
  EXPECT_TRUE(std::ranges::equal(edited.bytes(), again));
}

TEST(live_live, opens_its_bytes_at_any_address_and_grows_from_there) {
  const live<world> block(sample());
  const auto bytes = bytes_of(block);
  std::vector<std::byte> shifted(bytes.size() + 64);
  for (std::size_t offset = 0; offset < 64; ++offset) {
    std::memcpy(shifted.data() + offset, bytes.data(), bytes.size());
    auto opened = live<world>::open(std::span(shifted).subspan(offset, bytes.size()));
    ASSERT_TRUE(opened.has_value());
    expect_sample(**opened);
    (*opened)->words.emplace_back("it grows where it was opened");
    expect_accounted(*opened);
  }
  auto trusted = live<world>::open_unchecked(bytes);
  ASSERT_TRUE(trusted.has_value());
  expect_sample(**trusted);
  (*trusted)->words.clear();
  (*trusted)->numbers.resize(1000);
  expect_accounted(*trusted);
  auto roomy = live<world>::open(bytes, {.max_size = {std::size_t{1} << 24}});
  ASSERT_TRUE(roomy.has_value());
  EXPECT_GE(roomy->max_size(), std::size_t{1} << 23);
}

TEST(live_live, receives_into_a_slot_and_opens_it_without_a_copy) {
  const live<world> block(sample());
  const auto bytes = bytes_of(block);
  auto receive_buffer = live<world>::receive_buffer(bytes.size());
  ASSERT_TRUE(static_cast<bool>(receive_buffer));
  ASSERT_EQ(receive_buffer.size(), bytes.size());
  std::memcpy(receive_buffer.data(), bytes.data(), bytes.size());
  const std::byte* const there = receive_buffer.data();
  auto opened = live<world>::open(std::move(receive_buffer));
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->bytes().data(), there);
  expect_sample(**opened);
  (*opened)->numbers.resize(10'000);
  expect_accounted(*opened);

  auto trusting = live<world>::receive_buffer(bytes.size());
  std::memcpy(trusting.data(), bytes.data(), bytes.size());
  auto trusted = live<world>::open_unchecked(std::move(trusting));
  ASSERT_TRUE(trusted.has_value());
  expect_sample(**trusted);

  auto wrong = live<world>::receive_buffer(bytes.size() + 8);
  std::memcpy(wrong.data(), bytes.data(), bytes.size());
  EXPECT_EQ(code_of(live<world>::open(std::move(wrong))), errc::trailing_bytes);
  auto nothing = live<world>::receive_buffer(bytes.size());
  EXPECT_EQ(code_of(live<world>::open(std::move(nothing))), errc::not_ingot);
  EXPECT_EQ(code_of(live<world>::open(live<world>::receive_buffer(0))), errc::truncated);
}

TEST(live_live, a_root_larger_than_the_maximum_size_gets_a_larger_one) {
  struct huge {
    std::array<std::uint64_t, 300'000> numbers{};
    ingot::string name;
  };
  auto block = std::make_unique<live<huge>>(max_block_size{1000});
  (*block)->numbers[299'999] = 7;
  (*block)->name.assign("space for a name after the root");
  EXPECT_GE(block->max_size(), sizeof(huge));
  const auto opened = live<huge>::open(block->bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ((*opened)->numbers[299'999], 7U);
}

TEST(live_live, references_stay_valid_while_other_things_grow_to_the_maximum_size) {
  live<world> block(max_block_size{200'000});
  block = sample();
  world* const at = &*block;
  const ingot::string& word = block->words[1];
  const std::uint64_t& number = block->numbers[4];
  const std::byte* const bytes = block.bytes().data();
  std::size_t grown = 0;
  while (block->items.try_emplace_back(item_twin{"growing to the maximum", {1, 2, 3}, 4}) != nullptr) ++grown;
  EXPECT_GT(grown, 1000U);
  EXPECT_EQ(&*block, at);
  EXPECT_EQ(block.bytes().data(), bytes);
  EXPECT_EQ(word, "and a word that is not short");
  EXPECT_EQ(number, 5U);
  EXPECT_EQ(failure_of([&] { block->items.reserve(100'000); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block = sample(), block->numbers.resize(1'000'000); }),
            out_of_space_reason::full);
  expect_accounted(block);
}

TEST(live_live, reserve_says_whether_it_moved) {
  live<world> block(max_block_size{1000});
  block = sample();
  const std::byte* const before = block.bytes().data();
  EXPECT_FALSE(block.reserve(1000));
  EXPECT_EQ(block.bytes().data(), before);
  EXPECT_TRUE(block.reserve(1'000'000));
  EXPECT_GE(block.max_size(), 1'000'000 + block.size());
  expect_sample(*block);
  block->numbers.resize(100'000);
  expect_accounted(block);
  constexpr auto max = static_cast<std::size_t>(-1);
  for (const std::size_t more : {max, max - block.size() + 1, max / 2, std::size_t{0x8000'0000U}}) {
    EXPECT_EQ(failure_of([&] { block.reserve(more); }), out_of_space_reason::offset_range);
  }
  EXPECT_EQ(block->numbers.size(), 100'000U);
}

TEST(live_live, relocates_to_where_it_can_grow_from_wherever_it_is) {
  const auto grows = [](live<world>& block, std::size_t to) {
    EXPECT_GE(block.max_size(), to);
    expect_sample(*block);
    block->numbers.resize(to / 16);
    expect_accounted(block);
    expect_opens_again(block);
  };
  live<world> slot(max_block_size{1000});
  slot = sample();
  slot.relocate(max_block_size{4'000'000});
  grows(slot, 4'000'000);
  slot = sample();
  slot.compact();
  slot.relocate(max_block_size{0}); // the least size that holds it
  EXPECT_LE(slot.max_size(), std::size_t{1} << 18);
  expect_sample(*slot);

  alignas(16) static std::array<std::byte, 4096> memory;
  auto in_span = live<world>::in(memory).value();
  in_span = sample();
  const auto there = bytes_of(in_span);
  in_span.relocate(max_block_size{1'000'000});
  grows(in_span, 1'000'000);
  EXPECT_EQ(live<world>::attach(memory).value().size(), there.size()) << "what was in the span is left there";

  alignas(16) std::array<std::byte, 4096> received{};
  std::ranges::copy(there, received.begin());
  auto in_place = live<world>::open_in_place(std::span(received).first(there.size())).value();
  EXPECT_FALSE(in_place->words.try_reserve(100));
  in_place.relocate(max_block_size{1'000'000});
  grows(in_place, 1'000'000);

  EXPECT_EQ(failure_of([&] { slot.relocate(max_block_size{std::size_t{0x8000'0000U}}); }),
            out_of_space_reason::offset_range);
  expect_sample(*slot);
}

TEST(live_live, compacts_in_its_slot_and_in_a_span_that_is_full) {
  live<world> block(sample());
  const std::size_t ideal = block.size();
  for (int i = 0; i < 500; ++i) block->words.emplace_back("a word that goes again, and is long");
  block->words.erase(block->words.begin() + 3, block->words.end());
  const std::size_t before = block.size();
  const std::size_t saved = block.compact();
  EXPECT_EQ(saved, before - block.size());
  EXPECT_EQ(block.size(), ideal);
  expect_sample(*block);

  alignas(16) std::array<std::byte, 6000> memory;
  auto fixed = live<world>::in(memory).value();
  fixed = sample();
  for (bool odd = false; fixed->words.try_emplace_back("a word that is twenty-four!"); odd = !odd) {
    if (odd) fixed->words[fixed->words.size() / 2].clear();
  }
  fixed->words.erase_if([](const ingot::string& word) { return word.empty(); });
  live<world> copy(fixed);
  const std::byte* const there = fixed.bytes().data();
  EXPECT_GT(fixed.compact(), 0U);
  EXPECT_EQ(fixed.bytes().data(), there);
  EXPECT_TRUE(fixed == copy);
  expect_accounted(fixed);
  EXPECT_TRUE(is_zero_after(fixed));
  fixed->words.emplace_back("more bytes");
  expect_opens_again(fixed);
}

TEST(live_live, trim_leaves_no_stale_byte_and_reclaim_finds_what_it_forgot) {
  live<world> block;
  dice random(5);
  for (int i = 0; i < 4000; ++i) {
    block->words.emplace_back(std::string(random() % 300, 'x'));
    if (block->words.size() > 50)
      block->words.erase(block->words.begin() + static_cast<std::ptrdiff_t>(random() % 50));
    if (i % 500 != 499) continue;
    const std::size_t holes = block.stats().free_bytes;
    const std::size_t before = block.size();
    const std::size_t forgotten = block.trim();
    EXPECT_EQ(forgotten + (before - block.size()), holes);
    EXPECT_EQ(block.stats().free_bytes, 0U);
    EXPECT_EQ(stale_bytes(block), 0U);
    EXPECT_TRUE(is_zero_after(block));
    expect_accounted(block, forgotten);
    EXPECT_EQ(block.reclaim(), forgotten);
    expect_accounted(block);
  }
}

TEST(live_live, reclaim_serves_a_value_in_the_middle_of_a_change) {
  struct limited {
    ingot::string name;
    ingot::vector<ingot::string> words;
    [[nodiscard]] bool valid() const { return words.size() < 3; }
  };
  live<limited> block;
  for (int i = 0; i < 10; ++i) block->words.emplace_back("a word of more than eleven");
  block->words.erase(block->words.begin(), block->words.begin() + 2);
  const std::size_t forgotten = block.trim();
  EXPECT_GT(forgotten, 0U);
  EXPECT_EQ(block.reclaim(), forgotten);
  expect_accounted(block);
}

TEST(live_live, trusted_bytes_have_holes_that_reclaim_finds) {
  live<world> block(sample());
  for (int i = 0; i < 20; ++i) block->words.emplace_back("a word of more than eleven");
  block->words.erase(block->words.begin() + 3, block->words.end() - 1);
  const std::size_t holes = block.stats().free_bytes;
  ASSERT_GT(holes, 0U);
  auto trusted = live<world>::open_unchecked(block.bytes());
  ASSERT_TRUE(trusted.has_value());
  EXPECT_EQ(trusted->stats().free_bytes, 0U);
  EXPECT_GE(trusted->reclaim() + 8, holes);
  expect_accounted(*trusted, 8);
  EXPECT_TRUE(*trusted == block);
}

TEST(live_live, rejects_what_it_is_not_by_name) {
  const live<world> block(sample());
  const auto whole = bytes_of(block);
  const auto unsupported_reason = [&](std::size_t at, std::uint8_t value) {
    auto bytes = whole;
    bytes[at] = static_cast<std::byte>(value);
    const auto code = code_of(live<world>::open(bytes));
    EXPECT_EQ(code_of(live<world>::open_unchecked(bytes)), code);
    alignas(16) std::array<std::byte, 2048> memory{};
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    EXPECT_EQ(code_of(live<world>::open_in_place(std::span(memory).first(bytes.size()))), code);
    auto receive_buffer = live<world>::receive_buffer(bytes.size());
    std::memcpy(receive_buffer.data(), bytes.data(), bytes.size());
    EXPECT_EQ(code_of(live<world>::open(std::move(receive_buffer))), code);
    return code;
  };
  EXPECT_EQ(unsupported_reason(0, 'I'), errc::not_ingot);
  EXPECT_EQ(unsupported_reason(4, 1), errc::wrong_version);
  EXPECT_EQ(unsupported_reason(5, static_cast<std::uint8_t>(whole[5]) ^ 1U),
            errc::layout_mismatch); // another byte order
  EXPECT_EQ(unsupported_reason(5, static_cast<std::uint8_t>(whole[5]) ^ 2U),
            errc::layout_mismatch); // another width of offsets
  EXPECT_EQ(unsupported_reason(5, static_cast<std::uint8_t>(whole[5]) ^ 8U), errc::bad_padding);
  EXPECT_EQ(unsupported_reason(6, 1), errc::bad_padding);
  EXPECT_EQ(unsupported_reason(8, static_cast<std::uint8_t>(whole[8]) ^ 1U), errc::layout_mismatch);
  EXPECT_EQ(unsupported_reason(16, static_cast<std::uint8_t>(whole[16]) ^ 1U), errc::schema_mismatch);
  EXPECT_EQ(unsupported_reason(48, 1), errc::bad_padding); // the sentinel's capacity
  EXPECT_EQ(unsupported_reason(63, 1), errc::bad_padding);

  auto longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_EQ(code_of(live<world>::open(longer)), errc::trailing_bytes);
  EXPECT_EQ(code_of(live<world>::open(std::span(whole).first(whole.size() - 1))), errc::truncated);
  EXPECT_EQ(code_of(live<world>::open(std::span(whole).first(63))), errc::truncated);
  EXPECT_EQ(code_of(live<world>::open({})), errc::truncated);
  struct other {
    ingot::string title;
  };
  EXPECT_EQ(code_of(live<other>::open(whole)), errc::schema_mismatch);
  const auto info = ingot::peek(whole);
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->size, whole.size());
  EXPECT_FALSE(info->wide);
}

// The reader of such a block has to know whether the other program is older, is on another machine,
// or is another program.
TEST(live_live, an_error_says_what_differs_first_and_both_sides_of_it) {
  const live<world> block(sample());
  const auto whole = bytes_of(block);
  const auto message = [&](std::size_t at, unsigned turned) {
    auto bytes = whole;
    bytes[at] ^= static_cast<std::byte>(turned);
    alignas(16) std::array<std::byte, 2048> memory{};
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    const auto why = live<world>::open(bytes).error().message();
    EXPECT_EQ(live<world>::open_in_place(std::span(memory).first(bytes.size())).error().message(), why);
    return why;
  };
  const auto says = [](const std::string& text, const std::string& expected, const std::string& found) {
    EXPECT_NE(text.find("expected " + expected + ", found " + found + ";"), std::string::npos) << text;
  };
  const auto digits = [](std::uint64_t id) {
    std::array<char, 19> text{};
    std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(id));
    return std::string(text.data());
  };
  says(message(4, 1), "version 2", "3");
  const bool little = ingot::detail::little_endian;
  says(message(5, 1),
       little ? "little-endian numbers, as on this machine" : "big-endian numbers, as on this machine",
       little ? "big-endian ones" : "little-endian ones");
  says(message(5, 2), "32-bit offsets", "64-bit offsets");
  const std::uint64_t schema = ingot::peek(whole)->schema_id;
  const std::uint64_t layout = ingot::peek(whole)->layout_id;
  // The bit that is inverted below, as a number
  const std::uint64_t low = little ? 1 : std::uint64_t{1} << 56;
  says(message(16, 1), "schema_id " + digits(schema) + ", the type's own",
       "schema_id " + digits(schema ^ low));
  says(message(8, 1), "layout_id " + digits(layout) + ", the type's own",
       "layout_id " + digits(layout ^ low) + " of the same schema");
}

TEST(live_live, the_header_always_has_the_current_size) {
  live<world> block;
  for (int i = 0; i < 100; ++i) {
    block->words.emplace_back("a word of more than eleven");
    EXPECT_EQ(ingot::peek(block.bytes())->size, block.size());
    EXPECT_EQ(block.bytes().size(), block.size());
  }
}

#if INGOT_EXCEPTIONS
TEST(live_live, keeps_slots_zero_when_a_type_throws_while_it_is_opened) {
  struct touchy {
    ingot::vector<std::uint64_t> numbers;
    [[nodiscard]] bool valid() const {
      if (!numbers.empty() && numbers.back() == 13) throw std::bad_alloc();
      return true;
    }
  };
  live<touchy> block;
  block->numbers = std::vector<std::uint64_t>(50, 0xFFFF'FFFF'FFFF'FFFFU);
  block->numbers.push_back(13U);
  const auto bytes = bytes_of(block);
  EXPECT_THROW(static_cast<void>(live<touchy>::open(bytes)), std::bad_alloc);
  auto receive_buffer = live<touchy>::receive_buffer(bytes.size());
  std::memcpy(receive_buffer.data(), bytes.data(), bytes.size());
  EXPECT_THROW(static_cast<void>(live<touchy>::open(std::move(receive_buffer))), std::bad_alloc);
  const live<touchy> fresh;
  EXPECT_TRUE(is_zero_after(fresh));
}
#endif

TEST(live_live, keeps_slots_zero_when_what_was_received_is_dropped) {
  const auto dirty = [](auto& receive_buffer) {
    std::memset(receive_buffer.data(), 0xFF, receive_buffer.size());
  };
  const auto look = [] {
    std::vector<live<world>> several(10);
    for (const auto& each : several) {
      ASSERT_TRUE(is_zero_after(each, std::size_t{1} << 20));
      ASSERT_EQ(each->level, 1);
    }
  };
  { // destroyed
    auto receive_buffer = live<world>::receive_buffer(5000);
    dirty(receive_buffer);
  }
  look();
  { // rejected
    auto receive_buffer = live<world>::receive_buffer(5000);
    dirty(receive_buffer);
    EXPECT_FALSE(live<world>::open(std::move(receive_buffer)).has_value());
  }
  look();
  { // assigned over, and moved
    auto receive_buffer = live<world>::receive_buffer(5000);
    dirty(receive_buffer);
    receive_buffer = live<world>::receive_buffer(3000);
    dirty(receive_buffer);
    auto other = std::move(receive_buffer);
    EXPECT_FALSE(static_cast<bool>(receive_buffer)); // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(other.size(), 3000U);
  }
  look();
  { // up to the end of the slot
    auto receive_buffer = live<world>::receive_buffer(live<world>::default_max_block_size.bytes);
    ASSERT_EQ(receive_buffer.size(), live<world>::default_max_block_size.bytes);
    dirty(receive_buffer);
  }
  look();
}

TEST(live_live, keeps_slots_zero_of_every_size_of_block) {
  for (const std::size_t numbers : {10U, 6'000U, 9'000U, 20'000U, 100'000U, 1'000'000U}) {
    for (unsigned round = 0; round < 3; ++round) {
      live<world> block(max_block_size{numbers * 8 + 40'000});
      EXPECT_TRUE(is_zero_after(block, block.max_size())) << numbers;
      block->numbers = std::vector<std::uint64_t>(numbers, 0xFFFF'FFFF'FFFF'FFFFU);
      block->words.emplace_back("beyond the numbers");
      block->numbers.resize(round * numbers / 3);
      if (round == 1) block->numbers.shrink_to_fit();
    }
  }
}

TEST(live_live, a_large_block_grows_and_opens) {
  live<world> block(max_block_size{std::size_t{256} << 20});
  ASSERT_GE(block.max_size(), std::size_t{200} << 20);
  constexpr std::size_t count = 100'000'000 / sizeof(std::uint64_t);
  block->numbers.resize(count);
  block->numbers.back() = 7;
  block->name.assign("beyond a hundred million bytes");
  EXPECT_GE(block.size(), 100'000'000U);
  const auto opened = live<world>::open(block.bytes(), {.max_size = {std::size_t{256} << 20}});
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ((*opened)->numbers.back(), 7U);
  EXPECT_EQ((*opened)->name, "beyond a hundred million bytes");
  block->numbers.clear();
  block->numbers.shrink_to_fit();
  block.compact();
  EXPECT_LT(block.size(), 1000U);
}

TEST(live_live, many_readers_of_one_block_ask_for_its_bytes_and_read) {
  live<world> block(sample());
  for (int round = 0; round < 20; ++round) {
    // So that the size in the header is out of date
    block->numbers.push_back(static_cast<std::uint64_t>(round));
    const live<world>& shared = block;
    std::vector<std::thread> readers;
    std::atomic<int> right{0};
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        const auto bytes = shared.bytes();
        std::uint64_t sum = 0;
        for (const std::byte b : bytes) sum += static_cast<std::uint64_t>(b);
        const auto opened = live<world>::open(bytes);
        right += opened.has_value() && sum != 0 && *opened == shared &&
                 shared->name.view().starts_with("the name");
      });
    }
    for (auto& reader : readers) reader.join();
    ASSERT_EQ(right, 4);
  }
}

TEST(live_live, many_threads_make_and_drop_blocks_and_hand_them_over) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([seed, &wrong] {
      dice random(seed);
      std::vector<live<world>> blocks;
      for (int i = 0; i < 300; ++i) {
        blocks.emplace_back(max_block_size{std::size_t{1} << random() % 12 << 10});
        if (blocks.back()->level != 1 || !is_zero_after(blocks.back(), 4096)) ++wrong;
        blocks.back() = sample();
        if (random() % 3 == 0)
          blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(random() % blocks.size()));
        if (blocks.size() > 12) {
          std::thread other([moved = std::move(blocks)] {}); // destroyed by another thread
          other.join();
          blocks.clear();
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// True if `open` takes `option` where its options are.
template <class Block, class Option>
concept opens_with = requires(ingot::bytes_view bytes, Option option) { Block::open(bytes, option); };

TEST(live_options, one_option_without_its_name_does_not_compile) {
  static_assert(opens_with<live<world>, ingot::block_options>);
  static_assert(!opens_with<live<world>, max_block_size>);
  static_assert(!opens_with<live<world>, ingot::progress_ref>);
}

TEST(live_options, default_size_is_that_of_a_new_block) {
  const live<world> block;
  EXPECT_EQ(live<world>::open(block.bytes())->max_size(), block.max_size());
  EXPECT_EQ(block.try_copy({})->max_size(), block.max_size());
}

} // namespace live_live_test
