// SPDX-License-Identifier: Apache-2.0
// Validation collects the bytes after many short texts and tests once whether any of them was
// wrong. If a bit is lost, the length of a text, or the bytes after it, are not validated.
#include <ingot/live/detail/reserved_bits_check.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace stray_bits_test {

using ingot::detail::reserved_bits_check;

template <std::size_t Size>
using byte_row = std::array<std::byte, Size>;

template <std::size_t Size, std::uint8_t MaxLast>
bool finds(const byte_row<Size>& bytes, const byte_row<Size>& forbidden) {
  reserved_bits_check found;
  found.look<Size, MaxLast>(bytes.data(), forbidden.data());
  return !found.none();
}

template <std::size_t Size, std::uint8_t MaxLast>
void each_bit_counts_where_it_is_forbidden() {
  for (std::size_t bit = 0; bit < 8 * (Size - 1); ++bit) {
    byte_row<Size> bytes{};
    byte_row<Size> forbidden{};
    bytes[bit / 8] = std::byte{1} << bit % 8;
    EXPECT_FALSE((finds<Size, MaxLast>(bytes, forbidden))) << bit;
    forbidden[bit / 8] = ~bytes[bit / 8];
    EXPECT_FALSE((finds<Size, MaxLast>(bytes, forbidden))) << bit;
    forbidden[bit / 8] = bytes[bit / 8];
    EXPECT_TRUE((finds<Size, MaxLast>(bytes, forbidden))) << bit;
  }
}
template <std::size_t Size, std::uint8_t MaxLast>
void the_last_byte_may_be_as_much_as_is_allowed() {
  for (unsigned mark = 0; mark < 256; ++mark) {
    byte_row<Size> bytes{};
    byte_row<Size> forbidden{};
    bytes.back() = static_cast<std::byte>(mark);
    EXPECT_FALSE((finds<Size, MaxLast>(bytes, forbidden))) << mark;
    forbidden.back() = std::byte{0xff};
    EXPECT_EQ((finds<Size, MaxLast>(bytes, forbidden)), mark > MaxLast) << mark;
  }
}

TEST(live_stray_bits, each_bit_counts_where_it_is_forbidden) {
  each_bit_counts_where_it_is_forbidden<16, 11>();
  each_bit_counts_where_it_is_forbidden<32, 23>();
}
TEST(live_stray_bits, the_last_byte_may_be_as_much_as_is_allowed) {
  the_last_byte_may_be_as_much_as_is_allowed<16, 11>();
  the_last_byte_may_be_as_much_as_is_allowed<16, 2>();
  the_last_byte_may_be_as_much_as_is_allowed<32, 23>();
}
TEST(live_stray_bits, nothing_that_was_found_is_forgotten) {
  const byte_row<16> clean{};
  byte_row<16> forbidden{};
  forbidden.fill(std::byte{0xff});
  for (std::size_t at = 0; at < 16; ++at) {
    byte_row<16> bytes{};
    bytes[at] = std::byte{0x80};
    reserved_bits_check found;
    found.look<16, 11>(clean.data(), forbidden.data());
    EXPECT_TRUE(found.none());
    found.look<16, 11>(bytes.data(), forbidden.data());
    for (int i = 0; i < 3; ++i) found.look<16, 11>(clean.data(), forbidden.data());
    EXPECT_FALSE(found.none()) << at;
  }
}

} // namespace stray_bits_test
