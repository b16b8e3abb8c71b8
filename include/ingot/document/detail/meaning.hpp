// SPDX-License-Identifier: Apache-2.0
// Meaning of CBOR's tags for times, numbers and arrays of numbers. Readers of CBOR use this header,
// and so do readers of documents in which such values are wrapped: `{"$tag": 1, "$value":
// 1700000000}`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/format.hpp>

#include <cstddef>
#include <cstdint>

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
inline constexpr std::uint64_t map = 259; ///< JavaScript's Map, whose keys may be of any kind
inline constexpr std::uint64_t date_text = 1004;
} // namespace cbor_tag

/// Type of the elements of a typed array (RFC 8746).
struct typed_array {
  unsigned width = 0; ///< size of an element in bytes
  bool is_real = false;
  bool is_signed = false;
  bool is_little = false; ///< elements are little-endian

  [[nodiscard]] std::uint64_t load(const std::byte* from) const noexcept {
    if (!is_little) return interchange::load_big(from, width);
    std::uint64_t number = 0;
    for (unsigned i = width; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(from[i]);
    return number;
  }
  /// Converts the real at `from` to a double, and returns the bits of the double.
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
/// Sets `to` to the type that a tag means. Returns false if `tag` is not the tag of a typed array,
/// or if the elements are 128-bit floats.
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
  nearest, ///< the nearest double, which lacks some digits
  out_of_range,
};

/// A natural number, or -1 minus this number if `negative`. It is a big integer, or a part of a
/// decimal fraction or big float.
struct wide_number {
  bytes_view bytes; ///< the number, big-endian
  bool negative = false;
};

/// Creates an integer. Returns false if the integer doesn't fit in 64 bits.
[[nodiscard]] inline bool make_integer(std::uint64_t magnitude, bool negative, doc::item& to) noexcept {
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63;
  if (!negative) return to = doc::item::of(magnitude), true;
  if (magnitude > lowest) return false;
  to = doc::item::of(static_cast<std::int64_t>(0 - magnitude));
  return true;
}

/// Converts `mantissa` times ten to the power of `exponent` to an integer, or to the nearest
/// double. With up to 15 digits, the outcome is `exact`, because the double identifies the decimal
/// fraction among all fractions with so few digits.
[[nodiscard]] INGOT_COMPILED number_outcome decimal_number(const wide_number& mantissa, std::int64_t exponent,
                                                           doc::item& to) noexcept;

/// Converts `mantissa` times ten to the power of `exponent`, in seconds, to a time. Fails if a time
/// can't represent the result exactly.
[[nodiscard]] INGOT_COMPILED time_outcome decimal_time(const wide_number& mantissa, std::int64_t exponent,
                                                       instant& to) noexcept;

/// Converts `mantissa` times two to the power of `exponent` to an integer or to a double.
[[nodiscard]] INGOT_COMPILED number_outcome binary_number(const wide_number& mantissa, std::int64_t exponent,
                                                          doc::item& to) noexcept;

/// Converts a big integer (tags 2 and 3).
[[nodiscard]] INGOT_COMPILED number_outcome wide_integer(const wide_number& from, doc::item& to) noexcept;

}}} // namespace ingot::INGOT_V1::detail

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/meaning.hpp>
#endif
