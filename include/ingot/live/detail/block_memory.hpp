// SPDX-License-Identifier: Apache-2.0
// The memory of one block: a slot (reserved addresses, see slots.hpp), or a span that the caller
// owns.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/poison.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/slots.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Owns a slot, or refers to a span. A moved-from object is null and has neither a limit nor an
/// allocator. The memory of the allocator, in front of the block, is zero until the allocator is
/// started, except that an allocator that requests memory knows where it begins.
template <block_policy P>
class block_memory {
public:
  using allocator_type = typename P::allocator_type;
  using offset_type = typename P::offset_type;
  using layout = slot_layout<P>;

  block_memory() = default;
  block_memory(const block_memory&) = delete;
  block_memory& operator=(const block_memory&) = delete;
  block_memory(block_memory&& other) noexcept
      : start_(other.start_), size_class_(other.size_class_), limit_(other.limit_) {
    other.start_ = nullptr;
    other.size_class_ = nothing;
    other.limit_ = 0;
  }
  block_memory& operator=(block_memory&& other) noexcept {
    std::byte* const start = other.start_;
    const offset_type size_class = other.size_class_;
    const offset_type limit = other.limit_;
    other.start_ = nullptr;
    other.size_class_ = nothing;
    other.limit_ = 0;
    if (start_ != nullptr) [[unlikely]] // null if `other` is this
      release();
    start_ = start;
    size_class_ = size_class;
    limit_ = limit;
    return *this;
  }
  INGOT_INLINE ~block_memory() {
    if (start_ != nullptr) release();
  }

  /// Returns a slot for a block of up to `max_block_size` bytes, or for a smaller block if
  /// addresses are scarce. Returns null if there is no slot.
  [[nodiscard]] static INGOT_INLINE block_memory reserve_slot(std::size_t max_block_size) noexcept {
    block_memory memory;
    const raw_slot slot = slot_pool::acquire(layout::class_for(max_block_size));
    if (!slot) return memory;
    const std::size_t size = std::size_t{1} << slot.size_class;
    memory.start_ = slot.start + layout::block_at(size);
    memory.limit_ = static_cast<offset_type>(layout::limit(size));
    memory.size_class_ = slot.size_class;
    if constexpr (commits) memory.block().allocator().grow_in_slot(memory.limit_);
    return memory;
  }
  /// Zeroes a span and puts an allocator at its start. Returns null if the span is too small.
  [[nodiscard]] static block_memory in_span(std::span<std::byte> span) noexcept {
    block_memory memory = at_head_of(span);
    if (memory) std::memset(span.data(), 0, span.size());
    if constexpr (poisons) memory.leave_readable();
    return memory;
  }
  /// Like `in_span` for a span that has a block already. Zeroes only the allocator: a walk over the
  /// block marks the taken bytes later.
  [[nodiscard]] static block_memory again_in_span(std::span<std::byte> span) noexcept {
    block_memory memory = at_head_of(span);
    if (memory) std::memset(span.data(), 0, static_cast<std::size_t>(memory.start_ - span.data()));
    if constexpr (poisons) memory.leave_readable();
    return memory;
  }
  /// Returns the position of a block in the span; null if the span is too small. Writes nothing.
  [[nodiscard]] static block_memory at_head_of(std::span<std::byte> span) noexcept {
    block_memory memory;
    const std::size_t skew = reinterpret_cast<std::uintptr_t>(span.data()) % block_alignment;
    const std::size_t lead = skew == 0 ? 0 : block_alignment - skew;
    const std::size_t front =
        lead + round_up(allocator_type::bitmap_size(span.size()) + sizeof(allocator_type), block_alignment);
    if (span.size() < front + root_position) return memory;
    memory.start_ = span.data() + front;
    constexpr std::size_t max_size = static_cast<offset_type>(-1) / 2 - 4096;
    memory.limit_ = static_cast<offset_type>(std::min((span.size() - front) / 8 * 8, max_size));
    memory.size_class_ = fixed;
    return memory;
  }
  /// Returns a block that calls `by` to grow, up to `limit` bytes. The bytes before the block are
  /// for an allocator; they are zero, and the allocator is not started.
  [[nodiscard]] static block_memory growing(std::byte* start, std::size_t limit, block_growth& by) noexcept {
    block_memory memory;
    memory.start_ = start;
    memory.limit_ = static_cast<offset_type>(limit);
    memory.size_class_ = lengthened;
    memory.block().allocator().grow_by(by);
    return memory;
  }
  /// Refers to bytes of the caller that are a block already. No allocator precedes them.
  [[nodiscard]] static block_memory in_place(std::span<std::byte> bytes) noexcept {
    block_memory memory;
    memory.start_ = bytes.data();
    memory.limit_ = static_cast<offset_type>(bytes.size());
    memory.size_class_ = borrowed;
    return memory;
  }

  explicit operator bool() const noexcept { return start_ != nullptr; }
  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  [[nodiscard]] block_ref<P> block() const noexcept { return block_ref<P>(start_); }
  [[nodiscard]] offset_type limit() const noexcept { return limit_; }
  [[nodiscard]] bool is_slot() const noexcept { return size_class_ < lengthened; }
  [[nodiscard]] bool is_in_file() const noexcept { return size_class_ == lengthened; }
  [[nodiscard]] bool has_allocator() const noexcept { return size_class_ <= fixed; }
  /// Returns all of the slot, including the bytes before the block; empty if this is no slot.
  [[nodiscard]] std::span<std::byte> slot() const noexcept {
    if (!is_slot()) return {};
    const std::size_t size = std::size_t{1} << size_class_;
    return {start_ - layout::block_at(size), size};
  }
  /// Returns the start of the allocator's state for the block's first `bytes`: its bitmap and the
  /// allocator itself.
  [[nodiscard]] std::byte* front_of(std::size_t bytes) const noexcept {
    return start_ - sizeof(allocator_type) - allocator_type::bitmap_size(bytes);
  }

  /// Returns true if the block can have `bytes` bytes without moving. These bytes then have memory.
  [[nodiscard]] bool reaches(std::size_t bytes) noexcept {
    const bool grows = size_class_ == lengthened || (commits && is_slot());
    return bytes <= limit_ && (!grows || block().allocator().reach(bytes));
  }

  /// Returns the start of the page of `size` bytes that contains `at`, but not less than `slot`.
  /// Slots begin at system pages, which may be smaller than `size`.
  [[nodiscard]] static std::byte* begin_of_page(std::byte* at, std::byte* slot, std::size_t size) noexcept {
    const std::size_t skew = reinterpret_cast<std::uintptr_t>(at) % size;
    return at - std::min(skew, static_cast<std::size_t>(at - slot));
  }

  /// Unpoisons the first `used` bytes, free bytes included, because the caller may read what
  /// `bytes()` returns until the next change. Bytes that become free later are poisoned again.
  [[nodiscard]] INGOT_INLINE bytes_view shown(std::size_t used) const noexcept {
    if constexpr (poisons) unpoison(start_, used);
    return {start_, used};
  }
  /// Returns the start of the block, after unpoisoning its first `bytes` bytes. The caller writes
  /// all of them.
  [[nodiscard]] INGOT_INLINE std::byte* filled(std::size_t bytes) const noexcept {
    if constexpr (poisons) unpoison(start_, bytes);
    return start_;
  }

  /// Zeroes all memory that was touched: block, allocator and bitmap.
  INGOT_NOTED void clear() noexcept {
    allocator_type& allocator = block().allocator();
    const std::size_t peak = allocator.peak();
    INGOT_NOTE(start_, peak, block);
    if constexpr (poisons) unpoison(start_, std::min<std::size_t>(limit_, peak + poisoned_tail));
    std::size_t front = sizeof(allocator_type) + allocator_type::bitmap_size(peak);
    std::size_t touched = peak;
#if INGOT_COMMITS
    if (is_slot()) return clear_committed(peak);
#else
    if (is_slot() && peak >= keep_nothing_from) {
      give_back(begin_of_page(start_ - front, slot().data(), page), start_ + peak);
      return;
    }
    if (is_slot() && peak > keep_pages) {
      touched = keep_pages;
      give_back(start_ + touched, start_ + peak);
      if (front > keep_pages) {
        std::byte* const near_part = start_ - round_up(near_bitmap + sizeof(allocator_type), block_alignment);
        give_back(start_ - front, near_part);
        front = static_cast<std::size_t>(start_ - near_part);
      }
    }
#endif
    if (size_class_ == lengthened) { // the allocator keeps its growth object
      std::memset(start_ - front, 0, front - sizeof(allocator_type));
      std::memset(start_, 0, touched);
      return;
    }
    std::memset(start_ - front, 0, front + touched);
    if constexpr (poisons) leave_readable();
  }
  /// Gives the pages after the used bytes back to the system. This includes pages that the previous
  /// block in the slot used.
  void drop_tail() noexcept {
    if (!is_slot()) return;
    allocator_type& allocator = block().allocator();
    const std::size_t used = allocator.used();
    const std::size_t peak = allocator.peak();
    if constexpr (poisons) {
      if (used < limit_) unpoison(start_ + used, std::min<std::size_t>(limit_, peak + poisoned_tail) - used);
    }
#if INGOT_COMMITS
    // The previous block in the slot may have left memory in the first pages.
    decommit_after(used, peak, std::min<std::size_t>(limit_, keep_pages));
    allocator.forget_peak();
#else
    give_back(start_ + used, start_ + peak);
    allocator.forget_peak();
    // The previous block in the slot may have used pages after the peak. These pages are zero
    // already. So only whole pages are given back, and no part of a page is zeroed.
    const auto begin = reinterpret_cast<std::uintptr_t>(start_);
    const std::uintptr_t first = round_up(begin + std::max(used, peak), page);
    const std::uintptr_t last = (begin + std::min<std::size_t>(limit_, keep_pages)) / page * page;
    if (first < last) static_cast<void>(system::discard(start_ + (first - begin), last - first));
#endif
  }

private:
  static constexpr std::uint8_t lengthened = 252;
  static constexpr std::uint8_t fixed = 253;
  static constexpr std::uint8_t borrowed = 254;
  static constexpr std::uint8_t nothing = 255;
  /// Bytes of a freed slot that stay in memory for the next block.
  static constexpr std::size_t keep_pages = 16 * slot_page;
  /// If a block had this many bytes or more, all pages of its freed slot are given back. The slot
  /// may have large pages, and keeping a few bytes would keep a whole large page in memory.
  static constexpr std::size_t keep_nothing_from = std::size_t{512} << 10;

  /// A multiple of the page size of all supported systems.
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
  static constexpr std::size_t page = 4096;
#else
  static constexpr std::size_t page = 65536;
#endif

  /// Disables poisoning in memory of the caller.
  void leave_readable() const noexcept {
    if constexpr (requires(allocator_type& a) { a.leave_readable(); }) {
      if (size_class_ == fixed) block().allocator().leave_readable();
    }
  }

#if INGOT_COMMITS
  /// Gives memory after `position` back: that of this block, and that of a previous block up to
  /// position `previous`. All bytes from `position` to `touched` become zero. Requires that the
  /// bitmap of these bytes is zero.
  void decommit_after(std::size_t position, std::size_t touched, std::size_t previous) noexcept {
    allocator_type& allocator = block().allocator();
    const std::size_t committed = std::max<std::size_t>(allocator.memory().bytes(), previous);
    const auto begin = reinterpret_cast<std::uintptr_t>(start_);
    const auto first = static_cast<std::size_t>(round_up(begin + position, system::page_size) - begin);
    if (first >= committed || !decommit_pages(start_ + first, start_ + committed)) {
      if (position < touched) std::memset(start_ + position, 0, touched - position);
      return;
    }
    if (position < touched) std::memset(start_ + position, 0, std::min(first, touched) - position);
    if (first >= allocator.memory().bytes()) return;
    // If the system refuses, the bitmap has memory longer than the block: this is harmless.
    std::byte* const front = front_of(allocator.memory().bytes());
    static_cast<void>(
        decommit_pages(front - reinterpret_cast<std::uintptr_t>(front) % system::page_size, front_of(first)));
    allocator.memory_shrinks_to(first);
  }
  /// `clear` for a slot that gets memory on request. The block's own page keeps its memory.
  void clear_committed(std::size_t peak) noexcept {
    const std::size_t end = peak >= keep_nothing_from ? 0 : keep_pages;
    const std::size_t bitmap = allocator_type::bitmap_size(peak);
    std::memset(front_of(peak), 0, bitmap);
    decommit_after(end, peak, 0);
    std::memset(static_cast<void*>(&block().allocator()), 0, sizeof(allocator_type));
    std::memset(start_, 0, std::min(end, peak));
  }
#else
  /// Makes the bytes in [from, to) zero. Gives whole pages back to the system, and writes zeros
  /// only where this is not possible. The last page may be given back although it ends after `to`,
  /// so its bytes after `to` must be out of use.
  void give_back(std::byte* from, std::byte* to) noexcept {
    if (from >= to) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    const auto end = reinterpret_cast<std::uintptr_t>(to);
    const std::size_t slot = std::size_t{1} << size_class_;
    const std::uintptr_t slot_end = reinterpret_cast<std::uintptr_t>(start_) - layout::block_at(slot) + slot;
    const std::uintptr_t first = round_up(begin, page);
    const std::uintptr_t last = std::min(round_up(end, page), slot_end / page * page);
    if (first < last && system::discard(from + (first - begin), last - first)) {
      std::memset(from, 0, first - begin);
      if (end > last) std::memset(to - (end - last), 0, end - last);
    } else {
      std::memset(from, 0, static_cast<std::size_t>(to - from));
    }
  }
#endif

  INGOT_NOTED INGOT_NOINLINE void release() noexcept {
    // Records no invalidation for a block in a file. The address range of this block may be too
    // long to record, and is unmapped anyway. For a slot, `clear` records the invalidation.
    INGOT_NOTE(start_, size_class_ == fixed || size_class_ == borrowed ? limit_ : 0, block);
    if (size_class_ == fixed || size_class_ == lengthened) {
      start_ = nullptr;
      return;
    }
    if (size_class_ == borrowed) {
      // Opening in place has cleared the flag `attached`. The flag is set again, because the bytes
      // that an owner sends have this flag.
      block().header().flags |= block_header::attached;
      start_ = nullptr;
      return;
    }
    [[maybe_unused]] const std::size_t peak = poisons ? std::size_t{block().allocator().peak()} : 0;
    clear();
    if constexpr (poisons) poison(start_, std::min(peak, poisoned_slot));
    slot_pool::release(
        {start_ - layout::block_at(std::size_t{1} << size_class_), static_cast<unsigned>(size_class_)});
    start_ = nullptr;
  }

  std::byte* start_ = nullptr;
  // These two members are adjacent and have equal width. So compilers move both at once, and clear
  // both by one store.
  offset_type size_class_ = nothing;
  offset_type limit_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
