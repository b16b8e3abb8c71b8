// SPDX-License-Identifier: Apache-2.0
// A box in a block is a deep std::unique_ptr of 4 bytes: lists and trees of boxes are edited,
// copied, validated and freed without a stack as deep as they are.
#include <ingot/live/box.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace box_test {

using ingot::box;
using ingot::optional;
using ingot::string;
using ingot::vector;

struct part {
  string name;
  std::uint64_t number = 3;
};
struct part_std {
  std::string name;
  std::uint64_t number = 3;
};
struct model {
  box<int> number;
  box<part> piece;
  vector<box<part>> pieces;
  optional<vector<box<part>>> more;
  box<box<string>> twice;
};
struct model_std {
  std::unique_ptr<int> number;
  std::optional<part_std> piece;
  std::vector<std::unique_ptr<part_std>> pieces;
  std::optional<std::vector<std::optional<part_std>>> more;
  std::unique_ptr<std::unique_ptr<std::string>> twice;
};

/// `next` precedes the member that is read after it.
struct link {
  box<link> next;
  int value = 0;
};
struct tree {
  string name;
  box<tree> left;
  box<tree> right;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

model_std sample() {
  model_std filled;
  filled.number = std::make_unique<int>(5);
  filled.piece = part_std{long_text, 9};
  filled.pieces.push_back(std::make_unique<part_std>(part_std{"one", 1}));
  filled.pieces.push_back(nullptr);
  filled.more = std::vector<std::optional<part_std>>{part_std{long_text, 2}, std::nullopt};
  filled.twice = std::make_unique<std::unique_ptr<std::string>>(std::make_unique<std::string>("two"));
  return filled;
}

static_assert(sizeof(box<part>) == 4 && sizeof(ingot::wide::box<part>) == 8);
static_assert(ingot::kind_of<box<part>> == ingot::kind::optional);
static_assert(!std::is_copy_constructible_v<box<int>> && !std::is_move_constructible_v<box<int>>);

TEST(live_box, takes_the_twin_whole) {
  const ingot::live<model> live(sample());
  EXPECT_EQ(*live->number, 5);
  EXPECT_EQ(live->piece->name, long_text);
  EXPECT_EQ(live->pieces[0]->number, 1U);
  EXPECT_EQ(live->pieces[1], nullptr);
  EXPECT_EQ((*live->more)[0]->name, long_text);
  EXPECT_EQ(**live->twice, "two");
  EXPECT_TRUE(ingot_test::is_canonical(live));
  ingot_test::expect_whole(live);
  ingot_test::expect_whole(ingot::live<model>());
}

TEST(live_box, owns_its_object) {
  ingot::live<model> live;
  EXPECT_FALSE(live->number);
  EXPECT_EQ(live->number.get(), nullptr);
  EXPECT_EQ(live->number.emplace(4), 4);
  EXPECT_EQ(live->number, 4);
  live->number = 6;
  EXPECT_EQ(*live->number.get(), 6);
  live->piece.emplace(long_text, 1U);
  EXPECT_EQ(live->piece.emplace().number, 3U);
  live->piece = part_std{long_text, 8};
  live->pieces.emplace_back(live->piece);
  EXPECT_EQ(live->pieces[0], live->piece);
  live->pieces[0]->number = 9;
  EXPECT_NE(live->pieces[0], live->piece);
  ingot_test::expect_whole(live);
  live->number.reset();
  live->piece = nullptr;
  live->pieces.clear();
  live->pieces.shrink_to_fit();
  ingot_test::expect_nothing_left(live);
}

TEST(live_box, compares_as_its_object_does) {
  ingot::live<model> live;
  live->twice.emplace().emplace("a");
  EXPECT_EQ(**live->twice, "a");
  EXPECT_EQ(live->twice, std::make_unique<std::unique_ptr<std::string>>(std::make_unique<std::string>("a")));
  ingot::live<vector<box<int>>> numbers(std::vector<int>{3, 1, 2});
  numbers->emplace_back();
  numbers->sort();
  EXPECT_EQ((*numbers)[0], nullptr);
  EXPECT_EQ((*numbers)[1], 1);
  EXPECT_EQ((*numbers)[3], std::optional<int>(3));
  EXPECT_NE((*numbers)[0], std::optional<int>(3));
}

TEST(live_box, moves_without_moving_its_object) {
  ingot::live<model> live(sample());
  const void* const object = live->piece.get();
  live->pieces[1] = std::move(live->piece);
  EXPECT_EQ(live->pieces[1].get(), object);
  EXPECT_EQ(live->piece, nullptr);
  live->pieces[1].swap(live->piece);
  EXPECT_EQ(live->piece.get(), object);
  ingot::live<model> other;
  other->piece = std::move(live->piece);
  EXPECT_EQ(other->piece->name, long_text);
  live->piece = live->piece;
  EXPECT_EQ(live->piece->name, long_text);
  ingot_test::expect_whole(live);
}

TEST(live_box, is_assigned_from_within_itself) {
  ingot::live<link> list;
  link* last = &*list;
  for (int i = 0; i < 5; ++i) {
    last->value = i;
    last = &last->next.emplace();
  }
  last->value = 5;
  list->next = std::move(list->next->next); // drops 1
  EXPECT_EQ(list->next->value, 2);
  list->next = list->next->next; // a copy of 3; drops the old 2 and all after it
  EXPECT_EQ(list->next->value, 3);
  EXPECT_EQ(list->next->next->value, 4);
  EXPECT_EQ(list->next->next->next->value, 5);
  EXPECT_EQ(list->next->next->next->next, nullptr);
  ingot_test::expect_whole(list);
  list->next.emplace(std::as_const(*list->next->next));
  EXPECT_EQ(list->next->value, 4);
  ingot_test::expect_whole(list);
}

TEST(live_box, without_space_is_unchanged) {
  std::vector<std::byte> memory(800);
  auto created = ingot::live<model>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& live = *created;
  live->piece.emplace("before", 1U);
  const void* const object = live->piece.get();
  const std::string much(2000, 'x');
  EXPECT_EQ(live->piece.try_emplace(much), nullptr);
  EXPECT_FALSE(live->piece.try_assign(part_std{much, 2}));
  EXPECT_EQ(live->piece.get(), object);
  EXPECT_EQ(live->piece->name, "before");
#if INGOT_EXCEPTIONS
  EXPECT_THROW(live->piece = (part_std{much, 2}), ingot::out_of_space);
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  EXPECT_THROW(live->piece.emplace(throwing{}), int);
  EXPECT_EQ(live->piece->name, "before");
  model outside;
  EXPECT_THROW(outside.number.emplace(1), ingot::out_of_space);
  EXPECT_THROW(outside.number.swap(live->number = 3), ingot::out_of_space);
#endif
  ingot_test::expect_whole(live);
}

TEST(live_box, chains_as_long_as_memory_work_without_a_stack) {
  ingot::live<link> list(ingot::max_block_size{std::size_t{64} << 20});
  link* last = &*list;
  const int links = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 100'000 : 1'000'000;
  for (int i = 0; i < links; ++i) {
    last->value = i;
    last = &last->next.emplace();
  }
  auto opened = ingot::live<link>::open(list.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == list);
  ingot::live<link> copy(ingot::max_block_size{std::size_t{64} << 20});
  *copy = *list;
  EXPECT_TRUE(copy == list);
  EXPECT_TRUE(ingot_test::is_canonical(copy));
  list->next.reset();
  ingot_test::expect_nothing_left(list);
}

TEST(live_box, follows_a_tree_of_unique_ptr) {
  struct node {
    std::string name;
    std::unique_ptr<node> left;
    std::unique_ptr<node> right;
    static bool same(const node& a, const tree& b) {
      return b.name == a.name && (a.left ? b.left && same(*a.left, *b.left) : !b.left) &&
             (a.right ? b.right && same(*a.right, *b.right) : !b.right);
    }
  };
  std::mt19937_64 random(2);
  ingot::live<tree> live;
  node expected;
  const int steps = live_test::operations(5000);
  for (int step = 0; step < steps; ++step) {
    tree* at = &*live;
    node* there = &expected;
    for (auto turns = random() % 12; turns != 0; --turns) {
      const bool left = random() % 2 == 0;
      auto& next = left ? at->left : at->right;
      auto& model_next = left ? there->left : there->right;
      if (!next) {
        next.emplace("new");
        model_next = std::make_unique<node>("new");
      }
      at = next.get();
      there = model_next.get();
    }
    switch (random() % 8) {
    case 0:
      at->left.reset();
      there->left.reset();
      break;
    case 1:
      at->left.swap(at->right);
      std::swap(there->left, there->right);
      break;
    case 2:
      at->left = std::move(at->right);
      there->left = std::move(there->right);
      break;
    case 3:
      if (at->right) {
        at->right = std::move(at->right->left);
        auto moved = std::move(there->right->left);
        there->right = std::move(moved);
      }
      break;
    default: at->name = there->name = std::string(random() % 30, static_cast<char>('a' + random() % 26));
    }
    if (step % 1000 == 0) {
      ASSERT_TRUE(node::same(expected, *live));
      ingot_test::expect_whole(live);
    }
  }
  EXPECT_TRUE(node::same(expected, *live));
  ingot_test::expect_whole(live);
}

TEST(live_box, survives_damage) {
  auto small = sample();
  small.number.reset();
  const ingot::live<model> block(small);
  ingot_test::expect_damage_is_survived(block, [](model& m) {
    m.pieces.emplace_back(m.piece);
    if (m.piece) m.piece->name += long_text;
    m.piece.emplace(long_text, 7U);
    m.pieces[0] = std::move(m.piece);
    m.piece = m.pieces.back();
    m.pieces[0].swap(m.piece);
    for (auto& each : m.pieces) {
      if (each) each->name.append("more and more and more");
      each.reset();
    }
    if (m.more) m.more->emplace_back(m.piece);
    m.more.reset();
    m.number.emplace(5);
    m.twice.emplace().emplace(long_text);
  });
  const ingot::live<link> list([] {
    ingot::live<link> chain;
    chain->next.emplace().next.emplace().value = 4;
    return chain;
  }());
  ingot_test::expect_damage_is_survived(list, [](link& head) {
    link* at = &head;
    for (int i = 0; at->next; ++i) {
      ASSERT_LT(i, 10);
      at = at->next.get();
    }
    at->next.emplace().value = 7;
    if (head.next && head.next->next) head.next = std::move(head.next->next);
    head.next.reset();
  });
}

TEST(live_box, rejects_cycles_shared_objects_and_short_storages) {
  ingot::live<tree> block;
  block->left.emplace("left");
  block->right.emplace("right");
  const auto bytes = ingot_test::bytes_of(block);
  const auto at = [&](const void* member) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - block.bytes().data());
  };
  const auto point = [&](const void* member, const void* target) {
    auto damaged = bytes;
    const auto offset = static_cast<std::int32_t>(at(target) - at(member));
    std::memcpy(damaged.data() + at(member), &offset, sizeof offset);
    return ingot::live<tree>::open(damaged).error();
  };
  EXPECT_EQ(point(&block->right, block->left.get()).code(), ingot::errc::overlap);
  EXPECT_EQ(point(&block->left->left, block->left.get()).code(), ingot::errc::overlap);
  EXPECT_EQ(point(&block->left, &*block).code(), ingot::errc::bad_length);
  auto shorter = bytes;
  shorter[at(block->left.get()) - 8] = std::byte{16};
  EXPECT_EQ(ingot::live<tree>::open(shorter).error().code(), ingot::errc::bad_length);
}

} // namespace box_test
