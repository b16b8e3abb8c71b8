// SPDX-License-Identifier: Apache-2.0
// Short floats: one byte for numbers that it represents exactly, and every other float without loss
// of a bit.
#include <ingot/pack/compact.hpp>

#include "compact_expect.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include <gtest/gtest.h>

namespace floats {

struct narrow {
  float value = 0;
};
struct wide {
  double value = 0;
};
struct many {
  std::vector<float> values;
  std::complex<float> kept;
};

} // namespace floats

template <>
inline constexpr auto ingot::annotations<floats::narrow> =
    ingot::annotate(ingot::member<"value">(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<floats::wide> =
    ingot::annotate(ingot::member<"value">(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<floats::many> = ingot::annotate(ingot::type(ingot::short_float));

namespace compact_float_test {

using compact_test::expect_bytes;
using compact_test::expect_rejected;
using compact_test::hex;
using floats::narrow;
using floats::wide;
using ingot::errc;

/// Returns the number that docs/format.md defines for a byte s eeee mmm, computed by ldexp.
double meaning(unsigned byte) {
  const int exponent = static_cast<int>(byte >> 3 & 15);
  const double fraction = static_cast<double>(byte & 7) / 8;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -6) : std::ldexp(1 + fraction, exponent - 7);
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}

template <class T>
bool survives(T number) {
  const auto packed = ingot::compact::pack(std::conditional_t<sizeof(T) == 4, narrow, wide>{number});
  if (!packed) return false;
  const auto read = ingot::compact::unpack<std::conditional_t<sizeof(T) == 4, narrow, wide>>(packed);
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return read && std::bit_cast<bits>(read->value) == std::bit_cast<bits>(number);
}

TEST(compact_short_float, every_byte_but_the_escape_is_the_form_of_one_float) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (byte == 0x80) continue;
    const std::vector<std::byte> bytes{static_cast<std::byte>(byte)};
    const auto read = ingot::compact::unpack<narrow>(bytes);
    ASSERT_TRUE(read) << byte;
    EXPECT_EQ(static_cast<double>(read->value), meaning(byte)) << byte;
    EXPECT_TRUE(pack_test::same_bytes(ingot::compact::pack(*read).value(), bytes)) << byte;
    EXPECT_EQ(ingot::compact::unpack<wide>(bytes).value().value, meaning(byte)) << byte;
    EXPECT_TRUE(pack_test::same_bytes(ingot::compact::pack(wide{meaning(byte)}).value(), bytes)) << byte;
  }
}

TEST(compact_short_float, small_whole_numbers_and_halves_take_a_byte) {
  for (const float number :
       {0.0F, 1.0F, -1.0F, 0.5F, 0.25F, 1.5F, 2.0F, 3.0F, 10.0F, 15.0F, 16.0F, 100.0F - 4, 480.0F, -480.0F}) {
    EXPECT_EQ(ingot::compact::packed_size(narrow{number}), 1U) << number;
  }
  for (const float number : {0.1F, 17.0F, 512.0F, 1.0F / 1024, 1.0625F}) {
    EXPECT_EQ(ingot::compact::packed_size(narrow{number}), 5U) << number;
    EXPECT_EQ(ingot::compact::packed_size(wide{static_cast<double>(number)}), 9U) << number;
  }
}

TEST(compact_short_float, all_other_floats_keep_their_bits) {
  for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint32_t fraction : {0x0U, 0x1U, 0x100000U, 0x400000U, 0x400001U, 0x7FFFFFU, 0x123456U}) {
      for (const std::uint32_t sign : {0U, 0x80000000U}) {
        EXPECT_TRUE(survives(std::bit_cast<float>(sign | exponent << 23 | fraction)))
            << exponent << " " << fraction;
      }
    }
  }
  for (const std::uint64_t bits :
       {0x0000000000000001ULL, 0x8000000000000000ULL, 0x7FF0000000000000ULL, 0xFFF0000000000000ULL,
        0x7FF0000000000001ULL, 0x7FF8000000001234ULL, 0xFFFFFFFFFFFFFFFFULL, 0x000FFFFFFFFFFFFFULL,
        0x3FF0000000000001ULL, 0x3FF2000000000001ULL}) {
    EXPECT_TRUE(survives(std::bit_cast<double>(bits))) << bits;
  }
}

TEST(compact_short_float, what_has_no_short_form_follows_the_escape) {
  expect_bytes(narrow{-0.0F}, "80 00 00 00 80");
  expect_bytes(narrow{std::numeric_limits<float>::infinity()}, "80 00 00 80 7f");
  expect_bytes(wide{0.1}, "80 9a 99 99 99 99 99 b9 3f");
  expect_bytes(narrow{std::numeric_limits<float>::denorm_min()}, "80 01 00 00 00");
}

TEST(compact_short_float, a_float_in_full_that_has_a_short_form_is_rejected) {
  expect_rejected<narrow>(hex("80 00 00 80 3f"), {errc::not_canonical, 0, "value"});
  expect_rejected<narrow>(hex("80 00 00 00 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<narrow>(hex("80 00 00 00 3b"), {errc::not_canonical, 0, "value"}); // 1/512
  expect_rejected<wide>(hex("80 00 00 00 00 00 00 f0 3f"), {errc::not_canonical, 0, "value"});
  expect_rejected<narrow>(hex("80 00 00 80"), {errc::truncated, 0, "value"});
  expect_rejected<wide>(hex("80 00 00 80 3f"), {errc::truncated, 0, "value"});
  expect_rejected<narrow>(hex(""), {errc::truncated, 0, "value"});
}

TEST(compact_short_float, reaches_elements_but_not_complex_numbers) {
  expect_bytes(floats::many{{1.0F, 0.1F}, {1.0F, 0.0F}}, "02 38 80 cd cc cc 3d  00 00 80 3f 00 00 00 00");
}

} // namespace compact_float_test
