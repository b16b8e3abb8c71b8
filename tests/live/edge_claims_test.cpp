// SPDX-License-Identifier: Apache-2.0
// The storages of an edited block are claimed by the edges of runs. An error would accept a storage
// that two containers share, or produce a bitmap that calls taken bytes free. Later allocations
// would overwrite both.
#include <ingot/live/detail/edge_claims.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/dice.hpp"
#include "live/offering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace edge_claims_test {

using ingot::detail::bitmap_claims;
using ingot::detail::bitmap_source;
using ingot::detail::edge_claims;

constexpr std::size_t root = 64;

struct dice : live_test::dice {
  using live_test::dice::dice;
  [[nodiscard]] std::size_t below(std::size_t max_size) { return (*this)() % max_size; }
};

/// A bitmap with no more words than it needs, between words that must not change. Bits grow
/// downward, so a storage that reaches beyond the block would write before the bitmap.
class guarded_bitmap {
public:
  explicit guarded_bitmap(std::size_t used) : words_(in_front + (used + 511) / 512 + 1) {}
  [[nodiscard]] std::uint64_t* end() { return words_.data() + words_.size() - 1; }
  [[nodiscard]] bitmap_source source() {
    return {[](void* end) { return static_cast<std::uint64_t*>(end); }, end()};
  }
  [[nodiscard]] std::vector<std::uint64_t> words() const {
    const auto first = words_.begin() + in_front;
    EXPECT_TRUE(std::all_of(words_.begin(), first, [](std::uint64_t word) { return word == 0; }));
    EXPECT_EQ(words_.back(), 0U);
    return {first, words_.end() - 1};
  }

private:
  static constexpr std::ptrdiff_t in_front = 4; // 2,048 bytes of a block
  std::vector<std::uint64_t> words_;
};

using ranges = std::vector<std::pair<std::size_t, std::size_t>>; // position, size

/// The result of taking all ranges in order: success, and the bitmap afterwards. Computed by
/// `bitmap_claims`, which checks each range at once, and by edges.
struct outcome {
  bool taken = false;
  std::vector<std::uint64_t> words;
  bool operator==(const outcome&) const = default;
};
outcome by_bitmap(std::size_t used, const ranges& all) {
  guarded_bitmap bits(used);
  bitmap_claims claims(bits.end());
  bool taken = claims.take(0, root);
  for (const auto& [at, size] : all) taken = taken && claims.take(at, size);
  return {taken, taken ? bits.words() : std::vector<std::uint64_t>{}};
}
outcome by_edges(std::size_t used, const ranges& all) {
  guarded_bitmap bits(used);
  const bitmap_source source = bits.source();
  edge_claims claims(root, used, &source);
  bool taken = true;
  for (const auto& [at, size] : all) taken = taken && claims.take(at, size);
  taken = taken && claims.finish();
  return {taken, taken ? bits.words() : std::vector<std::uint64_t>{}};
}

TEST(live_edge_claims, are_taken_and_rejected_as_those_that_look_at_once) {
  dice roll(1);
  const int rounds = live_test::sampled() ? 2'000 : 40'000;
  std::size_t taken = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::size_t used = root + 8 * roll.below(i % 32 == 0 ? 9'000 : i % 4 == 0 ? 700 : 70);
    // Storages that fill the block up to its end, with gaps, in any order. Some of them are made
    // wrong afterwards.
    ranges all;
    for (std::size_t at = root; used - at >= 16;) {
      const std::size_t size =
          std::min<std::size_t>(16 + 8 * roll.below(roll.below(8) == 0 ? 120 : 6), used - at);
      if (roll.below(5) != 0) all.emplace_back(at, size);
      at += size;
    }
    for (std::size_t k = std::min(all.size(), roll.below(4) == 0 ? all.size() : roll.below(3)); k > 1; --k)
      std::swap(all[k - 1], all[roll.below(k)]);
    if (!all.empty() && i % 2 == 0) {
      for (std::size_t k = 1 + roll.below(2); k != 0; --k) {
        auto& one = all[roll.below(all.size())];
        switch (roll.below(4)) {
        case 0: one = all[roll.below(all.size())]; break;
        case 1: one.second += 8 * (used - one.first - one.second >= 8); break;
        case 2: one.first -= 8; break;
        default: all.push_back(one);
        }
      }
    }
    const outcome expected = by_bitmap(used, all);
    EXPECT_EQ(by_edges(used, all), expected) << i;
    taken += expected.taken;
  }
  EXPECT_GT(taken, static_cast<std::size_t>(rounds) / 4);
  EXPECT_LT(taken, static_cast<std::size_t>(rounds) * 9 / 10);
}

TEST(live_edge_claims, of_the_same_bytes_twice_and_three_times_are_rejected) {
  // Taking a range twice inverts each of its bits twice. Taking it three times leaves the bits that
  // one claim leaves.
  for (std::size_t times = 1; times <= 4; ++times) {
    for (const std::size_t used : {std::size_t{512}, std::size_t{1024}, std::size_t{520}}) {
      ranges all{{used - 32, 32}};
      for (std::size_t i = 1; i < times; ++i) {
        all.emplace_back(root, 16); // so that the next claim is another run
        all.emplace_back(used - 32, 32);
        if (i != 1) all.erase(all.end() - 2);
      }
      EXPECT_EQ(by_edges(used, all).taken, times == 1) << times << ' ' << used;
    }
  }
}

TEST(live_edge_claims, are_never_more_than_the_block) {
  // Without this limit a storage that leads to itself would be walked without end.
  const std::size_t used = 4096;
  guarded_bitmap bits(used);
  const bitmap_source source = bits.source();
  edge_claims claims(root, used, &source);
  std::size_t taken = 0;
  while (taken < used && claims.take(512, 512)) taken += 512;
  EXPECT_LE(taken, used - root);
}

TEST(live_edge_claims, need_no_bitmap_while_all_is_in_order) {
  edge_claims claims(root, 256, nullptr);
  EXPECT_TRUE(claims.take(64, 64));
  EXPECT_TRUE(claims.take_up_to(192));
  EXPECT_FALSE(claims.are_canonical()); // some bytes are not claimed
  EXPECT_TRUE(claims.take(192, 64));
  EXPECT_TRUE(claims.are_canonical());
  edge_claims others(root, 256, nullptr);
  EXPECT_TRUE(others.take(128, 64));
  EXPECT_TRUE(others.are_edited());
  EXPECT_FALSE(others.finish());
}

/// Every type that is validated in runs, mixed with types that are not.
template <template <class> class Vector, class Text, class Sorted, class Hashed>
struct shelf {
  struct book {
    std::uint64_t id;
    bool read;
    Text title;
    Vector<float> marks;
    Vector<Text> authors;
  };
  Vector<book> books;
  Sorted sorted;
  Hashed hashed;
  Text name;
};
using narrow_shelf = shelf<ingot::vector, ingot::string, ingot::map<ingot::string, std::uint64_t>,
                           ingot::hash_map<ingot::string, std::uint64_t>>;
#if SIZE_MAX > 0xFFFFFFFF
using wide_shelf =
    shelf<ingot::wide::vector, ingot::wide::string, ingot::wide::map<ingot::wide::string, std::uint64_t>,
          ingot::wide::hash_map<ingot::wide::string, std::uint64_t>>;
#endif

template <class Shelf>
void fill(Shelf& all, dice& roll, std::size_t books) {
  const auto text = [&roll](std::size_t max_size) {
    return std::string(1 + roll.below(max_size), static_cast<char>('a' + roll.below(26)));
  };
  for (std::size_t i = 0; i < books; ++i) {
    auto& one = all.books.emplace_back();
    one.title = text(30);
    one.marks.resize(roll.below(8));
    for (std::size_t k = roll.below(4); k != 0; --k) one.authors.emplace_back(text(20));
    all.sorted[text(30)] = i;
    all.hashed[text(30)] = i;
  }
  all.name = text(30);
}
template <class Shelf>
void edit(Shelf& all, dice& roll, std::size_t times) {
  const auto text = [&roll](std::size_t max_size) {
    return std::string(1 + roll.below(max_size), static_cast<char>('a' + roll.below(26)));
  };
  for (; times != 0; --times) {
    auto& one = all.books[roll.below(all.books.size())];
    switch (roll.below(6)) {
    case 0: one.title += text(40); break;
    case 1: one.marks.push_back(1); break;
    case 2: one.authors.emplace_back(text(20)); break;
    case 3: one.authors.clear(); break; // keeps its storage
    case 4: one.marks.clear(); break;
    default: all.sorted[text(40)] = all.hashed[text(40)] = times;
    }
  }
}

template <class T, class P>
class three_ways {
public:
  /// Compares validation by edges, by the walk that finds the reason, and by the allocator's
  /// bitmap: all must agree.
  static bool agree(const live_test::byte_vector& bytes) {
    using namespace ingot::detail;
    guarded_bitmap looked(bytes.size());
    pending_error err;
    ingot::detail::progress_poll poll;
    const bool expected = validate_by_bitmap<T, P>(bytes.data(), bytes.size(), looked.end(), err, poll);
    guarded_bitmap edges(bytes.size());
    const bitmap_source source = edges.source();
    const block_state found = validate_by_edges<T, P>(bytes.data(), bytes.size(), &source);
    static_cast<void>(edges.words()); // whatever is found, nothing outside the bitmap is written
    EXPECT_EQ(found != block_state::none, expected);
    EXPECT_EQ(found == block_state::canonical, (is_canonical_block<T, P>(bytes.data(), bytes.size())));
    if (found == block_state::edited) {
      EXPECT_EQ(edges.words(), looked.words());
    }
    return expected;
  }
};

template <class Live>
void edited_blocks_pass_three_walks() {
  using type = typename Live::value_type;
  using policy = typename decltype(type::name)::live_policy;
  using walks = three_ways<type, policy>;
  dice roll(3);
  const int blocks = live_test::sampled() ? 6 : 60;
  for (int i = 0; i < blocks; ++i) {
    Live block;
    fill(*block, roll, 1 + roll.below(12));
    if (i % 3 != 2) block.compact();
    edit(*block, roll, static_cast<std::size_t>(i % 6));
    const live_test::byte_vector whole(block.bytes().begin(), block.bytes().end());
    EXPECT_TRUE(walks::agree(whole));
    std::size_t rejected = 0;
    for (int k = 0; k < 400; ++k) {
      auto damaged = whole;
      const std::size_t at =
          ingot::detail::root_position + roll.below(whole.size() - ingot::detail::root_position);
      const std::size_t from = roll.below(whole.size() / 8) * 8;
      switch (roll.below(4)) {
      case 0: damaged[at] ^= std::byte{1} << roll.below(8); break;
      case 1: damaged[at] = static_cast<std::byte>(roll.below(256)); break;
      case 2: std::memcpy(damaged.data() + at / 8 * 8, whole.data() + from, 8); break;
      default: // an offset to a position a little farther
        damaged[at / 4 * 4] =
            static_cast<std::byte>(static_cast<std::size_t>(damaged[at / 4 * 4]) + 8 * roll.below(32));
      }
      if (!walks::agree(damaged)) ++rejected;
    }
    EXPECT_GT(rejected, 20U) << i;
  }
}
TEST(live_edge_claims, validate_edited_blocks_as_one_claim_after_the_other) {
  edited_blocks_pass_three_walks<ingot::live<narrow_shelf>>();
}
#if SIZE_MAX > 0xFFFFFFFF
TEST(live_edge_claims, validate_edited_blocks_of_wide_offsets_as_one_claim_after_the_other) {
  edited_blocks_pass_three_walks<ingot::wide::live<wide_shelf>>();
}
#endif

TEST(live_edge_claims, of_storages_that_say_they_reach_beyond_the_end_write_nothing_beside_the_bitmap) {
  using type = narrow_shelf;
  using walks = three_ways<type, ingot::narrow_policy>;
  dice roll(4);
  ingot::live<type> block;
  fill(*block, roll, 12);
  // A large free run, and a text after it that fits into no other run: more is left to claim than
  // the bytes after that text.
  block->books.front().title = std::string(4000, 't');
  block->books.back().title = std::string(3000, 'b');
  block->books.front().title = "short";
  block->books.front().title.shrink_to_fit();
  ASSERT_GT(block.bytes().size(), 7000U);
  const live_test::byte_vector whole(block.bytes().begin(), block.bytes().end());
  EXPECT_TRUE(walks::agree(whole));
  std::size_t storages = 0;
  for (std::uint32_t at = ingot::detail::first_storage<type>; at + 8 < whole.size(); at += 8) {
    std::uint32_t distance = 0;
    std::memcpy(&distance, whole.data() + at + 4, sizeof distance);
    if (distance != at) continue;
    ++storages;
    for (std::uint32_t beyond = 8; beyond < 2000;
         beyond += 8 * (1 + static_cast<std::uint32_t>(roll.below(12)))) {
      auto damaged = whole;
      const auto capacity = static_cast<std::uint32_t>(whole.size()) - at - 8 + beyond;
      std::memcpy(damaged.data() + at, &capacity, sizeof capacity);
      static_cast<void>(walks::agree(damaged));
    }
  }
  EXPECT_GT(storages, 20U);
}

TEST(live_edge_claims, of_a_block_without_storages_read_nothing_after_it) {
  using namespace ingot::detail;
  using text = ingot::string;
  ingot::live<text> block;
  live_test::exact_bytes exact(std::span<const std::byte>(block.bytes()));
  const std::size_t used = exact.span().size();
  ASSERT_EQ(used, first_storage<text>);
  using checker_type = block_validator<ingot::narrow_policy, edge_claims>;
  checker_type validator(exact.span().data(), used, first_storage<text>,
                         edge_claims(first_storage<text>, used, nullptr));
  edge_cursor<checker_type> cursor(validator);
  auto& anchor = *reinterpret_cast<ingot::detail::anchor<ingot::narrow_policy>*>(
      const_cast<std::byte*>(exact.span().data()) + root_position);
  anchor.point_at(exact.span().data() + used + sizeof(checker_type::prefix));
  EXPECT_EQ(cursor.take(anchor, static_cast<std::size_t>(-1), 1), nullptr);
}

} // namespace edge_claims_test
