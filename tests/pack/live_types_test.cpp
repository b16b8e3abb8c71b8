// SPDX-License-Identifier: Apache-2.0
// Live types can be packed: a struct of std:: members and its live twin have one schema and the
// same bytes, in both profiles and both directions.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema_id.hpp>

#include "zoo/live.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace live_types_test {

static_assert(ingot::schema_id<zoo::cabinet> == ingot::schema_id<zoo::live_cabinet>);

TEST(pack_live_types, twins_pack_to_the_same_bytes) {
  const auto source = zoo::make_cabinet();
  const ingot::live<zoo::live_cabinet> live(source);
  const auto expected = ingot::pack(source);
  const auto packed = ingot::pack(*live);
  ASSERT_TRUE(expected && packed);
  EXPECT_TRUE(std::ranges::equal(*expected, *packed));
  const auto small = ingot::compact::pack(source);
  const auto compact = ingot::compact::pack(*live);
  ASSERT_TRUE(small && compact);
  EXPECT_TRUE(std::ranges::equal(*small, *compact));
}

TEST(pack_live_types, packed_bytes_unpack_into_a_block) {
  const auto source = zoo::make_cabinet();
  const ingot::live<zoo::live_cabinet> expected(source);
  ingot::live<zoo::live_cabinet> live;
  const auto packed = ingot::pack(source);
  ASSERT_TRUE(packed);
  const auto read = ingot::unpack_into(*live, *packed);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(live == expected);
  live.compact();
  EXPECT_TRUE(std::ranges::equal(live.bytes(), expected.bytes())) << "a copy of a std:: twin is canonical";

  ingot::live<zoo::live_cabinet> again;
  const auto small = ingot::compact::pack(source);
  ASSERT_TRUE(small);
  const auto expanded = ingot::compact::unpack_into(*again, *small);
  ASSERT_TRUE(expanded) << expanded.error().message();
  EXPECT_TRUE(again == expected);
}

TEST(pack_live_types, views_of_what_was_packed_read_it_in_place) {
  const ingot::live<zoo::live_cabinet> live(zoo::make_cabinet());
  const auto packed = ingot::pack(*live);
  ASSERT_TRUE(packed);
  const auto view = ingot::view<zoo::live_cabinet>::open(*packed);
  ASSERT_TRUE(view) << view.error().message();
  EXPECT_EQ(view->get<"title">(), "a title that is longer than eleven characters");
  EXPECT_EQ(view->get<"cards">()[1].get<"of">(), zoo::suit::spades);
}

TEST(pack_live_types, a_full_block_is_an_error_and_not_an_exception) {
  alignas(16) static std::byte memory[2048];
  auto live = ingot::live<zoo::live_cabinet>::in(memory);
  ASSERT_TRUE(live);
  const auto packed = ingot::pack(zoo::make_cabinet());
  ASSERT_TRUE(packed);
#if INGOT_EXCEPTIONS
  const auto read = ingot::unpack_into(**live, *packed);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ingot::errc::no_memory);
#endif
}

} // namespace live_types_test
