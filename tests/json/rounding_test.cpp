// SPDX-License-Identifier: Apache-2.0
// Without these tests, programs that set a rounding mode, for example for interval arithmetic,
// could write and read wrong numbers.
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include "rounding_modes.hpp"

#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace json_rounding_test {

namespace json = ingot::json;

template <class Call>
auto in_mode(int mode, const Call& call) {
  const bool set = std::fesetround(mode) == 0;
  auto returned = call();
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(set);
  return returned;
}

/// Numbers of few digits, their neighbours, and numbers whose form with an exponent is shorter.
std::vector<double> everyday_numbers() {
  std::vector<double> all = {270.98168000000004, 1e6, 1.25e8, 123456000.0, 1e-3, 0.1, 2.5};
  for (unsigned i = 1; i < 400; ++i) {
    const double plain = (i * 7919 % 1'000'003) / 1000.0;
    all.insert(all.end(), {plain, std::nextafter(plain, 1e9), std::nextafter(-plain, 0.0)});
  }
  return all;
}

TEST(json_rounding, numbers_are_written_as_they_are_in_every_mode) {
  const auto numbers = everyday_numbers();
  std::string expected = "[";
  for (const double each : numbers) {
    char digits[64];
    const std::string text(digits, std::to_chars(digits, digits + sizeof digits, each).ptr);
    expected += (expected.size() == 1 ? "" : ",") + text;
    if (text.find_first_of(".e") == std::string::npos) expected += ".0";
  }
  expected += "]";
  ingot::document document = *json::read_document("[]");
  for (const double each : numbers) ASSERT_TRUE(document.root().append(each));
  for (const int mode : ingot_test::rounding_modes) {
    EXPECT_EQ(in_mode(mode, [&] { return *json::write(document); }), expected) << mode;
    const std::string typed = in_mode(mode, [&] { return *json::write(numbers); });
    EXPECT_EQ(*json::read<std::vector<double>>(typed), numbers) << mode;
  }
}

TEST(json_rounding, the_nearest_number_is_read_in_every_mode) {
  std::string text = "[0.1";
  std::vector<double> expected = {0.1};
  for (unsigned i = 1; i < 1000; ++i) {
    const std::string each = std::to_string(i % 97) + "." + std::to_string(1'000'000 + i * 7919);
    double value = 0;
    std::from_chars(each.data(), each.data() + each.size(), value);
    expected.push_back(value);
    text += "," + each;
  }
  text += "]";
  for (const int mode : ingot_test::rounding_modes) {
    EXPECT_EQ(in_mode(mode, [&] { return *json::read<std::vector<double>>(text); }), expected) << mode;
    const auto document = in_mode(mode, [&] { return json::read_document(text); });
    ASSERT_TRUE(document);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(*(*document)[i].as<double>(), expected[i]) << mode;
  }
}

} // namespace json_rounding_test
