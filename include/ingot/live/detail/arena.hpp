// SPDX-License-Identifier: Apache-2.0
// The allocator of a block. Its state is directly in front of the block's bytes. So a small block
// shares a page with its allocator, and no pointer to the allocator is read:
//
//   ... bitmap word 1 | bitmap word 0 | arena | block byte 0 ...
//
// A freed run (a storage with its prefix) below 256 bytes goes to the fastbin of exactly its size,
// a list linked through its runs. The next allocation of that size, which usually comes soon, takes
// the run from there. Neither the release nor this allocation touches the bitmap. The run freed
// last is in no fastbin: a member holds its position, so no fastbin's address must be computed.
//
// Fastbin entries become free runs only when no free run fits. Free runs are in lists by size
// class, two classes per power of two. A set bit of the bitmap marks eight bytes that are taken or
// in a fastbin. The bitmap shows the free neighbours of a freed run, so that runs are merged
// without headers. After Masmano et al., "TLSF: a new dynamic memory allocator for real-time
// systems" (2004), with the bitmap in place of boundary tags.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/poison.hpp>
#include <ingot/live/detail/allocator.hpp>
#include <ingot/live/detail/arena_bitmap.hpp>
#include <ingot/live/detail/block_growth.hpp>
#include <ingot/live/detail/committed_memory.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Allocates and frees in constant time, except for zeroing, which is O(n) in the bytes freed.
template <std::unsigned_integral Offset>
class alignas(16) arena : private arena_bitmap<Offset> {
  using bitmap = arena_bitmap<Offset>;

public:
  using offset_type = Offset;
  using run = storage_run<Offset>;
  using prefix = storage_prefix<Offset>;

  using bitmap::bitmap_end;
  using bitmap::bitmap_size;
  using bitmap::granule;
  /// Minimum size of a run, because a free run holds its prefix and its links.
  static constexpr Offset min_run_size = 2 * sizeof(prefix);

  /// Starts with the first `used` bytes taken. `limit` is at most half the range of `Offset`. The
  /// bitmap and all bytes after `used` must be zero. Bytes before `touched` may have been written.
  void start(Offset used, Offset limit, Offset touched = 0) noexcept {
    static_assert(sizeof(Offset) <= sizeof(std::size_t),
                  "ingot: a block of wide offsets needs 64 bits of address");
    reset(used, limit);
    if (touched > peak_) peak_ = touched;
    mark(0, used);
    if constexpr (poisons) poison_tail();
  }

  /// Starts with a bitmap that marks the taken bytes below `used`, among them byte 0. Zeroes all
  /// other bytes and makes them free runs. Gaps that are below `min_run_size` count as taken.
  void adopt(Offset used, Offset limit) noexcept;
  /// Copies the state of `other`. The caller has copied the bytes. `limit` is at least `used()`.
  void copy_state(const arena& other, Offset limit) noexcept;
  /// Requests more memory from `by` from now on, also after the next `start` or `adopt`.
  void grow_by(block_growth& by) noexcept { growth_ = distance_of(by, this); }
  /// Like `grow_by`, but called after `start`. Sets the limit to `size`. Null `by`: no more growth.
  void grow_within(Offset size, const block_growth* by) noexcept {
    growth_ = by == nullptr ? 0 : distance_of(*by, this);
    limit_ = memory_.usable_within(size / granule * granule);
  }
  /// Begins in a slot that has memory in the block's own page only. From now on the allocator
  /// requests memory while the block grows, also after the next `start` or `adopt`.
  void grow_in_slot(Offset limit) noexcept {
    memory_.begin(block());
    limit_ = memory_.usable_within(limit);
  }
  /// The memory of a block in a slot.
  [[nodiscard]] committed_memory<Offset>& memory() noexcept { return memory_; }
  /// Called after memory was given back: lowers the number of bytes that may be used.
  void memory_shrinks_to(std::size_t bytes) noexcept {
    memory_.shrink_to(bytes);
    limit_ = memory_.usable_within(limit());
  }
  /// Returns true if the block can have `bytes` bytes. Makes the block longer if necessary.
  [[nodiscard]] bool reach(std::size_t bytes) noexcept {
    return bytes <= limit_ || (bytes <= cap && lengthen(static_cast<Offset>(bytes - tail_)));
  }
  [[nodiscard]] std::uint32_t growth_distance() const noexcept { return has_growth() ? growth_ : 0; }
  /// Returns true if the last attempt to grow failed because the system had no memory.
  [[nodiscard]] bool memory_failed() const noexcept { return memory_.failed(); }
  /// Returns true if the last attempt to grow failed for another reason than the size limit.
  [[nodiscard]] bool growth_failed() noexcept { return has_growth() && growth_of(this, growth_).failed; }
  /// Removes the links of the free runs. These runs count as taken until the next `adopt`.
  void forget_holes() noexcept;

  /// Returns the start of the tail: all bytes after the last taken run, free run or fastbin entry.
  [[nodiscard]] Offset used() const noexcept { return tail_; }
  [[nodiscard]] Offset limit() const noexcept { return memory_.limit(limit_); }
  /// Returns true if unused bytes are poisoned. Files aren't poisoned: other code maps them, too.
  [[nodiscard]] bool poisons_free_bytes() const noexcept {
    return has_growth() ? growth_of(this, growth_).begin == nullptr : growth_ != readable;
  }
  /// Disables poisoning. Other code, such as the caller's, may read all of this memory at any time.
  void leave_readable() noexcept { growth_ = growth_ == 0 ? readable : growth_; }
  /// Maximum of `used()` so far. Bytes after this position were never touched.
  [[nodiscard]] Offset peak() const noexcept { return peak_; }
  /// Lowers `peak()` to `used()`. The caller gives the bytes after `used()` back to the system.
  void forget_peak() noexcept { peak_ = tail_; }
  /// Returns the free bytes below `used()`. O(n) in the number of fastbin entries.
  [[nodiscard]] Offset free_bytes() const noexcept {
    Offset sum = free_;
    for_each_fastbin_entry([&](Offset, Offset size) { sum += size; });
    return sum;
  }
  /// Like `free_bytes` without the fastbins, which hold few bytes. O(1).
  [[nodiscard]] Offset free_run_bytes() const noexcept { return free_; }
  /// Returns a run of at least `size` bytes, zero except for the prefix; empty if memory runs out.
  [[nodiscard]] INGOT_INLINE run allocate(Offset size) noexcept {
    if (size < min_run_size) size = min_run_size;
    if (latest_size_ == size) [[likely]] {
      latest_size_ = 0;
      if constexpr (poisons) unpoison(block() + latest_, size);
      return {latest_, size};
    }
    const std::size_t exact = size / granule;
    if (exact < waiting_count) [[likely]] {
      if (const Offset at = waiting(exact); at != 0) [[likely]] {
        // The prefix is still that of the previous allocation.
        auto& next = links_at(at).next;
        waiting(exact) = next;
        next = 0;
        if constexpr (poisons) unpoison(block() + at, size);
        return {at, size};
      }
    }
    return allocate_slowly(size);
  }

  /// Like `allocate`, for elements aligned to 16: the bytes after the prefix have that alignment.
  [[nodiscard]] run allocate_aligned(Offset size) noexcept {
    if (size < min_run_size) size = min_run_size;
    // A gap of eight bytes would be too short for a free run: it gets the minimum size in addition.
    constexpr Offset widest_gap = min_run_size + granule;
    if (size < cap - widest_gap) { // not `limit_`: the block's bytes must not depend on the limit
      if (const Offset at = find(size + widest_gap); at != 0) return split(at, at + gap_at(at), size);
      if (consolidate()) {
        if (const Offset at = find(size + widest_gap); at != 0) return split(at, at + gap_at(at), size);
      }
    }
    const Offset gap = gap_at(tail_);
    if (gap == 0) return at_tail(size);
    if ((limit_ - tail_ < gap || limit_ - tail_ - gap < size) && (size > cap - gap || !lengthen(gap + size)))
      return {};
    const Offset hole = tail_;
    tail_ += gap;
    link(hole, gap);
    return at_tail(size);
  }

  /// Makes the run at `at` longer without moving it, if the bytes after it are free. `new_size` is
  /// above `old_size`. The new bytes are zero.
  [[nodiscard]] bool extend(Offset at, Offset old_size, Offset new_size) noexcept {
    const Offset end = at + old_size;
    const Offset more = new_size - old_size;
    if (end == tail_) {
      if (limit_ - tail_ < more && !lengthen(more)) return false;
      tail_ += more;
      if (tail_ > peak_) peak_ = tail_;
      mark(end, more);
      if constexpr (poisons) poison_tail();
    } else {
      if (is_taken(end)) return false;
      const Offset there = free_size(end);
      if (there < more || (there != more && there - more < min_run_size)) return false;
      unlink(end);
      wipe_head(end);
      mark(end, more);
      if (there != more) link(end + more, there - more);
    }
    if constexpr (poisons) unpoison(block() + end, more);
    prefix_at(at).capacity = new_size - static_cast<Offset>(sizeof(prefix));
    return true;
  }

  /// Frees a run and zeroes it.
  INGOT_INLINE void release(Offset at, Offset size) noexcept {
    if constexpr (poisons) unpoison(block() + at, size);
    if (size < waiting_limit) [[likely]] {
      clear_bytes(block() + at, size);
      prefix_at(at) = {static_cast<Offset>(size - sizeof(prefix)), at};
      let_wait(at, size);
    } else {
      release_long(at, size);
    }
  }

  /// Like `release`, for the run of the storage at `data`, whose prefix was not changed.
  INGOT_INLINE void release_storage(std::byte* data, Offset size) noexcept {
    constexpr Offset min_size = 16 + sizeof(prefix);
    const auto at = static_cast<Offset>(data - block() - static_cast<std::ptrdiff_t>(sizeof(prefix)));
    if constexpr (poisons) unpoison(block() + at, size);
    const auto beyond = static_cast<Offset>(size - min_size); // wraps for small sizes
    if (beyond <= 16) [[likely]]
      clear_ends(data, beyond); // one comparison checks for a fastbin size and selects how to clear
    else if (beyond < waiting_limit - min_size) clear_far(data, static_cast<Offset>(size - sizeof(prefix)));
    else return release_unusual(at, size);
    let_wait(at, size);
  }

  /// Merges the fastbin entries into the free runs. Returns true if there were entries.
  bool consolidate() noexcept {
    bool any = latest_size_ != 0;
    if (any) {
      wipe_head(latest_);
      join(latest_, std::exchange(latest_size_, Offset{0}));
    }
    for (; fastbin_mask_ != 0; fastbin_mask_ &= fastbin_mask_ - 1) {
      const auto exact = static_cast<std::size_t>(std::countr_zero(fastbin_mask_));
      while (waiting(exact) != 0) {
        const Offset at = waiting(exact);
        waiting(exact) = links_at(at).next;
        wipe_head(at);
        join(at, static_cast<Offset>(exact * granule));
        any = true;
      }
    }
    return any;
  }

private:
  using bitmap::bytes_per_word;
  using bitmap::clear;
  using bitmap::is_taken;
  using bitmap::mark;
  using bitmap::next_change;
  using bitmap::word;
  static constexpr std::size_t waiting_count = 32; // sizes below 256
  static constexpr Offset waiting_limit = waiting_count * granule;
  /// No run has half the range of an offset. Where `memory_` is not empty, it takes the place of
  /// the bins for such runs, so that an arena has one size everywhere.
  static constexpr std::size_t bin_count = 2 * (8 * sizeof(Offset) - 4) - (commits ? 2 : 0);
  static constexpr std::size_t mask_count = (bin_count + 63) / 64;
  static constexpr std::size_t words_back = 64; ///< limit of a backward search, in words
  static constexpr Offset cap = static_cast<Offset>(-1) / 2;
  static constexpr std::uint32_t readable = ~std::uint32_t{0}; ///< as `growth_`: no poisoning

  struct head {
    maybe_poisoned<Offset> capacity;
    maybe_poisoned<Offset> distance;
  };
  struct links {
    maybe_poisoned<Offset> next;
    maybe_poisoned<Offset> previous;
  };

  [[nodiscard]] bool has_growth() const noexcept { return growth_ != 0 && (!poisons || growth_ != readable); }
  /// Like `arena{}`, but keeps `growth_` and `memory_`.
  void reset(Offset used, Offset limit) noexcept {
    if constexpr (poisons) // bytes that were poisoned before
      unpoison(block(), std::min(std::size_t{std::max(used, peak_)} + poisoned_tail,
                                 std::size_t{std::max(used, limit)}));
    const std::uint32_t growth = growth_;
    const committed_memory<Offset> memory = memory_;
    *this = arena{};
    growth_ = growth;
    memory_ = memory;
    limit_ = memory_.usable_within((!has_growth() ? limit : usable_within(growth_of(this, growth), limit)) /
                                   granule * granule);
    tail_ = peak_ = used;
  }
  /// Makes the block longer for `more` bytes after the tail. Returns false if this is not possible.
  [[nodiscard]] INGOT_COLD bool lengthen(Offset more) noexcept;
  // Computed from integers: optimisers may assume that a pointer stays within the arena.
  [[nodiscard]] std::byte* block() noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(this) + sizeof(arena));
  }
  [[nodiscard]] head& prefix_at(Offset at) noexcept { return *reinterpret_cast<head*>(block() + at); }
  void poison_free(Offset at, std::size_t size) noexcept {
    if (poisons_free_bytes()) poison(block() + at, size);
  }
  void poison_tail() noexcept {
    if (tail_ < limit_) poison_free(tail_, std::min(poisoned_tail, std::size_t{limit_ - tail_}));
  }
  /// Returns the fastbin for runs of `exact` times 8 bytes. `exact` is at least 2.
  [[nodiscard]] INGOT_INLINE Offset& waiting(std::size_t exact) noexcept { return waiting_[exact - 2]; }
  [[nodiscard]] links& links_at(Offset at) noexcept {
    return *reinterpret_cast<links*>(block() + at + sizeof(prefix));
  }

  /// Returns the size class for runs of this size.
  [[nodiscard]] static std::size_t bin_of(Offset size) noexcept {
    const auto power = static_cast<std::size_t>(std::bit_width(size)) - 1; // 4 or more
    return 2 * (power - 4) + ((size >> (power - 1)) & 1);
  }

  /// Returns the start of the free run that ends at `at`; `at` if there is none.
  [[nodiscard]] Offset run_before(Offset at) noexcept {
    std::size_t bit = at / granule; // the first byte of a block is always taken
    std::size_t index = bit / 64;
    std::uint64_t taken = bit % 64 == 0 ? 0 : word(index) << (64 - bit % 64);
    std::size_t seen = bit % 64;
    for (std::size_t i = 0; i < words_back; ++i) {
      if (taken != 0) {
        auto from = static_cast<Offset>((bit - static_cast<std::size_t>(std::countl_zero(taken))) * granule);
        // If long runs were not merged, several free runs are adjacent: finds the last of them.
        while (from != at && from + free_size(from) != at) from += free_size(from);
        return from;
      }
      bit -= seen;
      taken = word(--index);
      seen = 64;
    }
    return long_run_before(at);
  }
  /// Like `run_before`, for free runs that begin before the words that `run_before` searches.
  [[nodiscard]] Offset long_run_before(Offset at) noexcept {
    int looks = 64;
    for (std::size_t bin = bin_of((words_back - 1) * bytes_per_word); bin < bin_count; ++bin) {
      for (Offset each = bins_[bin]; each != 0 && looks != 0; each = links_at(each).next, --looks) {
        if (each < at && each + free_size(each) == at) return each;
      }
    }
    return at;
  }

  [[nodiscard]] Offset free_size(Offset at) noexcept {
    return prefix_at(at).capacity + static_cast<Offset>(sizeof(prefix));
  }
  /// Zeroes the prefix and the links of a run that is merged, split or taken.
  void wipe_head(Offset at) noexcept {
    if constexpr (poisons) clear_poisoned(block() + at, min_run_size);
    else std::memset(block() + at, 0, min_run_size);
  }

  void link(Offset at, Offset size) noexcept {
    const std::size_t bin = bin_of(size);
    const Offset next = bins_[bin];
    prefix_at(at) = {static_cast<Offset>(size - sizeof(prefix)), at};
    links_at(at) = {next, 0};
    if (next != 0) links_at(next).previous = at;
    bins_[bin] = at;
    filled_[bin / 64] |= std::uint64_t{1} << bin % 64;
    free_ += size;
  }
  void unlink(Offset at) noexcept {
    const Offset size = free_size(at);
    const links around = links_at(at);
    if (around.next != 0) links_at(around.next).previous = around.previous;
    if (around.previous != 0) {
      links_at(around.previous).next = around.next;
    } else {
      const std::size_t bin = bin_of(size);
      bins_[bin] = around.next;
      if (around.next == 0) filled_[bin / 64] &= ~(std::uint64_t{1} << bin % 64);
    }
    free_ -= size;
  }

  /// Returns a free run of `size` bytes, or a longer run that can be split; 0 if there is none.
  [[nodiscard]] Offset find(Offset size) noexcept {
    // Runs in the size class of `size` may be too small, so only a few of them are tried.
    int looks = 4;
    for (Offset at = bins_[bin_of(size)]; at != 0 && looks != 0; at = links_at(at).next, --looks) {
      if (leaves_enough(at, size)) return at;
    }
    // Runs in the classes from `first` on are large enough, and a split leaves a valid free run.
    const std::size_t first = bin_of(size + min_run_size) + 1;
    for (std::size_t m = first / 64; m < mask_count; ++m) {
      std::uint64_t filled = filled_[m];
      if (m == first / 64) filled &= ~std::uint64_t{0} << first % 64;
      if (filled != 0) return bins_[64 * m + static_cast<std::size_t>(std::countr_zero(filled))];
    }
    return 0;
  }
  [[nodiscard]] bool leaves_enough(Offset at, Offset size) noexcept {
    const Offset there = free_size(at);
    return there == size || (there > size && there - size >= min_run_size);
  }

  INGOT_NOINLINE run allocate_slowly(Offset size) noexcept {
    if (size > limit_ && !lengthen(size)) return {}; // sums below can't wrap
    if (Offset at = find(size); at != 0) return split(at, at, size);
    if (consolidate()) {
      if (Offset at = find(size); at != 0) return split(at, at, size);
    }
    return at_tail(size);
  }
  INGOT_NOINLINE void release_long(Offset at, Offset size) noexcept {
    std::memset(block() + at, 0, size);
    if constexpr (poisons) poison_free(at, size);
    join(at, size);
  }
  /// Frees a run of zeros. The run is merged with its free neighbours, or with the tail.
  void join(Offset at, Offset size) noexcept {
    clear(at, size);
    Offset end = at + size;
    if (end != tail_ && !is_taken(end)) {
      const Offset there = free_size(end);
      unlink(end);
      wipe_head(end);
      end += there;
    }
    if (const Offset before = run_before(at); before != at) {
      unlink(before);
      at = before;
    }
    if (end == tail_) {
      wipe_head(at);
      tail_ = at;
    } else {
      link(at, end - at);
    }
  }
  INGOT_NOINLINE void release_unusual(Offset at, Offset size) noexcept { release(at, size); }
  /// Makes a zeroed run the latest run. The previous latest run goes to the fastbin of its size.
  INGOT_INLINE void let_wait(Offset at, Offset size) noexcept {
    if constexpr (poisons) poison_free(at, size);
    if (latest_size_ != 0) {
      const std::size_t exact = latest_size_ / granule;
      links_at(latest_).next = waiting(exact);
      waiting(exact) = latest_;
      fastbin_mask_ |= std::uint32_t{1} << exact;
    }
    latest_ = at;
    latest_size_ = size;
  }
  /// Calls `f(at, size)` for each fastbin entry and for the latest run.
  template <class F>
  void for_each_fastbin_entry(F&& f) const noexcept {
    if (latest_size_ != 0) f(latest_, latest_size_);
    for (std::size_t exact = min_run_size / granule; exact < waiting_count; ++exact) {
      for (Offset at = waiting_[exact - 2]; at != 0; at = const_cast<arena*>(this)->links_at(at).next) {
        f(at, static_cast<Offset>(exact * granule));
      }
    }
  }
  /// Takes [at, at + size) out of the free run that begins at `from`.
  [[nodiscard]] run split(Offset from, Offset at, Offset size) noexcept {
    const Offset there = free_size(from);
    unlink(from);
    wipe_head(from);
    if (at != from) link(from, at - from);
    const Offset rest = from + there - (at + size);
    if (rest != 0) link(at + size, rest);
    mark(at, size);
    if constexpr (poisons) unpoison(block() + at, size);
    prefix_at(at) = {static_cast<Offset>(size - sizeof(prefix)), at};
    return {at, size};
  }
  [[nodiscard]] run at_tail(Offset size) noexcept {
    if (limit_ - tail_ < size && !lengthen(size)) return {};
    const Offset at = tail_;
    tail_ += size;
    if (tail_ > peak_) peak_ = tail_;
    mark(at, size);
    if constexpr (poisons) unpoison(block() + at, size);
    if constexpr (poisons) poison_tail();
    prefix_at(at) = {static_cast<Offset>(size - sizeof(prefix)), at};
    return {at, size};
  }
  /// Returns the size of a gap at `at`: it aligns the bytes after the prefix of the next run to 16.
  [[nodiscard]] static Offset gap_at(Offset at) noexcept {
    const Offset off = (at + static_cast<Offset>(sizeof(prefix))) % 16;
    return off == 0 ? 0 : min_run_size + granule;
  }

  std::array<std::uint64_t, mask_count> filled_{};
  std::array<Offset, waiting_count - 2> waiting_{};
  std::array<Offset, bin_count> bins_{};
  std::uint32_t growth_ = 0;       ///< `distance_of` the growth object; 0 if there is none
  std::uint32_t fastbin_mask_ = 0; ///< bit per list of `waiting_`; a clear bit means an empty list
  Offset latest_ = 0;              ///< the run that was freed last, unless `latest_size_` is 0
  Offset latest_size_ = 0;
  Offset tail_ = 0;
  Offset limit_ = 0;
  Offset free_ = 0;
  Offset peak_ = 0;
  INGOT_NO_UNIQUE_ADDRESS committed_memory<Offset> memory_;
};

}}} // namespace ingot::INGOT_V1::detail

#include <ingot/live/detail/arena_changes.hpp>
