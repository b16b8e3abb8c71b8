// SPDX-License-Identifier: Apache-2.0
// A message of known size needs no allocation. If it does not fit, the buffer reports that and is
// unchanged.
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/core/sink.hpp>

#include <type_traits>

#include <gtest/gtest.h>

namespace {

using ingot::fixed_buffer;

TEST(fixed_buffer, takes_exactly_its_capacity) {
  fixed_buffer<4> bytes;
  EXPECT_EQ(bytes.prepare(4).size(), 4U);
  bytes.commit(4);
  EXPECT_EQ(bytes.size(), 4U);
  EXPECT_TRUE(bytes.prepare(1).empty());
  EXPECT_EQ(bytes.size(), 4U);
}

TEST(fixed_buffer, rejects_what_does_not_fit_and_keeps_its_content) {
  fixed_buffer<4> bytes;
  bytes.prepare(2)[0] = std::byte{7};
  bytes.commit(2);
  EXPECT_TRUE(bytes.prepare(3).empty());
  EXPECT_EQ(bytes.prepare(2).size(), 2U);
  EXPECT_EQ(bytes[0], std::byte{7});
  bytes.clear();
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.prepare(4).size(), 4U);
}

TEST(fixed_buffer, free_bytes_follow_the_content) {
  fixed_buffer<8> bytes;
  bytes.commit(3);
  EXPECT_EQ(bytes.prepare(1).data(), bytes.data() + 3);
  EXPECT_EQ(bytes.end() - bytes.begin(), 3);
}

TEST(fixed_buffer, compares_content_and_no_free_bytes) {
  fixed_buffer<4> a;
  fixed_buffer<4> b;
  a.prepare(2)[0] = std::byte{1};
  b.prepare(2)[0] = std::byte{1};
  a.prepare(2)[1] = std::byte{2};
  b.prepare(2)[1] = std::byte{3};
  a.commit(1);
  b.commit(1);
  EXPECT_EQ(a, b);
  a.commit(1);
  b.commit(1);
  EXPECT_NE(a, b);
}

TEST(fixed_buffer, of_no_bytes_is_allowed) {
  fixed_buffer<0> none;
  EXPECT_TRUE(none.prepare(1).empty());
  EXPECT_EQ(none.capacity(), 0U);
}

TEST(fixed_buffer, is_a_trivially_copyable_direct_sink) {
  static_assert(std::is_trivially_copyable_v<fixed_buffer<16>>);
  static_assert(ingot::direct_sink<fixed_buffer<16>> && ingot::byte_range<fixed_buffer<16>>);
  static_assert([] {
    fixed_buffer<2> bytes;
    bytes.prepare(1)[0] = std::byte{5};
    bytes.commit(1);
    return bytes[0] == std::byte{5};
  }());
}

} // namespace
