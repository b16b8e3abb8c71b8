// SPDX-License-Identifier: Apache-2.0
// Records changes of nodes, so that handles can find their nodes again. The log is stored outside
// of the document's bytes. For each position, the log stores when elements of the node there last
// got other indices. The log also has an entry for each time that a node left the position: the
// node was moved or released. A handle stores the time at which it was last valid, and follows the
// changes since that time.
//
// The log has a maximum size. If there are too many relocations or positions, the log forgets the
// older half. A handle that was last used before the first change in the newer half ends: from then
// on, it reads as absent. Moves by defragmentations have a separate limit, which is proportional to
// the number of other relocations.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/document/detail/position_map.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class change_log {
public:
  static constexpr uint32_t max_relocations = 4096;
  static constexpr uint32_t defragment_ratio = 4;

  /// Returns the number of changes so far, which handles store as a time.
  [[nodiscard]] INGOT_INLINE uint64_t now() const noexcept { return now_; }

  /// Notes that values moved within the heap of their node. The position of the node and the
  /// indices of the values are unchanged.
  INGOT_INLINE void note_values() noexcept { ++now_; }
  /// Notes that the node at `position` was released.
  void note_end(uint32_t position) noexcept { note_move(position, 0); }
  void note_move(uint32_t position, uint32_t to) noexcept {
    if (relocation_count_ - settled_ >= max_relocations) forget_half();
    note_departure(position, to);
  }
  /// Notes a move of a node by a defragmentation.
  void note_defragmented(uint32_t position, uint32_t to) noexcept {
    note_departure(position, to);
    if (relocation_count_ != 0) ++settled_; // if 0, the log had no memory and forgot everything
  }
  /// Returns true if a defragmentation may move `nodes` nodes.
  [[nodiscard]] bool may_defragment(uint32_t nodes) const noexcept {
    return settled_ + nodes <= defragment_ratio * (relocation_count_ - settled_) + initial_defragment_budget;
  }
  /// Reserves memory to note the moves of as many nodes as `nodes` says. Without memory for a note,
  /// the log would be cleared, and all handles would end. Returns false if there is no memory, or
  /// if the log can't have so many entries.
  [[nodiscard]] INGOT_COMPILED bool reserve_space(uint32_t nodes) noexcept;
  /// Notes that elements of the node at `position` got other indices.
  INGOT_INLINE void note_shift(uint32_t position) noexcept {
    ++now_;
    if (capacity_ != 0) [[likely]] {
      relocation_entry& first = entries_[spread_position(position, seed_) & (capacity_ - 1)];
      if (first.position == position) [[likely]] { // known, and in its home slot: the common case
        first.shift = now_;
        return;
      }
    }
    if (relocation_entry* const mine = enter(position)) mine->shift = now_;
  }
  /// Ends all handles.
  void note_all() noexcept {
    floor_ = ++now_;
    entries_.reset();
    relocations_.reset();
    capacity_ = count_ = relocations_capacity_ = relocation_count_ = settled_ = 0;
  }

  /// Updates `position`, where the handle's node was at the time `seen`. Returns false if the
  /// handle has ended: the node was released, or the log no longer has the changes since `seen`. If
  /// `any_index` is false, the handle also ends if elements of the node got other indices.
  [[nodiscard]] INGOT_INLINE bool follow(uint32_t& position, uint64_t seen,
                                         bool any_index = false) const noexcept {
    return seen == now_ || follow_changes(position, seen, any_index) != 0;
  }
  /// Does what `follow` does, without a fast path for "nothing changed". If the handle has ended,
  /// returns 0, otherwise 1 plus the number of relocations that were visited.
  [[nodiscard]] INGOT_NOINLINE uint32_t follow_changes(uint32_t& position, uint64_t seen,
                                                       bool any_index = false) const noexcept {
    if (seen < floor_) return 0;
    uint32_t looked_at = 1;
    uint32_t known = none;
    while (capacity_ != 0) {
      uint32_t first = known; // the first relocation after `seen`
      if (first == none) {
        const relocation_entry& here = *find(position);
        for (uint32_t i = here.last; i != none && relocations_[i].when > seen; i = relocations_[i].before) {
          first = i;
          ++looked_at;
        }
        if (first == none) return any_index || here.shift <= seen ? looked_at : 0;
      }
      const relocation& left = relocations_[first];
      if (left.to == 0 || (!any_index && left.shift > seen)) return 0;
      position = left.to;
      seen = left.when;
      known = left.next;
      ++looked_at;
    }
    return looked_at;
  }

private:
  static constexpr uint32_t none = 0xFFFFFFFF;
  /// Number of nodes that defragmentations may move while the log has no other relocations.
  static constexpr uint32_t initial_defragment_budget = 64;
  static constexpr uint32_t max_remembered =
      (1 + defragment_ratio) * max_relocations + initial_defragment_budget;

  struct relocation_entry {
    uint64_t shift = 0;
    uint32_t position = 0; ///< 0: no entry
    uint32_t last = none;  ///< last relocation from this position
  };
  struct relocation {
    uint64_t when;
    uint64_t shift;  ///< `shift` of the node's entry when the node left
    uint32_t to;     ///< 0: the node was released
    uint32_t before; ///< the previous relocation from the same position
    // Two nodes that exchange positions again and again leave thousands of relocations in the list
    // of one position. So a relocation also stores the next relocation of its node.
    uint32_t next = none;    ///< next relocation of the node, if it is known
    uint32_t arrived = none; ///< later relocation of a node to the position that this node left
  };

  [[nodiscard]] relocation_entry* find(uint32_t position) const noexcept {
    for (uint32_t i = spread_position(position, seed_) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      relocation_entry& each = entries_[i];
      if (each.position == 0 || each.position == position) return &each;
    }
  }
  /// Returns true if the table has no space for another entry. A small table must stay mostly
  /// empty, so that entries are in their home slots.
  [[nodiscard]] bool is_full(uint32_t count) const noexcept {
    return (capacity_ <= 256 ? 4 * count : count + count / 2) >= capacity_;
  }
  /// Returns the entry of a position, and adds it if it is missing. If there is no memory, forgets
  /// everything and returns null.
  [[nodiscard]] INGOT_NOINLINE relocation_entry* enter(uint32_t position) noexcept {
    while (count_ >= max_remembered) forget_until(now_ - (now_ - floor_) / 2);
    if (is_full(count_) && !grow()) {
      note_all();
      return nullptr;
    }
    relocation_entry* const mine = find(position);
    if (mine->position == 0) ++count_;
    mine->position = position;
    return mine;
  }
  void note_departure(uint32_t position, uint32_t to) noexcept {
    ++now_;
    if (relocation_count_ == max_remembered) forget_half();
    if (relocation_count_ == relocations_capacity_ && !grow_departures()) {
      note_all();
      return;
    }
    relocation_entry* const mine = enter(position);
    if (mine == nullptr) return;
    const uint32_t before = mine->last;
    relocations_[relocation_count_] = {.when = now_, .shift = mine->shift, .to = to, .before = before};
    if (before != none) {
      if (const uint32_t came = relocations_[before].arrived; came != none)
        relocations_[came].next = relocation_count_;
    }
    mine->last = relocation_count_;
    if (to != 0) {
      if (const uint32_t last = find(to)->last; last != none) relocations_[last].arrived = relocation_count_;
    }
    ++relocation_count_;
  }
  /// Forgets the older half of the relocations, and ends the handles that need these relocations.
  INGOT_COLD INGOT_COMPILED void forget_half() noexcept;
  /// Forgets changes before the time `floor`, and ends the handles that were last valid before
  /// `floor`. Ends all handles if there is no memory.
  INGOT_COLD INGOT_COMPILED void forget_until(uint64_t floor) noexcept;
  [[nodiscard]] INGOT_COMPILED bool grow_departures() noexcept;
  [[nodiscard]] INGOT_COMPILED bool grow() noexcept;

  owned<relocation_entry[]> entries_;
  owned<relocation[]> relocations_;
  uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  uint32_t capacity_ = 0;
  uint32_t relocations_capacity_ = 0;
  uint32_t count_ = 0;
  uint32_t relocation_count_ = 0;
  uint32_t settled_ = 0; ///< number of relocations by defragmentation
  uint64_t now_ = 1;
  uint64_t floor_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/change_log.hpp>
#endif
