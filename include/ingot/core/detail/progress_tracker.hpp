// SPDX-License-Identifier: Apache-2.0
// Who waits for a long message to be read, as part of a work that may have several. Lists tell of it, where their elements take so long that a
// comparison for each is nothing, some 256 KiB apart: nobody pays for being asked who isn't told. So do copies, and proofs in a walk of their own.
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

  /// Of `total` bytes of work `done` are done, and each part counts as `share`.
  progress_tracker(progress_ref progress, std::uint64_t done, std::uint64_t share, std::uint64_t total) noexcept
      : told_(progress), before_(done), share_(share), total_(total), last_(done) {}

  /// Whether whoever waits still does, where `done` of the `size` bytes of this part are done. Parts of a message lie in one another, so it may be fewer
  /// than before. All is only told at the end.
  [[nodiscard]] bool should_continue(std::uint64_t done, std::uint64_t size) {
    const std::uint64_t here = size == 0 || done >= size ? share_ : scaled(done, size);
    if (before_ + here > last_ && before_ + here < total_) last_ = before_ + here;
    return told_(last_, total_);
  }
  void next_part() noexcept { before_ += share_; }
  /// What they were told last, when they no longer wait.
  [[nodiscard]] std::unexpected<error> cancelled() const noexcept {
    return fail(error{errc::cancelled, last_});
  }
  /// All is done.
  [[nodiscard]] result<void> finish() {
    if (total_ == 0 || told_(total_, total_)) return {};
    return fail(error{errc::cancelled, total_});
  }

private:
  /// Messages have less than 4 GiB.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t done, std::uint64_t size) const noexcept {
    return size == share_ ? done : share_ * done / size;
  }

  progress_ref told_;
  std::uint64_t before_;
  std::uint64_t share_;
  std::uint64_t total_;
  std::uint64_t last_;
};

/// A work that goes over several lots of bytes, one after the other, for somebody who waits for `total` of them.
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

/// Nobody is asked: all goes on. A work is written once, for this or the next, and where nobody listens the compiler sees that.
struct no_poll {
  [[nodiscard]] static constexpr bool should_continue(std::uint64_t) noexcept { return true; }
  [[nodiscard]] static constexpr bool step_should_continue(std::uint64_t = 0) noexcept { return true; }
  [[nodiscard]] static constexpr bool asks() noexcept { return false; }
  [[nodiscard]] static constexpr bool stopped() noexcept { return false; }
  static constexpr void stop() noexcept {}
};

/// Who listens is asked some 256 KiB apart, and of what moves no bytes every few thousand steps. Each part of a work, with a size of its own, has its own.
/// After a no nobody is asked, and nothing goes on.
class asked {
public:
  asked(progress_tracker& tracker, std::uint64_t size) noexcept : told_(&tracker), size_(size) {}

  /// Whether the work goes on, of which `done` bytes are done.
  [[nodiscard]] bool should_continue(std::uint64_t done) {
    if (done < next_) [[likely]]
      return true;
    return tell(done);
  }
  /// How many bytes may be done until then.
  [[nodiscard]] std::size_t bytes_until_poll(std::uint64_t done) const noexcept {
    return done < next_ ? static_cast<std::size_t>(next_ - done) : 0;
  }
  /// At each of many steps, with the bytes that are done or as many as before.
  [[nodiscard]] bool step_should_continue(std::uint64_t done = 0) {
    if (--steps_ != 0) [[likely]]
      return !stopped_;
    return should_continue_now(done);
  }
  /// After a step that takes as long as many.
  [[nodiscard]] bool should_continue_now(std::uint64_t done = 0) {
    steps_ = often;
    return tell(done);
  }
  [[nodiscard]] static constexpr bool asks() noexcept { return true; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  /// A copy was stopped.
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

/// A work that moves no bytes asks by a call of its own, every few thousand steps, whether it goes on. After a no nobody is asked. `Ask` converts to bool:
/// whether there is anybody.
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
  /// After as many steps.
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

/// Whether asking throws nothing, so that the work doesn't.
template <class Poll>
inline constexpr bool polls_nothrow = noexcept(std::declval<Poll&>().should_continue(0));

/// Copies `from`, which is a part of the work. False if who waits no longer does: then some of it was.
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
