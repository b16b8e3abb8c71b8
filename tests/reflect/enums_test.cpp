// SPDX-License-Identifier: Apache-2.0
// Which values an enum has decides what a reader accepts, so none may be missing and none invented.
#include <ingot/reflect/enums.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

enum class colour : std::uint8_t { red, green, blue };
enum class gaps { low = -100, zero = 0, seven = 7, high = 255 };
enum plain { plain_a, plain_b = 6 };           // no fixed type: 0..7 are its values
enum plain_negative { below = -5, above = 6 }; // -8..7
enum class flags : std::uint64_t { one = 1, forty = 1ULL << 40, last = 1ULL << 63 };
enum flags32 : unsigned { bit0 = 1, bit8 = 256, bit31 = 1U << 31 };
enum class narrow : signed char { least = -128, most = 127 };
enum class answer : bool { no, yes };
enum class whole : std::uint8_t { first = 0, last = 255 };
enum class single { only = 5 };
enum class alias { first = 1, same = 1, second = 2 };
enum class nothing {};
#if INGOT_REFLECTION
enum class[[= ingot::open_enum]] opened : std::uint16_t { a = 1, b = 3 };
enum class renamed { red[[= ingot::rename("RED")]], green };
#else
enum class opened : std::uint16_t { a = 1, b = 3 };
enum class renamed { red, green };
#endif
enum class distant { near = 1, far = 1000, farther = -5000 };
struct scope {
  enum class inner { in, out };
};

} // namespace zoo

enum class global_enum { here };

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<zoo::opened> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<zoo::renamed> =
    ingot::annotate(ingot::enumerator<zoo::renamed::red>(ingot::rename("RED")));
#endif
template <>
inline constexpr auto ingot::annotations<zoo::distant> =
    ingot::annotate(ingot::enumerator<zoo::distant::far>(),
                    ingot::enumerator<zoo::distant::near>(ingot::rename("close")),
                    ingot::enumerator<zoo::distant::farther>(ingot::rename("beyond")));

namespace {

template <class E>
std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const auto& each : ingot::enumerators<E>) {
    result.push_back(each.name);
    EXPECT_EQ(ingot::enum_name(each.value), each.name);
    EXPECT_EQ(ingot::enum_from_name<E>(each.name), each.value);
    EXPECT_TRUE(ingot::enum_valid(each.value));
  }
  return result;
}
using expected_names = std::vector<std::string_view>;

TEST(enumerators, are_found_with_their_names_in_order_of_value) {
  EXPECT_EQ(names<zoo::colour>(), (expected_names{"red", "green", "blue"}));
  EXPECT_EQ(names<zoo::gaps>(), (expected_names{"low", "zero", "seven", "high"}));
  EXPECT_EQ(names<zoo::single>(), expected_names{"only"});
  EXPECT_EQ(names<zoo::scope::inner>(), (expected_names{"in", "out"}));
  EXPECT_EQ(names<global_enum>(), expected_names{"here"});
  EXPECT_EQ(names<zoo::nothing>(), expected_names{});
}

TEST(enumerators, of_every_underlying_type) {
  EXPECT_EQ(names<zoo::plain>(), (expected_names{"plain_a", "plain_b"}));
  EXPECT_EQ(names<zoo::plain_negative>(), (expected_names{"below", "above"}));
  EXPECT_EQ(names<zoo::narrow>(), (expected_names{"least", "most"}));
  EXPECT_EQ(names<zoo::whole>(), (expected_names{"first", "last"}));
  EXPECT_EQ(names<zoo::answer>(), (expected_names{"no", "yes"}));
}

TEST(enumerators, every_flag_is_found) {
  EXPECT_EQ(names<zoo::flags>(), (expected_names{"one", "forty", "last"}));
  EXPECT_EQ(names<zoo::flags32>(), (expected_names{"bit0", "bit8", "bit31"}));
}

TEST(enumerators, of_one_value_count_once) {
  ASSERT_EQ(ingot::enumerators<zoo::alias>.size(), 2U);
  EXPECT_EQ(ingot::enum_name(zoo::alias::same), "first");
}

TEST(enumerators, out_of_reach_are_named_by_annotation) {
  EXPECT_EQ(names<zoo::distant>(), (expected_names{"beyond", "close", "far"}));
  EXPECT_TRUE(ingot::enum_valid(zoo::distant::far));
  EXPECT_FALSE(ingot::enum_valid(static_cast<zoo::distant>(1001)));
}

TEST(enumerators, can_be_renamed) {
  EXPECT_EQ(names<zoo::renamed>(), (expected_names{"RED", "green"}));
  EXPECT_FALSE(ingot::enum_from_name<zoo::renamed>("red").has_value());
}

TEST(enum_valid, refuses_every_other_value) {
  for (int i = 0; i < 256; ++i) EXPECT_EQ(ingot::enum_valid(static_cast<zoo::colour>(i)), i < 3) << i;
  for (int i = -300; i < 300; ++i) {
    EXPECT_EQ(ingot::enum_valid(static_cast<zoo::gaps>(i)), i == -100 || i == 0 || i == 7 || i == 255) << i;
  }
  EXPECT_FALSE(ingot::enum_valid(static_cast<zoo::flags>(3)));
  EXPECT_FALSE(ingot::enum_valid(static_cast<zoo::nothing>(0)));
}

TEST(enum_valid, takes_every_value_of_an_open_enum) {
  static_assert(ingot::enum_is_open<zoo::opened> && !ingot::enum_is_open<zoo::colour>);
  EXPECT_TRUE(ingot::enum_valid(static_cast<zoo::opened>(999)));
  EXPECT_EQ(ingot::enum_name(static_cast<zoo::opened>(999)), "");
  EXPECT_EQ(names<zoo::opened>(), (expected_names{"a", "b"}));
}

TEST(enum_from_name, is_exact) {
  EXPECT_FALSE(ingot::enum_from_name<zoo::colour>("Red").has_value());
  EXPECT_FALSE(ingot::enum_from_name<zoo::colour>("").has_value());
  EXPECT_FALSE(ingot::enum_from_name<zoo::colour>("gree").has_value());
}

TEST(enumeration, is_every_enum_but_byte) {
  static_assert(ingot::enumeration<zoo::colour> && ingot::enumeration<zoo::plain>);
  static_assert(!ingot::enumeration<std::byte> && !ingot::enumeration<int>);
}

TEST(enums, work_in_constant_expressions) {
  static_assert(ingot::enum_name(zoo::colour::blue) == "blue");
  static_assert(ingot::enum_from_name<zoo::gaps>("seven") == zoo::gaps::seven);
  static_assert(!ingot::enum_valid(static_cast<zoo::gaps>(8)));
}

} // namespace
