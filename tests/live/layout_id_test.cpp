// SPDX-License-Identifier: Apache-2.0
// The memory layout of a type as a number: equal for equal layouts, different for each layout that
// would be read wrongly.
#include <ingot/live/detail/layout_id.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace layout_id_test {

using ingot::narrow_policy;
using ingot::detail::layout_id;

struct base {
  std::uint32_t a;
  ingot::string b;
};
namespace elsewhere {
struct renamed {
  std::uint32_t a;
  ingot::string b;
};
} // namespace elsewhere
struct reordered {
  ingot::string b;
  std::uint32_t a;
};
struct widened {
  std::uint64_t a;
  ingot::string b;
};
struct padded {
  alignas(16) std::uint32_t a;
  ingot::string b;
};
struct listed {
  std::uint32_t a;
  ingot::vector<char> b;
  std::uint64_t filler;
};
struct nested_one {
  std::uint32_t a;
  ingot::vector<ingot::vector<std::uint32_t>> b;
};
struct nested_two {
  std::uint32_t a;
  ingot::vector<ingot::vector<std::uint64_t>> b;
};
struct arrays_two {
  std::array<std::uint32_t, 2> a;
};
struct arrays_three {
  std::array<std::uint32_t, 3> a;
};
struct paired {
  std::pair<std::uint32_t, std::uint32_t> a;
};
struct tree {
  ingot::vector<tree> children;
  std::uint32_t a;
};
struct bush {
  ingot::vector<bush> children;
  std::uint64_t a;
};

TEST(live_layout_id, is_of_the_layout_and_not_of_names) {
  EXPECT_EQ((layout_id<base, narrow_policy>()), (layout_id<elsewhere::renamed, narrow_policy>()));
  EXPECT_EQ((layout_id<base, narrow_policy>()), (layout_id<base, narrow_policy>()));
  EXPECT_NE((layout_id<base, narrow_policy>()), 0U);
}

TEST(live_layout_id, differs_where_bytes_would_be_read_wrongly) {
  const std::set<std::uint64_t> all{
      layout_id<base, narrow_policy>(),          layout_id<reordered, narrow_policy>(),
      layout_id<widened, narrow_policy>(),       layout_id<padded, narrow_policy>(),
      layout_id<listed, narrow_policy>(),        layout_id<nested_one, narrow_policy>(),
      layout_id<nested_two, narrow_policy>(),    layout_id<arrays_two, narrow_policy>(),
      layout_id<arrays_three, narrow_policy>(),  layout_id<paired, narrow_policy>(),
      layout_id<tree, narrow_policy>(),          layout_id<bush, narrow_policy>(),
      layout_id<std::uint32_t, narrow_policy>(), layout_id<float, narrow_policy>()};
  EXPECT_EQ(all.size(), 14U);
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(live_layout_id, differs_between_widths_of_offsets) {
  EXPECT_NE((layout_id<arrays_two, narrow_policy>()), (layout_id<arrays_two, ingot::wide_policy>()));
  const ingot::live<arrays_two> narrow;
  EXPECT_EQ(ingot::wide::live<arrays_two>::open(narrow.bytes()).error().code(), ingot::errc::layout_mismatch);
}
#endif

TEST(live_layout_id, two_types_of_one_layout_and_schema_open_each_other) {
  ingot::live<base> block;
  block->a = 7;
  block->b.assign("a text of some length");
  const auto opened = ingot::live<elsewhere::renamed>::open(block.bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ((*opened)->b, "a text of some length");
  EXPECT_EQ(ingot::live<widened>::open(block.bytes()).error().code(), ingot::errc::schema_mismatch);
  // The same members for a schema, but another layout.
  EXPECT_EQ(ingot::live<padded>::open(block.bytes()).error().code(), ingot::errc::layout_mismatch);
}

} // namespace layout_id_test
