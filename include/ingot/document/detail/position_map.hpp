// SPDX-License-Identifier: Apache-2.0
// Tables with positions as keys. Walks over a document use these tables, which are stored outside
// of the document's bytes.
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

/// Returns a hash of a position. An attacker can choose the positions in a document, but not the
/// seed, which is an address of this process.
[[nodiscard]] INGOT_INLINE uint32_t spread_position(uint32_t position, uint64_t seed) noexcept {
  uint64_t mixed = (position ^ seed) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(mixed >> 32);
}

/// One bit for each eight bytes of a document, initially zero. The bits for a small document are in
/// the object itself, since an allocation would take longer than their use.
class position_bitmap {
public:
  /// Allocates the bits for a document of `bytes` bytes. If there is no memory, the object converts
  /// to false.
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

/// A map from positions to positions. The position 0 means that there is no entry.
class position_map {
public:
  [[nodiscard]] uint32_t find(uint32_t position) const noexcept {
    if (capacity_ == 0) return 0;
    return entries_[slot(position)].to;
  }
  /// Sets the entry of `position` to `to`. Returns false if there is no memory; other entries are
  /// then unchanged.
  [[nodiscard]] bool set(uint32_t position, uint32_t to) noexcept {
    if (2 * (count_ + 1) > capacity_ && !grow()) return false;
    entry& mine = entries_[slot(position)];
    if (mine.position == 0) ++count_;
    mine = {position, to};
    return true;
  }

private:
  struct entry {
    uint32_t position = 0;
    uint32_t to = 0;
  };
  [[nodiscard]] uint32_t slot(uint32_t position) const noexcept {
    uint32_t i = spread_position(position, seed_) & (capacity_ - 1);
    while (entries_[i].position != 0 && entries_[i].position != position) i = (i + 1) & (capacity_ - 1);
    return i;
  }
  [[nodiscard]] bool grow() noexcept {
    const uint32_t old_capacity = capacity_;
    const uint32_t capacity = old_capacity == 0 ? 16 : 2 * old_capacity;
    owned<entry[]> old(new (std::nothrow) entry[capacity]);
    if (!old) return false;
    std::swap(old, entries_);
    capacity_ = capacity;
    for (uint32_t i = 0; i < old_capacity; ++i) {
      if (old[i].position != 0) entries_[slot(old[i].position)] = old[i];
    }
    return true;
  }

  owned<entry[]> entries_;
  uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  uint32_t capacity_ = 0;
  uint32_t count_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::doc
