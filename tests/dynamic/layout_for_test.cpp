// SPDX-License-Identifier: Apache-2.0
// The layout of a schema is that of the obvious types for it in a program: each can read the
// other's blocks.
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/schema/description.hpp>

#include "dynamic/zoo.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace layout_for_test {

using ingot::block_width;
using ingot::dynamic_layout;
using ingot::layout_for;

struct nothing {};
struct place {
  std::int16_t row = 0;
  std::int64_t column = 0; ///< with padding before it, and with the machine's alignment
  friend auto operator<=>(const place&, const place&) = default;
};
/// A recursive type that the schema describes twice: within itself, and from outside.
template <class P>
struct node {
  ingot::basic_string<char, P> name;
  ingot::basic_vector<node, P> children;
  ingot::basic_box<node, P> next;
};
template <class P>
struct shelf {
  using string = ingot::basic_string<char, P>;
  std::uint8_t id = 9;
  dynamic_zoo::mood now = dynamic_zoo::mood::happy;
  dynamic_zoo::channel open = dynamic_zoo::channel::green;
  nothing none;
  place where;
  std::array<place, 2> corners{};
  std::chrono::milliseconds wait{5};
  std::chrono::sys_seconds since{};
  std::complex<double> point{1, -1};
  std::bitset<11> few{7};
  std::bitset<70> many{1};
  std::array<std::uint8_t, 0> no_bytes{};
  std::pair<std::uint8_t, string> label;
  ingot::basic_string<char16_t, P> motto;
  ingot::basic_optional<std::array<string, 2>, P> names; ///< absent, it is not all zeros
  ingot::basic_optional<ingot::basic_variant<P, std::uint32_t, string>, P> maybe;
  ingot::basic_variant<P, string, bool, place> choice;
  ingot::basic_variant<P, std::uint8_t, double> plain;
  ingot::basic_vector<bool, P> flags;
  ingot::basic_vector<node<P>, P> trees;
  node<P> root;
  ingot::basic_map<string, ingot::basic_map<std::uint32_t, string, P>, P> nested;
  ingot::basic_multimap<std::int32_t, place, P> repeated;
  ingot::basic_set<std::pair<place, string>, P> pairs;
  ingot::basic_hash_map<std::uint8_t, string, P> table; ///< its entries have the type of `label`
  ingot::basic_hash_set<string, P> words;
};
template <class P>
void fill(shelf<P>& to) {
  using dynamic_zoo::text;
  to.label.first = 1;
  to.label.second = text(1);
  to.motto = u"of two bytes each";
  to.choice.template emplace<2>(place{1, 2});
  to.plain = 2.5;
  to.flags = {true, false, true};
  to.root.name = text(3);
  to.root.next.emplace().name = text(5);
  auto& child = to.root.children.emplace_back();
  child.children.emplace_back().name = text(7);
  to.trees.emplace_back().next.emplace().children.emplace_back().name = text(9);
  for (std::uint8_t i = 0; i < 30; ++i) {
    to.nested[text(i % 3U)].try_emplace(i, text(i));
    to.repeated.emplace(i / 7, place{i, -i});
    to.pairs.insert(std::pair(place{i, 0}, text(i)));
    to.table.try_emplace(i, text(i));
    to.words.insert(text(i));
  }
}

template <class P>
constexpr block_width width_of =
    sizeof(typename P::offset_type) == 8 ? block_width::wide : block_width::narrow;

/// Compares the layout that a program with the type has, and its blocks, with those from the schema
/// alone.
template <class T, class P>
void expect_obvious(const ingot::schema& described) {
  ingot::basic_live<T, P> typed;
  fill(*typed);
  const auto layout = dynamic_layout::of<T, P>().value();
  const auto found = layout_for(described, width_of<P>);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->layout_id(), layout.layout_id());
  EXPECT_EQ(found->schema_id(), layout.schema_id());
  const auto said =
      ingot::to_document(ingot::dynamic_block::open(typed.bytes(), layout).value().root()).value();
  const auto built = ingot::build_block(said, *found);
  ASSERT_TRUE(built) << built.error().message();
  typed.compact();
  typed.scrub(); // clears padding that came with copied values
  const auto mine = built->bytes();
  const auto theirs = typed.bytes();
  const auto differ = std::ranges::mismatch(mine, theirs).in1 - mine.begin();
  EXPECT_TRUE(std::ranges::equal(mine, theirs)) << "at byte " << differ << " of " << mine.size();
  const auto back = ingot::basic_live<T, P>::open(built->bytes());
  EXPECT_TRUE(back && *back == typed);
}

TEST(layout_for, a_schema_lies_as_the_obvious_type_does) {
  using narrow = shelf<ingot::narrow_policy>;
  using wide = shelf<ingot::wide_policy>;
  expect_obvious<narrow, ingot::narrow_policy>(ingot::schema_of<narrow>());
  expect_obvious<wide, ingot::wide_policy>(ingot::schema_of<wide>());
  // A schema that was read from a file has its parts at other positions, and some of them
  // repeatedly.
  expect_obvious<narrow, ingot::narrow_policy>(
      ingot::read_schema(ingot::schema_bytes(ingot::schema_of<narrow>())).value());
}

// Kind 19 of schemas stands for both: a recursive value can only be a pointer.
struct link {
  std::uint32_t value;
  std::unique_ptr<link> next;
  std::optional<std::vector<link>> others;
};
struct live_link {
  std::uint32_t value;
  ingot::box<live_link> next;
  ingot::optional<ingot::vector<live_link>> others;
};
void fill(live_link& to) {
  to.value = 1;
  to.next.emplace().value = 2;
  to.others.emplace().emplace_back().next.emplace().value = 3;
}
TEST(layout_for, an_optional_that_would_lie_in_itself_is_a_box) {
  expect_obvious<live_link, ingot::narrow_policy>(ingot::schema_of<link>());
}

template <class T>
std::string rejected() {
  const auto planned = layout_for(ingot::schema_of<T>());
  return planned
             ? "accepted"
             : std::string(to_string(planned.error().code())) + " at " + std::string(planned.error().path());
}
template <class T>
struct holder {
  std::vector<std::pair<int, T>> all;
};
struct live_extras {
  std::uint8_t number;
  ingot::optional<ingot::live_value> maybe;
  ingot::vector<ingot::live_value> all;
  ingot::live_value any;
};
struct extras {
  std::uint8_t number;
  std::optional<ingot::document> maybe;
  std::vector<ingot::document> all;
  ingot::document any;
};
void fill(live_extras& to) {
  to.number = 3;
  to.maybe.emplace()["key"] = "a text that is long enough";
  to.all.emplace_back() = std::vector{1, 2, 3};
  to.any["price"] = 3.5;
}
TEST(layout_for, a_value_of_any_kind_lies_as_a_live_value_does) {
  expect_obvious<live_extras, ingot::narrow_policy>(ingot::schema_of<extras>());
}

TEST(layout_for, what_no_block_has_is_rejected_by_its_path) {
  EXPECT_EQ(rejected<holder<int>>(), "accepted");
  EXPECT_EQ(rejected<holder<std::filesystem::path>>(), "unsupported at all");
  EXPECT_EQ((rejected<holder<std::expected<int, int>>>()), "unsupported at all");
  EXPECT_EQ((rejected<holder<std::tuple<int, int, int>>>()), "unsupported at all");
  EXPECT_EQ((rejected<holder<std::multiset<int>>>()), "unsupported at all");
  EXPECT_EQ((rejected<holder<std::unordered_multimap<int, int>>>()), "unsupported at all");
  EXPECT_EQ((rejected<holder<std::map<std::optional<int>, int>>>()), "wrong type at ");
  EXPECT_FALSE(layout_for(ingot::schema()));
}

// A few bytes of a description, hundreds of gigabytes of an object.
TEST(layout_for, a_schema_of_large_objects_costs_nothing) {
  using a = std::array<std::uint64_t, std::size_t{1} << 20>;
  using large = std::array<a, std::size_t{1} << 14>;
  struct holds {
    std::optional<std::array<std::string, 100'000>>
        models; // the description would contain a model of that size
  };
  static_assert(sizeof(a) == std::size_t{1} << 23);
  const auto described = ingot::schema_of<std::vector<a>>();
  EXPECT_TRUE(layout_for(described));
  const auto found = layout_for(ingot::schema_of<holds>());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ingot::errc::too_large);
  if constexpr (sizeof(std::size_t) == 8) {
    const auto layout = layout_for(ingot::schema_of<large>());
    ASSERT_TRUE(layout) << layout.error().message();
    const auto built = ingot::build_block(ingot::document(), *layout);
    EXPECT_FALSE(built);
  }
}

} // namespace layout_for_test
