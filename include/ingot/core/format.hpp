// SPDX-License-Identifier: Apache-2.0
// Formatters of errors for std::format and std::print: `std::format("{}", why)` is `why.message()`,
// and the text of a code is `to_string(code)`. Width, fill and alignment are those of a string.
//
// This is a separate header because <format> is heavy: every header includes error.hpp, which must
// not include it. A standard library without <format> (libstdc++ before 13) gets nothing here.
#pragma once

#include <ingot/core/error.hpp>

#include <string_view>
#if defined(__cpp_lib_format)
#include <format>

/// Formats an error as its `message()`.
template <>
struct std::formatter<ingot::error, char> : std::formatter<std::string_view, char> {
  /// Writes the message of `err`.
  auto format(const ingot::error& err, auto& context) const {
    return std::formatter<std::string_view, char>::format(err.message(), context);
  }
};
/// Formats a code as `to_string` names it.
template <>
struct std::formatter<ingot::errc, char> : std::formatter<std::string_view, char> {
  /// Writes the name of `code`.
  auto format(ingot::errc code, auto& context) const {
    return std::formatter<std::string_view, char>::format(ingot::to_string(code), context);
  }
};
#endif
