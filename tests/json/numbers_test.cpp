// SPDX-License-Identifier: Apache-2.0
// Numbers as text: the shortest form that reads back to the same bits, with the digits of the
// standard library.
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace numbers_test {

/// Returns the digits of a number without sign, point, exponent, and leading and trailing zeros.
std::string significant_digits(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, text.find_first_of("eE"))) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits;
}

constexpr std::size_t longest = 2048; // 1.8e308 in full, or the digits of the smallest double

template <class Float>
void expect_shortest(Float value) {
  const std::string text = ingot::json::write(value).value();
  Float back = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), back);
  ASSERT_TRUE(problem == std::errc() && end == text.data() + text.size()) << text;
  ASSERT_EQ(std::signbit(back), std::signbit(value)) << text;
  ASSERT_EQ(back, value) << text;
  const auto spelled = [&](char* to, std::chars_format format) {
    return std::string_view(to, std::to_chars(to, to + longest, value, format).ptr);
  };
  char standard[longest];
  // A whole number may be written in full if that takes no more characters than an exponent.
  if (text == spelled(standard, std::chars_format::fixed)) return;
  ASSERT_EQ(significant_digits(text), significant_digits(spelled(standard, std::chars_format::scientific)))
      << text;
}

template <class Float, class Bits>
void expect_shortest_everywhere(std::size_t count) {
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = std::bit_cast<Float>(static_cast<Bits>(random()));
    if (std::isfinite(value)) expect_shortest(value);
  }
  using limits = std::numeric_limits<Float>;
  for (const Float value :
       {Float{0}, -Float{0}, limits::min(), limits::max(), limits::lowest(), limits::denorm_min(),
        limits::epsilon(), static_cast<Float>(0.1), static_cast<Float>(0.3), Float{100}}) {
    expect_shortest(value);
  }
  // At powers of two the next lower number is nearer than the next higher one.
  for (int e = limits::min_exponent - limits::digits; e < limits::max_exponent; ++e) {
    const Float power = std::ldexp(Float{1}, e);
    expect_shortest(power);
    expect_shortest(std::nextafter(power, limits::max()));
    expect_shortest(std::nextafter(power, Float{0}));
  }
  Float ten = 1;
  for (int e = 0; e < limits::max_exponent10; ++e, ten *= 10) {
    expect_shortest(ten);
    expect_shortest(1 / ten);
    expect_shortest(std::nextafter(ten, Float{0}));
  }
}

TEST(json_numbers, floats_are_the_shortest_text_of_their_bits) {
  expect_shortest_everywhere<float, std::uint32_t>(200'000);
}

// Floats from 2^-13 to 2^23 are written by integer arithmetic of 64 bits. The test includes more
// floats.
TEST(json_numbers, floats_of_common_magnitude_are_the_shortest_text_of_their_bits) {
  std::mt19937_64 random(4);
  for (int exponent = -18; exponent < 26; ++exponent) {
    for (int i = 0; i < 1'000; ++i) {
      const auto fraction = static_cast<float>(random() >> 40) * 0x1p-24f;
      expect_shortest(std::ldexp(1 + fraction, exponent));
    }
  }
  float power = 1;
  for (int decimals = 0; decimals < 8; ++decimals, power *= 10) {
    for (std::uint64_t limit = 10; limit <= 100'000'000; limit *= 10) {
      for (int i = 0; i < 50; ++i) {
        const float value = static_cast<float>(random() % limit) / power;
        for (const float each : {value, std::nextafter(value, 0.0f), std::nextafter(value, 1e30f)}) {
          expect_shortest(each);
          expect_shortest(-each);
        }
      }
    }
  }
  EXPECT_EQ(ingot::json::write(0.1f).value(), "0.1");
  EXPECT_EQ(ingot::json::write(-1.5f).value(), "-1.5");
  EXPECT_EQ(ingot::json::write(0.0625f).value(), "0.0625");
  EXPECT_EQ(ingot::json::write(8'388'607.5f).value(), "8388607.5");
  EXPECT_EQ(ingot::json::write(8'388'608.0f).value(), "8388608");
  EXPECT_EQ(ingot::json::write(0.0001220703125f).value(), "0.00012207031");
}

TEST(json_numbers, doubles_are_the_shortest_text_of_their_bits) {
  expect_shortest_everywhere<double, std::uint64_t>(50'000);
}

std::string spelled(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// Numbers of at most fifteen digits don't use the standard library, and have the same characters.
TEST(json_numbers, decimals_of_few_digits_are_written_as_by_the_standard_library) {
  std::mt19937_64 random(3);
  std::string list = "[";
  const auto expect_standard = [&](double value) {
    const std::string standard = spelled(value);
    ASSERT_EQ(ingot::json::write(value).value(), standard);
    // A double in a document stays a double.
    list += standard.find_first_of(".e") == std::string::npos ? standard + ".0," : standard + ",";
  };
  double power = 1;
  for (int decimals = 0; decimals < 19; ++decimals, power *= 10) {
    for (std::uint64_t limit = 10; limit <= 10'000'000'000'000'000; limit *= 10) {
      for (int i = 0; i < 20; ++i) {
        const double value = static_cast<double>(random() % limit) / power;
        for (const double each : {value, std::nextafter(value, 0.0), std::nextafter(value, 1e300)}) {
          expect_standard(each);
          if (each != 0) expect_standard(-each);
        }
      }
    }
  }
  for (const double edge : {0.0, 1e-4, 1e-3, 0.1, 1.0, 10.0, 99'999.0, 100'000.0, 123'456.0, 999'999'999.0,
                            999'999'999.5, 1e9, 4'294'967'296.0, 1e15, 1e16, 1e17})
    expect_standard(edge);
  list.back() = ']';
  EXPECT_EQ(ingot::json::write(ingot::json::read_document(list).value()).value(), list);
}

template <class Int>
void expect_exact() {
  std::mt19937_64 random(2);
  using limits = std::numeric_limits<Int>;
  for (int shift = 0; shift < limits::digits; ++shift) {
    for (int i = 0; i < 200; ++i) {
      const auto value = static_cast<Int>(static_cast<Int>(random()) >> shift);
      ASSERT_EQ(ingot::json::write(value).value(), std::to_string(value));
    }
  }
  for (const Int value : {limits::min(), limits::max(), Int{0}}) {
    ASSERT_EQ(ingot::json::write(value).value(), std::to_string(value));
    ASSERT_EQ(ingot::json::read<Int>(std::to_string(value)).value(), value);
  }
  for (std::uint64_t ten = 1; ten <= static_cast<std::uint64_t>(limits::max()) / 10; ten *= 10) {
    for (const Int value : {static_cast<Int>(ten - 1), static_cast<Int>(ten)}) {
      ASSERT_EQ(ingot::json::write(value).value(), std::to_string(value));
    }
  }
}

TEST(json_numbers, integers_are_exact_to_the_last_digit) {
  expect_exact<std::int64_t>();
  expect_exact<std::uint64_t>();
  expect_exact<std::int32_t>();
  expect_exact<std::uint16_t>();
}

} // namespace numbers_test
