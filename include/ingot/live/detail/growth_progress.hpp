// SPDX-License-Identifier: Apache-2.0
// Progress reports while a new block is filled. The block's allocator gets a small amount of memory
// at a time. The progress callback is called whenever the allocator needs more memory. Allocators
// of blocks without a callback are unaffected.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/live/detail/block_growth.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/detail/collision_watch.hpp>
#include <ingot/live/detail/recursion.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <block_policy P>
class growth_progress {
  using allocator_type = typename P::allocator_type;
  using offset_type = typename P::offset_type;
  /// The growth object is in the slot, in front of the allocator's bitmap. Slots of a megabyte and
  /// more have unused bytes there.
  struct polled_growth : block_growth {
    growth_progress* of = nullptr;
  };

public:
  static constexpr std::size_t step = std::size_t{256} << 10;

  /// Requires a slot whose allocator was started. `total` is the expected size of the block in
  /// bytes, or `progress_ref::unknown`. The actual size may differ.
  growth_progress(block_memory<P>& memory, progress_ref progress, std::uint64_t total) noexcept
      : memory_(memory), aside_{progress}, tracker_(progress ? progress_ref(aside_) : progress_ref(), total),
        total_(total) {
    if constexpr (can_poll) {
      std::byte* const slot = memory.slot().data();
      max_size_ = memory.block().allocator().limit();
      if (!progress || slot == nullptr || max_size_ <= step) return;
      if (static_cast<std::size_t>(memory.front_of(memory.limit()) - slot) < sizeof(polled_growth)) return;
#if INGOT_COMMITS
      // Without memory for a growth object, filling the block fails soon, or calls back at its end.
      if (!commit_pages(slot, slot + sizeof(polled_growth))) return;
#endif
      poll_ = ::new (static_cast<void*>(slot)) polled_growth;
      poll_->lengthen = &lengthen;
      poll_->tracker = &tracker_;
      poll_->usable = step;
      poll_->of = this;
      if constexpr (poisons && requires(allocator_type& a) { a.leave_readable(); }) {
        // If poisoning was disabled, it must stay disabled: a growth object with a `begin` disables
        // poisoning.
        if (!memory.block().allocator().poisons_free_bytes())
          poll_->begin = [](block_growth&) noexcept { return true; };
      }
      memory.block().allocator().grow_within(step, poll_);
    }
  }
  growth_progress(const growth_progress&) = delete;
  growth_progress& operator=(const growth_progress&) = delete;
  /// Must run before the memory gets another owner.
  ~growth_progress() { stop_polling(); }

  /// Makes the last call of the progress callback, or throws what the callback has thrown.
  /// `filled` is true if memory sufficed; otherwise `why` is the reason.
  ///
  /// Errors: `why`, `cancelled`.
  [[nodiscard]] result<void> finish(bool filled, errc why = errc::no_memory) {
    stop_polling();
    if (!filled && !tracker_.stopped()) return fail(why);
    return tracker_.finish(total_ == progress_ref::unknown ? memory_.block().allocator().used() : total_);
  }

private:
  static constexpr bool can_poll =
      requires(allocator_type& a, offset_type usable, block_growth* by) { a.grow_within(usable, by); };

  void stop_polling() noexcept {
    if constexpr (can_poll) {
      if (poll_ == nullptr) return;
      memory_.block().allocator().grow_within(max_size_, nullptr);
      if constexpr (poisons && requires(allocator_type& a) { a.leave_readable(); }) {
        if (poll_->begin != nullptr) memory_.block().allocator().leave_readable();
      }
      std::memset(static_cast<void*>(poll_), 0, sizeof(polled_growth)); // unused bytes are zero
      poll_ = nullptr;
    }
  }
  static void lengthen(block_growth& self, std::size_t wanted) noexcept {
    growth_progress& of = *static_cast<polled_growth&>(self).of;
    const std::size_t used = of.memory_.block().allocator().used();
    if (wanted > of.max_size_ || !of.tracker_.report(used, of.total_)) return;
    self.usable = std::min<std::size_t>(of.max_size_, std::max(wanted, used + step));
  }
  /// Calls the progress callback. The call may interrupt a walk that fills the block. If the
  /// callback copies other values, these copies must not be added to the list of that walk.
  struct aside {
    progress_ref callback;
    [[nodiscard]] bool operator()(std::uint64_t done, std::uint64_t total) const {
      const walks_aside others;
      return callback(done, total);
    }
  };

  block_memory<P>& memory_;
  aside aside_;
  progress_tracker tracker_;
  std::uint64_t total_;
  offset_type max_size_ = 0;
  polled_growth* poll_ = nullptr;
};

[[nodiscard]] INGOT_COLD inline std::unexpected<error> not_in_place() noexcept {
  return fail(
      error{errc::unsupported}.with_expected("memory to allocate in: bytes opened in place have none"));
}
/// Fills a new block by `fill`, which returns false if memory runs out. Takes no additional time
/// without a callback.
///
/// Errors: `cancelled`, `no_memory`, `too_many_collisions`.
template <block_policy P, class Fill>
[[nodiscard]] result<void> fill_with_progress(block_memory<P>& fresh, progress_ref progress,
                                              std::uint64_t total, const Fill& fill) {
  const collision_watch watch;
  const auto why = [&watch] { return watch.any() ? errc::too_many_collisions : errc::no_memory; };
  if (!progress) return fill() ? result<void>() : fail(why());
  growth_progress<P> growth(fresh, progress, total);
  const bool filled = fill();
  return growth.finish(filled, why());
}

}}} // namespace ingot::INGOT_V1::detail
