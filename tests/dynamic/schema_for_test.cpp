// SPDX-License-Identifier: Apache-2.0
// A layout gives the schema of its type, so files of live blocks can be compared and printed like
// others.
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/schema/compatible.hpp>

#include "dynamic/zoo.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace schema_for_test {

using ingot::dynamic_layout;
using ingot::schema_for;

template <class T, class P = ingot::narrow_policy>
void expect_its_schema() {
  const auto layout = dynamic_layout::of<T, P>().value();
  const auto found = schema_for(layout);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->id(), ingot::schema_id<T>);
  EXPECT_EQ(found->id(), layout.schema_id());
  EXPECT_TRUE(*found == ingot::schema_of<T>()) << found->to_text() << "is not\n"
                                               << ingot::schema_of<T>().to_text();
  EXPECT_EQ(found->to_text_with_names(), ingot::schema_of<T>().to_text_with_names());
}

TEST(schema_for, a_layout_has_the_schema_of_its_type) {
  using narrow = ingot::narrow_policy;
  using wide = ingot::wide_policy;
  expect_its_schema<dynamic_zoo::scalars>();
  expect_its_schema<dynamic_zoo::quad>();
  expect_its_schema<dynamic_zoo::singles<narrow>>();
  expect_its_schema<dynamic_zoo::singles<wide>, wide>();
  expect_its_schema<dynamic_zoo::trees<narrow>>();
  expect_its_schema<dynamic_zoo::trees<wide>, wide>();
  expect_its_schema<dynamic_zoo::tables<narrow>>();
  expect_its_schema<dynamic_zoo::tables<wide>, wide>();
  expect_its_schema<dynamic_zoo::rings<narrow>>();
  expect_its_schema<dynamic_zoo::rings<wide>, wide>();
}

// Records that contain each other are described through the first one that is visited: if another
// one comes first, the description differs.
struct village;
struct road {
  std::uint8_t length;
  ingot::vector<village> ends;
};
struct village {
  ingot::string name;
  ingot::vector<road> roads;
  ingot::box<village> twin;
};
struct country {
  ingot::vector<road> roads; ///< visited through a road
  ingot::vector<village> villages;
  ingot::map<std::uint32_t, village> by_number;
  ingot::live_value any;
};
struct lonely {
  ingot::optional<ingot::vector<lonely>> others;
};
struct both {
  lonely one;
  ingot::vector<lonely> more;
};
TEST(schema_for, records_that_hold_each_other_are_described_as_the_type_describes_them) {
  expect_its_schema<country>();
  expect_its_schema<village>();
  expect_its_schema<road>();
  expect_its_schema<lonely>();
  expect_its_schema<both>();
}

struct target {
  ingot::variant<ingot::ref<village>, std::uint32_t> of;
};
TEST(schema_for, a_link_is_called_ref_as_programs_call_it) {
  expect_its_schema<target>();
  EXPECT_NE(ingot::schema_of<target>().to_text().find("0 ref: record"), std::string::npos)
      << ingot::schema_of<target>().to_text();
}

struct note_1 {
  ingot::string text;
  std::uint16_t level = 0;
};
struct note_2 {
  std::uint32_t level = 0;
  ingot::string text;
  ingot::vector<ingot::string> tags;
};
struct note_3 {
  std::uint32_t level = 0;
  bool text = false;
};
} // namespace schema_for_test
template <>
inline constexpr auto ingot::annotations<schema_for_test::note_2> =
    ingot::annotate(ingot::type(ingot::version(2)));
namespace schema_for_test {

TEST(schema_for, says_what_changed_between_two_blocks) {
  const auto old = schema_for(dynamic_layout::of<note_1>().value()).value();
  const auto now = schema_for(dynamic_layout::of<note_2>().value()).value();
  expect_its_schema<note_2>();
  const auto answer = ingot::compatible(old, now);
  EXPECT_TRUE(answer) << answer.to_text();
  EXPECT_NE(answer.to_text().find("level: widened from u16 to u32"), std::string::npos) << answer.to_text();
  EXPECT_TRUE(ingot::compatible<note_2>(old));
  const auto rejected = ingot::compatible(now, schema_for(dynamic_layout::of<note_3>().value()).value());
  EXPECT_FALSE(rejected);
  EXPECT_NE(rejected.to_text().find("text"), std::string::npos);
}

TEST(schema_for, and_layout_for_lead_there_and_back) {
  const auto described = ingot::schema_of<country>();
  const auto layout = ingot::layout_for(described).value();
  const auto again = ingot::layout_for(schema_for(layout).value()).value();
  EXPECT_EQ(again.layout_id(), layout.layout_id());
  EXPECT_TRUE(schema_for(layout).value() == described);
}

/// Nested lists that no program declares: `depth` of them around a byte.
std::vector<std::byte> lists(std::size_t depth) {
  using namespace ingot::detail::dyn;
  const auto write = [depth](std::uint64_t id) {
    layout_bytes to;
    const auto head = ingot::layout_of<ingot::vector<std::uint8_t>>();
    to.raw(head.data(), 8);
    to.word(id);
    to.word(1);
    to.number(depth + 1);
    for (std::size_t i = 0; i != depth; ++i) {
      to.byte(static_cast<std::uint8_t>(ingot::dynamic_kind::vector));
      to.byte(0);
      to.number(sizeof(ingot::vector<std::uint8_t>));
      to.byte(alignof(ingot::vector<std::uint8_t>));
      to.number(i + 1);
    }
    to.byte(static_cast<std::uint8_t>(ingot::dynamic_kind::integer));
    to.byte(0);
    to.number(1);
    to.byte(1);
    to.word(seal_of(to.bytes()));
    return to.bytes();
  };
  return write(id_of_description(write(0)));
}
TEST(schema_for, types_that_lie_too_deep_in_each_other_are_rejected) {
  const auto depth_limit = dynamic_layout::open(lists(127));
  ASSERT_TRUE(depth_limit) << depth_limit.error().message();
  const auto found = schema_for(*depth_limit);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->nodes().size(), 128U);
  for (const std::size_t depth : {128U, 129U, 5000U}) {
    const auto deeper = dynamic_layout::open(lists(depth));
    ASSERT_TRUE(deeper) << deeper.error().message();
    const auto rejected = schema_for(*deeper);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code(), ingot::errc::too_deep);
  }
}

} // namespace schema_for_test
