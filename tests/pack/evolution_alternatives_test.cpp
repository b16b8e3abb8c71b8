// SPDX-License-Identifier: Apache-2.0
// Alternatives of variants in other versions of a type: matched by name, at any position, and
// rejected by value.
#include <ingot/pack/evolution.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_alternatives_test {

using ingot::compatible;
using ingot::errc;
using ingot::evolution;
using ingot::schema_id;
using ingot::schema_of;

struct deposit {
  std::int64_t cents = 0;
};
struct withdrawal {
  std::int64_t cents = 0;
};
struct fee {
  std::int64_t cents = 0;
};
template <class T>
struct amount {
  T cents{};
};
enum class coin : std::uint8_t { euro, dollar };
enum class note : std::uint8_t { euro, dollar };

/// Reads the old value as the new type, in both profiles.
template <class New, class Old>
std::optional<New> read(const Old& old) {
  const auto conversion = evolution<New>::from(schema_of<Old>());
  if (!conversion) {
    ADD_FAILURE() << conversion.error().message();
    return {};
  }
  const auto packed = conversion->unpack(ingot::pack(old).value());
  const auto compacted = conversion->unpack_compact(ingot::compact::pack(old).value());
  EXPECT_EQ(packed.has_value(), compacted.has_value());
  if (!packed || !compacted) return {};
  EXPECT_EQ(packed->index(), compacted->index());
  return *packed;
}
template <class New, class Old>
std::string text() {
  return compatible<New>(schema_of<Old>()).to_text();
}

using ledger_1 = std::variant<deposit, withdrawal>;
using ledger_2 = std::variant<withdrawal, deposit>;

TEST(evolution_alternatives, of_one_shape_that_are_moved_are_distinguished) {
  EXPECT_NE(schema_id<ledger_1>, schema_id<ledger_2>);
  EXPECT_EQ((text<ledger_2, ledger_1>()), "[1]: moved\n");
  EXPECT_TRUE(compatible<ledger_2>(schema_of<ledger_1>()).reads_every_value());
  EXPECT_EQ(std::get<deposit>(read<ledger_2>(ledger_1(deposit{5})).value()).cents, 5);
  EXPECT_EQ(std::get<withdrawal>(read<ledger_2>(ledger_1(withdrawal{7})).value()).cents, 7);
  EXPECT_EQ(compatible(schema_of<ledger_1>(), schema_of<ledger_2>()).to_text(), "[1]: moved\n");
  using first = std::variant<coin, note>;
  using second = std::variant<note, coin>;
  EXPECT_EQ(std::get<coin>(read<second>(first(coin::dollar)).value()), coin::dollar);
}

/// In types whose values have no fixed size, such as lists.
TEST(evolution_alternatives, of_variable_size_are_distinguished) {
  struct named {
    std::string text;
  };
  struct called {
    std::string text;
  };
  using old_type = std::variant<named, called, std::vector<ledger_1>>;
  using new_type = std::variant<called, std::vector<ledger_2>, named>;
  EXPECT_EQ(std::get<named>(read<new_type>(old_type(named{"a"})).value()).text, "a");
  EXPECT_EQ(std::get<called>(read<new_type>(old_type(called{"b"})).value()).text, "b");
  const auto list = read<new_type>(old_type(std::vector<ledger_1>{deposit{1}, withdrawal{2}})).value();
  ASSERT_EQ(std::get<1>(list).size(), 2U);
  EXPECT_EQ(std::get<deposit>(std::get<1>(list)[0]).cents, 1);
  EXPECT_EQ(std::get<withdrawal>(std::get<1>(list)[1]).cents, 2);
}

TEST(evolution_alternatives, value_that_uses_a_missing_one_is_rejected_by_path) {
  struct row_1 {
    std::vector<std::variant<deposit, withdrawal, fee>> entries;
  };
  struct row {
    std::vector<std::variant<fee, deposit>> entries;
  };
  const auto answer = compatible<row>(schema_of<row_1>());
  EXPECT_TRUE(answer);
  EXPECT_FALSE(answer.reads_every_value());
  EXPECT_EQ(answer.to_text(), "entries[][1]: moved\nentries[]: read unless it uses alternative withdrawal\n");
  const auto conversion = evolution<row>::from(schema_of<row_1>()).value();
  const auto good = conversion.unpack(ingot::pack(row_1{{fee{3}, deposit{4}}}).value());
  ASSERT_TRUE(good) << good.error().message();
  EXPECT_EQ(std::get<fee>(good->entries[0]).cents, 3);
  const auto bytes = ingot::pack(row_1{{fee{3}, withdrawal{4}}}).value();
  const auto bad = conversion.unpack(bytes);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), errc::schema_mismatch);
  EXPECT_EQ(bad.error().path(), "entries[1]");
  EXPECT_EQ(bad.error().found(), "alternative withdrawal");
  const auto compacted = conversion.unpack_compact(ingot::compact::pack(row_1{{withdrawal{4}}}).value());
  ASSERT_FALSE(compacted);
  EXPECT_EQ(compacted.error().path(), "entries[0]");
}

TEST(evolution_alternatives, without_a_common_one_is_rejected) {
  const auto conversion = evolution<std::variant<fee>>::from(schema_of<std::variant<deposit>>());
  ASSERT_FALSE(conversion);
  EXPECT_NE(conversion.error().message().find("no alternative in common"), std::string::npos)
      << conversion.error().message();
}

/// A type's name does not include its arguments, so alternatives of equal names are matched in
/// order.
TEST(evolution_alternatives, of_equal_names_are_paired_in_their_order) {
  using old_type = std::variant<amount<std::uint8_t>, deposit, amount<std::string>>;
  using new_type = std::variant<deposit, amount<std::uint16_t>, amount<std::string>, fee>;
  EXPECT_EQ(std::get<1>(read<new_type>(old_type(amount<std::uint8_t>{9})).value()).cents, 9);
  EXPECT_EQ(std::get<2>(read<new_type>(old_type(amount<std::string>{"x"})).value()).cents, "x");
}

TEST(evolution_alternatives, without_names_are_paired_in_their_order) {
  using old_type = std::variant<deposit, std::uint8_t, std::string>;
  using new_type = std::variant<std::uint32_t, deposit, std::string>;
  EXPECT_EQ(std::get<0>(read<new_type>(old_type(std::uint8_t{9})).value()), 9U);
  EXPECT_EQ(std::get<2>(read<new_type>(old_type("x")).value()), "x");
  using swapped = std::variant<std::string, std::uint8_t, deposit>;
  EXPECT_FALSE(compatible<swapped>(schema_of<old_type>()));
}

struct circle {
  double size = 0;
};
struct square {
  double size = 0;
};
struct circle_2 {
  double size = 0;
};
using shape_1 = std::variant<circle, square, std::string>;
using shape_2 = std::variant<std::string, square, circle_2>;
using plain_shape = std::variant<circle_2, square, std::string>;

} // namespace evolution_alternatives_test
template <>
inline constexpr std::string_view ingot::json::variant_names<evolution_alternatives_test::shape_1>[] = {
    "round", "square", "label"};
template <>
inline constexpr std::string_view ingot::json::variant_names<evolution_alternatives_test::shape_2>[] = {
    "label", "square", "round"};
template <>
inline constexpr auto ingot::annotations<evolution_alternatives_test::circle_2> =
    ingot::annotate(ingot::type(ingot::renamed_from("circle")));
namespace evolution_alternatives_test {

TEST(evolution_alternatives, with_names_are_found_by_them) {
  EXPECT_EQ((text<shape_2, shape_1>()), "[2]: moved\n[1]: moved\n");
  EXPECT_EQ(std::get<circle_2>(read<shape_2>(shape_1(circle{2})).value()).size, 2);
  EXPECT_EQ(std::get<std::string>(read<shape_2>(shape_1("x")).value()), "x");
  EXPECT_NE(schema_of<shape_1>().to_text().find("variant by name\n  0 round: record"), std::string::npos)
      << schema_of<shape_1>().to_text();
}

/// `type(renamed_from(...))` gives the former name of an alternative's class.
TEST(evolution_alternatives, of_a_renamed_class_are_found_by_its_former_name) {
  using before = std::variant<square, circle>;
  EXPECT_EQ(std::get<circle_2>(read<plain_shape>(before(circle{2})).value()).size, 2);
  EXPECT_NE((text<plain_shape, before>().find("[0]: renamed from circle")), std::string::npos);
}

/// Alternatives that get names later match older data, and the reverse.
TEST(evolution_alternatives, that_get_names_later_are_found) {
  using before = std::variant<circle, square, std::string>; // the same type as shape_1
  static_assert(std::is_same_v<before, shape_1>);
  using unnamed = std::variant<std::string, circle>;
  EXPECT_EQ(std::get<circle_2>(read<shape_2>(unnamed(circle{2})).value()).size, 2);
  EXPECT_EQ(std::get<std::string>(read<shape_2>(unnamed("x")).value()), "x");
}

struct window_1 {
  std::uint16_t width = 0;
};
struct window {
  std::uint32_t millimetres = 0;
};

} // namespace evolution_alternatives_test
template <>
inline constexpr auto ingot::annotations<evolution_alternatives_test::window_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<evolution_alternatives_test::window> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<evolution_alternatives_test::window> {
  using type = evolution_alternatives_test::window_1;
  static evolution_alternatives_test::window upgrade(evolution_alternatives_test::window_1&& old) {
    return {old.width * 10U};
  }
};
namespace evolution_alternatives_test {

TEST(evolution_alternatives, of_an_upgraded_class_are_found_by_the_name_of_its_previous_version) {
  using before = std::variant<deposit, window_1>;
  using now = std::variant<window, deposit>;
  EXPECT_EQ(std::get<window>(read<now>(before(window_1{5})).value()).millimetres, 50U);
}

/// A schema describes a variant as its bytes do.
TEST(evolution_alternatives, names_are_in_the_description) {
  const auto read = ingot::read_schema(ingot::schema_bytes<shape_1>());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, schema_of<shape_1>());
  EXPECT_EQ(read->id(), schema_id<shape_1>);
  EXPECT_EQ(read->root().children[0].name, "round");
  EXPECT_EQ(schema_of<ledger_1>().root().children[1].name, "withdrawal");
  EXPECT_EQ((schema_of<std::variant<int, std::string>>().root().children[1].name), "");
}

} // namespace evolution_alternatives_test
