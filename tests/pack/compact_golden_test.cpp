// SPDX-License-Identifier: Apache-2.0
// Compact bytes never change: writers still produce every committed golden, and readers still read
// it.
//
// The files are tests/golden/compact_<name>.hex, see golden_file.hpp.
#include <ingot/pack/compact_view.hpp>
#include <ingot/schema/description.hpp>

#include "compact_agrees.hpp"
#include "described_types.hpp"
#include "dynamic/byte_map.hpp"
#include "golden_file.hpp"
#include "zoo/zoo.hpp"

#include <gtest/gtest.h>

namespace compact_goldens {

struct plain {
  bool flag = true;
  std::int16_t number = -2;
  float real = 1.5F;
  std::string text = "plain";
  std::vector<std::uint16_t> list{1, 256};
};
ZOO_MEMBERS(plain, flag, number, real, text, list)
struct varying {
  std::uint32_t small = 5;
  std::uint64_t large = ~std::uint64_t{0};
  std::int32_t negative = -65;
  std::uint32_t kept = 1;
  std::vector<std::int64_t> list{0, -1, 64, 1'000'000};
  std::map<std::uint16_t, std::int32_t> table{{1, -1}, {300, 300}};
  std::optional<std::uint32_t> maybe = 128;
};
ZOO_MEMBERS(varying, small, large, negative, kept, list, table, maybe)
struct shortened {
  float one = 1;
  double tenth = 0.1;
  float negative_zero = -0.0F;
  std::vector<double> list{0, 0.5, 480, 481, -7.0 / 512};
};
ZOO_MEMBERS(shortened, one, tenth, negative_zero, list)
struct sparse {
  std::uint8_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  std::string ninth = "nine";
};
ZOO_MEMBERS(sparse, a, b, c, d, e, f, g, h, ninth)
struct tightened {
  double tenth = 0;
  double cold = -273.15;
  float whole = 159;
  double third = 1.0 / 3;
  double minus = -0.0;
  double single = 0;
  std::uint64_t count = 300;
  std::uint32_t hash = 0;
  std::vector<float> list;
};
ZOO_MEMBERS(tightened, tenth, cold, whole, third, minus, single, count, hash, list)
struct quantised {
  double price = 12.34;
  std::vector<float> path{0.25F, -1'000, 0};
};
ZOO_MEMBERS(quantised, price, path)
struct directed {
  std::array<float, 3> normal{0.6F, 0, -0.8F};
  std::array<double, 3> up{0, 1, 0};
  std::array<float, 4> rotation{-0.099'982'485F, 0.700'005'531F, -0.499'997'854F, 0.499'997'854F};
  std::vector<std::array<float, 4>> bones{{0, 0, 0, 1}, {0, 0, 0, 0}};
  std::array<float, 3> exact{1, 2, 3};
};
ZOO_MEMBERS(directed, normal, up, rotation, bones, exact)

} // namespace compact_goldens

template <>
inline constexpr auto ingot::annotations<compact_goldens::varying> =
    ingot::annotate(ingot::type(ingot::varint), ingot::member<"kept">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<compact_goldens::shortened> =
    ingot::annotate(ingot::type(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<compact_goldens::sparse> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<compact_goldens::tightened> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"hash">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<compact_goldens::quantised> = ingot::annotate(
    ingot::member<"price">(ingot::quantize(0.01)), ingot::member<"path">(ingot::quantize(0.25)));
template <>
inline constexpr auto ingot::annotations<compact_goldens::directed> =
    ingot::annotate(ingot::member<"normal">(ingot::unit_vector), ingot::member<"up">(ingot::unit_vector(24)),
                    ingot::member<"rotation">(ingot::unit_vector),
                    ingot::member<"bones">(ingot::unit_vector(32)));

namespace compact_golden_test {

using namespace compact_goldens;

/// Calls f(name, value). Values are fixed here and never change; new ones are appended.
template <class F>
void for_each_compact_golden(F&& f) {
  f("plain", plain{});
  f("varying", varying{});
  f("shortened", shortened{});
  f("sparse_default", sparse{});
  f("sparse", sparse{1, 2, 3, 4, 50, 6, 7, 8, "ninth"});
  f("long_string", std::string(300, 'x'));
  f("u16string", std::u16string(u"\u00E9\u4E2D"));
  f("vector_string", std::vector<std::string>{"", "a", "bc"});
  f("optional_absent", std::optional<std::uint32_t>{});
  f("optional_present", std::optional<std::string>{"here"});
  f("variant", std::variant<std::uint8_t, std::string, double>{2.0});
  f("expected_error", std::expected<std::string, std::uint16_t>{std::unexpected(std::uint16_t{404})});
  f("map", std::map<std::string, std::vector<std::uint8_t>>{{"a", {1}}, {"b", {}}, {"aa", {2, 3}}});
  f("unordered_map", std::unordered_map<std::uint32_t, std::string>{{256, "b"}, {1, "a"}, {2, "c"}});
  f("unordered_multimap", std::unordered_multimap<std::string, std::uint16_t>{{"k", 2}, {"k", 1}, {"a", 9}});
  f("tuple", std::tuple<std::uint8_t, std::string, bool>{1, "t", true});
  f("bitset", std::bitset<11>(0x555));
  f("array_string", std::array<std::string, 2>{"x", "yz"});
  f("sensor_v1", zoo::sensor_v1{7, "roof"});
  f("sensor_v2", zoo::sensor_v2{7, "roof", 1.5, {"a", "b"}});
  f("vector_sensor_v2", std::vector<zoo::sensor_v2>{{1, "x", 0.5, {}}, {2, "", 0.25, {"t"}}});
  f("preferences", [] {
    zoo::preferences p;
    p.volume = 11;
    p.recent = {"one"};
    return p;
  }());
  f("tightened", tightened{0.1, -273.15, 160, 0.25, -0.0, 0.1F, 300, 0xCAFE, {0.1F, 1.0F / 3, -0.0F, 1e-6F}});
  f("quantised", quantised{});
  f("directed", directed{});
}

std::string file_of(std::string_view name) { return "compact_" + std::string(name); }

TEST(compact_golden, bytes_are_those_committed) {
  ingot_test::described_types known;
  std::size_t found = 0;
  for_each_compact_golden([&]<class T>(std::string_view name, const T& value) {
    found += known.expect(file_of(name), ingot::schema_bytes<T>()) ? 1 : 0;
    const auto packed = ingot::compact::pack(value);
    ASSERT_TRUE(packed) << name;
    const auto golden = ingot_test::golden(file_of(name), "type: " + std::string(name) + " (compact profile)",
                                           ingot::bytes_view(*packed));
    EXPECT_TRUE(pack_test::same_bytes(*packed, golden)) << name;
  });
  EXPECT_EQ(found, 7U); // the types that the tests of the Python reader know
}

TEST(compact_golden, committed_bytes_are_still_read) {
  for_each_compact_golden([]<class T>(std::string_view name, const T& value) {
    const auto golden = ingot_test::golden(file_of(name));
    const auto read = ingot::compact::unpack<T>(golden);
    ASSERT_TRUE(read) << name << ": " << read.error().message();
    EXPECT_TRUE(zoo::equal(*read, value)) << name;
    const auto seen = ingot::compact::view<T>::open(golden);
    ASSERT_TRUE(seen) << name;
    if constexpr (compact_test::byte_text<T> || ingot::kind_of<T> == ingot::kind::bitset) {
      EXPECT_TRUE(compact_test::shows(**seen, value)) << name;
    } else {
      EXPECT_TRUE(compact_test::shows(*seen, value)) << name;
    }
  });
}

TEST(compact_golden, a_map_of_bytes_has_every_byte_once) {
  for_each_compact_golden([]<class T>(std::string_view name, const T&) {
    const auto golden = ingot_test::golden(file_of(name));
    const auto message = ingot::dynamic_message::open(
        golden,
        ingot::dynamic_schema::open(ingot::schema_bytes<T>(), ingot::message_profile::compact).value());
    ASSERT_TRUE(message) << name << ": " << message.error().message();
    EXPECT_EQ(byte_map_test::cover(*message).verdict(), "") << name;
  });
}

} // namespace compact_golden_test
