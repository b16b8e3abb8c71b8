// SPDX-License-Identifier: Apache-2.0
// Reads the small parts of the compact profile from untrusted bytes: variable-length integers,
// counts, annotated floats.
#pragma once

#include <ingot/core/detail/widen_float.hpp>
#include <ingot/pack/detail/compact_float.hpp>
#include <ingot/pack/detail/compact_layout.hpp>
#include <ingot/pack/detail/level.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A position in compact bytes, and the end of the bytes that may be read: the end of the message,
/// or of an evolvable record in the message.
struct stream {
  const std::byte* at;
  const std::byte* end;
  [[nodiscard]] INGOT_INLINE constexpr std::size_t left() const noexcept {
    return static_cast<std::size_t>(end - at);
  }
};

template <encoding S, class T, class Out>
constexpr bool compact_read(reader& r, stream& in, Out& out, unsigned depth);
template <encoding S, class T, class Out>
INGOT_INLINE constexpr bool compact_read_inline(reader& r, stream& in, Out& out, unsigned depth);

INGOT_COLD constexpr bool fail_truncated_at(reader& r, const std::byte* at, std::size_t left) noexcept {
  return r.fail(errc::truncated, at, "more bytes", left);
}
/// Sets the error of bytes that end too early. This inlined function passes the pointers of the
/// stream by value to the function that creates the error. With the stream's address as the
/// argument, the pointers could not stay in registers.
INGOT_INLINE constexpr bool fail_truncated(reader& r, const stream& in) noexcept {
  return fail_truncated_at(r, in.at, in.left());
}

/// An integer of several bytes, and the position after it. `at` is null after a failure.
struct long_varint {
  const std::byte* at;
  std::uint64_t value;
};
INGOT_NOINLINE constexpr long_varint read_long_varint(reader& r, const std::byte* from,
                                                      const std::byte* end) noexcept {
  const std::byte* at = from;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < varint_limit; ++i) {
    if (at == end) {
      r.fail(errc::truncated, from, "the last byte of a variable-length integer");
      return {nullptr, 0};
    }
    const auto byte = std::to_integer<std::uint64_t>(*at++);
    if (i == varint_limit - 1 && byte > 1) break; // the 10th byte has only the 64th bit
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      if (byte != 0 || i == 0) return {at, value};
      r.fail(errc::not_canonical, from, "an integer in as few bytes as it needs");
      return {nullptr, 0};
    }
  }
  r.fail(errc::out_of_range, from, "a variable-length integer of at most 64 bits");
  return {nullptr, 0};
}
INGOT_INLINE constexpr bool read_varint(reader& r, stream& in, std::uint64_t& value) noexcept {
  if (in.at != in.end && *in.at < std::byte{0x80}) [[likely]] {
    value = std::to_integer<std::uint64_t>(*in.at++);
    return true;
  }
  const long_varint found = read_long_varint(r, in.at, in.end);
  if (found.at == nullptr) [[unlikely]]
    return false;
  in.at = found.at;
  value = found.value;
  return true;
}

/// Reads a count of elements of at least `MinSize` bytes each. Checks that the bytes left can hold
/// this number of elements.
template <std::size_t MinSize>
INGOT_INLINE constexpr bool read_count(reader& r, stream& in, std::size_t& count) noexcept {
  const std::byte* const from = in.at;
  std::uint64_t value = 0;
  if (!read_varint(r, in, value)) [[unlikely]]
    return false;
  if constexpr (MinSize == 0) {
    if (value > max_empty_elements - r.empty_elements) [[unlikely]] {
      return r.fail(errc::too_large, from, "at most 65536 elements of size zero in a message", value);
    }
    r.empty_elements += static_cast<std::uint32_t>(value);
  } else if (value > in.left() / MinSize) [[unlikely]] {
    return r.fail(errc::bad_length, from, "a length within the bytes that are left", value);
  }
  count = static_cast<std::size_t>(value);
  return true;
}

template <class T, class Raw>
INGOT_INLINE constexpr bool accept_varint(reader& r, const std::byte* from, Raw raw, T& out) {
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (!accept_varint(r, from, raw, number)) return false;
    out = static_cast<T>(number);
    if (!enum_valid(out))
      return r.fail_enumerator(from, enumerator_bits(out), std::is_signed_v<std::underlying_type_t<T>>,
                               enum_is_flags<T>);
    return true;
  } else if constexpr (std::is_signed_v<T>) {
    const std::int64_t value = unzigzag(raw);
    if (!std::in_range<T>(value))
      return r.fail_integer(from, static_cast<std::uint64_t>(value), sizeof(T), true);
    out = static_cast<T>(value);
    return true;
  } else {
    if (raw > std::numeric_limits<T>::max()) return r.fail_integer(from, raw, sizeof(T), false);
    out = static_cast<T>(raw);
    return true;
  }
}

/// Reads the bits of an annotated float of `Width` bytes. Each value has one encoding; other
/// encodings are rejected.
template <unsigned Width>
constexpr bool read_float_bits(reader& r, stream& in, encoding how, std::uint64_t& bits) {
  const std::byte* const from = in.at;
  if (spells(how, encoding::quantized)) {
    std::uint64_t raw = 0;
    if (!read_varint(r, in, raw)) return false;
    const quantum step = quantum_in(std::to_underlying(how));
    const std::int64_t steps = unzigzag(raw);
    const std::uint64_t count =
        steps < 0 ? ~static_cast<std::uint64_t>(steps) + 1 : static_cast<std::uint64_t>(steps);
    if (count > (quantum_end - 1) / step.units)
      return r.fail(errc::out_of_range, from, "a number of steps below 2^53");
    bits = quantised_bits<Width>(steps, step);
    std::int64_t again = 0;
    if (!quantise(Width == 4 ? widen_float(bits) : bits, step, again) || again != steps)
      return r.fail(errc::not_canonical, from, "the number of steps that the float has");
    return true;
  }
  if (in.left() < 1) return fail_truncated(r, in);
  const auto lead = std::to_integer<std::uint8_t>(*from);
  const std::size_t length = float_length(from, how, Width);
  if (in.left() < length) return fail_truncated(r, in);
  bits = float_at<Width>(from, how);
  if (spells(how, encoding::tight_float)) {
    const tight_form form = tighten<Width>(bits);
    if (form.lead != lead || (length > 1 && form.payload != load_few(from + 1, form.size)))
      return r.fail(errc::not_canonical, from, "the shortest form of the float");
  } else if (lead == short_float_escape &&
             shorten_float(Width == 4 ? widen_float(bits) : bits) != short_float_escape) {
    return r.fail(errc::not_canonical, from, "the short form of a float that has one");
  }
  in.at += length;
  return true;
}
/// Reads the code of a unit vector of `count` numbers. Each vector has one code; other codes are
/// rejected.
constexpr bool read_unit_code(reader& r, stream& in, std::size_t count, std::size_t size,
                              std::uint64_t& code) noexcept {
  if (in.left() < size) return fail_truncated(r, in);
  code = unit_code_at(in.at, size);
  if (!is_unit_code(code, static_cast<unsigned>(count), static_cast<unsigned>(size)))
    return r.fail(errc::not_canonical, in.at, "the code of a unit vector as it is written");
  in.at += size;
  return true;
}
template <class T>
constexpr bool read_spelled_float(reader& r, stream& in, encoding how, T& out) {
  std::uint64_t bits = 0;
  if (!read_float_bits<sizeof(T)>(r, in, how, bits)) [[unlikely]]
    return false;
  out = std::bit_cast<T>(static_cast<float_bits<T>>(bits));
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
