// SPDX-License-Identifier: Apache-2.0
// Types that differ between platforms have the same form in text as in documents.
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace json_code_unit_test {

using in_microseconds = std::chrono::sys_time<std::chrono::duration<std::int64_t, std::micro>>;

struct units {
  char unit = '\xe9';
  std::vector<char> all{'\x80', 'a', '\xff'};
  std::map<char, int> by_unit{{'\xe9', 1}, {'a', 2}};
  std::set<char> set{'\xff', 'b'};
  std::unordered_map<char, int> hashed{{'\xe9', 1}, {'a', 2}};
  std::unordered_set<char> hashed_set{'\xff', 'b'};
  bool operator==(const units&) const = default;
};

TEST(json_code_unit, a_char_is_a_code_unit) {
  const std::string text = R"({"unit":233,"all":[128,"a",255],"by_unit":[["a",2],[233,1]],"set":["b",255],)"
                           R"("hashed":[["a",2],[233,1]],"hashed_set":["b",255]})";
  EXPECT_EQ(ingot::json::write(units{}).value_or(""), text);
  const auto back = ingot::json::read<units>(text);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, units{});
  // A document reads the text that was written, and the reverse.
  const auto document = ingot::json::read<ingot::document>(text);
  ASSERT_TRUE(document.has_value());
  const auto from_document = document->root().as<units>();
  ASSERT_TRUE(from_document.has_value());
  EXPECT_EQ(*from_document, units{});
  const auto of_document = ingot::json::write(ingot::document(units{}));
  ASSERT_TRUE(of_document.has_value());
  const auto read_of_document = ingot::json::read<units>(*of_document);
  ASSERT_TRUE(read_of_document.has_value());
  EXPECT_EQ(*read_of_document, units{});
}

struct stamped {
  std::vector<in_microseconds> at;
  long number = 0;
};
TEST(json_code_unit, a_time_of_the_system_clock_is_nanoseconds) {
  const stamped value{{in_microseconds(std::chrono::microseconds(-7))}, -3};
  EXPECT_EQ(ingot::json::write(value).value_or(""), R"({"at":[-7000],"number":-3})");
  const auto back = ingot::json::read<stamped>(R"({"at":[-7000],"number":-3})");
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->at, value.at);
  const auto between = ingot::json::read<stamped>(R"({"at":[0,1500],"number":0})");
  ASSERT_FALSE(between.has_value());
  EXPECT_EQ(between.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(between.error().path(), "at[1]");
  const auto beyond = ingot::json::write(stamped{{in_microseconds::max()}, 0});
  ASSERT_FALSE(beyond.has_value());
  EXPECT_EQ(beyond.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(beyond.error().path(), "at[0]");
}

} // namespace json_code_unit_test
