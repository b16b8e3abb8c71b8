// SPDX-License-Identifier: Apache-2.0
// Who waits for a long message to be read, as part of a work that may have several. Lists tell of it, where their elements take so long that a
// comparison for each is nothing, some 256 KiB apart: nobody pays for being asked who isn't told. So do copies, and proofs in a walk of their own.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot::inline v1::detail {

class told_reading {
public:
  static constexpr std::size_t step = std::size_t{256} << 10;

  /// Of `total` bytes of work `done` are done, and each part counts as `share`.
  told_reading(progress_ref told, std::uint64_t done, std::uint64_t share, std::uint64_t total) noexcept
      : told_(told), before_(done), share_(share), total_(total), last_(done) {}

  /// Whether whoever waits still does, where `done` of the `size` bytes of this part are done. Parts of a message lie in one another, so it may be fewer
  /// than before. All is only told at the end.
  [[nodiscard]] bool goes_on(std::uint64_t done, std::uint64_t size) {
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

/// Copies `from`, which is a part of the work. False if who waits no longer does: then some of it was.
[[nodiscard]] inline bool copy_told(std::byte* to, bytes_view from, told_reading& told) {
  for (std::size_t done = 0; done < from.size();) {
    const std::size_t left = from.size() - done;
    const std::size_t piece = left < told_reading::step ? left : told_reading::step;
    std::memcpy(to + done, from.data() + done, piece);
    done += piece;
    if (!told.goes_on(done, from.size())) return false;
  }
  told.next_part();
  return true;
}

} // namespace ingot::inline v1::detail
