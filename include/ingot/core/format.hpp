// SPDX-License-Identifier: Apache-2.0
// std::format and std::print of errors: `std::format("{}", why)` is `why.message()`, and of a code it
// is `to_string(code)`. The width, the fill and the alignment are those of a text.
//
// It is a header of its own because <format> is heavy: error.hpp, which every other header includes,
// must not bring it. A standard library without <format> (libstdc++ before 13) gets nothing here.
#pragma once

#include <ingot/core/error.hpp>

#include <string_view>
#if defined(__cpp_lib_format)
#include <format>

/// Formats an error as its `message()`.
template <>
struct std::formatter<ingot::error, char> : std::formatter<std::string_view, char> {
  auto format(const ingot::error& err, auto& context) const {
    return std::formatter<std::string_view, char>::format(err.message(), context);
  }
};
/// Formats a code as `to_string` names it.
template <>
struct std::formatter<ingot::errc, char> : std::formatter<std::string_view, char> {
  auto format(ingot::errc code, auto& context) const {
    return std::formatter<std::string_view, char>::format(ingot::to_string(code), context);
  }
};
#endif
