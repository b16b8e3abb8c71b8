// SPDX-License-Identifier: Apache-2.0
// The buffer of writers of messages: what it contains after each operation, and what it throws.
#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/growing_buffer.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace growing_buffer_test {

using ingot::detail::growing_buffer;

std::string text_of(const growing_buffer& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(growing_buffer, appends_and_takes) {
  growing_buffer bytes;
  bytes.append(std::string_view("abc"));
  bytes.append(std::string_view());
  bytes.push_back(std::byte{'d'});
  EXPECT_EQ(text_of(bytes), "abcd");
  const ingot::buffer taken = bytes.take();
  EXPECT_TRUE(bytes.empty());
  EXPECT_TRUE(taken == ingot::as_bytes_view(std::string_view("abcd")));
}

TEST(growing_buffer, new_bytes_are_zero_also_where_others_were) {
  growing_buffer bytes(3);
  EXPECT_EQ(text_of(bytes), std::string(3, '\0'));
  bytes.append(std::string_view("abc"));
  bytes.resize(4);
  bytes.resize(6);
  EXPECT_EQ(text_of(bytes), std::string("\0\0\0a\0\0", 6));
  bytes.resize(0);
  EXPECT_TRUE(bytes.empty());
}

TEST(growing_buffer, zeros_are_inserted_at_the_beginning_inside_and_at_the_end) {
  growing_buffer bytes;
  bytes.append(std::string_view("ab"));
  bytes.insert_zeros(2, 1);
  bytes.insert_zeros(1, 2);
  bytes.insert_zeros(0, 1);
  EXPECT_EQ(text_of(bytes), std::string("\0a\0\0b\0", 6));
}

#if INGOT_EXCEPTIONS
TEST(growing_buffer, without_memory_throws_and_keeps_its_bytes) {
  growing_buffer bytes;
  bytes.append(std::string_view("abc"));
  EXPECT_THROW(bytes.resize(std::numeric_limits<std::size_t>::max() - 16), std::bad_alloc);
  EXPECT_EQ(text_of(bytes), "abc");
}
#endif

TEST(buffer, equals_any_bytes_of_the_same_value) {
  ingot::buffer bytes;
  ASSERT_TRUE(bytes.append(ingot::as_bytes_view(std::string_view("ab"))));
  EXPECT_TRUE(bytes == (std::vector<std::byte>{std::byte{'a'}, std::byte{'b'}}));
  EXPECT_FALSE(bytes == (std::vector<std::byte>{std::byte{'a'}}));
  EXPECT_TRUE(ingot::buffer() == ingot::bytes_view());
}

} // namespace growing_buffer_test
