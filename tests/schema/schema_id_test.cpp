// SPDX-License-Identifier: Apache-2.0
// Promises of the fingerprint: what is part of it, what is not, and that it never changes.
#include <ingot/schema/schema_id.hpp>

#include "zoo/zoo.hpp"

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

// Twins and near twins: the namespaces hold the same record with one difference each.
namespace twins {

enum class shade : std::uint8_t { dark, light };

namespace original {
struct part {
  std::uint32_t id;
  std::vector<float> weights;
};
struct record {
  std::uint64_t id;
  std::string name;
  shade look;
  float place[3];
  std::vector<part> parts;
  std::map<std::string, std::int16_t> table;
};
} // namespace original

namespace other_brands {
struct differently_named_part {
  std::uint32_t id;
  std::deque<float> weights;
};
enum class tint : std::uint8_t { dark, light };
struct record {
  std::uint64_t id;
  std::u8string name;
  tint look;
  std::array<float, 3> place;
  std::list<differently_named_part> parts;
  std::map<std::string, std::int16_t, std::less<>> table;
};
} // namespace other_brands

namespace borrowed {
struct record {
  std::uint64_t id;
  std::string_view name;
  shade look;
  std::array<float, 3> place;
  std::span<const original::part> parts;
  std::map<std::string_view, std::int16_t> table;
};
} // namespace borrowed

namespace derived {
struct first {
  std::uint64_t id = 0;
  std::string name;
};
struct record : first {
  shade look{};
  float place[3]{};
  std::vector<original::part> parts;
  std::map<std::string, std::int16_t> table;
};
INGOT_REFLECT(record, (first), look, place, parts, table)
} // namespace derived

namespace with_skipped {
struct record {
  std::uint64_t id;
  std::string name;
  std::uint32_t hash;
  shade look;
  float place[3];
  std::vector<original::part> parts;
  std::map<std::string, std::int16_t> table;
};
} // namespace with_skipped

namespace renamed {
struct record {
  std::uint64_t key;
  std::string name;
  shade look;
  float place[3];
  std::vector<original::part> parts;
  std::map<std::string, std::int16_t> table;
};
} // namespace renamed

// Records with one member each, for differences that must change the fingerprint.
struct plain {
  std::uint32_t a;
};
struct named {
  std::uint32_t b;
};
struct wider {
  std::uint64_t a;
};
struct narrower {
  std::uint16_t a;
};
struct of_signed {
  std::int32_t a;
};
struct of_float {
  float a;
};
struct of_char32 {
  char32_t a;
};
struct in_optional {
  std::optional<std::uint32_t> a;
};
struct in_pointer {
  std::unique_ptr<std::uint32_t> a;
};
struct in_sequence {
  std::vector<std::uint32_t> a;
};
struct in_set {
  std::set<std::uint32_t> a;
};
struct in_multiset {
  std::multiset<std::uint32_t> a;
};
struct in_unordered_set {
  std::unordered_set<std::uint32_t> a;
};
struct in_array_1 {
  std::uint32_t a[1];
};
struct in_array_2 {
  std::uint32_t a[2];
};
struct in_tuple {
  std::tuple<std::uint32_t> a;
};
struct in_variant {
  std::variant<std::uint32_t> a;
};
struct in_expected {
  std::expected<void, std::uint32_t> a;
};
struct in_record {
  plain a;
};
struct first_then_second {
  std::uint32_t a;
  std::uint16_t b;
};
struct second_then_first {
  std::uint16_t b;
  std::uint32_t a;
};
struct evolving {
  std::uint32_t a;
};
struct version_1 {
  std::uint32_t a;
};
struct version_2 {
  std::uint32_t a;
};
struct eliding {
  std::uint32_t a = 0;
};
struct of_varints {
  std::uint32_t a;
};
struct with_varint {
  std::uint32_t a;
};
struct with_fixed {
  std::uint32_t a;
};
struct with_range {
  std::uint32_t a;
};
struct with_since {
  std::uint32_t a;
};

enum class abc : std::uint8_t { a, b, c };
enum class abd : std::uint8_t { a, b, d };
enum class abcd : std::uint8_t { a, b, c, d };
enum class abc_moved : std::uint8_t { a, b, c = 3 };
enum class abc_wide : std::uint16_t { a, b, c };
enum class abc_signed : std::int8_t { a, b, c };
enum class abc_open : std::uint8_t { a, b, c };
enum class abc_renamed : std::uint8_t { x, y, z };
enum class abc_again : std::uint8_t { a, b, c };

/// Each level holds four records of the level below: a walk that visits each of them would take too
/// long.
template <int N>
struct fan {
  fan<N - 1> a, b, c, d;
};
template <>
struct fan<0> {
  std::uint8_t leaf;
};

/// Eight records. Each holds all others.
template <int I>
struct vertex {
  std::uint8_t own;
  std::tuple<std::vector<vertex<0>>, std::vector<vertex<1>>, std::vector<vertex<2>>, std::vector<vertex<3>>,
             std::vector<vertex<4>>, std::vector<vertex<5>>, std::vector<vertex<6>>, std::vector<vertex<7>>>
      edges;
};

/// Two records that hold each other, entered at either one. The same with a copy of both for the
/// second.
template <int Copy>
struct odd;
template <int Copy>
struct even {
  std::unique_ptr<odd<Copy>> next;
};
template <int Copy>
struct odd {
  std::unique_ptr<even<Copy>> next;
  std::uint8_t parity;
};
struct both_orders {
  even<0> first;
  odd<0> second;
  even<0> third;
};
struct both_orders_copied {
  even<1> first;
  odd<2> second;
  even<3> third;
};

} // namespace twins

template <>
inline constexpr auto ingot::annotations<twins::with_skipped::record> =
    ingot::annotate(ingot::member<"hash">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<twins::renamed::record> =
    ingot::annotate(ingot::member<"key">(ingot::rename("id")));
template <>
inline constexpr auto ingot::annotations<twins::evolving> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<twins::version_1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<twins::version_2> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<twins::eliding> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<twins::of_varints> = ingot::annotate(ingot::type(ingot::varint));
template <>
inline constexpr auto ingot::annotations<twins::with_varint> =
    ingot::annotate(ingot::member<"a">(ingot::varint));
template <>
inline constexpr auto ingot::annotations<twins::with_fixed> =
    ingot::annotate(ingot::member<"a">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<twins::with_range> =
    ingot::annotate(ingot::member<"a">(ingot::range(1, 2)));
template <>
inline constexpr auto ingot::annotations<twins::with_since> =
    ingot::annotate(ingot::member<"a">(ingot::since(2)));
template <>
inline constexpr auto ingot::annotations<twins::abc_open> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<twins::abc_renamed> =
    ingot::annotate(ingot::enumerator<twins::abc_renamed::x>(ingot::rename("a")),
                    ingot::enumerator<twins::abc_renamed::y>(ingot::rename("b")),
                    ingot::enumerator<twins::abc_renamed::z>(ingot::rename("c")));

namespace schema_id_test {

using ingot::schema_id;

TEST(schema_id, ignores_names_of_types_and_brands_of_containers) {
  constexpr auto id = schema_id<twins::original::record>;
  EXPECT_EQ(id, schema_id<twins::other_brands::record>);
  EXPECT_EQ(id, schema_id<twins::borrowed::record>);
  EXPECT_EQ(id, schema_id<const twins::original::record>);
}

TEST(schema_id, flattens_bases) {
  EXPECT_EQ(schema_id<twins::original::record>, schema_id<twins::derived::record>);
}

TEST(schema_id, leaves_out_skipped_members) {
  EXPECT_EQ(schema_id<twins::original::record>, schema_id<twins::with_skipped::record>);
}

TEST(schema_id, sees_names_as_renamed) {
  EXPECT_EQ(schema_id<twins::original::record>, schema_id<twins::renamed::record>);
  EXPECT_EQ(schema_id<twins::abc>, schema_id<twins::abc_renamed>);
}

TEST(schema_id, sees_an_adapted_class_as_what_it_is_stored_as) {
  EXPECT_EQ(schema_id<zoo::money>, schema_id<std::int64_t>);
  EXPECT_EQ(schema_id<zoo::celsius>, schema_id<zoo::stored_celsius>);
  EXPECT_EQ((schema_id<std::map<std::string, zoo::serial_number>>),
            (schema_id<std::map<std::string, std::string>>));
}

TEST(schema_id, takes_a_pointer_to_one_object_for_an_optional) {
  EXPECT_EQ(schema_id<twins::in_optional>, schema_id<twins::in_pointer>);
}

TEST(schema_id, takes_a_pair_for_a_tuple_of_two) {
  EXPECT_EQ((schema_id<std::pair<bool, float>>), (schema_id<std::tuple<bool, float>>));
}

TEST(schema_id, does_not_cover_what_only_limits_values) {
  EXPECT_EQ(schema_id<twins::plain>, schema_id<twins::with_range>);
  EXPECT_EQ(schema_id<twins::plain>, schema_id<twins::with_since>);
}

template <class... Ts>
void expect_distinct() {
  const std::vector<std::uint64_t> ids{schema_id<Ts>...};
  EXPECT_EQ(std::set<std::uint64_t>(ids.begin(), ids.end()).size(), ids.size())
      << ::testing::PrintToString(ids);
}

TEST(schema_id, differs_by_name_width_sign_kind_and_what_a_member_is_wrapped_in) {
  using namespace twins;
  expect_distinct<plain, named, wider, narrower, of_signed, of_float, of_char32, in_optional, in_sequence,
                  in_set, in_multiset, in_unordered_set, in_array_1, in_array_2, in_tuple, in_variant,
                  in_expected, in_record, first_then_second, second_then_first>();
}

TEST(schema_id, differs_by_what_changes_the_bytes) {
  using namespace twins;
  expect_distinct<plain, evolving, version_1, version_2, eliding, of_varints, with_varint, with_fixed>();
}

TEST(schema_id, differs_by_enumerators) {
  using namespace twins;
  expect_distinct<abc, abd, abcd, abc_moved, abc_wide, abc_signed, abc_open>();
  EXPECT_EQ(schema_id<abc>, schema_id<abc_again>);
}

TEST(schema_id, differs_by_element_key_value_and_order_of_alternatives) {
  expect_distinct<std::map<std::string, int>, std::map<int, std::string>, std::multimap<std::string, int>,
                  std::unordered_map<std::string, int>, std::unordered_multimap<std::string, int>,
                  std::vector<std::pair<std::string, int>>, std::set<std::pair<std::string, int>>>();
  expect_distinct<std::variant<int, bool>, std::variant<bool, int>, std::expected<int, bool>,
                  std::tuple<int, bool>>();
  expect_distinct<std::array<std::array<int, 2>, 3>, std::array<std::array<int, 3>, 2>, std::array<int, 6>>();
  expect_distinct<std::expected<void, int>, std::expected<int, int>, std::expected<std::tuple<>, int>>();
  expect_distinct<std::string, std::u16string, std::u32string, std::vector<char>, std::filesystem::path>();
}

TEST(schema_id, differs_by_the_period_of_a_duration) {
  using namespace std::chrono;
  using milli64 = duration<std::int64_t, std::milli>;
  expect_distinct<std::int64_t, duration<std::int64_t>, milli64, duration<std::int32_t, std::milli>,
                  duration<std::int64_t, std::ratio<60>>, duration<std::int64_t, std::ratio<1, 60>>,
                  time_point<system_clock, milli64>>();
  EXPECT_EQ((schema_id<time_point<system_clock, milli64>>), (schema_id<time_point<steady_clock, milli64>>));
}

TEST(schema_id, differs_by_the_number_of_bits) {
  expect_distinct<std::bitset<8>, std::bitset<9>, std::uint8_t, std::array<bool, 8>>();
}

TEST(schema_id, of_a_record_is_the_same_wherever_recursion_is_entered) {
  using namespace twins;
  EXPECT_EQ(schema_id<both_orders>, schema_id<both_orders_copied>);
  EXPECT_NE(schema_id<even<0>>, schema_id<odd<0>>);
  EXPECT_EQ(schema_id<even<0>>, schema_id<even<1>>);
}

TEST(schema_id, of_many_records_takes_no_longer_than_their_number) {
  EXPECT_NE(schema_id<twins::fan<12>>, schema_id<twins::fan<11>>); // 16 million leaves
  EXPECT_NE(schema_id<twins::vertex<0>>, schema_id<twins::vertex<1>>);
}

// The example of docs/format.md, word by word: `struct { std::uint16_t a; }`.
TEST(schema_id, is_what_the_format_says) {
  struct mixer {
    std::uint64_t state = 0xCBF29CE484222325U;
    void word(std::uint64_t w) {
      state = (state ^ w) * 0x9E3779B97F4A7C15U;
      state ^= state >> 32;
    }
    std::uint64_t finish() {
      state = (state ^ (state >> 33)) * 0xFF51AFD7ED558CCDU;
      state = (state ^ (state >> 33)) * 0xC4CEB9FE1A85EC53U;
      return state ^ (state >> 33);
    }
  };
  mixer member;
  // Integer, two bytes; no extent; no divisor
  for (const std::uint64_t w : {0x202U, 0U, 0U}) member.word(w);
  const std::uint64_t type = member.finish();
  mixer record;
  for (const std::uint64_t w : {std::uint64_t{0x1'0000'0017U}, std::uint64_t{0}, std::uint64_t{0}})
    record.word(w);
  record.word(1);   // the name's length
  record.word('a'); // the name
  record.word(0);   // no annotations
  record.word(type);
  EXPECT_EQ(type, schema_id<std::uint16_t>);
  EXPECT_EQ(record.finish(), schema_id<twins::narrower>);
}

// A changed fingerprint makes files unreadable: these lines are never edited, only new ones are
// added.
TEST(schema_id, never_changes) {
  std::ifstream file(INGOT_SOURCE_DIR "/tests/schema/golden_ids.txt");
  ASSERT_TRUE(file.is_open());
  std::map<std::string, std::string, std::less<>> golden;
  for (std::string name, id; file >> name >> id;) golden[name] = id;
  std::size_t compared = 0;
  zoo::for_each_type([&]<class T>(std::string_view name) {
    std::string id(16, '0');
    for (std::size_t i = 0; i < 16; ++i) id[15 - i] = "0123456789abcdef"[schema_id<T> >> (4 * i) & 15];
    const auto known = golden.find(name);
    ASSERT_NE(known, golden.end()) << "a new type: add the line\n" << name << ' ' << id;
    EXPECT_EQ(known->second, id) << name;
    ++compared;
  });
  EXPECT_EQ(compared, golden.size()) << "a type went missing from the zoo";
}

static_assert(schema_id<zoo::character> == 0x9e6ab4454e5a6db9U);
static_assert(schema_id<std::vector<zoo::monster>> == 0x85da9a87c9de559cU);
static_assert(schema_id<zoo::binary_tree> == 0x5667c8b9296cda69U);

TEST(schema_id, is_unique_in_the_zoo_but_for_twins) {
  // The first name of each row is a twin of the second.
  const std::map<std::string_view, std::string_view> twin_of{
      {"u8string", "string"},
      {"serial_number", "string"},
      {"money", "int64"},
      {"deque_string", "vector_string"},
      {"vector_serial_number", "vector_string"},
      {"list_record", "vector_variable_record"},
      {"vector_unique_ptr", "vector_optional_string"},
      {"unique_ptr_string", "optional_string"},
      {"unique_ptr_record", "optional_record"},
  };
  std::map<std::uint64_t, std::string_view> first;
  zoo::for_each_type([&]<class T>(std::string_view name) {
    const auto [at, is_new] = first.emplace(schema_id<T>, name);
    const auto twin = twin_of.find(name);
    if (twin == twin_of.end()) {
      EXPECT_TRUE(is_new) << name << " has the fingerprint of " << at->second;
    } else {
      EXPECT_EQ(at->second, twin->second) << name;
    }
  });
}

} // namespace schema_id_test
