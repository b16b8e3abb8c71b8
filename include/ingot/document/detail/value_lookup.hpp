// SPDX-License-Identifier: Apache-2.0
// Defines two lookups of `value`: by index, and by key if the fast path does not decide. value.hpp
// includes this header.
#pragma once

#include <ingot/document/value.hpp> // NOLINT(misc-header-include-cycle): it ends with this header

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

template <class Handle>
INGOT_INLINE Handle value::element(std::size_t index) const noexcept {
  if (is_packed_here() && index < std::to_integer<std::size_t>(bytes_[1])) {
    Handle handle(*this, at_.position, at_.index, bytes_);
    handle.at_ = {at_.position, at_.index, at_.parent, at_.parent_index,
                  static_cast<std::uint32_t>(index) + 1};
    return handle;
  }
  if (const std::size_t position = node_here(); position != 0) [[likely]] {
    const std::byte* found = nullptr;
    const std::byte* const at = core_->start() + position;
    auto there = detail::doc::element_quickly(at, index, found);
    if (there == detail::doc::quick_element::ask) [[unlikely]] {
      const auto other = detail::doc::slow_lookup::element(at, index);
      found = other.value;
      if (other.index != detail::doc::npos) there = detail::doc::quick_element::found;
    }
    if (there == detail::doc::quick_element::found) [[likely]]
      return Handle(*this, static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(index), found);
  }
  return Handle(core_, apart<&value::element_of>(index));
}

INGOT_INLINE value::found_location value::find_of(const value& in, std::string_view key) noexcept {
  location found{.position = detail::doc::npos};
  if (in.core_ != nullptr) found = detail::doc::find_member(in.core_->mem(), in.now(), document_key(key));
  if (found.none()) return not_found(in.path_below().with_member(key));
  return {found, in.core_->changes().now()};
}

}} // namespace ingot::INGOT_V1
