// SPDX-License-Identifier: Apache-2.0
// The text of nearly all documents: on one line, members as they are stored, nothing that needs an option or is an error.
#pragma once

#include <ingot/document/value.hpp>
#include <ingot/json/options.hpp>

#include <cstdint>
#include <string>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Whether `write_plain` may be tried: not where what it refuses is expected, for all would be written twice.
[[nodiscard]] inline bool writes_plain(const write_options& options) noexcept {
  return options.indent == 0 && options.key_order == key_order::stored &&
         options.binary == binary_style::error && options.invalid_utf8 == invalid_utf8::error;
}

enum class plain_text : std::uint8_t {
  written,
  odd, ///< something in it needs another look: what is too deep, too long, no UTF-8 or, unless the options have a text for it, not finite; bytes
  cancelled, ///< by who waits
};

/// Appends the text of `root`, which lies in `in`. Unless it was written `out` is as it was; who writes what is odd again finds out what it is. O(n).
[[nodiscard]] plain_text write_plain(std::string& out, ingot::detail::doc::validated in,
                                     const ingot::detail::doc::item& root, const write_options& options);

}}} // namespace ingot::INGOT_V1::json::detail
