// SPDX-License-Identifier: Apache-2.0
// Directions and rotations as whole numbers. All computations use integers only, so that every
// machine writes and reads the same values with any rounding mode.
//
// A direction (x, y, z) is scaled so that |x| + |y| + |z| = n. It is then a point of an octahedron.
// The three numbers are rounded to whole numbers. The octahedron is unfolded to a square, so two
// numbers are stored, and readers compute the third number. A rotation is a quaternion. Its numbers
// are divided by the number with the largest magnitude, which becomes 1 and is not stored. So q and
// -q, which are the same rotation, have the same bytes.
#pragma once

#include <ingot/core/detail/widen_float.hpp>
#include <ingot/pack/detail/compact_layout.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// GCC and clang have a builtin square root, so <cmath> is not included for them. Compiling it takes
// a third of the time that <map>, <string> and <vector> take together.
#if !defined(__GNUC__) && !defined(__clang__)
#include <cmath>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The numbers of a vector as multiples of 2^-30, with separate signs. Writers encode this form,
/// and readers decode to this form.
struct unit_parts {
  std::uint64_t magnitude[4]{};
  bool is_negative[4]{};
};

/// Returns the number of bits of each stored number in a unit vector of `size` bytes. Two numbers
/// of a direction are stored, and three numbers of a rotation.
constexpr unsigned unit_bits(unsigned count, unsigned size) noexcept {
  return count == 3 ? size * 4 : (size * 8 - 2) / 3;
}
/// Returns n, the maximum of the stored numbers: they are from -n to n.
constexpr std::int64_t unit_steps(unsigned count, unsigned size) noexcept {
  return (std::int64_t{1} << (unit_bits(count, size) - 1)) - 1;
}
/// Returns the code of a vector of zeros, which has no direction: all bits are set. No other vector
/// has this code.
constexpr std::uint64_t unit_zero(unsigned size) noexcept { return ~std::uint64_t{0} >> (64 - 8 * size); }

/// Sets `magnitude` to the magnitude of the double with these bits, in multiples of 2^-30, rounded
/// to the nearest. Returns false for NaN and magnitudes of 2 and more.
constexpr bool unit_part(std::uint64_t bits, std::uint64_t& magnitude) noexcept {
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  magnitude = 0;
  if (exponent > 0) return false;
  if (exponent < -31) return true;
  const auto drop = static_cast<unsigned>(22 - exponent);
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | std::uint64_t{1} << 52;
  magnitude = (mantissa + (std::uint64_t{1} << (drop - 1))) >> drop;
  return true;
}

constexpr std::uint64_t direction_code(const unit_parts& from, unsigned size) noexcept {
  const std::int64_t n = unit_steps(3, size);
  const auto sum =
      // below 2^31
      static_cast<std::int64_t>(from.magnitude[0] + from.magnitude[1] + from.magnitude[2]);
  std::int64_t at[3]{};
  std::int64_t over[3]{}; // rounding errors, in units of 1 / `sum`
  std::int64_t left = n;
  for (unsigned i = 0; i < 3; ++i) {
    const std::int64_t exact = static_cast<std::int64_t>(from.magnitude[i]) * n;
    at[i] = (2 * exact + sum) / (2 * sum);
    over[i] = exact - at[i] * sum;
    left -= at[i];
  }
  // If the rounded numbers no longer add up to n, corrects the number with the largest rounding
  // error. The result is the nearest point with the sum n.
  if (left != 0) {
    unsigned farthest = 0;
    for (unsigned i = 1; i < 3; ++i) {
      if (left > 0 ? over[i] > over[farthest] : over[i] < over[farthest]) farthest = i;
    }
    at[farthest] += left;
  }
  std::int64_t u = at[0];
  std::int64_t v = at[1];
  if (from.is_negative[2] && at[2] != 0) {
    u = n - at[1];
    v = n - at[0];
  }
  if (from.is_negative[0] && at[0] != 0) u = -u;
  if (from.is_negative[1] && at[1] != 0) v = -v;
  return static_cast<std::uint64_t>(u + n) | static_cast<std::uint64_t>(v + n) << unit_bits(3, size);
}

constexpr std::uint64_t rotation_code(const unit_parts& from, unsigned size) noexcept {
  const auto n = static_cast<std::uint64_t>(unit_steps(4, size));
  const unsigned bits = unit_bits(4, size);
  unsigned largest = 0;
  for (unsigned i = 1; i < 4; ++i) {
    if (from.magnitude[i] > from.magnitude[largest]) largest = i;
  }
  const std::uint64_t whole = from.magnitude[largest];
  std::uint64_t at[4]{};
  // index of the omitted number: the first number that equals the largest number after rounding
  unsigned first = 4;
  for (unsigned i = 0; i < 4; ++i) {
    at[i] = (2 * from.magnitude[i] * n + whole) / (2 * whole);
    if (first == 4 && at[i] == n) first = i;
  }
  std::uint64_t code = first;
  unsigned shift = 2;
  for (unsigned i = 0; i < 4; ++i) {
    if (i == first) continue;
    const bool is_negative = at[i] != 0 && from.is_negative[i] != from.is_negative[first];
    code |= (is_negative ? n - at[i] : n + at[i]) << shift;
    shift += bits;
  }
  return code;
}

/// Converts three or four doubles, given as bits, to `parts`. Returns false unless the length of
/// the vector is 1 within 1/128, or all numbers are zero.
constexpr bool unit_from(const std::uint64_t* numbers, unsigned count, unit_parts& parts,
                         bool& is_zero) noexcept {
  std::uint64_t square = 0; // sum of four squares below 2^62
  is_zero = true;
  for (unsigned i = 0; i < count; ++i) {
    if (!unit_part(numbers[i], parts.magnitude[i])) return false;
    square += parts.magnitude[i] * parts.magnitude[i];
    parts.is_negative[i] = numbers[i] >> 63 != 0;
    is_zero = is_zero && (numbers[i] << 1) == 0;
  }
  constexpr std::uint64_t lowest = std::uint64_t{127} << 23;
  constexpr std::uint64_t highest = std::uint64_t{129} << 23;
  return is_zero || (square >= lowest * lowest && square <= highest * highest);
}
/// Computes the code of a vector. Returns false if the vector has no code.
constexpr bool unit_code(const std::uint64_t* numbers, unsigned count, unsigned size,
                         std::uint64_t& code) noexcept {
  unit_parts parts;
  bool is_zero = false;
  if (!unit_from(numbers, count, parts, is_zero)) return false;
  code = is_zero ? unit_zero(size) : count == 3 ? direction_code(parts, size) : rotation_code(parts, size);
  return true;
}

/// Returns true if `unit_code` can return the code.
constexpr bool is_unit_code(std::uint64_t code, unsigned count, unsigned size) noexcept {
  if (code == unit_zero(size)) return true;
  const std::int64_t n = unit_steps(count, size);
  const unsigned bits = unit_bits(count, size);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t rest = count == 3 ? code : code >> 2;
  std::int64_t at[3]{};
  for (unsigned i = 0; i + 1 < count; ++i, rest >>= bits) {
    at[i] = static_cast<std::int64_t>(rest & mask) - n;
    if (at[i] > n) return false;
  }
  if (rest != 0) return false;
  // A direction on the edge of the square has several codes. Only one of them is valid.
  if (count == 3) {
    if (at[0] == n || at[0] == -n) return at[1] >= 0 && (at[1] != n || at[0] > 0);
    return (at[1] != n && at[1] != -n) || at[0] >= 0;
  }
  for (unsigned i = 0; i < (code & 3); ++i) { // numbers before the omitted number are smaller
    if (at[i] == n || at[i] == -n) return false;
  }
  return true;
}

/// Returns the square root of a number below 2^62, rounded down.
constexpr std::uint64_t whole_root(std::uint64_t square) noexcept {
  if consteval {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 30; bit != 0; bit >>= 1) {
      if ((root | bit) * (root | bit) <= square) root |= bit;
    }
    return root;
  } else { // corrects the root: its rounding depends on the rounding mode
#if defined(__GNUC__) || defined(__clang__)
    auto root = static_cast<std::uint64_t>(__builtin_sqrt(static_cast<double>(square)));
#else
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
#endif
    while (root * root > square) --root;
    while ((root + 1) * (root + 1) <= square) ++root;
    return root;
  }
}

/// Decodes a code. Requires that `is_unit_code` is true for the code.
constexpr unit_parts unit_of(std::uint64_t code, unsigned count, unsigned size) noexcept {
  unit_parts parts;
  if (code == unit_zero(size)) return parts;
  const std::int64_t n = unit_steps(count, size);
  const unsigned bits = unit_bits(count, size);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::int64_t at[4]{};
  if (count == 3) {
    const std::int64_t u = static_cast<std::int64_t>(code & mask) - n;
    const std::int64_t v = static_cast<std::int64_t>(code >> bits & mask) - n;
    const std::int64_t far_u = u < 0 ? -u : u;
    const std::int64_t far_v = v < 0 ? -v : v;
    const std::int64_t z = n - far_u - far_v;
    const std::int64_t x = z < 0 ? n - far_v : far_u;
    const std::int64_t y = z < 0 ? n - far_u : far_v;
    at[0] = u < 0 ? -x : x;
    at[1] = v < 0 ? -y : y;
    at[2] = z;
  } else {
    std::uint64_t rest = code >> 2;
    for (unsigned i = 0; i < 4; ++i) {
      at[i] = n;
      if (i == (code & 3)) continue;
      at[i] = static_cast<std::int64_t>(rest & mask) - n;
      rest >>= bits;
    }
  }
  std::uint64_t square = 0; // sum of squares of numbers below 2^20
  for (unsigned i = 0; i < count; ++i) {
    parts.is_negative[i] = at[i] < 0;
    parts.magnitude[i] = static_cast<std::uint64_t>(at[i] < 0 ? -at[i] : at[i]) << (20 - bits);
    square += parts.magnitude[i] * parts.magnitude[i];
  }
  const std::uint64_t length = whole_root(square << 22);
  for (unsigned i = 0; i < count; ++i)
    parts.magnitude[i] = ((parts.magnitude[i] << 41) + length / 2) / length;
  return parts;
}

/// Returns one number of a vector as the bits of a float or double. For a float, rounds to the
/// nearest, ties to even.
template <unsigned Width>
constexpr std::uint64_t unit_part_bits(const unit_parts& parts, unsigned i) noexcept {
  std::uint64_t magnitude = parts.magnitude[i];
  const std::uint64_t sign = static_cast<std::uint64_t>(parts.is_negative[i] ? 1 : 0) << (Width * 8 - 1);
  if constexpr (Width == 8) {
    return sign | std::bit_cast<std::uint64_t>(static_cast<double>(magnitude) * 0x1p-30);
  } else {
    if (const auto width = static_cast<unsigned>(std::bit_width(magnitude)); width > 24) {
      const unsigned drop = width - 24;
      const std::uint64_t half = std::uint64_t{1} << (drop - 1);
      magnitude += half - 1 + (magnitude >> drop & 1);
      magnitude = magnitude >> drop << drop;
    }
    return sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-30F);
  }
}

// --- arrays of floats in memory -----------------------------------------------------------------

template <class T>
using float_bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Returns the elements of an array of floats or doubles as the bits of doubles.
template <class T, class V>
constexpr std::array<std::uint64_t, 4> unit_numbers(const V& value) noexcept {
  std::array<std::uint64_t, 4> numbers{};
  for (unsigned i = 0; i < array_size<T>; ++i) {
    const std::uint64_t bits = std::bit_cast<float_bits<element_t<T>>>(value[i]);
    numbers[i] = sizeof(element_t<T>) == 4 ? widen_float(bits) : bits;
  }
  return numbers;
}
template <class T, class V>
constexpr bool is_unit(const V& value) noexcept {
  unit_parts parts;
  bool is_zero = false;
  return unit_from(unit_numbers<T>(value).data(), array_size<T>, parts, is_zero);
}
template <class T, class V>
constexpr bool unit_code_of(const V& value, std::size_t size, std::uint64_t& code) noexcept {
  return unit_code(unit_numbers<T>(value).data(), array_size<T>, static_cast<unsigned>(size), code);
}
template <class T, class V>
constexpr void assign_unit(V& value, std::uint64_t code, std::size_t size) noexcept {
  const unit_parts parts = unit_of(code, array_size<T>, static_cast<unsigned>(size));
  for (unsigned i = 0; i < array_size<T>; ++i) {
    using bits = float_bits<element_t<T>>;
    value[i] = std::bit_cast<element_t<T>>(static_cast<bits>(unit_part_bits<sizeof(bits)>(parts, i)));
  }
}

/// Loads a code. Requires that the bytes are validated, or known to be long enough.
constexpr std::uint64_t unit_code_at(const std::byte* at, std::size_t size) noexcept {
  std::uint64_t code = 0;
  for (std::size_t i = 0; i < size; ++i) code |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  return code;
}
constexpr std::byte* put_unit_code(std::byte* to, std::uint64_t code, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) *to++ = static_cast<std::byte>(code >> (8 * i));
  return to;
}
/// Returns the bits of one number of the vector at `at`. `part` is a result of `unit_part_of`.
template <unsigned Width>
constexpr std::uint64_t unit_part_at(const std::byte* at, encoding part) noexcept {
  const unsigned size = unit_size_in(part);
  return unit_part_bits<Width>(unit_of(unit_code_at(at, size), unit_count_in(part), size),
                               unit_index_in(part));
}
inline constexpr const char* unit_expected = "a unit vector: of length 1 within 1/128, or zero";

}}} // namespace ingot::INGOT_V1::detail
