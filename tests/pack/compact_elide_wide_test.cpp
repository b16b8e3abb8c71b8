// SPDX-License-Identifier: Apache-2.0
// Many omitted members: the mask of a record with the maximum number of members.
#include <ingot/pack/compact_view.hpp>

#include "compact_expect.hpp"

#include <gtest/gtest.h>

namespace elided {

/// 128 members.
struct wide {
#define ROW(a) std::uint8_t a##0 = 0, a##1 = 1, a##2 = 2, a##3 = 3, a##4 = 4, a##5 = 5, a##6 = 6, a##7 = 7;
  ROW(a)
  ROW(b) ROW(c) ROW(d) ROW(e) ROW(f) ROW(g) ROW(h) ROW(i) ROW(j) ROW(k) ROW(l) ROW(m) ROW(n) ROW(o) ROW(p)
#undef ROW
};

} // namespace elided

template <>
inline constexpr auto ingot::annotations<elided::wide> = ingot::annotate(ingot::type(ingot::elide_defaults));

namespace compact_elide_wide_test {

using compact_test::expect_bytes;

TEST(compact_elide, a_hundred_and_twenty_eight_members_have_sixteen_bytes_of_mask) {
  elided::wide value;
  expect_bytes(value, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  value.p7 = 9;
  value.b0 = 4;
  expect_bytes(value, "00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 80 04 09");
  const auto bytes = ingot::compact::pack(value);
  const auto seen = ingot::compact::view<elided::wide>::open(bytes);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->get<"p7">(), 9);
  EXPECT_EQ(seen->get<"b0">(), 4);
  EXPECT_EQ(seen->get<"p6">(), 6);
}

} // namespace compact_elide_wide_test
