// SPDX-License-Identifier: Apache-2.0
// Records that omit members equal to their defaults: the mask, and one encoding for each value.
#include <ingot/pack/compact.hpp>

#include "compact_expect.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace elided {

struct inner {
  std::uint16_t a = 5;
  std::string b = "in";
};
struct inner_elided {
  std::uint8_t x = 1;
  std::uint8_t y = 2;
};
struct settings {
  std::uint8_t volume = 50;
  std::string language = "en";
  std::optional<std::uint8_t> depth = 8;
  std::vector<std::uint8_t> recent;
  inner nested;
  std::pair<std::uint8_t, float> pair{1, 0.0F};
  std::chrono::seconds time{60};
  std::bitset<9> flags{3};
  std::complex<float> point{1, -0.0F}; // a ninth member needs a second byte of mask
  std::array<inner_elided, 2> both{};
};
/// Kinds for which equality does not imply equal bytes, and a list whose default is not empty:
/// always written.
struct always {
  std::variant<std::uint8_t, bool> either;
  std::expected<std::uint8_t, bool> outcome;
  std::vector<std::uint8_t> list{1, 2};
};
struct annotated {
  std::uint8_t level = 0;
  std::string cached = "c";
  std::uint16_t points = 7;
};
struct paths {
  std::filesystem::path file = "a/b";
};
struct versioned {
  std::uint8_t version = 2;
  std::uint8_t value = 0;
};
struct chain {
  std::uint8_t value = 0;
  std::unique_ptr<chain> next;
};
struct limits {
  std::vector<std::string> few;
  std::string_view seen = "x";
};

} // namespace elided

template <>
inline constexpr auto ingot::annotations<elided::inner_elided> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<elided::settings> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<elided::always> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<elided::annotated> =
    ingot::annotate(ingot::type(ingot::elide_defaults, ingot::varint),
                    ingot::member<"level">(ingot::default_value(9)), ingot::member<"cached">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<elided::paths> = ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<elided::versioned> =
    ingot::annotate(ingot::type(ingot::elide_defaults, ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<elided::chain> = ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<elided::limits> =
    ingot::annotate(ingot::type(ingot::elide_defaults), ingot::member<"few">(ingot::max_size(1)));

namespace compact_elide_test {

using compact_test::expect_rejected;
using compact_test::hex;
using elided::settings;
using ingot::errc;

template <class T>
void expect_packed(const T& value, std::string_view bytes) {
  const auto packed = ingot::compact::pack(value);
  ASSERT_TRUE(packed) << packed.error().message();
  EXPECT_TRUE(pack_test::same_bytes(*packed, hex(bytes))) << bytes;
  const auto read = ingot::compact::unpack<T>(packed);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(ingot::compact::pack(*read), *packed) << bytes;
  EXPECT_TRUE(ingot::compact::validate<T>(ingot::as_bytes_view(*packed))) << bytes;
}

TEST(compact_elide, a_default_object_is_its_mask) {
  expect_packed(settings{}, "00 00");
  expect_packed(std::vector<settings>(2), "02 00 00 00 00");
}

TEST(compact_elide, members_that_differ_follow_the_mask) {
  settings value;
  value.volume = 51;
  expect_packed(value, "01 00 33");
  value = {};
  value.language = "";
  value.depth.reset();
  expect_packed(value, "06 00 00 00");
  value = {};
  value.depth = 9;
  value.recent = {1};
  expect_packed(value, "0c 00 01 09 01 01");
  value = {};
  value.nested.b = "out";
  expect_packed(value, "10 00 05 00 03 'out'");
  value = {};
  value.pair.second = -0.0F; // equal, but other bits
  value.time = std::chrono::seconds{61};
  expect_packed(value, "60 00 01 00 00 00 80 3d 00 00 00 00 00 00 00");
  value = {};
  value.flags = 7;
  value.point = {1, 0.0F};
  expect_packed(value, "80 01 07 00 00 00 80 3f 00 00 00 00");
  value = {};
  value.both[1].y = 3;
  expect_packed(value, "00 02 00 02 03");
}

TEST(compact_elide, a_value_has_one_encoding) {
  expect_rejected<settings>(hex("01 00 32"), {errc::not_canonical, 2, "volume"});
  expect_rejected<settings>(hex("02 00 02 'en'"), {errc::not_canonical, 2, "language"});
  expect_rejected<settings>(hex("04 00 01 08"), {errc::not_canonical, 2, "depth"});
  expect_rejected<settings>(hex("08 00 00"), {errc::not_canonical, 2, "recent"});
  expect_rejected<settings>(hex("10 00 05 00 02 'in'"), {errc::not_canonical, 2, "nested"});
  expect_rejected<settings>(hex("00 02 00 00"), {errc::not_canonical, 2, "both"});
  expect_rejected<settings>(hex("00 04"), {errc::bad_padding, 1});
  expect_rejected<settings>(hex("00"), {errc::truncated, 0});
}

TEST(compact_elide, what_is_never_left_out_must_be_there) {
  expect_packed(elided::always{}, "07 00 00 00 00 02 01 02");
  expect_rejected<elided::always>(hex("06 00 00 02 01 02"), {errc::not_canonical, 0, "either"});
  expect_rejected<elided::always>(hex("03 00 00 00 00"), {errc::not_canonical, 0, "list"});
  const auto emptied = ingot::compact::unpack<elided::always>(hex("07 00 00 00 00 00"));
  ASSERT_TRUE(emptied);
  EXPECT_TRUE(emptied->list.empty());
}

TEST(compact_elide, the_annotated_default_is_the_default) {
  expect_packed(elided::annotated{9, "c", 7}, "00");
  expect_packed(elided::annotated{0, "other", 300}, "03 00 ac 02");
  const auto read = ingot::compact::unpack<elided::annotated>(hex("00"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->level, 9);
  EXPECT_EQ(read->cached, "c");
  const auto bytes = hex("00");
  const auto seen = ingot::compact::view<elided::annotated>::open(bytes);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"level">(), 9);
  EXPECT_EQ(seen->get<"points">(), 7);
}

TEST(compact_elide, paths_that_merely_mean_the_same_differ) {
  expect_packed(elided::paths{"a/b"}, "00");
  expect_packed(elided::paths{"a//b"}, "01 04 'a//b'");
}

TEST(compact_elide, the_version_is_looked_for_where_it_is) {
  expect_packed(elided::versioned{2, 5}, "02 05");
  EXPECT_FALSE(ingot::compact::pack(elided::versioned{3, 5}));
  expect_rejected<elided::versioned>(hex("01 03"), {errc::wrong_version, 1, "version"});
}

TEST(compact_elide, recursive_types_have_a_depth) {
  elided::chain head;
  elided::chain* last = &head;
  const auto grow = [&] {
    last->next = std::make_unique<elided::chain>();
    last = last->next.get();
    last->value = 1;
  };
  for (int i = 0; i < 128; ++i) grow();
  const auto packed = ingot::compact::pack(head);
  ASSERT_TRUE(packed) << packed.error().message();
  EXPECT_TRUE(ingot::compact::unpack<elided::chain>(packed));
  EXPECT_TRUE(ingot::compact::view<elided::chain>::open(*packed));
  grow();
  grow();
  const auto rejected = ingot::compact::pack(head);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::too_deep);
  std::vector<std::byte> deep;
  for (int i = 0; i < 200; ++i) {
    deep.push_back(std::byte{2});
    deep.push_back(std::byte{1});
  }
  deep.push_back(std::byte{0});
  EXPECT_EQ(ingot::compact::validate<elided::chain>(deep).error().code(), errc::too_deep);
  EXPECT_EQ(ingot::compact::unpack<elided::chain>(deep).error().code(), errc::too_deep);
}

TEST(compact_elide, views_of_borrowing_types_check_their_limits) {
  const auto bytes = ingot::compact::pack(elided::limits{{"a"}, "y"});
  const auto seen = ingot::compact::view<elided::limits>::open(bytes);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"seen">(), "y");
  EXPECT_EQ(seen->get<"few">()[0], "a");
  EXPECT_EQ(ingot::compact::validate<elided::limits>(hex("01 02 00 00")).error().code(), errc::too_long);
  EXPECT_EQ(ingot::compact::validate<elided::limits>(hex("02 01 'x'")).error().code(), errc::not_canonical);
}

} // namespace compact_elide_test
