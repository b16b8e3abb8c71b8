// SPDX-License-Identifier: Apache-2.0
// Views that check each access: they show valid data, reject invalid data, and never read outside
// the bytes.
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/pack.hpp>

#include "checks.hpp"
#include "hex.hpp"
#include "zoo/annotated.hpp"
#include "zoo/scalars.hpp"

#include <concepts>
#include <memory>

#include <gtest/gtest.h>

namespace looked_over {

struct inner {
  std::uint16_t number = 0;
  std::string text;
  bool flag = false;
};
struct outer {
  std::uint8_t first = 0;
  inner nested;
  std::vector<inner> list;
  std::map<std::string, std::vector<std::uint32_t>> table;
  std::optional<std::uint16_t> fixed_maybe;
  std::optional<std::string> maybe;
  std::variant<std::uint8_t, std::string> either;
  std::array<std::string, 2> pair;
  std::set<zoo::grid_cell> cells;
  std::u16string wide;
  zoo::sensor_v2 sensor;
  std::vector<zoo::sensor_v2> sensors;
  std::expected<void, bool> outcome;
  std::unique_ptr<outer> next;
};

struct logged_once {
  std::uint16_t version = 0;
  std::uint32_t id = 0;
};
struct logged {
  std::uint16_t version = 0;
  std::uint32_t id = 0;
  std::string level = "info";
  std::vector<std::uint8_t> data{1, 2};
};
struct rated_once {
  std::uint32_t id = 0;
};
struct rated { // its default is outside its range
  std::uint32_t id = 0;
  std::uint8_t stars = 0;
};

} // namespace looked_over
template <>
inline constexpr auto ingot::annotations<looked_over::logged_once> =
    ingot::annotate(ingot::type(ingot::evolvable, ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<looked_over::logged> =
    ingot::annotate(ingot::type(ingot::evolvable, ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<looked_over::rated_once> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<looked_over::rated> =
    ingot::annotate(ingot::type(ingot::evolvable), ingot::member<"stars">(ingot::range(1, 5)));

namespace checked_view_test {

using ingot::checked_view;
using ingot::errc;
using looked_over::inner;
using looked_over::outer;
using pack_test::hex;

outer sample() {
  outer o;
  o.first = 7;
  o.nested = {1, "in", true};
  o.list = {{2, "a", false}, {3, "bc", true}};
  o.table = {{"k", {1, 2}}, {"l", {3}}};
  o.fixed_maybe = 9;
  o.maybe = "m";
  o.either = std::string("e");
  o.pair = {"p", "qq"};
  o.cells = {{1, 2}, {3, 4}};
  o.wide = u"wi";
  o.sensor.place = "roof";
  o.sensors.resize(2);
  o.sensors[1].tags = {"t"};
  o.next = std::make_unique<outer>();
  o.next->first = 8;
  return o;
}

TEST(checked_view, shows_what_is_there) {
  const auto bytes = ingot::pack(sample()).value();
  const auto v = checked_view<outer>::over(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"first">(), 7);
  EXPECT_EQ(v->get<&outer::nested>()->get<"text">(), "in");
  EXPECT_EQ(v->get<"nested">()->get<"flag">(), true);
  EXPECT_EQ(v->get<"list">()->size(), 2U);
  EXPECT_EQ(v->get<"list">()->at(1)->get<"text">(), "bc");
  const auto table = v->get<"table">();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find("l"), 1U);
  EXPECT_EQ(table->find("m"), 2U);
  EXPECT_EQ((*table)[1]->first, "l");
  EXPECT_EQ((*table)[0]->second.at(1), 2U);
  EXPECT_EQ(v->get<"fixed_maybe">()->value(), 9);
  EXPECT_EQ(v->get<"maybe">()->value(), "m");
  EXPECT_EQ(v->get<"either">()->get<1>(), "e");
  EXPECT_EQ(v->get<"pair">()->at(1), "qq");
  EXPECT_EQ(v->get<"cells">()->find(zoo::grid_cell{3, 4}), 1U);
  EXPECT_EQ(v->get<"wide">()->at(1), u'i');
  EXPECT_EQ(v->get<"sensor">()->get<"place">(), "roof");
  EXPECT_EQ(v->get<"sensors">()->at(1)->get<"tags">()->at(0), "t");
  EXPECT_TRUE(v->get<"outcome">()->has_value());
  EXPECT_EQ(v->get<"next">()->value()->get<"first">(), 8);
}

TEST(checked_view, members_that_the_writer_lacked_are_defaults) {
  const auto bytes = ingot::pack(zoo::sensor_v1{5, "here"}).value();
  const auto v = checked_view<zoo::sensor_v2>::over(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"place">(), "here");
  EXPECT_EQ(v->get<"offset">(), 0.5);
  EXPECT_TRUE(v->get<"tags">()->empty());
}

// Packing a default object fails here, since its version is 0.
TEST(checked_view, a_missing_member_of_a_record_with_a_version_is_the_default_that_view_has) {
  using looked_over::logged;
  const auto bytes = ingot::pack(std::vector{looked_over::logged_once{3, 5}}).value();
  const auto validated = ingot::view<std::vector<logged>>::open(bytes);
  ASSERT_TRUE(validated) << validated.error().message();
  EXPECT_EQ((*validated)[0].get<"level">(), "info");
  const auto v = checked_view<std::vector<logged>>::over(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->at(0)->get<"id">(), 5U);
  EXPECT_EQ(v->at(0)->get<"level">(), "info");
  EXPECT_EQ(v->at(0)->get<"data">()->at(1), 2);
}

template <class R>
void expect_rejected(const R& outcome, errc code, std::uint64_t offset, std::string_view path) {
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), code) << outcome.error().message();
  EXPECT_EQ(outcome.error().offset(), offset) << outcome.error().message();
  EXPECT_EQ(outcome.error().path(), path);
}

TEST(checked_view, a_default_that_cannot_be_packed_is_the_error_that_view_has) {
  using looked_over::rated;
  const auto bytes = ingot::pack(std::pair{true, looked_over::rated_once{5}}).value();
  using message = std::pair<bool, rated>;
  const auto validated = ingot::view<message>::open(bytes);
  ASSERT_FALSE(validated);
  const auto v = checked_view<message>::over(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<1>()->get<"id">(), 5U);
  const auto stars = v->get<1>()->get<"stars">();
  expect_rejected(stars, errc::out_of_range, validated.error().offset(), "[1].stars");
  EXPECT_EQ(validated.error().code(), errc::out_of_range);
  EXPECT_EQ(validated.error().path(), "[1].stars");
}

TEST(checked_view, says_what_and_where_when_it_is_looked_at) {
  using message = std::pair<std::uint8_t, std::vector<inner>>;
  // count at 5, two fixed parts of 7 at 9 and 16, "abc" at 23
  const auto whole = hex("01 15 00 00 00  02 00 00 00  01 00 01 00 00 00 01  02 00 03 00 00 00 00  'abc'");
  const auto v = checked_view<message>::over(whole);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<1>()->at(1)->get<"text">(), "bc");
  expect_rejected(v->get<1>()->at(2), errc::out_of_range, 9, "[1]");

  const auto bad_bool = pack_test::patched(whole, 15, "02");
  const auto with_bool = checked_view<message>::over(bad_bool);
  expect_rejected(with_bool->get<1>()->at(0)->get<"flag">(), errc::bad_bool, 15, "[1][0].flag");
  // errors in parts that are not accessed don't matter
  EXPECT_EQ(with_bool->get<1>()->at(0)->get<"text">(), "a");

  const auto bad_end = pack_test::patched(whole, 18, "04");
  expect_rejected(checked_view<message>::over(bad_end)->get<1>()->at(1)->get<"text">(), errc::bad_length, 18,
                  "[1][1].text");
  const auto bad_count = pack_test::patched(whole, 5, "ff ff ff ff");
  expect_rejected(checked_view<message>::over(bad_count)->get<1>(), errc::bad_length, 5, "[1]");
  const auto bad_list = pack_test::patched(whole, 1, "16");
  expect_rejected(checked_view<message>::over(bad_list)->get<1>(), errc::bad_length, 1, "[1]");
  expect_rejected(checked_view<message>::over(hex("01 15 00 00")), errc::truncated, 4, "");
}

TEST(checked_view, tags_are_checked_when_the_value_is_got) {
  using message = std::variant<std::uint8_t, std::string>;
  expect_rejected(checked_view<message>::over(hex("02 00")), errc::bad_variant, 0, "");
  expect_rejected(checked_view<message>::over(hex("")), errc::truncated, 0, "");
  const auto bytes = hex("00 05");
  const auto v = checked_view<message>::over(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<0>(), 5);
  expect_rejected(v->get<1>(), errc::bad_variant, 1, "");
}

/// Visits everything below `seen`, whatever it answers. Returns the number of rejected accesses.
template <class Seen>
std::size_t look_at(const Seen& seen, unsigned depth);

template <class R>
std::size_t look_into(const R& outcome, unsigned depth) {
  return outcome && depth < 12 ? look_at(*outcome, depth + 1) : 1;
}
template <class Seen>
concept textual = std::convertible_to<Seen, std::string_view>;

template <class Seen>
std::size_t look_at(const Seen& seen, unsigned depth) {
  if constexpr (textual<Seen>) {
    volatile char last = 0;
    for (const char c : std::string_view(seen)) last = c;
    static_cast<void>(last);
    return 0;
  } else if constexpr (requires { seen.at(0); }) {
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(seen.size(), 40); ++i)
      rejected += look_into(seen.at(i), depth);
    return rejected;
  } else if constexpr (requires {
                         seen.first;
                         seen.second;
                       }) {
    return look_at(seen.first, depth) + look_at(seen.second, depth);
  } else if constexpr (requires { seen.index(); }) {
    return look_into(seen.template get<0>(), depth) + look_into(seen.template get<1>(), depth);
  } else if constexpr (requires {
                         typename Seen::value_type;
                         seen.template get<0>();
                       }) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (look_into(seen.template get<I>(), depth) + ...);
    }(std::make_index_sequence<ingot::member_count<typename Seen::value_type>>{});
  } else {
    return 0;
  }
}

/// Under sanitizers, a read outside the bytes ends the test.
TEST(checked_view, never_looks_outside_the_bytes) {
  const auto packed = ingot::pack(sample()).value();
  const std::vector<std::byte> bytes(packed.begin(), packed.end());
  std::size_t rejected = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const pack_test::exact_copy copy(ingot::bytes_view(bytes).first(size));
    rejected += look_into(checked_view<outer>::over(copy.bytes()), 0);
  }
  EXPECT_GT(rejected, 0U);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned replacement : {0x00U, 0x01U, 0x7FU, 0x80U, 0xFFU}) {
      std::vector<std::byte> changed = bytes;
      changed[i] = static_cast<std::byte>(replacement);
      const pack_test::exact_copy copy(changed);
      rejected += look_into(checked_view<outer>::over(copy.bytes()), 0);
      if (const auto v = checked_view<outer>::over(copy.bytes()); v) {
        if (const auto table = v->get<"table">(); table) rejected += table->find("k") ? 0 : 1;
        if (const auto cells = v->get<"cells">(); cells)
          rejected += cells->find(zoo::grid_cell{3, 4}) ? 0 : 1;
      }
    }
  }
}

} // namespace checked_view_test
