// SPDX-License-Identifier: Apache-2.0
// Reports the first member that differs between two layouts, by its path, with its description on
// both sides. Without it, a program that gets a block of another program learns that two numbers
// differ, and not what to correct.
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace same_layout_test {

using ingot::dynamic_layout;
using ingot::errc;

/// Returns the error of a block of `Theirs` in a program that has `Ours`.
template <class Theirs, class Ours>
[[nodiscard]] ingot::error between() {
  const auto theirs = dynamic_layout::of<Theirs>();
  EXPECT_TRUE(theirs.has_value());
  const auto same = ingot::same_layout<Ours>(*theirs);
  EXPECT_FALSE(same.has_value());
  return same ? ingot::error(errc::io) : same.error();
}
template <class Theirs, class Ours>
void expect_difference(errc code, std::string_view path, std::string_view expected, std::string_view found) {
  const ingot::error err = between<Theirs, Ours>();
  EXPECT_EQ(err.code(), code) << err.message();
  EXPECT_EQ(err.path(), path) << err.message();
  EXPECT_EQ(err.expected(), expected) << err.message();
  EXPECT_EQ(err.found(), found) << err.message();
}
/// For two types that have a member `v`.
template <class A, class B>
void expect_values(std::string_view path, std::string_view expected, std::string_view found) {
  struct theirs {
    std::uint64_t first;
    A v;
  };
  struct ours {
    std::uint64_t first;
    B v;
  };
  expect_difference<theirs, ours>(errc::schema_mismatch, path, expected, found);
  expect_difference<ours, theirs>(errc::schema_mismatch, path, found, expected);
}

enum class mood : std::uint8_t { calm, angry };
namespace other {
enum class mood : std::uint8_t { calm, happy };
enum class moods : std::uint8_t { calm, angry, sad };
} // namespace other
enum class temper : std::int16_t { calm = -3 };
namespace other {
enum class temper : std::int16_t { calm = -2 };
} // namespace other

struct weapon {
  ingot::string name;
  std::uint16_t damage = 0;
};
namespace other {
struct weapon {
  ingot::string name;
  std::uint32_t damage = 0;
};
} // namespace other

TEST(dynamic_same_layout, of_equal_types_is_the_same) {
  struct one {
    ingot::string name;
    ingot::vector<weapon> weapons;
  };
  struct two {
    ingot::string name;
    ingot::vector<weapon> weapons;
  };
  const auto layout = dynamic_layout::of<one>().value();
  EXPECT_TRUE(ingot::same_layout(layout, layout));
  EXPECT_TRUE(ingot::same_layout<one>(layout));
  EXPECT_TRUE(ingot::same_layout<two>(layout)) << "names of types don't matter";
}

TEST(dynamic_same_layout, names_the_member_that_has_another_type) {
  expect_values<std::int32_t, std::uint32_t>("v", "u32", "i32");
  expect_values<std::int32_t, std::int64_t>("v", "i64", "i32");
  expect_values<float, ingot::string>("v", "string", "f32");
  expect_values<ingot::u16string, ingot::string>("v", "string", "string16");
  expect_values<bool, std::byte>("v", "byte", "bool");
  expect_values<std::bitset<70>, std::bitset<71>>("v", "bitset of 71", "bitset of 70");
  expect_values<std::chrono::duration<std::int64_t, std::milli>, std::chrono::duration<std::int64_t>>(
      "v", "duration in 1/1 s", "duration in 1/1000 s");
  expect_values<std::array<int, 2>, std::array<int, 3>>("v", "array of 3", "array of 2");
  expect_values<std::array<char, 2>, std::array<std::uint8_t, 2>>("v[]", "u8", "char8");
  expect_values<std::pair<int, bool>, std::pair<int, char>>("v.second", "char8", "bool");
  expect_values<ingot::vector<int>, ingot::vector<float>>("v[]", "f32", "i32");
  expect_values<ingot::map<int, int>, ingot::map<int, bool>>("v[]", "bool", "i32");
  expect_values<ingot::map<int, int>, ingot::map<unsigned, int>>("v[key]", "u32", "i32");
  expect_values<ingot::hash_map<int, int>, ingot::hash_map<int, float>>("v[]", "f32", "i32");
  expect_values<ingot::set<int>, ingot::set<short>>("v[]", "i16", "i32");
  expect_values<ingot::set<int>, ingot::vector<int>>("v", "vector", "set");
  expect_values<ingot::optional<int>, ingot::optional<unsigned>>("v", "u32", "i32");
  expect_values<ingot::variant<int, bool>, ingot::variant<int, char>>("v[1]", "char8", "bool");
  expect_values<ingot::variant<int, bool, float>, ingot::variant<int, bool>>("v", "nothing", "f32");
  expect_values<ingot::pool<weapon>, ingot::pool<other::weapon>>("v[].damage", "u32", "u16");
  expect_values<ingot::vector<weapon>, ingot::vector<other::weapon>>("v[].damage", "u32", "u16");
  expect_values<ingot::map<ingot::string, ingot::vector<weapon>>,
                ingot::map<ingot::string, ingot::vector<other::weapon>>>("v[][].damage", "u32", "u16");
  expect_values<mood, std::uint8_t>("v", "u8", "enum u8 mood");
  expect_values<mood, other::mood>("v", "enum with happy = 1", "enum with angry = 1");
  expect_values<mood, other::moods>("v", "enum with sad = 2", "enum with no more enumerators");
  expect_values<temper, other::temper>("v", "enum with calm = -2", "enum with calm = -3");
}

TEST(dynamic_same_layout, names_the_first_of_many_differences_and_members_that_one_side_lacks) {
  struct theirs {
    std::uint32_t id;
    ingot::string title;
    float speed;
  };
  struct renamed {
    std::uint32_t id;
    ingot::string name;
    double speed;
  };
  expect_difference<theirs, renamed>(errc::schema_mismatch, "name", "name, string", "title, string");
  struct longer {
    std::uint32_t id;
    ingot::string title;
    float speed;
    bool alive;
  };
  expect_difference<theirs, longer>(errc::schema_mismatch, "alive", "bool", "nothing");
  expect_difference<longer, theirs>(errc::schema_mismatch, "alive", "nothing", "bool");
  struct several {
    std::uint32_t id;
    ingot::vector<char> title;
    double speed;
  };
  expect_difference<theirs, several>(errc::schema_mismatch, "title", "vector", "string");
}

TEST(dynamic_same_layout, names_what_only_lies_elsewhere) {
  struct near {
    std::uint32_t id;
    ingot::vector<std::uint32_t> scores;
  };
  struct later {
    std::uint32_t id;
    alignas(16) ingot::vector<std::uint32_t> scores;
  };
  expect_difference<near, later>(errc::layout_mismatch, "scores", "vector at byte 16", "vector at byte 4");
  struct inner {
    std::uint32_t a;
  };
  struct alignas(16) wider {
    std::uint32_t a;
  };
  struct with_inner {
    std::uint32_t n;
    inner in;
    std::uint32_t last;
  };
  struct with_wider {
    std::uint32_t n;
    wider in;
    std::uint32_t last;
  };
  // Not the member after it, whose position differs only because of it.
  expect_difference<with_inner, with_wider>(errc::layout_mismatch, "in",
                                            "record wider, 16 bytes aligned to 16",
                                            "record inner, 4 bytes aligned to 4");
  struct ordered {
    ingot::vector<ingot::map<std::uint32_t, float>> prices;
  };
  struct flat {
    ingot::vector<ingot::flat_map<std::uint32_t, float>> prices;
  };
  expect_difference<ordered, flat>(errc::layout_mismatch, "prices[]", "flat_map", "map");
  const auto narrow = dynamic_layout::of<inner>().value();
  const auto wide = dynamic_layout::open(ingot::wide::layout_of<inner>());
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(ingot::same_layout(*wide, narrow).error().expected(), "32-bit offsets");
  EXPECT_EQ(ingot::same_layout(*wide, narrow).error().found(), "64-bit offsets");
}

struct tree {
  ingot::string name;
  ingot::vector<tree> children;
  ingot::box<tree> first;
  std::uint32_t weight;
};
namespace other {
struct tree {
  ingot::string name;
  ingot::vector<tree> children;
  ingot::box<tree> first;
  std::uint64_t weight;
};
struct shrub;
struct bush {
  ingot::string name;
  ingot::vector<shrub> children;
  ingot::box<bush> first;
  std::uint32_t weight;
};
struct shrub {
  ingot::string name;
  ingot::vector<bush> children;
  ingot::box<bush> first;
  bool weight;
};
} // namespace other

TEST(dynamic_same_layout, ends_for_types_that_contain_themselves) {
  expect_difference<tree, other::tree>(errc::schema_mismatch, "weight", "u64", "u32");
  expect_difference<tree, other::bush>(errc::schema_mismatch, "children[].weight", "bool", "u32");
  expect_difference<other::bush, tree>(errc::schema_mismatch, "children[].weight", "u32", "bool");
}

struct marked {
  ingot::string name;
};
namespace plain {
struct marked {
  ingot::string name;
};
} // namespace plain

} // namespace same_layout_test

template <>
inline constexpr auto ingot::annotations<same_layout_test::marked> =
    ingot::annotate(ingot::type(ingot::evolvable));

namespace same_layout_test {

TEST(dynamic_same_layout, of_which_descriptions_say_nothing_tells_both_fingerprints) {
  ASSERT_NE(ingot::schema_id<marked>, ingot::schema_id<plain::marked>);
  const ingot::error err = between<marked, plain::marked>();
  EXPECT_EQ(err.code(), errc::schema_mismatch);
  EXPECT_TRUE(err.path().empty());
  EXPECT_TRUE(err.expected().starts_with("schema_id 0x")) << err.message();
  EXPECT_TRUE(err.found().starts_with("schema_id 0x")) << err.message();
}

} // namespace same_layout_test
