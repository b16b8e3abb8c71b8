// SPDX-License-Identifier: Apache-2.0
// Progress reports and cancellation for operations of one or more passes. Reports are about 256 KiB
// apart. A list reports between its elements only if each element takes so long that one more
// comparison does not matter. Copies report too, and so do validations that are passes of their
// own. An operation without a callback pays nothing.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class progress_tracker {
public:
  static constexpr std::size_t step = std::size_t{256} << 10;

  /// Starts a pass when `done` of `total` bytes are done. The pass counts as `share` bytes of the
  /// total.
  progress_tracker(progress_ref progress, std::uint64_t done, std::uint64_t share,
                   std::uint64_t total) noexcept
      : told_(progress), before_(done), share_(share), total_(total), last_(done) {}

  /// Reports that `done` of the `size` bytes of this pass are done. Returns whether to continue.
  /// The parts of a message are nested, so `done` may be less than in the previous call. The
  /// reported numbers never decrease. Only `finish` reports the total.
  [[nodiscard]] bool should_continue(std::uint64_t done, std::uint64_t size) {
    const std::uint64_t here = size == 0 || done >= size ? share_ : scaled(done, size);
    if (before_ + here > last_ && before_ + here < total_) last_ = before_ + here;
    return told_(last_, total_);
  }
  void next_part() noexcept { before_ += share_; }
  /// Returns the error of an operation whose callback returned false. Its offset is the last
  /// reported number.
  [[nodiscard]] std::unexpected<error> cancelled() const noexcept {
    return fail(error{errc::cancelled, last_});
  }
  /// Reports that the whole operation is done. Errors: `cancelled`.
  [[nodiscard]] result<void> finish() {
    if (total_ == 0 || told_(total_, total_)) return {};
    return fail(error{errc::cancelled, total_});
  }

private:
  /// Scales `done` to the share of this pass. Does not overflow: messages have less than 4 GiB.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t done, std::uint64_t size) const noexcept {
    return size == share_ ? done : share_ * done / size;
  }

  progress_ref told_;
  std::uint64_t before_;
  std::uint64_t share_;
  std::uint64_t total_;
  std::uint64_t last_;
};

/// Progress of an operation that makes several passes, one after the other, of `total` bytes
/// together.
class progress_phases {
public:
  progress_phases(progress_ref progress, std::uint64_t total) noexcept : told_(progress), total_(total) {}
  [[nodiscard]] progress_tracker next(std::uint64_t size) noexcept {
    const progress_tracker made(told_, before_, size, total_);
    before_ += size;
    return made;
  }
  [[nodiscard]] result<void> finish() { return progress_tracker(told_, total_, 0, total_).finish(); }

private:
  progress_ref told_;
  std::uint64_t total_;
  std::uint64_t before_ = 0;
};

/// A poll for operations without a callback: always continues. An operation is one template for
/// this class and `progress_poll`. The compiler removes the calls of this class.
struct no_poll {
  [[nodiscard]] static constexpr bool should_continue(std::uint64_t) noexcept { return true; }
  [[nodiscard]] static constexpr bool step_should_continue(std::uint64_t = 0) noexcept { return true; }
  [[nodiscard]] static constexpr bool asks() noexcept { return false; }
  [[nodiscard]] static constexpr bool stopped() noexcept { return false; }
  static constexpr void stop() noexcept {}
};

/// A poll that calls the callback about every 256 KiB and, in work that is counted in steps, every
/// few thousand steps. Each part of an operation, with its own size, has its own poll. After a
/// cancellation the callback is not called again, and all calls of this poll return false.
class progress_poll {
public:
  progress_poll(progress_tracker& tracker, std::uint64_t size) noexcept : told_(&tracker), size_(size) {}

  /// Returns whether to continue after `done` bytes.
  [[nodiscard]] bool should_continue(std::uint64_t done) {
    if (done < next_) [[likely]]
      return true;
    return tell(done);
  }
  /// Returns the number of bytes until the next report.
  [[nodiscard]] std::size_t bytes_until_poll(std::uint64_t done) const noexcept {
    return done < next_ ? static_cast<std::size_t>(next_ - done) : 0;
  }
  /// Counts one of many steps. `done` is the number of bytes that are done, or 0 if it has not
  /// changed. Returns whether to continue.
  [[nodiscard]] bool step_should_continue(std::uint64_t done = 0) {
    if (--steps_ != 0) [[likely]]
      return !stopped_;
    return should_continue_now(done);
  }
  /// Calls the callback now, because one step took as long as many ordinary ones. Returns whether
  /// to continue.
  [[nodiscard]] bool should_continue_now(std::uint64_t done = 0) {
    steps_ = often;
    return tell(done);
  }
  [[nodiscard]] static constexpr bool asks() noexcept { return true; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  /// Cancels the operation because a copy in it was cancelled.
  void stop() noexcept {
    stopped_ = true;
    next_ = 0;
  }

private:
  static constexpr std::uint32_t often = 4096;
  [[nodiscard]] INGOT_NOINLINE bool tell(std::uint64_t done) {
    if (stopped_) return false;
    if (done >= next_) next_ = done + progress_tracker::step;
    if (!told_->should_continue(done, size_)) stop();
    return !stopped_;
  }

  progress_tracker* told_;
  std::uint64_t size_;
  std::uint64_t next_ = progress_tracker::step;
  std::uint32_t steps_ = often;
  bool stopped_ = false;
};

/// A poll for operations that count no bytes: calls `Ask` every few thousand steps. After a
/// cancellation it is not called again. `Ask` converts to bool: true if there is a callback.
template <class Ask>
class step_poll {
public:
  explicit step_poll(Ask ask) noexcept : ask_(std::move(ask)) {}

  static constexpr std::uint32_t often = 4096;
  [[nodiscard]] INGOT_INLINE bool step_should_continue() noexcept(noexcept(std::declval<Ask&>()())) {
    if (--steps_ != 0) [[likely]]
      return !stopped_;
    return should_continue_now();
  }
  /// Calls the callback and starts to count steps from the beginning. Returns whether to continue.
  [[nodiscard]] INGOT_COLD bool should_continue_now() noexcept(noexcept(std::declval<Ask&>()())) {
    steps_ = often;
    stopped_ = stopped_ || (asks() && !ask_());
    return !stopped_;
  }
  [[nodiscard]] bool asks() const noexcept { return static_cast<bool>(ask_); }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

private:
  Ask ask_;
  std::uint32_t steps_ = often;
  bool stopped_ = false;
};

/// True if polls do not throw, so that an operation that polls can be noexcept.
template <class Poll>
inline constexpr bool polls_nothrow = noexcept(std::declval<Poll&>().should_continue(0));

/// Copies all of `from`. The copy is one pass of the operation. Returns false if cancelled; the
/// copy may then be incomplete.
[[nodiscard]] inline bool copy_with_progress(std::byte* to, bytes_view from, progress_tracker& tracker) {
  for (std::size_t done = 0; done < from.size();) {
    const std::size_t left = from.size() - done;
    const std::size_t piece = left < progress_tracker::step ? left : progress_tracker::step;
    std::memcpy(to + done, from.data() + done, piece);
    done += piece;
    if (!tracker.should_continue(done, from.size())) return false;
  }
  tracker.next_part();
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
