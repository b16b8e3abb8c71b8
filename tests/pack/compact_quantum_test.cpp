// SPDX-License-Identifier: Apache-2.0
// Floats that are rounded to steps: never by more than half a step, with an error where they can't
// be, and the same on every machine.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/detail/compact_quantum.hpp>
#include <ingot/schema/schema_id.hpp>

#include "compact_expect.hpp"
#include "rounding_modes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace quanta {

struct one {
  double value = 0;
};
struct narrow {
  float value = 0;
};
struct coarse {
  double value = 0;
};
struct spot {
  float x = 0;
  float y = 0;
};
struct track {
  std::vector<spot> points;
  std::array<double, 2> bounds{};
  std::optional<float> speed;
};
struct usual {
  double level = 0.5;
  float gain = 1;
  std::array<float, 2> pair{};
};
struct exact {
  double value = 0;
};
struct pose {
  std::array<float, 3> position{};
  std::array<float, 3> direction{};
  std::array<float, 4> rotation{};
};

} // namespace quanta

template <>
inline constexpr auto ingot::annotations<quanta::one> =
    ingot::annotate(ingot::member<"value">(ingot::quantize(0.01)));
template <>
inline constexpr auto ingot::annotations<quanta::narrow> =
    ingot::annotate(ingot::member<"value">(ingot::quantize(0.001)));
template <>
inline constexpr auto ingot::annotations<quanta::coarse> =
    ingot::annotate(ingot::member<"value">(ingot::quantize(30)));
template <>
inline constexpr auto ingot::annotations<quanta::spot> =
    ingot::annotate(ingot::member<"x">(ingot::quantize(0.25)), ingot::member<"y">(ingot::quantize(0.25)));
template <>
inline constexpr auto ingot::annotations<quanta::track> = ingot::annotate(
    ingot::member<"bounds">(ingot::quantize(0.5)), ingot::member<"speed">(ingot::quantize(0.1)));
template <>
inline constexpr auto ingot::annotations<quanta::usual> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"level">(ingot::quantize(1)),
                    ingot::member<"gain">(ingot::quantize(0.1)), ingot::member<"pair">(ingot::quantize(0.1)));
template <>
inline constexpr auto ingot::annotations<quanta::pose> =
    ingot::annotate(ingot::member<"position">(ingot::quantize(0.001)),
                    ingot::member<"direction">(ingot::quantize(0.000125)),
                    ingot::member<"rotation">(ingot::quantize(0.000125)));

namespace compact_quantum_test {

using compact_test::expect_bytes;
using compact_test::expect_rejected;
using compact_test::hex;
using ingot::errc;

/// Returns the value after packing and decoding.
template <class Holder, class T>
T through(T value) {
  return ingot::compact::unpack<Holder>(ingot::compact::pack(Holder{value}).value()).value().value;
}

TEST(compact_quantize, a_float_is_a_number_of_steps) {
  expect_bytes(quanta::one{0}, "00");
  expect_bytes(quanta::one{0.01}, "02");
  expect_bytes(quanta::one{-0.01}, "01");
  expect_bytes(quanta::one{12.34}, "a4 13");
  expect_bytes(quanta::coarse{90}, "06");
  EXPECT_EQ(through<quanta::one>(12.34), 12.34); // the nearest double, not a product
  EXPECT_EQ(through<quanta::one>(0.3), 0.3);
  EXPECT_EQ(through<quanta::narrow>(0.1F), 0.1F);
  EXPECT_FALSE(std::signbit(through<quanta::one>(-0.0)));
}

TEST(compact_quantize, rounds_to_the_nearest_step_and_halves_away_from_zero) {
  EXPECT_EQ(through<quanta::one>(0.0049), 0);
  EXPECT_EQ(through<quanta::one>(-0.0051), -0.01);
  EXPECT_EQ(through<quanta::coarse>(15.0), 30);
  EXPECT_EQ(through<quanta::coarse>(std::nextafter(15.0, 0.0)), 0);
  EXPECT_EQ(through<quanta::coarse>(-45.0), -60);
  EXPECT_EQ(through<quanta::coarse>(5e-324), 0);
}

TEST(compact_quantize, errs_by_up_to_half_a_step_and_only_once) {
  double worst = 0;
  const int stride = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 97 : 1;
  for (int i = -50'000; i < 50'000; i += stride) {
    const double value = i * 0.000'173'1;
    const double once = through<quanta::one>(value);
    worst = std::max(worst, std::abs(once - value));
    ASSERT_EQ(through<quanta::one>(once), once) << value;
    const auto small = static_cast<float>(value);
    const float rounded = through<quanta::narrow>(small);
    ASSERT_LE(std::abs(rounded - small), 0.0005F + std::abs(small) * 0x1p-24F) << small;
    ASSERT_EQ(through<quanta::narrow>(rounded), rounded) << small;
  }
  EXPECT_LE(worst, 0.005 + 1e-14);
  EXPECT_GT(worst, 0.0049); // the bound is reached
}

/// Returns a vector of length one: point `i` of a walk over the sphere that comes near every point.
template <std::size_t N>
std::array<float, N> unit(int i) {
  std::array<double, N> wide{};
  double squares = 0;
  for (std::size_t k = 0; k < N; ++k) {
    wide[k] = std::sin(i * (1.1 + 0.7 * static_cast<double>(k)) + static_cast<double>(k));
    squares += wide[k] * wide[k];
  }
  std::array<float, N> direction{};
  for (std::size_t k = 0; k < N; ++k) direction[k] = static_cast<float>(wide[k] / std::sqrt(squares));
  return direction;
}
/// Returns the distance between the ends of two vectors, which for small angles is the angle.
template <std::size_t N>
double apart(const std::array<float, N>& a, const std::array<float, N>& b) {
  double squares = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
    squares += difference * difference;
  }
  return std::sqrt(squares);
}
TEST(compact_quantize, a_pose_takes_two_bytes_a_number_and_turns_by_less_than_a_sixtieth_of_a_degree) {
  double turned = 0;
  double rotated = 0;
  const int stride = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 97 : 1;
  for (int i = 1; i < 30'000; i += stride) {
    const quanta::pose before{{1.0F, 2.0F, -3.0F}, unit<3>(i), unit<4>(i)};
    const auto bytes = ingot::compact::pack(before).value();
    ASSERT_LE(bytes.size(), 20U) << i;
    const auto after = ingot::compact::unpack<quanta::pose>(bytes).value();
    turned = std::max(turned, apart(before.direction, after.direction));
    rotated = std::max(rotated, 2 * apart(before.rotation, after.rotation));
  }
  // radians: half a step in each of three directions, that is 0.0063 degrees
  EXPECT_LE(turned, 1.09e-4);
  EXPECT_LE(rotated, 2.51e-4); // half a step in each of four, of half the angle: 0.0144 degrees
  EXPECT_GT(turned, 0.9e-4);   // the bound is nearly reached
}

TEST(compact_quantize, a_step_finer_than_the_float_loses_nothing) {
  for (float value = 8'000.0F; value < 9e12F; value *= 1.37F)
    EXPECT_EQ(through<quanta::narrow>(value), value);
}

TEST(compact_quantize, counts_fine_steps_right_and_never_past_their_end) {
  namespace d = ingot::detail;
  std::uint64_t state = 1;
  const auto next = [&state] { return state = state * 6364136223846793005U + 1442695040888963407U; };
  int wrong = 0;
  std::int64_t steps = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto digits = static_cast<unsigned>(next() >> 32) % 10;
    const std::uint64_t count = next() >> (12 + i % 52);
    wrong += d::quantise(d::decimal_bits(count, digits), {1, digits}, steps) &&
                     steps == static_cast<std::int64_t>(count)
                 ? 0
                 : 1;
    // from 2^24 to 2^53 there are too many steps of 10^-9: a count that wrapped around in 64 bits
    // must not be accepted
    const std::uint64_t far = static_cast<std::uint64_t>(1023 + 24 + i % 29) << 52 | next() >> 12;
    wrong += d::quantise(far, {1, 9}, steps) ? 1 : 0;
    wrong += d::quantise(far, {4'294'967'295, 9}, steps) && (far >> 52) >= 1023 + 33 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(d::quantise(std::bit_cast<std::uint64_t>(9'223'372'036.0), {4'294'967'295, 9},
                           steps)); // twice this value is almost 2^64 units
  EXPECT_TRUE(d::quantise(std::bit_cast<std::uint64_t>(9'007'199.25), {1, 9}, steps));
  EXPECT_EQ(steps, 9'007'199'250'000'000);
  EXPECT_FALSE(d::quantise(std::bit_cast<std::uint64_t>(9'007'199.26), {1, 9}, steps));
}

TEST(compact_quantize, means_the_same_number_however_the_program_rounds) {
  int lost = 0;
  for (int i = -3'000; i < 3'000; ++i) {
    const double value = through<quanta::one>(i * 0.017'31);
    const float small = through<quanta::narrow>(static_cast<float>(value));
    for (const int mode : ingot_test::rounding_modes) {
      const bool set = std::fesetround(mode) == 0;
      const auto read = ingot::compact::unpack<quanta::one>(ingot::compact::pack(quanta::one{value}).value());
      const auto small_read =
          ingot::compact::unpack<quanta::narrow>(ingot::compact::pack(quanta::narrow{small}).value());
      std::fesetround(FE_TONEAREST);
      lost += set && read && read->value == value && small_read && small_read->value == small ? 0 : 1;
    }
  }
  EXPECT_EQ(lost, 0);
}

TEST(compact_quantize, value_without_a_number_of_steps_is_an_error_with_its_path) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), 90'071'992'547'409.92, -1e300}) {
    const auto packed = ingot::compact::pack(quanta::one{value});
    ASSERT_FALSE(packed) << value;
    EXPECT_EQ(packed.error().code(), errc::out_of_range);
    EXPECT_EQ(packed.error().path(), "value");
  }
  EXPECT_TRUE(ingot::compact::pack(quanta::one{90'071'992'547'409.9}));
  quanta::track far;
  far.points = {{0, 0}, {0, std::numeric_limits<float>::infinity()}};
  const auto packed = ingot::compact::pack(far);
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().path(), "points[1].y");
  EXPECT_FALSE(ingot::compact::packed_size(far));
  const quanta::track wide{{}, {0, std::numeric_limits<double>::infinity()}, {}};
  EXPECT_EQ(ingot::compact::pack(wide).error().path(), "bounds[1]");
  const std::array<quanta::one, 2> pair{{{0}, {1e300}}};
  EXPECT_EQ(ingot::compact::pack(pair).error().path(), "[1].value");
}

TEST(compact_quantize, reaches_elements_of_all_that_is_no_record) {
  const quanta::track track{{{0.25F, -1}, {100, 0.1F}}, {0.7, -3}, 2.04F};
  expect_bytes(quanta::track{{{0.25F, -1}, {100, 0}}, {0.5, -3}, 2}, "02 02 07 a0 06 00  02 0b  01 28");
  const auto bytes = ingot::compact::pack(track).value();
  EXPECT_TRUE(pack_test::same_bytes(bytes, hex("02 02 07 a0 06 00  02 0b  01 28")));
  const auto seen = ingot::compact::view<quanta::track>::open(bytes).value();
  EXPECT_EQ(seen.get<"points">()[1].get<"x">(), 100);
  EXPECT_EQ(seen.get<"bounds">()[1], -3);
}

TEST(compact_quantize, what_is_read_as_its_default_is_left_out) {
  expect_bytes(quanta::usual{}, "00");
  const auto bytes = [](const quanta::usual& value) { return ingot::compact::pack(value).value(); };
  EXPECT_TRUE(
      // all rounded to their defaults
      pack_test::same_bytes(bytes({0.5, 1.04F, {0, 0.01F}}), hex("00")));
  EXPECT_TRUE(
      // the default 0.5 is half a step, which is not a number of steps: 0.4 differs from it
      pack_test::same_bytes(bytes({0.4, 1, {}}), hex("01 00")));
  for (const double level : {0.0, 0.5, 0.6, 1.0, -0.2}) {
    for (const float gain : {0.0F, 0.96F, 1.0F, 1.06F}) {
      const auto once = bytes({level, gain, {gain, 0}});
      const auto read = ingot::compact::unpack<quanta::usual>(once);
      ASSERT_TRUE(read) << level << " " << gain;
      EXPECT_EQ(bytes(*read), once);
      EXPECT_TRUE(ingot::compact::validate<quanta::usual>(ingot::as_bytes_view(once)));
    }
  }
  expect_rejected<quanta::usual>(hex("02 14"), {errc::not_canonical, 1, "gain"});
}

TEST(compact_quantize, hostile_numbers_of_steps_are_rejected) {
  expect_rejected<quanta::one>(hex(""), {errc::truncated, 0, "value"});
  expect_rejected<quanta::one>(hex("80 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<quanta::one>(hex("ff ff ff ff ff ff ff ff ff 01"), {errc::out_of_range, 0, "value"});
  // 2^53
  expect_rejected<quanta::one>(hex("80 80 80 80 80 80 80 20"), {errc::out_of_range, 0, "value"});
  EXPECT_TRUE(ingot::compact::unpack<quanta::one>(hex("fe ff ff ff ff ff ff 1f")));
  expect_rejected<quanta::coarse>(hex("fe ff ff ff ff ff ff 1f"), {errc::out_of_range, 0, "value"});
  // if two numbers of steps give the same float, readers accept only the number that the float
  // rounds to
  expect_rejected<quanta::narrow>(hex("82 80 80 80 80 80 80 10"), {errc::not_canonical, 0, "value"});
}

TEST(compact_quantize, other_profiles_and_types_are_distinguished) {
  EXPECT_EQ(ingot::unpack<quanta::one>(ingot::pack(quanta::one{0.123}).value()).value().value, 0.123);
  EXPECT_NE(ingot::schema_id<quanta::one>, ingot::schema_id<quanta::exact>);
  EXPECT_NE(ingot::schema_id<quanta::one>, ingot::schema_id<quanta::coarse>);
}

} // namespace compact_quantum_test
