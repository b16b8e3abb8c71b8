// SPDX-License-Identifier: Apache-2.0
// Quantised floats. Such a float is a multiple of a step (see `quantum`), and is stored as the
// number of steps. All computations use integers, as for tight floats, so that every machine rounds
// a value to the same number of steps.
#pragma once

#include <ingot/core/detail/widen_float.hpp>
#include <ingot/pack/detail/compact_layout.hpp>
#include <ingot/pack/detail/compact_tight.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Limit of the product of a float's number of steps and the units of a step. Below this limit, a
/// double can hold the product exactly.
inline constexpr std::uint64_t quantum_end = std::uint64_t{1} << 53;

/// Sets `steps` to the number of steps in the double with these bits, rounded to the nearest whole
/// number. Halves are rounded away from zero. Returns false if the double is not a number, or too
/// large.
constexpr bool quantise(std::uint64_t bits, quantum step, std::int64_t& steps) noexcept {
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  steps = 0;
  if (exponent >= 53) return false;
  if (exponent < -32) return true; // less than half of 10^-9, the smallest step: rounds to 0
  // Twice the value in units of 10^-digits, rounded down, is `twice`: mantissa * 5^digits *
  // 2^(digits + exponent - 52 + 1)
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFF) | std::uint64_t{1} << 52;
  const std::uint64_t five = powers_of_five[step.digits];
  const std::uint64_t low = (mantissa & 0xFFFFFFFF) * five;
  const std::uint64_t high = (mantissa >> 32) * five + (low >> 32);
  const std::uint64_t word = high << 32 | (low & 0xFFFFFFFF);
  const std::uint64_t over = high >> 32;
  const int left = static_cast<int>(step.digits) + exponent - 51; // -83 to 11
  std::uint64_t twice = 0;
  if (left >= 0) {
    if (over != 0 || (word >> (63 - left)) != 0) return false;
    twice = word << left;
  } else if (left > -64) {
    if ((over >> -left) != 0) return false;
    twice = word >> -left | over << (64 + left);
  } else {
    twice = over >> (-left - 64);
  }
  if (twice >= std::uint64_t{1} << 55) return false;
  const std::uint64_t count = (twice + step.units) / (2 * std::uint64_t{step.units});
  if (count * step.units >= quantum_end) return false;
  steps = (bits >> 63) != 0 ? -static_cast<std::int64_t>(count) : static_cast<std::int64_t>(count);
  return true;
}

/// Returns the bits of the float or double nearest to `steps` steps. Requires that steps times
/// units is below 2^53.
template <unsigned Width>
constexpr std::uint64_t quantised_bits(std::int64_t steps, quantum step) noexcept {
  const std::uint64_t count =
      steps < 0 ? ~static_cast<std::uint64_t>(steps) + 1 : static_cast<std::uint64_t>(steps);
  const std::uint64_t sign = static_cast<std::uint64_t>(steps < 0 ? 1 : 0) << (Width * 8 - 1);
  return sign | decimal_bits_of<Width>(count * step.units, step.digits);
}
/// Returns the bits that a reader gets if a value with these bits was written.
template <unsigned Width>
constexpr std::uint64_t requantised(std::uint64_t bits, quantum step) noexcept {
  std::int64_t steps = 0;
  return quantise(Width == 4 ? widen_float(bits) : bits, step, steps) ? quantised_bits<Width>(steps, step)
                                                                      : bits;
}

}}} // namespace ingot::INGOT_V1::detail
