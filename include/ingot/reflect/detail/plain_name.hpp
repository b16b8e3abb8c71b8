// SPDX-License-Identifier: Apache-2.0
// Names that descriptions and layouts can have.
#pragma once

#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if a description accepts the name. A name must be UTF-8 without control characters,
/// so that it can be shown and compared.
constexpr bool is_plain_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte < 0x20 || byte == 0x7F) return false;
    // U+0080 to U+009F are control characters, too
    if (byte == 0xC2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xA0) return false;
  }
  return !name.empty() && is_utf8(name);
}

}}} // namespace ingot::INGOT_V1::detail
