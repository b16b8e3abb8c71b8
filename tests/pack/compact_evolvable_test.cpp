// SPDX-License-Identifier: Apache-2.0
// Types that grow, in the compact profile: old readers and new writers work together, wherever the
// type is used.
#include <ingot/pack/compact_view.hpp>

#include "compact_expect.hpp"

#include <gtest/gtest.h>

namespace grown {

struct unit_1 {
  std::uint16_t id = 0;
};
struct unit_2 {
  std::uint16_t id = 0;
  std::uint32_t health = 100;
  std::string name = "unnamed";
  std::tuple<> nothing;
  std::vector<std::string> marks{"first"};
};
/// As the second version, with annotated defaults, and members without bytes at the end.
struct unit_3 {
  std::uint16_t id = 0;
  std::uint32_t health = 0;
  std::string name;
  std::tuple<> nothing;
  std::vector<std::string> marks;
  std::array<std::string, 0> none{};
  std::tuple<> last;
};
template <class Unit>
struct army {
  Unit leader;
  std::string motto;
  std::vector<Unit> soldiers;
  std::map<std::string, Unit> named;
  std::optional<Unit> spy;
  std::array<Unit, 2> guards;
  std::uint16_t after = 0;
};
struct dated {
  std::uint8_t version = 2;
  std::string text;
};

struct branch {
  std::uint8_t value = 0;
  std::vector<branch> kids;
};

} // namespace grown

template <>
inline constexpr auto ingot::annotations<grown::branch> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<grown::unit_1> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<grown::unit_2> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<grown::unit_3> =
    ingot::annotate(ingot::type(ingot::evolvable),
                    ingot::member<"health">(ingot::default_value(7), ingot::varint),
                    ingot::member<"name">(ingot::default_value("nobody")));
template <>
inline constexpr auto ingot::annotations<grown::dated> =
    ingot::annotate(ingot::type(ingot::evolvable, ingot::version(2)));

namespace compact_evolvable_test {

using compact_test::expect_rejected;
using compact_test::hex;
using grown::army;
using grown::unit_1;
using grown::unit_2;
using grown::unit_3;
using ingot::errc;

template <class Unit>
army<Unit> sample_army() {
  army<Unit> a;
  a.leader.id = 1;
  a.motto = "ever on";
  a.soldiers.resize(3);
  for (std::uint16_t i = 0; i < 3; ++i) a.soldiers[i].id = static_cast<std::uint16_t>(10 + i);
  a.named["x"].id = 20;
  a.spy.emplace().id = 30;
  a.guards[0].id = 40;
  a.guards[1].id = 41;
  a.after = 0xABCD;
  return a;
}

/// Returns every id of an object or a view.
template <class Army>
std::vector<unsigned> ids_of(const Army& a) {
  return {a.leader.id, a.soldiers[0].id, a.soldiers[1].id, a.soldiers[2].id, a.named.begin()->second.id,
          a.spy->id,   a.guards[0].id,   a.guards[1].id,   a.after};
}
template <class View>
std::vector<unsigned> ids_seen(const View& v) {
  const auto id = [](const auto& unit) -> unsigned { return unit.template get<"id">(); };
  const auto soldiers = v.template get<"soldiers">();
  const auto guards = v.template get<"guards">();
  return {id(v.template get<"leader">()),
          id(soldiers[0]),
          id(soldiers[1]),
          id(soldiers[2]),
          id((*v.template get<"named">().find("x")).second),
          id(*v.template get<"spy">()),
          id(guards[0]),
          id(guards[1]),
          v.template get<"after">()};
}
const std::vector<unsigned> all_ids{1, 10, 11, 12, 20, 30, 40, 41, 0xABCD};

TEST(compact_evolvable, is_a_size_and_its_members) {
  const auto packed = ingot::compact::pack(unit_2{1, 2, "ab", {}, {}});
  EXPECT_TRUE(pack_test::same_bytes(packed.value(), hex("0a 01 00 02 00 00 00 02 'ab' 00")));
}

TEST(compact_evolvable, old_readers_pass_over_what_new_writers_added) {
  const auto packed = ingot::compact::pack(sample_army<unit_2>());
  const auto read = ingot::compact::unpack<army<unit_1>>(packed);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(ids_of(*read), all_ids);
  EXPECT_EQ(read->motto, "ever on");
  const auto seen = ingot::compact::view<army<unit_1>>::open(packed);
  ASSERT_TRUE(seen);
  EXPECT_EQ(ids_seen(*seen), all_ids);
}

TEST(compact_evolvable, new_readers_give_defaults_to_what_old_writers_lacked) {
  const auto packed = ingot::compact::pack(sample_army<unit_1>());
  const auto read = ingot::compact::unpack<army<unit_2>>(packed);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(ids_of(*read), all_ids);
  const auto seen = ingot::compact::view<army<unit_2>>::open(packed);
  ASSERT_TRUE(seen);
  EXPECT_EQ(ids_seen(*seen), all_ids);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read->soldiers[i].health, 100U);
    EXPECT_EQ(read->soldiers[i].name, "unnamed");
    EXPECT_EQ(read->soldiers[i].marks, std::vector<std::string>{"first"});
    const auto soldier = seen->get<"soldiers">()[i];
    EXPECT_EQ(soldier.get<"health">(), 100U);
    EXPECT_EQ(soldier.get<"name">(), "unnamed");
    EXPECT_EQ(soldier.get<"marks">()[0], "first");
  }
  const auto annotated = ingot::compact::unpack<army<unit_3>>(packed);
  ASSERT_TRUE(annotated);
  EXPECT_EQ(annotated->guards[1].health, 7U);
  EXPECT_EQ(annotated->guards[1].name, "nobody");
  const auto annotated_seen = ingot::compact::view<army<unit_3>>::open(packed);
  ASSERT_TRUE(annotated_seen);
  EXPECT_EQ(annotated_seen->get<"guards">()[1].get<"health">(), 7U);
  EXPECT_EQ(annotated_seen->get<"guards">()[1].get<"name">(), "nobody");
  EXPECT_TRUE(annotated_seen->get<"guards">()[1].get<"none">().empty());
}

TEST(compact_evolvable, members_without_bytes_at_the_end_change_nothing) {
  const unit_3 value{1, 300, "n", {}, {"m"}, {}, {}};
  const auto packed = ingot::compact::pack(value);
  EXPECT_TRUE(pack_test::same_bytes(packed.value(), hex("09 01 00 ac 02 01 'n' 01 01 'm'")));
  const auto read = ingot::compact::unpack<unit_3>(packed);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->marks, value.marks);
  const auto seen = ingot::compact::view<unit_3>::open(packed);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"marks">()[0], "m");
  EXPECT_TRUE(seen->get<"none">().empty());
}

TEST(compact_evolvable, may_end_between_members_only) {
  const auto whole = hex("0b 01 00 02 00 00 00 02 'ab' 01 00");
  for (const std::size_t size : {0U, 2U, 6U, 9U, 11U}) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(1 + size));
    cut[0] = static_cast<std::byte>(size);
    EXPECT_TRUE(ingot::compact::unpack<unit_2>(cut)) << size;
    EXPECT_TRUE(ingot::compact::view<unit_2>::open(cut)) << size;
  }
  expect_rejected<unit_2>(hex("01 01"), {errc::truncated, 1, "id"});
  expect_rejected<unit_2>(hex("03 01 00 02"), {errc::truncated, 3, "health"});
  expect_rejected<unit_2>(hex("07 01 00 02 00 00 00 02"), {errc::bad_length, 7, "name"});
  expect_rejected<unit_2>(hex("05 01 00"), {errc::bad_length, 0});
}

TEST(compact_evolvable, the_version_comes_before_the_rest) {
  expect_rejected<grown::dated>(hex("02 03 ff"), {errc::wrong_version, 1, "version"});
  EXPECT_TRUE(ingot::compact::unpack<grown::dated>(hex("03 02 01 'x'")));
  EXPECT_TRUE(ingot::compact::validate<grown::dated>(hex("00"))); // absent: the default
}

/// The pack profile allows 128: there an element is not a level besides its list.
TEST(compact_evolvable, in_lists_of_themselves_lie_64_in_each_other) {
  std::vector<std::byte> message = hex("02 00 00");
  grown::branch value;
  for (int records = 1; records <= 66; ++records) {
    const auto read = ingot::compact::unpack<grown::branch>(message);
    const auto written = ingot::compact::pack(value);
    ASSERT_EQ(read.has_value(), records <= 64) << records;
    ASSERT_EQ(written.has_value(), records <= 64) << records;
    if (!read) {
      EXPECT_EQ(read.error().code(), errc::too_deep);
      EXPECT_EQ(written.error().code(), errc::too_deep);
    }
    // two more bytes: the value and the number of kids; the kid follows
    const std::size_t size = message.size() + 2;
    std::vector<std::byte> outer;
    if (size < 128) outer = {std::byte(size)};
    else outer = {std::byte(size % 128 + 128), std::byte(size / 128)};
    outer.insert(outer.end(), {std::byte{0}, std::byte{1}});
    outer.insert(outer.end(), message.begin(), message.end());
    message = std::move(outer);
    grown::branch parent;
    parent.kids.push_back(std::move(value));
    value = std::move(parent);
  }
}

} // namespace compact_evolvable_test
