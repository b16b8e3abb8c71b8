// SPDX-License-Identifier: Apache-2.0
// Converts text of wide characters to UTF-8 and back.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// Appends text as UTF-8. Returns false if the text is not Unicode, because it has unpaired
/// surrogates or numbers above U+10FFFF.
template <class Unit>
[[nodiscard]] bool append_utf8(std::basic_string_view<Unit> text, std::string& to) {
  const auto put = [&](std::uint32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto code = static_cast<std::uint32_t>(text[i]);
    if constexpr (sizeof(Unit) == 2) {
      if (code >= 0xD800 && code < 0xDC00 && i + 1 < text.size()) {
        const auto low = static_cast<std::uint32_t>(text[i + 1]);
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          ++i;
        }
      }
    }
    if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return false;
    if (code < 0x80) {
      put(code);
      continue;
    }
    if (code < 0x800) {
      put(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        put(0xE0 | code >> 12);
      } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
      }
      put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
  }
  return true;
}

/// Appends text as wide characters. Requires that the text is UTF-8.
template <class Unit>
void append_wide(std::string_view text, std::basic_string<Unit>& to) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&] { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i++])); };
    std::uint32_t code = byte();
    const unsigned more = code < 0xC0 ? 0 : code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3;
    if (more != 0) code &= 0x3FU >> more;
    for (unsigned k = 0; k < more; ++k) code = code << 6 | (byte() & 0x3F);
    if (sizeof(Unit) == 2 && code >= 0x10000) {
      to += static_cast<Unit>(0xD800 + ((code - 0x10000) >> 10));
      to += static_cast<Unit>(0xDC00 + ((code - 0x10000) & 0x3FF));
    } else {
      to += static_cast<Unit>(code);
    }
  }
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
