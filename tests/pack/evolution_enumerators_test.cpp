// SPDX-License-Identifier: Apache-2.0
// Enumerators in other versions of a type: renamed ones, and ones that only newer data has. Reading
// fails only for values that use a missing one.
#include <ingot/pack/evolution.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_enumerators_test {

using ingot::compatible;
using ingot::errc;
using ingot::evolution;
using ingot::schema_of;

enum class newer : std::uint8_t { sad = 1, glad = 2, angry = 3 };
enum class older : std::uint8_t { sad = 1, glad = 2 };
enum class moved : std::uint16_t { glad = 1, angry = 2, sad = 3, calm = 4 };
enum class taken : std::uint8_t { sad = 1, glad = 2, calm = 3 };
enum class open_taken : std::uint8_t { sad = 1, glad = 2, calm = 3 };
enum class open_mood : std::uint8_t { sad = 1, glad = 2 };
enum class unhappy_mood : std::uint8_t { unhappy = 1, glad = 2 };
enum class merged : std::uint8_t { bad = 1, good = 2 };
enum class again : std::uint8_t { gloomy = 1, sad = 4 }; // `sad` had another name before

} // namespace evolution_enumerators_test
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::open_taken> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::open_mood> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::unhappy_mood> = ingot::annotate(
    ingot::enumerator<evolution_enumerators_test::unhappy_mood::unhappy>(ingot::renamed_from("blue", "sad")));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::merged> = ingot::annotate(
    ingot::enumerator<evolution_enumerators_test::merged::bad>(ingot::renamed_from("sad", "angry")),
    ingot::enumerator<evolution_enumerators_test::merged::good>(ingot::renamed_from("glad")));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::again> =
    ingot::annotate(ingot::enumerator<evolution_enumerators_test::again::gloomy>(ingot::renamed_from("sad")));
namespace evolution_enumerators_test {

template <class E>
struct day {
  std::vector<E> hours;
  std::map<E, int> counts;
  E whole = E::glad;
};

/// Reads the value as the new type. Both profiles agree.
template <class New, class Old>
ingot::result<New> read(const Old& old) {
  const auto conversion = evolution<New>::from(schema_of<Old>());
  if (!conversion) return ingot::fail(conversion.error());
  auto packed = conversion->unpack(ingot::pack(old).value());
  const auto compacted = conversion->unpack_compact(ingot::compact::pack(old).value());
  EXPECT_EQ(packed.has_value(), compacted.has_value());
  if (packed && compacted) {
    EXPECT_EQ(ingot::pack(*packed).value().size(), ingot::pack(*compacted).value().size());
  }
  if (!packed && !compacted) {
    EXPECT_EQ(packed.error().code(), compacted.error().code());
    EXPECT_EQ(packed.error().path(), compacted.error().path());
    EXPECT_EQ(packed.error().found(), compacted.error().found());
  }
  return packed;
}
template <class New, class Old>
void expect_rejected(const Old& old, std::string_view path, std::string_view found) {
  const auto answer = compatible<New>(schema_of<Old>());
  EXPECT_TRUE(answer);
  EXPECT_FALSE(answer.reads_every_value());
  const auto outcome = read<New>(old);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), errc::schema_mismatch);
  EXPECT_EQ(outcome.error().path(), path);
  EXPECT_EQ(outcome.error().found(), found);
}

/// An old program reads newer data that uses none of the new enumerators.
TEST(evolution_enumerators, that_are_missing_are_rejected_only_where_they_are_used) {
  const auto answer = compatible<older>(schema_of<newer>());
  EXPECT_EQ(answer.to_text(), "the whole: read unless it uses enumerator angry\n");
  EXPECT_TRUE(answer);
  EXPECT_FALSE(answer.reads_every_value());
  EXPECT_TRUE(compatible<newer>(schema_of<older>()).reads_every_value());

  const day<newer> good{{newer::sad, newer::glad}, {{newer::glad, 5}}, newer::sad};
  const auto outcome = read<day<older>>(good);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->hours, (std::vector{older::sad, older::glad}));
  EXPECT_EQ(outcome->counts, (std::map<older, int>{{older::glad, 5}}));
  EXPECT_EQ(outcome->whole, older::sad);
  expect_rejected<day<older>>(day<newer>{{newer::sad, newer::angry}, {}, newer::sad}, "hours[1]",
                              "enumerator angry");
  expect_rejected<day<older>>(day<newer>{{}, {{newer::sad, 1}, {newer::angry, 2}}, newer::sad}, "counts[1]",
                              "enumerator angry");
  expect_rejected<day<older>>(day<newer>{{}, {}, newer::angry}, "whole", "enumerator angry");
  expect_rejected<std::optional<older>>(newer::angry, "", "enumerator angry");
  expect_rejected<std::array<older, 2>>(std::array{newer::glad, newer::angry}, "[1]", "enumerator angry");
}
/// The number of a missing name may now belong to another name.
TEST(evolution_enumerators, that_are_missing_never_become_others) {
  expect_rejected<taken>(newer::angry, "", "enumerator angry");
  expect_rejected<open_taken>(newer::angry, "", "enumerator angry");
  EXPECT_EQ(read<moved>(newer::sad).value(), moved::sad);
  EXPECT_EQ(read<newer>(moved::glad).value(), newer::glad);
  expect_rejected<newer>(moved::calm, "", "enumerator calm");
  EXPECT_EQ(static_cast<int>(read<open_mood>(newer::angry).value()), 3); // a value of the open enum
}
TEST(evolution_enumerators, value_without_a_name_is_rejected_by_a_closed_one) {
  EXPECT_EQ(read<older>(open_mood::sad).value(), older::sad);
  EXPECT_EQ(read<newer>(open_mood{3}).value(), newer::angry);
  expect_rejected<older>(open_mood{77}, "", "enumerator 77");
  EXPECT_EQ(compatible<older>(schema_of<open_mood>()).to_text(),
            "the whole: read unless it uses a value without an enumerator\n");
}
TEST(evolution_enumerators, without_a_common_one_are_rejected) {
  enum class coin : std::uint8_t { euro = 1 };
  const auto conversion = evolution<coin>::from(schema_of<newer>());
  ASSERT_FALSE(conversion);
  EXPECT_NE(conversion.error().message().find("no enumerator in common"), std::string::npos)
      << conversion.error().message();
}

TEST(evolution_enumerators, that_are_renamed_are_found_by_former_names) {
  EXPECT_EQ(read<unhappy_mood>(older::sad).value(), unhappy_mood::unhappy);
  EXPECT_EQ(compatible<unhappy_mood>(schema_of<older>()).to_text(), "the whole: renamed from sad\n");
  EXPECT_TRUE(compatible<unhappy_mood>(schema_of<older>()).reads_every_value());
  // Two may become one; one whose name now belongs to another enumerator keeps its former name.
  EXPECT_EQ(read<merged>(newer::angry).value(), merged::bad);
  EXPECT_EQ(read<merged>(newer::sad).value(), merged::bad);
  EXPECT_EQ(read<again>(older::sad).value(), again::gloomy);
  expect_rejected<again>(older::glad, "", "enumerator glad");
}
/// Keys keep their order only if their numbers don't change.
TEST(evolution_enumerators, as_keys_keep_their_numbers) {
  EXPECT_EQ((read<std::set<unhappy_mood>>(std::set{older::sad}).value()), (std::set{unhappy_mood::unhappy}));
  EXPECT_FALSE((evolution<std::set<moved>>::from(schema_of<std::set<newer>>())));
  EXPECT_FALSE((evolution<std::set<merged>>::from(schema_of<std::set<newer>>())));
}

enum class rights_1 : std::uint8_t { read = 1, write = 2, run = 4 };
enum class rights : std::uint8_t { read = 1, write = 2 };
enum class rights_taken : std::uint8_t { read = 1, write = 2, own = 4 };
enum class right : std::uint8_t { read = 1, write = 2, run = 4 };

} // namespace evolution_enumerators_test
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::rights_1> =
    ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::rights> =
    ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<evolution_enumerators_test::rights_taken> =
    ingot::annotate(ingot::type(ingot::flags));
namespace evolution_enumerators_test {

/// A combination is rejected for a removed bit, even if the bit has another name now.
TEST(evolution_enumerators, bits_of_flags_that_are_missing_are_rejected_where_they_are_set) {
  EXPECT_EQ(read<rights>(rights_1{3}).value(), rights{3});
  EXPECT_EQ(read<rights>(rights_1{0}).value(), rights{0});
  expect_rejected<rights>(rights_1{5}, "", "enumerator 5");
  expect_rejected<rights>(rights_1::run, "", "enumerator run");
  EXPECT_EQ(read<rights_taken>(rights_1{3}).value(), rights_taken{3});
  expect_rejected<rights_taken>(rights_1{5}, "", "enumerator 5");
  EXPECT_EQ(read<right>(rights_1{4}).value(), right::run);
  expect_rejected<right>(rights_1{3}, "", "enumerator 3");
}

} // namespace evolution_enumerators_test
