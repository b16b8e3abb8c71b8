// SPDX-License-Identifier: Apache-2.0
// Who is asked whether a long work on a document goes on. Each work is written once, for any of these; where nobody listens nothing is asked, and the
// compiler sees that.
#pragma once

#include <ingot/core/detail/told_reading.hpp>
#include <ingot/document/detail/core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ingot::inline v1::detail::doc {

/// Nobody: all goes on.
struct unasked {
  [[nodiscard]] static constexpr bool goes_on(std::uint64_t) noexcept { return true; }
  [[nodiscard]] static constexpr bool stopped() noexcept { return false; }
  static constexpr void stop() noexcept {}
};

/// Who listens, some 256 KiB apart. Each work of the whole, with a size of its own, has its own.
class asked {
public:
  asked(told_reading& told, std::uint64_t size) noexcept : told_(&told), size_(size) {}

  /// Whether the work goes on, of which `done` bytes are done.
  [[nodiscard]] bool goes_on(std::uint64_t done) {
    if (done < next_) return true;
    next_ = done + told_reading::step;
    stopped_ = !told_->goes_on(done, size_);
    return !stopped_;
  }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  /// A copy was stopped.
  void stop() noexcept { stopped_ = true; }

private:
  told_reading* told_;
  std::uint64_t size_;
  std::uint64_t next_ = told_reading::step;
  bool stopped_ = false;
};

/// Whether asking throws nothing, so that the work doesn't.
template <class Asked>
inline constexpr bool asks_nobody = noexcept(std::declval<Asked&>().goes_on(0));

} // namespace ingot::inline v1::detail::doc
