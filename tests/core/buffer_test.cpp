// SPDX-License-Identifier: Apache-2.0
// The default sink: committed bytes stay, prepared bytes are not visible, and a moved-from buffer
// is empty.
#include <ingot/core/buffer.hpp>
#include <ingot/core/sink.hpp>

#include <array>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace {

using ingot::buffer;

buffer numbered(std::size_t n) {
  buffer bytes;
  const auto space = bytes.prepare(n);
  for (std::size_t i = 0; i < n; ++i) space[i] = static_cast<std::byte>(i);
  bytes.commit(n);
  return bytes;
}

TEST(buffer, starts_empty_without_memory) {
  const buffer bytes;
  EXPECT_EQ(bytes.size(), 0U);
  EXPECT_EQ(bytes.capacity(), 0U);
  EXPECT_EQ(bytes.data(), nullptr);
  EXPECT_EQ(bytes.begin(), bytes.end());
}

TEST(buffer, prepared_bytes_show_only_when_committed) {
  buffer bytes;
  const auto space = bytes.prepare(10);
  ASSERT_GE(space.size(), 10U);
  space[0] = std::byte{42};
  EXPECT_TRUE(bytes.empty());
  bytes.commit(1);
  ASSERT_EQ(bytes.size(), 1U);
  EXPECT_EQ(bytes[0], std::byte{42});
}

TEST(buffer, growth_keeps_content_and_what_keep_asks_for) {
  buffer bytes = numbered(100);
  auto space = bytes.prepare(8);
  space[0] = std::byte{0xAB};
  space[7] = std::byte{0xCD};
  space = bytes.prepare(100'000, 8);
  EXPECT_EQ(space[0], std::byte{0xAB});
  EXPECT_EQ(space[7], std::byte{0xCD});
  EXPECT_EQ(bytes, numbered(100));
}

TEST(buffer, capacity_doubles) {
  buffer bytes;
  std::size_t growths = 0;
  for (std::size_t i = 0; i < 100'000; ++i) {
    const std::size_t before = bytes.capacity();
    ASSERT_FALSE(bytes.prepare(1).empty());
    bytes.commit(1);
    growths += bytes.capacity() != before ? 1 : 0;
  }
  EXPECT_LE(growths, 12U);
}

TEST(buffer, an_impossible_size_is_rejected_and_harms_nothing) {
  buffer bytes = numbered(10);
  EXPECT_TRUE(bytes.prepare(std::numeric_limits<std::size_t>::max()).empty());
  if constexpr (sizeof(std::size_t) > 4) { // a 32-bit machine may have half of its address space
    EXPECT_TRUE(bytes.prepare(std::numeric_limits<std::size_t>::max() / 2 - 10).empty());
  }
  EXPECT_EQ(bytes, numbered(10));
}

TEST(buffer, clear_keeps_the_capacity) {
  buffer bytes = numbered(1000);
  const std::size_t capacity = bytes.capacity();
  bytes.clear();
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.capacity(), capacity);
}

TEST(buffer, resize_shrinks_and_grows) {
  buffer bytes = numbered(10);
  ASSERT_TRUE(bytes.resize(4));
  EXPECT_EQ(bytes, numbered(4));
  ASSERT_TRUE(bytes.resize(500));
  EXPECT_EQ(bytes.size(), 500U);
  EXPECT_EQ(bytes[3], std::byte{3});
}

TEST(buffer, copies_are_apart) {
  const buffer original = numbered(20);
  buffer copy = original;
  EXPECT_EQ(copy, original);
  EXPECT_NE(copy.data(), original.data());
  copy[0] = std::byte{99};
  EXPECT_NE(copy, original);
  copy = original;
  EXPECT_EQ(copy, original);
  const buffer& same = copy;
  copy = same;
  EXPECT_EQ(copy, original);
}

TEST(buffer, moving_leaves_the_source_empty) {
  buffer source = numbered(20);
  const std::byte* data = source.data();
  buffer target = std::move(source);
  EXPECT_EQ(target.data(), data);
  EXPECT_TRUE(source.empty()); // NOLINT(bugprone-use-after-move): this is the promise
  EXPECT_EQ(source.capacity(), 0U);
  buffer other = numbered(3);
  other = std::move(target);
  EXPECT_EQ(other, numbered(20));
}

TEST(buffer, append_adds_at_the_end) {
  buffer bytes = numbered(2);
  constexpr std::array<std::byte, 2> more{std::byte{2}, std::byte{3}};
  EXPECT_TRUE(bytes.append(more));
  EXPECT_EQ(bytes, numbered(4));
  EXPECT_TRUE(bytes.append({}));
  EXPECT_EQ(bytes.size(), 4U);
}

TEST(buffer, works_in_constant_expressions) {
  constexpr auto sum = [] {
    buffer bytes;
    for (unsigned i = 0; i < 100; ++i) {
      bytes.prepare(1)[0] = static_cast<std::byte>(i);
      bytes.commit(1);
    }
    const buffer copy = bytes;
    unsigned total = 0;
    for (const std::byte b : copy) total += std::to_integer<unsigned>(b);
    return total;
  }();
  static_assert(sum == 4950);
}

TEST(buffer, is_a_direct_sink) { static_assert(ingot::direct_sink<buffer> && ingot::byte_range<buffer>); }

} // namespace
