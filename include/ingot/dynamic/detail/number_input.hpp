// SPDX-License-Identifier: Apache-2.0
// Errors for numbers of a document that a type of a message can't hold. Each error has the number
// and the range of the type.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/found_number.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/dynamic/message_types.hpp>
#include <ingot/reflect/detail/range_text.hpp>

#include <cmath>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns true if an integer of the type holds the number, whose bits are in two's complement.
[[nodiscard]] inline bool fits(const schema_attributes& type, std::uint64_t bits, bool negative) noexcept {
  const bool with_sign = type.has(schema_flag::is_signed);
  const unsigned used = type.width * 8U - (with_sign ? 1U : 0U);
  return negative ? with_sign && (used == 63 || ~bits >> used == 0) : used == 64 || bits >> used == 0;
}

/// Returns the error for a number that does not fit.
[[nodiscard]] INGOT_COLD inline error integer_error(const schema_attributes& type, std::uint64_t bits,
                                                    bool negative) noexcept {
  return error{errc::out_of_range}
      .with_expected(integer_range_text(type.width, type.has(schema_flag::is_signed)).view())
      .with_found(number_text(bits, negative).view());
}
/// Returns the error for a number that is no integer of 64 bits.
[[nodiscard]] INGOT_COLD inline error integer_error(const schema_attributes& type, double number) noexcept {
  error err = integer_error(type, 0, false);
  found_number(err, number);
  return err;
}
/// Returns the error for a double that has a fraction or more than 64 bits.
[[nodiscard]] INGOT_COLD inline error whole_error(const schema_attributes& type, double number) noexcept {
  if (is_whole(number) || !(is_finite(number) || is_nan(number))) return integer_error(type, number);
  error err = error{errc::type_mismatch}.with_expected("an integer");
  found_number(err, number);
  return err;
}
/// Returns the error for a number that a float of 32 bits does not hold.
[[nodiscard]] INGOT_COLD inline error float_error(double number) noexcept {
  error err = error{errc::out_of_range}.with_expected(float_range);
  found_number(err, number);
  return err;
}
/// Returns the error for an integer that a double does not hold exactly.
[[nodiscard]] INGOT_COLD inline error inexact_error(std::uint64_t magnitude, bool negative) noexcept {
  return error{errc::out_of_range}
      .with_expected("an integer that a double holds exactly")
      .with_found(decimal_text(magnitude, negative).view());
}
/// Returns the error for a number that is no value of an enumeration.
[[nodiscard]] INGOT_COLD inline error enumerator_error(const evolving_node& what,
                                                       std::uint64_t bits) noexcept {
  return error{errc::bad_enum}
      .with_expected(expected_enumerator(what.attributes.has(schema_flag::is_flags)))
      .with_found(number_text(bits, what.attributes.has(schema_flag::is_signed)).view());
}

}}} // namespace ingot::INGOT_V1::detail::dyn
