// SPDX-License-Identifier: Apache-2.0
// Exact conversion of counts between durations with different periods.
#pragma once

#include <ingot/schema/fingerprint.hpp>

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A conversion of counts: multiplies by `multiplier`, then divides by `divisor`. Both members are
/// 0 if the conversion is impossible.
struct period_step {
  std::uint64_t multiplier = 0;
  std::uint64_t divisor = 0;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return multiplier != 0; }
};

constexpr bool multiplies(std::uint64_t a, std::uint64_t b, std::uint64_t& product) noexcept {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return false;
  product = a * b;
  return true;
}

/// Returns the conversion of counts from the period of `from` to that of `to`. If multiplier or
/// divisor would exceed 64 bits, returns 0 for both. Requires that the periods are in lowest terms
/// and not zero.
constexpr period_step step_between(const schema_attributes& from, const schema_attributes& to) noexcept {
  const std::uint64_t whole = std::gcd(from.extent, to.extent);
  const std::uint64_t part = std::gcd(from.divisor, to.divisor);
  period_step step;
  if (!multiplies(from.extent / whole, to.divisor / part, step.multiplier) ||
      !multiplies(to.extent / whole, from.divisor / part, step.divisor))
    return {};
  return step;
}
/// Returns the reason why counts are not converted; empty if they are converted. `from` and `to`
/// are the kinds of the counts.
constexpr std::string_view period_obstacle(period_step step, schema_kind from, schema_kind to) noexcept {
  if (from != schema_kind::integer || to != schema_kind::integer)
    return "the periods differ, and counts in floating point are not converted exactly";
  return step ? "" : "the periods differ by more than 64 bits can say";
}

/// Returns the bits of a count in the new period, sign-extended. Returns nothing if the count is no
/// whole number in the new period, or if the new integer can't hold it. `count` must be
/// sign-extended if the old integer is signed.
constexpr std::optional<std::uint64_t> convert_count(std::uint64_t count, const schema_attributes& from,
                                                     const schema_attributes& to, period_step step) noexcept {
  const bool is_negative = from.has(schema_flag::is_signed) && count >> 63 != 0;
  std::uint64_t magnitude = is_negative ? 0 - count : count;
  // Multiplier and divisor have no common factor. So the divisor divides the product only if it
  // divides the count.
  if (magnitude % step.divisor != 0) return std::nullopt;
  if (!multiplies(magnitude / step.divisor, step.multiplier, magnitude)) return std::nullopt;
  const unsigned bits = to.width * 8U;
  const bool has_sign = to.has(schema_flag::is_signed);
  if (is_negative && !has_sign) return std::nullopt;
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max() >> (64 - bits + (has_sign ? 1 : 0));
  if (magnitude > (is_negative ? largest + 1 : largest)) return std::nullopt;
  return is_negative ? 0 - magnitude : magnitude;
}

}}} // namespace ingot::INGOT_V1::detail
