// SPDX-License-Identifier: Apache-2.0
// Creates views from positions in bytes. Views have no public functions for this.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Friend of all views. Each function calls the private function of `View` that has the same name,
/// with the same arguments.
struct view_access {
  /// Views the payload of `size` bytes at `from`.
  template <class View, class From>
  static INGOT_INLINE constexpr auto from_payload(const From& from, std::size_t size) noexcept {
    return View::from_payload(from, size);
  }
  /// Views the value whose slot is at `f`.
  template <class View, class Ref>
  static INGOT_INLINE constexpr auto from_slot(const Ref& f) noexcept {
    return View::from_slot(f);
  }
  /// Views an evolvable record with a fixed part of `present` bytes.
  template <class View, class Ref>
  static INGOT_INLINE constexpr auto from_evolved(const Ref& f, std::size_t present) noexcept {
    return View::from_evolved(f, present);
  }
};

/// The result of a view's `operator->`. Contains the view of the value, because this view is a
/// temporary object.
template <class View>
struct view_arrow {
  View value;
  [[nodiscard]] INGOT_INLINE constexpr const View* operator->() const noexcept { return &value; }
};

}}} // namespace ingot::INGOT_V1::detail
