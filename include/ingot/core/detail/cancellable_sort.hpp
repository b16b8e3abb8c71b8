// SPDX-License-Identifier: Apache-2.0
// A sort that can be cancelled. Long ranges are divided at a median, as in quicksort, until each
// part is short enough to be sorted without a poll. If the divisions of a range are too uneven, by
// chance or because of malicious input, the range is sorted by heapsort. So a sort takes
// O(n log n), and allocates nothing.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/sort.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Maximum number of items that are sorted without a poll. Sorting so many items takes some
/// milliseconds.
inline constexpr std::ptrdiff_t max_uninterrupted_sort = std::ptrdiff_t{1} << 15;

/// Sorts by heapsort. Polls for each item that enters or leaves the heap. Returns false if
/// cancelled.
template <class T, class Before>
[[nodiscard]] bool sort_by_heap(T* first, T* last, const Before& before, progress_poll& each) {
  std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t at = count / 2; at-- > 0;) {
    if (!each.step_should_continue()) return false;
    sift_down(first, at, count, before);
  }
  while (--count > 0) {
    if (!each.step_should_continue()) return false;
    std::swap(*first, first[count]);
    sift_down(first, 0, count, before);
  }
  return true;
}

/// Partitions a range by the median of three of its items. Items that are less than the median come
/// first, then the median, then the other items. Returns the position of the median. If cancelled,
/// the items are in no particular order.
template <class T, class Before>
[[nodiscard]] T* divide(T* first, T* last, const Before& before, progress_poll& each) {
  T* const middle = first + (last - first) / 2;
  if (before(*middle, *first)) std::swap(*middle, *first);
  if (before(last[-1], *first)) std::swap(last[-1], *first);
  if (before(last[-1], *middle)) std::swap(last[-1], *middle);
  std::swap(*first, *middle);
  T* parted = first + 1;
  for (T* high = last;;) {
    const auto is_before = [&](const T& item) { return each.step_should_continue() && before(item, *first); };
    while (parted != high && is_before(*parted)) ++parted;
    while (parted != high) {
      --high;
      if (parted == high || is_before(*high)) break;
    }
    if (parted == high) break;
    std::swap(*parted++, *high);
  }
  std::swap(*first, parted[-1]);
  return parted - 1;
}

/// Sorts a range, as `std::sort` does. Returns false if cancelled; the items are then in no
/// particular order.
template <class T, class Before>
[[nodiscard]] bool cancellable_sort(T* first, T* last, const Before& before, progress_poll& each) {
  if (last - first <= max_uninterrupted_sort || !each.asks()) {
    sort_items(first, last, before);
    return true;
  }
  using range = unsorted_range<T>;
  std::array<range, 64> later; // the longer parts; each division at least halves `now`
  std::size_t waiting = 0;
  range now{first, last, max_divisions(last - first)};
  while (true) {
    while (now.last - now.first > max_uninterrupted_sort && now.divisions != 0) {
      T* const parted = divide(now.first, now.last, before, each);
      if (each.stopped()) return false;
      range lower{now.first, parted, now.divisions - 1};
      range upper{parted + 1, now.last, now.divisions - 1};
      if (lower.last - lower.first > upper.last - upper.first) std::swap(lower, upper);
      later[waiting++] = upper;
      now = lower;
    }
    if (now.last - now.first <= max_uninterrupted_sort) {
      sort_items(now.first, now.last, before);
    } else if (!sort_by_heap(now.first, now.last, before, each)) {
      return false;
    }
    if (waiting == 0) return true;
    now = later[--waiting];
  }
}

}}} // namespace ingot::INGOT_V1::detail
