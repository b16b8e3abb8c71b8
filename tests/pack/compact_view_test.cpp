// SPDX-License-Identifier: Apache-2.0
// Reading compact messages in place: every access that ingot::view has, and the index that it uses.
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/view.hpp>

#include "compact_agrees.hpp"
#include "compact_expect.hpp"
#include "zoo/annotated.hpp"
#include "zoo/games.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

#include <gtest/gtest.h>

namespace seen {

struct person {
  std::string name;
  std::uint32_t age = 0;
  std::vector<std::string> nicknames;
  std::map<std::string, std::uint64_t> scores;
  std::optional<std::string> motto;
  std::variant<std::uint8_t, std::vector<std::uint32_t>> either;
  std::array<std::string, 2> pair;
  std::uint16_t after = 0;
};
struct borrowed {
  std::string_view text;
  std::span<const std::uint16_t> numbers;
  std::map<std::string_view, std::uint8_t> table;
  std::optional<std::string_view> maybe;
};
struct tree {
  std::uint8_t value = 0;
  std::vector<tree> children;
};
struct no_members {};
struct odd {
  std::array<std::string, 0> none;
  std::vector<std::array<std::string, 0>> nothings;
  std::vector<no_members> empties;
  std::string last;
};

} // namespace seen

template <>
inline constexpr auto ingot::annotations<seen::person> =
    ingot::annotate(ingot::member<"age">(ingot::varint), ingot::member<"scores">(ingot::varint));

namespace compact_view_test {

using compact_test::hex;
using seen::person;

person somebody() {
  return {"Ada",
          36,
          {"a", "bc", ""},
          {{"x", 1}, {"y", 1000}, {"z", 3}},
          "on",
          std::vector<std::uint32_t>{7, 8, 9},
          {"p", "qq"},
          0xBEEF};
}

TEST(compact_view, members_by_name_pointer_and_index) {
  const auto bytes = ingot::compact::pack(somebody());
  const auto v = ingot::compact::view<person>::open(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"name">(), "Ada");
  EXPECT_EQ(v->get<&person::age>(), 36U);
  EXPECT_EQ(v->get<2>().size(), 3U);
  EXPECT_EQ(v->get<"nicknames">()[1], "bc");
  EXPECT_EQ(*v->get<"motto">(), "on");
  EXPECT_EQ(v->get<"either">().index(), 1U);
  EXPECT_EQ(v->get<"either">().get<1>()[2], 9U);
  EXPECT_EQ(v->get<"pair">()[1], "qq");
  EXPECT_EQ(v->get<"after">(), 0xBEEF);
  static_assert(std::is_same_v<decltype(v->get<"name">()), std::string_view>);
}

TEST(compact_view, lists_are_random_access_ranges) {
  const auto bytes = ingot::compact::pack(somebody());
  const auto v = ingot::compact::view<person>::open(bytes);
  ASSERT_TRUE(v);
  const auto names = v->get<"nicknames">();
  static_assert(std::ranges::random_access_range<decltype(names)>);
  EXPECT_EQ(names.end() - names.begin(), 3);
  EXPECT_EQ(*(names.end() - 2), "bc");
  EXPECT_EQ(names.begin()[2], "");
  EXPECT_EQ(names.front(), "a");
  EXPECT_EQ(names.back(), "");
  auto it = names.begin();
  EXPECT_EQ(*it++, "a");
  EXPECT_EQ(*it--, "bc");
  EXPECT_EQ(it, names.begin());
  EXPECT_LT(it, names.end());
  std::vector<std::string_view> copied;
  std::ranges::copy(names, std::back_inserter(copied));
  EXPECT_EQ(copied, (std::vector<std::string_view>{"a", "bc", ""}));
}

TEST(compact_view, keys_are_found_by_anything_they_compare_with) {
  const auto bytes = ingot::compact::pack(somebody());
  const auto v = ingot::compact::view<person>::open(bytes);
  ASSERT_TRUE(v);
  const auto scores = v->get<"scores">();
  EXPECT_EQ((*scores.find("y")).second, 1000U);
  EXPECT_EQ((*scores.find(std::string("z"))).second, 3U);
  EXPECT_EQ(scores.find("w"), scores.end());
  EXPECT_TRUE(scores.contains(std::string_view("x")));
  EXPECT_EQ(scores.lower_bound("xx") - scores.begin(), 1);
  EXPECT_EQ(scores.upper_bound("z"), scores.end());
}

TEST(compact_view, a_record_becomes_an_object) {
  const auto bytes = ingot::compact::pack(std::vector<person>{somebody(), {}});
  const auto v = ingot::compact::view<std::vector<person>>::open(bytes);
  ASSERT_TRUE(v);
  const auto first = (*v)[0].unpack();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->scores, somebody().scores);
  EXPECT_EQ((*v)[1].unpack().value().name, "");
}

TEST(compact_view, a_tagged_value_is_visited) {
  const auto bytes = ingot::compact::pack(std::variant<std::string, std::uint8_t>{std::string("abc")});
  const auto v = ingot::compact::view<std::variant<std::string, std::uint8_t>>::open(bytes);
  ASSERT_TRUE(v);
  const auto size = v->visit([](const auto& held) -> std::size_t {
    if constexpr (requires { held.size(); }) return held.size();
    else return 1000;
  });
  EXPECT_EQ(size, 3U);
}

TEST(compact_view, an_arrow_reaches_the_value_of_an_optional) {
  const auto bytes = ingot::compact::pack(std::optional(somebody()));
  const auto v = ingot::compact::view<std::optional<person>>::open(bytes);
  ASSERT_TRUE(v && v->has_value());
  EXPECT_EQ((*v)->get<"name">(), "Ada");
  EXPECT_EQ((*v)->get<"nicknames">().size(), somebody().nicknames.size());
}

TEST(compact_view, stays_valid_when_moved) {
  const auto bytes = ingot::compact::pack(somebody());
  auto v = ingot::compact::view<person>::open(bytes);
  ASSERT_TRUE(v);
  const auto names = v->get<"nicknames">();
  const ingot::compact::view<person> moved = std::move(*v);
  EXPECT_EQ(names[1], "bc");
  EXPECT_EQ(moved.get<"nicknames">()[1], "bc");
}

TEST(compact_view, trusted_bytes_are_indexed_only) {
  const auto bytes = ingot::compact::pack(somebody()).value();
  const auto v = ingot::compact::view<person>::open_unchecked(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"after">(), 0xBEEF);
}

TEST(compact_view, borrowing_types_are_read_in_place) {
  const std::vector<std::uint16_t> numbers{1, 2, 3};
  const auto bytes = ingot::compact::pack(seen::borrowed{"text", numbers, {{"a", 1}, {"b", 2}}, "m"});
  const auto v = ingot::compact::view<seen::borrowed>::open(bytes);
  ASSERT_TRUE(v) << v.error().message();
  EXPECT_EQ(v->get<"text">(), "text");
  EXPECT_EQ(v->get<"numbers">()[2], 3);
  EXPECT_EQ((*v->get<"table">().find("b")).second, 2);
  EXPECT_EQ(*v->get<"maybe">(), "m");
}

TEST(compact_view, plain_elements_are_had_as_a_span_or_copied) {
  using message = std::tuple<std::uint32_t, std::vector<float>>;
  const auto bytes = ingot::compact::pack(message{1, {1, 2, 3}});
  const auto v = ingot::compact::view<message>::open(bytes);
  ASSERT_TRUE(v);
  const auto list = v->get<1>();
  std::array<float, 3> copy{};
  list.copy_to(copy.data());
  EXPECT_EQ(copy, (std::array<float, 3>{1, 2, 3}));
  pack_test::if_little_endian(list, [&](const auto& plain) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes->data()) + 5;
    EXPECT_EQ(plain.as_span().has_value(), address % alignof(float) == 0);
  });
}

TEST(compact_view, whole_messages_of_every_kind) {
  const auto text = hex("02 'hi'");
  EXPECT_EQ(*ingot::compact::view<std::string>::open(text).value(), "hi");
  const auto number = hex("05 00");
  EXPECT_EQ(*ingot::compact::view<std::uint16_t>::open(number).value(), 5);
  const auto list = hex("02 01 'a' 00");
  EXPECT_EQ(ingot::compact::view<std::vector<std::string>>::open(list).value().size(), 2U);
}

TEST(compact_view, recursive_types) {
  seen::tree root{1, {{2, {{3, {}}}}, {4, {}}}};
  const auto bytes = ingot::compact::pack(root);
  const auto v = ingot::compact::view<seen::tree>::open(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"children">()[0].get<"children">()[0].get<"value">(), 3);
  EXPECT_EQ(v->get<"children">()[1].get<"value">(), 4);
}

TEST(compact_view, elements_without_bytes) {
  const auto bytes = ingot::compact::pack(
      seen::odd{{}, std::vector<std::array<std::string, 0>>(3), std::vector<seen::no_members>(4), "end"});
  const auto v = ingot::compact::view<seen::odd>::open(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->get<"nothings">().size(), 3U);
  EXPECT_TRUE(v->get<"nothings">()[2].empty());
  EXPECT_EQ(v->get<"empties">().end() - v->get<"empties">().begin(), 4);
  EXPECT_EQ(v->get<"last">(), "end");
}

TEST(compact_view, fixed_messages_need_no_index) {
  const auto bytes = ingot::compact::pack(zoo::position{1, 2, 3});
  const auto v = ingot::compact::view<zoo::position>::open(bytes);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->index_size(), 0U);
  EXPECT_EQ(v->get<"z">(), 3.0F);
  const auto many = ingot::compact::pack(std::vector<zoo::position>(1000));
  EXPECT_EQ(ingot::compact::view<std::vector<zoo::position>>::open(many).value().index_size(),
            sizeof(std::uint32_t));
}

/// One function that reads both profiles.
template <class View>
std::uint64_t total_of(const View& v) {
  std::uint64_t total = v.template get<"age">();
  for (const auto& [name, score] : v.template get<"scores">()) total += name.size() + score;
  for (const std::string_view name : v.template get<"nicknames">()) total += name.size();
  return total;
}

TEST(compact_view, generic_code_reads_either_profile) {
  const auto packed = ingot::pack(somebody());
  const auto compacted = ingot::compact::pack(somebody());
  EXPECT_EQ(total_of(*ingot::view<person>::open(packed)), 36U + 3 + 1004 + 3);
  EXPECT_EQ(total_of(*ingot::compact::view<person>::open(compacted)), 36U + 3 + 1004 + 3);
}

struct three_readers_agree {
  template <class T>
  void operator()(std::string_view name) const {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const compact_test::subject about{name, seed};
      const T value = zoo::sample<T>(seed);
      const auto packed = ingot::pack(value);
      const auto compacted = ingot::compact::pack(value);
      const auto decoded = ingot::compact::unpack<T>(compacted);
      const auto in_pack = ingot::view<T>::open(packed);
      const auto in_compact = ingot::compact::view<T>::open(compacted);
      if (!about.succeeded(decoded, "unpack") || !about.succeeded(in_pack, "view") ||
          !about.succeeded(in_compact, "compact::view")) {
        continue;
      }
      about.expect(zoo::equal(*decoded, value), "the decoder");
      about.expect(compact_test::shows(*in_pack, value), "the view of packed bytes");
      about.expect(compact_test::shows(*in_compact, value), "the view of compact bytes");
    }
  }
};

TEST(compact_view, three_readers_agree_on_games) { zoo::for_each_game(three_readers_agree{}); }

} // namespace compact_view_test
