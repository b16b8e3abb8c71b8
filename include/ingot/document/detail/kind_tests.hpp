// SPDX-License-Identifier: Apache-2.0
// Tests of the kind of a value; all handles have them.
#pragma once

#include <ingot/document/format.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Base of handles; derived classes have `kind()`. All functions are O(1).
template <class Handle>
class kind_tests {
public:
  /// Returns true if the value exists. Null is a value.
  [[nodiscard]] bool exists() const noexcept { return kind_here() != value_kind::absent; }
  [[nodiscard]] bool is_null() const noexcept { return kind_here() == value_kind::null; }
  [[nodiscard]] bool is_boolean() const noexcept { return kind_here() == value_kind::boolean; }
  /// Returns true for an integer, signed or unsigned.
  [[nodiscard]] bool is_integer() const noexcept {
    const value_kind kind = kind_here();
    return kind == value_kind::integer || kind == value_kind::large_integer;
  }
  [[nodiscard]] bool is_number() const noexcept { return kind_here() == value_kind::number; }
  [[nodiscard]] bool is_string() const noexcept { return kind_here() == value_kind::text; }
  [[nodiscard]] bool is_binary() const noexcept { return kind_here() == value_kind::binary; }
  [[nodiscard]] bool is_array() const noexcept { return kind_here() == value_kind::array; }
  [[nodiscard]] bool is_object() const noexcept { return kind_here() == value_kind::object; }

private:
  [[nodiscard]] INGOT_INLINE value_kind kind_here() const noexcept {
    return static_cast<const Handle&>(*this).kind();
  }
};

}}} // namespace ingot::INGOT_V1::detail::doc
