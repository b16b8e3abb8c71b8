// SPDX-License-Identifier: Apache-2.0
// Writes the text of most documents: on one line, members in their stored order, without special
// options or errors.
#pragma once

#include <ingot/document/value.hpp>
#include <ingot/json/options.hpp>

#include <cstdint>
#include <string>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Returns true if `write_plain` should be tried. Returns false if `write_plain` is likely to fail,
/// because most of the text would then be written twice.
[[nodiscard]] inline bool writes_plain(const write_options& options) noexcept {
  return options.indent == 0 && options.key_order == key_order::stored &&
         options.binary == binary_style::error && options.invalid_utf8 == invalid_utf8::error;
}

enum class plain_text : std::uint8_t {
  written,
  /// The document needs the slow path, because a value is too deep, too long, not UTF-8, bytes, or
  /// a number that is not finite (unless the options have a text for such numbers).
  odd,
  cancelled, ///< the progress callback has cancelled
};

/// Appends the text of `root`, which is in `in`. For all results except `written`, `out` is
/// unchanged. After `odd`, the caller uses the slow path to find the reason. O(n).
[[nodiscard]] plain_text write_plain(std::string& out, ingot::detail::doc::validated in,
                                     const ingot::detail::doc::item& root, const write_options& options);

}}} // namespace ingot::INGOT_V1::json::detail
