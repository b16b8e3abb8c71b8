// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/meaning.hpp.
#pragma once

#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/detail/meaning.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Decimal digits of the absolute value of an integer of at most 128 bytes. For a longer integer,
/// `take` returns false.
class wide_digits {
public:
  [[nodiscard]] bool take(const wide_number& from) noexcept {
    const auto bytes = interchange::significant(from.bytes);
    if (bytes.size() > 128) return false;
    std::array<std::uint32_t, 36> parts{}; // nine digits in each, the lowest part first
    std::size_t used = 0;
    const auto add = [&](std::uint32_t factor, std::uint64_t carry) {
      for (std::size_t i = 0; i < used; ++i) {
        carry += std::uint64_t{parts[i]} * factor;
        parts[i] = static_cast<std::uint32_t>(carry % 1'000'000'000);
        carry /= 1'000'000'000;
      }
      if (carry != 0) parts[used++] = static_cast<std::uint32_t>(carry); // less than 2^9
    };
    for (const std::byte each : bytes) add(256, std::to_integer<std::uint64_t>(each));
    if (from.negative) add(1, 1);
    char* to = chars_;
    for (std::size_t i = used; i-- > 0;) {
      std::uint32_t part = parts[i];
      for (unsigned k = 9; k-- > 0; part /= 10) to[k] = static_cast<char>('0' + part % 10);
      to += 9;
    }
    text_ = {chars_, to};
    text_.remove_prefix(std::min(text_.find_first_not_of('0'), text_.size()));
    return true;
  }
  /// Returns the digits without leading zeros; empty for 0.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
  char chars_[36 * 9 + 32];
  std::string_view text_;
};

number_outcome decimal_number(const wide_number& mantissa, std::int64_t exponent, doc::item& to) noexcept {
  using enum number_outcome;
  wide_digits decimal;
  if (!decimal.take(mantissa)) return out_of_range;
  std::string_view digits = decimal.text();
  if (digits.empty()) return to = doc::item::of(std::int64_t{0}), exact;
  if (exponent < -20'000 || exponent > 20'000) return out_of_range;
  while (digits.back() == '0') {
    digits.remove_suffix(1);
    ++exponent;
  }
  if (exponent >= 0 && digits.size() + static_cast<std::size_t>(exponent) <= 20) {
    std::uint64_t whole = 0;
    bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), whole).ec == std::errc();
    for (std::int64_t i = 0; fits && i < exponent; ++i) fits = !__builtin_mul_overflow(whole, 10, &whole);
    if (fits && make_integer(whole, mantissa.negative, to)) return exact;
  }
  char chars[400];
  char* end = chars;
  for (const char each : digits) *end++ = each;
  *end++ = 'e';
  end = std::to_chars(end, chars + sizeof chars, exponent).ptr;
  double nearest_one = 0;
  if (std::from_chars(chars, end, nearest_one).ec != std::errc()) return out_of_range;
  to = doc::item::of(with_sign(nearest_one, mantissa.negative));
  return digits.size() <= 15 && !is_subnormal(nearest_one) && !is_zero(nearest_one) ? exact : nearest;
}
time_outcome decimal_time(const wide_number& mantissa, std::int64_t exponent, instant& to) noexcept {
  using enum time_outcome;
  wide_digits decimal;
  if (!decimal.take(mantissa) || exponent < -20'000 || exponent > 20'000) return out_of_range;
  std::string_view digits = decimal.text();
  if (digits.empty()) return to = {}, exact;
  while (digits.back() == '0') {
    digits.remove_suffix(1);
    ++exponent;
  }
  if (exponent < -9) return inexact;
  // Number of digits after the point.
  const auto decimals = static_cast<std::size_t>(exponent < 0 ? -exponent : 0);
  const std::size_t count = digits.size() > decimals ? digits.size() - decimals : 0;
  if (count + static_cast<std::size_t>(exponent < 0 ? 0 : exponent) > 19) return out_of_range;
  const auto number = [](std::string_view text) {
    std::uint64_t found = 0;
    for (const char each : text) found = found * 10 + static_cast<std::uint64_t>(each - '0');
    return found;
  };
  std::uint64_t seconds = number(digits.substr(0, count));
  for (std::int64_t i = 0; i < exponent; ++i) seconds *= 10;
  std::uint64_t nanoseconds = number(digits.substr(count));
  for (std::size_t i = decimals; i < 9; ++i) nanoseconds *= 10;
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  if (mantissa.negative && nanoseconds != 0) {
    ++seconds;
    nanoseconds = static_cast<std::uint64_t>(nanoseconds_in_second) - nanoseconds;
  }
  if (seconds > largest + (mantissa.negative ? 1 : 0)) return out_of_range;
  to = {static_cast<std::int64_t>(mantissa.negative ? 0 - seconds : seconds),
        static_cast<std::uint32_t>(nanoseconds)};
  return exact;
}
number_outcome binary_number(const wide_number& mantissa, std::int64_t exponent, doc::item& to) noexcept {
  using enum number_outcome;
  const auto bytes = interchange::significant(mantissa.bytes);
  std::uint64_t magnitude =
      bytes.size() <= 8 ? interchange::load_big(bytes.data(), static_cast<unsigned>(bytes.size())) : 0;
  const bool fits = bytes.size() <= 8 && (!mantissa.negative || ++magnitude != 0);
  if (fits && magnitude == 0) return to = doc::item::of(std::int64_t{0}), exact;
  if (exponent < -20'000 || exponent > 20'000) return out_of_range;
  auto power = static_cast<int>(exponent);
  if (!fits) {
    const double real = interchange::nearest_real(bytes, mantissa.negative, power);
    if (!is_finite(real) || is_zero(real)) return out_of_range;
    return to = doc::item::of(real), nearest;
  }
  const int low = std::countr_zero(magnitude);
  magnitude >>= low;
  power += low;
  const auto width = static_cast<int>(std::bit_width(magnitude));
  if (power >= 0 && width + power <= 64 && make_integer(magnitude << power, mantissa.negative, to))
    return exact;
  const double real = interchange::scaled(magnitude, power);
  if (!is_finite(real) || is_zero(real)) return out_of_range;
  to = doc::item::of(with_sign(real, mantissa.negative));
  return width <= 53 && width + power > -1022 ? exact : nearest;
}
number_outcome wide_integer(const wide_number& from, doc::item& to) noexcept {
  const auto bytes = interchange::significant(from.bytes);
  if (bytes.size() <= 8) {
    const std::uint64_t magnitude = interchange::load_big(bytes.data(), static_cast<unsigned>(bytes.size()));
    if (!from.negative) return to = doc::item::of(magnitude), number_outcome::exact;
    if (magnitude <= std::numeric_limits<std::int64_t>::max())
      return to = doc::item::of(-1 - static_cast<std::int64_t>(magnitude)), number_outcome::exact;
  }
  const double real = interchange::nearest_real(bytes, from.negative);
  if (!is_finite(real)) return number_outcome::out_of_range;
  to = doc::item::of(real);
  return number_outcome::nearest;
}

}}} // namespace ingot::INGOT_V1::detail
