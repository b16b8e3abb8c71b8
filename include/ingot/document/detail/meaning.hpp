// SPDX-License-Identifier: Apache-2.0
// Meaning of CBOR's tags for times, numbers and arrays of numbers, for readers of bytes and for
// readers of documents that hold such values wrapped, `{"$tag": 1, "$value": 1700000000}`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/format.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace cbor_tag {
inline constexpr std::uint64_t time_text = 0;
inline constexpr std::uint64_t time_number = 1;
inline constexpr std::uint64_t bignum = 2;
inline constexpr std::uint64_t negative_bignum = 3;
inline constexpr std::uint64_t decimal = 4;
inline constexpr std::uint64_t bigfloat = 5;
inline constexpr std::uint64_t first_typed_array = 64;
inline constexpr std::uint64_t last_typed_array = 87;
inline constexpr std::uint64_t days = 100;
inline constexpr std::uint64_t set = 258;
inline constexpr std::uint64_t map = 259; ///< as in JavaScript: keys of any kind
inline constexpr std::uint64_t date_text = 1004;
} // namespace cbor_tag

/// Elements of a typed array, RFC 8746.
struct typed_array {
  unsigned width = 0; ///< bytes of an element
  bool is_real = false;
  bool is_signed = false;
  bool is_little = false; ///< the lowest byte first

  [[nodiscard]] std::uint64_t load(const std::byte* from) const noexcept {
    if (!is_little) return interchange::load_big(from, width);
    std::uint64_t number = 0;
    for (unsigned i = width; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(from[i]);
    return number;
  }
  /// Returns the bits of an element that is converted to a double.
  [[nodiscard]] std::uint64_t real_bits(const std::byte* from) const noexcept {
    const std::uint64_t bits = load(from);
    if (width == 2) return interchange::half_real::widen(bits);
    return width == 4 ? interchange::single_real::widen(bits) : bits;
  }
  [[nodiscard]] std::int64_t signed_integer(const std::byte* from) const noexcept {
    const unsigned unused = 64 - 8 * width;
    return static_cast<std::int64_t>(load(from) << unused) >> unused;
  }
  [[nodiscard]] doc::item element(const std::byte* from) const noexcept {
    if (is_real) return doc::item::of(value_kind::number, real_bits(from));
    return is_signed ? doc::item::of(signed_integer(from)) : doc::item::of(load(from));
  }
};
/// Returns false if `tag` is not the tag of a typed array, or is that of an array of 128-bit
/// floats.
[[nodiscard]] constexpr bool find_typed_array(std::uint64_t tag, typed_array& to) noexcept {
  if (tag < cbor_tag::first_typed_array || tag > cbor_tag::last_typed_array || tag == 76) return false;
  to.is_real = (tag & 16) != 0;
  to.is_signed = (tag & 8) != 0;
  to.is_little = (tag & 4) != 0;
  to.width = (to.is_real ? 2U : 1U) << (tag & 3);
  return to.width <= 8;
}

/// Result of a conversion of a number.
enum class number_outcome : std::uint8_t {
  exact,
  nearest, ///< a double that does not have all digits
  out_of_range,
};

/// A natural number, or -1 minus it if `negative`: a part of a decimal fraction or of a big
/// integer.
struct wide_number {
  bytes_view bytes; ///< the highest first
  bool negative = false;
};
/// Decimal digits of the absolute value of an integer of at most 128 bytes; `take` returns false
/// for longer ones.
class wide_digits {
public:
  [[nodiscard]] bool take(const wide_number& from) noexcept {
    const auto bytes = interchange::significant(from.bytes);
    if (bytes.size() > 128) return false;
    std::array<std::uint32_t, 36> parts{}; // nine digits each, the lowest first
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
  /// Returns the digits without zeros in front; empty for 0.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
  char chars_[36 * 9 + 32];
  std::string_view text_;
};

/// Makes an integer. Returns false if 64 bits can't hold it.
[[nodiscard]] inline bool make_integer(std::uint64_t magnitude, bool negative, doc::item& to) noexcept {
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63;
  if (!negative) return to = doc::item::of(magnitude), true;
  if (magnitude > lowest) return false;
  to = doc::item::of(static_cast<std::int64_t>(0 - magnitude));
  return true;
}

/// Converts `mantissa` times ten to the `exponent`: to an integer, or to the nearest double. The
/// double is exact for up to 15 digits: no other decimal fraction with so many digits has the same
/// double.
[[nodiscard]] inline number_outcome decimal_number(const wide_number& mantissa, std::int64_t exponent,
                                                   doc::item& to) noexcept {
  using enum number_outcome;
  wide_digits made;
  if (!made.take(mantissa)) return out_of_range;
  std::string_view digits = made.text();
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
  to = doc::item::of(mantissa.negative ? -nearest_one : nearest_one);
  return digits.size() <= 15 && nearest_one >= std::numeric_limits<double>::min() ? exact : nearest;
}

/// Converts `mantissa` times ten to the `exponent`, in seconds, exactly.
[[nodiscard]] inline time_outcome decimal_time(const wide_number& mantissa, std::int64_t exponent,
                                               instant& to) noexcept {
  using enum time_outcome;
  wide_digits made;
  if (!made.take(mantissa) || exponent < -20'000 || exponent > 20'000) return out_of_range;
  std::string_view digits = made.text();
  if (digits.empty()) return to = {}, exact;
  while (digits.back() == '0') {
    digits.remove_suffix(1);
    ++exponent;
  }
  if (exponent < -9) return inexact;
  // Digits of the fraction.
  const auto places = static_cast<std::size_t>(exponent < 0 ? -exponent : 0);
  const std::size_t count = digits.size() > places ? digits.size() - places : 0;
  if (count + static_cast<std::size_t>(exponent < 0 ? 0 : exponent) > 19) return out_of_range;
  const auto number = [](std::string_view text) {
    std::uint64_t found = 0;
    for (const char each : text) found = found * 10 + static_cast<std::uint64_t>(each - '0');
    return found;
  };
  std::uint64_t seconds = number(digits.substr(0, count));
  for (std::int64_t i = 0; i < exponent; ++i) seconds *= 10;
  std::uint64_t nanoseconds = number(digits.substr(count));
  for (std::size_t i = places; i < 9; ++i) nanoseconds *= 10;
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (mantissa.negative && nanoseconds != 0) {
    ++seconds;
    nanoseconds = static_cast<std::uint64_t>(nanoseconds_in_second) - nanoseconds;
  }
  if (seconds > most + (mantissa.negative ? 1 : 0)) return out_of_range;
  to = {static_cast<std::int64_t>(mantissa.negative ? 0 - seconds : seconds),
        static_cast<std::uint32_t>(nanoseconds)};
  return exact;
}

/// Converts `mantissa` times two to the `exponent`: to an integer, or to a double.
[[nodiscard]] inline number_outcome binary_number(const wide_number& mantissa, std::int64_t exponent,
                                                  doc::item& to) noexcept {
  using enum number_outcome;
  const auto bytes = interchange::significant(mantissa.bytes);
  std::uint64_t magnitude =
      bytes.size() <= 8 ? interchange::load_big(bytes.data(), static_cast<unsigned>(bytes.size())) : 0;
  const bool fits = bytes.size() <= 8 && (!mantissa.negative || ++magnitude != 0);
  if (fits && magnitude == 0) return to = doc::item::of(std::int64_t{0}), exact;
  if (exponent < -20'000 || exponent > 20'000) return out_of_range;
  auto power = static_cast<int>(exponent);
  if (!fits) {
    const double made = std::ldexp(interchange::nearest_real(bytes, mantissa.negative), power);
    if (made - made != 0 || made == 0) return out_of_range;
    return to = doc::item::of(made), nearest;
  }
  const int low = std::countr_zero(magnitude);
  magnitude >>= low;
  power += low;
  const auto width = static_cast<int>(std::bit_width(magnitude));
  if (power >= 0 && width + power <= 64 && make_integer(magnitude << power, mantissa.negative, to))
    return exact;
  const double made = std::ldexp(static_cast<double>(magnitude), power);
  if (made - made != 0 || made == 0) return out_of_range;
  to = doc::item::of(mantissa.negative ? -made : made);
  return width <= 53 && width + power > -1022 ? exact : nearest;
}

/// Converts a big integer, tags 2 and 3.
[[nodiscard]] inline number_outcome wide_integer(const wide_number& from, doc::item& to) noexcept {
  const auto bytes = interchange::significant(from.bytes);
  if (bytes.size() <= 8) {
    const std::uint64_t small = interchange::load_big(bytes.data(), static_cast<unsigned>(bytes.size()));
    if (!from.negative) return to = doc::item::of(small), number_outcome::exact;
    if (small <= std::numeric_limits<std::int64_t>::max())
      return to = doc::item::of(-1 - static_cast<std::int64_t>(small)), number_outcome::exact;
  }
  const double made = interchange::nearest_real(bytes, from.negative);
  if (made - made != 0) return number_outcome::out_of_range;
  to = doc::item::of(made);
  return number_outcome::nearest;
}

}}} // namespace ingot::INGOT_V1::detail
