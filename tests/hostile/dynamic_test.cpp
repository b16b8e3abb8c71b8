// SPDX-License-Identifier: Apache-2.0
// Damaged descriptions of layouts and damaged blocks, separately and together, with all checksums
// recomputed. If the damaged bytes are accepted, every query stays within the block.
#include "dynamic/hostile.hpp"
#include "dynamic/zoo.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hostile_dynamic {

using namespace dynamic_zoo;
using dynamic_hostile::copy;
using ingot::narrow_policy;
using byte_vector = std::vector<std::byte>;

[[nodiscard]] bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

class damage {
public:
  damage(ingot::bytes_view description, ingot::bytes_view block)
      : description_(copy(description)), block_(copy(block)) {}

  /// Replaces one byte of the description.
  void bytes_of_the_description() {
    const std::size_t step = sampled() ? 11 : 1;
    for (std::size_t at = first(); at < end(); at += step) {
      const std::byte whole = description_[at];
      for (const unsigned value : {0U, 1U, 2U, 127U, 128U, 255U, 33U + static_cast<unsigned>(at % 15)}) {
        byte_vector other = description_;
        other[at] = static_cast<std::byte>(value);
        if (other[at] != whole) offer(other, block_);
      }
    }
  }
  /// Removes, duplicates or moves pieces of the description.
  void pieces_of_the_description(std::size_t count) {
    for (std::size_t i = 0; i < share(count); ++i) {
      byte_vector other = description_;
      const std::size_t at = first() + dice_() % (end() - first());
      const std::size_t size = dice_() % 12 + 1;
      const auto begin = other.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = begin + static_cast<std::ptrdiff_t>(std::min(size, end() - at));
      const byte_vector piece(begin, last);
      switch (dice_() % 3) {
      case 0: other.erase(begin, last); break;
      case 1: other.insert(begin, piece.begin(), piece.end()); break;
      default: {
        const std::size_t to = first() + dice_() % (end() - first() - piece.size() + 1);
        std::copy(piece.begin(), piece.end(), other.begin() + static_cast<std::ptrdiff_t>(to));
      }
      }
      offer(other, block_);
    }
  }
  /// Flips a few bits in the description and in the block.
  void bits_of_both(std::size_t count) {
    for (std::size_t i = 0; i < share(count); ++i) {
      byte_vector other = description_;
      byte_vector block = block_;
      for (auto n = dice_() % 3; n != 0; --n)
        other[first() + dice_() % (end() - first())] ^= std::byte{1} << dice_() % 8;
      for (auto n = dice_() % 4; n != 0; --n)
        block[64 + dice_() % (block.size() - 64)] ^= std::byte{1} << dice_() % 8;
      offer(other, block);
    }
  }

  std::size_t tried = 0;
  std::size_t layouts = 0;
  std::size_t blocks = 0;

private:
  [[nodiscard]] static std::size_t first() { return ingot::detail::dyn::layout_head; }
  [[nodiscard]] std::size_t end() const { return description_.size() - 8; }
  [[nodiscard]] static std::size_t share(std::size_t count) { return sampled() ? count / 8 : count; }
  void offer(const byte_vector& description, const byte_vector& block) {
    const auto outcome = dynamic_hostile::read_anything(description, block);
    ++tried;
    layouts += outcome.layout ? 1 : 0;
    blocks += outcome.block ? 1 : 0;
    EXPECT_EQ(outcome.failure, "") << "at " << tried;
  }

  byte_vector description_;
  byte_vector block_;
  live_test::dice dice_{11};
};

template <class T>
void damage_all() {
  ingot::live<T> block;
  fill(*block);
  damage all(ingot::layout_of<T>(), block.bytes());
  all.bytes_of_the_description();
  all.pieces_of_the_description(2000);
  all.bits_of_both(3000);
  // Some of both have to be accepted, or the test has checked nothing.
  EXPECT_GT(all.layouts, all.tried / 50);
  EXPECT_GT(all.blocks, all.tried / 200);
  EXPECT_LT(all.layouts, all.tried);
}

TEST(hostile_dynamic, damaged_scalars_are_safe_to_read) { damage_all<scalars>(); }
TEST(hostile_dynamic, damaged_singles_are_safe_to_read) { damage_all<singles<narrow_policy>>(); }
TEST(hostile_dynamic, damaged_trees_are_safe_to_read) { damage_all<trees<narrow_policy>>(); }
TEST(hostile_dynamic, damaged_tables_are_safe_to_read) { damage_all<tables<narrow_policy>>(); }
TEST(hostile_dynamic, damaged_rings_are_safe_to_read) { damage_all<rings<narrow_policy>>(); }
TEST(hostile_dynamic, damaged_branches_are_safe_to_read) { damage_all<branch<narrow_policy>>(); }
TEST(hostile_dynamic, damaged_limits_are_safe_to_read) { damage_all<limited>(); }

} // namespace hostile_dynamic
