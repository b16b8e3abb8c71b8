// SPDX-License-Identifier: Apache-2.0
// Tests and comparisons of floating-point numbers by their bits. Two things make other tests
// unreliable. Options such as -ffast-math let the compiler assume that a number is no NaN, that it
// is no infinity and that zeros have no sign. A processor mode, which GCC also sets at the start of
// programs linked with these options, treats subnormal numbers as zero. Bits have one meaning, with
// any option and in any mode.
//
// The header does not include <cmath>. Compiling <cmath> takes a third of the time that <map>,
// <string> and <vector> take together.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

// 1 if the compiler may change the results of floating-point operations.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||                     \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#define INGOT_FAST_MATH 1
#else
#define INGOT_FAST_MATH 0
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The unsigned integer with the size of a `float` or `double`.
template <std::floating_point F>
using float_word = std::conditional_t<sizeof(F) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

/// The sign bit, and the bits of infinity. Without its sign, a NaN has greater bits than infinity.
template <std::floating_point F>
inline constexpr float_word<F> sign_word =
    static_cast<float_word<F>>(float_word<F>{1} << (sizeof(F) * 8 - 1));
template <std::floating_point F>
inline constexpr float_word<F> infinity_word =
    static_cast<float_word<F>>(sizeof(F) == 4 ? 0x7F80'0000U : 0x7FF0'0000'0000'0000U);

/// Returns the bits of a number. Takes the number by reference, because some machines change a
/// signalling NaN that is passed by value.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr float_word<F> float_bits_of(const F& number) noexcept {
  static_assert(sizeof(F) == 4 || sizeof(F) == 8, "ingot stores float and double");
  auto bits = std::bit_cast<float_word<F>>(number);
#if INGOT_FAST_MATH && (defined(__GNUC__) || defined(__clang__))
  // Clang recognises tests for NaN also if they use bits, and then assumes that there is no NaN. It
  // does not know which bits leave an assembler statement.
  if !consteval {
    __asm__("" : "+r"(bits)); // NOLINT(hicpp-no-assembler)
  }
#endif
  return bits;
}

template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_nan(const F& number) noexcept {
  return (float_bits_of(number) & ~sign_word<F>) > infinity_word<F>;
}
/// Returns true if the number is neither a NaN nor an infinity.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_finite(const F& number) noexcept {
  return (float_bits_of(number) & ~sign_word<F>) < infinity_word<F>;
}
/// Returns true if the sign bit is set, also of zeros and NaNs.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_negative(const F& number) noexcept {
  return (float_bits_of(number) & sign_word<F>) != 0;
}
/// Returns true for zero with either sign. Returns false for all subnormal numbers.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_zero(const F& number) noexcept {
  return (float_bits_of(number) & ~sign_word<F>) == 0;
}
/// Returns true for a number that is not zero and that is less than all normal numbers in size.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_subnormal(const F& number) noexcept {
  constexpr float_word<F> above = infinity_word<F> & (~infinity_word<F> + 1); // lowest exponent bit
  return (float_bits_of(number) & ~sign_word<F>)-1 < above - 1;
}
/// Returns true if a stored key can contain the number: it is neither NaN nor -0.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_normal_key_float(const F& number) noexcept {
  const auto bits = float_bits_of(number);
  return (bits & ~sign_word<F>) <= infinity_word<F> && bits != sign_word<F>;
}
/// Returns `number`; for -0 returns +0.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr F with_one_zero(const F& number) noexcept {
  const auto bits = float_bits_of(number);
  return std::bit_cast<F>(bits == sign_word<F> ? float_word<F>{0} : bits);
}
/// Returns true if the number is finite and has no fraction.
template <std::floating_point F>
[[nodiscard]] constexpr bool is_whole(const F& number) noexcept {
  constexpr int fraction_bits = sizeof(F) == 4 ? 23 : 52;
  constexpr int bias = sizeof(F) == 4 ? 127 : 1023;
  const auto bits = static_cast<float_word<F>>(float_bits_of(number) & ~sign_word<F>);
  if (bits >= infinity_word<F>) return false;
  const int exponent = static_cast<int>(bits >> fraction_bits) - bias;
  if (exponent >= fraction_bits) return true;
  if (exponent < 0) return bits == 0;
  return (bits & ((float_word<F>{1} << (fraction_bits - exponent)) - 1)) == 0;
}
/// Returns `magnitude`, which must not be negative, with this sign. Also gives zeros a sign.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr F with_sign(F magnitude, bool negative) noexcept {
  return std::bit_cast<F>(static_cast<float_word<F>>(
      float_bits_of(magnitude) | static_cast<float_word<F>>(negative ? sign_word<F> : float_word<F>{0})));
}
template <std::floating_point F>
[[nodiscard]] constexpr F absolute(F number) noexcept {
  return std::bit_cast<F>(static_cast<float_word<F>>(float_bits_of(number) & ~sign_word<F>));
}

/// Returns a number that compares as the value of `number`. The results for -0 and +0 are equal. A
/// NaN is greater than all numbers.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr auto order_word(const F& number) noexcept {
  using word = std::make_signed_t<float_word<F>>;
  const auto bits = float_bits_of(number);
  if ((bits & sign_word<F>) == 0) [[likely]]
    return static_cast<word>(bits);
  const auto magnitude = static_cast<float_word<F>>(bits & ~sign_word<F>);
  return magnitude <= infinity_word<F> ? static_cast<word>(-static_cast<word>(magnitude))
                                       : static_cast<word>(magnitude);
}
/// Compares numbers by their order words.
template <std::floating_point F>
[[nodiscard]] INGOT_COLD constexpr int compare_order_words(const F& a, const F& b) noexcept {
  const auto left = order_word(a);
  const auto right = order_word(b);
  return static_cast<int>(left > right) - static_cast<int>(left < right);
}
/// Returns a number below, equal to or above zero if `a` is less than, equal to or greater than
/// `b`.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr int compare_floats(const F& a, const F& b) noexcept {
#if !INGOT_FAST_MATH
  // Comparisons are faster than order words. Both are false if the numbers are equal, if one is a
  // NaN, and for two subnormal numbers in a mode that treats these as zero.
  if (a < b) return -1;
  if (a > b) return 1;
  if (float_bits_of(a) == float_bits_of(b)) [[likely]]
    return 0;
#endif
  return compare_order_words(a, b);
}

/// Returns true if the operators < and > order `number` and any number that is no NaN by value.
/// They don't order subnormal numbers and zero in some modes, and nothing with some options.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr bool is_ordered_by_operators(const F& number) noexcept {
  constexpr float_word<F> smallest = infinity_word<F> & (~infinity_word<F> + 1);
  return INGOT_FAST_MATH == 0 &&
         static_cast<float_word<F>>((float_bits_of(number) & ~sign_word<F>)-smallest) <=
             infinity_word<F> - smallest;
}

/// Returns `number`, rounded to its type. The compiler knows nothing of the result. So it rounds
/// every operation, in the order of the source, whatever options it has.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr F rounded(F number) noexcept {
  if !consteval {
#if defined(__GNUC__) || defined(__clang__)
    auto bits = std::bit_cast<float_word<F>>(number);
    __asm__("" : "+r"(bits)); // NOLINT(hicpp-no-assembler)
    return std::bit_cast<F>(bits);
#else
    const volatile F stored = number;
    return stored;
#endif
  }
  return number;
}
/// As `rounded`, for code that is fast and exact without such options: then does nothing.
template <std::floating_point F>
[[nodiscard]] INGOT_INLINE constexpr F rounded_if_fast(F number) noexcept {
#if INGOT_FAST_MATH
  return rounded(number);
#else
  return number;
#endif
}

}}} // namespace ingot::INGOT_V1::detail
