// SPDX-License-Identifier: Apache-2.0
// Defines three lookups of `value`: by text, by index, and by key if the fast path does not decide.
// value.hpp includes this header.
#pragma once

#include <ingot/document/value.hpp> // NOLINT(misc-header-include-cycle): it ends with this header

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

template <class Handle>
INGOT_INLINE Handle value::find_text_as(std::string_view text) const noexcept {
  if (detail::doc::is_known(text.size())) return find_as<Handle>(document_key(text));
  if (const std::size_t position = node_here(); position != 0) [[likely]] {
    const std::byte* const start = core_->start();
    const auto found =
        detail::doc::find_text<detail::doc::narrow_object>(start + position, text.size(), text.data(), start);
    if (found.index < detail::doc::in_cell) [[likely]] {
      if (found.value == nullptr) std::unreachable(); // so the caller needs no test for null
      return Handle(*this, static_cast<std::uint32_t>(position), found.index, found.value);
    }
    if (found.index == detail::doc::npos) return absent_here<Handle>(text);
    if (found.index != detail::doc::lookup_unresolved)
      return with_other<Handle>(
          {nullptr, static_cast<std::uint32_t>(position), found.index & ~detail::doc::in_cell});
    text = found.text();
    return with_other<Handle>(
        detail::doc::slow_lookup::by_text(core_->start(), at_.position, bytes_, text.size(), text.data()));
  }
  return Handle(core_, apart<&value::find_of>(text));
}

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
