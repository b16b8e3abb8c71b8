// SPDX-License-Identifier: Apache-2.0
// Storage for an error that rarely occurs. An `error` takes some 280 bytes. Setting them to zero
// for every small message would take longer than reading the message.
#pragma once

#include <ingot/core/error.hpp>

// <expected> is included for std::construct_at, because compiling <expected> takes only a tenth of
// the time of <memory>.
#include <expected>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Holds nothing until an error is assigned; access is allowed only after that.
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

  /// Returns the error in the form that functions return. Out of line, so that successful paths do
  /// not contain the copy. The function is not const: if it were, a compiler that can't deduce that
  /// an error was assigned would warn of an uninitialised error.
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
