// SPDX-License-Identifier: Apache-2.0
// Readers accept any contiguous range of bytes, and nothing else by accident.
#include <ingot/core/bytes.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

TEST(as_bytes_view, sees_every_range_of_bytes) {
  const std::string text = "abc";
  EXPECT_EQ(ingot::as_bytes_view(text).size(), 3U);
  EXPECT_EQ(ingot::as_bytes_view(text)[1], std::byte{'b'});
  EXPECT_EQ(static_cast<const void*>(ingot::as_bytes_view(text).data()), text.data());

  const std::vector<std::byte> bytes{std::byte{1}, std::byte{2}};
  EXPECT_EQ(ingot::as_bytes_view(bytes).data(), bytes.data());
  const std::vector<unsigned char> unsigned_bytes{7, 8, 9};
  EXPECT_EQ(ingot::as_bytes_view(unsigned_bytes)[2], std::byte{9});
  const std::array<signed char, 1> signed_bytes{-1};
  EXPECT_EQ(ingot::as_bytes_view(signed_bytes)[0], std::byte{255});
  EXPECT_EQ(ingot::as_bytes_view(std::u8string_view{u8"é"}).size(), 2U);
  EXPECT_TRUE(ingot::as_bytes_view(std::string{}).empty());
}

TEST(byte_range, rejects_wider_elements_and_scattered_memory) {
  static_assert(ingot::byte_range<std::span<const std::byte>>);
  static_assert(ingot::byte_range<std::span<std::byte>>);
  static_assert(!ingot::byte_range<std::vector<int>>);
  static_assert(!ingot::byte_range<std::u16string>);
  static_assert(!ingot::byte_range<std::vector<bool>>);
  static_assert(!ingot::byte_range<std::deque<char>>);
}

// Not in the function: g++ 12 with sanitizers doesn't know that the address of a static local is
// not null.
constexpr std::array<std::byte, 2> constant_bytes{std::byte{4}, std::byte{5}};

TEST(as_bytes_view, is_constant_for_std_byte) {
  static_assert(ingot::as_bytes_view(constant_bytes)[1] == std::byte{5});
}

} // namespace
