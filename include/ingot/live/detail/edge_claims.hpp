// SPDX-License-Identifier: Apache-2.0
// The claims of a proof. Most storages begin where the one before them ends: all of a canonical block, three quarters of one that was
// edited. So there are runs, and of a run only the edges are noted, where one ends and where the next begins, without a look at
// the bitmap and without a jump on what can't be foreseen. Later each edge turns a bit around: then as many edges up to a place
// as are odd say that it lies in an odd number of runs. That is as much as all claims together just when none lies in
// another; then it is the bitmap of what is taken, which the allocator needs. Until then it is not known whether two overlap, only that all
// together are not more than the block. So no walk is longer than the block, and nothing may be written meanwhile.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A bitmap of zeros that is there when it is needed: what it makes of `state` is behind word 0, or null.
struct bitmap_source {
  std::uint64_t* (*make)(void* state);
  void* state;
};

class edge_claims {
public:
  /// `root` bytes of `used` are taken. Without a source only a canonical block is proved.
  edge_claims(std::size_t root, std::size_t used, const bitmap_source* source) noexcept
      : now_{root, used - root, 1}, used_(used), source_(source) {
    edges_[0] = 0;
  }

  /// What changes with each claim. Whoever makes many holds it by value, for it to stay in registers.
  struct state {
    std::size_t next;  ///< the end of the last claim, which is no edge yet
    std::size_t left;  ///< what all others may be together
    std::size_t noted; ///< edges that have turned no bit yet
  };
  [[nodiscard]] const state& now() const noexcept { return now_; }
  INGOT_INLINE void resume(const state& now) noexcept { now_ = now; }

  [[nodiscard]] INGOT_INLINE bool take(std::size_t at, std::size_t size) noexcept {
    return take(now_, at, size, -static_cast<std::size_t>(size != 0));
  }
  /// A claim where `mask` is all ones; none where it is zero, as `size` then is.
  [[nodiscard]] INGOT_INLINE bool take(state& now, std::size_t at, std::size_t size,
                                       std::size_t mask) noexcept {
    if (size > now.left) [[unlikely]]
      return false;
    std::size_t* const edge = edges_.data() + now.noted;
    edge[0] = now.next;
    edge[1] = at;
    now.left -= size;
    now.noted += (static_cast<std::size_t>(at != now.next) & mask) * 2;
    now.next = mask != 0 ? at + size : now.next;
    if (now.noted > most_noted) [[unlikely]] {
      if (!turn(now.noted)) return false;
      now.noted = 0;
    }
    return true;
  }
  /// All from the end of the last claim to there.
  [[nodiscard]] INGOT_INLINE bool take_up_to(std::size_t next) noexcept {
    const std::size_t size = next - now_.next;
    if (size > now_.left) [[unlikely]]
      return false;
    now_.left -= size;
    now_.next = next;
    return true;
  }

  /// Whether all there is from the root to the block's end is one run.
  [[nodiscard]] bool are_canonical() const noexcept { return !are_edited() && now_.next == used_; }
  /// Whether something has not been in order.
  [[nodiscard]] bool are_edited() const noexcept { return bitmap_ != nullptr || now_.noted != 1; }
  /// Whether no claim lies in another. Then the bitmap says what is taken.
  [[nodiscard]] bool finish() noexcept {
    edges_[now_.noted++] = now_.next;
    return turn(now_.noted) && 8 * fill() == used_ - now_.left;
  }

private:
  static constexpr std::size_t most_noted = 250;

  [[nodiscard]] INGOT_NOINLINE bool turn(std::size_t noted) noexcept {
    if (bitmap_ == nullptr && source_ != nullptr) bitmap_ = source_->make(source_->state);
    if (bitmap_ == nullptr) return false;
    for (std::size_t i = 0; i < noted; ++i) {
      // For the block's end there may be no bit.
      const std::size_t at = edges_[i];
      const std::size_t bit = at / 8 - static_cast<std::size_t>(at == used_);
      *(bitmap_ - 1 - bit / 64) ^= std::uint64_t{at != used_} << bit % 64;
    }
    return true;
  }
  /// Makes of edges what lies between them; how many bits that are.
  [[nodiscard]] std::size_t fill() noexcept {
    std::size_t sum = 0;
    std::uint64_t open = 0; // whether the place in front of the word is taken
    for (std::size_t at = 0; at < used_; at += 512) {
      std::uint64_t& word = *(bitmap_ - 1 - at / 512);
      std::uint64_t bits = word;
      for (unsigned by = 1; by < 64; by *= 2) bits ^= bits << by;
      bits ^= open;
      open = -(bits >> 63);
      if (used_ - at < 512) bits &= (std::uint64_t{1} << (used_ - at) / 8) - 1;
      word = bits;
      // std::popcount calls a function on processors that may have no instruction for it.
      bits -= bits >> 1 & 0x5555555555555555;
      bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
      bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
      sum += static_cast<std::size_t>(bits * 0x0101010101010101 >> 56);
    }
    return sum;
  }

  state now_;
  std::size_t used_;
  std::uint64_t* bitmap_ = nullptr;
  const bitmap_source* source_;
  std::array<std::size_t, most_noted + 4> edges_;
};

}}} // namespace ingot::INGOT_V1::detail
