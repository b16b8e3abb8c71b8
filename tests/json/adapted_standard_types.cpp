// SPDX-License-Identifier: Apache-2.0
// Types of the standard library that a program adapts. As members they have separate code paths,
// which must not ignore the adaptation. This is a separate program, since a whole program has to
// agree on the stored form of a type.
#include <ingot/json/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

/// Stored as a dash if empty.
template <>
struct ingot::adapt<std::optional<std::string>> {
  static std::string to(const std::optional<std::string>& text) { return text.value_or("-"); }
  static std::optional<std::string> from(std::string&& text) {
    if (text == "-") return std::nullopt;
    return std::move(text);
  }
};
/// Stored in thousandths.
template <>
struct ingot::adapt<double> {
  static std::int64_t to(double d) { return static_cast<std::int64_t>(d * 1000); }
  static double from(std::int64_t n) { return static_cast<double>(n) / 1000; }
};

namespace adapted_standard_types_test {

struct holder {
  std::optional<std::string> first;
  double second = 0;
  std::optional<std::string> third;
  bool operator==(const holder&) const = default;
};

TEST(json_adapted_standard_types, as_members_are_what_they_are_as_elements) {
  const std::vector<holder> wanted(4, {std::nullopt, 1.5, "a text"});
  const std::string one = R"({"first":"-","second":1500,"third":"a text"})";
  const std::string text = "[" + one + "," + one + "," + one + "," + one + "]";
  EXPECT_EQ(ingot::json::write(wanted).value(), text);
  const auto read = ingot::json::read<std::vector<holder>>(text);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(*read, wanted);
  EXPECT_EQ(ingot::json::write(wanted[0].first).value(), R"("-")");
  EXPECT_EQ(ingot::json::write(wanted[0].second).value(), "1500");
}

} // namespace adapted_standard_types_test
