// SPDX-License-Identifier: Apache-2.0
// Documents and archives of types that differ between platforms. Without fixed forms a `char` would
// be -23 on one machine and 233 on another, and a time would mean microseconds here and nanoseconds
// there.
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace code_unit_test {

struct units {
  char unit = '\xe9';
  std::vector<char> all{'\x80', 'a', '\xff'};
  std::map<char, int> by_unit{{'\xe9', 1}, {'a', 2}};
  std::set<char> set{'\xff', 'b'};
  std::set<std::pair<char, int>> pairs{{'\x80', 1}, {'c', 2}};
  bool operator==(const units&) const = default;
};

TEST(code_unit, a_char_is_a_code_unit_in_a_document) {
  const ingot::document doc(units{});
  EXPECT_EQ(doc["unit"].as<int>().value_or(0), 233);
  EXPECT_EQ(doc["all"][0].as<int>().value_or(0), 128);
  EXPECT_EQ(doc["by_unit"][0][0].as<int>().value_or(0), 'a');
  EXPECT_EQ(doc["by_unit"][1][0].as<int>().value_or(0), 233);
  EXPECT_EQ(doc["set"][0].as<int>().value_or(0), 'b');
  EXPECT_EQ(doc["set"][1].as<int>().value_or(0), 255);
  EXPECT_EQ(doc["pairs"][0][0].as<int>().value_or(0), 'c');
  EXPECT_EQ(doc["pairs"][1][0].as<int>().value_or(0), 128);
  const auto back = doc.root().as<units>();
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, units{});
}
TEST(code_unit, a_char_reads_numbers_from_0_to_255) {
  ingot::document doc(nullptr);
  for (const auto& [number, is_fine] :
       {std::pair{0, true}, {233, true}, {255, true}, {256, false}, {-1, false}, {-23, false}}) {
    doc = ingot::document(number);
    const auto read = doc.root().as<char>();
    EXPECT_EQ(read.has_value(), is_fine) << number;
    if (read) {
      EXPECT_EQ(static_cast<unsigned char>(*read), number);
    } else {
      EXPECT_EQ(read.error().code(), ingot::errc::out_of_range);
    }
  }
}

using in_microseconds = std::chrono::sys_time<std::chrono::duration<std::int64_t, std::micro>>;
struct stamped {
  in_microseconds at{};
  long number = 0;
};
TEST(code_unit, a_time_of_the_system_clock_is_nanoseconds_in_a_document) {
  const ingot::document doc(stamped{in_microseconds(std::chrono::microseconds(-7)), -3});
  EXPECT_EQ(doc["at"].as<int>().value_or(0), -7000);
  const auto back = doc.root().as<stamped>();
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->at, in_microseconds(std::chrono::microseconds(-7)));
  EXPECT_EQ(back->number, -3);

  ingot::document other(doc);
  other["at"] = 1500;
  const auto between = other.root().as<stamped>();
  ASSERT_FALSE(between.has_value());
  EXPECT_EQ(between.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(between.error().path(), "at");

  const auto set = other.root().set(in_microseconds::max());
  ASSERT_FALSE(set.has_value());
  EXPECT_EQ(set.error().code(), ingot::errc::out_of_range);
}
TEST(code_unit, long_rejects_what_it_does_not_hold) {
  ingot::document doc(stamped{});
  doc["number"] = std::int64_t{0x1122334455667788};
  const auto read = doc.root().as<stamped>();
  EXPECT_EQ(read.has_value(), sizeof(long) == 8);
  if (!read) {
    EXPECT_EQ(read.error().path(), "number");
  }
}

} // namespace code_unit_test
