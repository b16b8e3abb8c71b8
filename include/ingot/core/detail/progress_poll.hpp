// SPDX-License-Identifier: Apache-2.0
// The poll of a loop: tests whether a progress report is due, and whether the callback has
// cancelled. Without a callback the next report is never due, so one loop serves calls with and
// without a callback. CONTRIBUTING.md has the rules for loops.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/progress_tracker.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Calls the callback about every 256 KiB. Some work, such as a sort, has no position in bytes.
/// Such work counts steps, such as comparisons, and the poll calls the callback every 4,096 steps.
/// Each pass of an operation has its own poll. The function that makes the pass owns the poll.
/// After a cancellation the callback is not called again, and all functions return false.
class progress_poll {
public:
  /// Number of steps between two reports.
  static constexpr std::uint32_t often = 4096;

  /// A poll without a callback: always continues.
  constexpr progress_poll() noexcept = default;
  /// Polls `tracker` during a pass of `size` bytes. If `tracker` is null or has no callback, the
  /// poll always continues.
  progress_poll(progress_tracker* tracker, std::uint64_t size) noexcept : size_(size) {
    if (tracker == nullptr || !tracker->asks()) return;
    tracker_ = tracker;
    next_ = progress_tracker::step;
    steps_ = often;
  }
  progress_poll(const progress_poll&) = delete;
  progress_poll& operator=(const progress_poll&) = delete;

  /// Returns whether to continue after `done` bytes.
  [[nodiscard]] INGOT_INLINE bool should_continue(std::uint64_t done) noexcept {
    return done < next_ || report(done);
  }
  /// Counts one of many steps. `done` is the number of bytes that are done, or 0 if it has not
  /// changed. Returns whether to continue.
  [[nodiscard]] INGOT_INLINE bool step_should_continue(std::uint64_t done = 0) noexcept {
    return --steps_ != 0 || report_step(done);
  }
  /// Counts `steps` steps at once, at most `often`. Returns whether to continue.
  [[nodiscard]] INGOT_INLINE bool steps_should_continue(std::uint64_t steps) noexcept {
    if (steps >= steps_) return report_step(0);
    steps_ -= steps;
    return true;
  }
  /// Calls the callback now, because one step took as long as many ordinary steps. Returns whether
  /// to continue.
  [[nodiscard]] bool should_continue_now(std::uint64_t done = 0) noexcept { return report_step(done); }
  /// Returns the number of bytes until the next report.
  [[nodiscard]] std::uint64_t bytes_until_poll(std::uint64_t done) const noexcept {
    return done < next_ ? next_ - done : 0;
  }
  /// Returns the index of the element before which a loop has to poll again. The loop is at element
  /// `i` of `count` elements of `bytes` bytes each. The index is greater than `i`, so that a loop
  /// over large elements makes progress.
  [[nodiscard]] std::size_t run_end(std::size_t i, std::size_t count, std::uint64_t bytes) const noexcept {
    if (tracker_ == nullptr) [[likely]]
      return count;
    const std::uint64_t run = bytes == 0 ? count : progress_tracker::step / bytes + 1;
    return count - i <= run ? count : i + static_cast<std::size_t>(run);
  }

  /// True if there is a callback.
  [[nodiscard]] bool asks() const noexcept { return tracker_ != nullptr; }
  /// True after a cancellation.
  [[nodiscard]] bool stopped() const noexcept { return next_ == 0; }

private:
  [[nodiscard]] INGOT_COLD bool report(std::uint64_t done) noexcept {
    if (tracker_ == nullptr) return true; // reached only if `done` is 2^64 - 1
    if (stopped()) return false;
    if (done >= next_) next_ = done + progress_tracker::step;
    if (tracker_->report(done, size_)) return true;
    next_ = 0;
    steps_ = 1;
    return false;
  }
  [[nodiscard]] INGOT_COLD bool report_step(std::uint64_t done) noexcept {
    steps_ = tracker_ == nullptr ? ~std::uint64_t{0} : stopped() ? 1 : often;
    return report(done);
  }

  progress_tracker* tracker_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t next_ = ~std::uint64_t{0};
  std::uint64_t steps_ = ~std::uint64_t{0};
};

/// The tracker of a `listener_poll`. It is in a base class because it must be constructed before
/// the `progress_poll`.
struct listener_tracker {
  explicit listener_tracker(progress_ref callback) noexcept : tracker(callback, progress_ref::unknown) {}
  progress_tracker tracker;
};
/// A poll for long work inside of a reader or writer. Calls the callback `ask` every 4,096 steps,
/// with 0 bytes and an unknown total: the position in bytes is reported by the reader or writer
/// itself. If `ask` converts to false, the poll never calls it. Call `rethrow` after the work.
// NOLINTNEXTLINE(misc-multiple-inheritance): the tracker has to be constructed first
class listener_poll : private listener_tracker, public progress_poll {
public:
  /// `ask` must live as long as the poll.
  template <class Ask>
  explicit listener_poll(const Ask& ask) noexcept
      : listener_tracker(ask ? progress_ref(ask) : progress_ref()),
        progress_poll(&tracker, progress_ref::unknown) {}
  /// If `ask` has thrown an exception, throws this exception.
  void rethrow() { tracker.rethrow(); }
};

}}} // namespace ingot::INGOT_V1::detail
