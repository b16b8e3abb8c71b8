// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/interchange_numbers.hpp.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

double nearest_real(std::span<const std::byte> number, bool negative, int power) noexcept {
  number = significant(number);
  const std::size_t head = number.size() < 8 ? number.size() : std::size_t{8};
  const auto rest = number.subspan(head);
  std::uint64_t top = load_big(number.data(), static_cast<unsigned>(head));
  bool zeros = true;
  bool ones = true;
  for (const std::byte b : rest) {
    zeros = zeros && b == std::byte{};
    ones = ones && b == std::byte{0xff};
  }
  const bool carries = negative && ones; // -1 - n is -(n + 1), and adding 1 carries into `top`
  if (carries) ++top;
  power += static_cast<int>(rest.size() < 1024 ? 8 * rest.size() : 8 * 1024);
  if (carries && top == 0) return with_sign(scaled(1, power + 64), negative);
  // If bytes follow `top`, then `top` has at least 57 significant bits, more than a double has. So
  // the lowest bit of `top` only affects the rounding. It is set if the rest of the number is not
  // zero.
  return with_sign(scaled(top | (carries || (zeros && !negative) ? 0u : 1u), power), negative);
}

}}} // namespace ingot::INGOT_V1::detail::interchange
