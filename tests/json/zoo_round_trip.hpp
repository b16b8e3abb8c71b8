// SPDX-License-Identifier: Apache-2.0
// Checks that every type of the zoo has to pass: written, read into a new object and into an object
// in use, also in indented form, and written again to the same bytes.
#pragma once

#include <ingot/json/json.hpp>

#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

namespace json_test {

/// The zoo contains NaN, infinities, and strings of any bytes, which JSON can't represent.
inline constexpr ingot::json::write_options writing{.non_finite = ingot::json::non_finite::strings};
inline constexpr ingot::json::read_options reading{.non_finite = ingot::json::non_finite::strings};

template <class T>
void round_trip(std::string_view name, std::uint64_t seed) {
  const T value = zoo::sample<T>(seed);
  const auto text = ingot::json::write(value, writing);
  if (!text && text.error().code() == ingot::errc::invalid_utf8) return;
  ASSERT_TRUE(text) << name << " seed " << seed << ": " << text.error().message();

  const auto fresh = ingot::json::read<T>(*text, reading);
  ASSERT_TRUE(fresh) << name << " seed " << seed << ": " << fresh.error().message() << "\n" << *text;
  EXPECT_TRUE(zoo::equal(value, *fresh)) << name << " seed " << seed << "\n" << *text;
  EXPECT_EQ(*text, ingot::json::write(*fresh, writing).value()) << name << " seed " << seed;

  T warm = zoo::sample<T>(seed + 1);
  const auto into = ingot::json::read_into(warm, *text, reading);
  ASSERT_TRUE(into) << name << " seed " << seed << ": " << into.error().message();
  EXPECT_TRUE(zoo::equal(value, warm)) << name << " seed " << seed << " read into an object in use\n"
                                       << *text;

  auto spaced = writing;
  spaced.indent = 3;
  spaced.empty_members = ingot::json::empty_members::null;
  spaced.enum_style = ingot::json::enum_style::numbers;
  const auto pretty = ingot::json::write(value, spaced).value();
  const auto again = ingot::json::read<T>(pretty, reading);
  ASSERT_TRUE(again) << name << " seed " << seed << ": " << again.error().message() << "\n" << pretty;
  EXPECT_TRUE(zoo::equal(value, *again)) << name << " seed " << seed << "\n" << pretty;
}

/// For the zoo's for_each_ functions.
struct every_type {
  template <class T>
  void operator()(std::string_view name) const {
    for (std::uint64_t seed = 0; seed < 24; ++seed) round_trip<T>(name, seed);
  }
};

} // namespace json_test
