// SPDX-License-Identifier: Apache-2.0
// Protobuf's bytes of reflected types, byte by byte where the encoding's own documentation has an
// example. Breaks when fields get other numbers or wire types than the printed message has, when a
// repeated field is not merged as protobuf merges it, or when wrong bytes are accepted.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/to_proto.hpp>

#include "dynamic/chest.hpp"
#include "protobuf/bytes_of.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace protobuf_test {

using ingot::errc;
using protobuf_bytes::bytes_of;
namespace pb = ingot::protobuf;

template <class T>
std::vector<std::byte> written(const T& value) {
  const auto outcome = pb::write(value);
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
  return outcome ? std::vector<std::byte>(outcome->begin(), outcome->end()) : std::vector<std::byte>();
}
template <class T>
T taken(ingot::bytes_view bytes) {
  auto outcome = pb::read<T>(bytes);
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
  return outcome ? std::move(*outcome) : T();
}
template <class T>
ingot::error rejection(ingot::bytes_view bytes, const pb::options& how = {}) {
  const auto outcome = pb::read<T>(bytes, how);
  EXPECT_FALSE(outcome);
  return outcome ? ingot::error() : outcome.error();
}

enum class rank : std::int8_t { low = -1, none = 0, high = 3 };
enum class bare : std::uint8_t { first = 1, second = 2 };
struct point {
  std::int32_t x = 7; // protobuf does not omit values that equal initialisers
  std::int32_t y = 8;
  friend bool operator==(const point&, const point&) = default;
};
struct numbered {
  std::uint32_t a = 0;
  std::string b;
  point c;
  std::uint64_t cache = 5;
  friend bool operator==(const numbered&, const numbered&) = default;
};
struct limited {
  std::uint8_t level = 0;
  std::string name;
};
struct chosen {
  bare of = bare::first;
};
struct chain {
  std::uint32_t n = 0;
  std::unique_ptr<chain> next;
};
/// Stored as a list, to which nothing can be added after its creation.
struct path_of_points {
  std::vector<point> all;
};
/// Stored as a message.
struct boxed_point {
  point all;
};
struct trip {
  path_of_points way;
  std::uint32_t after = 0;
};
struct checked {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  [[nodiscard]] bool valid() const { return low <= high; }
};
struct holds_checked {
  checked range;
};
struct counted {
  std::int32_t value = 0;
  std::uint32_t loads = 0;
  void after_load() { ++loads; }
};
struct many_counted {
  std::array<counted, 2> both;
  std::array<std::array<counted, 2>, 2> square;
  std::vector<std::array<counted, 2>> rows;
  std::optional<std::array<counted, 1>> maybe;
  std::map<std::uint32_t, std::array<counted, 1>> by_number;
  std::tuple<counted, std::array<counted, 1>> pair;
};
class day {
public:
  explicit day(std::int32_t number = 15) : number_(number) {}
  [[nodiscard]] std::int32_t number() const { return number_; }

private:
  std::int32_t number_;
};
struct appointment {
  std::string what;
  day on;
};
struct colliding_free {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

} // namespace protobuf_test

template <>
inline constexpr auto ingot::annotations<protobuf_test::numbered> =
    ingot::annotate(ingot::member<"a">(ingot::field_number(20'000)),
                    ingot::member<"c">(ingot::field_number(1)), ingot::member<"cache">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<protobuf_test::point> =
    ingot::annotate(ingot::member<"x">(ingot::proto_sint), ingot::member<"y">(ingot::proto_sint));
template <>
inline constexpr auto ingot::annotations<protobuf_test::limited> =
    ingot::annotate(ingot::member<"level">(ingot::range(0, 100)), ingot::member<"name">(ingot::max_size(3)));
template <>
inline constexpr auto ingot::annotations<protobuf_test::colliding_free> = ingot::annotate(
    ingot::member<"first">(ingot::field_number(2)), ingot::member<"second">(ingot::field_number(1)));
template <>
inline constexpr auto ingot::annotations<protobuf_test::counted> =
    ingot::annotate(ingot::member<"loads">(ingot::skip));
template <>
struct ingot::adapt<protobuf_test::day> {
  static std::int32_t to(const protobuf_test::day& d) { return d.number(); }
  static ingot::result<protobuf_test::day> from(std::int32_t number) {
    if (number < 1 || number > 31) return ingot::fail(ingot::error{ingot::errc::out_of_range});
    return protobuf_test::day(number);
  }
};
template <>
struct ingot::adapt<protobuf_test::boxed_point> {
  static protobuf_test::point to(const protobuf_test::boxed_point& p) { return p.all; }
  static ingot::result<protobuf_test::boxed_point> from(const protobuf_test::point& all) {
    return protobuf_test::boxed_point{all};
  }
};
template <>
struct ingot::adapt<protobuf_test::path_of_points> {
  static std::vector<protobuf_test::point> to(const protobuf_test::path_of_points& p) { return p.all; }
  static ingot::result<protobuf_test::path_of_points> from(std::vector<protobuf_test::point> all) {
    if (all.size() > 3)
      return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("three points"));
    return protobuf_test::path_of_points{std::move(all)};
  }
};

namespace protobuf_test {

TEST(protobuf, scalars_are_those_of_the_encodings_page) {
  EXPECT_EQ(written(std::uint32_t{150}), bytes_of({0x08, 0x96, 0x01}));
  EXPECT_EQ(written(std::int32_t{-2}), bytes_of({0x08, 254, 255, 255, 255, 255, 255, 255, 255, 255, 1}));
  EXPECT_EQ(written(std::string("testing")), bytes_of({0x0a, 7, 't', 'e', 's', 't', 'i', 'n', 'g'}));
  EXPECT_EQ(written(std::vector<std::uint32_t>{3, 270, 86942}),
            bytes_of({0x0a, 6, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05}));
  EXPECT_EQ(written(25.5F), bytes_of({0x0d, 0, 0, 0xcc, 0x41}));
  EXPECT_EQ(written(rank::low), bytes_of({0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}));
  EXPECT_EQ(written(std::int64_t{0}), bytes_of({})); // proto3 omits zeros
  EXPECT_EQ(written(-0.0).size(), 9U);               // not a zero for proto3
}
TEST(protobuf, everything_comes_back) {
  const dynamic_chest::chest all = dynamic_chest::filled();
  const auto once = written(all);
  const auto again = taken<dynamic_chest::chest>(once);
  EXPECT_EQ(written(again), once); // the bytes contain every member, and unordered ones are sorted
  EXPECT_EQ(again.name, all.name);
  EXPECT_EQ(again.wide, all.wide);
  EXPECT_EQ(again.flags, all.flags);
  EXPECT_EQ(again.wave, all.wave);
  EXPECT_EQ(again.matrix, all.matrix);
  EXPECT_EQ(std::string_view(again.code, 4), std::string_view(all.code, 4));
  EXPECT_EQ(again.rows, all.rows);
  EXPECT_EQ(again.maybe, all.maybe);
  EXPECT_EQ(again.choice, all.choice);
  EXPECT_EQ(again.outcome, all.outcome);
  EXPECT_EQ(again.triple, all.triple);
  EXPECT_EQ(again.by_weight, all.by_weight);
  EXPECT_EQ(again.by_label, all.by_label);
  EXPECT_EQ(again.by_name, all.by_name);
  EXPECT_EQ(again.by_number, all.by_number);
  ASSERT_EQ(again.nest.inner.size(), 2U);
  EXPECT_EQ(again.nest.inner[1].lid->name, "deep");
  EXPECT_EQ(again.tastes[2].depth, all.tastes[2].depth);
}
TEST(protobuf, numbers_are_positions_or_from_the_annotation) {
  const numbered some{1, "b", {0, -1}, 6};
  EXPECT_EQ(written(some), bytes_of({0x80, 0xe2, 0x09, 1, 0x12, 1, 'b', 0x0a, 2, 0x10, 1}));
  EXPECT_EQ(taken<numbered>(written(some)),
            (numbered{1, "b", {0, -1}, 5})); // in any order; skipped members stay
  EXPECT_EQ(ingot::to_proto(ingot::schema_of<numbered>(), {.name = "numbered"}), R"(syntax = "proto3";

message Point {
  sint32 x = 1;
  sint32 y = 2;
}

message Numbered {
  uint32 a = 20000;
  string b = 2;
  Point c = 1;
}
)");
  EXPECT_EQ(written(colliding_free{1, 2}), bytes_of({0x10, 1, 0x08, 2}));
}
TEST(protobuf, what_is_not_there_is_zero) {
  EXPECT_EQ(taken<point>({}), (point{0, 0}));
  EXPECT_EQ(taken<numbered>({}), (numbered{0, "", {0, 0}, 5}));
  point reused{1, 2};
  ASSERT_TRUE(pb::read_into(reused, bytes_of({0x10, 2})));
  EXPECT_EQ(reused, (point{0, 1}));
  EXPECT_EQ((taken<std::array<float, 3>>({})), (std::array<float, 3>{}));
  // Except for an enumeration without a zero.
  const auto why = rejection<chosen>({});
  EXPECT_EQ(why.code(), errc::missing_member);
  EXPECT_EQ(why.path(), "of");
}
TEST(protobuf, unknown_fields_are_passed_over) {
  // 9: varint, 10: 64 bits, 11: bytes, 12: 32 bits
  const auto all =
      bytes_of({0x48, 0x96, 1, 0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0x5a, 2, 9, 9, 0x65, 1, 2, 3, 4, 0x10, 4});
  EXPECT_EQ(taken<point>(all), (point{0, 2}));
}
TEST(protobuf, the_last_scalar_counts_and_messages_are_merged) {
  EXPECT_EQ(taken<point>(bytes_of({0x08, 2, 0x08, 4})), (point{2, 0}));
  struct two {
    point p;
    std::optional<point> q;
    std::variant<std::uint32_t, point> v;
  };
  const auto merged = taken<two>(bytes_of({0x0a, 2, 0x08, 2, 0x12, 2, 0x10, 6, 0x0a, 2, 0x10, 4, 0x12, 2,
                                           0x08, 8, 0x1a, 4, 0x12, 2, 0x08, 2, 0x1a, 4, 0x12, 2, 0x10, 2}));
  EXPECT_EQ(merged.p, (point{1, 2}));
  EXPECT_EQ(merged.q, (point{4, 3}));
  EXPECT_EQ(std::get<1>(merged.v), (point{1, 1}));
  // Another alternative replaces the first.
  const auto other =
      taken<two>(bytes_of({0x1a, 4, 0x12, 2, 0x08, 2, 0x1a, 2, 0x08, 9, 0x1a, 4, 0x12, 2, 0x10, 2}));
  EXPECT_EQ(std::get<1>(other.v), (point{0, 1}));
}
TEST(protobuf, lists_go_on_packed_or_not) {
  using list = std::vector<std::uint32_t>;
  EXPECT_EQ(taken<list>(bytes_of({0x08, 1, 0x0a, 2, 2, 3, 0x08, 4, 0x0a, 0})), (list{1, 2, 3, 4}));
  EXPECT_EQ((taken<std::array<std::uint8_t, 3>>(bytes_of({0x0a, 2, 1, 2, 0x08, 3}))),
            (std::array<std::uint8_t, 3>{1, 2, 3}));
  EXPECT_EQ(taken<std::vector<bool>>(bytes_of({0x0a, 3, 1, 0, 2})), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(rejection<std::set<std::uint32_t>>(bytes_of({0x0a, 2, 2, 2})).code(), errc::duplicate_key);
  // A nested list is in a message of its own, and an empty one is written.
  const std::vector<list> rows{{1}, {}, {2, 3}};
  EXPECT_EQ(written(rows), bytes_of({0x0a, 3, 0x0a, 1, 1, 0x0a, 0, 0x0a, 4, 0x0a, 2, 2, 3}));
  EXPECT_EQ(taken<std::vector<list>>(written(rows)), rows);
}
TEST(protobuf, the_last_entry_of_a_key_counts) {
  using names = std::map<std::uint32_t, std::string>;
  const names some{{0, "zero"}, {7, ""}};
  EXPECT_EQ(written(some),
            bytes_of({0x0a, 8, 0x08, 0, 0x12, 4, 'z', 'e', 'r', 'o', 0x0a, 4, 0x08, 7, 0x12, 0}));
  EXPECT_EQ(taken<names>(written(some)), some);
  EXPECT_EQ(taken<names>(
                bytes_of({0x0a, 5, 0x08, 1, 0x12, 1, 'a', 0x0a, 2, 0x08, 1, 0x0a, 5, 0x12, 1, 'b', 0x08, 2})),
            (names{{1, ""}, {2, "b"}})); // the value may come first, or not at all
  EXPECT_EQ((rejection<std::map<double, bool>>(bytes_of({0x0a, 2, 0x10, 1, 0x0a, 0})).code()),
            errc::duplicate_key);
}
TEST(protobuf, what_is_adapted_is_taken_as_a_whole) {
  const trip some{{{{1, 2}, {3, 4}}}, 9};
  EXPECT_EQ(taken<trip>(written(some)).way.all, some.way.all);
  const auto apart = taken<trip>(bytes_of({0x0a, 2, 0x08, 2, 0x10, 9, 0x0a, 0, 0x10, 8}));
  EXPECT_EQ(apart.way.all, (std::vector<point>{{1, 0}, {0, 0}}));
  EXPECT_EQ(apart.after, 8U);
  const auto why = rejection<trip>(bytes_of({0x0a, 0, 0x0a, 0, 0x0a, 0, 0x0a, 0}));
  EXPECT_EQ(why.code(), errc::invalid_value);
  EXPECT_EQ(why.path(), "way");
}
TEST(protobuf, adapted_alternatives_that_take_turns_are_read_once) {
  using either = std::variant<std::uint32_t, boxed_point>;
  // Data after another alternative is not merged; data after unknown fields is.
  EXPECT_EQ(std::get<1>(taken<either>(bytes_of({0x12, 2, 0x08, 2, 0x08, 1, 0x12, 2, 0x10, 4}))).all,
            (point{0, 2}));
  EXPECT_EQ(std::get<1>(taken<either>(bytes_of({0x12, 2, 0x08, 2, 0x48, 1, 0x12, 2, 0x10, 4}))).all,
            (point{1, 2}));
  EXPECT_EQ(std::get<0>(taken<either>(bytes_of({0x12, 2, 0x08, 2, 0x08, 7}))), 7U);
  // Fields after the oneof are not affected.
  struct both {
    either first;
    path_of_points way;
    std::uint32_t between = 0;
  };
  const auto apart = taken<both>(bytes_of(
      {0x0a, 8, 0x12, 2, 0x08, 2, 0x12, 2, 0x08, 4, 0x12, 2, 0x08, 2, 0x0a, 0, 0x12, 2, 0x10, 4, 0x18, 5}));
  EXPECT_EQ(apart.way.all, (std::vector<point>{{1, 0}, {0, 2}}));
  EXPECT_EQ(std::get<1>(apart.first).all, (point{2, 0}));
  std::vector<std::byte> many; // would take minutes if each change of the alternative read the rest
  for (int i = 0; i < 200'000; ++i) {
    for (const int each : {0x12, 0, 0x08, 1}) many.push_back(static_cast<std::byte>(each));
  }
  EXPECT_EQ(std::get<0>(taken<either>(many)), 1U);
}
TEST(protobuf, live_values_are_read_in_place) {
  struct hero {
    ingot::string name;
    ingot::vector<ingot::vector<float>> rows;
    ingot::map<ingot::string, ingot::vector<std::uint32_t>> items;
  };
  ingot::live<hero> from;
  from->name = "a hero whose name is long";
  from->rows.emplace_back() = {1.5F};
  from->rows.emplace_back();
  from->items.try_emplace("key").first->second = {1, 2};
  const auto bytes = written(*from);
  ingot::live<hero> to;
  to->rows.emplace_back();
  ASSERT_TRUE(pb::read_into(*to, bytes));
  EXPECT_EQ(std::string_view(to->name), "a hero whose name is long");
  EXPECT_EQ(written(*to), bytes);
}
TEST(protobuf, wrong_bytes_are_rejected_by_name) {
  const auto code = [](std::initializer_list<int> bytes) {
    return rejection<numbered>(bytes_of(bytes)).code();
  };
  EXPECT_EQ(code({0x12, 3, 'a'}), errc::truncated);
  EXPECT_EQ(code({0x80}), errc::truncated);
  EXPECT_EQ(code({0x0a, 1, 0x08}), errc::truncated); // a message ends where its length says
  EXPECT_EQ(code({0x12, 1, 0xff}), errc::invalid_utf8);
  EXPECT_EQ(code({0x80, 0xe2, 0x09, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}), errc::bad_length);
  EXPECT_EQ(code({0x80, 0xe2, 0x09, 255, 255, 255, 255, 16}), errc::out_of_range); // 33 bits in 32
  EXPECT_EQ(code({0x02, 0}), errc::out_of_range);                                  // field 0
  EXPECT_EQ(code({0x0e, 0}), errc::bad_variant);                                   // wire type 6
  EXPECT_EQ(code({0x0b, 0x0c}), errc::type_mismatch); // a group in place of a message
  EXPECT_NE(rejection<numbered>(bytes_of({0x0b, 0x0c})).message().find("group"), std::string::npos);
  EXPECT_EQ(rejection<rank>(bytes_of({0x08, 2})).code(), errc::bad_enum);
  EXPECT_EQ(rejection<rank>(bytes_of({0x08, 2})).found(), "2");
  EXPECT_EQ((rejection<std::array<float, 2>>(bytes_of({0x0d, 0, 0, 0, 0})).code()), errc::bad_length);
  EXPECT_EQ((rejection<std::array<bool, 1>>(bytes_of({0x08, 0, 0x08, 0})).code()), errc::too_long);
  const auto why = rejection<numbered>(bytes_of({0x12, 1, 'b', 0x0a, 6, 0x10, 255, 255, 255, 255, 127}));
  EXPECT_EQ(why.code(), errc::out_of_range);
  EXPECT_EQ(why.path(), "c.y");
  EXPECT_EQ(why.offset(), 6U);
}
TEST(protobuf, the_types_own_checks_are_called) {
  EXPECT_EQ(rejection<limited>(bytes_of({0x08, 101})).code(), errc::out_of_range);
  EXPECT_EQ(rejection<limited>(bytes_of({0x12, 4, 'a', 'b', 'c', 'd'})).path(), "name");
  EXPECT_EQ(rejection<holds_checked>(bytes_of({0x0a, 2, 0x08, 1})).code(), errc::invalid_value);
  // Not before all of it was read.
  EXPECT_EQ(taken<holds_checked>(bytes_of({0x0a, 2, 0x08, 1, 0x0a, 2, 0x10, 2})).range.high, 2U);
}
TEST(protobuf, what_a_type_does_after_it_is_loaded_it_does_once) {
  many_counted some;
  some.both = {counted{1}, counted{2}};
  some.square = {{{counted{3}, counted{4}}, {counted{5}, counted{6}}}};
  some.rows = {{counted{7}, counted{8}}, {counted{9}, counted{10}}};
  some.maybe = {counted{11}};
  some.by_number[1] = {counted{12}};
  std::get<1>(some.pair) = {counted{13}};
  for (const auto& bytes : {written(some), bytes_of({})}) { // also members that the message lacks
    const auto found = taken<many_counted>(bytes);
    std::vector<counted> all(found.both.begin(), found.both.end());
    for (const auto& row : found.square) all.insert(all.end(), row.begin(), row.end());
    for (const auto& row : found.rows) all.insert(all.end(), row.begin(), row.end());
    if (found.maybe) all.push_back((*found.maybe)[0]);
    for (const auto& [key, row] : found.by_number) all.push_back(row[0]);
    all.push_back(std::get<0>(found.pair));
    all.push_back(std::get<1>(found.pair)[0]);
    EXPECT_EQ(all.size(), bytes.empty() ? 8U : 14U);
    for (const counted& each : all) EXPECT_EQ(each.loads, 1U) << each.value;
  }
}
TEST(protobuf, what_was_there_before_does_not_stay) {
  appointment reused{"dentist", day(27)};
  const auto without = bytes_of({0x0a, 1, 'x'});
  const auto done = pb::read_into(reused, without);
  ASSERT_FALSE(done); // as zero is not a valid day
  EXPECT_EQ(done.error().code(), errc::missing_member);
  EXPECT_EQ(done.error().path(), "on");
  EXPECT_EQ(rejection<appointment>(without).code(), errc::missing_member);
  EXPECT_EQ(taken<appointment>(bytes_of({0x10, 27})).on.number(), 27);
}
TEST(protobuf, messages_are_only_so_deep) {
  chain all;
  chain* last = &all;
  for (int i = 1; i < 100; ++i) last = (last->next = std::make_unique<chain>()).get();
  EXPECT_TRUE(pb::read<chain>(written(all)));
  last->next = std::make_unique<chain>();
  const auto outcome = pb::write(all);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), errc::too_deep);
  const auto deeper = pb::write(all, {.max_depth = 101});
  ASSERT_TRUE(deeper);
  EXPECT_EQ(rejection<chain>(*deeper).code(), errc::too_deep);
  EXPECT_TRUE(pb::read<chain>(*deeper, {.max_depth = 101}));
}
TEST(protobuf, what_protobuf_has_no_form_for_is_an_error) {
  const auto outcome = pb::write(limited{0, "\xff"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), errc::invalid_utf8);
  EXPECT_EQ(outcome.error().path(), "name");
  std::vector<std::byte> sink = bytes_of({1});
  EXPECT_FALSE(pb::write_to(sink, limited{0, "\xff"}));
  EXPECT_EQ(sink.size(), 1U);
  EXPECT_EQ(pb::write_to(sink, limited{1, ""}).value(), 2U);
  EXPECT_EQ(sink, bytes_of({1, 0x08, 1}));
}
TEST(protobuf, every_prefix_and_every_flipped_bit_is_read_or_rejected) {
  const auto whole = written(dynamic_chest::filled());
  for (std::size_t n = 0; n < whole.size(); ++n)
    static_cast<void>(pb::read<dynamic_chest::chest>(
        std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n))));
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 7;
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += step) {
    auto flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    const auto outcome = pb::read<dynamic_chest::chest>(flipped);
    if (!outcome) {
      EXPECT_LE(outcome.error().offset(), flipped.size());
      continue;
    }
    ++read;
    EXPECT_TRUE(pb::write(*outcome));
  }
  EXPECT_GT(read, 100U);
}

} // namespace protobuf_test
