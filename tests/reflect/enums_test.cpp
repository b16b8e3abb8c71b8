// SPDX-License-Identifier: Apache-2.0
// The enumerators of an enum decide which values a reader accepts, so none may be missing and none
// may be added.
#include <ingot/reflect/enums.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

enum class colour : std::uint8_t { red, green, blue };
enum class gaps { low = -100, zero = 0, seven = 7, high = 255 };
enum plain { plain_a, plain_b = 6 };           // without a fixed type: its values are 0..7
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
enum class opaque : std::int32_t; // declared without enumerators
struct scope {
  enum class inner { in, out };
};
enum class status { none = 0, ok = 200, moved = 301, not_found = 404, last = 1023 };
enum class beyond : std::uint16_t { before = 1000, edge = 1024, next = 1150, later = 1279, far = 1409 };
enum class errors : int { none = 0, first = -1, timeout = -129, closed = -200, lost = -500 };
enum class negative_codes : short { a = -128, b = -256, c = -257 };
enum class powers_and_more : unsigned { last_before = 1000, power = 1024, after = 1025, high = 2048 };
enum wide_unfixed { wide_low = 1, wide_high = 1 << 20 };
enum unfixed64 { unfixed64_one = 1, unfixed64_top = 1ULL << 63 };
template <class T, int N>
struct holder {
  enum class kind : unsigned char { one = 1, comma = ',', two = N };
  enum plain { plain_one = 1, plain_two = N };
};
enum class with_operator : std::uint8_t { a = 1, b = 2, e = 0x30 };
constexpr with_operator operator|(with_operator x, with_operator y) {
  return static_cast<with_operator>(static_cast<unsigned>(x) | static_cast<unsigned>(y));
}
enum class operator_of_int { a = 1, b = 2 };
constexpr int operator|(operator_of_int x, operator_of_int y) {
  return static_cast<int>(x) | static_cast<int>(y);
}
enum class powers_only : std::uint8_t { a = 1, b = 2, c = 4 };
enum class annotated_flags : std::int64_t { low = 1, sign = std::numeric_limits<std::int64_t>::min() };
enum class open_with_operator : std::uint8_t { a = 1 };
constexpr open_with_operator operator|(open_with_operator x, open_with_operator) { return x; }
enum class flags_of_bool : bool { on = true };
constexpr flags_of_bool operator|(flags_of_bool x, flags_of_bool) { return x; }

} // namespace zoo

enum class global_enum { here };
enum class global_flags { here = 1, there = 2 };
constexpr global_flags operator|(global_flags x, global_flags) { return x; }
namespace zoo {
enum class unrelated { here = 1, there = 2 };
}
/// An operator that is found at its call, but not in the enum's own namespace: the order of
/// includes would decide whether ingot finds it.
constexpr zoo::unrelated operator|(zoo::unrelated x, zoo::unrelated) { return x; }
namespace {
enum class unnamed { a = -3, bb = 7, ccc = 77, dddd = 777 };
enum unnamed_plain { plain_x = 5, plain_yy = 55 };
} // namespace

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<zoo::opened> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<zoo::renamed> =
    ingot::annotate(ingot::enumerator<zoo::renamed::red>(ingot::rename("RED")));
#endif
template <>
inline constexpr auto ingot::annotations<zoo::opaque> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<zoo::annotated_flags> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<zoo::open_with_operator> =
    ingot::annotate(ingot::type(ingot::open_enum));
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

TEST(enumerators, of_usual_codes_are_found) {
  EXPECT_EQ(names<zoo::status>(), (expected_names{"none", "ok", "moved", "not_found", "last"}));
  EXPECT_FALSE(ingot::enum_valid(static_cast<zoo::status>(201)));
}

TEST(enumerators, beyond_the_first_run_are_found_as_long_as_a_run_holds_one) {
#if INGOT_REFLECTION
  EXPECT_EQ(names<zoo::beyond>(), (expected_names{"before", "edge", "next", "later", "far"}));
  EXPECT_EQ(names<zoo::errors>(), (expected_names{"lost", "closed", "timeout", "first", "none"}));
#else
  // 896..1023 has one enumerator, 1024..1151 two, 1152..1279 one, 1280..1407 none
  EXPECT_EQ(names<zoo::beyond>(), (expected_names{"before", "edge", "next", "later"}));
  EXPECT_EQ(names<zoo::errors>(), (expected_names{"closed", "timeout", "first", "none"}));
#endif
  EXPECT_EQ(names<zoo::negative_codes>(), (expected_names{"c", "b", "a"}));
  EXPECT_EQ(names<zoo::powers_and_more>(), (expected_names{"last_before", "power", "after", "high"}));
  EXPECT_EQ(names<zoo::wide_unfixed>(), (expected_names{"wide_low", "wide_high"}));
  EXPECT_EQ(names<zoo::unfixed64>(), (expected_names{"unfixed64_one", "unfixed64_top"}));
}

TEST(enumerators, are_found_whatever_their_enum_is_in) {
  EXPECT_EQ(names<unnamed>(), (expected_names{"a", "bb", "ccc", "dddd"}));
  EXPECT_EQ(names<unnamed_plain>(), (expected_names{"plain_x", "plain_yy"}));
  enum class local { a = 2, bb = 22 };
  EXPECT_EQ(names<local>(), (expected_names{"a", "bb"}));
  using held = zoo::holder<std::vector<std::string_view>, 200>;
  EXPECT_EQ(names<held::kind>(), (expected_names{"one", "comma", "two"}));
  EXPECT_EQ(names<held::plain>(), (expected_names{"plain_one", "plain_two"}));
  const auto in_lambda = [] {
    enum class deep { x = 1, yy = 12, zzz = 123 };
    return deep::x;
  };
  EXPECT_EQ(names<decltype(in_lambda())>(), (expected_names{"x", "yy", "zzz"}));
}

TEST(enumerators, of_namesakes_in_two_functions_are_their_own) {
  const auto here = [](int value) {
    enum class local { one = 1, two = 2 };
    return std::string(ingot::enum_name(static_cast<local>(value)));
  };
  const auto there = [](int value) {
    enum class local { one = 3, two = 4 };
    return std::string(ingot::enum_name(static_cast<local>(value)));
  };
  EXPECT_EQ(here(2), "two");
  EXPECT_EQ(there(3), "one");
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

TEST(enum_valid, rejects_every_other_value) {
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

TEST(enum_valid, takes_combinations_of_flags) {
  static_assert(ingot::enum_is_flags<zoo::with_operator> && ingot::enum_bits<zoo::with_operator> == 0x33);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(ingot::enum_valid(static_cast<zoo::with_operator>(i)), (i & ~0x33) == 0) << i;
  }
  EXPECT_EQ(ingot::enum_name(zoo::with_operator::a | zoo::with_operator::b), "");
  static_assert(ingot::enum_is_flags<zoo::annotated_flags>);
  constexpr auto sign = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(ingot::enum_valid(zoo::annotated_flags{sign + 1}));
  EXPECT_TRUE(ingot::enum_valid(zoo::annotated_flags{}));
  EXPECT_FALSE(ingot::enum_valid(zoo::annotated_flags{2}));
  EXPECT_FALSE(ingot::enum_valid(zoo::annotated_flags{-1}));
  EXPECT_TRUE(ingot::enum_valid(zoo::flags_of_bool{}));
}

TEST(enum_is_flags, is_said_by_an_annotation_or_an_operator_and_never_guessed_from_numbers) {
  static_assert(ingot::enum_is_flags<global_flags>);
  static_assert(!ingot::enum_is_flags<zoo::powers_only> && !ingot::enum_is_flags<zoo::plain>);
  static_assert(!ingot::enum_is_flags<zoo::operator_of_int>);
  static_assert(!ingot::enum_is_flags<zoo::unrelated>);
  static_assert(ingot::enum_is_open<zoo::open_with_operator> &&
                !ingot::enum_is_flags<zoo::open_with_operator>);
  EXPECT_FALSE(ingot::enum_valid(zoo::powers_only{3}));
}

TEST(enum_valid, takes_every_value_of_an_open_enum_without_enumerators) {
  EXPECT_TRUE(ingot::enum_valid(zoo::opaque{-7}));
  EXPECT_EQ(ingot::enum_name(zoo::opaque{-7}), "");
  EXPECT_EQ(names<zoo::opaque>(), expected_names{});
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
