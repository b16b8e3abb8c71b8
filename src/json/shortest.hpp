// SPDX-License-Identifier: Apache-2.0
// Finds the shortest decimal number that reads back as the same float. If there are several, finds
// the nearest.
//
// The method is R. Giulietti's ("The Schubfach way to render doubles", 2020). It scales the value
// and the two borders of the value's rounding interval by one power of ten. At most two candidates
// of the shortest length then remain, and the method checks which of them are inside the interval.
// The power comes from a table of 64 significant bits, rounded up. The lowest bit of a product
// records whether any bits were cut off ("round to odd"). This makes the comparisons exact.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// A value as digits and a power of ten: digits * 10^exponent.
struct decimal_float {
  std::uint32_t digits;
  std::int32_t exponent;
};

/// The powers 10^e for -31 <= e <= 45 as 64 significant bits, rounded up.
class powers_of_ten_64 {
public:
  static constexpr int min = -31;
  static constexpr int max = 45;

  constexpr powers_of_ten_64() {
    wide power = one();
    for (int e = 0; e <= max; ++e, power = times_ten(power))
      table_[static_cast<std::size_t>(e - min)] = top(power);
    power = one();
    for (int e = 1; e <= -min; ++e) {
      power = times_ten(power);
      table_[static_cast<std::size_t>(-e - min)] = reciprocal(power);
    }
  }
  [[nodiscard]] constexpr std::uint64_t operator()(int e) const noexcept {
    return table_[static_cast<std::size_t>(e - min)];
  }

private:
  static constexpr std::size_t limbs = 6;
  using wide = std::array<std::uint32_t, limbs>; // lowest limb first; 10^45 has 150 bits

  static constexpr wide one() { return {1}; }
  static constexpr wide times_ten(wide n) {
    std::uint64_t carry = 0;
    for (auto& limb : n) {
      carry += std::uint64_t{limb} * 10;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return n;
  }
  static constexpr bool bit(const wide& n, int i) {
    return (n[static_cast<std::size_t>(i) / 32] >> i % 32 & 1) != 0;
  }
  static constexpr int size(const wide& n) {
    int i = static_cast<int>(limbs) * 32;
    while (!bit(n, i - 1)) --i;
    return i;
  }
  static constexpr std::uint64_t top(const wide& n) {
    const int bits = size(n);
    std::uint64_t result = 0;
    for (int i = 0; i < 64; ++i) result = result << 1 | (bits - 1 - i >= 0 && bit(n, bits - 1 - i) ? 1u : 0u);
    for (int i = 64; i < bits; ++i) {
      if (bit(n, bits - 1 - i)) return result + 1;
    }
    return result;
  }
  /// Returns the first 64 bits of 1 / n by long division, rounded up. There is always a remainder,
  /// because n is a power of ten.
  static constexpr std::uint64_t reciprocal(const wide& n) {
    wide rest{1};
    std::uint64_t result = 0;
    while (result >> 63 == 0) {
      std::uint32_t carry = 0;
      for (auto& limb : rest) {
        const std::uint32_t next = limb >> 31;
        limb = limb << 1 | carry;
        carry = next;
      }
      bool fits = true;
      for (std::size_t i = limbs; i-- > 0;) {
        if (rest[i] != n[i]) {
          fits = rest[i] > n[i];
          break;
        }
      }
      result = result << 1 | (fits ? 1u : 0u);
      if (!fits) continue;
      std::uint64_t borrow = 0;
      for (std::size_t i = 0; i < limbs; ++i) {
        const std::uint64_t difference = std::uint64_t{rest[i]} - n[i] - borrow;
        rest[i] = static_cast<std::uint32_t>(difference);
        borrow = difference >> 63;
      }
    }
    return result + 1;
  }

  std::array<std::uint64_t, static_cast<std::size_t>(max - min + 1)> table_{};
};
inline constexpr powers_of_ten_64 power_of_ten_64{};

/// Returns g * n / 2^64, rounded down. Also sets the lowest bit if the part that is cut off is at
/// least 2 / 2^32. A smaller part can come from the rounding of `g`.
[[nodiscard]] inline std::uint32_t scale_to_odd(std::uint64_t g, std::uint32_t n) noexcept {
  const std::uint64_t low = (g & 0xFFFFFFFFu) * n;
  const std::uint64_t high = (g >> 32) * n + (low >> 32);
  return static_cast<std::uint32_t>(high >> 32) | (static_cast<std::uint32_t>(high) > 1 ? 1u : 0u);
}

/// Returns the shortest decimal of a positive finite float. The digits may end in zeros.
[[nodiscard]] inline decimal_float shortest(float value) noexcept {
  constexpr int fraction_bits = 23;
  constexpr std::uint32_t hidden = std::uint32_t{1} << fraction_bits;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t fraction = bits & (hidden - 1);
  const std::uint32_t field = bits >> fraction_bits & 0xFF;
  // value = c * 2^q
  const std::uint32_t c = field == 0 ? fraction : fraction | hidden;
  const std::int32_t q = (field == 0 ? 1 : static_cast<std::int32_t>(field)) - 150;

  // Below a power of two, floats are twice as dense as above. So the interval extends only half as
  // far down as up.
  const bool closer = fraction == 0 && field > 1;
  // floor(log10(2^q)); if `closer`, floor(log10(3/4 * 2^q))
  const std::int32_t k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
  const std::int32_t h = q + ((-k * 1741647) >> 19) + 1; // products then have 2 binary places
  const std::uint64_t g = power_of_ten_64(-k);
  const std::uint32_t below = scale_to_odd(g, (4 * c - (closer ? 1u : 2u)) << h);
  const std::uint32_t exact = scale_to_odd(g, (4 * c) << h);
  const std::uint32_t above = scale_to_odd(g, (4 * c + 2) << h);
  // A number on a border of the interval rounds to the value if `c` is even.
  const std::uint32_t odd = c & 1;
  const std::uint32_t lower = below + odd;
  const std::uint32_t upper = above - odd;

  // Two candidates have one digit less than the full length. If exactly one of them is inside the
  // interval, this candidate is the result. Otherwise the result has the full length: the only
  // candidate inside, or the nearer of two. A branch predictor can't predict this, so both results
  // are computed and a mask selects one.
  const std::uint32_t s = exact / 4;
  const std::uint32_t tens = s / 10;
  const std::uint32_t tens_down = lower <= 40 * tens ? 1 : 0;
  const std::uint32_t tens_up = 40 * tens + 40 <= upper ? 1 : 0;
  const std::uint32_t is_shorter = (tens_down ^ tens_up) & (s >= 10 ? 1u : 0u);
  const std::uint32_t down = lower <= 4 * s ? 1 : 0;
  const std::uint32_t up = 4 * s + 4 <= upper ? 1 : 0;
  const std::uint32_t middle = 4 * s + 2; // selects the even candidate if both are equally near
  const std::uint32_t nearer = (exact > middle ? 1u : 0u) | ((exact == middle ? 1u : 0u) & s & 1);
  const std::uint32_t only_one = down ^ up;
  const std::uint32_t one_more = (only_one & up) | ((only_one ^ 1) & nearer);
  const std::uint32_t mask = 0 - is_shorter;
  return {((tens + tens_up) & mask) | ((s + one_more) & ~mask), k + static_cast<std::int32_t>(is_shorter)};
}

}}} // namespace ingot::INGOT_V1::json::detail
