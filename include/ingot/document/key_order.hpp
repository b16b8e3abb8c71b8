// SPDX-License-Identifier: Apache-2.0
// Sorts many keys in the order of objects: by hash, then by bytes. Also finds repeated keys.
#pragma once

#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key_policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

struct key_order_result {
  uint32_t count; ///< number of keys that remain
  /// smallest index of a key that repeats an earlier key; npos if there is none
  uint32_t repeated;
};

/// Combines a hash and an index into one number. Such numbers are sorted faster than pairs.
[[nodiscard]] INGOT_INLINE constexpr uint64_t ordered(uint16_t hash, uint64_t index) noexcept {
  return uint64_t{hash} << 32 | index;
}

/// Sorts `count` results of `ordered` by hash, then by text. `key(index)` returns the text of a
/// key. Only one of several equal keys remains. Unless the policy is `error`, `drop` is called with
/// the index of each key that does not remain. O(n log n); n keys with equal hashes also take O(n
/// log n) comparisons of their texts. If the poll is cancelled, the keys have no defined order, and
/// the caller must ignore the result.
template <class Key, class Drop>
[[nodiscard]] key_order_result sort_keys(uint64_t* order, uint32_t count, const Key& key, key_policy policy,
                                         const Drop& drop, progress_poll& each) noexcept {
  constexpr uint32_t few = 24;
  if (count <= few) {
    for (uint32_t i = 1; i < count; ++i) {
      const uint64_t moved = order[i];
      uint32_t to = i;
      for (; to != 0 && order[to - 1] > moved; --to) order[to] = order[to - 1];
      order[to] = moved;
    }
  } else if (!std::is_sorted(order, order + count)) {
    if (!cancellable_sort(order, order + count, std::less(), each)) return {0, npos};
  }
  key_order_result left{0, npos};
  for (uint32_t from = 0; from < count;) {
    const auto due =
        static_cast<uint32_t>(each.run_end(from, count, 64)); // the next poll comes before this key
    while (from < due) {
      uint32_t to = from + 1;
      while (to < count && order[to] >> 32 == order[from] >> 32) ++to;
      if (to - from == 1) {
        order[left.count++] = order[from++];
        continue;
      }
      const auto text = [&](uint64_t of) { return key(static_cast<uint32_t>(of)); };
      const auto before = [&](uint64_t a, uint64_t b) {
        const int difference = text(a).compare(text(b));
        return difference != 0 ? difference < 0 : a < b;
      };
      if (!cancellable_sort(order + from, order + to, before, each)) return {0, npos};
      while (from < to) {
        uint32_t end = from + 1;
        while (end < to && text(order[end]) == text(order[from])) ++end;
        if (end - from > 1) left.repeated = std::min(left.repeated, static_cast<uint32_t>(order[from + 1]));
        const uint32_t retained = policy == key_policy::last_wins ? end - 1 : from;
        for (uint32_t i = from; i < end && policy != key_policy::error; ++i) {
          if (i != retained) drop(static_cast<uint32_t>(order[i]));
        }
        order[left.count++] = order[retained];
        from = end;
      }
    }
    if (from < count && !each.should_continue_now()) return {0, npos};
  }
  return left;
}
template <class Key, class Drop>
[[nodiscard]] key_order_result sort_keys(uint64_t* order, uint32_t count, const Key& key, key_policy policy,
                                         const Drop& drop) noexcept {
  progress_poll no_callback;
  return sort_keys(order, count, key, policy, drop, no_callback);
}

}}} // namespace ingot::INGOT_V1::detail::doc
