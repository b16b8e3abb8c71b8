// SPDX-License-Identifier: Apache-2.0
// Tight floats: every float and double is read back without loss of a bit, 0.1 takes two bytes, and
// a value has one form. Without this, numbers would change on their way, or two writers would
// disagree about equal values.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/detail/compact_tight.hpp>

#include "compact_expect.hpp"
#include "rounding_modes.hpp"

#include <array>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tights {

struct narrow {
  float value = 0;
};
struct wide {
  double value = 0;
};
struct part {
  double x = 0.5;
  std::int32_t y = -1;
};
struct all {
  std::uint64_t count = 5;
  std::int32_t change = 0;
  double share = 0.1;
  std::string name = "none";
  std::array<float, 3> place{};
  std::uint64_t hash = 0;
  part inner;
  std::vector<double> values;
};
struct keyed {
  std::map<double, std::uint8_t> map;
  std::set<float> set;
};

} // namespace tights

template <>
inline constexpr auto ingot::annotations<tights::narrow> = ingot::annotate(ingot::type(ingot::tight_float));
template <>
inline constexpr auto ingot::annotations<tights::wide> =
    ingot::annotate(ingot::member<"value">(ingot::tight_float));
template <>
inline constexpr auto ingot::annotations<tights::part> = ingot::annotate(ingot::type(ingot::tight));
template <>
inline constexpr auto ingot::annotations<tights::all> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"hash">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<tights::keyed> = ingot::annotate(ingot::type(ingot::tight_float));

namespace compact_tight_test {

using compact_test::expect_bytes;
using compact_test::expect_rejected;
using compact_test::hex;
using ingot::errc;
using tights::all;
using tights::keyed;
using tights::narrow;
using tights::wide;

template <class T>
using holder = std::conditional_t<sizeof(T) == 4, narrow, wide>;

/// Returns the bytes that a number takes if a decoder and a view both read it back to the bit; else
/// 0.
template <class T>
std::size_t size_of(T number) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::array<std::byte, 16> memory{};
  const auto size = ingot::compact::pack_to(std::span(memory), holder<T>{number});
  if (!size) return 0;
  const ingot::bytes_view bytes(memory.data(), *size);
  const auto read = ingot::compact::unpack<holder<T>>(bytes);
  if (!read || std::bit_cast<bits>(read->value) != std::bit_cast<bits>(number)) return 0;
  return ingot::compact::packed_size(holder<T>{number}) == *size ? *size : 0;
}
struct numbers { // the same numbers on every machine
  std::uint64_t state = 1;
  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
  }
};
const int many = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 2'000 : 100'000;

TEST(compact_tight_float, small_whole_numbers_take_a_byte) {
  for (int i = -32; i < 160; ++i) {
    EXPECT_EQ(size_of(static_cast<float>(i)), 1U) << i;
    EXPECT_EQ(size_of(static_cast<double>(i)), 1U) << i;
  }
  expect_bytes(wide{159}, "9f");
  expect_bytes(wide{-1}, "a0");
  expect_bytes(narrow{-32}, "bf");
}

TEST(compact_tight_float, decimals_of_few_digits_take_few_bytes) {
  expect_bytes(wide{0.1}, "c6 01");
  expect_bytes(narrow{0.1F}, "c6 01");
  expect_bytes(wide{-0.5}, "c6 fb");
  expect_bytes(wide{160}, "c1 a0 00");
  expect_bytes(wide{12.34}, "cd d2 04");
  expect_bytes(wide{-273.15}, "cd 4d 95");
  expect_bytes(wide{1e-6}, "e4 01");
  expect_bytes(wide{1e6}, "c2 40 42 0f");
  expect_bytes(wide{123456.789}, "d5 15 cd 5b 07");
  expect_bytes(wide{140'737'488'355'327}, "c5 ff ff ff ff ff 7f");
  expect_bytes(narrow{8'388'607}, "c2 ff ff 7f");
}

TEST(compact_tight_float, zero_bits_at_the_end_are_left_out) {
  expect_bytes(wide{-0.0}, "fc 00 80");
  expect_bytes(wide{std::numeric_limits<double>::infinity()}, "fc f0 7f");
  expect_bytes(narrow{-std::numeric_limits<float>::infinity()}, "fc 80 ff");
  expect_bytes(wide{std::ldexp(1, 100)}, "fc 30 46");
  expect_bytes(wide{std::ldexp(1 + 1.0 / 4096, 100)}, "fd 01 30 46");
  expect_bytes(wide{static_cast<double>(std::ldexp(1 + 1.0F / 0x800000, 100))}, "fe 01 00 80 71");
  expect_bytes(wide{1.0 / 3}, "ff 55 55 55 55 55 55 d5 3f");
  expect_bytes(narrow{1.0F / 3}, "ff ab aa aa 3e");
}

TEST(compact_tight_float, every_float_and_double_comes_back_to_the_bit) {
  for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint32_t fraction : {0x0U, 0x1U, 0x100000U, 0x400000U, 0x400001U, 0x7FFFFFU, 0x123456U}) {
      EXPECT_NE(size_of(std::bit_cast<float>(exponent << 23 | fraction)), 0U) << exponent << " " << fraction;
    }
  }
  for (std::uint64_t exponent = 0; exponent < 2048; ++exponent) {
    for (const std::uint64_t fraction :
         {0x0ULL, 0x1ULL, 0x8000000000000ULL, 0x20000000ULL, 0x10000000ULL, 0xFFFFFFFFFFFFFULL}) {
      EXPECT_NE(size_of(std::bit_cast<double>(std::uint64_t{1} << 63 | exponent << 52 | fraction)), 0U)
          << exponent;
    }
  }
  numbers from;
  int lost = 0;
  for (int i = 0; i < many; ++i) {
    const std::uint64_t bits = from.next();
    lost += size_of(std::bit_cast<double>(bits)) == 0 ? 1 : 0;
    lost += size_of(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) == 0 ? 1 : 0;
  }
  EXPECT_EQ(lost, 0);
}

TEST(compact_tight_float, every_decimal_is_found_and_so_are_its_neighbours) {
  numbers from;
  int lost = 0;
  int longer = 0;
  for (int i = 0; i < many; ++i) {
    const std::uint64_t digits = from.next() >> (17 + from.next() % 46);
    const auto decimals = static_cast<unsigned>(from.next() % 10);
    const double number = std::bit_cast<double>(ingot::detail::decimal_bits(digits, decimals));
    const std::size_t size = size_of(number);
    lost += size == 0 || size_of(-number) == 0 ? 1 : 0;
    lost += size_of(std::nextafter(number, 0.0)) == 0 || size_of(std::nextafter(number, 1e300)) == 0 ? 1 : 0;
    lost += size_of(static_cast<float>(number)) == 0 ? 1 : 0;
    // the lead byte, and bytes for the digits and a sign
    const std::size_t max_size = 1 + (static_cast<std::size_t>(std::bit_width(digits)) + 8) / 8;
    longer += number >= 0x1p-20 && size > max_size ? 1 : 0;
  }
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(longer, 0);
}

TEST(compact_tight_float, divides_as_the_machine_does_when_it_rounds_to_the_nearest) {
#if FLT_EVAL_METHOD == 0
  constexpr std::array<double, 10> powers{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
  numbers from;
  int differences = 0;
  for (int i = 0; i < many; ++i) {
    const std::uint64_t digits = from.next() >> (11 + from.next() % 53);
    for (unsigned decimals = 0; decimals < 10; ++decimals) {
      const double machines = static_cast<double>(digits) / powers[decimals];
      differences +=
          ingot::detail::decimal_bits(digits, decimals) == std::bit_cast<std::uint64_t>(machines) ? 0 : 1;
      differences += ingot::detail::decimal_bits_of<4>(digits, decimals) ==
                             std::bit_cast<std::uint32_t>(static_cast<float>(machines))
                         ? 0
                         : 1;
    }
  }
  EXPECT_EQ(differences, 0);
#else
  GTEST_SKIP() << "this machine rounds twice, which is why there is no division by it";
#endif
}

TEST(compact_tight_float, means_the_same_number_however_the_program_rounds) {
  numbers from;
  int lost = 0;
  for (int i = 0; i < many / 10; ++i) {
    const std::uint64_t digits = from.next() >> (17 + from.next() % 46);
    const double number =
        std::bit_cast<double>(ingot::detail::decimal_bits(digits, static_cast<unsigned>(from.next() % 10)));
    const auto small = static_cast<float>(number);
    const auto bytes = ingot::compact::pack(wide{number}).value();
    const auto view = ingot::compact::view<wide>::open(bytes).value();
    for (const int mode : ingot_test::rounding_modes) {
      const bool set = std::fesetround(mode) == 0;
      const std::size_t size = size_of(number);
      const std::size_t small_size = size_of(small);
      const double seen = view.get<"value">();
      std::fesetround(FE_TONEAREST);
      lost += set && size == bytes.size() && small_size != 0 &&
                      std::bit_cast<std::uint64_t>(seen) == std::bit_cast<std::uint64_t>(number)
                  ? 0
                  : 1;
    }
  }
  EXPECT_EQ(lost, 0);
}

TEST(compact_tight_float, a_longer_form_than_needed_is_rejected) {
  // a whole number that takes one byte
  expect_rejected<wide>(hex("c0 05"), {errc::not_canonical, 0, "value"});
  expect_rejected<wide>(hex("c0 00"), {errc::not_canonical, 0, "value"});    // zero
  expect_rejected<wide>(hex("c7 01 00"), {errc::not_canonical, 0, "value"}); // 0.1 in two bytes
  expect_rejected<wide>(hex("cc 0a"), {errc::not_canonical, 0, "value"});    // 0.10
  // 0.1 in full, 0.5, 2^100 in three bytes and as a float, a NaN as a float
  expect_rejected<wide>(hex("ff 9a 99 99 99 99 99 b9 3f"), {errc::not_canonical, 0, "value"});
  expect_rejected<wide>(hex("fc e0 3f"), {errc::not_canonical, 0, "value"});
  expect_rejected<wide>(hex("fd 00 30 46"), {errc::not_canonical, 0, "value"});
  expect_rejected<wide>(hex("fe 00 00 80 71"), {errc::not_canonical, 0, "value"});
  expect_rejected<wide>(hex("fe 00 00 c0 7f"), {errc::not_canonical, 0, "value"});
  // not a normal float
  expect_rejected<wide>(hex("fe 01 00 00 00"), {errc::not_canonical, 0, "value"});
  // a float value as a float
  expect_rejected<narrow>(hex("fe 00 00 80 3f"), {errc::not_canonical, 0, "value"});
  expect_rejected<narrow>(hex("c3 00 00 80 00"),
                          {errc::not_canonical, 0, "value"}); // more digits than floats have
  expect_rejected<wide>(hex(""), {errc::truncated, 0, "value"});
  expect_rejected<wide>(hex("c1 a0"), {errc::truncated, 0, "value"});
  expect_rejected<wide>(hex("ff 55 55 55 55 55 55 d5"), {errc::truncated, 0, "value"});
}

TEST(compact_tight_float, every_input_is_rejected_or_the_form_of_its_value) {
  int accepted = 0;
  for (unsigned lead = 0; lead < 256; ++lead) {
    numbers from{lead};
    for (int i = 0; i < 40; ++i) {
      std::vector<std::byte> bytes{static_cast<std::byte>(lead)};
      const unsigned size = ingot::detail::tight_payload(lead, 8);
      const std::uint64_t payload = from.next() >> (i % 9 * 8 % 64);
      for (unsigned k = 0; k < size; ++k) bytes.push_back(static_cast<std::byte>(payload >> (8 * k)));
      const auto read = ingot::compact::unpack<wide>(bytes);
      if (!read) continue;
      ++accepted;
      EXPECT_TRUE(pack_test::same_bytes(ingot::compact::pack(*read).value(), bytes)) << lead;
    }
  }
  EXPECT_GT(accepted, 192 * 40);
}

TEST(compact_tight_float, in_keys_there_is_no_nan_and_one_zero) {
  expect_bytes(keyed{{{0.1, 1}, {2, 2}}, {-1.5F, 3}}, "02 c6 01 01 02 02  02 c6 f1 03");
  expect_bytes(keyed{{{-0.0, 1}}, {}}, "01 00 01 00");
  expect_rejected<keyed>(hex("01 fc 00 80 01 00"), {errc::not_canonical, 1, "map[0]"});
  expect_rejected<keyed>(hex("01 fc f8 7f 01 00"), {errc::not_canonical, 1, "map[0]"});
  expect_rejected<keyed>(hex("02 02 01 c6 01 02 00"), {errc::unsorted_keys, 3, "map[1]"});
}

TEST(compact_tight, a_type_has_all_that_loses_nothing) {
  static_assert(ingot::type_has<all, ingot::varint_t> && ingot::type_has<all, ingot::elide_defaults_t>);
  expect_bytes(all{}, "00");
  all value;
  value.count = 300;
  value.share = 0.25;
  value.hash = 1;
  value.inner.y = 64;
  value.values = {0, 0.1, 1.0 / 3};
  expect_bytes(value,
               "e5 ac 02  cc 19  01 00 00 00 00 00 00 00  02 80 01  03 00 c6 01 ff 55 55 55 55 55 55 d5 3f");
  const auto bytes = ingot::compact::pack(value).value();
  const auto seen = ingot::compact::view<all>::open(bytes);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"count">(), 300U);
  EXPECT_EQ(seen->get<"share">(), 0.25);
  EXPECT_EQ(seen->get<"name">(), "none");
  EXPECT_EQ(seen->get<"inner">().get<"x">(), 0.5);
  EXPECT_EQ(seen->get<"inner">().get<"y">(), 64);
  EXPECT_EQ(seen->get<"values">()[1], 0.1);
  EXPECT_EQ(seen->get<"values">()[2], 1.0 / 3);
  EXPECT_EQ(seen->get<"place">()[2], 0.0F);
}

TEST(compact_tight, the_pack_profile_is_as_it_was) {
  EXPECT_EQ(ingot::packed_size(wide{0.1}), 8U);
  EXPECT_EQ(ingot::unpack<wide>(ingot::pack(wide{0.1}).value()).value().value, 0.1);
}

} // namespace compact_tight_test
