// SPDX-License-Identifier: Apache-2.0
// std::sort for arrays, without <algorithm>. Compiling <algorithm> takes a fifth of the time that
// <map>, <string> and <vector> take together.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Moves the item at position `at` of a heap of `count` items down, until no child is greater than
/// the item. Replaces `std::pop_heap`, because a standard library with checks inspects the whole
/// heap at each call of `std::pop_heap`.
template <class T, class Before>
void sift_down(T* heap, std::ptrdiff_t at, std::ptrdiff_t count, const Before& before) {
  T item = std::move(heap[at]);
  for (std::ptrdiff_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && before(heap[child], heap[child + 1])) ++child;
    if (!before(item, heap[child])) break;
    heap[at] = std::move(heap[child]);
    at = child;
  }
  heap[at] = std::move(item);
}

/// Sorts by insertion. Used for few items, or for items that are nearly sorted. O(n * n).
template <class T, class Before>
void sort_few(T* first, T* last, const Before& before) {
  if (first == last) return;
  for (T* each = first + 1; each != last; ++each) {
    if (!before(*each, each[-1])) continue;
    T item = std::move(*each);
    T* to = each;
    do {
      *to = std::move(to[-1]);
      --to;
    } while (to != first && before(item, to[-1]));
    *to = std::move(item);
  }
}

/// A part of an array that is not sorted yet.
template <class T>
struct unsorted_range {
  T* first;
  T* last;
  int divisions; ///< number of divisions that are left
};
/// Returns the maximum number of divisions of a range: twice the number that is needed if each
/// division halves the range.
[[nodiscard]] inline int max_divisions(std::ptrdiff_t count) noexcept {
  return 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(count)));
}

/// Moves the median of three items to the front of a range of at least four items. At least one of
/// the items after the median is not less than the median, and at least one is not greater. The
/// loops of `parted_by_first` stop at these items.
template <class T, class Before>
void middle_to_front(T* first, T* last, const Before& before) {
  T* a = first + 1;
  T* b = first + (last - first) / 2;
  T* c = last - 1;
  if (before(*b, *a)) std::swap(a, b);
  if (before(*c, *b)) std::swap(b, c);
  if (before(*b, *a)) std::swap(a, b);
  std::swap(*first, *b);
}
/// Partitions a range; its first item is the pivot. Afterwards, items that are less than the pivot
/// are before the pivot, and greater items are after it. Returns the new position of the pivot.
template <class T, class Before>
[[nodiscard]] T* parted_by_first(T* first, T* last, const Before& before) {
  using held = std::conditional_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 16, const T, const T&>;
  held middle = *first;
  T* low = first + 1;
  T* high = last;
  while (true) {
    while (before(*low, middle)) ++low;
    do --high;
    while (before(middle, *high));
    if (low >= high) break;
    std::swap(*low, *high);
    ++low;
  }
  std::swap(*first, low[-1]);
  return low - 1;
}

/// Sorts a range in the order of `before`, a strict weak order, as `std::sort` does: O(n log n)
/// calls of `before`. Allocates nothing; equal items end in any order.
template <class T, class Before>
void sort_items(T* first, T* last, const Before& before) {
  constexpr std::ptrdiff_t few = 16;
  // the longer parts, which are sorted later; 64 entries are enough, because each division at least
  // halves `now`
  std::array<unsorted_range<T>, 64> later;
  std::size_t waiting = 0;
  unsorted_range<T> now{first, last, max_divisions(last - first)};
  while (true) {
    while (now.last - now.first > few && now.divisions != 0) {
      middle_to_front(now.first, now.last, before);
      T* const parted = parted_by_first(now.first, now.last, before);
      unsorted_range<T> lower{now.first, parted, now.divisions - 1};
      unsorted_range<T> upper{parted + 1, now.last, now.divisions - 1};
      if (lower.last - lower.first > upper.last - upper.first) std::swap(lower, upper);
      later[waiting++] = upper;
      now = lower;
    }
    if (std::ptrdiff_t count = now.last - now.first; count <= few) {
      sort_few(now.first, now.last, before);
    } else { // the divisions were too uneven: heapsort
      for (std::ptrdiff_t at = count / 2; at-- > 0;) sift_down(now.first, at, count, before);
      while (--count > 0) {
        std::swap(*now.first, now.first[count]);
        sift_down(now.first, 0, count, before);
      }
    }
    if (waiting == 0) return;
    now = later[--waiting];
  }
}

}}} // namespace ingot::INGOT_V1::detail
