// SPDX-License-Identifier: Apache-2.0
// Formatters of errors for std::format and std::print: `std::format("{}", err)` is `err.message()`,
// and the text of a code is `to_string(code)`. Width, fill and alignment work as for a string.
//
// This header is separate, because <format> takes long to compile. Every header includes error.hpp,
// so error.hpp must not include <format>. With a standard library without <format> (libstdc++
// before 13), this header declares nothing.
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
/// Formats a code as its name, `to_string(code)`.
template <>
struct std::formatter<ingot::errc, char> : std::formatter<std::string_view, char> {
  /// Writes the name of `code`.
  auto format(ingot::errc code, auto& context) const {
    return std::formatter<std::string_view, char>::format(ingot::to_string(code), context);
  }
};
#endif
