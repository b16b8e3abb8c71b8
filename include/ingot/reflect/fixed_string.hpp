// SPDX-License-Identifier: Apache-2.0
// Text as a template argument: `v.get<"name">()`, `ingot::member<"age">(...)`.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// A string literal as a structural value. `N` counts the terminating zero.
template <std::size_t N>
struct fixed_string {
  char chars[N]{}; ///< with the terminating zero

  /// Copies a literal.
  consteval fixed_string(const char (&literal)[N]) noexcept { // implicit on purpose
    for (std::size_t i = 0; i < N; ++i) chars[i] = literal[i];
  }
  /// Copies a text of `N - 1` bytes.
  explicit consteval fixed_string(std::string_view text) noexcept {
    for (std::size_t i = 0; i < N - 1; ++i) chars[i] = text[i];
  }
  /// Returns the text, without the terminating zero.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, N - 1}; }
};

}} // namespace ingot::INGOT_V1
