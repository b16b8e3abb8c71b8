// SPDX-License-Identifier: Apache-2.0
// Bounds the time to fill a hashed container of the standard library with keys from untrusted
// input.
//
// The standard library's hash of an integer is the integer, and its hash of a text has no secret.
// So a sender can choose keys that share one bucket. Filling the container would then take time
// quadratic in the number of keys. The container compares each new key with the keys in its bucket,
// so readers count these comparisons. If there are more than `max_collisions` comparisons per key,
// the number of buckets grows by a half. But if there are already more than eight buckets per key,
// the keys are rejected.
//
// The total time is linear in the number of keys. Between two changes of the number of buckets,
// there are at most `max_collisions` comparisons per key. The number of buckets grows by a half
// each time and ends at 12 buckets per key, so the changes also take linear time.
//
// Keys that were not chosen to collide are accepted. A key with a random hash shares its bucket
// with less than one other key on average, since the load factor is at most 1. The chance that 64
// such keys have 32 comparisons per key is below 2^-1000. Keys that differ by multiples of a number
// s, as addresses do, collide if s is a multiple of the number of buckets. libstdc++ and libc++
// grow to primes, so another number of buckets separates the keys. Such keys are rejected only if s
// is a multiple of four of these primes; the product of four is above 10^8. After `reserve`, libc++
// may have a power of two as the number of buckets. The first change replaces this number by a
// prime.
#pragma once

#include <ingot/core/read_limits.hpp>
#include <ingot/reflect/kind.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::string_view few_collisions = "keys that their hash tells apart: see max_collisions";

/// The numbers of comparisons and insertions of keys, for one container or for all containers of a
/// message.
struct collision_count {
  std::uint64_t compared = 0;
  std::uint64_t inserted = 0;
};

template <class C>
concept has_buckets = requires(C& c, const typename C::key_type& key) {
  { c.bucket_size(c.bucket(key)) } -> std::convertible_to<std::size_t>;
  { c.bucket_count() } -> std::convertible_to<std::size_t>;
  c.rehash(std::size_t{});
};

template <class C, class Key>
INGOT_NOINLINE constexpr bool count_collisions(collision_count& count, std::uint32_t max, C& out,
                                               const Key& key) {
  if constexpr (!is_multi<C>) count.compared += out.bucket_size(out.bucket(key));
  ++count.inserted;
  if (count.compared / (std::uint64_t{max} + 1) <= count.inserted + 64) [[likely]]
    return true;
  if (out.bucket_count() / 8 > out.size()) return false;
  count = {};
  out.rehash(out.bucket_count() + out.bucket_count() / 2 + 1);
  return true;
}
/// Returns false if the keys must be rejected. `key` is the key of `out` that was inserted last.
/// Always returns true for containers without buckets, and for containers of at most 64 keys.
template <class C, class Key>
[[nodiscard]] INGOT_INLINE constexpr bool has_few_collisions(collision_count& count, std::uint32_t max,
                                                             C& out, const Key& key) {
  if constexpr (has_buckets<C>) return out.size() <= 64 || count_collisions(count, max, out, key);
  else return true;
}
/// Finds the first equal key in a hashed multimap, and counts the keys before it in the bucket.
/// These keys must be counted before the insertion: `bucket_size` would also count equal keys,
/// which are no collisions.
template <class C, class Key>
INGOT_NOINLINE constexpr auto find_counting(collision_count& count, C& out, const Key& key) {
  if (out.size() > 64) {
    const auto equal = out.key_eq();
    const auto key_in = [](const auto& item) -> const auto& {
      if constexpr (requires { typename C::mapped_type; }) return item.first;
      else return item;
    };
    const std::size_t bucket = out.bucket(key);
    for (auto at = out.begin(bucket); at != out.end(bucket) && !equal(key_in(*at), key); ++at)
      ++count.compared;
  }
  return out.find(key);
}
/// Returns the hint for the insertion of a key. In a hashed multimap the hint is the first equal
/// key, so that the insertion does not walk over the other equal keys. In an ordered multimap the
/// hint keeps equal keys in the order of their insertion.
template <class C, class Key>
[[nodiscard]] INGOT_INLINE constexpr auto insertion_hint([[maybe_unused]] collision_count& count, C& out,
                                                         [[maybe_unused]] const Key& key) {
  if constexpr (!is_multi<C>) return out.end();
  else if constexpr (has_buckets<C>) return find_counting(count, out, key);
  else if constexpr (requires { out.key_comp()(key, key) && out.upper_bound(key) == out.rbegin().base(); }) {
    if (out.empty()) return out.end();
    const auto& last = [&]() -> const auto& {
      if constexpr (requires { typename C::mapped_type; }) return (*out.rbegin()).first;
      else return *out.rbegin();
    }();
    return out.key_comp()(key, last) ? out.upper_bound(key) : out.end();
  } else return out.end();
}

}}} // namespace ingot::INGOT_V1::detail
