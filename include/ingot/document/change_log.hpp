// SPDX-License-Identifier: Apache-2.0
// What became of nodes since a handle was made, kept beside the bytes. For each place: when the elements of the node there last got other
// numbers, and each time a node left it, to another place or for good. A handle knows when it last was right, and goes from there.
//
// After `most_departures` the log begins anew, and handles that were not used since then end: what is remembered is bounded.
#pragma once

#include <ingot/document/place_map.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ingot::inline v1::detail::doc {

class change_log {
public:
  static constexpr uint32_t most_departures = 4096;

  /// Counts changes; handles keep what it was.
  [[nodiscard]] INGOT_INLINE uint64_t now() const noexcept { return now_; }

  /// Values lie elsewhere in their node's heap; places and numbers are as they were.
  INGOT_INLINE void note_values() noexcept { ++now_; }
  /// The node at `place` is gone.
  void note_end(uint32_t place) noexcept { note_departure(place, 0); }
  void note_move(uint32_t place, uint32_t to) noexcept { note_departure(place, to); }
  /// Its elements have other numbers now.
  INGOT_INLINE void note_shift(uint32_t place) noexcept {
    ++now_;
    if (room_ != 0) [[likely]] {
      place_entry& first = places_[spread_place(place, seed_) & (room_ - 1)];
      if (first.place == place) [[likely]] { // known, and where it is looked for first
        first.shift = now_;
        return;
      }
    }
    if (place_entry* const mine = enter(place)) mine->shift = now_;
  }
  /// All handles end.
  void note_all() noexcept {
    floor_ = ++now_;
    places_.reset();
    departures_.reset();
    room_ = count_ = departed_ = 0;
  }

  /// Brings the place of a handle's node up to date, as of `seen`; false when it is gone or, unless `any_index`, its elements have
  /// other numbers.
  [[nodiscard]] INGOT_INLINE bool follow(uint32_t& place, uint64_t seen,
                                         bool any_index = false) const noexcept {
    return seen == now_ || follow_changes(place, seen, any_index);
  }

private:
  static constexpr uint32_t none = 0xFFFFFFFF;

  struct place_entry {
    uint64_t shift = 0;
    uint32_t place = 0;   ///< 0: no entry
    uint32_t last = none; ///< the last departure from here
  };
  struct departure {
    uint64_t when;
    uint64_t shift;  ///< of the node that left, as it was then
    uint32_t to;     ///< 0: for good
    uint32_t before; ///< the departure before it from the same place
  };

  [[nodiscard]] place_entry* find(uint32_t place) const noexcept {
    for (uint32_t i = spread_place(place, seed_) & (room_ - 1);; i = (i + 1) & (room_ - 1)) {
      place_entry& each = places_[i];
      if (each.place == 0 || each.place == place) return &each;
    }
  }
  /// The entry of a place; null, with all forgotten, without memory.
  [[nodiscard]] INGOT_NOINLINE place_entry* enter(uint32_t place) noexcept {
    if (count_ == most_departures || (count_ + count_ / 2 >= room_ && !grow())) {
      note_all();
      return nullptr;
    }
    place_entry* const mine = find(place);
    if (mine->place == 0) ++count_;
    mine->place = place;
    return mine;
  }
  void note_departure(uint32_t place, uint32_t to) noexcept {
    ++now_;
    if (departed_ == most_departures) {
      note_all();
      return;
    }
    if ((departed_ & (departed_ - 1)) == 0 && !grow_departures()) {
      note_all();
      return;
    }
    place_entry* const mine = enter(place);
    if (mine == nullptr) return;
    departures_[departed_] = {now_, mine->shift, to, mine->last};
    mine->last = departed_++;
  }
  /// At powers of two, and at none.
  [[nodiscard]] bool grow_departures() noexcept {
    const uint32_t room = departed_ == 0 ? 1 : 2 * departed_;
    std::unique_ptr<departure[]> larger(new (std::nothrow) departure[room]);
    if (!larger) return false;
    for (uint32_t i = 0; i < departed_; ++i) larger[i] = departures_[i];
    departures_ = std::move(larger);
    return true;
  }
  [[nodiscard]] bool grow() noexcept {
    const uint32_t old_room = room_;
    const uint32_t room = old_room == 0 ? 16 : 2 * old_room;
    std::unique_ptr<place_entry[]> larger(new (std::nothrow) place_entry[room]);
    if (!larger) return false;
    larger.swap(places_);
    room_ = room;
    for (uint32_t i = 0; i < old_room; ++i) {
      if (larger[i].place != 0) *find(larger[i].place) = larger[i];
    }
    return true;
  }
  INGOT_NOINLINE bool follow_changes(uint32_t& place, uint64_t seen, bool any_index) const noexcept {
    if (seen < floor_) return false;
    while (room_ != 0) {
      const place_entry& here = *find(place);
      uint32_t first = none; // departure after the handle was right
      for (uint32_t i = here.last; i != none && departures_[i].when > seen; i = departures_[i].before)
        first = i;
      if (first == none) return any_index || here.shift <= seen;
      const departure& left = departures_[first];
      if (left.to == 0 || (!any_index && left.shift > seen)) return false;
      place = left.to;
      seen = left.when;
    }
    return true;
  }

  std::unique_ptr<place_entry[]> places_;
  std::unique_ptr<departure[]> departures_;
  uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  uint32_t room_ = 0;
  uint32_t count_ = 0;
  uint32_t departed_ = 0;
  uint64_t now_ = 1;
  uint64_t floor_ = 0;
};

} // namespace ingot::inline v1::detail::doc
