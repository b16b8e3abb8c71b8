// SPDX-License-Identifier: Apache-2.0
// Requirements on the bytes of any block. They open. Copies of equal values have equal bytes, in
// the order in which validation visits them. Damaged bytes are rejected, or hold a value on which
// every operation works.
#pragma once

#include <ingot/live/live.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace ingot_test {

template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of(const ingot::live<T>& block) {
  const auto bytes = block.bytes();
  return {bytes.begin(), bytes.end()};
}

template <class T>
[[nodiscard]] bool is_canonical(const ingot::live<T>& block) {
  return ingot::detail::is_canonical_block<T, ingot::narrow_policy>(block.bytes().data(), block.size());
}

/// Expects that the bytes open and compact, with the same value.
template <class T>
void expect_whole(const ingot::live<T>& block) {
  auto opened = ingot::live<T>::open(block.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == block);
  opened->compact();
  EXPECT_TRUE(*opened == block);
  EXPECT_TRUE(is_canonical(*opened));
  ingot::live<T> assigned;
  assigned = *block;
  EXPECT_TRUE(bytes_of(assigned) == bytes_of(*opened));
  auto again = ingot::live<T>::open(opened->bytes());
  ASSERT_TRUE(again.has_value()) << again.error().message();
  again->compact();
  EXPECT_TRUE(bytes_of(*again) == bytes_of(*opened));
}

/// Expects that an emptied block has the bytes of a new one, and zeros after them.
template <class T>
void expect_nothing_left(ingot::live<T>& block) {
  block.trim();
  const auto left = bytes_of(block);
  const auto fresh = bytes_of(ingot::live<T>());
  ASSERT_GE(left.size(), fresh.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (i >= 24 && i < 32) continue; // number of bytes used
    ASSERT_EQ(left[i], i < fresh.size() ? fresh[i] : std::byte{0}) << i;
  }
}

/// Offers every flipped bit and every prefix. `use` is called for each accepted mutant, and does
/// everything to it.
template <class T, class Use>
void expect_damage_is_survived(const ingot::live<T>& block, Use use) {
  const auto whole = bytes_of(block);
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    auto opened = ingot::live<T>::open(damaged);
    if (!opened) continue;
    ++accepted;
    use(**opened);
    opened->compact();
    auto again = ingot::live<T>::open(opened->bytes());
    ASSERT_TRUE(again.has_value()) << "bit " << bit << ": " << again.error().message();
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ingot::live<T>::open(std::span(whole).first(size)).has_value()) << size;
  }
  // Flipped bits of numbers and text are accepted: with none of them the test would test nothing.
  EXPECT_GT(accepted, 0U);
}

} // namespace ingot_test
