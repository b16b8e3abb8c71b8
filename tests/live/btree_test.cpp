// SPDX-License-Identifier: Apache-2.0
// Trees of untrusted bytes: every operation works on each block that `open` accepts. Blocks are
// damaged in each bit, at each end, and by hand where a search could take another path than
// iteration.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace btree_test {

using bytes = std::vector<std::byte>;

struct numbers {
  ingot::map<std::uint16_t, std::uint8_t> all;
};
struct keys_only {
  ingot::set<std::uint8_t> all;
};
struct names {
  ingot::map<ingot::string, ingot::string> all;
};
struct repeated {
  ingot::multimap<std::uint8_t, bool> all;
};
struct alignas(16) wide_value {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};
struct aligned {
  ingot::map<std::uint8_t, wide_value> all;
};

template <class Container, class Reference>
auto copy_of_key(const Reference& entry) {
  const auto take = [](const auto& key) {
    if constexpr (requires { key.view(); }) return std::string(key.view());
    else return key;
  };
  if constexpr (requires { entry.second; }) return take(entry.first);
  else return take(entry);
}
template <class Container>
auto make_key(std::uint64_t number) {
  if constexpr (std::is_integral_v<typename Container::key_type>)
    return static_cast<typename Container::key_type>(number);
  else return std::to_string(number) + std::string(number % 20, 'x');
}
template <class Container, class Key>
void add(Container& all, const Key& key) {
  if constexpr (requires { typename Container::mapped_type; })
    all.emplace(key, typename Container::mapped_type{});
  else all.insert(key);
}

/// Does everything that a container offers: lookups find what iteration finds, and changes keep the
/// container valid.
template <class Live>
void use(Live& block) {
  auto& all = block->all;
  using container = std::remove_cvref_t<decltype(all)>;
  constexpr bool multi = ingot::is_multi<container>;
  std::vector<decltype(copy_of_key<container>(*all.begin()))> keys;
  for (auto&& entry : all) keys.push_back(copy_of_key<container>(entry));
  ASSERT_EQ(keys.size(), all.size());
  std::size_t back = keys.size();
  for (auto at = all.end(); at != all.begin();) {
    --at;
    ASSERT_EQ(copy_of_key<container>(*at), keys[--back]);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_NE(all.find(keys[i]), all.end());
    ASSERT_EQ(copy_of_key<container>(*all.find(keys[i])), keys[i]);
    ASSERT_EQ(copy_of_key<container>(*all.lower_bound(keys[i])), keys[i]);
    const auto following = all.upper_bound(keys[i]);
    ASSERT_TRUE(following == all.end() || copy_of_key<container>(*following) > keys[i]);
    ASSERT_TRUE(multi || all.count(keys[i]) == 1);
  }
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto key = make_key<container>(i * 7919);
    ASSERT_EQ(all.contains(key), all.lower_bound(key) != all.upper_bound(key));
  }
  auto copy = block;
  for (std::uint64_t i = 0; i < 60; ++i) add(all, make_key<container>(i * 7919));
  for (std::size_t i = 0; i < keys.size(); i += 2) all.erase(keys[i]);
  auto opened = Live::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  while (!all.empty()) all.erase(all.size() % 2 == 0 ? all.begin() : std::prev(all.end()));
  ASSERT_TRUE(Live::open(block.bytes()));
  copy.compact();
  ASSERT_EQ(copy->all.size(), keys.size());
  ASSERT_TRUE(Live::open(copy.bytes()));
  copy->all.erase(copy->all.begin(), copy->all.end());
  ASSERT_TRUE(copy->all.empty());
  copy->all.clear();
}

template <class Root>
ingot::live<Root> sample(std::size_t count, std::uint64_t seed) {
  ingot::live<Root> block;
  std::mt19937_64 random(seed);
  using container = decltype(Root::all);
  while (block->all.size() < count) add(block->all, make_key<container>(random()));
  return block;
}

/// Returns how many damaged blocks were accepted.
template <class Root>
std::size_t damage_all(const ingot::live<Root>& block, std::size_t stride) {
  using live = ingot::live<Root>;
  const ingot::bytes_view whole = block.bytes();
  std::size_t accepted = 0;
  for (std::size_t bit = 64 * 8; bit < whole.size() * 8 && !testing::Test::HasFatalFailure(); bit += stride) {
    bytes damaged(whole.begin(), whole.end());
    damaged[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    auto opened = live::open(damaged);
    if (!opened) continue;
    ++accepted;
    use(*opened);
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(live::open(cut));
    if (size < 64 || size % 8 != 0) continue;
    bytes lying = cut; // its header says that this is all
    const std::uint64_t used = size;
    std::memcpy(lying.data() + 24, &used, sizeof used);
    if (auto opened = live::open(lying)) use(*opened);
  }
  return accepted;
}

template <class Root>
void expect_safe(std::size_t count, std::size_t stride) {
  auto grown = sample<Root>(count, count);
  EXPECT_GT(damage_all(grown, stride), 0U) << "values can change";
  grown.compact();
  damage_all(grown, stride);
}

TEST(live_btree, damaged_numbers_are_rejected_or_work) {
  expect_safe<numbers>(3, 1);
  expect_safe<numbers>(16, 1);
  expect_safe<numbers>(40, 1);
  expect_safe<numbers>(600, 61);
}
TEST(live_btree, damaged_sets_are_rejected_or_work) {
  expect_safe<keys_only>(20, 1);
  expect_safe<keys_only>(200, 3);
}
TEST(live_btree, damaged_texts_are_rejected_or_work) {
  expect_safe<names>(2, 3);
  expect_safe<names>(20, 13);
}
TEST(live_btree, damaged_repeated_keys_are_rejected_or_work) { expect_safe<repeated>(40, 1); }

TEST(live_btree, aligns_nodes_as_their_values) {
  ingot::live<aligned> block = sample<aligned>(100, 1);
  for (auto&& [key, value] : block->all) ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&value) % 16, 0U);
  use(block);
  expect_safe<aligned>(20, 7);
}

/// The bytes of a compacted set of `count` keys, with one byte changed. The root comes first, its
/// leaves follow.
bytes changed(std::size_t count, std::size_t at, int value) {
  ingot::live<keys_only> block;
  for (std::size_t i = 0; i < count; ++i) block->all.insert(static_cast<std::uint8_t>(2 * i));
  block.compact();
  bytes all(block.bytes().begin(), block.bytes().end());
  constexpr std::size_t root = ingot::detail::first_storage<keys_only> + 8;
  all[root + at] = static_cast<std::byte>(value);
  return all;
}

TEST(live_btree, rejects_what_would_lead_a_search_astray) {
  using live = ingot::live<keys_only>;
  // A tree of 32 keys: a root with `meta`, 4 separators and 4 links, and two leaves with `meta` and
  // 16 keys each.
  constexpr std::size_t separators = 8;
  constexpr std::size_t first_leaf = 8 + 4 + 16 + 4;
  // The unchanged value: the largest key of the first leaf
  EXPECT_TRUE(live::open(changed(32, separators, 30)));
  EXPECT_TRUE(live::open(changed(32, separators, 31)));
  EXPECT_EQ(live::open(changed(32, separators, 29)).error().code(), ingot::errc::unsorted_keys);
  EXPECT_FALSE(live::open(changed(32, separators, 32)));
  EXPECT_EQ(live::open(changed(32, separators + 1, 254)).error().code(), ingot::errc::bad_padding);
  EXPECT_FALSE(live::open(changed(32, 0, 1))) << "a child that nothing counts";
  EXPECT_FALSE(live::open(changed(32, 0, 3)));
  EXPECT_FALSE(live::open(changed(32, 1, 8)));
  EXPECT_FALSE(live::open(changed(32, 2, 0)));
  EXPECT_FALSE(live::open(changed(32, 2, 2)));
  EXPECT_EQ(live::open(changed(32, first_leaf + 8 + 3, 8)).error().code(), ingot::errc::duplicate_key);
  EXPECT_EQ(live::open(changed(32, first_leaf + 8 + 3, 9)).error().code(), ingot::errc::unsorted_keys);
  EXPECT_FALSE(live::open(changed(32, first_leaf, 15)));
  EXPECT_FALSE(live::open(changed(32, first_leaf, 0)));
  EXPECT_FALSE(live::open(changed(32, first_leaf + 2, 1)));
  EXPECT_FALSE(live::open(changed(20, first_leaf + 24 + 8 + 10, 254))) << "filling that a search would count";
  const auto why = live::open(changed(32, first_leaf + 24 + 8 + 3, 0)).error();
  EXPECT_EQ(why.path(), "all[19]");
}

TEST(live_btree, links_that_share_or_loop_are_rejected) {
  using live = ingot::live<keys_only>;
  constexpr std::size_t links = 12;
  constexpr std::size_t leaf = 24;
  EXPECT_TRUE(live::open(changed(32, links + 4, 32 + leaf)));
  EXPECT_EQ(live::open(changed(32, links + 4, 32)).error().code(), ingot::errc::overlap);
  EXPECT_FALSE(live::open(changed(32, links, 0))) << "the root as its own child";
  EXPECT_FALSE(live::open(changed(32, links, 33)));
  EXPECT_FALSE(live::open(changed(32, links + 3, 0x80)));
}

TEST(live_btree, stays_shallow_when_almost_everything_is_erased) {
  ingot::live<ingot::map<std::uint32_t, std::uint32_t>> block(ingot::max_block_size{std::size_t{1} << 24});
  for (std::uint32_t i = 0; i < 50'000; ++i) block->try_emplace(i * 2654435761U, i);
  std::mt19937_64 random(1);
  while (block->size() > 100) {
    const auto at = block->lower_bound(static_cast<std::uint32_t>(random()));
    if (at != block->end()) block->erase(at);
  }
  block.trim();
  auto opened = ingot::live<ingot::map<std::uint32_t, std::uint32_t>>::open(block.bytes());
  ASSERT_TRUE(opened) << opened.error().message();
  opened->reclaim();
  EXPECT_LT(opened->size() - opened->stats().free_bytes, 100 * 8 * 8U);
}

TEST(live_btree, erases_in_bytes_opened_in_place) {
  ingot::live<numbers> block = sample<numbers>(200, 3);
  const ingot::bytes_view from = block.bytes();
  const auto memory = std::make_unique<std::max_align_t[]>(from.size() / sizeof(std::max_align_t) + 1);
  const std::span<std::byte> span(reinterpret_cast<std::byte*>(memory.get()), from.size());
  std::memcpy(span.data(), from.data(), from.size());
  auto opened = ingot::live<numbers>::open_in_place(span);
  ASSERT_TRUE(opened) << opened.error().message();
  auto& all = (*opened)->all;
  std::size_t rejected = 0;
  for (std::uint16_t i = 0; i < 200; ++i) rejected += all.try_insert(i).first == all.end() ? 1 : 0;
  EXPECT_GT(rejected, 0U);
  while (!all.empty()) {
    const std::uint16_t key = all.begin()->first;
    all.erase(all.begin());
    ASSERT_FALSE(all.contains(key));
    ASSERT_TRUE(ingot::live<numbers>::open(opened->bytes()));
  }
}

} // namespace btree_test
