// SPDX-License-Identifier: Apache-2.0
// A text that `json::read` of its own type rejects is not written: values of types with limits,
// `valid` and a `from` that may fail, with each part invalidated in turn. A structure with the same
// members and without annotations writes the text that is read.
#include <ingot/json/json.hpp>

#include "zoo/agreement.hpp"
#include "zoo/annotated.hpp"
#include "zoo/rejected.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace json_closure_test {

using ingot::errc;

/// The members of `zoo::form` under their names in text, without annotations.
struct plain_form {
  std::int32_t percent = 0;
  std::vector<double> ratios;
  std::optional<std::int16_t> shift;
  std::array<std::uint8_t, 3> dice{1, 1, 1};
  std::string title;
  std::string text;
  std::vector<std::uint16_t> few;
  std::map<std::string, std::int32_t> table;
};
plain_form plain(const zoo::form& f) {
  return {f.percent, f.ratios, f.shift, f.dice, f.name, f.text, f.few, f.table};
}
struct plain_days {
  std::int32_t first = 0;
  std::int32_t last = 0;
};
struct plain_booking {
  plain_days days;
  std::uint32_t room = 0;
  std::uint32_t guests = 1;
};
plain_booking plain(const zoo::booking& b) { return {{b.days.first, b.days.last}, b.room, b.guests}; }
/// Numbers in place of enumerators and adapted classes.
struct plain_mixed {
  std::int16_t of = 0;
  std::vector<std::uint8_t> gears;
  std::map<std::string, std::int16_t> named;
  std::vector<std::uint16_t> numbers;
  std::map<std::string, plain_booking> bookings;
};
struct mixed {
  zoo::level of{};
  std::vector<zoo::gear> gears;
  std::map<std::string, zoo::level> named;
  std::vector<zoo::odd> numbers;
  std::map<std::string, zoo::booking> bookings;
};
plain_mixed plain(const mixed& m) {
  plain_mixed p{static_cast<std::int16_t>(m.of), {}, {}, {}, {}};
  for (const auto each : m.gears) p.gears.push_back(static_cast<std::uint8_t>(each));
  for (const auto& [key, value] : m.named) p.named[key] = static_cast<std::int16_t>(value);
  for (const auto& each : m.numbers) p.numbers.push_back(each.number());
  for (const auto& [key, value] : m.bookings) p.bookings[key] = plain(value);
  return p;
}

} // namespace json_closure_test
namespace zoo {
template <>
struct sampler<json_closure_test::mixed> {
  static json_closure_test::mixed make(source& s) {
    json_closure_test::mixed m;
    fill(m.of, s);
    fill(m.gears, s);
    fill(m.named, s);
    fill(m.numbers, s);
    fill(m.bookings, s);
    return m;
  }
};
} // namespace zoo
namespace json_closure_test {

template <class T>
void expect_closed(std::uint64_t seeds, zoo::tally& counts) {
  for (const ingot::json::write_options& options :
       {ingot::json::write_options{}, ingot::json::write_options{ingot::json::pretty}}) {
    zoo::for_each_spoiled<T>(seeds, [&](const T& value) {
      if (::testing::Test::HasFailure()) return;
      const auto text = ingot::json::write(plain(value), options);
      std::string out = "before";
      const auto written = ingot::json::write_to(out, value, options);
      if (!text) { // all text must be UTF-8
        ASSERT_FALSE(written);
        zoo::expect_same_error(written.error(), text.error(), "text");
      } else {
        zoo::expect_agreement(written, ingot::json::read<T>(*text), "write", counts);
      }
      if (!written) {
        EXPECT_EQ(out, "before");
      }
    });
  }
}

TEST(json_closure, what_is_not_read_is_not_written) {
  zoo::tally counts;
  expect_closed<zoo::form>(20, counts);
  expect_closed<zoo::booking>(20, counts);
  expect_closed<mixed>(20, counts);
  EXPECT_GT(counts.written, 300);
  EXPECT_GT(counts.rejected, 300);
}

TEST(json_closure, keys_are_checked_and_named) {
  const std::map<zoo::level, int> levels{{zoo::level{7}, 1}};
  const auto written = ingot::json::write(levels);
  ASSERT_FALSE(written);
  using map = std::map<zoo::level, int>;
  zoo::expect_same_error(written.error(), ingot::json::read<map>(R"({"7":1})").error(), "key");
  EXPECT_EQ(written.error().path(), "[7]");
}

TEST(json_closure, a_version_is_rejected_as_readers_reject_it) {
  const std::map<std::string, zoo::save_header> good{{"b", {}}};
  const std::string text = ingot::json::write(good).value();
  const std::string own = "\"version\":" + std::to_string(zoo::save_header{}.version);
  for (const std::uint16_t version : {std::uint16_t{0}, std::uint16_t{4}, std::uint16_t{65535}}) {
    std::map<std::string, zoo::save_header> bad = good;
    bad["b"].version = version;
    std::string other = text;
    const auto at = other.find(own);
    ASSERT_NE(at, std::string::npos) << text;
    other.replace(at, own.size(), "\"version\":" + std::to_string(version));
    const auto read = ingot::json::read<std::map<std::string, zoo::save_header>>(other);
    ASSERT_FALSE(read);
    zoo::expect_same_error(ingot::json::write(bad).error(), read.error(), other);
  }
}

struct signed_header {
  std::int64_t version = 3;
};
} // namespace json_closure_test
template <>
inline constexpr auto ingot::annotations<json_closure_test::signed_header> =
    ingot::annotate(ingot::type(ingot::version(3)));
namespace json_closure_test {

TEST(json_closure, a_version_that_is_no_32_bit_natural_number_is_a_wrong_one) {
  constexpr std::int64_t above = std::int64_t{1} << 32;
  for (const std::int64_t version : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
                                     std::int64_t{0}, std::int64_t{4}, above, above + 3, above * 1000}) {
    const std::string text = "{\"version\":" + std::to_string(version) + "}";
    const auto read = ingot::json::read<signed_header>(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), errc::wrong_version) << text;
    zoo::expect_same_error(ingot::json::write(signed_header{version}).error(), read.error(), text);
  }
  const auto number = ingot::json::read<signed_header>(R"({"version":"3"})");
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code(), errc::type_mismatch);
}

struct even_key {
  std::uint16_t number = 0;
  friend auto operator<=>(const even_key&, const even_key&) = default;
};

} // namespace json_closure_test
template <>
struct ingot::adapt<json_closure_test::even_key> {
  static std::uint16_t to(const json_closure_test::even_key& k) { return k.number; }
  static ingot::result<json_closure_test::even_key> from(std::uint16_t number) {
    if (number % 2 != 0)
      return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("an even number"));
    return json_closure_test::even_key{number};
  }
};
namespace json_closure_test {

TEST(json_closure, a_key_that_its_class_rejects_is_not_written) {
  using map = std::map<even_key, int>;
  const auto written = ingot::json::write(map{{{2}, 1}, {{3}, 1}});
  ASSERT_FALSE(written);
  zoo::expect_same_error(written.error(), ingot::json::read<map>(R"({"2":1,"3":1})").error(), "key");
  EXPECT_EQ(written.error().path(), "[3]");
}

TEST(json_closure, as_many_levels_are_written_as_are_read) {
  for (int levels = 60; levels < 70; ++levels) {
    zoo::branch value;
    for (int i = 0; i < levels; ++i) {
      zoo::branch outer;
      outer.children.push_back(std::move(value));
      value = std::move(outer);
    }
    ingot::json::write_options deep;
    deep.max_depth = 1000;
    const auto text = ingot::json::write(value, deep);
    ASSERT_TRUE(text);
    EXPECT_EQ(ingot::json::write(value).has_value(), ingot::json::read<zoo::branch>(*text).has_value())
        << levels;
  }
}

} // namespace json_closure_test
