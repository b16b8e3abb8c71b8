// SPDX-License-Identifier: Apache-2.0
// Progress of one call of a public function, which makes one or more passes over the bytes. Records
// the numbers that the callback gets, whether the callback has cancelled the call, and the
// exception that the callback has thrown. Loops poll through progress_poll.hpp.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The progress of one operation, with its callback. If the callback cancels or throws, `report`
/// returns false. Functions that call `report` in a loop then return false, too. No exception
/// leaves `report`, so these functions can be noexcept. The public function must then call
/// `cancelled` or `finish`. Both functions create the error, or throw the exception of the
/// callback.
class progress_tracker {
public:
  /// Number of bytes between two reports.
  static constexpr std::size_t step = std::size_t{256} << 10;

  /// A tracker without a callback.
  progress_tracker() noexcept = default;
  /// Creates the tracker of an operation of `total` bytes. `done` bytes are done already. The first
  /// pass counts as `share` bytes of the total.
  progress_tracker(progress_ref callback, std::uint64_t total, std::uint64_t share,
                   std::uint64_t done = 0) noexcept
      : callback_(callback), before_(done), share_(share), total_(total), last_(done) {}
  /// Creates the tracker of an operation of one pass.
  progress_tracker(progress_ref callback, std::uint64_t total) noexcept
      : progress_tracker(callback, total, total) {}
  progress_tracker(const progress_tracker&) = delete;
  progress_tracker& operator=(const progress_tracker&) = delete;

  /// Starts the next pass, which counts as `share` bytes of the total.
  void begin_pass(std::uint64_t share) noexcept {
    before_ += share_;
    share_ = share;
  }
  /// Starts the next pass, with the same share of the total as the previous pass.
  void begin_pass() noexcept { begin_pass(share_); }

  /// True if there is a callback.
  [[nodiscard]] bool asks() const noexcept { return static_cast<bool>(callback_); }
  /// True after the callback has returned false or has thrown. The callback is not called again
  /// then.
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

  /// Reports that `done` of the `size` bytes of this pass are done. Returns whether to continue.
  /// Readers may report fewer bytes than in the previous call: an inner list is stored after all
  /// slots of the outer list, but the outer list counts only the slots that were read. The numbers
  /// that the callback gets never decrease. Only `finish` reports the total.
  [[nodiscard]] bool report(std::uint64_t done, std::uint64_t size) noexcept {
    const std::uint64_t here = size == 0 || done >= size ? share_ : scaled(done, size);
    if (before_ + here > last_ && before_ + here < total_) last_ = before_ + here;
    return call(last_);
  }
  /// Returns the error of an operation that the callback has cancelled. The error's offset is the
  /// last reported number of bytes. If the callback has thrown an exception, throws the exception
  /// instead.
  [[nodiscard]] INGOT_COLD std::unexpected<error> cancelled() {
    rethrow();
    return fail(error{errc::cancelled, last_});
  }
  /// If the callback has thrown an exception, throws this exception.
  void rethrow() {
#ifdef __cpp_exceptions
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
#endif
  }
  /// Reports that the whole operation is done. Errors: `cancelled`.
  [[nodiscard]] result<void> finish() { return finish(total_); }
  /// Like `finish()`, for an operation whose total was unknown until now.
  [[nodiscard]] result<void> finish(std::uint64_t total) {
    if (!asks()) return {};
    if (!stopped_) {
      if (total == 0) return {};
      last_ = total_ = total;
      if (call(total)) return {};
    }
    return cancelled();
  }

private:
  /// Scales `done` to the share of this pass. Does not overflow: messages have less than 4 GiB.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t done, std::uint64_t size) const noexcept {
    return size == share_ ? done : share_ * done / size;
  }
  [[nodiscard]] INGOT_COLD bool call(std::uint64_t done) noexcept {
    if (stopped_) return false;
#ifdef __cpp_exceptions
    try {
      stopped_ = !callback_(done, total_);
    } catch (...) {
      thrown_ = std::current_exception();
      stopped_ = true;
    }
#else
    stopped_ = !callback_(done, total_);
#endif
    return !stopped_;
  }

  progress_ref callback_{};
  std::uint64_t before_ = 0;
  std::uint64_t share_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t last_ = 0;
  bool stopped_ = false;
#ifdef __cpp_exceptions
  std::exception_ptr thrown_;
#endif
};

/// Copies all of `from`, as one pass of the operation. Returns false if the callback has cancelled;
/// the copy may then be incomplete.
[[nodiscard]] inline bool copy_with_progress(std::byte* to, bytes_view from,
                                             progress_tracker& tracker) noexcept {
  const std::size_t max_piece = tracker.asks() ? progress_tracker::step : from.size();
  for (std::size_t done = 0; done < from.size();) {
    const std::size_t left = from.size() - done;
    const std::size_t piece = left < max_piece ? left : max_piece;
    std::memcpy(to + done, from.data() + done, piece);
    done += piece;
    if (tracker.asks() && !tracker.report(done, from.size())) return false;
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
