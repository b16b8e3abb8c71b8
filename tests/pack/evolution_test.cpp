// SPDX-License-Identifier: Apache-2.0
// Old packed bytes read as the current version of their type: one pair of types for each rule of
// docs/evolution.md, in both profiles.
#include <ingot/pack/evolution.hpp>

#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <deque>
#include <expected>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_test {

using ingot::compatible;
using ingot::errc;
using ingot::evolution;
using ingot::schema_of;
using byte_vector = std::vector<std::byte>;

enum class colour_1 : std::uint8_t { red = 1, green = 2 };
enum class colour_2 : std::int16_t { green = -5, blue, red = 100 };
enum class level_1 : std::uint8_t { low = 1, high = 9 };
enum class level_2 : std::uint16_t { low = 1, high = 9, higher = 10 };

struct item_1 {
  std::uint16_t level = 0;
  std::string caption;
  bool gone = false;
};
struct item_2 {
  std::optional<std::string> title;
  double weight = 1.5;
  std::uint32_t level = 0;
  std::vector<std::string> tags{"new", "free"};
  friend bool operator==(const item_2&, const item_2&) = default;
};

struct world_1 {
  std::string name;
  std::vector<item_1> items;
  std::map<std::uint16_t, item_1> by_id;
  std::array<item_1, 2> pair;
  std::optional<item_1> best;
  colour_1 colour = colour_1::red;
};
struct world_2 {
  colour_2 colour = colour_2::blue;
  std::optional<item_2> best;
  std::deque<item_2> items;
  std::string name;
  std::map<std::uint64_t, item_2> by_id;
  std::array<item_2, 2> pair;
  std::vector<std::optional<float>> none;
  friend bool operator==(const world_2&, const world_2&) = default;
};

} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::item_2> =
    ingot::annotate(ingot::member<"title">(ingot::renamed_from("label", "caption")));
template <>
inline constexpr auto ingot::annotations<evolution_test::level_1> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_test::level_2> =
    ingot::annotate(ingot::type(ingot::open_enum));
namespace evolution_test {

template <class T>
byte_vector packed(const T& value) {
  const auto bytes = ingot::pack(value);
  const auto view = ingot::as_bytes_view(*bytes);
  return {view.begin(), view.end()};
}
template <class T>
byte_vector compacted(const T& value) {
  const auto bytes = ingot::compact::pack(value);
  const auto view = ingot::as_bytes_view(*bytes);
  return {view.begin(), view.end()};
}

template <class New, class Old>
void expect_reads(const Old& old, const New& expected) {
  const auto conversion = evolution<New>::from(ingot::schema_bytes<Old>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  EXPECT_TRUE(compatible<New>(schema_of<Old>()));
  const auto from_packed = conversion->unpack(packed(old));
  ASSERT_TRUE(from_packed.has_value()) << from_packed.error().message();
  EXPECT_EQ(*from_packed, expected);
  const auto from_compact = conversion->unpack_compact(compacted(old));
  ASSERT_TRUE(from_compact.has_value()) << from_compact.error().message();
  EXPECT_EQ(*from_compact, expected);
}
template <class New, class Old>
void expect_incompatible(std::string_view path, std::string_view before, std::string_view after) {
  const auto answer = compatible<New>(schema_of<Old>());
  EXPECT_FALSE(answer) << answer.to_text();
  const auto conversion = evolution<New>::from(schema_of<Old>());
  ASSERT_FALSE(conversion.has_value());
  EXPECT_EQ(conversion.error().code(), errc::schema_mismatch);
  EXPECT_EQ(conversion.error().path(), path);
  EXPECT_EQ(conversion.error().found(), before);
  EXPECT_NE(conversion.error().expected().find(after), std::string_view::npos)
      << conversion.error().expected();
}

template <class New, class Old>
void expect_reads_unless_used() {
  const auto answer = compatible<New>(schema_of<Old>());
  EXPECT_TRUE(answer && !answer.reads_every_value()) << answer.to_text();
}

const item_1 sword{7, "sword", true};
const item_1 shield{65'535, "", false};
const item_2 sword_2{"sword", 1.5, 7, {"new", "free"}};
const item_2 shield_2{"", 1.5, 65'535, {"new", "free"}};

TEST(evolution, reads_by_name_added_removed_moved_renamed_widened_and_optional_members) {
  const world_1 old{"tiny",          {sword, shield}, {{3, sword}, {300, shield}},
                    {shield, sword}, sword,           colour_1::green};
  const world_2 now{
      colour_2::green,     sword_2, {sword_2, shield_2}, "tiny", {{3, sword_2}, {300, shield_2}},
      {shield_2, sword_2}, {}};
  expect_reads(old, now);
  const item_2 plain{"", 1.5, 0, {"new", "free"}};
  expect_reads(world_1{}, world_2{colour_2::red, {}, {}, "", {}, {plain, plain}, {}});
}

// --- one rule each -------------------------------------------------------------------------------

template <class... Ts>
struct values {
  std::tuple<Ts...> all;
  friend bool operator==(const values&, const values&) = default;
};
using std::chrono::duration;
using narrow_ms = duration<std::int32_t, std::milli>;
using wide_ms = duration<std::int64_t, std::milli>;

TEST(evolution, widens_every_number_whose_values_all_fit) {
  using old_numbers =
      values<std::uint8_t, std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, float, std::int16_t,
             std::uint32_t, std::int32_t, narrow_ms, std::complex<float>, std::chrono::sys_time<narrow_ms>>;
  using new_numbers =
      values<std::uint16_t, std::int64_t, std::int32_t, std::int64_t, std::int64_t, double, float, double,
             double, wide_ms, std::complex<double>, std::chrono::sys_time<wide_ms>>;
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::uint32_t>::max();
  expect_reads(old_numbers{{255,
                            -128,
                            65'535,
                            lowest,
                            highest,
                            0.1F,
                            -32'768,
                            highest,
                            lowest,
                            narrow_ms(-7),
                            {1, -2},
                            std::chrono::sys_time<narrow_ms>(narrow_ms(-9))}},
               new_numbers{{255,
                            -128,
                            65'535,
                            lowest,
                            highest,
                            0.1F,
                            -32'768.F,
                            highest,
                            lowest,
                            wide_ms(-7),
                            {1, -2},
                            std::chrono::sys_time<wide_ms>(wide_ms(-9))}});
}

TEST(evolution, widens_floats_bit_by_bit) {
  const auto conversion = evolution<std::vector<double>>::from(schema_of<std::vector<float>>());
  ASSERT_TRUE(conversion.has_value());
  const std::uint32_t patterns[]{0,          0x80000000, 1,          0x007FFFFF, 0x7F800000,
                                 0xFF800000, 0x7FC00001, 0x7F800001, 0xFFFFFFFF, 0x3DCCCCCD};
  byte_vector bytes;
  for (const std::uint32_t bits : patterns) {
    for (unsigned i = 0; i < 32; i += 8) bytes.push_back(static_cast<std::byte>(bits >> i & 0xFF));
  }
  const auto read = conversion->unpack(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  for (std::size_t i = 0; i < std::size(patterns); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &(*read)[i], sizeof bits);
    EXPECT_EQ(bits, ingot::detail::widen_float(patterns[i])) << i;
    const bool is_nan = (patterns[i] & 0x7FFFFFFF) > 0x7F800000;
    if (is_nan) {
      EXPECT_EQ(bits, std::uint64_t{patterns[i] >> 31} << 63 | std::uint64_t{0x7FF} << 52 |
                          std::uint64_t{patterns[i] & 0x7FFFFF} << 29);
    } else {
      EXPECT_EQ((*read)[i], static_cast<double>(std::bit_cast<float>(patterns[i])));
    }
  }
}

TEST(evolution, rejects_numbers_that_might_not_fit) {
  expect_incompatible<std::vector<std::uint32_t>, std::vector<std::uint64_t>>("[]", "u64", "u32");
  expect_incompatible<std::vector<std::uint32_t>, std::vector<std::int16_t>>("[]", "i16", "u32");
  expect_incompatible<std::vector<std::int32_t>, std::vector<std::uint32_t>>("[]", "u32", "i32");
  expect_incompatible<std::vector<float>, std::vector<std::int32_t>>("[]", "i32", "f32");
  expect_incompatible<std::vector<double>, std::vector<std::int64_t>>("[]", "i64", "f64");
  expect_incompatible<std::vector<float>, std::vector<double>>("[]", "f64", "f32");
  expect_incompatible<std::vector<int>, std::vector<float>>("[]", "f32", "i32");
  expect_incompatible<std::vector<int>, std::vector<bool>>("[]", "bool", "i32");
  expect_incompatible<std::u16string, std::string>("", "string", "string16");
  using double_seconds = std::chrono::duration<double>;
  expect_incompatible<double_seconds, std::chrono::milliseconds>("", "duration in 1/1000 s",
                                                                 "duration in 1/1 s");
  using far_apart = std::chrono::duration<std::int64_t, std::ratio<1'000'000'007, 3>>;
  using tiny = std::chrono::duration<std::int64_t, std::ratio<1, 1'000'000'000'000'000'000>>;
  expect_incompatible<tiny, far_apart>("", "duration in 1000000007/3 s",
                                       "duration in 1/1000000000000000000 s");
}

TEST(evolution, finds_enumerators_by_name) {
  expect_reads(std::vector{colour_1::red, colour_1::green}, std::vector{colour_2::red, colour_2::green});
  expect_reads(std::vector{colour_2::red, colour_2::green}, std::vector{colour_1::red, colour_1::green});
}
TEST(evolution, keeps_numbers_of_open_enumerations) {
  expect_reads(std::vector{level_1::low, level_1{77}}, std::vector{level_2::low, level_2{77}});
}
enum class level_moved : std::uint16_t { low = 2, high = 9 };
enum class level_closed : std::uint8_t { low = 1, high = 9 };
enum class level_fewer : std::uint8_t { low = 1 };
enum class level_taken : std::uint8_t { low = 1, other = 9 };
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::level_moved> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_test::level_fewer> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_test::level_taken> =
    ingot::annotate(ingot::type(ingot::open_enum));
namespace evolution_test {
TEST(evolution, rejects_enumerations_with_a_number_that_could_be_misread) {
  expect_incompatible<level_moved, level_1>("", "open enum u8", "can't be renumbered");
  // the name is removed, the number belongs to no other name
  expect_reads(level_closed::high, level_fewer{9});
  // high is rejected, see evolution_enumerators_test.cpp
  expect_reads(level_closed::low, level_taken::low);
}

enum class bits_1 : std::uint8_t { a = 1, b = 2, both = 3 };
enum class bits_2 : std::int32_t { b = 2, a = 1, c = 8 };
enum class bits_moved : std::uint8_t { a = 2, b = 1, both = 3 };
enum class bits_fewer : std::uint8_t { a = 1 };
enum class bits_taken : std::uint8_t { a = 1, b = 2, other = 3 };
enum class bits_open : std::uint16_t { a = 1, c = 0x100 };
enum class bits_closed : std::uint8_t { a = 1, b = 2, both = 3 };
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_1> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_2> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_moved> =
    ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_fewer> =
    ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_open> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_test::bits_taken> =
    ingot::annotate(ingot::type(ingot::flags));
namespace evolution_test {
TEST(evolution, keeps_the_bits_of_flags) {
  // `both` is not a name of the new type, but its bits exist; wider, with a sign, more bits.
  expect_reads(std::vector{bits_1::a, bits_1::both, bits_1{}}, std::vector{bits_2::a, bits_2{3}, bits_2{}});
  expect_reads(std::vector{bits_closed::b, bits_closed::both}, std::vector{bits_1::b, bits_1::both});
  expect_reads(std::vector{bits_closed::b, bits_closed::both}, std::vector{bits_2::b, bits_2{3}});
  expect_reads(std::vector{bits_1{3}, bits_1{}}, std::vector{bits_open{3}, bits_open{}});
  expect_incompatible<bits_moved, bits_1>("", "flags enum u8", "can't be renumbered");
  expect_reads_unless_used<bits_fewer, bits_1>();
  expect_reads_unless_used<bits_taken, bits_1>();
  expect_reads_unless_used<bits_closed, bits_1>();
  expect_incompatible<bits_1, level_1>("", "open enum u8", "no enumerator in common");
}

TEST(evolution, converts_what_containers_hold) {
  using old_type = std::variant<std::uint8_t, std::string, std::vector<item_1>>;
  using new_type = std::variant<std::uint16_t, std::string, std::vector<item_2>, bool>;
  expect_reads(std::vector<old_type>{std::uint8_t{5}, "text", std::vector{sword}},
               std::vector<new_type>{std::uint16_t{5}, "text", std::vector{sword_2}});
  expect_reads(std::variant<bool, std::uint8_t>(std::uint8_t{9}),
               std::variant<bool, std::uint8_t, std::string>(std::uint8_t{9}));
  expect_reads(std::expected<item_1, std::uint8_t>(sword), std::expected<item_2, std::uint16_t>(sword_2));
  expect_reads(std::expected<void, std::uint8_t>(std::unexpect, std::uint8_t{4}),
               std::expected<void, std::uint16_t>(std::unexpect, std::uint16_t{4}));
  expect_reads(std::expected<void, std::uint8_t>(), std::expected<void, std::uint16_t>());
  expect_reads(std::pair{sword, std::bitset<9>(0x155)}, std::pair{sword_2, std::bitset<70>(0x155)});
  expect_reads(std::set<std::int8_t>{-3, 4}, std::set<std::int64_t>{-3, 4});
  expect_reads(std::unordered_map<std::int16_t, item_1>{{-1, sword}, {1, shield}, {256, sword}},
               std::unordered_map<std::int32_t, item_2>{{-1, sword_2}, {1, shield_2}, {256, sword_2}});
  expect_reads(std::map<std::string, std::uint8_t>{{"a", 1}},
               std::multimap<std::string, std::uint32_t>{{"a", 1}});
  expect_reads(std::optional<std::uint8_t>(3), std::optional<std::uint16_t>(3));
  expect_reads(std::optional<std::string>(), std::optional<std::string>());
  expect_reads(std::string("now"), std::optional<std::string>("now"));
  expect_reads(std::vector<std::uint8_t>{1, 2}, std::vector<std::optional<std::uint8_t>>{1, 2});
}

TEST(evolution, rejects_containers_that_lose_something) {
  expect_incompatible<std::variant<bool>, std::variant<int>>("[0]", "i32", "bool");
  expect_incompatible<std::variant<bool, bool>, std::variant<bool, int>>("[1]", "i32", "bool");
  expect_incompatible<int, std::optional<int>>("", "optional", "i32");
  expect_incompatible<std::array<int, 2>, std::array<int, 3>>("", "array of 3", "array of 2");
  expect_incompatible<std::bitset<8>, std::bitset<9>>("", "bitset of 9", "bitset of 8");
  expect_incompatible<std::set<int>, std::vector<int>>("", "sequence", "set");
  expect_incompatible<std::set<int>, std::multiset<int>>("", "multiset", "may have repeated keys");
  expect_incompatible<std::map<colour_2, int>, std::map<colour_1, int>>("[key]", "enum u8",
                                                                        "keys can't change");
  expect_incompatible<std::map<double, int>, std::map<float, int>>("[key]", "f32", "keys can't change");
  expect_incompatible<std::unordered_multimap<int, double>, std::unordered_multimap<int, float>>(
      "", "unordered multimap", "order");
  expect_incompatible<std::tuple<int, int>, std::tuple<int>>("", "tuple", "different numbers of parts");
}

// --- records -------------------------------------------------------------------------------------

struct tree_1 {
  std::uint8_t value = 0;
  std::unique_ptr<tree_1> left, right;
};
struct tree_2 {
  std::unique_ptr<tree_2> right;
  std::uint32_t value = 0;
  std::string note = "?";
  std::unique_ptr<tree_2> left;
};
struct list_1 {
  std::uint8_t value = 0;
  std::vector<list_1> more;
};
struct list_2 {
  std::vector<list_2> more;
  std::optional<std::uint16_t> value;
  friend bool operator==(const list_2&, const list_2&) = default;
};

TEST(evolution, follows_records_that_contain_themselves) {
  expect_reads(list_1{1, {list_1{2, {}}, list_1{3, {list_1{4, {}}}}}},
               list_2{{list_2{{}, 2}, list_2{{list_2{{}, 4}}, 3}}, 1});
  tree_1 old{1, std::make_unique<tree_1>(), nullptr};
  old.left->value = 2;
  old.left->right = std::make_unique<tree_1>();
  const auto conversion = evolution<tree_2>::from(schema_of<tree_1>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  for (const auto& read : {conversion->unpack(packed(old)), conversion->unpack_compact(compacted(old))}) {
    ASSERT_TRUE(read.has_value()) << read.error().message();
    EXPECT_EQ(read->value, 1U);
    EXPECT_EQ(read->note, "?");
    EXPECT_EQ(read->right, nullptr);
    ASSERT_NE(read->left, nullptr);
    EXPECT_EQ(read->left->value, 2U);
    EXPECT_NE(read->left->right, nullptr);
  }
}

TEST(evolution, bounds_the_depth_of_values) {
  const auto conversion = evolution<list_2>::from(schema_of<list_1>());
  ASSERT_TRUE(conversion.has_value());
  // in the compact profile one more element takes two bytes: value 0, one element
  const auto nested = [](std::size_t depth) {
    byte_vector bytes;
    for (std::size_t i = 1; i < depth; ++i) bytes.insert(bytes.end(), {std::byte{0}, std::byte{1}});
    bytes.insert(bytes.end(), {std::byte{0}, std::byte{0}});
    return bytes;
  };
  EXPECT_TRUE(conversion->unpack_compact(nested(128)).has_value())
      << conversion->unpack_compact(nested(128)).error().message();
  for (const std::size_t depth : {130UZ, 2000UZ, 100'000UZ}) {
    const auto read = conversion->unpack_compact(nested(depth));
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code(), errc::too_deep);
  }
}

struct empty_1 {};
struct empty_2 {
  std::uint64_t big = 7;
  friend bool operator==(const empty_2&, const empty_2&) = default;
};
TEST(evolution, gives_members_to_records_that_had_none) {
  expect_reads(std::vector<empty_1>(3), std::vector<empty_2>(3));
  expect_reads(std::array<empty_1, 2>{}, std::array<empty_2, 2>{});
}

struct byte_each {
  std::uint8_t value = 0;
};
struct none_each {};
TEST(evolution, rejects_lists_whose_elements_would_become_empty) {
  expect_incompatible<std::vector<none_each>, std::vector<byte_each>>("", "sequence", "sequence");
  expect_incompatible<std::vector<std::array<none_each, 2>>, std::vector<std::array<byte_each, 2>>>(
      "", "sequence", "sequence");
  EXPECT_TRUE(compatible<std::vector<none_each>>(schema_of<std::vector<empty_1>>()));
  EXPECT_TRUE(compatible<std::optional<none_each>>(schema_of<std::optional<byte_each>>()));
  EXPECT_TRUE(compatible<std::vector<std::optional<none_each>>>(schema_of<std::vector<byte_each>>()));
}

// If members changed their order, a record is skipped before it is read, again at each level.
struct hollow_1 {
  std::vector<empty_1> none;
  std::uint8_t a = 0;
};
struct shell_1 {
  hollow_1 inner;
  std::string name;
};
struct egg_1 {
  shell_1 shell;
  std::uint8_t b = 0;
};
struct hollow_2 {
  std::uint8_t a = 0;
  std::vector<empty_1> none;
};
struct shell_2 {
  std::string name;
  hollow_2 inner;
};
struct egg_2 {
  std::uint8_t b = 0;
  shell_2 shell;
};
TEST(evolution, counts_elements_without_bytes_once_however_often_they_are_passed_over) {
  const egg_1 old{{{std::vector<empty_1>(40'000), 3}, "name"}, 9};
  const auto conversion = evolution<egg_2>::from(schema_of<egg_1>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  const auto read = conversion->unpack_compact(compacted(old));
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->b, 9);
  EXPECT_EQ(read->shell.name, "name");
  EXPECT_EQ(read->shell.inner.a, 3);
  EXPECT_EQ(read->shell.inner.none.size(), 40'000U);
}

struct mask_only { // no bytes in the packed profile, one in the compact one
  empty_1 none;
  friend bool operator==(const mask_only&, const mask_only&) { return true; }
};
struct masks_1 {
  std::array<mask_only, 3> masks;
  std::uint8_t value = 0;
};
struct masks_2 {
  std::array<mask_only, 3> masks;
  std::uint16_t value = 0;
  friend bool operator==(const masks_2&, const masks_2&) = default;
};
struct left_out {
  std::uint8_t a = 1;
  std::uint8_t b = 2;
};
struct complete { // as `left_out`, but without omitting members
  std::uint8_t a = 1;
  std::uint8_t b = 2;
};
struct left_out_2 { // `b` was 2 when omitted, and `a` still is 1
  std::uint8_t a = 1;
  std::optional<std::uint8_t> b;
};
struct left_out_3 {
  std::uint8_t a = 7;
  std::uint8_t b = 2;
};
struct without_default {
  std::uint16_t a;
  std::uint8_t b;
  constexpr without_default(std::uint16_t x, std::uint8_t y) : a(x), b(y) {}
  constexpr auto reflect(auto&& f) { return f(a, b); }
};
struct holder_1 {
  left_out held;
};
struct holder_2 {
  without_default held{8, 9};
};
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::mask_only> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<evolution_test::left_out_3> =
    ingot::annotate(ingot::type(ingot::elide_defaults, ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<evolution_test::left_out> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
namespace evolution_test {
TEST(evolution, finds_the_masks_of_records_without_bytes_in_arrays) {
  expect_reads(masks_1{{}, 7}, masks_2{{}, 7});
}
TEST(compatible, tells_what_may_have_been_left_out_by_a_default_that_is_another_now) {
  EXPECT_EQ(
      compatible<left_out_2>(schema_of<left_out>()).to_text(),
      "b: may be missing from old compact data, and then takes today's default\nb: made optional, was u8\n");
  EXPECT_EQ(compatible<left_out_3>(schema_of<left_out>()).to_text(),
            "a: may be missing from old compact data, and then takes today's default\n"
            "b: may be missing from old compact data, and then takes today's default\n");
  EXPECT_EQ(compatible<left_out_2>(schema_of<complete>()).to_text(), "b: made optional, was u8\n");
}
TEST(evolution, rejects_members_that_may_be_absent_without_a_default) {
  expect_incompatible<holder_2, holder_1>("held", "record", "its class has no default");
}

struct open_1 {
  std::string name;
  std::uint8_t age = 0;
};
struct open_2 {
  std::uint16_t age = 0;
  std::string name;
  std::string more = "more";
  friend bool operator==(const open_2&, const open_2&) = default;
};
struct closed_2 { // no longer evolvable
  std::uint16_t age = 0;
  std::string name;
  friend bool operator==(const closed_2&, const closed_2&) = default;
};
struct spare_1 {
  std::uint32_t id = 9;
  std::int32_t height = -1;
  std::string note = "none";
  double factor = 1;
  float share = 0.25F; // tight
  double level = 0.5;  // in steps of 0.01
};
struct spare_2 {
  double level = 0.5;
  double factor = 1;
  std::int64_t id = 9;
  std::string note = "none";
  std::int64_t height = -1;
  double share = 0.25;
  friend bool operator==(const spare_2&, const spare_2&) = default;
};
struct bone_1 {
  std::array<float, 3> at{};
  std::array<float, 4> turn{};
  std::vector<std::array<double, 3>> normals;
  std::array<float, 3> axis{};
  std::uint8_t last = 0;
};
struct bone_2 { // other bits, none at all, wider numbers, another order, one removed
  std::uint8_t last = 0;
  std::vector<std::array<double, 3>> normals;
  std::array<float, 4> turn{};
  std::array<float, 3> at{};
  std::int32_t parent = -1;
  friend bool operator==(const bone_2&, const bone_2&) = default;
};
struct defaulted {
  std::uint8_t a = 1;
  std::uint8_t b = 2;
  friend bool operator==(const defaulted&, const defaulted&) = default;
};
struct lone {
  std::uint8_t a = 1;
};
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::open_1> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<evolution_test::open_2> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<evolution_test::spare_1> =
    ingot::annotate(ingot::type(ingot::elide_defaults, ingot::varint, ingot::short_float),
                    ingot::member<"id">(ingot::fixed), ingot::member<"share">(ingot::tight_float),
                    ingot::member<"level">(ingot::quantize(0.01)));
template <>
inline constexpr auto ingot::annotations<evolution_test::bone_1> =
    ingot::annotate(ingot::member<"at">(ingot::quantize(0.25)), ingot::member<"turn">(ingot::unit_vector),
                    ingot::member<"normals">(ingot::unit_vector(16)),
                    ingot::member<"axis">(ingot::unit_vector(24)));
template <>
inline constexpr auto ingot::annotations<evolution_test::bone_2> =
    ingot::annotate(ingot::member<"normals">(ingot::unit_vector(40)));
template <>
inline constexpr auto ingot::annotations<evolution_test::defaulted> =
    ingot::annotate(ingot::member<"b">(ingot::default_value(77)));
namespace evolution_test {

TEST(evolution, reads_evolvable_records_as_any_others) {
  const open_1 a{"a", 1};
  const open_1 b{"bb", 2};
  expect_reads(a, open_2{1, "a", "more"});
  expect_reads(std::vector{a, b}, std::vector{open_2{1, "a", "more"}, open_2{2, "bb", "more"}});
  expect_reads(std::vector{a, b}, std::vector{closed_2{1, "a"}, closed_2{2, "bb"}});
  expect_reads(std::vector{std::pair{a, 1}},
               std::vector{std::pair{std::optional(open_2{1, "a", "more"}), 1}});
  expect_reads(std::vector{closed_2{1, "a"}}, std::vector{open_2{1, "a", "more"}});
}
TEST(evolution, undoes_what_annotations_did_to_compact_bytes) {
  expect_reads(spare_1{}, spare_2{});
  expect_reads(
      std::vector{spare_1{1, 300'000, "x", 0.5, 0.1F, 12.34}, spare_1{9, -2, "none", 0.1, 1.0F / 3, -0.07}},
      std::vector{spare_2{12.34, 0.5, 1, "x", 300'000, 0.1F}, spare_2{-0.07, 0.1, 9, "none", -2, 1.0F / 3}});
}
TEST(evolution, reads_directions_and_rotations_of_any_number_of_bits) {
  const bone_1 bone{{1, -2, 0.25F}, {0.5F, -0.5F, 0.5F, 0.5F}, {{0, 0, -1}, {}, {1, 0, 0}}, {0, 1, 0}, 7};
  const bone_2 now{7, bone.normals, bone.turn, bone.at, -1};
  expect_reads(bone, now);
  expect_reads(std::vector{bone, bone_1{}, bone}, std::vector{now, bone_2{}, now});
}
TEST(evolution, takes_defaults_from_annotations) { expect_reads(lone{5}, defaulted{5, 77}); }

// --- versions ------------------------------------------------------------------------------------

struct window_1 {
  std::uint32_t version = 1;
  std::string caption;
  std::uint16_t width_cm = 0;
};
struct window_2 {
  std::uint32_t version = 2;
  std::string title;
  double width_m = 0;
};
struct window_3 {
  std::string title;
  bool is_open = true;
  std::uint32_t width_mm = 0;
  friend bool operator==(const window_3&, const window_3&) = default;
};
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::window_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<evolution_test::window_2> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<evolution_test::window_3> =
    ingot::annotate(ingot::type(ingot::version(3)));
template <>
struct ingot::previous<evolution_test::window_2> {
  using type = evolution_test::window_1;
  static evolution_test::window_2 upgrade(evolution_test::window_1&& old) {
    return {2, std::move(old.caption), old.width_cm / 100.0};
  }
};
template <>
struct ingot::previous<evolution_test::window_3> {
  using type = evolution_test::window_2;
  static ingot::result<evolution_test::window_3> upgrade(evolution_test::window_2&& old) {
    if (old.width_m < 0)
      return ingot::fail(ingot::error(ingot::errc::invalid_value).with_expected("a width"));
    return evolution_test::window_3{std::move(old.title), true,
                                    static_cast<std::uint32_t>(old.width_m * 1000)};
  }
};
namespace evolution_test {

struct window_0 { // before there were versions
  std::string caption;
  std::uint8_t width_cm = 0;
};
struct window_next {
  std::string title;
};
struct counted_1 {
  std::uint8_t version = 4;
  std::uint8_t value = 0;
};
struct counted_2 {
  std::uint16_t version = 5;
  std::uint8_t value = 0;
  friend bool operator==(const counted_2&, const counted_2&) = default;
};
} // namespace evolution_test
template <>
inline constexpr auto ingot::annotations<evolution_test::window_next> =
    ingot::annotate(ingot::type(ingot::version(4)));
template <>
inline constexpr auto ingot::annotations<evolution_test::counted_1> =
    ingot::annotate(ingot::type(ingot::version(4)));
template <>
inline constexpr auto ingot::annotations<evolution_test::counted_2> =
    ingot::annotate(ingot::type(ingot::version(5)));
namespace evolution_test {

TEST(evolution, upgrades_earlier_versions_step_by_step) {
  const window_3 front{"front", true, 1500};
  expect_reads(window_2{2, "front", 1.5}, front);
  expect_reads(window_1{1, "front", 150}, front);
  expect_reads(window_0{"front", 150}, front);
  expect_reads(std::vector{std::pair{window_1{1, "front", 150}, 1}}, std::vector{std::pair{front, 1L}});
  expect_reads(std::map<int, window_1>{{1, window_1{1, "front", 150}}},
               std::map<int, std::optional<window_3>>{{1, front}});
  expect_incompatible<window_3, window_next>("", "record version 4", "a newer version");
}
TEST(evolution, passes_on_what_an_upgrade_rejects) {
  const auto conversion = evolution<std::vector<window_3>>::from(schema_of<std::vector<window_2>>());
  ASSERT_TRUE(conversion.has_value());
  const auto read = conversion->unpack(packed(std::vector{window_2{2, "a", 1}, window_2{2, "b", -1}}));
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), errc::invalid_value);
  EXPECT_EQ(read.error().path(), "[1]");
}
TEST(evolution, sets_the_version_that_the_type_names) { expect_reads(counted_1{4, 8}, counted_2{5, 8}); }

// --- the report of `compatible` ------------------------------------------------------------------

TEST(compatible, says_that_nothing_changed) {
  EXPECT_EQ(compatible<world_1>(schema_of<world_1>()).to_text(), "the same\n");
}
TEST(compatible, of_two_descriptions_goes_by_names_alone) {
  const auto answer = compatible(schema_of<item_1>(), schema_of<item_2>());
  EXPECT_TRUE(answer);
  EXPECT_EQ(answer.to_text(),
            "caption: removed, was string\ngone: removed, was bool\ntitle: added as optional\n"
            "weight: added as f64\ntags: added as sequence\nlevel: widened from u16 to u32\n");
}
TEST(compatible, names_every_change_with_both_sides) {
  EXPECT_EQ(compatible<world_2>(schema_of<world_1>()).to_text(), R"(colour: moved
best: moved
items: moved
none: added as sequence
colour: widened from enum u8 to enum i16
colour: renumbered
colour: extended from 2 enumerators to 3
best.gone: removed, was bool
best.title: renamed from caption
best.title: moved
best.weight: added as f64
best.tags: added as sequence
best.title: made optional, was string
best.level: widened from u16 to u32
by_id[key]: widened from u16 to u64
)");
}

/// The shape of schemas that make repeated comparisons costly: one record that is read as many
/// others.
ingot::detail::evolving_graph record_of_records(std::size_t members, std::size_t records,
                                                const std::string& name) {
  ingot::detail::evolving_graph graph;
  graph.nodes.resize(2 + records);
  graph.nodes[0].attributes.kind = ingot::schema_kind::record;
  graph.nodes[1].attributes = {ingot::schema_kind::integer, 1, 0, 0, 0};
  for (std::size_t i = 0; i < members; ++i)
    graph.nodes[0].children.push_back(
        {"m" + std::to_string(i), 0, static_cast<std::uint32_t>(2 + i % records)});
  for (std::size_t i = 0; i < records; ++i) {
    graph.nodes[2 + i].attributes.kind = ingot::schema_kind::record;
    graph.nodes[2 + i].children.push_back({name + std::to_string(i), 0, 1});
  }
  return graph;
}
TEST(compatible, spends_on_long_names_what_they_take) {
  const std::string name(100'000, 'n');
  const auto old = record_of_records(1'000, 1, name);
  const auto now = record_of_records(1'000, 1'000, "a");
  const auto answer = ingot::detail::resolver(old, now).run();
  EXPECT_FALSE(answer); // 100 million bytes of names to hash
  EXPECT_NE(answer.to_text().find("too much to compare"), std::string::npos);
  EXPECT_LT(answer.to_text().size(), 256U * 400U);
  // each name is hashed once
  EXPECT_TRUE(ingot::detail::resolver(old, record_of_records(1'000, 1, "a")).run());
}
TEST(compatible, tells_the_beginning_of_long_names) {
  std::string name(127, 'n');
  for (int i = 0; i < 1'000; ++i) name += "\u00E4"; // a character is not split
  const auto answer =
      ingot::detail::resolver(record_of_records(1, 1, name), record_of_records(1, 1, "a")).run();
  EXPECT_EQ(answer.to_text(), "m0." + name.substr(0, 127) + "...: removed, was u8\nm0.a0: added as u8\n");
}

} // namespace evolution_test
