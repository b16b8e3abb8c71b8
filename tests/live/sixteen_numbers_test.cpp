// SPDX-License-Identifier: Apache-2.0
#include <ingot/live/detail/register_block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace {

namespace detail = ingot::detail;

template <class Number>
struct row {
  std::array<Number, 18> all; // the first and the last do not belong to the row
  row() {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Number>(3 * i + 1);
  }
  std::byte* numbers() { return reinterpret_cast<std::byte*>(all.data() + 1); }
};

template <class Number>
void moves_following_numbers() {
  constexpr Number filling = std::numeric_limits<Number>::max();
  for (std::size_t i = 0; i < 16; ++i) {
    SCOPED_TRACE(i);
    row<Number> changed, expected;
    for (std::size_t j = 15; j > i; --j) expected.all[j + 1] = expected.all[j];
    expected.all[i + 1] = 100;
    detail::insert_into_sixteen<Number>(changed.numbers(), i, 100);
    EXPECT_EQ(changed.all, expected.all);

    for (std::size_t j = i; j < 15; ++j) expected.all[j + 1] = expected.all[j + 2];
    expected.all[16] = filling;
    detail::erase_from_sixteen<Number>(changed.numbers(), i, filling);
    EXPECT_EQ(changed.all, expected.all);
  }
}

// Every leaf of a tree with numbers as keys is changed by these moves: a move that is off by one
// loses a key, or writes into the values.
TEST(live_sixteen_numbers, insertion_and_erasure_move_the_rest_at_every_position) {
  moves_following_numbers<std::uint8_t>();
  moves_following_numbers<std::uint16_t>();
  moves_following_numbers<std::uint32_t>();
  moves_following_numbers<std::uint64_t>();
}

} // namespace
