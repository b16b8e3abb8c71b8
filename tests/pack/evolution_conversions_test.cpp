// SPDX-License-Identifier: Apache-2.0
// Conversions without loss: longer text, sets as sequences, members that are now required, keys of
// pairs that widen.
#include <ingot/pack/evolution.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_conversions_test {

using ingot::compatible;
using ingot::evolution;
using ingot::schema_of;

/// Reads the old value as the new type. Both profiles agree.
template <class New, class Old>
New read(const Old& old) {
  const auto conversion = evolution<New>::from(schema_of<Old>());
  if (!conversion) {
    ADD_FAILURE() << conversion.error().message();
    return {};
  }
  const auto packed = conversion->unpack(ingot::pack(old).value());
  const auto compacted = conversion->unpack_compact(ingot::compact::pack(old).value());
  if (!packed || !compacted) {
    ADD_FAILURE() << (packed ? compacted.error() : packed.error()).message();
    return {};
  }
  EXPECT_EQ(ingot::pack(*packed).value().size(), ingot::pack(*compacted).value().size());
  return *packed;
}
template <class New, class Old>
void expect_rejected(std::string_view why) {
  const auto answer = compatible<New>(schema_of<Old>());
  EXPECT_FALSE(answer) << answer.to_text();
  EXPECT_NE(answer.to_text().find(why), std::string::npos) << answer.to_text();
}
template <std::size_t N>
std::array<char, N> text(std::string_view from) {
  std::array<char, N> array{};
  for (std::size_t i = 0; i < from.size(); ++i) array[i] = from[i];
  return array;
}

struct named_1 {
  char name[8];
  std::uint16_t level = 0;
};
struct named {
  std::uint32_t level = 0;
  char name[16];
};

TEST(evolution_conversions, array_of_characters_gets_longer) {
  named_1 old{"eightch", 7};
  old.name[7] = 's'; // no terminating zero
  const named value = read<named>(old);
  EXPECT_EQ(std::string_view(value.name), "eightchs");
  EXPECT_EQ(value.level, 7U);
  EXPECT_EQ((compatible<named>(schema_of<named_1>()).to_text()),
            "level: moved\nlevel: widened from u16 to u32\nname: extended from array of 8 to array of 16\n");
  EXPECT_EQ((read<std::vector<std::array<char, 5>>>(std::vector{text<2>("ab"), text<2>("c")})),
            (std::vector{text<5>("ab"), text<5>("c")}));
  EXPECT_EQ((read<std::array<char16_t, 3>>(std::array<char16_t, 1>{u'\u20ac'})),
            (std::array<char16_t, 3>{u'\u20ac'}));
  expect_rejected<std::array<char, 7>, std::array<char, 8>>("the new text is shorter");
  expect_rejected<std::array<int, 9>, std::array<int, 8>>("different numbers of elements");
  expect_rejected<std::array<char16_t, 9>, std::array<char, 8>>("different numbers of elements");
}

TEST(evolution_conversions, set_becomes_a_sequence) {
  EXPECT_EQ((read<std::vector<int>>(std::set<int>{3, -1, 2})), (std::vector{-1, 2, 3}));
  EXPECT_EQ((read<std::vector<double>>(std::multiset<float>{2, 1, 2})), (std::vector<double>{1, 2, 2}));
  EXPECT_EQ((read<std::vector<std::string>>(std::set<std::string>{"b", "a"})),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ((read<std::vector<std::uint8_t>>(std::unordered_set<std::uint8_t>{9, 4})),
            (std::vector<std::uint8_t>{4, 9})); // in the order of the message
  using pairs = std::vector<std::pair<std::uint32_t, std::string>>;
  EXPECT_EQ((read<pairs>(std::map<std::uint16_t, std::string>{{2, "b"}, {1, "a"}})),
            (pairs{{1, "a"}, {2, "b"}}));
  EXPECT_EQ((read<pairs>(std::unordered_map<std::uint32_t, std::string>{{2, "b"}})), (pairs{{2, "b"}}));
  EXPECT_EQ((compatible<std::vector<int>>(schema_of<std::set<int>>()).to_text()),
            "the whole: extended from set to sequence\n");
  expect_rejected<std::set<int>, std::vector<int>>("different kinds");
}

struct player_1 {
  std::optional<std::uint16_t> lives;
  std::optional<std::string> name;
  std::optional<std::array<std::uint8_t, 2>> place;
  std::uint8_t level = 0;
};
struct player {
  std::uint8_t level = 0;
  std::string name = "unknown";
  std::uint32_t lives = 3;
  std::array<std::uint8_t, 2> place{1, 2};
};
struct held_1 {
  std::vector<player_1> all;
};
struct held {
  std::vector<player> all;
};

} // namespace evolution_conversions_test
template <>
inline constexpr auto ingot::annotations<evolution_conversions_test::player> =
    ingot::annotate(ingot::member<"lives">(ingot::default_value(5)));
namespace evolution_conversions_test {

TEST(evolution_conversions, optional_member_becomes_required) {
  const held value = read<held>(held_1{{{{}, {}, {}, 9}, {7, "Ann", {{4, 5}}, 8}, {{}, "Bob", {}, 7}}});
  ASSERT_EQ(value.all.size(), 3U);
  EXPECT_EQ(value.all[0].lives, 5U); // the default from its annotation
  EXPECT_EQ(value.all[0].name, "unknown");
  EXPECT_EQ(value.all[0].place, (std::array<std::uint8_t, 2>{1, 2}));
  EXPECT_EQ(value.all[0].level, 9);
  EXPECT_EQ(value.all[1].lives, 7U);
  EXPECT_EQ(value.all[1].name, "Ann");
  EXPECT_EQ(value.all[1].place, (std::array<std::uint8_t, 2>{4, 5}));
  EXPECT_EQ(value.all[1].level, 8);
  EXPECT_EQ(value.all[2].lives, 5U);
  EXPECT_EQ(value.all[2].name, "Bob");
  EXPECT_EQ(value.all[2].level, 7);
  const auto answer = compatible<player>(schema_of<player_1>());
  EXPECT_TRUE(answer.reads_every_value());
  EXPECT_NE(answer.to_text().find("lives: made required, takes its default where there was none"),
            std::string::npos)
      << answer.to_text();
  // it has no default
  expect_rejected<std::vector<int>, std::vector<std::optional<int>>>("different kinds");
}

TEST(evolution_conversions, pair_as_key_widens) {
  using old_key = std::pair<std::int8_t, std::uint16_t>;
  using new_key = std::pair<std::int32_t, std::uint64_t>;
  std::map<old_key, int> old;
  std::map<new_key, int> expected;
  for (int i = -128; i < 128; i += 5) {
    for (const unsigned k : {0U, 1U, 255U, 256U, 65'535U}) {
      old[{static_cast<std::int8_t>(i), static_cast<std::uint16_t>(k)}] = i;
      expected[{i, k}] = i;
    }
  }
  EXPECT_EQ((read<std::map<new_key, int>>(old)), expected);
  EXPECT_EQ((read<std::set<std::array<std::int64_t, 2>>>(
                std::set<std::array<std::int16_t, 2>>{{-1, 300}, {-300, 7}, {5, -5}})),
            (std::set<std::array<std::int64_t, 2>>{{-1, 300}, {-300, 7}, {5, -5}}));
  expect_rejected<std::set<std::pair<double, int>>, std::set<std::pair<float, int>>>("keys can't change");
}

} // namespace evolution_conversions_test
