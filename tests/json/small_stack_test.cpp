// SPDX-License-Identifier: Apache-2.0
// Text and protobuf's bytes of values that are larger than the stack: reading into an existing
// value needs no copy on the stack.
#include <ingot/json/json.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "small_stack.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace json_small_stack_test {

/// 300 kB.
struct page {
  std::array<std::uint8_t, 300'000> bytes{};
  std::uint32_t number = 7;
};
struct book {
  std::optional<std::string> title;
  page first;
  std::optional<page> second;
  std::map<int, page> pages;
  std::vector<page> more;
};

TEST(json_small_stack, larger_values_are_read_without_a_copy) {
  const auto value = std::make_unique<book>();
  value->second.emplace();
  value->pages[3].number = 5;
  value->more.emplace_back();
  const auto text = ingot::json::write(*value);
  ASSERT_TRUE(text.has_value());
  const auto again = std::make_unique<book>();
  const ingot::json::read_options lenient{.missing_keys = ingot::json::missing_keys::use_defaults};
  small_stack::run([&] {
    const auto read = ingot::json::read_into(*again, *text);
    EXPECT_TRUE(read.has_value()) << read.error().message();
    const auto missing = ingot::json::read_into(*again, "{}", lenient);
    EXPECT_TRUE(missing.has_value()) << missing.error().message();
    const auto part =
        ingot::json::read_into(*again, R"({"second": {"number": 9}, "pages": {"4": {}}})", lenient);
    EXPECT_TRUE(part.has_value()) << part.error().message();
  });
  EXPECT_EQ(again->second->number, 9U);
}

TEST(json_small_stack, larger_values_are_read_from_protobuf_without_a_copy) {
  const auto value = std::make_unique<book>();
  value->second.emplace().number = 9;
  value->more.emplace_back();
  const auto bytes = ingot::protobuf::write(*value);
  ASSERT_TRUE(bytes.has_value());
  const auto again = std::make_unique<book>();
  small_stack::run([&] {
    const auto read = ingot::protobuf::read_into(*again, *bytes);
    EXPECT_TRUE(read.has_value()) << read.error().message();
  });
  EXPECT_EQ(again->second->number, 9U);
}

} // namespace json_small_stack_test
