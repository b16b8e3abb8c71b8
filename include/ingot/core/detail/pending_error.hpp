// SPDX-License-Identifier: Apache-2.0
// A place for an error that mostly never happens. An `error` is some 280 bytes; setting them to zero in front of
// every small message would cost more than reading it.
#pragma once

#include <ingot/core/error.hpp>

#include <expected> // and with it std::construct_at, for a tenth of what <memory> costs to include

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Holds nothing until an error is assigned; only then may it be looked at.
class pending_error {
public:
  constexpr pending_error() noexcept : nothing_{} {}

  INGOT_COLD constexpr pending_error& operator=(const error& err) noexcept {
    std::construct_at(&value_, err);
    return *this;
  }
  [[nodiscard]] constexpr error& operator*() noexcept { return value_; }
  [[nodiscard]] constexpr const error& operator*() const noexcept { return value_; }
  [[nodiscard]] constexpr error* operator->() noexcept { return &value_; }

  /// The error, as what a function returns. Out of line, which keeps copying it away from the successful path; not
  /// const, or a compiler that can't follow why there must be an error warns of one that was never assigned.
  [[nodiscard]] INGOT_COLD constexpr std::unexpected<error> failure() noexcept {
    return std::unexpected<error>(value_);
  }

private:
  union {
    char nothing_;
    error value_;
  };
};

}}} // namespace ingot::INGOT_V1::detail
