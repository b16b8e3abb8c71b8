// SPDX-License-Identifier: Apache-2.0
// Round trips in constant expressions: the compiler guarantees that packing, decoding and viewing
// these values have no undefined behaviour.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "constant_containers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace constexpr_test {

template <class T>
constexpr bool round_trips(const T& value) {
  const auto packed = ingot::pack(value);
  if (!packed || ingot::packed_size(value).value() != packed->size()) return false;
  const auto read = ingot::unpack<T>(ingot::bytes_view(packed->data(), packed->size()));
  return read.has_value() && *read == value;
}

/// The bytes themselves, for comparison with those that the same value has at run time.
template <std::size_t N, class T>
constexpr std::array<std::byte, N> packed_bytes(const T& value) {
  std::array<std::byte, N> bytes{};
  ingot::fixed_buffer<N> sink;
  if (ingot::pack_to(sink, value).value_or(0) == N) std::copy(sink.begin(), sink.end(), bytes.begin());
  return bytes;
}

enum class colour : std::uint8_t { red, green, blue };

struct point {
  float x = 0;
  double y = 0;
  constexpr bool operator==(const point&) const = default;
};
struct padded {
  std::uint8_t a = 0;
  std::uint64_t b = 0;
  bool c = false;
  colour d = colour::red;
  constexpr bool operator==(const padded&) const = default;
};
struct named {
  std::uint16_t id = 0;
  std::string name;
  std::vector<std::string> others;
  std::optional<std::string> nick;
  point at;
  bool operator==(const named&) const = default; // constexpr if the members' comparisons are
};

TEST(pack_constexpr, fixed_types_round_trip) {
  static_assert(round_trips(true) && round_trips(std::uint8_t{200}) && round_trips(std::int16_t{-2}));
  static_assert(round_trips(std::uint32_t{0x12345678}) && round_trips(std::int64_t{-5'000'000'000}));
  static_assert(round_trips(1.5F) && round_trips(-0.25) && round_trips('x') && round_trips(u'\u20AC'));
  static_assert(round_trips(U'\U0001F600') && round_trips(std::byte{7}) && round_trips(colour::blue));
  static_assert(round_trips(std::chrono::seconds(-5)));
  static_assert(round_trips(std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(9))));
  static_assert(round_trips(std::complex<float>(1, -2)));
  static_assert(round_trips(std::array<std::uint16_t, 3>{1, 2, 3}));
  static_assert(round_trips(std::array<std::array<bool, 2>, 2>{{{true, false}, {false, true}}}));
  static_assert(round_trips(point{1, 2}) && round_trips(padded{1, 2, true, colour::green}));
}

TEST(pack_constexpr, text_and_vectors_round_trip) {
  INGOT_EXPECT_CONSTANT(round_trips(std::string()) && round_trips(std::string("short")));
  INGOT_EXPECT_CONSTANT(round_trips(std::string("longer than any string that lies inside its own object")));
  INGOT_EXPECT_CONSTANT(round_trips(std::u16string(u"a\u20AC")) &&
                        round_trips(std::u32string(U"\U0001F600")));
  INGOT_EXPECT_CONSTANT(round_trips(std::vector<std::uint32_t>{1, 2, 3}) &&
                        round_trips(std::vector<std::uint32_t>()));
  INGOT_EXPECT_CONSTANT(round_trips(std::vector<std::string>{"a", "", "bcd"}));
  INGOT_EXPECT_CONSTANT(round_trips(std::vector<std::vector<std::int8_t>>{{1}, {}, {-2, 3}}));
  INGOT_EXPECT_CONSTANT(
      round_trips(std::vector<padded>{{1, 2, true, colour::red}, {3, 4, false, colour::blue}}));
}

TEST(pack_constexpr, alternatives_round_trip) {
  static_assert(round_trips(std::optional<std::uint32_t>(5)) && round_trips(std::optional<std::uint32_t>()));
  INGOT_EXPECT_CONSTANT(round_trips(std::optional<std::string>("text")) &&
                        round_trips(std::optional<std::string>()));
  INGOT_EXPECT_CONSTANT(round_trips(std::variant<std::uint8_t, double>(2.5)));
  INGOT_EXPECT_CONSTANT(round_trips(std::variant<std::monostate, std::uint8_t, bool>(true)));
  INGOT_EXPECT_CONSTANT(
      round_trips(std::variant<std::uint32_t, std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 2})));
}

TEST(pack_constexpr, tuples_and_records_round_trip) {
  static_assert(round_trips(std::pair<std::uint8_t, double>(1, 2)));
  INGOT_EXPECT_CONSTANT(round_trips(std::tuple<bool, std::string, std::uint16_t>(true, "x", 9)));
  static_assert(round_trips(std::tuple<>()));
  INGOT_EXPECT_CONSTANT(round_trips(named{1, "n", {"a", "b"}, "nick", {1, 2}}));
  INGOT_EXPECT_CONSTANT(round_trips(std::vector<named>{{1, "n", {"a"}, {}, {}}, {}}));
}

TEST(pack_constexpr, foreign_bytes_are_rejected) {
  constexpr auto code = []<class T>(std::type_identity<T>, auto... numbers) {
    const std::array<std::byte, sizeof...(numbers)> bytes{static_cast<std::byte>(numbers)...};
    const auto read = ingot::unpack<T>(ingot::bytes_view(bytes.data(), bytes.size()));
    return read ? std::optional<ingot::errc>() : read.error().code();
  };
  static_assert(code(std::type_identity<bool>{}, 2) == ingot::errc::bad_bool);
  static_assert(code(std::type_identity<colour>{}, 3) == ingot::errc::bad_enum);
  static_assert(code(std::type_identity<std::uint32_t>{}, 1, 2, 3) == ingot::errc::truncated);
  INGOT_EXPECT_CONSTANT(code(std::type_identity<std::vector<std::string>>{}, 9, 0, 0, 0) ==
                        ingot::errc::bad_length);
  INGOT_EXPECT_CONSTANT(code(std::type_identity<std::vector<std::uint16_t>>{}, 1, 0, 2) ==
                        ingot::errc::bad_length);
  INGOT_EXPECT_CONSTANT(code(std::type_identity<std::optional<bool>>{}, 2, 0) == ingot::errc::bad_variant);
  static_assert(code(std::type_identity<std::uint16_t>{}, 1, 2) == std::nullopt);
}

TEST(pack_constexpr, options_apply_in_constant_expressions) {
  const auto code = [](const ingot::unpack_options& options) {
    std::array<std::byte, 5> bytes{};
    const auto whole = ingot::unpack<std::uint32_t>(ingot::bytes_view(bytes), options);
    if (!whole) return std::optional<ingot::errc>(whole.error().code());
    const auto list = ingot::unpack<std::vector<std::uint32_t>>(ingot::bytes_view(bytes).first(4), options);
    return list ? std::optional<ingot::errc>() : list.error().code();
  };
  INGOT_EXPECT_CONSTANT(code({.rest = ingot::trailing::allow}) == std::nullopt);
  INGOT_EXPECT_CONSTANT(code({.limits = {.max_memory = 1}}) == ingot::errc::trailing_bytes);
  INGOT_EXPECT_CONSTANT(code({.rest = ingot::trailing::allow, .limits = {.max_memory = 3}}) ==
                        ingot::errc::too_much_memory);
}

TEST(pack_constexpr, views_read_in_constant_expressions) {
  const auto sum = [] {
    const auto packed =
        ingot::pack(std::tuple(std::uint8_t{1}, std::vector<std::uint16_t>{2, 3}, std::uint32_t{4}));
    const auto seen = ingot::view<std::tuple<std::uint8_t, std::vector<std::uint16_t>, std::uint32_t>>::open(
        ingot::bytes_view(packed->data(), packed->size()));
    std::uint32_t total = seen->get<0>() + seen->get<2>();
    for (const std::uint16_t n : seen->get<1>()) total += n;
    return total;
  };
  INGOT_EXPECT_CONSTANT(sum() == 10);
}

TEST(pack_constexpr, bytes_are_those_of_run_time) {
  constexpr auto fixed = packed_bytes<11>(padded{1, 0x123456789ABCDEF0, true, colour::blue});
  INGOT_CONSTANT_CONTAINERS auto text = packed_bytes<17>(std::vector<std::string>{"ab", "cde"});
  INGOT_CONSTANT_CONTAINERS auto either =
      packed_bytes<9>(std::variant<std::uint8_t, double>(std::uint8_t{5}));
  // Reads a volatile, so that the compiler can't compute the result in advance.
  volatile std::uint8_t one = 1;
  EXPECT_EQ(packed_bytes<11>(padded{one, 0x123456789ABCDEF0, true, colour::blue}), fixed);
  EXPECT_EQ(packed_bytes<17>(std::vector<std::string>{std::string(one, 'a') + "b", "cde"}), text);
  EXPECT_EQ((packed_bytes<9>(std::variant<std::uint8_t, double>(static_cast<std::uint8_t>(one * 5)))),
            either);
}

} // namespace constexpr_test
