// SPDX-License-Identifier: Apache-2.0
// Readers fill flat containers with keys in descending order: few comparisons, and few moves.
// tests/json/flat_containers_test.cpp tests the values of all kinds.
#include <ingot/document/document.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "flat_shapes.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace flat_moves_test {

using flat_shapes::moved;
using flat_shapes::shape;

std::uint64_t comparisons = 0;
struct counting_greater {
  bool operator()(int a, int b) const noexcept {
    ++comparisons;
    return a > b;
  }
};

/// A key whose moves blocks count.
struct counted {
  std::uint32_t number = 0;
  friend auto operator<=>(const counted&, const counted&) = default;
};
std::uint64_t moved_in_blocks = 0;

} // namespace flat_moves_test

template <>
void ingot::detail::relocate<flat_moves_test::counted>(flat_moves_test::counted* to,
                                                       const flat_moves_test::counted* from,
                                                       std::size_t count) noexcept {
  flat_moves_test::moved_in_blocks += count;
  std::memmove(static_cast<void*>(to), static_cast<const void*>(from), count * sizeof *to);
}

namespace flat_moves_test {

struct ascending {
  std::set<int> set;
  std::map<int, int> map;
};
template <shape Shape>
struct descending {
  flat_shapes::set<int, counting_greater, Shape> set;
  flat_shapes::map<int, int, counting_greater, Shape> map;
};

constexpr int count = 500;

template <class Read>
void expect_few(const Read& read) {
  moved = 0;
  comparisons = 0;
  const auto outcome = read();
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_LE(moved, 2u * count);
  EXPECT_LE(comparisons, 2u * count * 20u);
  ASSERT_EQ(outcome->set.size(), std::size_t{count});
  ASSERT_EQ(outcome->map.size(), std::size_t{count});
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(outcome->set.begin()[i], count - 1 - i);
    EXPECT_EQ(outcome->map.begin()[i].first, count - 1 - i);
    EXPECT_EQ(outcome->map.begin()[i].second, 7 * (count - 1 - i));
  }
}
template <shape Shape>
void expect_few_of_each_reader() {
  ascending source;
  for (int i = 0; i < count; ++i) {
    source.set.insert(i);
    source.map[i] = 7 * i;
  }
  using flat = descending<Shape>;
  const auto packed = ingot::pack(source).value();
  expect_few([&] { return ingot::unpack<flat>(packed); });
  const auto compact = ingot::compact::pack(source).value();
  expect_few([&] { return ingot::compact::unpack<flat>(compact); });
  const auto message = ingot::protobuf::write(source).value();
  expect_few([&] { return ingot::protobuf::read<flat>(message); });
  const ingot::document doc(source);
  expect_few([&] { return doc.root().as<flat>(); });
}

TEST(flat_moves, descending_keys_take_few_moves) {
  expect_few_of_each_reader<shape::bare>();
  expect_few_of_each_reader<shape::standard>();
  expect_few_of_each_reader<shape::sequence>();
}

/// Fields of a message, and a twin that was read from a document, whose order differs.
TEST(flat_moves, descending_keys_move_once_in_blocks) {
  struct twin {
    std::set<counted, std::greater<>> set;
  };
  struct in_block {
    ingot::flat_set<counted> set;
  };
  twin source;
  for (std::uint32_t i = 0; i < 1'000; ++i) source.set.insert({i});
  const auto expect_all = [](const ingot::live<in_block>& block) {
    EXPECT_LT(moved_in_blocks, 4'000u);
    EXPECT_GT(moved_in_blocks, 500u); // the moves are counted
    ASSERT_EQ(block->set.size(), 1'000u);
    for (std::uint32_t i = 0; i < 1'000; ++i) EXPECT_EQ(block->set.keys()[i].number, i);
    EXPECT_TRUE(block.check());
  };
  ingot::live<in_block> block;
  moved_in_blocks = 0;
  ASSERT_TRUE(ingot::protobuf::read_into(*block, ingot::protobuf::write(source).value()));
  expect_all(block);
  const auto read = ingot::document(source).root().as<twin>();
  ASSERT_TRUE(read);
  moved_in_blocks = 0;
  expect_all(ingot::live<in_block>(*read));
}

/// Integers in the order of packed bytes, which readers insert without a check of their order.
TEST(flat_moves, ascending_integers_move_nothing) {
  struct flat {
    flat_shapes::set<int> set;
    flat_shapes::map<int, int> map;
  };
  static_assert(ingot::detail::ascends_by_number<decltype(flat::set)>);
  static_assert(!ingot::detail::ascends_by_number<flat_shapes::set<int, counting_greater>>);
  static_assert(!ingot::detail::ascends_by_number<flat_shapes::set<char>>);
  ascending source;
  for (int i = -count; i < count; ++i) {
    source.set.insert(i);
    source.map[i] = 7 * i;
  }
  moved = 0;
  const auto check = [&](const auto& outcome) {
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_TRUE(std::ranges::equal(outcome->set, source.set));
    ASSERT_EQ(outcome->map.size(), source.map.size());
    for (const auto [key, value] : outcome->map) EXPECT_EQ(value, 7 * key);
    EXPECT_EQ(moved, 0u);
  };
  check(ingot::unpack<flat>(ingot::pack(source).value()));
  check(ingot::compact::unpack<flat>(ingot::compact::pack(source).value()));
}

} // namespace flat_moves_test
