// SPDX-License-Identifier: Apache-2.0
// A block in memory that it does not own: created in a span, attached to, or opened in place. It
// stays there, and nothing outside of the span is touched.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/failures.hpp"
#include "live/world.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace live_span_test {

using namespace live_test;
using ingot::errc;
using ingot::live;
using ingot::out_of_space_reason;
using ingot_test::bytes_of;

TEST(live_span, in_place_is_read_overwritten_and_shortened_but_never_grown) {
  live<world> block(sample());
  block.compact();
  const auto bytes = bytes_of(block);
  alignas(16) std::array<std::byte, 2048> memory{};
  std::memcpy(memory.data(), bytes.data(), bytes.size());
  const auto there = std::span(memory).first(bytes.size());
  {
    auto opened = live<world>::open_in_place(there);
    ASSERT_TRUE(opened.has_value());
    auto& w = **opened;
    EXPECT_EQ(opened->bytes().data(), memory.data());
    expect_sample(w);
    w.level = 8;
    w.name.assign("another name");
    w.numbers.pop_back();
    w.words.erase(w.words.begin() + 1);
    w.items[0].path.clear();
    w.items[0].path.shrink_to_fit();
    EXPECT_EQ(failure_of([&] { w.name.assign(std::string(100, 'x')); }), out_of_space_reason::in_place);
    EXPECT_EQ(failure_of([&] { w.numbers.resize(100); }), out_of_space_reason::in_place);
    EXPECT_EQ(failure_of([&] { *opened = sample(); }), out_of_space_reason::in_place);
    EXPECT_EQ(failure_of([&] { opened->compact(); }), out_of_space_reason::in_place);
    EXPECT_EQ(failure_of([&] { opened->reserve(8); }), out_of_space_reason::in_place);
    EXPECT_FALSE(opened->try_compact());
    EXPECT_EQ(opened->trim(), 0U);
    EXPECT_EQ(opened->reclaim(), 0U);
    EXPECT_EQ(opened->size(), bytes.size());
  }
  auto after = live<world>::open(there);
  ASSERT_TRUE(after.has_value()) << after.error().message();
  EXPECT_EQ((*after)->level, 8);
  const live<world> copy(*after);
  EXPECT_TRUE(copy == *after);
  for (std::size_t offset = 1; offset < 16; ++offset) {
    EXPECT_EQ(code_of(live<world>::open_in_place(std::span(memory).subspan(offset, bytes.size()))),
              errc::misaligned);
  }
}

TEST(live_span, in_a_span_is_as_large_as_the_span_for_ever) {
  alignas(16) std::array<std::byte, 4096> memory;
  memory.fill(std::byte{0xAB});
  for (std::size_t offset = 0; offset < 17; ++offset) {
    auto created = live<world>::in(std::span(memory).subspan(offset, 4000 - offset));
    ASSERT_TRUE(created.has_value());
    auto& block = *created;
    EXPECT_LE(reinterpret_cast<std::uintptr_t>(block.bytes().data()) % 16, 0U);
    block = sample();
    expect_sample(*block);
    EXPECT_EQ(failure_of([&] { block->numbers.resize(1000); }), out_of_space_reason::full);
    EXPECT_EQ(failure_of([&] { block.reserve(4000); }), out_of_space_reason::full);
    expect_opens_again(block);
  }
}

// Assignment must not leave the span: other users of it would continue with its former content.
TEST(live_span, in_a_span_stays_there_when_a_copy_is_assigned) {
  alignas(16) std::array<std::byte, 6000> memory;
  auto fixed = live<world>::in(memory).value();
  fixed->words.assign(50, std::string_view("what was there before, and is longer"));
  const std::byte* const there = fixed.bytes().data();
  const std::size_t limit = fixed.max_size();

  live<world> other(sample());
  other->items.clear(); // makes a free run
  fixed = other;
  EXPECT_EQ(fixed.bytes().data(), there);
  EXPECT_EQ(fixed.max_size(), limit);
  EXPECT_TRUE(fixed == other);
  EXPECT_EQ(fixed.stats().live, other.stats().live);
  EXPECT_TRUE(is_zero_after(fixed));
  expect_accounted(fixed);
  expect_opens_again(fixed);
  fixed->words.emplace_back("it grows where it is, as ever");
  EXPECT_EQ(failure_of([&] { fixed->numbers.resize(1000); }), out_of_space_reason::full);
  static_cast<void>(fixed.bytes()); // stores its size in the header
  const auto seen = live<world>::attach(memory);
  ASSERT_TRUE(seen.has_value()) << seen.error().message();
  EXPECT_EQ((*seen)->words.back(), "it grows where it is, as ever");
}

TEST(live_span, a_copy_too_long_for_the_span_leaves_it_as_it_was) {
  alignas(16) std::array<std::byte, 4096> memory;
  auto fixed = live<world>::in(memory).value();
  fixed = sample();
  const auto before = std::vector<std::byte>(memory.begin(), memory.end());
  live<world> large;
  large->words.assign(200, std::string_view("a word that is longer than eleven characters"));
  EXPECT_EQ(failure_of([&] { fixed = large; }), out_of_space_reason::full);
  EXPECT_TRUE(std::ranges::equal(memory, before)) << "the allocator's state included";
  expect_sample(*fixed);

  // A block that is too long only because of its free runs is assigned without them.
  large->words.erase(large->words.begin(), large->words.end() - 1);
  ASSERT_GT(large.size(), fixed.max_size());
  fixed = large;
  EXPECT_TRUE(fixed == large);
  EXPECT_LE(fixed.bytes().data(), memory.data() + memory.size());
  EXPECT_GE(fixed.bytes().data(), memory.data());
  expect_accounted(fixed);
  expect_opens_again(fixed);
}

TEST(live_span, opened_in_place_stays_there_when_a_copy_is_assigned) {
  const live<world> shorter(sample());
  live<world> larger(shorter);
  larger->words.emplace_back("one more, which is not short");
  ASSERT_GT(larger.size(), shorter.size());

  alignas(16) std::array<std::byte, 4096> received{};
  std::ranges::copy(larger.bytes(), received.begin());
  auto in_place = live<world>::open_in_place(std::span(received).first(larger.size())).value();
  in_place = shorter;
  EXPECT_EQ(in_place.bytes().data(), received.data());
  EXPECT_EQ(in_place.size(), shorter.size());
  EXPECT_TRUE(all_zero(received.data() + shorter.size(), received.size() - shorter.size()));
  EXPECT_EQ(failure_of([&] { in_place->numbers.resize(1000); }), out_of_space_reason::in_place);
  const live<world> copy(in_place);
  EXPECT_TRUE(copy == shorter);
  in_place = larger; // the storage has the same length as before
  EXPECT_TRUE(in_place == larger);
  larger->words.assign(100, std::string_view("much more than fits in its space"));
  EXPECT_EQ(failure_of([&] { in_place = larger; }), out_of_space_reason::in_place);
  EXPECT_EQ(in_place->words.back(), "one more, which is not short");
  EXPECT_EQ(in_place.bytes().data(), received.data());
  in_place = copy;
  const auto sent = bytes_of(in_place);
  EXPECT_TRUE(live<world>::open(sent).has_value());

  // In the other direction, a block without an allocator is assigned to one with an allocator.
  alignas(16) std::array<std::byte, 4096> memory;
  auto fixed = live<world>::in(memory).value();
  fixed = in_place;
  fixed->words.emplace_back("and this one has an allocator");
  expect_accounted(fixed);
  expect_opens_again(fixed);
}

TEST(live_span, attaches_to_the_block_in_a_span_and_trusts_no_bytes_after_it) {
  alignas(16) std::array<std::byte, 4096> memory;
  std::size_t used = 0;
  const std::byte* there = nullptr;
  {
    auto first = live<world>::in(memory).value();
    first = sample();
    first->words.erase(first->words.begin());
    used = first.bytes().size();
    there = first.bytes().data();
  }
  const auto end = static_cast<std::size_t>(there - memory.data()) + used;
  std::fill(memory.begin() + static_cast<std::ptrdiff_t>(end), memory.end(), std::byte{'?'});
  auto again = live<world>::attach(memory);
  ASSERT_TRUE(again.has_value()) << again.error().message();
  auto& block = *again;
  EXPECT_EQ(block->words.size(), 2U);
  EXPECT_TRUE(is_zero_after(block));
  for (std::size_t n = 12; n < 40; ++n) {
    block->name.assign(std::string(n, 'n'));
    ASSERT_EQ(std::strlen(block->name.c_str()), n);
  }
  block->numbers.push_back(6U);
  expect_accounted(block, 8);
  expect_opens_again(block);

  memory[static_cast<std::size_t>(there - memory.data()) + ingot::detail::root_position] ^=
      std::byte{0x40}; // the name's offset
  EXPECT_FALSE(live<world>::attach(memory).has_value());
  memory.fill(std::byte{0xFF});
  EXPECT_EQ(code_of(live<world>::attach(memory)), errc::not_ingot);
  for (std::size_t size = 0; size < 700; size += 9) {
    EXPECT_FALSE(live<world>::attach(std::span(memory).first(size)).has_value());
  }
}

TEST(live_span, a_span_without_space_for_the_root_is_rejected_and_nothing_is_written_after_it) {
  struct large {
    std::array<std::uint64_t, 100> numbers{1};
  };
  alignas(16) std::array<std::byte, 2048> memory;
  std::size_t smallest = 0;
  for (std::size_t size = 0; size < memory.size(); ++size) {
    memory.fill(std::byte{0xAB});
    const auto created = live<large>::in(std::span(memory).first(size));
    for (std::size_t i = size; i < memory.size(); ++i) ASSERT_EQ(memory[i], std::byte{0xAB}) << size;
    if (!created) {
      EXPECT_EQ(created.error().code(), errc::no_space);
      ASSERT_EQ(smallest, 0U);
    } else if (smallest == 0) {
      smallest = size;
    }
  }
  EXPECT_GT(smallest, sizeof(large) + 64);
  EXPECT_LT(smallest, sizeof(large) + 1024);
}

TEST(live_span, a_canonical_form_too_long_for_the_span_is_not_written_into_it) {
  // Each vector of sixteen-byte elements may need a gap before its storage that it does not need
  // now.
  struct alignas(16) quad {
    float x[4];
  };
  struct quads {
    ingot::vector<std::uint8_t> odd;
    ingot::vector<quad> a;
    ingot::vector<std::uint8_t> more_odd;
    ingot::vector<quad> b;
    ingot::vector<std::uint8_t> still_more;
    ingot::vector<quad> c;
  };
  alignas(16) std::array<std::byte, 2048> memory;
  for (std::size_t size = 700; size < 1400; size += 8) {
    memory.fill(std::byte{0xAB});
    auto created = live<quads>::in(std::span(memory).first(size));
    if (!created) continue;
    auto& block = *created;
    const bool filled = block->a.try_resize(2) && block->b.try_resize(2) && block->c.try_resize(2) &&
                        block->odd.try_resize(8) && block->more_odd.try_resize(8) &&
                        block->still_more.try_resize(8);
    static_cast<void>(block.try_compact());
    for (std::size_t i = size; i < memory.size(); ++i) ASSERT_EQ(memory[i], std::byte{0xAB}) << size;
    ASSERT_TRUE(!filled || block->c.size() == 2);
    expect_accounted(block);
    ASSERT_TRUE(live<quads>::open(block.bytes()).has_value());
  }
}
} // namespace live_span_test
