// SPDX-License-Identifier: Apache-2.0
// What became of nodes since a handle was made: kept beside the bytes, one entry for each node that ever moved, was freed, or whose
// elements changed their numbers. A handle whose node is in no entry younger than itself means what it meant.
#pragma once

#include <ingot/document/format.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ingot::inline v1::detail::doc {

/// An open table from a node's place to the last thing that happened there.
class change_log {
public:
  /// Counts changes; handles keep what it was.
  [[nodiscard]] INGOT_INLINE uint64_t now() const noexcept { return now_; }

  /// The node at `place` is gone.
  void note_end(uint32_t place) noexcept { note(place, gone); }
  /// Its elements have other numbers now.
  void note_shift(uint32_t place) noexcept { note(place, shifted); }
  void note_move(uint32_t place, uint32_t to) noexcept { note(place, to); }
  /// All handles end.
  void note_all() noexcept {
    floor_ = ++now_;
    entries_.reset();
    room_ = count_ = 0;
  }

  /// Brings the place of a handle's node up to date, as of `seen`; false when it is gone or, unless `any_index`, its elements have
  /// other numbers.
  [[nodiscard]] INGOT_INLINE bool follow(uint32_t& place, uint64_t seen,
                                         bool any_index = false) const noexcept {
    return seen == now_ || follow_changes(place, seen, any_index);
  }

private:
  // No node is there.
  static constexpr uint32_t gone = 0;
  static constexpr uint32_t shifted = 1;

  struct entry {
    uint64_t when = 0;  ///< 0: no entry
    uint64_t since = 0; ///< when another node left the place before: what is older meant that one
    uint32_t place = 0;
    uint32_t moved_to = gone; ///< or what else happened
  };

  [[nodiscard]] static uint32_t slot_of(uint32_t place, uint32_t room) noexcept {
    return static_cast<uint32_t>((place / 8) * 0x9E3779B1U) & (room - 1);
  }
  [[nodiscard]] entry* find(uint32_t place) const noexcept {
    for (uint32_t i = slot_of(place, room_);; i = (i + 1) & (room_ - 1)) {
      entry& each = entries_[i];
      if (each.when == 0 || each.place == place) return &each;
    }
  }
  void note(uint32_t place, uint32_t to) noexcept {
    ++now_;
    if (count_ + count_ / 2 >= room_ && !grow()) {
      note_all();
      return;
    }
    entry& mine = *find(place);
    if (mine.when == 0) ++count_;
    mine = {now_, mine.moved_to == shifted ? mine.since : mine.when, place, to};
  }
  [[nodiscard]] bool grow() noexcept {
    const uint32_t room = room_ == 0 ? 16 : 2 * room_;
    std::unique_ptr<entry[]> larger(new (std::nothrow) entry[room]);
    if (!larger) return false;
    for (uint32_t i = 0; i < room_; ++i) {
      if (entries_[i].when == 0) continue;
      uint32_t to = slot_of(entries_[i].place, room);
      while (larger[to].when != 0) to = (to + 1) & (room - 1);
      larger[to] = entries_[i];
    }
    entries_ = std::move(larger);
    room_ = room;
    return true;
  }
  INGOT_NOINLINE bool follow_changes(uint32_t& place, uint64_t seen, bool any_index) const noexcept {
    if (seen < floor_) return false;
    while (room_ != 0) {
      const entry& last = *find(place);
      if (last.when <= seen) break;
      if (seen < last.since) return false;
      if (any_index && last.moved_to == shifted) break;
      if (last.moved_to == gone || last.moved_to == shifted) return false;
      place = last.moved_to; // each step is a younger one
      seen = last.when;
    }
    return true;
  }

  std::unique_ptr<entry[]> entries_;
  uint32_t room_ = 0;
  uint32_t count_ = 0;
  uint64_t now_ = 1;
  uint64_t floor_ = 0;
};

} // namespace ingot::inline v1::detail::doc
