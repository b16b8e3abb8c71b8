// SPDX-License-Identifier: Apache-2.0
// Blocks that are built without their type equal the blocks of programs with the type, byte by
// byte. Values that don't fit the layout are rejected with their path, and so are values that
// exceed a limit.
#include <ingot/document/live_value.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_for.hpp>

#include "document/message_bytes.hpp"
#include "dynamic/zoo.hpp"
#include "zoo/live.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_build_test {

using dynamic_chest::bytes_of;
using dynamic_zoo::branch;
using dynamic_zoo::limited;
using ingot::build_block;
using ingot::compact_block;
using ingot::document;
using ingot::dynamic_block;
using ingot::dynamic_layout;
using ingot::narrow_policy;
using ingot::wide_policy;

std::vector<std::byte> copy(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }
std::vector<std::byte> bytes_of(const ingot::result<dynamic_block>& built) {
  EXPECT_TRUE(built) << built.error().message();
  return built ? copy(built->bytes()) : std::vector<std::byte>();
}
template <class Block>
std::vector<std::byte> compacted(Block block) {
  block.compact();
  block.scrub(); // clears padding that came with copied values
  return copy(block.bytes());
}
template <class T, class P>
dynamic_block opened(const ingot::basic_live<T, P>& from) {
  return dynamic_block::open(from.bytes(), dynamic_layout::of<T, P>().value()).value();
}

document document_of_records(int count) {
  document records;
  for (int i = 0; i < count; ++i) {
    const std::string row = "/rows/" + std::to_string(i);
    EXPECT_TRUE(records.root().set_at(row + "/a longer name for a key", i));
    EXPECT_TRUE(records.root().set_at(row + "/another name for a key", "text"));
    EXPECT_TRUE(records.root().set_at(row + "/and one more", 0.25));
  }
  return records;
}

template <class T>
struct dynamic_build : testing::Test {};
template <class P>
struct policies {};
using both = testing::Types<narrow_policy, wide_policy>;
TYPED_TEST_SUITE(dynamic_build, both);

template <class T, class P>
void expect_same_bytes(const char* name, bool by_document = true) {
  SCOPED_TRACE(name);
  ingot::basic_live<T, P> typed;
  fill(*typed);
  const dynamic_block block = opened(typed);
  const auto wanted = compacted(std::move(typed));
  EXPECT_EQ(bytes_of(compact_block(block)), wanted);
  const auto said = ingot::to_document(block.root());
  ASSERT_TRUE(said) << said.error().message();
  if (!by_document) return;
  EXPECT_EQ(bytes_of(build_block(*said, block.layout())), wanted);
}

TYPED_TEST(dynamic_build, compacts_a_block_as_its_type_does) {
  using P = TypeParam;
  expect_same_bytes<dynamic_zoo::scalars, P>("scalars");
  expect_same_bytes<dynamic_zoo::singles<P>, P>("singles");
  expect_same_bytes<dynamic_zoo::trees<P>, P>("trees");
  expect_same_bytes<dynamic_zoo::tables<P>, P>("tables");
  expect_same_bytes<branch<P>, P>("branch");
  // A document has no free slots of pools.
  expect_same_bytes<dynamic_zoo::rings<P>, P>("rings", false);
}

/// A value of any kind in every possible position.
template <class P>
struct anything {
  template <class T>
  using list = ingot::basic_vector<T, P>;
  using text = ingot::basic_string<char, P>;
  using any = ingot::basic_live_value<P>;

  any first;
  text name;
  any null, emptied, number, words;
  list<any> all;
  ingot::basic_optional<any, P> none, some;
  ingot::basic_variant<P, std::uint8_t, any> either;
  ingot::basic_map<std::uint32_t, any, P> by_number;
  ingot::basic_hash_map<text, any, P> by_name;
  list<text> last;
};
template <class P>
void fill(anything<P>& to) {
  for (int i = 0; i < 40; ++i) { // records of the same keys, with holes between them
    to.first["rows"] = std::vector<int>{1, 2, i};
    to.first["row " + std::to_string(i)] = std::string(static_cast<std::size_t>(i), 'x');
    to.first["price"] = 3.5 * i;
  }
  to.name = "longer than what lies in a string itself";
  to.emptied = "a text";
  to.emptied = nullptr; // keeps its storage
  to.number = -7;
  to.words = "a text that has more characters than a node itself";
  for (int i = 0; i < 5; ++i) {
    auto& each = to.all.emplace_back();
    if (i == 3) continue;
    each["a name"] = i;
    each["another name"] = document_of_records(i);
    to.by_number.try_emplace(static_cast<std::uint32_t>(9 - i)).first->second = i;
    to.by_name.try_emplace("key " + std::to_string(i)).first->second["is"] = true;
    to.last.emplace_back() = "long enough for a storage of its own";
  }
  to.some.emplace() = std::vector<double>{0.5, -0.0};
  to.either.template emplace<1>() = "chosen";
}
TYPED_TEST(dynamic_build, values_of_any_kind_come_out_as_they_are) {
  using all = anything<TypeParam>;
  expect_same_bytes<all, TypeParam>("anything");
  ingot::basic_live<all, TypeParam> typed;
  fill(*typed);
  const dynamic_block block = opened(typed);
  EXPECT_EQ(bytes_of(build_block(block.root(), block.layout())), compacted(std::move(typed)));
}

/// Nulls in optional values.
template <class P>
struct layers {
  template <class T>
  using maybe = ingot::basic_optional<T, P>;
  template <class T>
  using pointer = ingot::basic_box<T, P>;

  maybe<maybe<std::uint8_t>> none, inner_none, both;
  maybe<maybe<maybe<bool>>> three;
  pointer<maybe<std::uint32_t>> boxed;
  maybe<pointer<std::uint32_t>> empty_box, full_box;
  pointer<pointer<ingot::basic_string<char, P>>> pointers;
  maybe<ingot::basic_live_value<P>> no_value, null_value, value;
  ingot::basic_vector<maybe<maybe<std::int16_t>>, P> all;
};
template <class P>
void fill(layers<P>& to) {
  to.inner_none.emplace();
  to.both.emplace().emplace() = 7;
  to.three.emplace().emplace();
  to.boxed.emplace();
  to.empty_box.emplace();
  to.full_box.emplace().emplace() = 8;
  to.pointers.emplace().emplace() = "a text that lies in a storage of its own";
  to.null_value.emplace();
  to.value.emplace()["key"] = std::vector<int>{1, 2};
  to.all.emplace_back();
  to.all.emplace_back().emplace();
  to.all.emplace_back().emplace().emplace() = -5;
}
TYPED_TEST(dynamic_build, null_in_what_may_be_nothing_is_not_nothing) {
  using all = layers<TypeParam>;
  expect_same_bytes<all, TypeParam>("layers");
  ingot::basic_live<all, TypeParam> typed;
  fill(*typed);
  const document said = ingot::to_document(opened(typed).root()).value();
  EXPECT_EQ(said, document(*typed)); // in the form of the type
  EXPECT_TRUE(said["inner_none"][0].is_null());
  EXPECT_EQ(said["pointers"][0].as<std::string>().value(), "a text that lies in a storage of its own");
  EXPECT_EQ(said["value"][0]["key"].size(), 2U);
}

enum class old_metal : std::int16_t { lead = -2, copper = 0, gold = 70, tin = 71 };
enum class new_metal : std::int16_t { gold = -2, copper = 5, lead = 0, zinc = 71 };
enum class open_metal : std::int16_t { lead = -2, copper = 0, gold = 70, tin = 71 };
template <class E>
struct ore {
  E of{};
  std::uint16_t worth = 0;
};
template <class E>
struct mine {
  ingot::string name;
  E first{};
  std::array<E, 2> pair{};
  ingot::vector<E> all;
  ingot::vector<ore<E>> ores;
  ingot::map<std::uint8_t, E> by_number;
};
template <class E>
struct twin_mine {
  std::string name;
  E first{};
  std::array<E, 2> pair{};
  std::vector<E> all;
  std::vector<ore<E>> ores;
  std::map<std::uint8_t, E> by_number;
};
template <class E, class Mine>
void fill(Mine& to, E lead, E copper, E gold) {
  to.name = "a name that is too long to lie in the string itself";
  to.first = gold;
  to.pair = {lead, copper};
  for (const E each : {gold, copper, lead, gold}) {
    to.all.push_back(each);
    to.ores.push_back({each, 9});
    to.by_number[static_cast<std::uint8_t>(to.ores.size())] = each;
  }
}
} // namespace dynamic_build_test
template <>
inline constexpr auto ingot::annotations<dynamic_build_test::open_metal> =
    ingot::annotate(ingot::type(ingot::open_enum));
namespace dynamic_build_test {

// A name keeps its meaning, even if its number changed.
TEST(dynamic_build, enumerators_go_by_their_names) {
  using enum_block = mine<new_metal>;
  ingot::live<enum_block> wanted;
  fill(*wanted, new_metal::lead, new_metal::copper, new_metal::gold);
  const auto layout = dynamic_layout::of<enum_block>().value();
  const auto bytes = compacted(std::move(wanted));
  ingot::live<mine<old_metal>> old;
  fill(*old, old_metal::lead, old_metal::copper, old_metal::gold);
  EXPECT_EQ(bytes_of(build_block(opened(old).root(), layout)), bytes);
  twin_mine<old_metal> twin;
  fill(twin, old_metal::lead, old_metal::copper, old_metal::gold);
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto message = ingot::dynamic_message::open(bytes_of(twin, profile),
                                                      ingot::schema_of<twin_mine<old_metal>>(), profile)
                             .value();
    EXPECT_EQ(bytes_of(build_block(message.root(), layout)), bytes);
  }
  // Its name was removed, and its number belongs to another name.
  old->ores[1].of = old_metal::tin;
  const auto lost = build_block(opened(old).root(), layout);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), ingot::errc::bad_enum);
  EXPECT_EQ(lost.error().path(), "ores[1].of");
}
TEST(dynamic_build, enumerators_that_mean_other_numbers_in_keys_or_without_names_are_rejected) {
  const auto code = [](const auto& from, const dynamic_layout& layout) {
    const auto built = build_block(opened(from).root(), layout);
    return built ? std::string("accepted") : std::string(to_string(built.error().code()));
  };
  const ingot::live<ingot::hash_set<old_metal>> metals;
  const ingot::live<ingot::vector<open_metal>> open;
  const auto of = []<class T>() { return dynamic_layout::of<T>().value(); };
  EXPECT_EQ(code(metals, of.operator()<ingot::hash_set<new_metal>>()), "unsupported");
  EXPECT_EQ(code(metals, of.operator()<ingot::hash_set<old_metal>>()), "accepted");
  EXPECT_EQ(code(open, of.operator()<ingot::vector<new_metal>>()), "other type");
  EXPECT_EQ(code(open, of.operator()<ingot::vector<open_metal>>()), "accepted");
}

struct holds_value {
  ingot::string name;
  ingot::live_value any;
};
struct holds_bytes {
  ingot::string name;
  ingot::vector<std::byte> any;
};
struct holds_document {
  std::string name;
  document any;
};
TEST(dynamic_build, a_message_of_a_document_becomes_a_value_of_any_kind_and_nothing_else) {
  const holds_document twin{"Ada", document_of_records(3)};
  ingot::live<holds_value> typed;
  typed->name = twin.name;
  typed->any = twin.any;
  const auto layout = dynamic_layout::of<holds_value>().value();
  const auto wanted = compacted(std::move(typed));
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto bytes = bytes_of(twin, profile);
    const auto message =
        ingot::dynamic_message::open(bytes, ingot::schema_of<holds_document>(), profile).value();
    EXPECT_EQ(bytes_of(build_block(message.root(), layout)), wanted);
    const auto other = build_block(message.root(), dynamic_layout::of<holds_bytes>().value());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code(), ingot::errc::schema_mismatch);
  }
  const auto layout_of_schema = ingot::layout_for(ingot::schema_of<holds_document>());
  ASSERT_TRUE(layout_of_schema) << layout_of_schema.error().message();
  EXPECT_EQ(layout_of_schema->layout_id(), layout.layout_id());
  // A value without an `any` can't be built as a type with one.
  const ingot::live<holds_bytes> plain;
  EXPECT_FALSE(build_block(opened(plain).root(), layout));
}

/// Things that only large values have: trees of several levels, tables that need their seeds, text
/// in every position.
struct crowd {
  ingot::map<std::uint32_t, ingot::string> by_number;
  ingot::multimap<ingot::string, std::uint8_t> by_name;
  ingot::hash_map<std::uint64_t, ingot::vector<std::uint16_t>> numbers;
  ingot::hash_set<ingot::string> words;
  ingot::set<std::int64_t> plain;
};
TEST(dynamic_build, large_trees_and_tables_come_out_the_same) {
  ingot::live<crowd> typed(ingot::max_block_size{std::size_t{1} << 24});
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    const std::uint32_t key = i * 2'654'435'761U;
    typed->by_number.try_emplace(key, dynamic_zoo::text(i));
    typed->plain.insert(static_cast<std::int64_t>(key) - 1'000'000'000);
    if (i % 5 != 0) continue;
    typed->by_name.emplace(dynamic_zoo::text(i % 97), static_cast<std::uint8_t>(i % 200));
    typed->numbers[key].push_back(static_cast<std::uint16_t>(i));
    typed->words.insert(dynamic_zoo::text(i));
  }
  const dynamic_block block = opened(typed);
  const auto wanted = compacted(std::move(typed));
  EXPECT_EQ(bytes_of(compact_block(block)), wanted);
  EXPECT_EQ(bytes_of(build_block(ingot::to_document(block.root()).value(), block.layout())), wanted);
}

// Runs on a smaller stack. The copy with the type does not need more either.
TEST(dynamic_build, no_depth_of_a_value_is_a_depth_of_the_stack) {
  ingot::live<branch<narrow_policy>> typed(ingot::max_block_size{std::size_t{1} << 26});
  auto* at = &*typed;
  for (int i = 0; i < 50'000; ++i) {
    at->name = "n";
    at = i % 2 == 0 ? &at->last.emplace() : &at->branches.emplace_back();
  }
  const dynamic_block block = opened(typed);
  EXPECT_EQ(bytes_of(compact_block(block)), compacted(std::move(typed)));
}

TEST(dynamic_build, a_message_of_the_twin_becomes_the_block) {
  const zoo::cabinet twin = zoo::make_cabinet();
  ingot::live<zoo::live_cabinet> typed(twin);
  const auto layout = dynamic_layout::of<zoo::live_cabinet>().value();
  const auto wanted = compacted(std::move(typed));
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto bytes = bytes_of(twin, profile);
    const auto message =
        ingot::dynamic_message::open(bytes, ingot::schema_of<zoo::cabinet>(), profile).value();
    EXPECT_EQ(bytes_of(build_block(message.root(), layout)), wanted);
  }
}

std::string rejected(const document& from, ingot::build_block_options options = {}) {
  static const auto layout = dynamic_layout::of<limited>().value();
  const auto built = build_block(from, layout, options);
  return built ? "accepted"
               : std::string(to_string(built.error().code())) + " at " + std::string(built.error().path());
}
document empty_object() {
  ingot::document_writer to;
  to.begin_object();
  to.end();
  return to.finish().value();
}
document whole() {
  document full;
  full["age"] = 7;
  full["scores"] = std::vector{1};
  full["name"] = "Ada";
  full["share"] = 0.5;
  return full;
}
TEST(dynamic_build, what_is_no_value_of_the_layout_is_rejected_by_its_path) {
  EXPECT_EQ(rejected(whole()), "accepted");
  document from = whole();
  ASSERT_TRUE(from.root().set_at("/scores/1", "two"));
  EXPECT_EQ(rejected(from), "wrong type at scores[1]");
  from["scores"] = std::vector{1, 300};
  EXPECT_EQ(rejected(from), "out of range at scores[1]");
  from["scores"] = std::vector{1, 11}; // valid for the type, but above the limit of the member
  EXPECT_EQ(rejected(from), "out of range at scores");
  from = whole();
  from["age"] = 151;
  EXPECT_EQ(rejected(from), "out of range at age");
  from = whole();
  from["ages"] = 1;
  EXPECT_EQ(rejected(from), "unknown member at ");
  EXPECT_EQ(rejected(from, {.unknown_is_ignored = true}), "accepted");
  from = empty_object();
  EXPECT_EQ(rejected(from), "accepted");
  EXPECT_EQ(rejected(from, {.missing_is_error = true}), "missing member at age");
}

struct vault {
  std::array<std::uint64_t, 1'000> much;
};
TEST(dynamic_build, a_block_is_no_larger_than_it_may_be) {
  EXPECT_EQ(rejected(whole(), {.max_bytes = 100}), "no space at ");
  EXPECT_EQ(rejected(whole(), {.max_bytes = 0}), "too large at ");
  const auto layout = dynamic_layout::of<ingot::vector<vault>>().value();
  ingot::document_writer to;
  to.begin_array();
  for (int i = 0; i < 50; ++i) to.begin_object(), to.end();
  to.end();
  const document many = to.finish().value();
  EXPECT_TRUE(build_block(many, layout));
  const auto built = build_block(many, layout, {.max_bytes = 399'000});
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code(), ingot::errc::too_large); // the size of the message
}

struct left_out {
  std::uint8_t level = 50;
};
} // namespace dynamic_build_test
template <>
inline constexpr auto ingot::annotations<dynamic_build_test::left_out> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
namespace dynamic_build_test {

struct other {
  std::uint16_t level = 50;
};
TEST(dynamic_build, values_of_other_types_are_rejected) {
  const ingot::live<left_out> typed;
  const auto layout = dynamic_layout::of<left_out>().value();
  const auto code_of = [&](const ingot::result<dynamic_block>& built) {
    return built ? std::string("accepted") : std::string(to_string(built.error().code()));
  };
  const auto message = [](const auto& from) {
    constexpr auto compact = ingot::message_profile::compact;
    const auto by = ingot::schema_of<std::remove_cvref_t<decltype(from)>>();
    return ingot::dynamic_message::open(bytes_of(from, compact), by, compact).value();
  };
  EXPECT_EQ(code_of(build_block(message(other{}).root(), layout)), "other type");
  EXPECT_EQ(code_of(build_block(message(left_out{7}).root(), layout)), "accepted");
  // A schema does not contain the default.
  EXPECT_EQ(code_of(build_block(message(left_out{}).root(), layout)), "missing member");
  EXPECT_EQ(code_of(build_block(ingot::dynamic_value(), layout)), "wrong type");
  dynamic_block block = opened(typed);
  const dynamic_block taken = std::move(block);
  EXPECT_EQ(code_of(compact_block(block)), "other type"); // NOLINT(bugprone-use-after-move)
}

} // namespace dynamic_build_test
