// SPDX-License-Identifier: Apache-2.0
// Text of a message that was written without its type, as the tool writes it, can be read by
// programs with the type. Formerly such text had maps by integers as arrays of pairs, arrays of
// characters as numbers, and an error for bytes, which no such program accepted.
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/description.hpp>

#include "zoo/containers.hpp"
#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace typeless_text_test {

enum class mood : std::int8_t { sad = -1, calm = 1 };

struct awkward {
  char tag[6] = {'a', 'b', 'c'};
  std::array<char, 4> full{'w', 'x', 'y', 'z'};
  std::vector<std::byte> raw{std::byte{0}, std::byte{255}};
  std::array<std::byte, 2> two{std::byte{1}, std::byte{2}};
  std::map<std::int64_t, std::string> numbers{{-9'000'000'000, "low"}, {0, ""}, {7, "seven"}};
  std::unordered_map<std::uint64_t, std::uint8_t> large{{18'446'744'073'709'551'615U, 1}};
  std::map<mood, int> moods{{mood::sad, 1}, {mood::calm, 2}};
  std::map<std::u16string, int> wide{{u"\u00e4\U0001F600", 5}};
  std::map<double, int> reals{{0.5, 1}}; // not keys of an object in any form
  std::multimap<int, int> repeated{{1, 2}, {1, 3}};
};

template <class T>
std::string text_without_type(const T& value) {
  const auto by = ingot::dynamic_schema::open(ingot::schema_bytes<T>(), ingot::message_profile::pack).value();
  const auto message = ingot::dynamic_message::open(ingot::pack(value).value(), by).value();
  const auto converted = ingot::to_document(message.root(), {.max_size = {std::size_t{1} << 26},
                                                             .form = ingot::value_format::json})
                             .value();
  return ingot::json::write(converted, {.non_finite = ingot::json::non_finite::strings,
                                        .invalid_utf8 = ingot::json::invalid_utf8::replace})
      .value();
}

TEST(json_typeless, maps_and_characters_are_what_the_type_has) {
  const awkward value;
  const std::string text = text_without_type(value);
  // Documents order their members themselves: both texts are converted to documents for the
  // comparison.
  const auto parsed = ingot::json::read_document(text).value();
  const auto typed = ingot::json::read_document(ingot::json::write(value).value()).value();
  const ingot::json::write_options sorted{.key_order = ingot::json::key_order::sorted};
  EXPECT_EQ(ingot::json::write(parsed, sorted).value(), ingot::json::write(typed, sorted).value());
  EXPECT_EQ(parsed["tag"].value_or(std::string_view()), "abc");
  EXPECT_EQ(parsed["numbers"]["-9000000000"].value_or(std::string_view()), "low");
  EXPECT_TRUE(parsed["reals"].is_array() && parsed["repeated"].is_array());
}

TEST(json_typeless, keys_of_one_encoding_stay_pairs) {
  const std::map<std::u16string, int> odd{{{char16_t{0xD800}}, 1}, {{char16_t{0xDBFF}}, 2}};
  const auto by = ingot::dynamic_schema::open(ingot::schema_bytes<std::map<std::u16string, int>>(),
                                              ingot::message_profile::pack)
                      .value();
  const auto bytes = ingot::pack(odd).value();
  const auto message = ingot::dynamic_message::open(bytes, by).value();
  const auto converted = ingot::to_document(message.root(), {.form = ingot::value_format::json});
  ASSERT_TRUE(converted);
  ASSERT_TRUE(converted->root().is_array());
  EXPECT_EQ(converted->root()[1][1].value_or(0), 2);
}

struct keyed_type {
  template <class T>
  void operator()(std::string_view name) const {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const T value = zoo::sample<T>(seed);
      // not UTF-8
      if (!ingot::json::write(value, {.non_finite = ingot::json::non_finite::strings})) continue;
      const std::string text = text_without_type(value);
      const auto read = ingot::json::read<T>(text, {.non_finite = ingot::json::non_finite::strings});
      ASSERT_TRUE(read) << name << " seed " << seed << ": " << read.error().message() << "\n" << text;
      EXPECT_TRUE(zoo::equal(value, *read)) << name << " seed " << seed << "\n" << text;
    }
  }
};
TEST(json_typeless, every_keyed_type_reads_it) { zoo::for_each_keyed(keyed_type{}); }

struct reals {
  std::vector<float> narrow;
  std::vector<double> wide;
  std::complex<float> both;
};

// Formerly a float had the digits of the double that equals it: 0.10000000149011612.
TEST(json_typeless, floats_have_their_shortest_digits) {
  const reals value{{0.1F, -2.5F, 1e-45F, 123.456F, 0.33333334F, 1.17549435e-38F},
                    {0.1, 0.10000000149011612},
                    {0.1F, 0.3F}};
  EXPECT_EQ(text_without_type(value), ingot::json::write(value).value());
}

TEST(json_typeless, floats_read_back_as_they_were) {
  std::uint32_t bits = 1;
  for (int i = 0; i < 20'000; ++i) {
    bits = bits * 1664525U + 1013904223U;
    const auto value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) continue;
    const double shown = ingot::detail::dyn::double_of_shortest(value);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(shown)), bits);
  }
  // The double nearest to 7.038531e-26 is on the border between two floats, and rounds to the
  // other.
  const float border = 7.038531e-26F;
  EXPECT_EQ(ingot::detail::dyn::double_of_shortest(border), static_cast<double>(border));
}

} // namespace typeless_text_test
