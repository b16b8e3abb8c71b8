// SPDX-License-Identifier: Apache-2.0
// Keys that were chosen to collide are stored, at the cost of one secret seed. None is rejected
// while the block has free bytes for it, and what `open` accepts can be compacted. A key for which
// there is no slot, which takes a known seed, has an error code of its own.
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/too_many_collisions.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/operations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace hash_attack_test {

namespace d = ingot::detail;
using ingot::errc;

struct texts {
  ingot::hash_map<ingot::string, std::uint32_t> all;
};
struct numbers {
  ingot::hash_set<std::uint64_t> all;
};
constexpr ingot::max_block_size ample{std::size_t{1} << 26};

template <class C>
[[nodiscard]] std::uint64_t seed_of(C& container) {
  return d::hash_parts<int, std::uint32_t>::of(d::container_access::anchor_of(container).data()).head->seed;
}
/// The seeds that tables took, in order, when the fast hash was the only one.
[[nodiscard]] std::vector<std::uint64_t> former_seeds(std::size_t count) {
  std::vector<std::uint64_t> seeds{d::first_seed};
  while (seeds.size() < count)
    seeds.push_back(d::fold(seeds.back(), 0xBB67AE8584CAA73B, 0x243F6A8885A308D3) | 0x0000000100000001);
  return seeds;
}
void append(std::string& text, std::uint64_t word) {
  for (unsigned byte = 0; byte < 8; ++byte) text += static_cast<char>(word >> 8 * byte & 0xFF);
}
/// A key of sixteen bytes: one half makes a factor of the fast hash zero, for any value of the
/// other half.
[[nodiscard]] std::string zeroing_key(std::uint64_t seed, std::uint64_t any) {
  const std::uint64_t s = seed ^ 16 * d::text_factor;
  std::string key;
  append(key, any % 2 == 0 ? s : any);
  append(key, any % 2 == 0 ? any : std::rotl(s, 32));
  return key;
}
/// A text whose fast hash is 0 under each of 73 seeds. It has a block that differs from text to
/// text, and then one block per seed: the first half equals the state at that point, and the second
/// half keeps states at 0.
[[nodiscard]] std::string long_zeroing_key(const std::vector<std::uint64_t>& seeds, std::uint64_t any) {
  std::string key;
  append(key, any);
  append(key, any * any);
  std::vector<std::uint64_t> states;
  for (const std::uint64_t seed : seeds)
    states.push_back(d::fold(seed ^ 16 * (seeds.size() + 1) * d::text_factor, any, any * any));
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::uint64_t here = states[i];
    append(key, here);
    append(key, 0);
    for (std::uint64_t& state : states) state = d::fold(state, here, 0);
  }
  return key;
}

/// Replaces the system's source of seeds.
struct fixed_seed {
  static inline std::uint64_t next = 0;
  explicit fixed_seed(std::uint64_t seed) {
    next = seed;
    d::seed_source::instead = [] { return next; };
  }
  fixed_seed(const fixed_seed&) = delete;
  fixed_seed& operator=(const fixed_seed&) = delete;
  ~fixed_seed() { d::seed_source::instead = nullptr; }
};

template <class Keys>
void expect_all_find_slots(const Keys& keys) {
  ingot::live<texts> block(ample);
  std::uint32_t i = 0;
  for (const std::string& key : keys) ASSERT_TRUE(block->all.try_insert(key, i++).second) << i;
  EXPECT_EQ(block->all.size(), keys.size());
  EXPECT_LT(block->all.capacity(), 8 * keys.size()) << "the capacity does not grow without limit";
  i = 0;
  for (const std::string& key : keys) {
    const auto* const value = block->all.get_if(key);
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(*value, i++);
  }
  EXPECT_FALSE(d::is_public_seed(seed_of(block->all))) << "an attacker knows all public seeds";
  auto opened = ingot::live<texts>::open(block.bytes(), {.max_size = ample});
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  ASSERT_TRUE(opened->try_compact());
  EXPECT_EQ((*opened)->all.capacity(), keys.size()) << "of the smallest size all the same";
  EXPECT_TRUE(*opened == block);
  live_test::expect_opens_again(*opened);
  const ingot::live<texts> copy(*opened);
  EXPECT_TRUE(copy == block);
}

TEST(live_hash_attack, sixteen_bytes_that_zero_a_factor_under_seed_after_seed_find_slots) {
  std::vector<std::string> keys;
  for (const std::uint64_t seed : former_seeds(73)) {
    for (std::uint64_t i = 0; i < 66; ++i) keys.push_back(zeroing_key(seed, i));
  }
  expect_all_find_slots(keys);
}

TEST(live_hash_attack, long_keys_that_collide_under_many_seeds_of_the_fast_hash_find_slots) {
  const auto seeds = former_seeds(73);
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < 200; ++i) keys.push_back(long_zeroing_key(seeds, 3 * i + 1));
  EXPECT_EQ(keys[0].size(), 1'184U);
  EXPECT_EQ(ingot::hash_value(keys[0]), ingot::hash_value(keys[1]));
  EXPECT_EQ(d::hash_text(seeds[72], keys[0].data(), keys[0].size()),
            d::hash_text(seeds[72], keys[1].data(), keys[1].size()));
  expect_all_find_slots(keys);
}

TEST(live_hash_attack, what_is_accepted_can_be_compacted) {
  const auto seeds = former_seeds(73);
  ingot::live<texts> block(ample);
  block->all.reserve(2'000);
  for (std::uint64_t i = 0; i < 64; ++i) block->all.try_emplace(long_zeroing_key(seeds, i + 1), 1U);
  EXPECT_EQ(seed_of(block->all), d::first_seed) << "in a large table the bounds allow that";
  auto opened = ingot::live<texts>::open(block.bytes(), {.max_size = ample});
  ASSERT_TRUE(opened.has_value());
  ASSERT_TRUE(opened->try_compact());
  EXPECT_NE(seed_of((*opened)->all), d::first_seed);
  EXPECT_TRUE(*opened == block);
  ingot::live<texts> other(ample);
  EXPECT_TRUE(other.try_assign(*block));
  other->all.reserve(4'000);
  other->all.shrink_to_fit();
  EXPECT_EQ(other->all.capacity(), 64U);
  other.compact();
  EXPECT_TRUE(ingot_test::bytes_of(other) == ingot_test::bytes_of(*opened)) << "a public seed does for them";
}

TEST(live_hash_attack, seeds_that_were_drawn_differ) {
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 20; ++i) {
    ingot::live<texts> block;
    for (std::uint64_t k = 0; k < 70; ++k) block->all.try_emplace(zeroing_key(d::first_seed, k), 1U);
    seeds.insert(seed_of(block->all));
  }
  EXPECT_EQ(seeds.size(), 20U);
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  EXPECT_TRUE(d::draw_from_system(a) && d::draw_from_system(b));
  EXPECT_NE(a, b);
}

TEST(live_hash_attack, a_seed_of_tests_makes_bytes_that_are_the_same_each_time) {
  for (const std::uint64_t public_seed :
       {std::uint64_t{0}, std::uint64_t{3}, d::first_seed, std::uint64_t{0xABCDEF}}) {
    const fixed_seed fixed(public_seed);
    std::vector<std::byte> first;
    for (int round = 0; round < 2; ++round) {
      ingot::live<texts> block;
      for (std::uint64_t k = 0; k < 70; ++k) block->all.try_emplace(zeroing_key(d::first_seed, k), 1U);
      EXPECT_FALSE(d::is_public_seed(seed_of(block->all))) << public_seed;
      const auto bytes = ingot_test::bytes_of(block);
      if (first.empty()) first = bytes;
      EXPECT_TRUE(first == bytes);
    }
  }
}

/// Keys that collide under the first seed, and have crowded homes under the seed that is drawn.
constexpr std::uint64_t known = 0x5EED;
[[nodiscard]] const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> found;
    for (std::uint64_t i = 0; found.size() < 66; ++i) {
      std::string key = zeroing_key(d::first_seed, i);
      if (ingot::hash_value(key, known) >> 52 == 0) found.push_back(std::move(key));
    }
    return found;
  }();
  return keys;
}

TEST(live_hash_attack, a_key_without_a_slot_has_an_error_of_its_own) {
  const auto& keys = known_keys();
  const fixed_seed fixed(known);
  ingot::live<texts> block(ample);
  block->all.reserve(500);
  std::size_t placed = 0;
  while (placed < keys.size() && block->all.try_insert(keys[placed], 7U).second) ++placed;
  ASSERT_LT(placed, keys.size());
  EXPECT_EQ(placed, 64U);
  const auto before = ingot_test::bytes_of(block);
  EXPECT_THROW(block->all.try_emplace(keys[placed], 1U), ingot::too_many_collisions);
  EXPECT_THROW((block->all.insert_or_assign(keys[placed], 1U)), ingot::too_many_collisions);
  const auto guarded = d::catch_bad_alloc([&]() -> ingot::result<void> {
    block->all.try_emplace(keys[placed], 1U);
    return {};
  });
  ASSERT_FALSE(guarded.has_value());
  EXPECT_EQ(guarded.error().code(), errc::too_many_collisions);
  EXPECT_EQ(block->all.size(), placed);
  for (std::size_t i = 0; i < placed; ++i) EXPECT_TRUE(block->all.contains(keys[i]));
  live_test::expect_opens_again(block);
  EXPECT_TRUE(block->all.try_insert("another key", 1U).second) << "which is no reason to refuse others";
  ingot::live<texts> small(ingot::max_block_size{4096});
  EXPECT_THROW(
      {
        for (std::uint64_t i = 0;; ++i) small->all.try_emplace("a key of its own " + std::to_string(i), 1U);
      },
      ingot::out_of_space)
      << "the only reason is too little space";
  EXPECT_TRUE(block.try_compact());
}

TEST(live_hash_attack, a_collision_within_a_callback_is_not_the_reason_of_the_call_around_it) {
  const auto& keys = known_keys();
  const fixed_seed fixed(known);
  ingot::live<texts> other(ample);
  other->all.reserve(500);
  int collisions = 0;
  const auto collide = [&](std::uint64_t, std::uint64_t) {
    for (const std::string& key : keys)
      if (!other->all.try_insert(key, 7U).second) ++collisions;
    return true;
  };
  const std::vector<std::string> large(64, std::string(40'000, 'x'));
  ingot::live<ingot::vector<ingot::string>> block(ingot::max_block_size{std::size_t{1} << 20});
  const auto filled = block.try_rebuild(large, collide);
  ASSERT_FALSE(filled.has_value()) << "two megabytes don't fit into one";
  EXPECT_GT(collisions, 0) << "the callback was called before";
  EXPECT_EQ(filled.error().code(), errc::no_memory);
}

/// Keys that collide under the first seed. Under every other public seed, their hashes are in the
/// upper half of the smallest table. About one key in 2^16 has this property; these are the first
/// such keys.
[[nodiscard]] std::vector<std::string> publicly_bad_keys() {
  std::vector<std::string> keys;
  for (const std::uint64_t i : {888, 29338, 59628, 174182, 182409, 251481, 363742, 366191, 528194, 673909,
                                703532, 831252, 947006, 1054903, 1057724, 1171576, 1332466}) {
    keys.push_back(zeroing_key(d::first_seed, i));
    for (std::uint64_t seed = 1; seed <= d::public_seeds; ++seed)
      EXPECT_EQ(ingot::hash_value(keys.back(), seed) >> 63, 1U) << i;
  }
  return keys;
}

TEST(live_hash_attack, a_copy_keeps_the_seed_that_was_drawn) {
  std::array<ingot::live<texts>, 2> blocks;
  const auto keys = publicly_bad_keys();
  for (auto& block : blocks) {
    block->all.reserve(50);
    for (const std::string& key : keys) block->all.try_emplace(key, 5U);
    EXPECT_EQ(seed_of(block->all), d::first_seed) << "there is enough space";
    block.compact();
    EXPECT_EQ(block->all.capacity(), keys.size());
    EXPECT_FALSE(d::is_public_seed(seed_of(block->all)));
    auto again = ingot::live<texts>::open(block.bytes());
    ASSERT_TRUE(again.has_value()) << again.error().message();
    again->compact();
    EXPECT_TRUE(ingot_test::bytes_of(*again) == ingot_test::bytes_of(block)) << "copies are equal bytes";
  }
  EXPECT_TRUE(blocks[0] == blocks[1]);
  EXPECT_NE(seed_of(blocks[0]->all), seed_of(blocks[1]->all)) << "which blocks apart are not";
  // The same keys in the builder without types.
  const auto layout = ingot::layout_of<texts>();
  auto read = ingot::dynamic_block::open(blocks[0].bytes(), layout);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  for (const std::string& key : keys) EXPECT_TRUE(read->root()["all"].find(key).exists());
  const auto copied = ingot::compact_block(*read);
  ASSERT_TRUE(copied.has_value()) << copied.error().message();
  EXPECT_TRUE(std::ranges::equal(copied->bytes(), blocks[0].bytes()));
}

TEST(live_hash_attack, multiples_of_a_size_are_keys_like_others) {
  for (const std::uint64_t step :
       {std::uint64_t{1} << 20, std::uint64_t{1'056'323}, std::uint64_t{85'229}, std::uint64_t{1} << 40}) {
    ingot::live<numbers> block(ample);
    for (std::uint64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(block->all.insert(i * step).second);
    EXPECT_LT(block->all.capacity(), 80'000U);
    EXPECT_EQ(seed_of(block->all), d::first_seed) << step;
  }
}

} // namespace hash_attack_test
