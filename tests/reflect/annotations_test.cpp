// SPDX-License-Identifier: Apache-2.0
// Annotations change names, limits and versions. An annotation that is ignored would make data
// silently wrong.
#include <ingot/reflect/members.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

namespace zoo {

// The same two types in both forms: with C++26 the annotations are at the members.
#if INGOT_REFLECTION
struct[[ = ingot::version(2), = ingot::evolvable ]] person {
  [[ = ingot::rename("years"), = ingot::range(0, 150) ]] int age;
  [[ = ingot::max_size(64), = ingot::utf8 ]] std::string name;
  [[= ingot::skip]] int cache;
  [[ = ingot::since(2), = ingot::default_value(7) ]] int rank;
  [[= ingot::default_value("none")]] std::string title;
  [[= ingot::varint]] std::uint64_t visits;
  [[= ingot::fixed]] std::uint64_t hash;
  [[= ingot::short_float]] float weight;
  int plain;
};
struct[[= ingot::elide_defaults]] animal {
  [[= ingot::rename("legs_on_ground")]] int legs;
};
struct[[= ingot::tight]] probe {
  [[= ingot::quantize(0.25)]] float depth;
  [[= ingot::tight_float]] double salt;
};
struct[[= ingot::transform(0.5, 32)]] bone {
  float place[3];
  float turn[4];
  [[= ingot::unit_vector(16)]] float axis[3];
};
#else
struct bone {
  float place[3];
  float turn[4];
  float axis[3];
};
struct probe {
  float depth;
  double salt;
};
struct person {
  int age;
  std::string name;
  int cache;
  int rank;
  std::string title;
  std::uint64_t visits;
  std::uint64_t hash;
  float weight;
  int plain;
};
struct animal {
  int legs;
};
#endif

struct dog : animal {
  int tail;
  INGOT_REFLECT(dog, (animal), tail)
};
struct centipede : animal {
  int length;
  INGOT_REFLECT(centipede, (animal), length)
};
struct plain {
  int a;
};
class hidden {
  int secret_ = 0;

public:
  constexpr auto reflect(auto&& f) { return f(secret_); }
};

} // namespace zoo

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<zoo::person> = ingot::annotate(
    ingot::type(ingot::version(2), ingot::evolvable),
    ingot::member<"age">(ingot::rename("years"), ingot::range(0, 150)),
    ingot::member<"name">(ingot::max_size(64), ingot::utf8), ingot::member<"cache">(ingot::skip),
    ingot::member<"rank">(ingot::since(2), ingot::default_value(7)),
    ingot::member<"title">(ingot::default_value("none")), ingot::member<"visits">(ingot::varint),
    ingot::member<"hash">(ingot::fixed), ingot::member<"weight">(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<zoo::animal> = ingot::annotate(
    ingot::member<"legs">(ingot::rename("legs_on_ground")), ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<zoo::probe> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"depth">(ingot::quantize(0.25)),
                    ingot::member<"salt">(ingot::tight_float));
template <>
inline constexpr auto ingot::annotations<zoo::bone> =
    ingot::annotate(ingot::type(ingot::transform(0.5, 32)), ingot::member<"axis">(ingot::unit_vector(16)));
#endif
template <>
inline constexpr auto ingot::annotations<zoo::centipede> = ingot::annotate(
    ingot::member<"legs">(ingot::rename("hundred")), ingot::member<"legs">(ingot::range(0, 100)));
template <>
inline constexpr auto ingot::annotations<zoo::hidden> =
    ingot::annotate(ingot::member<"secret_">(ingot::rename("secret")));

namespace annotations_test {

using zoo::person;

TEST(annotations, rename_changes_the_name) {
  EXPECT_EQ((ingot::member_name<person, 0>), "years");
  EXPECT_EQ((ingot::member_name<person, 1>), "name");
  EXPECT_EQ((ingot::member_name<zoo::hidden, 0>), "secret");
  static_assert(ingot::member_index<person>("years") == 0);
  static_assert(ingot::member_index<person>("age") == ingot::member_count<person>);
}

TEST(annotations, are_found_at_their_member_only) {
  static_assert(ingot::member_has<person, 0, ingot::range_t> &&
                !ingot::member_has<person, 1, ingot::range_t>);
  static_assert(ingot::member_has<person, 1, ingot::utf8_t> && !ingot::member_has<person, 0, ingot::utf8_t>);
  static_assert(ingot::member_has<person, 2, ingot::skip_t> && !ingot::member_has<person, 8, ingot::skip_t>);
  static_assert(ingot::member_has<person, 5, ingot::varint_t> &&
                !ingot::member_has<person, 6, ingot::varint_t>);
  static_assert(ingot::member_has<person, 6, ingot::fixed_t>);
  static_assert(ingot::member_has<person, 7, ingot::short_float_t>);
  static_assert(!ingot::member_has<zoo::plain, 0, ingot::skip_t>);
}

TEST(annotations, of_the_fewest_bytes_are_their_parts) {
  static_assert(ingot::type_has<zoo::probe, ingot::varint_t> &&
                ingot::type_has<zoo::probe, ingot::tight_float_t> &&
                ingot::type_has<zoo::probe, ingot::elide_defaults_t>);
  static_assert(!ingot::type_has<zoo::probe, ingot::short_float_t> &&
                !ingot::type_has<zoo::animal, ingot::varint_t>);
  static_assert(ingot::member_has<zoo::probe, 1, ingot::tight_float_t> &&
                !ingot::member_has<zoo::probe, 0, ingot::tight_float_t>);
  static_assert(ingot::member_get<zoo::probe, 0, ingot::quantize_t>.units == 25 &&
                ingot::member_get<zoo::probe, 0, ingot::quantize_t>.digits == 2);
  constexpr ingot::quantize_t largest = ingot::quantize(4'294'967'295.0);
  static_assert(largest.units == 4'294'967'295 && largest.digits == 0);
  constexpr ingot::quantize_t smallest = ingot::quantize(0.000000001);
  static_assert(smallest.units == 1 && smallest.digits == 9);
}

TEST(annotations, of_directions_and_transforms_have_their_sizes) {
  static_assert(ingot::type_get<zoo::bone, ingot::transform_t>.position.units == 5 &&
                ingot::type_get<zoo::bone, ingot::transform_t>.rotation.bytes == 4 &&
                ingot::type_get<zoo::bone, ingot::transform_t>.scale.digits == 3);
  static_assert(ingot::member_get<zoo::bone, 2, ingot::unit_vector_t>.bytes == 2 &&
                !ingot::member_has<zoo::bone, 1, ingot::unit_vector_t>);
  static_assert(ingot::unit_vector.bytes == 0 && ingot::unit_vector(64).bytes == 8);
}

TEST(annotations, give_their_values) {
  static_assert(ingot::member_get<person, 1, ingot::max_size_t>.count == 64);
  static_assert(ingot::member_get<person, 3, ingot::since_t>.version == 2);
  static_assert(ingot::member_get<person, 3, ingot::default_value_t>.value == 7);
  static_assert(ingot::member_get<person, 4, ingot::default_value_t>.value.view() == "none");
  static_assert(ingot::member_get<person, 0, ingot::range_t>.contains(150));
  static_assert(!ingot::member_get<person, 0, ingot::range_t>.contains(151));
}

TEST(annotations, of_types) {
  static_assert(ingot::type_has<person, ingot::evolvable_t>);
  static_assert(ingot::type_get<person, ingot::version_t>.number == 2);
  static_assert(!ingot::type_has<person, ingot::elide_defaults_t>);
  static_assert(ingot::type_has<zoo::animal, ingot::elide_defaults_t>);
  static_assert(!ingot::type_has<int, ingot::evolvable_t> && !ingot::type_has<zoo::plain, ingot::version_t>);
}

TEST(annotations, of_members_are_inherited_and_can_be_overridden) {
  EXPECT_EQ((ingot::member_name<zoo::dog, 0>), "legs_on_ground");
  EXPECT_EQ((ingot::member_name<zoo::centipede, 0>), "hundred");
  static_assert(ingot::member_has<zoo::centipede, 0, ingot::range_t>);
  static_assert(!ingot::type_has<zoo::dog, ingot::elide_defaults_t>);
}

TEST(range, compares_exactly_across_signs_and_kinds) {
  constexpr auto small = ingot::range(-1, 100U);
  static_assert(small.contains(-1) && !small.contains(-2) && small.contains(std::uint64_t{100}));
  static_assert(!small.contains(std::numeric_limits<std::uint64_t>::max())); // -1 as unsigned
  static_assert(!small.contains(std::numeric_limits<std::int64_t>::min()));
  static_assert(small.contains(99.5) && !small.contains(100.5) && !small.contains(-1.5F));
  constexpr auto big = ingot::range(0, std::numeric_limits<std::uint64_t>::max());
  static_assert(big.contains(std::numeric_limits<std::uint64_t>::max()) && !big.contains(-1));
  constexpr auto fraction = ingot::range(0.5, 1.5);
  static_assert(fraction.contains(1) && !fraction.contains(0) && !fraction.contains(2U));
}

TEST(range, rejects_nan) {
  constexpr auto all =
      ingot::range(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
  static_assert(!all.contains(std::numeric_limits<double>::quiet_NaN()) && all.contains(1e300));
}

TEST(rename, holds_63_bytes) {
  constexpr auto longest = ingot::rename("012345678901234567890123456789012345678901234567890123456789012");
  static_assert(longest.view().size() == 63);
}

} // namespace annotations_test
