// SPDX-License-Identifier: Apache-2.0
// The tags of alternatives in text and documents: a value keeps its meaning when alternatives
// change places, and every representation, with the type and by its schema, has the same tag.
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/detail/twin_variant.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/to_json_schema.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace variant_tags_test {

struct deposit {
  std::int64_t cents = 0;
};
struct withdrawal {
  std::int64_t cents = 0;
};
enum class fee : std::uint8_t { small, large };
namespace other {
struct deposit {
  std::int64_t cents = 0;
};
} // namespace other
template <class T>
struct sized {
  T size{};
};
struct deposit_2 {
  std::int64_t cents = 0;
};

using before = std::variant<deposit, withdrawal>;
using after = std::variant<withdrawal, deposit>;
using mixed = std::variant<std::string, fee, withdrawal, std::monostate, long, sized<std::int8_t>>;
using alike = std::variant<deposit, withdrawal, other::deposit, sized<std::int8_t>, sized<std::int64_t>>;
using named = std::variant<deposit, std::string>;
using renamed = std::variant<withdrawal, deposit_2>;

} // namespace variant_tags_test
template <>
inline constexpr std::string_view ingot::json::variant_names<variant_tags_test::named>[] = {"paid", "1"};
template <>
inline constexpr auto ingot::annotations<variant_tags_test::deposit_2> =
    ingot::annotate(ingot::type(ingot::renamed_from("deposit")));
namespace variant_tags_test {

using ingot::errc;
using ingot::message_profile;

template <class V>
std::vector<std::string_view> tags() {
  return {ingot::detail::variant_tags<V>.begin(), ingot::detail::variant_tags<V>.end()};
}
template <class T>
ingot::dynamic_schema schema_for() {
  return ingot::dynamic_schema::open(ingot::schema_bytes<T>(), message_profile::pack).value();
}
/// Returns the value as text, converted by its schema alone.
template <class T>
std::string text_by_schema(const T& value) {
  const auto message = ingot::dynamic_message::open(ingot::pack(value).value(), schema_for<T>()).value();
  return ingot::json::write(ingot::to_document(message.root(), {.form = ingot::value_format::json}).value())
      .value();
}
/// Returns `text` as a `T`, packed by the schema of `T` alone.
template <class T>
ingot::result<T> by_schema(const std::string& text) {
  const auto packed = ingot::pack_document(ingot::json::read_document(text).value(), schema_for<T>());
  if (!packed) return ingot::fail(packed.error());
  return ingot::unpack<T>(*packed);
}
template <class T>
ingot::result<T> as(const ingot::result<ingot::document>& from) {
  if (!from) return ingot::fail(from.error());
  return from->root().template as<T>();
}

TEST(variant_tags, of_classes_and_enumerations_are_their_names) {
  using list = std::vector<std::string_view>;
  EXPECT_EQ(tags<before>(), (list{"deposit", "withdrawal"}));
  EXPECT_EQ(tags<mixed>(), (list{"0", "fee", "withdrawal", "monostate", "4", "sized"}));
  EXPECT_EQ(tags<alike>(), (list{"0", "withdrawal", "2", "3", "4"}));
  EXPECT_EQ(tags<named>(), (list{"paid", "1"}));
}

template <std::size_t... I>
std::variant<sized<std::int8_t>, std::array<std::byte, I>...> variant_of_many(std::index_sequence<I...>);
TEST(variant_tags, of_many_alternatives_are_their_numbers) {
  using many = decltype(variant_of_many(std::make_index_sequence<150>()));
  EXPECT_EQ(tags<many>()[0], "sized");
  EXPECT_EQ(tags<many>()[9], "9");
  EXPECT_EQ(tags<many>()[150], "150");
}

/// Without tags by name a deposit became a withdrawal.
TEST(variant_tags, find_moved_alternatives) {
  const std::vector<before> written{deposit{5}, withdrawal{7}};
  using wanted = std::vector<after>;
  const auto check = [](std::string_view form, const ingot::result<wanted>& read) {
    ASSERT_TRUE(read) << form << ": " << read.error().message();
    ASSERT_EQ(read->size(), 2U) << form;
    ASSERT_TRUE(std::holds_alternative<deposit>((*read)[0])) << form;
    EXPECT_EQ(std::get<deposit>((*read)[0]).cents, 5) << form;
    ASSERT_TRUE(std::holds_alternative<withdrawal>((*read)[1])) << form;
    EXPECT_EQ(std::get<withdrawal>((*read)[1]).cents, 7) << form;
  };
  const std::string text = ingot::json::write(written).value();
  EXPECT_EQ(text, R"([{"deposit":{"cents":5}},{"withdrawal":{"cents":7}}])");
  const ingot::document document(written);
  check("json", ingot::json::read<wanted>(text));
  check("document", document.root().as<wanted>());
  check("archive", as<wanted>(ingot::unarchive(ingot::archive(document).value())));
  check("MessagePack", as<wanted>(ingot::msgpack::read_document(ingot::msgpack::write(document).value())));
  check("CBOR", as<wanted>(ingot::cbor::read_document(ingot::cbor::write(document).value())));
  check("by schema", by_schema<wanted>(text));
}

template <class T>
void expect_agreement(const T& value) {
  const std::string text = ingot::json::write(value).value();
  EXPECT_EQ(text_by_schema(value), text);
  EXPECT_EQ(ingot::json::write(ingot::document(value)).value(), text);
  const auto read = ingot::json::read<T>(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->index(), value.index());
  EXPECT_EQ(ingot::document(value).root().as<T>().value().index(), value.index());
  EXPECT_EQ(by_schema<T>(text).value().index(), value.index());
  const std::string schema = ingot::to_json_schema(ingot::schema_of<T>()).value();
  EXPECT_NE(schema.find("\"required\":[\"" + std::string(tags<T>()[value.index()]) + "\"]"),
            std::string::npos)
      << schema;
}
template <class V>
void expect_agreement_of_all() {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_agreement(V(std::in_place_index<I>)), ...);
  }(std::make_index_sequence<std::variant_size_v<V>>());
}
TEST(variant_tags, are_the_same_by_type_and_by_schema) {
  expect_agreement_of_all<before>();
  expect_agreement_of_all<mixed>();
  expect_agreement_of_all<alike>();
  expect_agreement_of_all<named>();
}

struct block {
  ingot::variant<deposit, ingot::string, fee, other::deposit> held;
};
TEST(variant_tags, of_blocks_are_the_same_with_the_type_and_without) {
  ingot::live<block> live;
  const auto texts = [&] {
    const auto untyped =
        ingot::dynamic_block::open(live.bytes(), ingot::dynamic_layout::of<block>().value()).value();
    return ingot::json::write(ingot::to_document(untyped.root(), {.form = ingot::value_format::json}).value())
        .value();
  };
  const std::array<std::string_view, 4> expected{R"({"held":{"0":{"cents":0}}})", R"({"held":{"1":""}})",
                                                 R"({"held":{"fee":"small"}})",
                                                 R"({"held":{"3":{"cents":0}}})"};
  const auto check = [&](std::size_t i) {
    EXPECT_EQ(texts(), expected[i]);
    EXPECT_EQ(ingot::json::write(*live).value(), expected[i]);
  };
  check(0);
  live->held.emplace<1>();
  check(1);
  live->held.emplace<2>();
  check(2);
  live->held.emplace<3>();
  check(3);
}

/// If a name is expected, an index is an error that gives the name. If an index is expected, a name
/// is an error.
TEST(variant_tags, that_are_not_due_are_rejected) {
  const auto rejected = []<class T>(std::type_identity<T>, const std::string& text,
                                    std::string_view expected) {
    const auto in_json = ingot::json::read<T>(text);
    const auto in_document = as<T>(ingot::json::read_document(text));
    const auto by_its_schema = by_schema<T>(text);
    for (const auto* each : {&in_json, &in_document, &by_its_schema}) {
      ASSERT_FALSE(*each) << text;
      EXPECT_EQ(each->error().code(), errc::bad_variant) << text;
      EXPECT_EQ(each->error().expected(), expected) << text;
    }
  };
  const std::type_identity<before> plain;
  rejected(plain, R"({"0":{"cents":5}})", "the tag deposit, not the index of the alternative");
  rejected(plain, R"({"1":{"cents":5}})", "the tag withdrawal, not the index of the alternative");
  rejected(plain, R"({"2":{"cents":5}})", "one key of deposit, withdrawal");
  rejected(plain, R"({"00":{"cents":5}})", "one key of deposit, withdrawal");
  rejected(std::type_identity<alike>(), R"({"deposit":{"cents":5}})", "one key of 0, withdrawal, 2, 3, 4");
  rejected(std::type_identity<alike>(), R"({"00":{"cents":5}})", "one key of 0, withdrawal, 2, 3, 4");
  rejected(std::type_identity<named>(), R"({"0":{"cents":5}})",
           "the tag paid, not the index of the alternative");
}

/// By `as_evolved`, like members.
TEST(variant_tags, of_a_renamed_class_are_found_by_its_former_name) {
  const ingot::document old(std::vector<before>{deposit{5}, withdrawal{7}});
  const auto read = old.root().as_evolved<std::vector<renamed>>();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(std::get<deposit_2>(read->at(0)).cents, 5);
  EXPECT_EQ(std::get<withdrawal>(read->at(1)).cents, 7);
  EXPECT_FALSE(old.root().as<std::vector<renamed>>());
}

/// The twin that reflection generates, here written by hand.
struct twin {
  using named_variant = ingot::detail::variant_in_twin<named, ingot::narrow_policy, deposit, ingot::string>;
  ingot::vector<named_variant> list;
  named_variant one;
  ingot::detail::variant_in_twin<std::expected<std::int32_t, deposit>, ingot::narrow_policy, std::int32_t,
                                 deposit>
      outcome;
  ingot::detail::variant_in_twin<before, ingot::narrow_policy, deposit, withdrawal> plain;
};
struct twin_source {
  std::vector<named> list;
  named one;
  std::expected<std::int32_t, deposit> outcome;
  before plain;
};
static_assert(ingot::schema_id<twin::named_variant> == ingot::schema_id<named>);
static_assert(std::is_same_v<decltype(twin::plain), ingot::variant<deposit, withdrawal>>);

TEST(variant_tags, of_twins_are_those_of_their_originals) {
  const std::string text(100, 't');
  const twin_source source{{named(text), named(deposit{5})}, named(text), std::unexpected(deposit{6}), {}};
  ingot::live<twin> live(source);
  EXPECT_EQ(ingot::json::write(*live).value(), ingot::json::write(source).value());
  EXPECT_EQ(ingot::document(*live), ingot::document(source));
  const auto packed = ingot::pack(source).value();
  EXPECT_EQ(ingot::pack(*live).value(), packed);

  live->list.push_back(live->list[0]);
  live->list[0] = std::move(live->list[1]); // they exchange their contents
  EXPECT_EQ(live->list[1], live->list[2]);
  EXPECT_EQ(live->list[2], live->one);
  EXPECT_EQ(live->one, source.one);
  EXPECT_NE(live->list[0], live->one);
  live->one = live->list[0];
  live->one = static_cast<const twin&>(*live).one;
  EXPECT_EQ(ingot::get<deposit>(live->one).cents, 5);
  live->one = deposit{9};
  live->list.erase(live->list.begin());
  const auto opened = ingot::live<twin>::open(live.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(ingot::json::write((*opened)->one).value(), R"({"paid":{"cents":9}})");
}

} // namespace variant_tags_test
