// SPDX-License-Identifier: Apache-2.0
// The claims that a validation collects. Most storages begin where the previous storage ends: all
// storages of a canonical block, and three quarters of the storages of an edited block. So claims
// form runs, and only the edges between runs are noted: the end of one run and the start of the
// next. This needs no access to the bitmap and no unpredictable branch.
//
// Later each edge flips a bit of the bitmap. A position is in an odd number of runs if the number
// of edges up to the position is odd. The number of such positions equals the sum of all claims
// exactly if no two claims overlap. In that case the result is the bitmap of taken bytes, which the
// allocator needs.
//
// Until then overlaps are unknown, so nothing may be written to the block. But the sum of all
// claims is at most the size of the block, so overlaps can't make a walk longer than the block.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/progress_poll.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Provides a bitmap of zeros on demand: `make(state)` returns the address after word 0, or null.
struct bitmap_source {
  std::uint64_t* (*make)(void* state);
  void* state;
};

class edge_claims {
public:
  /// Starts with a claim of the first `root` bytes of the block, which has `used` bytes. If
  /// `source` is null, only a canonical block is valid. If `poll` is not null, reports the claimed
  /// bytes to `poll`.
  edge_claims(std::size_t root, std::size_t used, const bitmap_source* source,
              progress_poll* poll = nullptr) noexcept
      : now_{root, used - root, 1}, used_(used), stop_(used), source_(source), poll_(poll) {
    edges_[0] = 0;
    if (poll_ != nullptr && poll_->asks()) plan_report();
  }

  /// The values that change with each claim. A caller with many claims keeps a copy, so that the
  /// values stay in registers.
  struct state {
    std::size_t next;  ///< end of the last claim; not noted as an edge yet
    std::size_t left;  ///< bytes left for all further claims
    std::size_t noted; ///< edges whose bits are not flipped yet
  };
  [[nodiscard]] const state& now() const noexcept { return now_; }
  INGOT_INLINE void resume(const state& now) noexcept { now_ = now; }

  [[nodiscard]] INGOT_INLINE bool take(std::size_t at, std::size_t size) noexcept {
    return take(now_, at, size, -static_cast<std::size_t>(size != 0)) && should_continue();
  }
  /// Claims `size` bytes if all bits of `mask` are set. Claims nothing if `mask` is zero; `size` is
  /// then zero, too.
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
    if (now.noted > max_noted) [[unlikely]] {
      if (!turn(now.noted)) return false;
      now.noted = 0;
    }
    return true;
  }
  /// Claims all bytes from the end of the last claim to `next`.
  [[nodiscard]] INGOT_INLINE bool take_up_to(std::size_t next) noexcept {
    const std::size_t size = next - now_.next;
    if (size > now_.left) [[unlikely]]
      return false;
    now_.left -= size;
    now_.next = next;
    return true;
  }

  /// Position at which a walk with an order_cursor stops because a report is due. Without a
  /// callback, this is the end of the block, so that the walk has only one bound to check.
  [[nodiscard]] std::size_t stop() const noexcept { return stop_; }
  /// Polls if enough bytes were claimed since the last report. Returns false if cancelled.
  [[nodiscard]] INGOT_INLINE bool should_continue() noexcept { return now_.left >= due_ || report(); }
  /// Polls after many bytes that were claimed together. `next` is the end of the last validated
  /// storage; the bytes from the last claim to `next` are not claimed yet.
  [[nodiscard]] bool should_continue_now(std::size_t next) noexcept {
    return poll_ == nullptr || poll_->should_continue_now(used_ - now_.left + (next - now_.next));
  }
  [[nodiscard]] INGOT_INLINE std::size_t run_end(std::size_t i, std::size_t count,
                                                 std::size_t bytes) const noexcept {
    return poll_ == nullptr ? count : poll_->run_end(i, count, bytes);
  }

  /// Returns true if the claims are one run from the root to the end of the block.
  [[nodiscard]] bool are_canonical() const noexcept { return !are_edited() && now_.next == used_; }
  /// Returns true if any claim did not follow the previous one.
  [[nodiscard]] bool are_edited() const noexcept { return bitmap_ != nullptr || now_.noted != 1; }
  /// Returns true if no two claims overlap. Then the bitmap marks the bytes that are taken.
  [[nodiscard]] bool finish() noexcept {
    edges_[now_.noted++] = now_.next;
    return turn(now_.noted) && 8 * fill() == used_ - now_.left;
  }

private:
  static constexpr std::size_t max_noted = 250;

  [[nodiscard]] INGOT_COLD bool report() noexcept {
    plan_report();
    return poll_ == nullptr || poll_->should_continue(used_ - now_.left);
  }
  /// Computes when the next report is due: after the next 256 KiB of claims.
  void plan_report() noexcept {
    constexpr std::size_t step = progress_tracker::step;
    due_ = now_.left > step ? now_.left - step : 0;
    stop_ = !are_edited() && used_ - now_.next > step ? now_.next + step : used_;
  }
  [[nodiscard]] INGOT_NOINLINE bool turn(std::size_t noted) noexcept {
    if (bitmap_ == nullptr && source_ != nullptr) bitmap_ = source_->make(source_->state);
    if (bitmap_ == nullptr) return false;
    for (std::size_t i = 0; i < noted; ++i) {
      // An edge at the end of the block flips no bit, because the bitmap may have no bit there.
      const std::size_t at = edges_[i];
      const std::size_t bit = at / 8 - static_cast<std::size_t>(at == used_);
      *(bitmap_ - 1 - bit / 64) ^= std::uint64_t{at != used_} << bit % 64;
    }
    return true;
  }
  /// Fills the bitmap between the edges. Returns the number of bits set.
  [[nodiscard]] std::size_t fill() noexcept {
    std::size_t sum = 0;
    std::uint64_t open = 0; // all ones if the last position before the word is taken
    for (std::size_t at = 0; at < used_; at += 512) {
      std::uint64_t& word = *(bitmap_ - 1 - at / 512);
      std::uint64_t bits = word;
      for (unsigned by = 1; by < 64; by *= 2) bits ^= bits << by;
      bits ^= open;
      open = -(bits >> 63);
      if (used_ - at < 512) bits &= (std::uint64_t{1} << (used_ - at) / 8) - 1;
      word = bits;
      // std::popcount calls a function if the target processors may lack the instruction.
      bits -= bits >> 1 & 0x5555555555555555;
      bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
      bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
      sum += static_cast<std::size_t>(bits * 0x0101010101010101 >> 56);
    }
    return sum;
  }

  state now_;
  std::size_t used_;
  std::size_t stop_;
  std::size_t due_ = 0; ///< a report is due when fewer bytes are left for further claims
  std::uint64_t* bitmap_ = nullptr;
  const bitmap_source* source_;
  progress_poll* poll_;
  std::array<std::size_t, max_noted + 4> edges_;
};

}}} // namespace ingot::INGOT_V1::detail
