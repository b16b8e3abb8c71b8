// SPDX-License-Identifier: Apache-2.0
// Directions and rotations as units: the error is never larger than documented, a value that is
// neither is reported, and bytes and numbers are the same on every machine.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/detail/compact_unit.hpp>
#include <ingot/schema/schema_id.hpp>

#include "compact_expect.hpp"
#include "rounding_modes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace units {

struct normal {
  std::array<float, 3> n{};
};
struct pose {
  std::string name;
  float position[3]{};
  float facing[3]{};
  std::array<double, 4> rotation{};
};
struct many {
  std::vector<std::array<float, 3>> normals;
  std::optional<std::array<float, 4>> turn;
  std::variant<float, std::array<double, 3>> up;
  std::map<std::string, std::array<float, 3>> named;
  float matrix[2][3]{};
};
struct usual {
  std::array<float, 3> up{0, 1, 0};
  std::array<float, 3> none{};
  std::array<float, 4> turn{0, 0, 0, 1};
  std::uint8_t last = 0;
};
struct evolving {
  std::array<float, 3> a{};
  std::array<float, 3> b{0, 0, 1};
};
struct joint {
  std::string name;
  std::array<float, 3> position{};
  std::array<float, 4> rotation{0, 0, 0, 1};
  float scale = 1;
  std::uint32_t parent = 0;
};
struct spelt {
  std::string name;
  std::array<float, 3> position{};
  std::array<float, 4> rotation{0, 0, 0, 1};
  float scale = 1;
  std::uint32_t parent = 0;
};
struct both {
  std::vector<std::variant<float, std::array<float, 3>, std::uint32_t>> all;
};

template <class T, std::size_t N, unsigned Bits>
struct sized {
  std::array<T, N> value{};
};

} // namespace units

template <>
inline constexpr auto ingot::annotations<units::normal> =
    ingot::annotate(ingot::member<"n">(ingot::unit_vector));
template <>
inline constexpr auto ingot::annotations<units::pose> =
    ingot::annotate(ingot::member<"position">(ingot::quantize(0.001)),
                    ingot::member<"facing">(ingot::unit_vector(24)),
                    ingot::member<"rotation">(ingot::unit_vector(32)));
template <>
inline constexpr auto ingot::annotations<units::many> =
    ingot::annotate(ingot::member<"normals">(ingot::unit_vector(16)),
                    ingot::member<"turn">(ingot::unit_vector), ingot::member<"up">(ingot::unit_vector(40)),
                    ingot::member<"named">(ingot::unit_vector),
                    ingot::member<"matrix">(ingot::unit_vector(24)));
template <>
inline constexpr auto ingot::annotations<units::usual> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"up">(ingot::unit_vector(16)),
                    ingot::member<"none">(ingot::unit_vector), ingot::member<"turn">(ingot::unit_vector));
template <>
inline constexpr auto ingot::annotations<units::evolving> =
    ingot::annotate(ingot::type(ingot::evolvable), ingot::member<"a">(ingot::unit_vector),
                    ingot::member<"b">(ingot::unit_vector(16)));
template <>
inline constexpr auto ingot::annotations<units::joint> =
    ingot::annotate(ingot::type(ingot::tight, ingot::transform(0.001, 32, 0.01)));
template <>
inline constexpr auto ingot::annotations<units::spelt> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"position">(ingot::quantize(0.001)),
                    ingot::member<"rotation">(ingot::unit_vector(32)),
                    ingot::member<"scale">(ingot::quantize(0.01)));
template <>
inline constexpr auto ingot::annotations<units::both> =
    ingot::annotate(ingot::member<"all">(ingot::varint, ingot::quantize(0.5), ingot::unit_vector(24)));
template <class T, std::size_t N, unsigned Bits>
inline constexpr auto ingot::annotations<units::sized<T, N, Bits>> =
    ingot::annotate(ingot::member<"value">(ingot::unit_vector(Bits)));

namespace compact_unit_test {

using compact_test::expect_bytes;
using compact_test::expect_rejected;
using compact_test::hex;
using ingot::errc;
namespace d = ingot::detail;

template <class Holder, class T>
T through(const T& value) {
  return ingot::compact::unpack<Holder>(ingot::compact::pack(Holder{value}).value()).value().value;
}

/// Returns the angle between two directions, or between the lines of two quaternions. Small angles
/// are as exact as others.
template <class T, std::size_t N>
double angle(const std::array<T, N>& a, const std::array<T, N>& b) {
  double length_a = 0;
  double length_b = 0;
  double dot = 0;
  for (std::size_t k = 0; k < N; ++k) {
    length_a += static_cast<double>(a[k]) * static_cast<double>(a[k]);
    length_b += static_cast<double>(b[k]) * static_cast<double>(b[k]);
    dot += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  const double scale_a = 1 / std::sqrt(length_a);
  const double scale_b = (N == 4 && dot < 0 ? -1 : 1) / std::sqrt(length_b);
  double apart = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const double off = static_cast<double>(a[k]) * scale_a - static_cast<double>(b[k]) * scale_b;
    apart += off * off;
  }
  return 2 * std::asin(std::sqrt(apart) / 2);
}

/// Directions of all kinds: a walk over the sphere, then near its poles, near the edges of its
/// octants, and where the largest component changes.
template <class T, std::size_t N, class F>
void for_each_unit(F&& f) {
  const auto give = [&](const std::array<double, N>& wide) {
    double squares = 0;
    for (const double part : wide) squares += part * part;
    if (squares == 0) return;
    std::array<T, N> direction{};
    for (std::size_t k = 0; k < N; ++k) direction[k] = static_cast<T>(wide[k] / std::sqrt(squares));
    f(direction);
  };
  const int stride = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 97 : 1;
  for (int i = 1; i < 30'000; i += stride) {
    std::array<double, N> wide{};
    for (std::size_t k = 0; k < N; ++k)
      wide[k] = std::sin(i * (1.1 + 0.7 * static_cast<double>(k)) + static_cast<double>(k));
    give(wide);
  }
  constexpr double near_by[] = {0.0, -0.0, 1e-9, -1e-7, 1e-5, -0.004, 0.5, -0.999'99, 1.0, 1.000'01, -1.0};
  constexpr std::size_t choices = std::size(near_by);
  std::size_t all = 1;
  for (std::size_t k = 0; k < N; ++k) all *= choices;
  for (std::size_t i = 0; i < all; i += static_cast<std::size_t>(stride)) {
    std::array<double, N> wide{};
    for (std::size_t k = 0, rest = i; k < N; ++k, rest /= choices) wide[k] = near_by[rest % choices];
    give(wide);
  }
}

template <class T, std::size_t N, unsigned Bits>
void expect_within(double stated_degrees) {
  using holder = units::sized<T, N, Bits>;
  constexpr double degree = 57.295'779'513'082'32;
  const auto n = static_cast<double>(d::unit_steps(N, Bits / 8));
  const double bound = N == 3 ? std::asin(std::sqrt(2.0) / n) : 2 * std::asin(std::sqrt(3.0) / 2 / n);
  EXPECT_LE(bound * degree, stated_degrees);
  double worst = 0;
  double longest = 0;
  int moved = 0;
  const auto look = [&](const std::array<T, N>& value) {
    const auto bytes = ingot::compact::pack(holder{value}).value();
    const auto once = ingot::compact::unpack<holder>(bytes).value().value;
    worst = std::max(worst, angle(value, once) * (N == 4 ? 2 : 1));
    double squares = 0;
    for (const T part : once) squares += static_cast<double>(part) * static_cast<double>(part);
    longest = std::max(longest, std::abs(std::sqrt(squares) - 1));
    moved += ingot::compact::pack(holder{once}).value() == bytes && through<holder>(once) == once ? 0 : 1;
  };
  for_each_unit<T, N>(look);
  // the worst case: the largest distance from codes where the surface is nearest
  std::array<double, N> far{};
  if constexpr (N == 3) far = {std::floor(n / 3) + 1 / 3.0, std::floor(n / 3) + 1 / 3.0, 0};
  else far = {0.499, 0.499, 0.499, n};
  if constexpr (N == 3) far[2] = n - far[0] - far[1];
  double squares = 0;
  for (const double part : far) squares += part * part;
  std::array<T, N> rounded{};
  for (std::size_t k = 0; k < N; ++k) rounded[k] = static_cast<T>(far[k] / std::sqrt(squares));
  look(rounded);
  EXPECT_LE(worst, bound + 2e-7) << N << " in " << Bits; // plus the rounding of floats
  EXPECT_GT(worst, bound * 0.95) << N << " in " << Bits; // the bound is nearly reached
  EXPECT_LE(longest, 1.2e-7);
  EXPECT_EQ(moved, 0); // a value that was read is written unchanged
}

TEST(compact_unit_vector, a_direction_turns_by_no_more_than_is_stated) {
  expect_within<float, 3, 16>(0.639);
  expect_within<float, 3, 24>(0.0396);
  expect_within<float, 3, 32>(0.0025);
  expect_within<double, 3, 32>(0.0025);
  expect_within<float, 3, 40>(0.000'16);
  expect_within<double, 3, 40>(0.000'16);
}
TEST(compact_unit_vector, a_rotation_is_off_by_no_more_than_is_stated) {
  expect_within<float, 4, 24>(1.576);
  expect_within<float, 4, 32>(0.195);
  expect_within<float, 4, 40>(0.0485);
  expect_within<float, 4, 48>(0.0061);
  expect_within<double, 4, 48>(0.0061);
  expect_within<float, 4, 56>(0.000'76);
  expect_within<float, 4, 64>(0.000'19);
  expect_within<double, 4, 64>(0.000'19);
}

TEST(compact_unit_vector, has_the_bytes_that_are_documented) {
  expect_bytes(units::sized<float, 3, 16>{{1, 0, 0}}, "fe 7f");
  expect_bytes(units::sized<float, 3, 16>{{-1, 0, 0}}, "00 7f");
  expect_bytes(units::sized<float, 3, 16>{{0, 1, 0}}, "7f fe");
  expect_bytes(units::sized<float, 3, 16>{{0, 0, 1}}, "7f 7f");
  expect_bytes(units::sized<float, 3, 16>{{0, 0, -1}}, "fe fe");
  expect_bytes(units::sized<float, 3, 24>{{0, -1, 0}}, "ff 07 00");
  expect_bytes(units::normal{{0, 1, 0}}, "ff 7f fe ff");
  expect_bytes(units::normal{{0, 0, 0}}, "ff ff ff ff");
  expect_bytes(units::sized<float, 4, 32>{{1, 0, 0, 0}}, "fc f7 df 7f");
  expect_bytes(units::sized<float, 4, 32>{{0, 0, 0, 1}}, "ff f7 df 7f");
  expect_bytes(units::sized<double, 4, 48>{{0, 0, 0, 0}}, "ff ff ff ff ff ff");
  const auto of = [](const auto& value) { return ingot::compact::pack(value).value(); };
  EXPECT_TRUE(pack_test::same_bytes(of(units::normal{{0.6F, 0, -0.8F}}), hex("fe ff 23 c9")));
  EXPECT_TRUE(pack_test::same_bytes(of(units::sized<float, 4, 48>{{0.1F, -0.7F, 0.5F, -0.5F}}),
                                    hex("6d db 92 24 b5 6d")));
}

TEST(compact_unit_vector, of_two_quaternions_that_are_one_rotation_there_is_one) {
  using holder = units::sized<float, 4, 48>;
  const auto as = [](const std::array<float, 4>& q) { return through<holder>(q); };
  EXPECT_EQ(as({0, 0, 0, -1}), (std::array<float, 4>{0, 0, 0, 1}));
  EXPECT_EQ(as({-0.5F, 0.5F, -0.5F, 0.5F}), (std::array<float, 4>{0.5F, -0.5F, 0.5F, -0.5F}));
  EXPECT_EQ(as({0.1F, -0.7F, 0.7F, 0.1F}), as({-0.1F, 0.7F, -0.7F, -0.1F}));
  for_each_unit<float, 4>([&](const std::array<float, 4>& q) {
    const std::array<float, 4> other{-q[0], -q[1], -q[2], -q[3]};
    ASSERT_EQ(ingot::compact::pack(holder{q}).value(), ingot::compact::pack(holder{other}).value());
  });
}

TEST(compact_unit_vector, minus_zero_is_zero) {
  for (const float value : through<units::sized<float, 3, 32>>(std::array<float, 3>{-0.0F, -1, -0.0F}))
    EXPECT_EQ(std::signbit(value), value < 0);
  for (const float value : through<units::sized<float, 3, 32>>(std::array<float, 3>{-0.0F, -0.0F, -0.0F})) {
    EXPECT_EQ(value, 0.0F);
    EXPECT_FALSE(std::signbit(value));
  }
  expect_bytes(units::sized<float, 3, 16>{{0.0F, -1, 0.0F}}, "7f 00");
  EXPECT_TRUE(pack_test::same_bytes(
      ingot::compact::pack(units::sized<float, 3, 16>{{-0.0F, -1, -1e-20F}}).value(), hex("7f 00")));
}

TEST(compact_unit_vector, value_of_another_length_is_an_error_with_its_path) {
  constexpr float huge = std::numeric_limits<float>::infinity();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  using wrong = std::array<float, 3>;
  for (const wrong& n : {wrong{none, 0, 0}, wrong{0, 1, none}, wrong{huge, 0, 0}, wrong{0, -huge, huge},
                         wrong{1, 1, 0}, wrong{0.99F, 0, 0}, wrong{0, 1.01F, 0}, wrong{0, 0, 1e-30F},
                         wrong{0, 0, 1e-42F}, wrong{0, 0, 2}, wrong{3e38F, 3e38F, 3e38F}}) {
    const auto packed = ingot::compact::pack(units::normal{n});
    ASSERT_FALSE(packed) << n[0] << " " << n[1] << " " << n[2];
    EXPECT_EQ(packed.error().code(), errc::out_of_range);
    EXPECT_EQ(packed.error().path(), "n");
    EXPECT_FALSE(ingot::compact::packed_size(units::normal{n}));
  }
  for (const wrong& n : {wrong{0.9922F, 0, 0}, wrong{0, 0, -1.0078F}, wrong{1e-42F, 1, 0}})
    EXPECT_TRUE(ingot::compact::pack(units::normal{n}));
  units::many all;
  all.normals = {{1, 0, 0}, {0, 1, 1}};
  EXPECT_EQ(ingot::compact::pack(all).error().path(), "normals[1]");
  all = {};
  all.turn = {{0, 0, 0, 2}};
  EXPECT_EQ(ingot::compact::pack(all).error().path(), "turn");
  all = {};
  all.matrix[1][2] = 3;
  EXPECT_EQ(ingot::compact::pack(all).error().path(), "matrix[1]");
  const std::vector<units::normal> list{{{1, 0, 0}}, {{4, 0, 0}}};
  EXPECT_EQ(ingot::compact::pack(list).error().path(), "[1].n");
}

TEST(compact_unit_vector, reaches_arrays_of_three_and_four_and_nothing_else) {
  const units::pose pose{"p", {1, 2, 3}, {0, 1, 0}, {0, 0, 0, 1}};
  const auto bytes = ingot::compact::pack(pose).value();
  EXPECT_TRUE(pack_test::same_bytes(bytes, hex("01 70  d0 0f a0 1f f0 2e  ff e7 ff  ff f7 df 7f")));
  const auto read = ingot::compact::unpack<units::pose>(bytes).value();
  EXPECT_EQ(read.facing[1], 1);
  EXPECT_EQ(read.rotation, pose.rotation);

  units::many all;
  all.normals = {{1, 0, 0}, {0, 0, -1}, {}};
  all.turn = {{0, 1, 0, 0}};
  all.up = std::array<double, 3>{0, 0, 1};
  all.named = {{"a", {0, -1, 0}}};
  expect_bytes(all, "03 fe 7f fe fe ff ff  01 fd ff fe 7f ff 3f  01 ff ff f7 ff 7f  01 01 61 ff 7f 00 00"
                    " ff ff ff ff ff ff");
  all.up = 1.5F; // a full float next to a direction
  const auto again = ingot::compact::unpack<units::many>(ingot::compact::pack(all).value()).value();
  EXPECT_EQ(std::get<0>(again.up), 1.5F);

  const units::both mixed{{0.75F, std::array<float, 3>{0, 0, 1}, 300U}};
  EXPECT_TRUE(
      pack_test::same_bytes(ingot::compact::pack(mixed).value(), hex("03  00 04  01 ff f7 7f  02 ac 02")));
}

TEST(compact_unit_vector, is_seen_in_place_as_an_array) {
  units::many all;
  all.normals = {{1, 0, 0}, {0, 0, -1}, {}};
  all.turn = {{0, 1, 0, 0}};
  all.up = std::array<double, 3>{0, 0, 1};
  all.named = {{"a", {0, -1, 0}}, {"b", {1, 0, 0}}};
  all.matrix[1][1] = -1;
  const auto bytes = ingot::compact::pack(all).value();
  const auto seen = ingot::compact::view<units::many>::open(bytes).value();
  using direction = std::array<float, 3>;
  EXPECT_EQ(seen.get<"normals">().size(), 3U);
  EXPECT_EQ(seen.get<"normals">()[1], (direction{0, 0, -1}));
  EXPECT_EQ(seen.get<"normals">().back(), direction{});
  EXPECT_EQ(*seen.get<"turn">(), (std::array<float, 4>{0, 1, 0, 0}));
  EXPECT_EQ(seen.get<"up">().get<1>(), (std::array<double, 3>{0, 0, 1}));
  EXPECT_EQ((*seen.get<"named">().find("b")).second, (direction{1, 0, 0}));
  EXPECT_EQ(seen.get<"matrix">()[1], (direction{0, -1, 0}));
  std::array<direction, 3> copied{};
  seen.get<"normals">().copy_to(copied.data());
  EXPECT_EQ(copied[0], (direction{1, 0, 0}));
  EXPECT_EQ(seen.unpack().value().matrix[1][1], -1);

  const auto plain = ingot::compact::pack(units::pose{"p", {1, 2, 3}, {0, 1, 0}, {0, 0, 0, 1}}).value();
  const auto pose = ingot::compact::view<units::pose>::open(plain).value();
  EXPECT_EQ(pose.get<"facing">()[1], 1);
  EXPECT_EQ(pose.get<"rotation">()[3], 1);
  EXPECT_EQ(pose.get<"position">()[2], 3);
}

TEST(compact_unit_vector, what_is_read_as_its_default_is_left_out) {
  expect_bytes(units::usual{}, "00");
  const auto bytes = [](const units::usual& value) { return ingot::compact::pack(value).value(); };
  EXPECT_TRUE(
      pack_test::same_bytes(bytes({{0.001F, 0.999'99F, 0}, {-0.0F, 0, 0}, {0, 0, 0, -1}, 0}), hex("00")));
  EXPECT_TRUE(pack_test::same_bytes(bytes({{0, -1, 0}, {}, {0, 0, 0, 1}, 0}), hex("01 7f 00")));
  EXPECT_TRUE(pack_test::same_bytes(bytes({{0, 1, 0}, {0, 0, 1}, {}, 7}),
                                    hex("0e ff 7f ff 7f ff ff ff ff ff ff 07")));
  expect_rejected<units::usual>(hex("01 7f fe"), {errc::not_canonical, 1, "up"});
  expect_rejected<units::usual>(hex("02 ff ff ff ff"), {errc::not_canonical, 1, "none"});
  // views show omitted members, also a default that is no direction
  const auto left_out = hex("08 05");
  const auto seen = ingot::compact::view<units::usual>::open(left_out);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"up">(), (std::array<float, 3>{0, 1, 0}));
  EXPECT_EQ(seen->get<"none">(), (std::array<float, 3>{}));
  EXPECT_EQ(seen->get<"turn">()[3], 1);
  EXPECT_EQ(seen->get<"last">(), 5);
}

TEST(compact_unit_vector, is_appended_to_what_evolves) {
  const auto bytes = ingot::compact::pack(units::evolving{{1, 0, 0}, {0, -1, 0}}).value();
  EXPECT_TRUE(pack_test::same_bytes(bytes, hex("06  fe ff ff 7f  7f 00")));
  const auto older = hex("04  fe ff ff 7f");
  const auto read = ingot::compact::unpack<units::evolving>(older).value();
  EXPECT_EQ(read.a[0], 1);
  EXPECT_EQ(read.b[2], 1);
  EXPECT_EQ(ingot::compact::view<units::evolving>::open(older).value().get<"b">()[2], 1);
  expect_rejected<units::evolving>(hex("05  fe ff ff 7f 7f"), {errc::truncated, 5, "b"});
}

TEST(compact_unit_vector, hostile_codes_are_rejected) {
  using small = units::sized<float, 3, 16>;
  using turn = units::sized<float, 4, 40>;
  expect_rejected<small>(hex(""), {errc::truncated, 0, "value"});
  expect_rejected<small>(hex("7f"), {errc::truncated, 0, "value"});
  expect_rejected<small>(hex("ff 7f"), {errc::not_canonical, 0, "value"}); // after the last number
  expect_rejected<small>(hex("7f ff"), {errc::not_canonical, 0, "value"});
  // the other corners of the fold
  expect_rejected<small>(hex("00 00"), {errc::not_canonical, 0, "value"});
  expect_rejected<small>(hex("00 fe"), {errc::not_canonical, 0, "value"});
  expect_rejected<small>(hex("fe 00"), {errc::not_canonical, 0, "value"});
  // the other halves of its edges
  expect_rejected<small>(hex("fe 7e"), {errc::not_canonical, 0, "value"});
  expect_rejected<small>(hex("7e 00"), {errc::not_canonical, 0, "value"});
  EXPECT_TRUE(ingot::compact::unpack<small>(hex("fe 80")));
  EXPECT_TRUE(ingot::compact::unpack<turn>(hex("ff ff ff ff ff")));
  expect_rejected<turn>(hex("ff ff ff ff 7f"), {errc::not_canonical, 0, "value"});
}

/// Every code of 16 and 24 bits: an accepted code is written unchanged, and the number of accepted
/// codes is that of the octahedron and of the rotations.
TEST(compact_unit_vector, every_direction_has_one_code) {
  const auto count = [](unsigned numbers, unsigned size, std::uint64_t stride) {
    std::uint64_t good = 0;
    int wrong = 0;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << 8 * size; code += stride) {
      if (!d::is_unit_code(code, numbers, size)) continue;
      ++good;
      const d::unit_parts parts = d::unit_of(code, numbers, size);
      std::uint64_t wide[4]{};
      std::uint64_t again = 0;
      for (unsigned i = 0; i < numbers; ++i)
        wide[i] = ingot::detail::widen_float(d::unit_part_bits<4>(parts, i));
      wrong += d::unit_code(wide, numbers, size, again) && again == code ? 0 : 1;
      for (unsigned i = 0; i < numbers; ++i) wide[i] = d::unit_part_bits<8>(parts, i);
      wrong += d::unit_code(wide, numbers, size, again) && again == code ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << numbers << " in " << size;
    return good;
  };
  EXPECT_EQ(count(3, 2, 1), 4U * 127 * 127 + 2 + 1);
  // Half of the quadruples of numbers from -63 to 63 that have at least one 63 or -63.
  if (std::getenv("INGOT_TEST_SAMPLED") == nullptr) {
    EXPECT_EQ(count(4, 3, 1), (127U * 127 * 127 * 127 - 125U * 125 * 125 * 125) / 2 + 1);
  }
  EXPECT_GT(count(3, 3, 97), 170'000U);
  EXPECT_GT(count(4, 5, 1'000'003), 250'000U);
}

TEST(compact_unit_vector, means_the_same_numbers_however_the_program_rounds) {
  int lost = 0;
  const int stride = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 97 : 1;
  int at = 0;
  for_each_unit<float, 4>([&](const std::array<float, 4>& q) {
    if (at++ % (7 * stride) != 0) return;
    const units::sized<float, 4, 64> value{q};
    const auto bytes = ingot::compact::pack(value).value();
    const auto read = ingot::compact::unpack<units::sized<float, 4, 64>>(bytes).value().value;
    for (const int mode : ingot_test::rounding_modes) {
      const bool set = std::fesetround(mode) == 0;
      const auto there = ingot::compact::pack(value);
      const auto back = ingot::compact::unpack<units::sized<float, 4, 64>>(bytes);
      std::fesetround(FE_TONEAREST);
      lost += set && there && *there == bytes && back && back->value == read ? 0 : 1;
    }
  });
  EXPECT_EQ(lost, 0);
}

TEST(compact_unit_vector, is_the_same_when_compiled_and_when_run) {
  constexpr auto numbers_of = [](std::uint64_t code) {
    const d::unit_parts parts = d::unit_of(code, 3, 4);
    return std::array{d::unit_part_bits<4>(parts, 0), d::unit_part_bits<4>(parts, 1),
                      d::unit_part_bits<4>(parts, 2)};
  };
  constexpr std::uint64_t code = 0x1234'5678;
  constexpr auto compiled = numbers_of(code);
  std::uint64_t here = code;
  EXPECT_EQ(numbers_of(here), compiled);
  // pinned: every other machine must give these
  EXPECT_EQ(compiled, (std::array<std::uint64_t, 3>{0xBE4B'F5C3, 0xBF72'36A4, 0xBE82'AB8B}));
}

TEST(compact_unit_vector, a_transform_is_what_its_members_would_say) {
  EXPECT_EQ(ingot::schema_id<units::joint>, ingot::schema_id<units::spelt>);
  const units::joint hand{"hand", {1.0004F, -2, 0}, {-0.5F, 0.5F, 0.5F, 0.5F}, 1.25F, 300};
  const auto bytes = ingot::compact::pack(hand).value();
  EXPECT_TRUE(
      pack_test::same_bytes(bytes, hex("1f  04 68 61 6e 64  d0 0f 9f 1f 00  00 00 00 00  fa 01  ac 02")));
  const auto read = ingot::compact::unpack<units::spelt>(bytes).value();
  EXPECT_EQ(read.position, (std::array<float, 3>{1, -2, 0}));
  EXPECT_EQ(read.rotation, (std::array<float, 4>{0.5F, -0.5F, -0.5F, -0.5F}));
  EXPECT_EQ(read.scale, 1.25F);
  expect_bytes(units::joint{}, "00");
  const auto wrong = ingot::compact::pack(units::joint{"", {}, {0, 0, 1, 1}, 1, 0});
  EXPECT_EQ(wrong.error().path(), "rotation");
  const auto far = ingot::compact::pack(units::joint{"", {0, 1e38F, 0}, {}, 1, 0});
  EXPECT_EQ(far.error().path(), "position[1]");
  const std::vector<units::joint> all{hand, {}, hand};
  const auto list = ingot::compact::pack(all).value();
  EXPECT_EQ(ingot::compact::view<std::vector<units::joint>>::open(list).value()[2].get<"rotation">()[0],
            0.5F);
}

TEST(compact_unit_vector, other_profiles_and_types_are_distinguished) {
  const units::normal odd{{3, 4, 5}};
  EXPECT_EQ(ingot::unpack<units::normal>(ingot::pack(odd).value()).value().n, odd.n);
  EXPECT_NE((ingot::schema_id<units::sized<float, 3, 16>>), (ingot::schema_id<units::sized<float, 3, 24>>));
  EXPECT_NE((ingot::schema_id<units::sized<float, 4, 32>>), (ingot::schema_id<units::sized<double, 4, 32>>));
}

} // namespace compact_unit_test
