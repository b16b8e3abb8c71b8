// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/change_log.hpp.
#pragma once

#include <ingot/core/detail/owned.hpp>
#include <ingot/document/detail/change_log.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

bool change_log::reserve_space(uint32_t nodes) noexcept {
  if (relocation_count_ + nodes > max_remembered || count_ + nodes > max_remembered) return false;
  if (nodes == 0) return true;
  while (relocation_count_ + nodes > relocations_capacity_) {
    if (!grow_departures()) return false;
  }
  while (is_full(count_ + nodes - 1)) {
    if (!grow()) return false;
  }
  return true;
}
void change_log::forget_half() noexcept {
  forget_until(relocations_[relocation_count_ - relocation_count_ / 2 - 1].when);
}
void change_log::forget_until(uint64_t floor) noexcept {
  owned<relocation_entry[]> saved(new (std::nothrow) relocation_entry[capacity_]);
  if (!saved) return note_all();
  const relocation* const first = relocations_.get();
  const auto gone = static_cast<uint32_t>(
      std::partition_point(first, first + relocation_count_,
                           [floor](const relocation& each) { return each.when <= floor; }) -
      first);
  const auto newer = [gone](uint32_t i) { return i == none || i < gone ? none : i - gone; };
  for (uint32_t i = gone; i < relocation_count_; ++i) {
    relocation each = relocations_[i];
    each.before = newer(each.before);
    each.next = newer(each.next);
    each.arrived = newer(each.arrived);
    relocations_[i - gone] = each;
  }
  std::swap(saved, entries_);
  count_ = 0;
  for (uint32_t i = 0; i < capacity_; ++i) {
    relocation_entry each = saved[i];
    each.last = newer(each.last);
    if (each.position == 0 || (each.last == none && each.shift <= floor)) continue;
    *find(each.position) = each;
    ++count_;
  }
  floor_ = floor;
  const uint32_t left = relocation_count_ - gone;
  // This is an estimate: the log does not record which of the remaining relocations were made by
  // defragmentation.
  if (relocation_count_ != 0) {
    settled_ = static_cast<uint32_t>(uint64_t{settled_} * left / relocation_count_);
  }
  relocation_count_ = left;
}
bool change_log::grow_departures() noexcept {
  const uint32_t capacity =
      relocations_capacity_ == 0 ? 4 : std::min(2 * relocations_capacity_, max_remembered);
  owned<relocation[]> larger(new (std::nothrow) relocation[capacity]);
  if (!larger) return false;
  for (uint32_t i = 0; i < relocation_count_; ++i) larger[i] = relocations_[i];
  relocations_ = std::move(larger);
  relocations_capacity_ = capacity;
  return true;
}
bool change_log::grow() noexcept {
  const uint32_t old_capacity = capacity_;
  const uint32_t capacity = old_capacity == 0 ? 16 : 2 * old_capacity;
  owned<relocation_entry[]> larger(new (std::nothrow) relocation_entry[capacity]);
  if (!larger) return false;
  std::swap(larger, entries_);
  capacity_ = capacity;
  for (uint32_t i = 0; i < old_capacity; ++i) {
    if (larger[i].position != 0) *find(larger[i].position) = larger[i];
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
