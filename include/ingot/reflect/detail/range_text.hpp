// SPDX-License-Identifier: Apache-2.0
// The text of ranges in errors: of a member's range, "a value from 0 to 150", and of the numbers
// that a type holds, "an integer from 0 to 255".
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/error.hpp>
#include <ingot/reflect/annotations.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Text of a range, held by value. If a bound has more than 9 digits after the decimal point, or
/// more than 15 before it, the text has no numbers.
class range_text {
public:
  constexpr range_text(const bound& low, const bound& high) noexcept {
    add("a value from ");
    if (add(low) && (add(" to "), add(high))) return;
    size_ = 0;
    add("a value within the member's range");
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars_.data(), size_}; }

private:
  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) chars_[size_++] = c;
  }
  [[nodiscard]] constexpr bool add(const bound& end) noexcept {
    switch (end.which) {
    case bound::kind::negative: // the number is below 0
      add(decimal_text(std::uint64_t{0} - static_cast<std::uint64_t>(end.negative), true).view());
      return true;
    case bound::kind::natural: add(decimal_text(end.natural).view()); return true;
    default: return add(end.real);
    }
  }
  /// Adds the shortest decimal form that converts back to `number`. Returns false if this form has
  /// too many digits. Does not use std::to_chars, which is not constexpr for floating-point
  /// numbers.
  [[nodiscard]] constexpr bool add(double number) noexcept {
    if (!is_finite(number)) return false;
    const double magnitude = absolute(number);
    double scale = 1;
    for (std::size_t digits = 0; digits < 10; ++digits, scale *= 10) {
      const double product = rounded(magnitude * scale);
      if (product >= 1e15) return false;
      const auto whole = static_cast<std::uint64_t>(product);
      const std::uint64_t scaled = whole + (product - static_cast<double>(whole) >= 0.5 ? 1 : 0);
      if (compare_floats(static_cast<double>(scaled) / rounded(scale), magnitude) != 0) continue;
      const auto divisor = static_cast<std::uint64_t>(scale);
      add(decimal_text(scaled / divisor, number < 0).view());
      if (digits == 0) return true;
      const decimal_text fraction(scaled % divisor);
      add(".");
      for (std::size_t i = fraction.view().size(); i < digits; ++i) add("0");
      add(fraction.view());
      return true;
    }
    return false;
  }

  std::array<char, 80> chars_{}; ///< `error::expected()` has at most 80 bytes
  std::size_t size_ = 0;
};

/// Text of the numbers that an integer of `size` bytes holds, with `suffix` after them.
class integer_range_text {
public:
  constexpr integer_range_text(std::size_t size, bool is_signed, std::string_view suffix = {}) noexcept {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * size);
    add("an integer from ");
    add(is_signed ? decimal_text(all / 2 + 1, true).view() : "0");
    add(" to ");
    add(decimal_text(is_signed ? all / 2 : all).view());
    add(suffix);
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars_.data(), size_}; }

private:
  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) chars_[size_++] = c;
  }

  std::array<char, 80> chars_{};
  std::size_t size_ = 0;
};

/// The numbers that a float of 32 bits holds.
inline constexpr std::string_view float_range = "a number below 3.4028236e38 in size (32-bit floating point)";

}}} // namespace ingot::INGOT_V1::detail
