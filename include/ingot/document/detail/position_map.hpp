// SPDX-License-Identifier: Apache-2.0
// Tables by position, which walks over a document keep beside it.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/document/format.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns a hash of a position. The sender of a document chooses its positions, but not the seed,
/// which is an address of this process.
[[nodiscard]] INGOT_INLINE uint32_t spread_place(uint32_t place, uint64_t seed) noexcept {
  uint64_t mixed = (place ^ seed) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(mixed >> 32);
}

/// A bit for each eight bytes of a document, all zero at first. Those of a small document are in
/// the object itself: an allocation would take longer than their use.
class position_bitmap {
public:
  /// The object is false afterwards if there is no memory.
  explicit position_bitmap(std::size_t bytes) noexcept : words_(bytes / 512 + 1) {
    if (words_ <= few_.size()) {
      std::fill_n(few_.data(), words_, uint64_t{0});
      return;
    }
    many_.reset(new (std::nothrow) uint64_t[words_]{});
    if (!many_) words_ = 0;
  }
  position_bitmap(const position_bitmap&) = delete;
  position_bitmap& operator=(const position_bitmap&) = delete;
  ~position_bitmap() = default;

  explicit operator bool() const noexcept { return words_ != 0; }
  /// Returns the end of the last word.
  [[nodiscard]] uint64_t* end() noexcept { return (many_ ? many_.get() : few_.data()) + words_; }

private:
  std::array<uint64_t, 16> few_;
  owned<uint64_t[]> many_;
  std::size_t words_;
};

/// A map from positions to positions; 0 for none.
class position_map {
public:
  [[nodiscard]] uint32_t find(uint32_t place) const noexcept {
    if (room_ == 0) return 0;
    return entries_[slot(place)].to;
  }
  /// Returns false without memory; what was set before remains.
  [[nodiscard]] bool set(uint32_t place, uint32_t to) noexcept {
    if (2 * (count_ + 1) > room_ && !grow()) return false;
    entry& mine = entries_[slot(place)];
    if (mine.place == 0) ++count_;
    mine = {place, to};
    return true;
  }

private:
  struct entry {
    uint32_t place = 0;
    uint32_t to = 0;
  };
  [[nodiscard]] uint32_t slot(uint32_t place) const noexcept {
    uint32_t i = spread_place(place, seed_) & (room_ - 1);
    while (entries_[i].place != 0 && entries_[i].place != place) i = (i + 1) & (room_ - 1);
    return i;
  }
  [[nodiscard]] bool grow() noexcept {
    const uint32_t old_room = room_;
    const uint32_t room = old_room == 0 ? 16 : 2 * old_room;
    owned<entry[]> old(new (std::nothrow) entry[room]);
    if (!old) return false;
    std::swap(old, entries_);
    room_ = room;
    for (uint32_t i = 0; i < old_room; ++i) {
      if (old[i].place != 0) entries_[slot(old[i].place)] = old[i];
    }
    return true;
  }

  owned<entry[]> entries_;
  uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  uint32_t room_ = 0;
  uint32_t count_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::doc
