// SPDX-License-Identifier: Apache-2.0
// The storage of a hash table depends only on its keys and not on its history, and stays within
// bounds that no choice of keys breaks. Untrusted tables that are stored in another way are
// rejected.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include "live/block_tools.hpp"
#include "live/damaged.hpp"
#include "live/operations.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hash_table_test {

namespace d = ingot::detail;
using ingot::errc;

struct numbers {
  ingot::hash_set<std::uint64_t> all;
};
struct doubles {
  ingot::hash_set<double> all;
};
struct texts {
  ingot::hash_map<ingot::string, std::uint32_t> all;
};
using parts = d::hash_parts<std::uint64_t, std::uint32_t>;

template <class C>
[[nodiscard]] parts parts_of(C& container) {
  return parts::of(d::container_access::anchor_of(container).data());
}

/// Keys whose hash under a seed begins with `bits` zeros.
[[nodiscard]] std::vector<std::uint64_t> crowding_keys(std::uint64_t seed, int bits, std::size_t count) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> keys;
  while (keys.size() < count) {
    const std::uint64_t key = random();
    if (ingot::hash_value(key, seed) >> (64 - bits) == 0) keys.push_back(key);
  }
  return keys;
}

/// The invariants that hash_layout.hpp promises for every table.
template <class C>
void expect_in_bounds(C& container) {
  if (container.capacity() == 0) return;
  const parts in = parts_of(container);
  std::size_t displacement = 0;
  for (std::size_t i = 0; i < in.slots; ++i) {
    ASSERT_LT(in.steps[i], d::max_probe_length);
    displacement += in.steps[i];
  }
  EXPECT_EQ(displacement, in.head->total_displacement);
  EXPECT_LE(displacement, d::max_total_displacement(in.head->home_count));
}

TEST(live_hash_table, what_lies_where_depends_on_the_keys_alone) {
  std::mt19937_64 random(11);
  std::vector<std::uint64_t> keys(500);
  for (auto& key : keys) key = random();
  std::vector<std::byte> first;
  for (int round = 0; round < 20; ++round) {
    ingot::live<numbers> block;
    block->all.reserve(1'000);
    std::ranges::shuffle(keys, random);
    for (const auto key : keys) {
      block->all.insert(key);
      block->all.insert(key ^ 0xABCD); // inserted and erased again, some of them later
      if (round % 2 == 0) block->all.erase(key ^ 0xABCD);
    }
    for (const auto key : keys) block->all.erase(key ^ 0xABCD);
    const auto bytes = ingot_test::bytes_of(block);
    if (first.empty()) first = bytes;
    EXPECT_TRUE(first == bytes);
  }
}

TEST(live_hash_table, keys_that_collide_cost_another_seed) {
  const auto keys = crowding_keys(d::first_seed, 12, 600);
  ingot::live<numbers> block;
  std::size_t max_capacity = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(block->all.insert(keys[i]).second);
    expect_in_bounds(block->all);
    max_capacity = std::max(max_capacity, block->all.capacity());
  }
  EXPECT_NE(parts_of(block->all).head->seed, d::first_seed);
  EXPECT_LT(max_capacity, 4 * keys.size()) << "the capacity does not grow without limit";
  for (const auto key : keys) EXPECT_TRUE(block->all.contains(key));
  live_test::expect_opens_again(block);
  block.compact();
  EXPECT_NE(parts_of(block->all).head->seed, d::first_seed);
  EXPECT_EQ(block->all.capacity(), keys.size()) << "of the smallest size all the same";
  std::size_t seen = 0;
  for (const auto key : block->all) seen += std::ranges::count(keys, key) == 1;
  EXPECT_EQ(seen, keys.size());
}

TEST(live_hash_table, the_canonical_form_takes_the_first_seed_that_fits) {
  const auto keys = crowding_keys(d::first_seed, 12, 600);
  ingot::live<numbers> block;
  for (const auto key : keys) block->all.insert(key);
  EXPECT_NE(parts_of(block->all).head->seed, d::first_seed);
  for (std::size_t i = 0; i < keys.size() - 10; ++i) block->all.erase(keys[i]);
  expect_in_bounds(block->all);
  block.compact();
  EXPECT_EQ(parts_of(block->all).head->seed, d::first_seed);
  live_test::expect_opens_again(block);
  ingot::live<numbers> fresh;
  fresh->all = std::vector<std::uint64_t>(keys.end() - 10, keys.end());
  EXPECT_TRUE(fresh == block);
  fresh.compact();
  EXPECT_TRUE(ingot_test::bytes_of(fresh) == ingot_test::bytes_of(block));
}

TEST(live_hash_table, a_few_keys_that_collide_get_no_more_capacity) {
  const auto keys = crowding_keys(d::first_seed, 14, 120);
  ingot::live<numbers> block(ingot::max_block_size{std::size_t{1} << 22});
  block->all.reserve(20'000);
  const std::size_t capacity = block->all.capacity();
  for (const auto key : keys) ASSERT_TRUE(block->all.insert(key).second);
  EXPECT_EQ(block->all.capacity(), capacity);
  EXPECT_NE(parts_of(block->all).head->seed, d::first_seed);
  live_test::expect_opens_again(block);
}

TEST(live_hash_table, a_row_of_full_slots_ends_searches_and_moves) {
  // Each key is in its home slot, with no gap for thousands of slots. A lookup of an absent key
  // must not walk them all, and an insertion must not shift them all.
  ingot::live<numbers> block(ingot::max_block_size{std::size_t{1} << 22});
  block->all.reserve(10'000);
  const std::size_t home_count = parts_of(block->all).head->home_count;
  std::mt19937_64 random(12);
  std::vector<bool> taken(home_count);
  std::size_t wanted = 4'000;
  for (std::uint64_t key = 0; wanted != 0; key = random()) {
    const auto location = d::locate(ingot::hash_value(key), home_count);
    if (location.home >= 4'000 || taken[location.home]) continue;
    taken[location.home] = true;
    ASSERT_TRUE(block->all.insert(key).second);
    --wanted;
  }
  EXPECT_EQ(parts_of(block->all).head->total_displacement, 0U);
  EXPECT_EQ(parts_of(block->all).full_from(4'000), parts_of(block->all).slots);
  auto opened = ingot::live<numbers>::open(block.bytes(), {.max_size = {std::size_t{1} << 22}});
  ASSERT_TRUE(opened.has_value());
  std::uint64_t early = random();
  while (d::locate(ingot::hash_value(early), home_count).home != 10) early = random();
  EXPECT_FALSE((*opened)->all.contains(early));
  EXPECT_TRUE((*opened)->all.insert(early).second);
  EXPECT_NE(parts_of((*opened)->all).head->seed, d::first_seed) << "rather than moving thousands for it";
  expect_in_bounds((*opened)->all);
  EXPECT_EQ((*opened)->all.size(), 4'001U);
  live_test::expect_opens_again(*opened);
}

TEST(live_hash_table, erasing_while_iterating_visits_every_entry_once) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 200; ++round) {
    ingot::live<numbers> block;
    std::set<std::uint64_t> model;
    for (std::size_t n = random() % 100; n != 0; --n) {
      const std::uint64_t key = random() % 1000;
      block->all.insert(key);
      model.insert(key);
    }
    std::set<std::uint64_t> seen;
    for (auto it = block->all.begin(); it != block->all.end();) {
      ASSERT_TRUE(seen.insert(*it).second);
      if (*it % 3 == 0) it = block->all.erase(it);
      else ++it;
    }
    ASSERT_EQ(seen, model);
    std::erase_if(model, [](auto key) { return key % 3 == 0; });
    ASSERT_EQ(block->all.size(), model.size());
    for (const auto key : model) ASSERT_TRUE(block->all.contains(key));
    expect_in_bounds(block->all);
  }
}

TEST(live_hash_table, an_emptied_one_leaves_no_bytes) {
  ingot::live<texts> block;
  for (int i = 0; i < 100; ++i)
    block->all.try_emplace("a key too long for its place " + std::to_string(i), 1U);
  EXPECT_EQ(block->all.erase_if([](const auto& entry) { return entry.second == 1; }), 100U);
  EXPECT_TRUE(block->all.begin() == block->all.end());
  block->all.shrink_to_fit();
  EXPECT_EQ(block->all.capacity(), 0U);
  ingot_test::expect_nothing_left(block);
}

/// Opens a table of 40 numbers that `damage` has changed.
template <class Damage>
[[nodiscard]] ingot::error unsupported_reason_of(Damage&& damage) {
  ingot::live<numbers> block;
  for (std::uint64_t i = 0; i < 40; ++i) block->all.insert(i * i * i);
  damage(parts_of(block->all), block->all);
  auto opened = ingot::live<numbers>::open(block.bytes());
  return opened.has_value() ? ingot::error(errc::io) : opened.error();
}

TEST(live_hash_table, foreign_tables_that_lie_otherwise_are_rejected) {
  const auto code = [](auto damage) { return unsupported_reason_of(damage).code(); };
  EXPECT_EQ(code([](const parts&, auto&) {}), errc::io) << "none";
  EXPECT_EQ(code([](const parts& in, auto&) { in.head->seed += 2; }), errc::unsorted_keys);
  EXPECT_EQ(code([](const parts& in, auto&) { in.head->home_count = 0; }), errc::bad_length);
  EXPECT_EQ(code([](const parts& in, auto&) { in.head->home_count = ~0U; }), errc::bad_length);
  EXPECT_EQ(code([](const parts& in, auto&) { in.head->home_count += 60; }), errc::bad_length);
  EXPECT_EQ(code([](const parts& in, auto&) { in.head->home_count = 42; }), errc::bad_length)
      << "too few for the size";
  EXPECT_EQ(code([](const parts& in, auto&) { --in.head->home_count; }), errc::unsorted_keys);
  EXPECT_EQ(code([](const parts& in, auto&) { ++in.head->total_displacement; }), errc::bad_length);
  EXPECT_EQ(code([](const parts& in, auto&) { in.entries[in.full_from(0)] ^= 1; }), errc::unsorted_keys);
  EXPECT_EQ(code([](const parts& in, auto&) { in.tags[in.full_from(0)] ^= 1; }), errc::unsorted_keys);
  EXPECT_EQ(code([](const parts& in, auto&) { in.tags[in.full_from(0)] = 0x7F; }), errc::bad_padding);
  EXPECT_EQ(code([](const parts& in, auto&) { in.tags[in.full_from(0)] = 0; }), errc::bad_length)
      << "one is missing";
  EXPECT_EQ(code([](const parts& in, auto&) { in.tags[in.slots] = 0x80; }), errc::bad_padding);
  EXPECT_EQ(code([](const parts& in, auto&) { in.tags[in.slots + 15] = 0xFF; }), errc::bad_padding);
  EXPECT_EQ(code([](const parts& in, auto&) { ++in.steps[in.full_from(0)]; }), errc::unsorted_keys);
  EXPECT_EQ(code([](const parts& in, auto&) {
              std::size_t empty = 0;
              while (in.tags[empty] != 0) ++empty;
              in.steps[empty] = 1;
            }),
            errc::bad_padding);
  EXPECT_EQ(code([](const parts&, auto& table) {
              // The size: 4 bytes after the offset.
              const std::uint32_t more = 41;
              std::memcpy(reinterpret_cast<std::byte*>(&table) + 4, &more, 4);
            }),
            errc::bad_length);
}

TEST(live_hash_table, a_step_of_any_empty_slot_is_rejected) {
  std::size_t empty = 0;
  static_cast<void>(unsupported_reason_of([&](const parts& in, auto&) {
    for (std::size_t slot = 0; slot < in.slots; ++slot) empty += in.tags[slot] == 0 ? 1 : 0;
  }));
  ASSERT_GT(empty, 8U);
  for (std::size_t which = 0; which < empty; ++which) {
    const auto unsupported_reason = unsupported_reason_of([which](const parts& in, auto&) {
      std::size_t slot = 0;
      for (std::size_t left = which; in.tags[slot] != 0 || left-- != 0; ++slot) {
      }
      in.steps[slot] = 1;
    });
    EXPECT_EQ(unsupported_reason.code(), errc::bad_padding) << which;
  }
}

/// Writes one more entry into the table, with the tag, the step and the counts that it needs.
void force_in(const parts& in, numbers& root, std::size_t slot, std::uint64_t key, std::size_t step) {
  in.entries[slot] = key;
  in.tags[slot] = d::locate(ingot::hash_value(key, in.head->seed), in.head->home_count).tag;
  in.steps[slot] = static_cast<std::uint8_t>(step);
  in.head->total_displacement += static_cast<std::uint32_t>(step);
  const auto size = static_cast<std::uint32_t>(root.all.size() + 1);
  std::memcpy(reinterpret_cast<std::byte*>(&root.all) + 4, &size, 4);
}

TEST(live_hash_table, a_key_twice_is_rejected) {
  ingot::live<numbers> block;
  block->all.reserve(100);
  block->all.insert(7U);
  const parts in = parts_of(block->all);
  const std::size_t at = in.full_from(0);
  force_in(in, *block, at + 1, 7, 1);
  const auto opened = ingot::live<numbers>::open(block.bytes());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), errc::duplicate_key);
  EXPECT_EQ(opened.error().path(), "all[1]");
}

TEST(live_hash_table, keys_of_one_home_in_the_wrong_order_are_rejected) {
  ingot::live<numbers> block;
  block->all.reserve(100);
  const parts in = parts_of(block->all);
  std::mt19937_64 random(14);
  std::uint64_t a = random();
  std::uint64_t b = random();
  const auto home = [&](std::uint64_t key) {
    return d::locate(ingot::hash_value(key), in.head->home_count).home;
  };
  while (home(b) != home(a)) b = random();
  if (ingot::hash_value(a) < ingot::hash_value(b)) std::swap(a, b);
  force_in(in, *block, home(a), a, 0);
  force_in(in, *block, home(b) + 1, b, 1);
  const auto opened = ingot::live<numbers>::open(block.bytes());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), errc::unsorted_keys);
}

TEST(live_hash_table, a_gap_before_a_displaced_key_is_rejected) {
  ingot::live<numbers> block;
  block->all.reserve(100);
  const parts in = parts_of(block->all);
  std::uint64_t key = 1;
  while (d::locate(ingot::hash_value(key), in.head->home_count).home + 2 >= in.slots) ++key;
  force_in(in, *block, d::locate(ingot::hash_value(key), in.head->home_count).home + 2, key, 2);
  const auto opened = ingot::live<numbers>::open(block.bytes());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), errc::unsorted_keys);
}

/// Keys whose home is slot 0 under the table's seed, in the order of their hashes.
[[nodiscard]] std::vector<std::uint64_t> keys_of_one_home(const parts& in, std::size_t count) {
  std::vector<std::uint64_t> keys;
  const auto hash = [&](std::uint64_t key) { return ingot::hash_value(key, in.head->seed); };
  for (std::uint64_t key = 0; keys.size() < count; ++key) {
    if (d::locate(hash(key), in.head->home_count).home == 0) keys.push_back(key);
  }
  std::ranges::sort(keys, {}, hash);
  return keys;
}

TEST(live_hash_table, keys_too_far_from_home_are_rejected) {
  for (const std::uint64_t seed : {d::first_seed, std::uint64_t{77}}) {
    ingot::live<numbers> block;
    block->all.reserve(2'000);
    const parts in = parts_of(block->all);
    in.head->seed = seed;
    const auto keys = keys_of_one_home(in, 65);
    for (std::size_t i = 0; i < 64; ++i) force_in(in, *block, i, keys[i], i);
    auto opened = ingot::live<numbers>::open(block.bytes());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    for (std::size_t i = 0; i < 64; ++i) EXPECT_TRUE((*opened)->all.contains(keys[i]));
    EXPECT_FALSE((*opened)->all.contains(keys[64]));
    EXPECT_TRUE((*opened)->all.insert(keys[64]).second);
    EXPECT_NE(parts_of((*opened)->all).head->seed, seed);
    live_test::expect_opens_again(*opened);
    force_in(in, *block, 64, keys[64], 64);
    const auto rejected = ingot::live<numbers>::open(block.bytes());
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(rejected.error().code(), errc::unsorted_keys);
  }
}

TEST(live_hash_table, too_large_a_sum_of_steps_is_rejected) {
  ingot::live<numbers> block;
  block->all.reserve(20);
  const parts in = parts_of(block->all);
  in.head->seed = 78;
  const std::size_t limit = d::max_total_displacement(in.head->home_count);
  const auto keys = keys_of_one_home(in, 30);
  std::size_t n = 0;
  for (; n * (n + 1) / 2 <= limit; ++n) force_in(in, *block, n, keys[n], n);
  EXPECT_TRUE(ingot::live<numbers>::open(block.bytes()).has_value());
  force_in(in, *block, n, keys[n], n);
  EXPECT_FALSE(ingot::live<numbers>::open(block.bytes()).has_value());
}

TEST(live_hash_table, nan_and_negative_zero_are_no_foreign_keys) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -0.0}) {
    ingot::live<doubles> block;
    block->all.insert(0.0);
    const double key = *block->all.begin();
    EXPECT_EQ(key, 0);
    const_cast<double&>(*block->all.begin()) = bad;
    const auto opened = ingot::live<doubles>::open(block.bytes());
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), errc::not_canonical);
  }
}

TEST(live_hash_table, damaged_bytes_are_rejected_or_can_be_worked_with) {
  ingot::live<texts> block;
  for (const char* key : {"a", "bc", "a key that needs a storage", "d", "another key that needs one"})
    block->all.try_emplace(key, static_cast<std::uint32_t>(std::strlen(key)));
  block->all.erase("d");
  ingot_test::expect_damage_is_survived(block, [](texts& root) {
    live_test::effort e;
    live_test::read(root, e);
    live_test::change(root, e);
    root.all.reserve(40);
    root.all.insert_or_assign("one more", 1U);
    root.all.shrink_to_fit();
    root.all.erase_if([](const auto& entry) { return entry.first.size() % 2 == 0; });
  });
  block.compact();
  ingot_test::expect_damage_is_survived(block, [](texts& root) {
    for (int i = 0; i < 50; ++i) root.all[std::to_string(i)] = 1;
    for (int i = 0; i < 50; i += 2) root.all.erase(std::to_string(i));
  });
}

/// Tables of every number of keys that needs at most two groups of tags, with every value in each
/// of their bytes: head, tags, steps and keys. An accepted table finds its keys and no others, and
/// inserts and erases keys as a set does.
TEST(live_hash_table, every_value_of_every_byte_of_a_small_table_is_rejected_or_usable) {
  struct small {
    ingot::hash_set<std::uint16_t> all;
  };
  const bool sampled = std::getenv("INGOT_TEST_SAMPLED") != nullptr;
  const int step = sampled ? 6 : std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 2;
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint16_t count = 1; count <= 14; count = static_cast<std::uint16_t>(count + step)) {
    ingot::live<small> block;
    for (std::uint16_t i = 0; i < count; ++i) block->all.insert(static_cast<std::uint16_t>(i * 5));
    if (count / 2 % 2 == 0) block.compact();
    const auto whole = ingot_test::bytes_of(block);
    const auto table = d::root_position + sizeof(small);
    for (std::size_t at = table; at < whole.size() && !HasFatalFailure(); ++at) {
      for (unsigned value = 0; value < 256; value += sampled ? 7 : 1) {
        if (static_cast<std::byte>(value) == whole[at]) continue;
        auto damaged = whole;
        damaged[at] = static_cast<std::byte>(value);
        auto opened = ingot::live<small>::open(damaged);
        if (!opened) {
          ++rejected;
          continue;
        }
        ++accepted;
        auto& all = (*opened)->all;
        std::set<std::uint16_t> model;
        for (const auto key : all) ASSERT_TRUE(model.insert(key).second) << at << ": " << value;
        ASSERT_EQ(model.size(), all.size()) << at << ": " << value;
        for (std::uint16_t key = 0; key < 80; ++key)
          ASSERT_EQ(all.contains(key), model.contains(key)) << at << ": " << value;
        for (std::uint16_t key = 0; key < 80; key = static_cast<std::uint16_t>(key + 3)) {
          ASSERT_EQ(all.insert(key).second, model.insert(key).second) << at << ": " << value;
          ASSERT_EQ(all.erase(static_cast<std::uint16_t>(key + 1)),
                    model.erase(static_cast<std::uint16_t>(key + 1)));
        }
        ASSERT_EQ(all.size(), model.size());
        for (const auto key : model) ASSERT_TRUE(all.contains(key)) << at << ": " << value;
        ASSERT_TRUE(ingot::live<small>::open(opened->bytes()).has_value()) << at << ": " << value;
      }
    }
  }
  EXPECT_GT(accepted, 100U) << "keys that are others";
  EXPECT_GT(rejected, 1000U);
}

} // namespace hash_table_test
