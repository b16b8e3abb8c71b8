// SPDX-License-Identifier: Apache-2.0
// The generated twin: a struct of plain std:: members as a live struct, without a second
// definition. Empty before C++26 reflection.
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/live/twin.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/variant_names.hpp>
#include <ingot/schema/schema_id.hpp>

#include <gtest/gtest.h>

#if INGOT_REFLECTION

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace twin_test {

struct named {
  std::string name;
};
struct mount : named {
  [[= ingot::range(0, 9)]] std::int32_t speed = 3;
  [[= ingot::varint]] std::uint32_t miles = 0;
};
struct hero {
  std::uint64_t id;
  std::string title;
  float position[3];
  std::vector<mount> mounts;
  std::map<std::uint32_t, std::string> items;
  std::unordered_map<std::string, std::int32_t> scores;
  std::optional<std::string> guild;
  std::unique_ptr<mount> spare;
  std::variant<std::int32_t, std::string> rank;
  std::pair<std::string, bool> flag;
};
struct branch {
  std::int32_t value;
  std::vector<branch> children;
};
/// A struct with values of any kind.
struct order {
  std::string id;
  ingot::document extra;
  std::vector<ingot::document> more;
  std::map<std::string, ingot::document> named;
  std::optional<ingot::document> maybe;
};
struct plain {
  std::int32_t a;
  float b;
};

static_assert(std::is_same_v<ingot::live_twin<plain>, plain>, "what can lie in a block is its own twin");
static_assert(ingot::schema_id<hero> == ingot::schema_id<ingot::live_twin<hero>>);
static_assert(ingot::schema_id<mount> == ingot::schema_id<ingot::live_twin<mount>>, "annotations come along");
static_assert(ingot::schema_id<branch> == ingot::schema_id<ingot::live_twin<branch>>);

static_assert(ingot::schema_id<order> == ingot::schema_id<ingot::live_twin<order>>);
static_assert(std::is_same_v<decltype(ingot::live_twin<order>::extra), ingot::live_value>);

hero make_hero() {
  hero sample{};
  sample.id = 7;
  sample.title = "a title too long to lie in a string itself";
  sample.mounts.emplace_back().name = "Argo";
  sample.items = {{3, "rope"}, {1, "lamp"}};
  sample.scores = {{"chess", 2}};
  sample.guild = "of masons";
  sample.rank = std::string("captain");
  sample.flag = {"red", true};
  return sample;
}

TEST(live_twin, code_that_uses_it_reads_the_same) {
  ingot::live<hero> live(make_hero());
  live->title += ", and then some";
  live->mounts.emplace_back().speed = 4;
  live->items[2] = "map";
  live->spare.emplace().name = "Bucephalus";
  EXPECT_EQ(live->mounts[0].name, "Argo");
  EXPECT_EQ(live->items.size(), 3U);
  const auto again = ingot::live<hero>::open(live.bytes());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, live);
}

TEST(live_twin, packs_to_the_bytes_of_the_struct_it_was_created_from) {
  const hero source = make_hero();
  const ingot::live<hero> live(source);
  const auto expected = ingot::pack(source);
  const auto found = ingot::pack(*live);
  ASSERT_TRUE(expected && found);
  EXPECT_TRUE(std::ranges::equal(*expected, *found));
}

TEST(live_twin, limits_of_the_source_hold_in_open) {
  ingot::live<mount> live;
  live->speed = 10;
  const auto rejected = ingot::live<mount>::open(live.bytes());
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(rejected.error().path(), "speed");
}

TEST(live_twin, types_that_hold_themselves_have_one_too) {
  ingot::live<branch> root;
  root->children.emplace_back().children.emplace_back().value = 4;
  EXPECT_EQ(root->children[0].children[0].value, 4);
}

TEST(live_twin, documents_become_values_in_the_block) {
  order source;
  source.id = "a-7";
  source.extra["price"] = 3.5;
  source.extra["tags"] = std::vector<std::string>{"new", std::string(200, 't')};
  source.more.emplace_back() = 4;
  source.named["limits"]["low"] = 7;
  source.maybe.emplace() = "text";
  ingot::live<order> live(source);
  EXPECT_EQ(live->extra.at("/tags/1").length(), 200U);
  EXPECT_EQ(live->more[0].as<int>(), 4);
  const auto expected = ingot::pack(source);
  const auto found = ingot::pack(*live);
  ASSERT_TRUE(expected && found);
  EXPECT_TRUE(std::ranges::equal(*expected, *found));

  live->extra["price"] = "asked for";
  ASSERT_TRUE(live->named["limits"].set("high", 9).has_value());
  const auto again = ingot::live<order>::open(live.bytes());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ((*again)->extra["price"].as<std::string>(), "asked for");
  EXPECT_EQ(*again, live);
}

/// A struct with default initialisers, in itself, in its members and in its base.
struct creature : named {
  int hp = 100;
  std::string kind = "a kind with a name that is not short";
};
struct herd {
  creature first;
  std::vector<creature> others;
  std::uint32_t count = 3;
};

TEST(live_twin, new_objects_have_the_initialisers_of_the_struct) {
  ingot::live<herd> live;
  EXPECT_EQ(live->count, 3U);
  EXPECT_EQ(live->first.hp, 100);
  EXPECT_EQ(live->first.kind, "a kind with a name that is not short");
  live->others.emplace_back();
  live->others.resize(3);
  EXPECT_EQ(live->others[0].hp, 100);
  EXPECT_EQ(live->others[2].kind, live->first.kind);
  const auto again = ingot::live<herd>::open(live.bytes());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, live);
}

/// Standard types that have another form in a block.
struct odd {
  std::filesystem::path file;
  std::expected<std::string, std::int32_t> text;
  std::expected<std::int32_t, std::string> error;
  std::expected<void, std::int32_t> done;
  std::tuple<std::int32_t, std::string> two;
  std::tuple<std::int32_t, std::string, double> three;
  std::multimap<std::int32_t, std::string> many;
  std::multiset<std::string> names;
  std::vector<std::filesystem::path> files;
};

TEST(live_twin, paths_tuples_and_expected_have_one_too) {
  odd source;
  source.file = "some/path/that/is/not/short";
  source.text = "a text";
  source.error = std::unexpected("an error of some length");
  source.two = {1, "two"};
  source.three = {1, "two", 3.0};
  source.many = {{1, "a"}, {1, "b"}};
  source.names = {"x", "x"};
  source.files = {"a", "b/c"};
  const ingot::live<odd> live(source);
  EXPECT_EQ(live->three.element_1, "two");
  EXPECT_EQ(live->names.size(), 2U);
  const auto expected = ingot::pack(source);
  const auto found = ingot::pack(*live);
  ASSERT_TRUE(expected && found);
  EXPECT_TRUE(std::ranges::equal(*expected, *found));
  const auto again = ingot::live<odd>::open(live.bytes());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, live);
}

/// Variants whose alternatives have names. Two of the variants have twins with the same
/// alternatives.
struct paid {
  std::int64_t cents = 0;
};
using by_text = std::variant<paid, std::string>;
using by_path = std::variant<paid, std::filesystem::path>;

} // namespace twin_test
template <>
inline constexpr std::string_view ingot::json::variant_names<twin_test::by_text>[] = {"cash", "note"};
template <>
inline constexpr std::string_view ingot::json::variant_names<twin_test::by_path>[] = {"money", "receipt"};
namespace twin_test {

struct bill {
  by_text first;
  by_path second;
  std::vector<by_text> more;
  std::expected<std::int32_t, paid> outcome;
};
static_assert(ingot::schema_id<ingot::live_twin<by_text>> == ingot::schema_id<by_text>);

TEST(live_twin, variants_keep_the_names_of_their_alternatives) {
  bill source;
  source.first = "a note";
  source.second = "a/path";
  source.more = {by_text(paid{5}), by_text("another note")};
  source.outcome = std::unexpected(paid{6});
  ingot::live<bill> live(source);
  EXPECT_TRUE(ingot::document(*live) == ingot::document(source));
  const ingot::document document(*live);
  EXPECT_TRUE(document["second"]["receipt"].exists());
  EXPECT_TRUE(document["outcome"]["error"].exists());
  live->more[0] = live->first;
  EXPECT_EQ(live->more[0], source.first);
  const auto again = ingot::live<bill>::open(live.bytes());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, live);
}

} // namespace twin_test

#endif
