// SPDX-License-Identifier: Apache-2.0
// Portable bytes are little-endian on every machine and at every alignment. scripts/matrix runs
// these tests on big-endian machines, too.
#include <ingot/core/endian.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace {

using ingot::load_le;
using ingot::store_le;

enum class colour : std::uint16_t { teal = 0x1234 };

template <class T>
constexpr bool round_trips(T value) {
  std::array<std::byte, sizeof(T)> bytes{};
  store_le(bytes.data(), value);
  return load_le<T>(bytes.data()) == value;
}

TEST(store_le, puts_the_low_byte_first) {
  std::array<std::byte, 8> bytes{};
  store_le(bytes.data(), std::uint64_t{0x0102030405060708});
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(bytes[i], std::byte(8 - i)) << i;
  store_le(bytes.data(), std::uint16_t{0xA1B2});
  EXPECT_EQ(bytes[0], std::byte{0xB2});
  EXPECT_EQ(bytes[1], std::byte{0xA1});
  store_le(bytes.data(), 1.0f); // 0x3F800000
  EXPECT_EQ(bytes[3], std::byte{0x3F});
  EXPECT_EQ(bytes[2], std::byte{0x80});
}

TEST(store_le, touches_no_byte_beyond_the_value) {
  std::array<std::byte, 6> bytes{};
  bytes.fill(std::byte{0xEE});
  store_le(bytes.data() + 1, std::uint32_t{0});
  EXPECT_EQ(bytes[0], std::byte{0xEE});
  EXPECT_EQ(bytes[5], std::byte{0xEE});
  EXPECT_EQ(bytes[1], std::byte{0});
  EXPECT_EQ(bytes[4], std::byte{0});
}

TEST(load_le, reads_at_any_alignment) {
  std::array<std::byte, 24> bytes{};
  for (std::size_t shift = 0; shift < 16; ++shift) {
    store_le(bytes.data() + shift, 0x0123456789ABCDEFULL);
    EXPECT_EQ(load_le<std::uint64_t>(bytes.data() + shift), 0x0123456789ABCDEFULL) << shift;
  }
}

TEST(load_le, inverts_store_le) {
  EXPECT_TRUE(round_trips(std::int8_t{-128}));
  EXPECT_TRUE(round_trips(std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(round_trips(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(round_trips(colour::teal));
  EXPECT_TRUE(round_trips(std::byte{200}));
  EXPECT_TRUE(round_trips(U'\U0010FFFF'));
}

TEST(load_le, keeps_the_payload_of_a_nan) {
  const auto quiet = std::bit_cast<double>(0x7FF8000000ABCDEFULL);
  std::array<std::byte, 8> bytes{};
  store_le(bytes.data(), quiet);
  EXPECT_EQ(load_le<std::uint64_t>(bytes.data()), 0x7FF8000000ABCDEFULL);
}

TEST(endian, works_in_constant_expressions) {
  static_assert(round_trips(std::uint32_t{0xDEADBEEF}));
  static_assert(round_trips(2.5));
  static_assert(round_trips(colour::teal));
  static_assert([] {
    std::array<std::byte, 2> bytes{};
    store_le(bytes.data(), std::uint16_t{0x0102});
    return bytes[0] == std::byte{2};
  }());
}

} // namespace
