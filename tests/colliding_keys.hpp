// SPDX-License-Identifier: Apache-2.0
// Hashed containers whose keys collide, and which count their comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace colliding_keys {

/// Comparisons of keys that share a bucket.
inline std::uint64_t comparisons = 0;
struct counting_equal {
  bool operator()(std::uint64_t a, std::uint64_t b) const noexcept {
    ++comparisons;
    return a == b;
  }
};
using hash = std::hash<std::uint64_t>;
using set = std::unordered_set<std::uint64_t, hash, counting_equal>;
using multiset = std::unordered_multiset<std::uint64_t, hash, counting_equal>;

/// A hash that is equal for all keys, so that no number of buckets separates them.
struct same_hash {
  std::size_t operator()(std::uint64_t) const noexcept { return 7; }
};
using bad_set = std::unordered_set<std::uint64_t, same_hash, counting_equal>;
using bad_map = std::unordered_map<std::uint64_t, std::uint32_t, same_hash, counting_equal>;
using bad_multiset = std::unordered_multiset<std::uint64_t, same_hash, counting_equal>;

/// Number of keys of a container that is rejected.
inline constexpr std::size_t many = 1'500;
/// Maximum comparisons until then: a few rounds of 32 for each key, while the number of buckets
/// changes.
inline constexpr std::uint64_t max_comparisons = many * 60;

} // namespace colliding_keys
