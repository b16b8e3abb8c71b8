// SPDX-License-Identifier: Apache-2.0
// The position of a block's bytes must not matter. With nothing readable before or after them,
// whole, cut or damaged, no other byte is read. This also holds for optimised code, which no
// sanitizer checks.
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "hostile/fenced_pages.hpp"
#include "live/dice.hpp"
#include "live/offering.hpp"
#include "live/operations.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace live_placement_test {

using namespace live_test;
using ingot::errc;

/// Something of every container. The last member is a container of texts, because the end of a
/// block is read in steps of 16 bytes, if anything is.
template <class P>
struct store {
  using text = ingot::basic_string<char, P>;
  ingot::basic_vector<std::uint64_t, P> numbers;
  ingot::basic_vector<bool, P> bits;
  ingot::basic_map<std::uint32_t, text, P> map;
  ingot::basic_set<text, P> set;
  ingot::basic_multimap<std::uint16_t, std::uint8_t, P> multimap;
  ingot::basic_hash_map<text, std::uint32_t, P> hash_map;
  ingot::basic_hash_set<std::uint64_t, P> hash_set;
  ingot::basic_flat_map<text, std::uint16_t, P> flat_map;
  ingot::basic_flat_set<std::int32_t, P> flat_set;
  ingot::basic_optional<text, P> maybe;
  ingot::basic_variant<P, std::uint32_t, text> choice;
  ingot::basic_box<text, P> box;
  ingot::basic_queue<std::uint16_t, P> queue;
  ingot::basic_pool<text, P> pool;
  ingot::basic_vector<text, P> texts;
};

std::string text(std::size_t i) {
  return i % 2 == 0 ? "t" + std::to_string(i) : "a text of more than eleven " + std::to_string(i);
}
template <class P>
void fill(store<P>& root) {
  for (std::uint8_t i = 0; i < 5; ++i) {
    root.numbers.push_back(i * 1'000'000'007ULL);
    root.bits.push_back(i % 3 == 0);
    root.map.try_emplace(i * 3U, text(i));
    root.set.insert(text(i));
    root.multimap.emplace(static_cast<std::uint16_t>(i / 2), i);
    root.hash_map.try_emplace(text(i), i);
    root.hash_set.insert(i * 7U);
    root.flat_map.try_emplace(text(i), i);
    root.flat_set.insert(i * 7 - 10);
    root.queue.push_back(i);
    static_cast<void>(root.pool.add(text(i)));
    root.texts.emplace_back(text(i));
  }
  root.maybe.emplace(text(7));
  root.choice.template emplace<1>(text(9));
  root.box.emplace(text(11));
  root.queue.pop_front();
}
template <class P>
void edit(store<P>& root) {
  root.map.erase(6U), root.set.erase(text(3)), root.hash_map.erase(text(3)), root.flat_map.erase(text(1));
  root.pool.erase(root.pool.begin());
  root.texts.erase(root.texts.begin());
  root.texts.emplace_back(text(13));
}

/// A block can only be read in place at a multiple of 16. To end where its memory ends, its length
/// must be a multiple of 16, too.
template <class Block>
[[nodiscard]] bool ends_at_a_multiple_of_16(Block& block, bool compact) {
  for (int tries = 0; tries < 20; ++tries) {
    if (compact) block.compact();
    if (block.bytes().size() % 16 == 0) return true;
    block->numbers.push_back(static_cast<std::uint64_t>(tries));
  }
  return false;
}
template <class P>
[[nodiscard]] std::vector<byte_vector> stores() {
  ingot::basic_live<store<P>, P> block;
  fill(*block);
  EXPECT_TRUE(ends_at_a_multiple_of_16(block, true));
  std::vector<byte_vector> all{bytes_of(block)};
  edit(*block);
  EXPECT_TRUE(ends_at_a_multiple_of_16(block, false));
  all.push_back(bytes_of(block));
  return all;
}

/// All ways to read bytes, and to work on them in place.
template <class P>
bool use(std::span<std::byte> bytes) {
  using block = ingot::basic_live<store<P>, P>;
  using view = ingot::basic_live_view<store<P>, P>;
  static_cast<void>(ingot::peek(bytes));
  const auto copied = block::open(bytes);
  const auto seen = view::open(bytes);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 != 0) {
    EXPECT_TRUE(!seen && seen.error().code() == errc::misaligned);
    return copied.has_value();
  }
  EXPECT_EQ(seen.has_value(), copied.has_value());
  if (seen) {
    effort e;
    e.texts = 20;
    read(**seen, e);
  }
  auto here = block::open_in_place(bytes);
  EXPECT_EQ(here.has_value(), copied.has_value());
  if (here) exercise(*here);
  return copied.has_value();
}

template <class P>
void nothing_else_is_read() {
  const hostile::fenced_pages pages(8192);
  ASSERT_TRUE(pages.ready());
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (const auto& bytes : stores<P>()) {
    ASSERT_LE(bytes.size(), 8192U);
    EXPECT_TRUE(use<P>(pages.at_begin(bytes)));
    EXPECT_TRUE(use<P>(pages.at_end(bytes)));
    // Cut, with the original header and with a header that gives the new length.
    for (std::size_t n = 0; n < bytes.size() && !testing::Test::HasFailure(); n += sampled() ? 13 : 1) {
      SCOPED_TRACE(n);
      auto cut = byte_vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      EXPECT_FALSE(use<P>(pages.at_end(cut)));
      cut.resize(n / 16 * 16);
      const std::uint64_t used = cut.size();
      if (used >= 32) std::memcpy(cut.data() + 24, &used, sizeof used);
      static_cast<void>(use<P>(pages.at_end(cut)));
      static_cast<void>(use<P>(pages.at_begin(cut)));
    }
    for (std::size_t bit = 0; bit < 8 * bytes.size() && !testing::Test::HasFailure();
         bit += sampled() ? 37 : 3) {
      SCOPED_TRACE(bit);
      auto damaged = bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      ++(use<P>(bit % 2 == 0 ? pages.at_end(damaged) : pages.at_begin(damaged)) ? accepted : rejected);
    }
    dice random(5);
    for (std::size_t i = 0; i < (sampled() ? 200U : 3'000U) && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(i);
      auto damaged = bytes;
      for (auto changes = random() % 4 + 1; changes != 0; --changes) {
        const std::size_t at = 64 + random() % (bytes.size() - 64);
        if (random() % 2 == 0) damaged[at] = static_cast<std::byte>(random());
        else std::memcpy(damaged.data() + at / 4 * 4, bytes.data() + random() % (bytes.size() / 4) * 4, 4);
      }
      ++(use<P>(pages.at_end(damaged)) ? accepted : rejected);
    }
  }
  EXPECT_GT(accepted, 50U);
  EXPECT_GT(rejected, 50U);
}

TEST(live_placement, between_unmapped_pages_nothing_outside_is_read_or_written) {
  nothing_else_is_read<ingot::narrow_policy>();
}
#if SIZE_MAX > 0xFFFFFFFF
TEST(live_placement, of_wide_blocks_between_unmapped_pages_nothing_outside_is_read_or_written) {
  nothing_else_is_read<ingot::wide_policy>();
}
#endif

/// The last storage in a block is read in steps: texts of every length, and tables of every number
/// of keys.
TEST(live_placement, what_is_last_in_a_block_is_read_to_its_end_and_no_further) {
  struct tail {
    std::uint64_t before = 1;
    ingot::vector<std::uint64_t> numbers;
    ingot::hash_map<ingot::string, std::uint8_t> table;
    ingot::map<std::uint8_t, std::uint8_t> tree;
    ingot::flat_set<std::uint8_t> flat;
    ingot::string text;
  };
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  for (std::uint8_t n = 0; n <= 40 && !HasFailure(); ++n) {
    for (int which = 0; which < 4; ++which) {
      SCOPED_TRACE(testing::Message() << int{n} << " in " << which);
      ingot::live<tail> block;
      const auto key = [](std::uint8_t i) { return std::string(1, static_cast<char>('A' + i)); };
      for (std::uint8_t i = 0; i < n; ++i) {
        if (which == 0) block->table.try_emplace(key(i), i);
        if (which == 1) block->tree.try_emplace(i, i);
        if (which == 2) block->flat.insert(i);
        if (which == 3) block->text.push_back('x');
      }
      block.compact();
      if (block.bytes().size() % 16 != 0) block->numbers = {1, 2}, block.compact(); // 24 bytes more
      ASSERT_EQ(block.bytes().size() % 16, 0U);
      const auto here = pages.at_end(bytes_of(block));
      const auto view = ingot::live_view<tail>::open(here);
      ASSERT_TRUE(view.has_value()) << view.error().message();
      for (std::uint8_t i = 0; i < 60; ++i) {
        EXPECT_EQ((*view)->table.contains(key(i)), which == 0 && i < n);
        EXPECT_EQ((*view)->tree.contains(i), which == 1 && i < n);
        EXPECT_EQ((*view)->flat.contains(i), which == 2 && i < n);
      }
      EXPECT_EQ((*view)->text, std::string(which == 3 ? n : 0, 'x'));
      EXPECT_EQ((*view)->text.find("y"), std::string::npos);
    }
  }
}

} // namespace live_placement_test
