// SPDX-License-Identifier: Apache-2.0
// A layout has one description: one that `layout_of` would not write is rejected, and so is one
// whose validation of a block would cost more than the block.
#include <ingot/dynamic/dynamic.hpp>

#include "dynamic/hostile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace layout_tag_validator_test {

using ingot::dynamic_kind;
using ingot::dynamic_layout;
using ingot::errc;
using namespace dynamic_hostile;
namespace dyn = ingot::detail::dyn;

constexpr errc accepted = errc::io; // not a reason for rejection
errc why(const std::vector<layout_bytes>& types) {
  const auto layout = dynamic_layout::open(description_of(types));
  return layout ? accepted : layout.error().code();
}
layout_bytes number(std::uint64_t size, unsigned flags = 0) {
  return head(dynamic_kind::integer, size, static_cast<unsigned>(size), flags);
}
layout_bytes vector_of(std::uint64_t type) { return with_numbers(head(dynamic_kind::vector, 8, 4), {type}); }
layout_bytes enumeration(std::uint64_t size, unsigned flags,
                         const std::vector<std::pair<std::uint64_t, std::string_view>>& all,
                         std::string_view name = "e") {
  layout_bytes type = head(dynamic_kind::enumeration, size, 1, flags);
  type.text(name);
  type.number(all.size());
  for (const auto& [value, each] : all) {
    type.word(value);
    type.text(each);
  }
  return type;
}
layout_bytes named_member(std::string_view name, unsigned limits = 0) {
  layout_bytes type = head(dynamic_kind::record, 8, 8);
  type.text("r");
  type.number(1);
  type.text(name);
  type.number(0);
  type.number(1);
  type.byte(static_cast<std::uint8_t>(limits));
  return type;
}

TEST(dynamic_rules, types_stand_in_the_order_in_which_they_are_met) {
  const auto root = [](std::uint64_t first, std::uint64_t second) {
    return record(16, 8, {{0, first}, {8, second}});
  };
  EXPECT_EQ(why({root(1, 2), number(8), number(4)}), accepted);
  EXPECT_EQ(why({root(2, 1), number(4), number(8)}), errc::invalid_value);
  // not part of any other type
  EXPECT_EQ(why({root(1, 1), number(8), number(4)}), errc::invalid_value);
  // The types in the first part come before the second part.
  EXPECT_EQ(why({root(1, 3), vector_of(2), number(8), number(8)}), accepted);
  EXPECT_EQ(why({root(1, 2), vector_of(3), number(8), number(8)}), errc::invalid_value);
}

TEST(dynamic_rules, flags_are_those_that_the_kind_has) {
  for (unsigned flag = 1; flag < 256; flag *= 2) {
    EXPECT_EQ(why({number(8, flag)}), flag == dyn::is_signed ? accepted : errc::bad_padding) << flag;
    EXPECT_EQ(why({head(dynamic_kind::boolean, 1, 1, flag)}), errc::bad_padding) << flag;
    EXPECT_EQ(why({head(dynamic_kind::floating, 8, 8, flag)}), errc::bad_padding) << flag;
  }
  EXPECT_EQ(why({with_numbers(head(dynamic_kind::bitset, 8, 8, dyn::is_empty), {9})}), errc::bad_padding);
}

TEST(dynamic_rules, a_record_s_version_has_32_bits) {
  const auto versioned = [](std::uint64_t version) {
    layout_bytes type = head(dynamic_kind::record, 8, 8, dyn::has_version);
    type.text("r");
    type.number(version);
    type.number(1);
    type.text("m");
    type.number(0);
    type.number(1);
    type.byte(0);
    return type;
  };
  EXPECT_EQ(why({versioned(0), number(8)}), accepted);
  EXPECT_EQ(why({versioned(0xFFFFFFFF), number(8)}), accepted);
  EXPECT_EQ(why({versioned(std::uint64_t{1} << 32), number(8)}), errc::out_of_range);
}

TEST(dynamic_rules, names_are_text_that_no_terminal_obeys) {
  EXPECT_EQ(why({named_member("caf\xC3\xA9 no. 1"), number(8)}), accepted);
  for (const std::string_view wrong :
       {std::string_view("a\x1B[2J"), std::string_view("a\0b", 3), std::string_view("\x7F"),
        std::string_view("\xC2\x9B"), std::string_view("\xFF"), std::string_view("\xC3")}) {
    EXPECT_EQ(why({named_member(wrong), number(8)}), errc::invalid_utf8);
    EXPECT_EQ(why({record(8, 8, {}, wrong)}), errc::invalid_utf8);
    EXPECT_EQ(why({enumeration(1, 0, {{0, wrong}})}), errc::invalid_utf8);
    EXPECT_EQ(why({enumeration(1, 0, {{0, "a"}}, wrong)}), errc::invalid_utf8);
  }
  EXPECT_EQ(why({record(8, 8, {}, "not an identifier")}), errc::invalid_utf8);
}

TEST(dynamic_rules, enumerators_are_values_of_their_type) {
  const std::uint64_t below = ~std::uint64_t{0};
  EXPECT_EQ(why({enumeration(1, 0, {{0, "a"}, {255, "b"}})}), accepted);
  EXPECT_EQ(why({enumeration(1, 0, {{0, "a"}, {256, "b"}})}), errc::out_of_range);
  EXPECT_EQ(why({enumeration(1, dyn::is_signed, {{below - 127, "a"}, {127, "b"}})}), accepted);
  EXPECT_EQ(why({enumeration(1, dyn::is_signed, {{below - 128, "a"}})}), errc::out_of_range);
  EXPECT_EQ(why({enumeration(1, dyn::is_signed, {{128, "a"}})}), errc::out_of_range);
  EXPECT_EQ(why({enumeration(1, 0, {{1, "a"}, {1, "b"}})}), errc::unsorted_keys);
}

TEST(dynamic_rules, limits_are_of_what_can_have_them) {
  const auto limited = [](unsigned limits) {
    layout_bytes type = named_member("m", limits);
    if ((limits & dyn::has_range) != 0) {
      type.limit(ingot::bound::of(0));
      type.limit(ingot::bound::of(1));
    }
    if ((limits & dyn::has_max_size) != 0) type.number(3);
    return type;
  };
  EXPECT_EQ(why({limited(dyn::has_range), number(8)}), accepted);
  EXPECT_EQ(why({limited(dyn::has_range), vector_of(2), vector_of(3), number(8)}), accepted);
  EXPECT_EQ(why({limited(dyn::has_range), record(8, 8, {})}), errc::type_mismatch);
  EXPECT_EQ(why({limited(dyn::has_range), vector_of(2), record(8, 8, {})}), errc::type_mismatch);
  EXPECT_EQ(why({limited(dyn::has_range), vector_of(1)}), errc::type_mismatch); // refers to itself
  EXPECT_EQ(why({limited(dyn::has_max_size), vector_of(2), number(8)}), accepted);
  EXPECT_EQ(why({limited(dyn::has_max_size), number(8)}), errc::type_mismatch);
  EXPECT_EQ(why({limited(dyn::has_utf8), vector_of(2), number(1)}), accepted);
  EXPECT_EQ(why({limited(dyn::has_utf8), vector_of(2), number(2)}), errc::type_mismatch);
  // A lower bound of 5, encoded as a negative number.
  layout_bytes type = named_member("m", dyn::has_range);
  type.byte(0);
  type.word(5);
  type.limit(ingot::bound::of(7));
  EXPECT_EQ(why({type, number(8)}), errc::truncated);
}

TEST(dynamic_rules, sizes_and_offsets_are_those_of_compilers) {
  // shorter than its alignment
  EXPECT_EQ(why({head(dynamic_kind::integer, 4, 8)}), errc::bad_length);
  EXPECT_EQ(why({record(12, 8, {})}), errc::bad_length);
  EXPECT_EQ(why({record(16, 8, {{4, 1}}), number(8)}), errc::bad_length);
  EXPECT_EQ(why({record(8, 4, {{0, 1}}), number(8)}), errc::bad_length);
  const auto pair = [](std::uint64_t size, std::uint64_t second) {
    return with_numbers(head(dynamic_kind::pair, size, 4), {second, 1, 2});
  };
  EXPECT_EQ(why({pair(8, 4), number(1), number(4)}), accepted);
  EXPECT_EQ(why({pair(8, 0), number(1), number(4)}), errc::bad_length);
  EXPECT_EQ(why({pair(12, 8), number(1), number(4)}), errc::bad_length);
  const auto duration = [](std::uint64_t num, std::uint64_t den) {
    return with_numbers(head(dynamic_kind::duration, 8, 8), {1, num, den});
  };
  EXPECT_EQ(why({duration(1, 1000), number(8)}), accepted);
  EXPECT_EQ(why({duration(2, 1000), number(8)}), errc::out_of_range);
  EXPECT_EQ(why({duration(0, 1), number(8)}), errc::out_of_range);
  EXPECT_EQ(why({duration(1, 0), number(8)}), errc::out_of_range);
}

/// The words of a bitset are as wide as its alignment: with a partial word at the end, a machine
/// with the other byte order would read after it.
TEST(dynamic_rules, a_bitset_has_whole_words) {
  const auto bits = [](std::uint64_t size, unsigned alignment, std::uint64_t count) {
    return with_numbers(head(dynamic_kind::bitset, size, alignment), {count});
  };
  EXPECT_EQ(why({bits(8, 8, 11)}), accepted);
  EXPECT_EQ(why({bits(8, 4, 40)}), accepted);
  EXPECT_EQ(why({bits(1, 1, 0)}), accepted);
  EXPECT_EQ(why({bits(12, 8, 96)}), errc::bad_length);
  EXPECT_EQ(why({bits(16, 8, 11)}), errc::bad_length); // one word too many
  EXPECT_EQ(why({bits(8, 8, 65)}), errc::bad_length);
}

TEST(dynamic_rules, containers_lie_apart) {
  EXPECT_EQ(why({record(16, 4, {{0, 1}, {8, 1}}), vector_of(2), number(8)}), accepted);
  EXPECT_EQ(why({record(16, 4, {{0, 1}, {4, 1}}), vector_of(2), number(8)}), errc::overlap);
  EXPECT_EQ(why({record(16, 4, {{4, 1}, {0, 1}}), vector_of(2), number(8)}), errc::overlap);
  EXPECT_EQ(why({record(16, 4, {{8, 1}, {0, 1}}), vector_of(2), number(8)}), accepted);
}

TEST(dynamic_rules, what_overlaps_costs_what_its_bytes_allow) {
  constexpr std::uint64_t much = std::uint64_t{1} << 20;
  const auto many = [](std::uint64_t count) {
    return record(much, 8, std::vector<member_of>(count, member_of{0, 1}));
  };
  const layout_bytes bits = with_numbers(head(dynamic_kind::bitset, much, 8), {8 * much});
  EXPECT_EQ(why({many(1), bits}), accepted);
  EXPECT_EQ(why({many(60), bits}), accepted);
  EXPECT_EQ(why({many(70), bits}), errc::too_large);
  const layout_bytes optional = with_numbers(head(dynamic_kind::optional, much, 1), {2});
  const layout_bytes bytes = with_numbers(head(dynamic_kind::array, much - 1, 1), {much - 1, 3});
  EXPECT_EQ(why({many(1), optional, bytes, number(1)}), accepted);
  EXPECT_EQ(why({many(70), optional, bytes, number(1)}), errc::too_large);
  const layout_bytes variant =
      with_numbers(head(dynamic_kind::variant, much, 1), {1, 0, 2}); // one without a name
  EXPECT_EQ(why({many(1), variant, bytes, number(1)}), accepted);
  EXPECT_EQ(why({many(70), variant, bytes, number(1)}), errc::too_large);
  // The sum of all of it would need more than 64 bits.
  constexpr std::uint64_t largest = std::uint64_t{1} << 40;
  EXPECT_EQ(why({record(largest, 8, std::vector<member_of>(100'000, member_of{0, 1})),
                 with_numbers(head(dynamic_kind::array, largest, 1), {largest, 2}), number(1)}),
            errc::too_large);
}

/// The `layout_id` is a hash of every nested object: four types can describe too many of them to
/// hash.
TEST(dynamic_rules, a_layout_id_takes_no_more_steps_than_its_bytes_allow) {
  const auto of_many = [](std::uint64_t size, std::uint64_t type) {
    std::vector<member_of> members;
    for (std::uint64_t i = 0; i < 40; ++i) members.push_back({i * size, type});
    return record(40 * size, 1, members);
  };
  EXPECT_EQ(why({of_many(40, 1), of_many(1, 2), number(1)}), accepted);
  EXPECT_EQ(why({of_many(64'000, 1), of_many(1600, 2), of_many(40, 3), of_many(1, 4), number(1)}),
            errc::too_large);
}

} // namespace layout_tag_validator_test
