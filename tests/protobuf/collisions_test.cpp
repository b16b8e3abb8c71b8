// SPDX-License-Identifier: Apache-2.0
// Keys that were chosen to share buckets: without a bound, decoding them takes time quadratic in
// their number.
#include <ingot/document/document.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "colliding_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using ingot::errc;

using namespace colliding_keys;

/// Returns keys that share a bucket for the number of buckets of a container of `count` keys, and
/// for the next ones: multiples of the product of as many of these numbers as a key can represent.
std::vector<std::uint64_t> colliding(std::size_t count) {
  std::unordered_set<std::uint64_t> like;
  for (std::uint64_t i = 0; i < count; ++i) like.insert(i);
  std::uint64_t step = like.bucket_count();
  for (;;) {
    like.rehash(like.bucket_count() + like.bucket_count() / 2 + 1);
    if (step > ~std::uint64_t{0} / count / like.bucket_count()) break;
    step *= like.bucket_count();
  }
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(i * step);
  return keys;
}

template <class Set, class Read>
ingot::error rejection(const Read& read) {
  comparisons = 0;
  const auto outcome = read.template operator()<Set>();
  EXPECT_FALSE(outcome);
  EXPECT_LT(comparisons, max_comparisons);
  EXPECT_EQ(outcome.error().code(), errc::too_many_collisions) << outcome.error().message();
  EXPECT_NE(outcome.error().message().find("max_collisions"), std::string::npos);
  return outcome.error();
}

std::set<std::uint64_t> numbers(std::size_t count) {
  std::set<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.insert(i);
  return all;
}
std::unordered_set<std::uint64_t> as_unordered(const auto& keys) { return {keys.begin(), keys.end()}; }

struct holder {
  std::vector<bad_set> sets;
};
struct sent {
  std::vector<std::unordered_set<std::uint64_t>> sets;
};

TEST(collisions, packed_and_compact_messages_are_rejected_early_with_the_path) {
  const auto keys = as_unordered(numbers(many));
  const auto packed = ingot::pack(keys).value();
  const auto compact = ingot::compact::pack(keys).value();
  rejection<bad_set>([&]<class T>() { return ingot::unpack<T>(packed); });
  rejection<bad_set>([&]<class T>() { return ingot::compact::unpack<T>(compact); });
  rejection<bad_multiset>([&]<class T>() { return ingot::unpack<T>(packed); });
  rejection<bad_multiset>([&]<class T>() { return ingot::compact::unpack<T>(compact); });
  std::unordered_map<std::uint64_t, std::uint32_t> entries;
  for (const auto key : keys) entries[key] = 5;
  const auto map_bytes = ingot::pack(entries).value();
  const auto compact_map = ingot::compact::pack(entries).value();
  rejection<bad_map>([&]<class T>() { return ingot::unpack<T>(map_bytes); });
  rejection<bad_map>([&]<class T>() { return ingot::compact::unpack<T>(compact_map); });
  const auto held = ingot::pack(sent{{{}, keys}}).value();
  const auto why = rejection<holder>([&]<class T>() { return ingot::unpack<T>(held); });
  EXPECT_TRUE(why.path().starts_with("sets[1][")) << why.path();
}

TEST(collisions, chosen_multiples_get_other_buckets_or_are_rejected) {
  const auto keys = colliding(many);
  const auto packed = ingot::pack(as_unordered(keys)).value();
  comparisons = 0;
  const auto outcome = ingot::unpack<set>(packed);
  EXPECT_LT(comparisons, many * 200);
  if (outcome) EXPECT_EQ(outcome->size(), many);
  else EXPECT_EQ(outcome.error().code(), errc::too_many_collisions);
}

// Multiples of each number of buckets that a growing container has, of powers of two, and of common
// sizes of rows.
TEST(collisions, keys_at_equal_distances_are_never_rejected) {
  std::set<std::uint64_t> steps{1,    3,    10,   100,    255,    256,       257,
                                1000, 1080, 1920, 65'536, 65'537, 1'000'000, 0x100'0000'01B3};
  constexpr unsigned bits = sizeof(std::size_t) == 8 ? 50 : 20; // with 32, a hash is half of a key
  for (unsigned bit = 0; bit < bits; ++bit) steps.insert(std::uint64_t{1} << bit);
  std::unordered_set<std::uint64_t> like;
  for (std::uint64_t i = 0; i < many; ++i) {
    like.insert(i);
    steps.insert(like.bucket_count());
  }
  for (const std::uint64_t step : steps) {
    std::unordered_set<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 1'200; ++i) keys.insert(i * step);
    const auto outcome = ingot::unpack<set>(ingot::pack(keys));
    ASSERT_TRUE(outcome) << step << ' ' << outcome.error().message();
    ASSERT_EQ(outcome->size(), keys.size());
  }
}

TEST(collisions, small_containers_are_never_rejected_and_limits_can_be_raised) {
  const auto few = as_unordered(numbers(64));
  EXPECT_TRUE(ingot::unpack<bad_set>(ingot::pack(few)));
  EXPECT_TRUE(ingot::compact::unpack<bad_set>(ingot::compact::pack(few)));
}

TEST(collisions, equal_keys_of_a_multimap_are_no_collisions) {
  std::unordered_multiset<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < many; ++i) keys.insert(i % 3);
  comparisons = 0;
  const auto outcome = ingot::unpack<multiset>(ingot::pack(keys));
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->count(2), keys.count(2));
  EXPECT_LT(comparisons, many * 8);
  comparisons = 0;
  EXPECT_TRUE(ingot::compact::unpack<multiset>(ingot::compact::pack(keys)));
  EXPECT_LT(comparisons, many * 8);
}

TEST(collisions, equal_keys_of_ordered_multimaps_keep_their_order) {
  using descending = std::multimap<int, int, std::greater<int>>;
  const descending values{{3, 1}, {3, 2}, {2, 1}, {2, 2}, {5, 1}, {5, 2}, {5, 3}};
  EXPECT_EQ(ingot::unpack<descending>(ingot::pack(values)).value(), values);
  EXPECT_EQ(ingot::compact::unpack<descending>(ingot::compact::pack(values)).value(), values);
}

struct before {
  std::unordered_set<std::uint64_t> keys;
};
struct after {
  bad_set keys;
  int more = 0;
};

TEST(collisions, older_messages_are_rejected) {
  const before value{as_unordered(numbers(many))};
  const auto conversion = ingot::evolution<after>::from(ingot::schema_of<before>()).value();
  const auto packed = ingot::pack(value).value();
  EXPECT_EQ(rejection<after>([&]<class T>() { return conversion.unpack(packed); }).path().substr(0, 5),
            "keys[");
  const auto compact = ingot::compact::pack(value).value();
  rejection<after>([&]<class T>() { return conversion.unpack_compact(compact); });
}

TEST(collisions, protobuf_messages_are_rejected) {
  struct sent_map {
    std::unordered_map<std::uint64_t, std::uint32_t> entries;
    std::unordered_set<std::uint64_t> keys;
  } from{{}, as_unordered(numbers(many))};
  struct read_map {
    bad_map entries;
    bad_set keys;
  };
  auto bytes = ingot::protobuf::write(from).value();
  EXPECT_TRUE(rejection<read_map>([&]<class T>() { return ingot::protobuf::read<T>(bytes); })
                  .path()
                  .starts_with("keys["));
  EXPECT_TRUE(ingot::protobuf::read<read_map>(bytes, {.max_collisions = many}));
  for (const auto key : from.keys) from.entries[key] = 1;
  from.keys.clear();
  bytes = ingot::protobuf::write(from).value();
  EXPECT_TRUE(rejection<read_map>([&]<class T>() { return ingot::protobuf::read<T>(bytes); })
                  .path()
                  .starts_with("entries["));
  EXPECT_TRUE(ingot::protobuf::read<read_map>(bytes, {.max_collisions = many}));
}

TEST(collisions, values_of_documents_are_rejected) {
  const auto keys = numbers(many);
  ingot::document doc(std::vector<std::uint64_t>(keys.begin(), keys.end()));
  rejection<bad_set>([&]<class T>() { return doc.root().as<T>(); });
  ingot::conversion_options more;
  more.max_collisions = many;
  EXPECT_TRUE(doc.root().as<bad_set>(more));
  ingot::document object(std::map<std::uint64_t, std::uint32_t>{});
  std::map<std::uint64_t, std::uint32_t> entries;
  for (const auto key : keys) entries[key] = 2;
  object = ingot::document(entries);
  rejection<bad_map>([&]<class T>() { return object.root().as<T>(); });
}

} // namespace
