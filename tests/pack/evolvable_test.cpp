// SPDX-License-Identifier: Apache-2.0
// Types that grow: old readers accept bytes of new writers and new readers accept bytes of old
// ones, wherever the type is used.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "expect_error.hpp"
#include "hex.hpp"
#include "zoo/annotated.hpp"

#include <gtest/gtest.h>

namespace generations {

/// Fixed at first; a fixed member, then variable ones are appended.
struct unit_1 {
  std::uint16_t id = 0;
};
struct unit_2 {
  std::uint16_t id = 0;
  std::uint32_t health = 100;
};
struct unit_3 {
  std::uint16_t id = 0;
  std::uint32_t health = 100;
  std::string name = "unnamed";
  std::vector<std::uint8_t> marks{1, 2, 3};
};
/// The same as the third, except for an annotated default.
struct unit_3_annotated {
  std::uint16_t id = 0;
  std::uint32_t health = 0;
  std::string name;
  std::vector<std::uint8_t> marks;
};

/// Every position that a record can have, with neighbours that show if too much or too little was
/// read.
template <class Unit>
struct army {
  Unit leader;
  std::string motto;
  std::vector<Unit> soldiers;
  std::map<std::string, Unit> named;
  std::optional<Unit> spy;
  std::variant<std::uint8_t, Unit> guest;
  std::array<Unit, 2> guards;
  std::pair<std::uint8_t, Unit> numbered;
  std::uint16_t after = 0;
};
template <class Unit>
struct nation {
  std::vector<army<Unit>> armies;
  std::uint32_t year = 0;
};

/// Evolvable inside evolvable, both having grown.
struct town_1 {
  unit_1 mayor;
  std::uint8_t streets = 0;
};
struct town_2 {
  unit_3 mayor;
  std::uint8_t streets = 0;
  std::vector<unit_3> guards{{1, 2, "default", {}}};
};

} // namespace generations

template <>
inline constexpr auto ingot::annotations<generations::unit_1> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<generations::unit_2> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<generations::unit_3> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<generations::unit_3_annotated> =
    ingot::annotate(ingot::type(ingot::evolvable), ingot::member<"health">(ingot::default_value(77)),
                    ingot::member<"name">(ingot::default_value("annotated")));
template <>
inline constexpr auto ingot::annotations<generations::town_1> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<generations::town_2> =
    ingot::annotate(ingot::type(ingot::evolvable));

namespace evolvable_test {

using namespace generations;
using ingot::errc;
using pack_test::expect_rejected;
using pack_test::hex;

template <class Unit>
Unit make_unit(unsigned n) {
  Unit u{};
  u.id = static_cast<std::uint16_t>(n);
  if constexpr (requires { u.health; }) u.health = 10 * n;
  if constexpr (requires { u.name; }) {
    u.name = "unit " + std::to_string(n);
    u.marks.assign(n, static_cast<std::uint8_t>(n));
  }
  return u;
}
template <class Unit>
army<Unit> make_army() {
  army<Unit> a;
  a.leader = make_unit<Unit>(1);
  a.motto = "forward";
  for (unsigned i = 2; i < 5; ++i) a.soldiers.push_back(make_unit<Unit>(i));
  a.named = {{"a", make_unit<Unit>(5)}, {"b", make_unit<Unit>(6)}};
  a.spy = make_unit<Unit>(7);
  a.guest = make_unit<Unit>(8);
  a.guards = {make_unit<Unit>(9), make_unit<Unit>(10)};
  a.numbered = {11, make_unit<Unit>(12)};
  a.after = 0xABCD;
  return a;
}

/// `found`, which `New` read from bytes of `Old`, shows the members that both know, and defaults
/// for the rest.
template <class Old, class New>
void expect_unit(const New& found, unsigned n) {
  EXPECT_EQ(found.id, n);
  if constexpr (requires { found.health; }) {
    if constexpr (requires { Old().health; }) {
      EXPECT_EQ(found.health, 10 * n);
    } else {
      EXPECT_EQ(found.health, 100U);
    }
  }
  if constexpr (requires { found.name; }) {
    if constexpr (requires { Old().name; }) {
      EXPECT_EQ(found.name, "unit " + std::to_string(n));
      EXPECT_EQ(found.marks, std::vector<std::uint8_t>(n, static_cast<std::uint8_t>(n)));
    } else {
      EXPECT_EQ(found.name, "unnamed");
      EXPECT_EQ(found.marks, (std::vector<std::uint8_t>{1, 2, 3}));
    }
  }
}
template <class Old, class New>
void expect_army(const army<New>& a) {
  expect_unit<Old>(a.leader, 1);
  EXPECT_EQ(a.motto, "forward");
  ASSERT_EQ(a.soldiers.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) expect_unit<Old>(a.soldiers[i], i + 2);
  ASSERT_EQ(a.named.size(), 2U);
  expect_unit<Old>(a.named.at("a"), 5);
  expect_unit<Old>(a.named.at("b"), 6);
  ASSERT_TRUE(a.spy);
  expect_unit<Old>(*a.spy, 7);
  ASSERT_EQ(a.guest.index(), 1U);
  expect_unit<Old>(std::get<1>(a.guest), 8);
  expect_unit<Old>(a.guards[0], 9);
  expect_unit<Old>(a.guards[1], 10);
  EXPECT_EQ(a.numbered.first, 11);
  expect_unit<Old>(a.numbered.second, 12);
  EXPECT_EQ(a.after, 0xABCD);
}

template <class Old, class New>
void expect_readable() {
  const auto bytes = ingot::pack(make_army<Old>());
  const auto read = ingot::unpack<army<New>>(bytes);
  ASSERT_TRUE(read) << read.error().message();
  expect_army<Old>(*read);
  auto warm = make_army<New>(); // earlier contents of the object must not remain
  warm.leader = make_unit<New>(99);
  ASSERT_TRUE(ingot::unpack_into(warm, *bytes));
  expect_army<Old>(warm);

  nation<Old> old;
  old.armies = {make_army<Old>(), {}, make_army<Old>()};
  old.year = 1870;
  const auto nested = ingot::unpack<nation<New>>(ingot::pack(old));
  ASSERT_TRUE(nested) << nested.error().message();
  expect_army<Old>(nested->armies[0]);
  expect_army<Old>(nested->armies[2]);
  EXPECT_EQ(nested->year, 1870U);
}

TEST(evolvable, new_readers_read_old_bytes) {
  expect_readable<unit_1, unit_2>();
  expect_readable<unit_1, unit_3>(); // fixed to variable
  expect_readable<unit_2, unit_3>();
}

TEST(evolvable, old_readers_read_new_bytes) {
  expect_readable<unit_2, unit_1>();
  expect_readable<unit_3, unit_1>();
  expect_readable<unit_3, unit_2>();
}

TEST(evolvable, the_same_generation_round_trips) {
  expect_readable<unit_1, unit_1>();
  expect_readable<unit_3, unit_3>();
}

template <class Old, class New>
void expect_viewable() {
  const auto bytes = ingot::pack(make_army<Old>()).value();
  const auto seen = ingot::view<army<New>>::open(bytes);
  ASSERT_TRUE(seen) << seen.error().message();
  const auto unit = [](const ingot::view<New>& v) {
    New u{};
    u.id = v.template get<"id">();
    if constexpr (requires { u.health; }) u.health = v.template get<"health">();
    if constexpr (requires { u.name; }) {
      u.name = v.template get<"name">();
      const auto marks = v.template get<"marks">();
      u.marks.assign(marks.begin(), marks.end());
    }
    return u;
  };
  expect_unit<Old>(unit(seen->template get<"leader">()), 1);
  EXPECT_EQ(seen->template get<"motto">(), "forward");
  const auto soldiers = seen->template get<"soldiers">();
  ASSERT_EQ(soldiers.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) expect_unit<Old>(unit(soldiers[i]), i + 2);
  expect_unit<Old>(unit(*(soldiers.end() - 1)), 4);
  const auto named = seen->template get<"named">();
  ASSERT_TRUE(named.contains("b"));
  expect_unit<Old>(unit((*named.find("b")).second), 6);
  expect_unit<Old>(unit(*seen->template get<"spy">()), 7);
  expect_unit<Old>(unit(seen->template get<"guest">().template get<1>()), 8);
  expect_unit<Old>(unit(seen->template get<"guards">()[0]), 9);
  expect_unit<Old>(unit(seen->template get<"guards">()[1]), 10);
  expect_unit<Old>(unit(seen->template get<"numbered">().template get<1>()), 12);
  EXPECT_EQ(seen->template get<"after">(), 0xABCD);
  const auto object = seen->template get<"leader">().unpack();
  ASSERT_TRUE(object) << object.error().message();
  expect_unit<Old>(*object, 1);
}

TEST(evolvable, views_show_defaults_for_what_old_bytes_lack) {
  expect_viewable<unit_1, unit_2>();
  expect_viewable<unit_1, unit_3>();
  expect_viewable<unit_2, unit_3>();
}

TEST(evolvable, views_of_new_bytes_show_what_the_reader_knows) {
  expect_viewable<unit_2, unit_1>();
  expect_viewable<unit_3, unit_2>();
  expect_viewable<unit_3, unit_3>();
}

TEST(evolvable, annotated_defaults_come_before_initialisers) {
  const auto bytes = ingot::pack(unit_1{5});
  const auto read = ingot::unpack<unit_3_annotated>(bytes).value();
  EXPECT_EQ(read.id, 5);
  EXPECT_EQ(read.health, 77U);
  EXPECT_EQ(read.name, "annotated");
  EXPECT_TRUE(read.marks.empty());
  const auto seen = ingot::view<unit_3_annotated>::open(bytes).value();
  EXPECT_EQ(seen.get<"health">(), 77U);
  EXPECT_EQ(seen.get<"name">(), "annotated");
  EXPECT_TRUE(seen.get<"marks">().empty());
}

TEST(evolvable, evolvable_members_of_evolvable_types) {
  const auto old = ingot::pack(town_1{{3}, 9});
  const auto grown = ingot::unpack<town_2>(old);
  ASSERT_TRUE(grown) << grown.error().message();
  expect_unit<unit_1>(grown->mayor, 3);
  EXPECT_EQ(grown->streets, 9);
  ASSERT_EQ(grown->guards.size(), 1U);
  EXPECT_EQ(grown->guards[0].name, "default");
  const auto seen = ingot::view<town_2>::open(old).value();
  EXPECT_EQ(seen.get<"mayor">().get<"name">(), "unnamed");
  EXPECT_EQ(seen.get<"guards">()[0].get<"name">(), "default");

  const auto back =
      ingot::unpack<town_1>(ingot::pack(town_2{make_unit<unit_3>(4), 8, {make_unit<unit_3>(5)}}));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->mayor.id, 4);
  EXPECT_EQ(back->streets, 8);
}

// An empty list has no element to show the size of elements: a size that no version has is a second
// encoding of the empty list.
TEST(evolvable, empty_lists_name_a_size_that_a_version_can_have) {
  using list = std::vector<zoo::reading>; // the versions have eight bytes and four
  for (unsigned char size = 0; size < 20; ++size) {
    SCOPED_TRACE(int{size});
    const std::vector<std::byte> bytes{{}, {}, {}, {}, std::byte{size}, {}, {}, {}};
    const bool can_be = size == 0 || size == 8 || size >= 12;
    const auto decoded = ingot::unpack<list>(bytes);
    EXPECT_EQ(decoded.has_value(), can_be);
    EXPECT_EQ(ingot::view<list>::open(bytes).has_value(), can_be);
    if (can_be) continue;
    EXPECT_EQ(decoded.error().code(), errc::bad_length);
    EXPECT_EQ(decoded.error().offset(), 4U);
  }
}

TEST(evolvable, sizes_that_cannot_be_are_rejected) {
  expect_rejected<unit_2>(hex("01 00"), {errc::truncated, 0, "", "the size of a record"});
  expect_rejected<unit_2>(hex("07 00 00 00 01 00 02 00 00 00"),
                          {errc::bad_length, 0, "", "a size within the payload"});
  expect_rejected<unit_2>(hex("04 00 00 00 01 00 02 00"),
                          {errc::bad_length, 4, "", "a fixed part that ends between two members", "4"});
  EXPECT_TRUE(ingot::unpack<unit_2>(hex("00 00 00 00"))); // an earlier version without members
  expect_rejected<unit_2>(hex("02 00 00 00 01 00 ff"), {errc::bad_length, 6, ""});
  expect_rejected<unit_3>(hex("0e 00 00 00 01 00 02 00 00 00 03 00 00 00 02 00 00 00 'abc'"),
                          {errc::bad_length, 14, "marks"});
  expect_rejected<std::vector<unit_1>>(hex("01 00 00 00"), {errc::truncated, 0, ""});
  expect_rejected<std::vector<unit_1>>(hex("01 00 00 00 ff ff ff ff 00 00 00 00"), {errc::bad_length});
  expect_rejected<std::vector<unit_1>>(hex("02 00 00 00 02 00 00 00 00 00 00 00 01 00 05 00 00 00 02 00"),
                                       {errc::bad_length, 14, "[1]"});
}

} // namespace evolvable_test
