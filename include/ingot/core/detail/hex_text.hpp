// SPDX-License-Identifier: Apache-2.0
// Fingerprints in the form that error messages use: a name, hexadecimal digits and a suffix. For
// example, "layout_id 0x0123456789abcdef, the type's own".
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A name, 16 hexadecimal digits and a suffix. Text that does not fit is cut off.
class hex_text {
public:
  constexpr hex_text(std::string_view prefix, std::uint64_t number, std::string_view suffix = {}) noexcept {
    add(prefix);
    add(" 0x");
    for (int shift = 60; shift >= 0; shift -= 4)
      add(std::string_view("0123456789abcdef").substr((number >> shift) & 15, 1));
    add(suffix);
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }

private:
  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) {
      if (size_ < text_.size()) text_[size_++] = c;
    }
  }

  std::array<char, 80> text_{};
  std::size_t size_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
