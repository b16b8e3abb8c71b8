// SPDX-License-Identifier: Apache-2.0
// The behaviour of containers in a block must not depend on the width of its offsets.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/dice.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace policy_test {

template <class P>
struct types {
  using text = ingot::basic_string<char, P>;
  template <class T>
  using list = ingot::basic_vector<T, P>;
  struct part {
    std::uint32_t number;
    text name;
    list<text> labels;
  };
  struct store {
    list<part> parts;
    ingot::basic_map<std::uint64_t, text, P> ordered;
    ingot::basic_hash_map<text, std::uint64_t, P> hashed;
  };
  using block = ingot::basic_live<store, P>;
};

struct model {
  std::vector<std::pair<std::string, std::vector<std::string>>> parts;
  std::map<std::uint64_t, std::string> ordered;
  std::map<std::string, std::uint64_t> hashed;
};

template <class Store>
void expect_equal(const Store& is, const model& should) {
  ASSERT_EQ(is.parts.size(), should.parts.size());
  for (std::size_t i = 0; i < should.parts.size(); ++i) {
    ASSERT_EQ(is.parts[i].name.view(), should.parts[i].first);
    ASSERT_EQ(is.parts[i].labels.size(), should.parts[i].second.size());
    for (std::size_t k = 0; k < is.parts[i].labels.size(); ++k)
      ASSERT_EQ(is.parts[i].labels[k].view(), should.parts[i].second[k]);
  }
  ASSERT_EQ(is.ordered.size(), should.ordered.size());
  auto expected = should.ordered.begin();
  for (auto&& [key, value] : is.ordered) {
    ASSERT_EQ(key, expected->first);
    ASSERT_EQ(value.view(), expected->second);
    ++expected;
  }
  ASSERT_EQ(is.hashed.size(), should.hashed.size());
  for (const auto& [key, value] : should.hashed) {
    const auto found = is.hashed.find(std::string_view(key));
    ASSERT_TRUE(found != is.hashed.end()) << key;
    ASSERT_EQ(found->second, value);
  }
}

/// Makes one change to both.
template <class Store>
void change(Store& is, model& should, live_test::dice& dice) {
  const std::string word(dice() % 40, static_cast<char>('a' + dice() % 26));
  switch (dice() % 8) {
  case 0:
  case 1:
    is.parts.emplace_back().name = std::string_view(word);
    should.parts.push_back({word, {}});
    break;
  case 2:
    if (should.parts.empty()) break;
    is.parts.back().labels.emplace_back(std::string_view(word));
    should.parts.back().second.push_back(word);
    break;
  case 3:
    if (should.parts.empty()) break;
    is.parts.erase(is.parts.begin());
    should.parts.erase(should.parts.begin());
    break;
  case 4:
    if (should.parts.empty()) break;
    is.parts.front().name += std::string_view(word);
    should.parts.front().first += word;
    break;
  case 5: {
    const std::uint64_t key = dice() % 60;
    is.ordered[key] = std::string_view(word);
    should.ordered[key] = word;
    break;
  }
  case 6: {
    const std::uint64_t key = dice() % 60;
    EXPECT_EQ(is.ordered.erase(key), should.ordered.erase(key));
    break;
  }
  default:
    if (dice() % 3 == 0) {
      EXPECT_EQ(is.hashed.erase(std::string_view(word)), should.hashed.erase(word));
    } else {
      is.hashed[std::string_view(word)] = word.size();
      should.hashed[word] = word.size();
    }
  }
}

template <class P>
class live_policy : public testing::Test {};
#if SIZE_MAX > 0xFFFFFFFF
using policies = testing::Types<ingot::narrow_policy, ingot::wide_policy>;
#else
using policies = testing::Types<ingot::narrow_policy>;
#endif
TYPED_TEST_SUITE(live_policy, policies);

TYPED_TEST(live_policy, a_block_agrees_with_a_model_and_loses_no_byte) {
  using block = typename types<TypeParam>::block;
  block subject(ingot::max_block_size{4 << 20});
  model should;
  live_test::dice dice(11);
  for (int i = 0; i < 3'000; ++i) {
    change(*subject, should, dice);
    if (i % 97 != 0) continue;
    expect_equal(*subject, should);
    if (testing::Test::HasFatalFailure()) return;
    live_test::expect_accounted(subject, subject.size() / 64); // except free runs of eight bytes
  }
  EXPECT_GT(subject.stats().free_bytes, 0U);
  const std::size_t long_one = subject.size();
  subject.compact();
  EXPECT_LT(subject.size(), long_one);
  EXPECT_EQ(subject.stats().free_bytes, 0U);
  expect_equal(*subject, should);
  for (int i = 0; i < 200; ++i) change(*subject, should, dice);
  expect_equal(*subject, should);
}

TYPED_TEST(live_policy, its_bytes_open_with_their_holes_and_go_on_being_edited) {
  using block = typename types<TypeParam>::block;
  block subject(ingot::max_block_size{1 << 20});
  model should;
  live_test::dice dice(12);
  for (int i = 0; i < 300; ++i) change(*subject, should, dice);
  auto edited = block::open(subject.bytes());
  ASSERT_TRUE(edited.has_value()) << edited.error().message();
  expect_equal(**edited, should);
  EXPECT_EQ(edited->stats().free_bytes, subject.stats().free_bytes); // found by validation
  for (int i = 0; i < 100; ++i) change(**edited, should, dice);
  expect_equal(**edited, should);
  edited->compact();
  auto canonical = block::open(edited->bytes());
  ASSERT_TRUE(canonical.has_value()) << canonical.error().message();
  for (int i = 0; i < 100; ++i) change(**canonical, should, dice);
  expect_equal(**canonical, should);
}

TYPED_TEST(live_policy, every_flipped_bit_is_rejected_or_bears_changes) {
  using block = typename types<TypeParam>::block;
  block subject(ingot::max_block_size{1 << 20});
  model should;
  live_test::dice dice(13);
  for (int i = 0; i < 40; ++i) change(*subject, should, dice);
  const std::vector<std::byte> whole(subject.bytes().begin(), subject.bytes().end());
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3) {
    auto damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    auto opened = block::open(damaged);
    if (!opened) continue;
    ++accepted;
    auto& root = **opened;
    root.parts.emplace_back().name = "something that needs a storage";
    root.ordered[7] = "another text that needs one";
    root.hashed["a key that is not in it"] = 1;
    root.parts.clear();
    root.ordered.clear();
    root.hashed.clear();
    opened->compact();
    ASSERT_TRUE(block::open(opened->bytes()).has_value()) << bit;
  }
  EXPECT_GT(accepted, 0U);
}

TYPED_TEST(live_policy, a_full_block_says_so_and_is_as_it_was) {
  using block = typename types<TypeParam>::block;
  alignas(16) std::array<std::byte, 4096> memory{};
  auto created = block::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& root = **created;
  std::size_t count = 0;
  while (root.parts.try_emplace_back() != nullptr) ++count;
  EXPECT_GT(count, 10U);
  EXPECT_EQ(root.parts.size(), count);
  const std::string long_text(5000, 'x');
  EXPECT_FALSE(root.parts[0].name.try_assign(long_text));
  EXPECT_TRUE(root.parts[0].name.empty());
  live_test::expect_accounted(*created);
  created->compact();
  EXPECT_EQ(root.parts.size(), count);
}

} // namespace policy_test
