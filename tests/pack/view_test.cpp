// SPDX-License-Identifier: Apache-2.0
// Reading in place: every way to name a field, elements as a range, lookups of keys, scalars as
// spans. zoo_*_test.cpp tests that views show every field of every type.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>

#include "checks.hpp"
#include "hex.hpp"
#include "zoo/zoo.hpp"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>

#include <gtest/gtest.h>

namespace view_test {

using ingot::errc;
using ingot::list_view;
using ingot::view;
using pack_test::hex;

ingot::buffer packed(const auto& value) { return ingot::pack(value).value(); }

TEST(view, types_are_seen_as_what_they_are) {
  static_assert(std::same_as<view<zoo::character>, ingot::record_view<zoo::character>>);
  static_assert(std::same_as<view<std::pair<int, bool>>, ingot::record_view<std::pair<int, bool>>>);
  static_assert(std::same_as<view<std::string>, std::string_view>);
  static_assert(std::same_as<view<std::string_view>, std::string_view>);
  static_assert(std::same_as<view<std::u8string>, std::u8string_view>);
  static_assert(std::same_as<view<std::filesystem::path>, std::string_view>);
  static_assert(std::same_as<view<std::u16string>, list_view<std::u16string>>);
  static_assert(std::same_as<view<std::span<const int>>, list_view<std::span<const int>>>);
  static_assert(std::same_as<view<std::optional<int>>, ingot::tagged_view<std::optional<int>>>);
  static_assert(std::same_as<view<double>, double> && std::same_as<view<zoo::colour>, zoo::colour>);
  static_assert(std::same_as<view<std::bitset<5>>, std::bitset<5>>);
  static_assert(std::same_as<view<zoo::money>, std::int64_t>); // adapted: shown in its stored form
  static_assert(std::same_as<view<zoo::serial_number>, std::string_view>);
  static_assert(std::is_trivially_copyable_v<view<zoo::character>> &&
                sizeof(view<zoo::character>) <= 3 * sizeof(void*));
}

TEST(view, fields_are_had_by_name_index_and_pointer) {
  const zoo::character hero = zoo::char1(3);
  const auto bytes = packed(hero);
  const auto seen = view<zoo::character>::open(bytes).value();
  EXPECT_EQ(seen.get<"id">(), hero.id);
  EXPECT_EQ(seen.get<0>(), hero.id);
  EXPECT_EQ(seen.get<&zoo::character::id>(), hero.id);
  EXPECT_EQ(seen.get<"name">(), hero.name);
  EXPECT_EQ(seen.get<&zoo::character::name>(), hero.name);
  EXPECT_EQ(seen.get<"pos">().get<"z">(), hero.pos.z);
  EXPECT_EQ(seen.get<&zoo::character::pos>().get<&zoo::position::z>(), hero.pos.z);
  EXPECT_EQ(seen.get<&zoo::character::equips>()[3].get<"attributes">()[2], hero.equips[3].attributes[2]);
  EXPECT_EQ(seen.get<"skills">().back().get<"level">(), hero.skills.back().level);
  // the text is not copied
  EXPECT_GE(static_cast<const void*>(seen.get<"name">().data()), static_cast<const void*>(bytes.data()));
}

TEST(view, members_of_bases_and_renamed_ones_have_names_too) {
  zoo::station s;
  s.id = 5;
  s.label = "Gare";
  s.platforms = 7;
  const auto bytes = packed(s);
  const auto seen = view<zoo::station>::open(bytes).value();
  EXPECT_EQ(seen.get<"id">(), 5U);
  EXPECT_EQ(seen.get<"label">(), "Gare");
  EXPECT_EQ(seen.get<&zoo::station::platforms>(), 7);
  EXPECT_EQ(seen.get<&zoo::station::label>(), "Gare"); // a pointer into the base

  zoo::customer c;
  c.age = 30;
  const auto renamed = packed(c);
  EXPECT_EQ(view<zoo::customer>::open(renamed).value().get<"years">(), 30);
  EXPECT_EQ(view<zoo::customer>::open(renamed).value().get<&zoo::customer::age>(), 30);

  const auto closed = packed(zoo::account("Ada", -5));
  EXPECT_EQ(view<zoo::account>::open(closed).value().get<"owner_">(), "Ada");
}

TEST(view, a_record_is_had_as_an_object) {
  zoo::nested value = zoo::sample<zoo::nested>(9);
  const auto bytes = packed(std::pair(std::string("before"), value));
  const auto seen = view<std::pair<std::string, zoo::nested>>::open(bytes).value();
  const auto object = seen.get<1>().unpack();
  ASSERT_TRUE(object) << object.error().message();
  EXPECT_TRUE(zoo::equal(*object, value));
}

TEST(view, opens_what_pack_returns_and_passes_its_error_on) {
  const ingot::result<ingot::buffer> good = ingot::pack(zoo::full_name{"a", "b"});
  EXPECT_EQ(view<zoo::full_name>::open(good).value().get<1>(), "b");
  const ingot::result<ingot::buffer> failed = ingot::fail(errc::too_deep);
  EXPECT_EQ(view<zoo::full_name>::open(failed).error().code(), errc::too_deep);
  EXPECT_EQ(view<std::vector<int>>::open(failed).error().code(), errc::too_deep);
}

TEST(list_view, models_a_random_access_range) {
  static_assert(std::ranges::random_access_range<view<std::vector<std::string>>>);
  static_assert(std::ranges::random_access_range<view<std::vector<zoo::nothing>>>);
  static_assert(std::ranges::random_access_range<view<std::vector<zoo::sensor_v2>>>);
  static_assert(std::ranges::random_access_range<view<std::map<std::string, int>>>);
  static_assert(std::ranges::random_access_range<view<std::u16string>>);
  static_assert(std::ranges::common_range<view<std::array<bool, 3>>> &&
                std::ranges::sized_range<view<std::list<int>>>);
}

/// Tests the arithmetic of iterators, which a concept can't check.
template <class T>
void expect_arithmetic(const T& value) {
  const auto bytes = packed(std::tuple<std::string, T>("x", value));
  const auto seen = view<std::tuple<std::string, T>>::open(bytes).value().template get<1>();
  const auto size = static_cast<std::ptrdiff_t>(seen.size());
  ASSERT_EQ(seen.size(), value.size());
  EXPECT_EQ(seen.end() - seen.begin(), size);
  EXPECT_EQ(seen.begin() + size, seen.end());
  EXPECT_EQ(seen.end() - size, seen.begin());
  EXPECT_EQ(std::ranges::distance(seen), size);
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    auto at = i + seen.begin();
    EXPECT_EQ(at - seen.begin(), i);
    EXPECT_EQ(seen.begin() - at, -i);
    EXPECT_LT(at, seen.end());
    EXPECT_GE(at, seen.begin());
    auto back = at++;
    EXPECT_EQ(back, seen.begin() + i);
    EXPECT_EQ(--at, back);
    at += 1;
    EXPECT_EQ(at-- - 1, back);
    EXPECT_EQ(at, back);
  }
}

TEST(list_view, iterators_do_arithmetic) {
  expect_arithmetic(std::vector<std::uint16_t>{1, 2, 3});
  expect_arithmetic(std::vector<std::string>{"a", "", "bcd"});
  // elements without a size: all have the same address
  expect_arithmetic(std::vector<zoo::nothing>(4));
  expect_arithmetic(std::vector<zoo::sensor_v2>{{1, "a", 2, {}}, {2, "", 3, {"x"}}});
  expect_arithmetic(std::map<std::string, std::uint8_t>{{"a", 1}, {"b", 2}});
  expect_arithmetic(std::array<std::string, 2>{"a", "b"});
  expect_arithmetic(std::vector<std::uint16_t>{});
}

TEST(list_view, goes_through_standard_algorithms) {
  const std::vector<std::string> value{"pear", "apple", "fig"};
  const auto bytes = packed(value);
  const auto seen = view<std::vector<std::string>>::open(bytes).value();
  EXPECT_TRUE(std::ranges::equal(seen, value));
  EXPECT_EQ(*std::ranges::max_element(seen), "pear");
  EXPECT_EQ(std::ranges::find(seen, "fig") - seen.begin(), 2);
  EXPECT_EQ(seen.front(), "pear");
  EXPECT_EQ(seen.back(), "fig");
  EXPECT_EQ(seen.begin()[1], "apple");
  std::size_t letters = 0;
  for (const std::string_view fruit : seen | std::views::reverse) letters += fruit.size();
  EXPECT_EQ(letters, 12U);
}

TEST(list_view, wide_text_is_read_unit_by_unit) {
  const auto bytes = packed(std::pair(std::string("x"), std::u16string(u"a\u20AC")));
  const auto text = view<std::pair<std::string, std::u16string>>::open(bytes).value().get<1>();
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(text[0], u'a');
  EXPECT_EQ(text[1], u'\u20AC');
}

TEST(list_view, spans_are_had_where_the_bytes_are_aligned) {
  const std::vector<std::uint64_t> numbers{1, std::uint64_t{1} << 40, 3};
  const auto bytes = packed(numbers);
  alignas(8) std::byte memory[40]{};
  for (std::size_t shift = 0; shift < 8; ++shift) {
    std::memcpy(memory + shift, bytes.data(), bytes.size());
    const auto seen =
        view<std::vector<std::uint64_t>>::open(ingot::bytes_view(memory + shift, bytes.size())).value();
    std::vector<std::uint64_t> copied(seen.size());
    seen.copy_to(copied.data());
    EXPECT_EQ(copied, numbers) << shift;
    pack_test::if_little_endian(seen, [&](const auto& plain) {
      const auto span = plain.as_span();
      ASSERT_EQ(span.has_value(), shift % alignof(std::uint64_t) == 0) << shift;
      if (span) {
        EXPECT_TRUE(std::ranges::equal(*span, numbers));
        EXPECT_EQ(static_cast<const void*>(span->data()), static_cast<const void*>(memory + shift));
      }
    });
  }
}

template <class T>
concept has_span = requires(const view<T>& seen) { seen.as_span(); };

TEST(list_view, spans_are_had_of_plain_records_and_of_nothing_that_differs_in_memory) {
  static_assert(has_span<std::vector<std::uint8_t>> && has_span<std::array<char, 4>>);
  static_assert(!has_span<std::vector<zoo::padded>> && !has_span<std::vector<std::string>>);
  static_assert(has_span<std::vector<zoo::grid_cell>> == ingot::detail::little_endian);
  const std::vector<zoo::grid_cell> cells{{1, 2}, {3, 4}};
  const auto cell_bytes = packed(cells);
  pack_test::if_little_endian(view<std::vector<zoo::grid_cell>>::open(cell_bytes).value(),
                              [&](const auto& plain) {
                                const auto span = plain.as_span(); // a buffer is aligned
                                ASSERT_TRUE(span);
                                EXPECT_TRUE(std::ranges::equal(*span, cells));
                              });
  const std::vector<zoo::padded> padded{{1, 2, true, 3, 4}, {5, 6, false, 7, 8}};
  const auto bytes = packed(padded);
  std::vector<zoo::padded> copied(2);
  view<std::vector<zoo::padded>>::open(bytes).value().copy_to(copied.data());
  EXPECT_TRUE(zoo::equal(copied, padded));
}

/// Every key is found, and every bound is at the container's position.
template <class Container>
void expect_found(const Container& value, const std::vector<typename Container::key_type>& absent) {
  const auto bytes = packed(value);
  const auto seen = view<Container>::open(bytes).value();
  const auto key_at = [](const auto& item) -> const auto& {
    if constexpr (requires { typename Container::mapped_type; }) return item.first;
    else return item;
  };
  for (const auto& item : value) {
    const auto& key = key_at(item);
    const auto found = seen.find(key);
    ASSERT_NE(found, seen.end());
    EXPECT_TRUE(seen.contains(key));
    EXPECT_EQ(seen.lower_bound(key), found);
    EXPECT_EQ(static_cast<std::size_t>(seen.upper_bound(key) - found), value.count(key));
  }
  for (const auto& key : absent) {
    EXPECT_FALSE(seen.contains(key));
    EXPECT_EQ(seen.find(key), seen.end());
    EXPECT_EQ(seen.lower_bound(key), seen.upper_bound(key));
    if constexpr (requires { value.lower_bound(key); }) {
      EXPECT_EQ(seen.lower_bound(key) - seen.begin(), std::distance(value.begin(), value.lower_bound(key)));
    }
  }
}

TEST(list_view, keys_are_found_by_search) {
  expect_found(std::map<std::int32_t, std::string>{{-5, "a"}, {0, "b"}, {300, "c"}}, {-6, -4, 1, 299, 301});
  expect_found(std::map<std::string, std::uint8_t>{{"", 0}, {"b", 1}, {"ba", 2}, {"\xC3\xA9", 3}},
               {"a", "bb", "\xFF"});
  expect_found(std::set<std::string>{"x"}, {"", "w", "y"});
  expect_found(std::set<zoo::mood>{zoo::mood::furious, zoo::mood::happy}, {zoo::mood::sad, zoo::mood::calm});
  expect_found(std::set<double>{-1.5, 0.0, 2.0}, {-2, 0.5, 3});
  expect_found(std::set<zoo::grid_cell>{{-1, 5}, {1, -5}, {1, 5}}, {{-1, 4}, {1, 0}, {2, 0}});
  expect_found(std::map<zoo::full_name, std::string>{{{"a", "b"}, "1"}, {{"a", "c"}, "2"}},
               {{"a", ""}, {"b", "a"}});
  expect_found(std::set<std::u16string>{u"a", u"\u0100"}, {u"", u"b", u"\u0200"});
  expect_found(std::multimap<std::int16_t, std::string>{{3, "z"}, {3, "a"}, {-3, "m"}}, {0, 4});
  expect_found(std::multiset<std::uint8_t>{1, 2, 2, 2, 3}, {0, 4});
  expect_found(std::set<std::chrono::seconds>{std::chrono::seconds(-1), std::chrono::seconds(5)},
               {std::chrono::seconds(0)});
}

TEST(list_view, keys_of_unordered_containers_are_found_by_search_too) {
  expect_found(std::unordered_map<std::int64_t, std::string>{{1, "a"}, {256, "b"}, {-1, "c"}, {65'536, "d"}},
               {0, 2, 257});
  expect_found(std::unordered_set<std::string>{"b", "ab", ""}, {"a", "c"});
  expect_found(std::unordered_map<zoo::grid_cell, float>{{{1, 2}, 1}, {{256, 2}, 2}}, {{2, 1}, {1, 256}});
  expect_found(std::unordered_multimap<std::string, std::uint16_t>{{"k", 1}, {"k", 2}, {"j", 3}}, {"i", "l"});
  expect_found(std::unordered_set<zoo::mood>{zoo::mood::sad, zoo::mood::calm}, {zoo::mood::happy});
}

TEST(list_view, text_keys_are_found_by_anything_that_converts_to_a_view) {
  const auto bytes = packed(std::map<std::string, std::uint8_t>{{"key", 7}});
  const auto seen = view<std::map<std::string, std::uint8_t>>::open(bytes).value();
  EXPECT_EQ((*seen.find("key")).second, 7);
  EXPECT_TRUE(seen.contains(std::string_view("key")));
  EXPECT_TRUE(seen.contains(std::string("key")));
  EXPECT_FALSE(seen.contains("ke"));
}

TEST(list_view, integers_of_any_width_are_looked_for_as_numbers) {
  const auto bytes = packed(std::map<std::uint8_t, zoo::serial_number>{{44, zoo::serial_number(5)}});
  const auto seen = view<std::map<std::uint8_t, zoo::serial_number>>::open(bytes).value();
  EXPECT_EQ((*seen.find(44)).second, "SN-5");
  EXPECT_FALSE(seen.contains(300)); // 44 in eight bits
  EXPECT_FALSE(seen.contains(-212));
  EXPECT_EQ(seen.lower_bound(-1), seen.begin());
  EXPECT_EQ(seen.lower_bound(1'000), seen.end());
  const auto hashed = packed(std::unordered_set<std::int8_t>{-1, 44});
  EXPECT_TRUE(view<std::unordered_set<std::int8_t>>::open(hashed).value().contains(-1L));
  EXPECT_FALSE(view<std::unordered_set<std::int8_t>>::open(hashed).value().contains(300));
}

struct tagged {
  std::optional<std::uint32_t> number;
  std::optional<std::string> text;
  std::variant<std::uint8_t, std::string, zoo::full_name> either;
  std::expected<std::string, zoo::mood> outcome;
  std::expected<void, std::string> nothing;
  std::unique_ptr<zoo::point> point;
  std::unique_ptr<zoo::binary_tree> tree;
  std::optional<std::variant<bool, float>> fixed;
};

TEST(tagged_view, shows_what_is_there) {
  tagged value;
  value.number = 5;
  value.either = zoo::full_name{"a", "b"};
  value.outcome = std::unexpected(zoo::mood::happy);
  value.tree =
      std::make_unique<zoo::binary_tree>(1, nullptr, std::make_unique<zoo::binary_tree>(2, nullptr, nullptr));
  value.fixed = 2.5F;
  const auto bytes = packed(value);
  const auto seen = view<tagged>::open(bytes).value();
  EXPECT_TRUE(seen.get<"number">());
  EXPECT_EQ(*seen.get<"number">(), 5U);
  EXPECT_FALSE(seen.get<"text">().has_value());
  EXPECT_EQ(seen.get<"either">().index(), 2U);
  EXPECT_EQ(seen.get<"either">().get<2>().get<"given">(), "b");
  EXPECT_FALSE(seen.get<"outcome">().has_value());
  EXPECT_EQ(seen.get<"outcome">().error(), zoo::mood::happy);
  EXPECT_TRUE(seen.get<"nothing">().has_value());
  EXPECT_FALSE(seen.get<"point">());
  EXPECT_EQ((*(*seen.get<"tree">()).get<"right">()).get<"value">(), 2);
  EXPECT_EQ(seen.get<"tree">()->get<"right">()->get<"value">(), 2);
  EXPECT_FALSE((*seen.get<"tree">()).get<"left">());
  EXPECT_EQ((*seen.get<"fixed">()).get<1>(), 2.5F);
}

TEST(tagged_view, visits_the_alternative_that_is_there) {
  using either = std::variant<std::uint8_t, std::string, zoo::full_name>;
  const auto describe = [](const either& value) {
    const auto bytes = packed(std::tuple(value));
    return view<std::tuple<either>>::open(bytes).value().get<0>().visit([](const auto& held) -> std::string {
      using held_type = std::remove_cvref_t<decltype(held)>;
      if constexpr (std::is_same_v<held_type, std::uint8_t>) return "number " + std::to_string(held);
      else if constexpr (std::is_same_v<held_type, std::string_view>) return "text " + std::string(held);
      else return "name " + std::string(held.template get<"family">());
    });
  };
  EXPECT_EQ(describe(std::uint8_t{7}), "number 7");
  EXPECT_EQ(describe("seven"), "text seven");
  EXPECT_EQ(describe(zoo::full_name{"Ada", ""}), "name Ada");

  const auto bytes = packed(std::tuple(std::optional<std::uint8_t>()));
  const auto absent = view<std::tuple<std::optional<std::uint8_t>>>::open(bytes).value().get<0>();
  EXPECT_EQ(
      absent.visit([](const auto& held) { return std::is_same_v<decltype(held), const std::uint8_t&>; }),
      false);
}

} // namespace view_test
