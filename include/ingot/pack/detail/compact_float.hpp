// SPDX-License-Identifier: Apache-2.0
// The compact encodings of annotated floats: short, tight or quantised. Shared by the writer, the
// views and the readers that have only a schema. compact_stream.hpp reads untrusted bytes.
#pragma once

#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/compact_layout.hpp>
#include <ingot/pack/detail/compact_quantum.hpp>
#include <ingot/pack/detail/compact_tight.hpp>
#include <ingot/pack/detail/compact_unit.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The escape: this byte means that one byte can't hold the float, and that the full float follows.
/// A short float is one byte s eeee mmm. Its value is (-1)^s * 2^(e - 7) * (1 + m/8), and for e = 0
/// (-1)^s * 2^-6 * m/8. By this formula the escape would be -0.
inline constexpr std::uint8_t short_float_escape = 0x80;

constexpr double expand_short_float(std::uint8_t byte) noexcept {
  const int exponent = byte >> 3 & 0xF;
  const double fraction = static_cast<double>(byte & 7) / 8;
  double magnitude = exponent == 0 ? fraction : 1 + fraction;
  for (int i = exponent == 0 ? 1 : exponent; i < 7; ++i) magnitude /= 2;
  for (int i = 7; i < exponent; ++i) magnitude *= 2;
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}
inline constexpr auto short_float_values = [] {
  std::array<float, 256> values{};
  for (unsigned i = 0; i < 256; ++i)
    values[i] = static_cast<float>(expand_short_float(static_cast<std::uint8_t>(i)));
  return values;
}();

/// Returns the byte of a float that one byte can hold exactly, otherwise the escape. Computes with
/// the bits of a double: only the top 3 bits of the fraction may be set.
constexpr std::uint8_t shorten_float(std::uint64_t bits) noexcept {
  const auto sign = static_cast<std::uint8_t>(bits >> 63 << 7);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
  if (bits == 0) return 0;
  if ((fraction & 0x1FFFFFFFFFFFF) == 0 && exponent >= -6 && exponent <= 8) {
    return static_cast<std::uint8_t>(sign | (exponent + 7) << 3 | static_cast<int>(fraction >> 49));
  }
  if (exponent >= -9 && exponent < -6) { // 2^-9 .. 7 * 2^-9
    const auto drop = static_cast<unsigned>(52 - 9 - exponent);
    const std::uint64_t mantissa = fraction | std::uint64_t{1} << 52;
    if ((mantissa & ((std::uint64_t{1} << drop) - 1)) == 0)
      return static_cast<std::uint8_t>(sign | static_cast<std::uint8_t>(mantissa >> drop));
  }
  return short_float_escape;
}

// --- all encodings -------------------------------------------------------------------------------

/// Returns the maximum size in bytes of an encoded float of `width` bytes.
constexpr std::size_t max_float_size(encoding how, std::size_t width) noexcept {
  return spells(how, encoding::quantized) ? varint_limit : 1 + width;
}

/// Writes the float or double with these bits. If the encoding is `quantized`, requires that
/// `quantise` accepts the value.
template <unsigned Width>
constexpr std::byte* put_float_bits(std::byte* to, encoding how, std::uint64_t bits) noexcept {
  if (spells(how, encoding::quantized)) {
    std::int64_t steps = 0;
    static_cast<void>(
        quantise(Width == 4 ? widen_float(bits) : bits, quantum_in(std::to_underlying(how)), steps));
    return put_varint(to, zigzag(steps));
  }
  if (spells(how, encoding::tight_float)) {
    const tight_form form = tighten<Width>(bits);
    *to++ = static_cast<std::byte>(form.lead);
    for (unsigned i = 0; i < form.size; ++i) *to++ = static_cast<std::byte>(form.payload >> (8 * i));
    return to;
  }
  const std::uint8_t byte = shorten_float(Width == 4 ? widen_float(bits) : bits);
  *to++ = static_cast<std::byte>(byte);
  if (byte == short_float_escape) {
    for (unsigned i = 0; i < Width; ++i) *to++ = static_cast<std::byte>(bits >> (8 * i));
  }
  return to;
}
template <unsigned Width>
constexpr std::size_t float_size_of_bits(encoding how, std::uint64_t bits) noexcept {
  if (spells(how, encoding::quantized)) {
    std::int64_t steps = 0;
    static_cast<void>(
        quantise(Width == 4 ? widen_float(bits) : bits, quantum_in(std::to_underlying(how)), steps));
    return varint_size(zigzag(steps));
  }
  if (spells(how, encoding::tight_float)) return std::size_t{1} + tighten<Width>(bits).size;
  return shorten_float(Width == 4 ? widen_float(bits) : bits) == short_float_escape ? 1 + Width : 1;
}

template <class T>
constexpr std::uint64_t widened_bits(T value) noexcept {
  const std::uint64_t bits = std::bit_cast<float_bits<T>>(value);
  return sizeof(T) == 4 ? widen_float(bits) : bits;
}
template <class T>
constexpr std::byte* put_float(std::byte* to, encoding how, T value) noexcept {
  return put_float_bits<sizeof(T)>(to, how, std::bit_cast<float_bits<T>>(value));
}
template <class T>
constexpr std::size_t float_size(encoding how, T value) noexcept {
  return float_size_of_bits<sizeof(T)>(how, std::bit_cast<float_bits<T>>(value));
}

/// Returns the size in bytes of the float at `at`. Requires that the float is validated.
INGOT_INLINE constexpr std::size_t float_length(const std::byte* at, encoding how, unsigned width) noexcept {
  if (spells(how, encoding::quantized)) {
    std::size_t length = 1;
    while (*at++ >= std::byte{0x80}) ++length;
    return length;
  }
  const auto lead = std::to_integer<std::uint8_t>(*at);
  if (spells(how, encoding::tight_float)) return std::size_t{1} + tight_payload(lead, width);
  return lead == short_float_escape ? std::size_t{1} + width : 1;
}

constexpr std::uint64_t load_few(const std::byte* at, unsigned count) noexcept {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  return value;
}
/// Returns the bits of the float at `at`. Requires that the float is validated.
template <unsigned Width>
constexpr std::uint64_t float_at(const std::byte* at, encoding how) noexcept {
  if (spells(how, encoding::unit_part)) return unit_part_at<Width>(at, how);
  if (spells(how, encoding::quantized)) {
    std::uint64_t raw = 0;
    for (unsigned shift = 0;; shift += 7) {
      raw |= (std::to_integer<std::uint64_t>(*at) & 0x7F) << shift;
      if (*at++ < std::byte{0x80}) break;
    }
    return quantised_bits<Width>(unzigzag(raw), quantum_in(std::to_underlying(how)));
  }
  const auto lead = std::to_integer<std::uint8_t>(*at);
  if (spells(how, encoding::tight_float))
    return expand_tight<Width>(lead, load_few(at + 1, tight_payload(lead, Width)));
  if (lead == short_float_escape) return load_few(at + 1, Width);
  const float value = short_float_values[lead];
  if constexpr (Width == 4) return std::bit_cast<std::uint32_t>(value);
  else return std::bit_cast<std::uint64_t>(static_cast<double>(value));
}
constexpr std::uint64_t float_at(const std::byte* at, encoding how, unsigned width) noexcept {
  return width == 4 ? float_at<4>(at, how) : float_at<8>(at, how);
}

}}} // namespace ingot::INGOT_V1::detail
