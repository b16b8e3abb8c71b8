// SPDX-License-Identifier: Apache-2.0
// Texts may have the keys of a flat set or map in any order. Inserted one by one, descending keys
// would move all entries each time: time quadratic in the text.
#include <ingot/json/json.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sorting_once_test {

using ingot::errc;

std::uint64_t comparisons = 0;
struct counted {
  std::uint64_t number = 0;
  friend bool operator==(const counted&, const counted&) = default;
  friend std::strong_ordering operator<=>(const counted& a, const counted& b) noexcept {
    ++comparisons;
    return a.number <=> b.number;
  }
};

std::uint64_t moves = 0; ///< moves of `counted` keys in blocks

} // namespace sorting_once_test

template <>
void ingot::detail::relocate<sorting_once_test::counted>(sorting_once_test::counted* to,
                                                         const sorting_once_test::counted* from,
                                                         std::size_t count) noexcept {
  sorting_once_test::moves += count;
  std::memmove(static_cast<void*>(to), static_cast<const void*>(from), count * sizeof *to);
}

namespace sorting_once_test {

/// Records its address when it is complete: either at the position of its key, or after all others.
std::set<const void*> addresses;
struct noted {
  int number = 0;
  [[nodiscard]] bool valid() const {
    addresses.insert(this);
    return true;
  }
};

struct notes {
  ingot::flat_map<int, noted> of;
};

struct keys {
  ingot::flat_set<counted> set;
  ingot::flat_set<ingot::string> texts;
  ingot::flat_map<int, ingot::vector<ingot::string>> lists;
  ingot::flat_map<ingot::string, int> numbers;
  ingot::flat_map<counted, int> pairs;
};

constexpr std::size_t many = 2'000;

std::string set_text(bool descending) {
  std::string text = R"({"set":[)";
  for (std::size_t i = 0; i < many; ++i)
    text += (i == 0 ? "" : ",") + (R"({"number":)" + std::to_string(descending ? many - i : i)) + "}";
  return text + R"(],"texts":[],"lists":{},"numbers":{},"pairs":[]})";
}

TEST(sorting_once, descending_keys_take_as_many_comparisons_as_sorting) {
  for (const bool descending : {false, true}) {
    ingot::live<keys> live;
    comparisons = 0;
    moves = 0;
    const auto read = ingot::json::read_into(*live, set_text(descending));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_LT(comparisons, (descending ? 30 : 2) * many);
    EXPECT_LT(moves, 4 * many); // moves for growth, and once at the end
    EXPECT_GT(moves, many / 2); // the moves are counted
    ASSERT_EQ(live->set.size(), many);
    EXPECT_TRUE(std::ranges::is_sorted(live->set, {}, &counted::number));
  }
}

TEST(sorting_once, keys_of_entries_move_as_often_as_in_growth) {
  std::string text = R"({"set":[],"texts":[],"lists":{},"numbers":{},"pairs":[)";
  for (std::size_t i = many; i-- > 0;)
    text += R"([{"number":)" + std::to_string(i) + "},1]" + (i == 0 ? "]}" : ",");
  ingot::live<keys> live;
  moves = 0;
  const auto read = ingot::json::read_into(*live, text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_LT(moves, 4 * many);
  EXPECT_GT(moves, many / 2);
  EXPECT_TRUE(std::ranges::is_sorted(live->pairs.keys(), {}, &counted::number));
}

// If values were read at the position of their keys, each value of a descending key would come
// first, and move all others.
TEST(sorting_once, values_are_read_one_after_another_and_move_once) {
  std::string text;
  for (std::size_t i = 0; i < many; ++i)
    text += (i == 0 ? R"({"of":{")" : ",\"") + std::to_string(many - i) + R"(":{"number":1})";
  ingot::live<notes> live;
  addresses.clear();
  const auto read = ingot::json::read_into(*live, text + "}}");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_GT(addresses.size(), many / 2);
  EXPECT_EQ(live->of.begin()->first, 1);
}

/// Keys in many orders, with values that own storages. The block is valid afterwards.
TEST(sorting_once, entries_keep_their_values_in_any_order) {
  std::vector<int> order{7, 3, 9, 1, 8, 2, 6, 4, 5, 0};
  for (int round = 0; round < 50; ++round) {
    std::string lists;
    std::string texts;
    std::string numbers;
    std::string pairs;
    for (const int i : order) {
      const char* const comma = lists.empty() ? "" : ",";
      const std::string name = "a key that is long enough for a storage of its own " + std::to_string(i);
      lists += comma + ('"' + std::to_string(i)) + R"(":["value )" + std::to_string(i) +
               R"(","a text that has a storage of its own"])";
      texts += comma + ('"' + name) + '"';
      numbers += comma + ('"' + name) + "\":" + std::to_string(i);
      pairs += comma + (R"([{"number":)" + std::to_string(i)) + "}," + std::to_string(i) + "]";
    }
    ingot::live<keys> live;
    const auto read =
        ingot::json::read_into(*live, R"({"set":[],"texts":[)" + texts + R"(],"lists":{)" + lists +
                                          R"(},"numbers":{)" + numbers + R"(},"pairs":[)" + pairs + "]}");
    ASSERT_TRUE(read) << read.error().message();
    ASSERT_EQ(live->lists.size(), order.size());
    for (const int i : order) {
      ASSERT_EQ(live->lists.at(i).size(), 2u);
      EXPECT_EQ(live->lists.at(i)[0], "value " + std::to_string(i));
      EXPECT_EQ(live->pairs.at({static_cast<std::uint64_t>(i)}), i);
      const std::string name = "a key that is long enough for a storage of its own " + std::to_string(i);
      EXPECT_EQ(live->numbers.at(name), i);
      EXPECT_TRUE(live->texts.contains(name));
    }
    EXPECT_TRUE(ingot::live<keys>::open(live.bytes()));
    std::ranges::next_permutation(order);
    std::ranges::reverse(order.begin() + round % 5, order.end());
  }
}

TEST(sorting_once, a_repeated_key_is_named_where_it_is_repeated) {
  const auto why = [](const std::string& text) {
    ingot::live<keys> live;
    const auto read = ingot::json::read_into(*live, text);
    EXPECT_FALSE(read);
    EXPECT_TRUE(ingot::live<keys>::open(live.bytes()));
    EXPECT_EQ(read.error().code(), errc::duplicate_key);
    return std::to_string(read.error().offset()) + ' ' + std::string(read.error().path());
  };
  EXPECT_EQ(why(R"({"texts":["d","b","c","b","d"]})"), "22 texts[3]");
  EXPECT_EQ(why(R"({"texts":["b","b"]})"), "14 texts[1]");
  EXPECT_EQ(why(R"({"numbers":{"d":1,"b":2,"c":3,"b":4}})"), "30 numbers[b]");
  EXPECT_EQ(why(R"({"pairs":[[{"number":2},1],[{"number":1},1],[{"number":2},1]]})"), "44 pairs[2][1]");
}

TEST(sorting_once, what_ends_in_an_error_leaves_a_sound_block) {
  ingot::live<keys> live;
  EXPECT_FALSE(ingot::json::read_into(*live, R"({"lists":{"3":["x"],"1":["y"],"2":[7]}})"));
  EXPECT_TRUE(live->lists.empty());
  EXPECT_TRUE(ingot::live<keys>::open(live.bytes()));
}

} // namespace sorting_once_test
