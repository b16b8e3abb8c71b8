// SPDX-License-Identifier: Apache-2.0
// Reorders the objects of one block. Algorithms of the standard library would copy them to objects
// outside the block, which is not possible. But the bytes of the objects can be moved.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/rotate.hpp>
#include <ingot/live/detail/element.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Memory from malloc for the time of one call, outside of all blocks; null if there is none.
struct scratch {
  void* memory;
  explicit scratch(std::size_t bytes) noexcept : memory(std::malloc(bytes)) {}
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { std::free(memory); }
};

/// Like std::rotate.
template <class T>
T* rotate_objects(T* first, T* middle, T* last) noexcept {
  if constexpr (!holds_offsets<T> && std::is_trivially_copyable_v<T>) {
    return rotate_values(first, middle, last);
  } else {
    // For an insertion, one element moves to the front. The other elements then move only once.
    if (last - middle == 1 && first != middle) {
      alignas(T) std::byte saved[sizeof(T)];
      std::memcpy(saved, static_cast<const void*>(middle), sizeof(T));
      relocate(first + 1, first, static_cast<std::size_t>(middle - first));
      std::memcpy(static_cast<void*>(first), saved, sizeof(T));
      detail::shift(first, middle, 1);
      return first + 1;
    }
    // Uses indices, because g++ 12 for 32 bits at -O2 miscompiles a loop with two pointers that
    // meet.
    const auto reverse = [](T* from, T* to) {
      const auto count = static_cast<std::size_t>(to - from);
      for (std::size_t i = 0; i < count / 2; ++i) swap_objects(from[i], from[count - 1 - i]);
    };
    reverse(first, middle);
    reverse(middle, last);
    reverse(first, last);
    return first + (last - middle);
  }
}

/// Like std::stable_sort, but moves each object once. Returns false if there is no memory for two
/// indices per object.
template <class Index, class T, class Less>
[[nodiscard]] bool sort_objects(T* all, std::size_t n, Less& less) {
  if (n < 2) return true;
  scratch memory(2 * n * sizeof(Index));
  if (memory.memory == nullptr) return false;
  auto* order = static_cast<Index*>(memory.memory);
  auto* merged = order + n;
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<Index>(i);
  // Merges runs of indices, because a merge stays in bounds for any `less`. std::sort may leave the
  // bounds if `less` is no strict weak order, for example if there are NaNs.
  for (std::size_t run = 1; run < n; run *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * run) {
      const std::size_t middle = std::min(n, begin + run);
      const std::size_t end = std::min(n, begin + 2 * run);
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool from_right = left == middle || (right < end && less(std::as_const(all[order[right]]),
                                                                       std::as_const(all[order[left]])));
        merged[to] = order[from_right ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
  // Follows each cycle of the permutation once. A local variable holds the first element of the
  // cycle.
  for (std::size_t start = 0; start < n; ++start) {
    if (order[start] == start) continue;
    alignas(T) std::byte saved[sizeof(T)];
    std::memcpy(saved, static_cast<const void*>(all + start), sizeof(T));
    std::size_t at = start;
    while (order[at] != start) {
      const std::size_t from = order[at];
      relocate(all + at, all + from, 1);
      order[at] = static_cast<Index>(at);
      at = from;
    }
    std::memcpy(static_cast<void*>(all + at), saved, sizeof(T));
    detail::shift(all + at, all + start, 1);
    order[at] = static_cast<Index>(at);
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
