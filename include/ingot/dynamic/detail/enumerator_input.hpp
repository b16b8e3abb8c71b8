// SPDX-License-Identifier: Apache-2.0
// Converts values of documents to values of enumerations, for the writers of messages.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/document/value.hpp>
#include <ingot/dynamic/message_types.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns the value for a missing member: zero if zero is a value of the enumeration, otherwise
/// the first enumerator.
[[nodiscard]] inline std::uint64_t missing_enumerator(const evolving_node& what) noexcept {
  const bool is_zero =
      what.takes(0) || what.enumerators.empty() || find_number(what, 0) < what.enumerators.size();
  return is_zero ? 0 : what.enumerators.front().value;
}

/// Sets `bits` to the combination of the flags whose names are the elements of the array `from`. If
/// an element is not the name of a flag, sets `err` and returns false.
[[nodiscard]] inline bool flags_of_names(const evolving_node& what, const value& from, std::uint64_t& bits,
                                         error& err) {
  bits = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const value each = from[i];
    const auto name = each.value_or(std::string_view());
    bool is_known = false;
    for (std::size_t k = 0; k < what.enumerators.size() && !is_known && each.is_string(); ++k) {
      is_known = what.enumerators[k].name == name;
      if (is_known) bits |= what.enumerators[k].value;
    }
    if (is_known) continue;
    err = error{each.is_string() ? errc::unknown_enumerator : errc::type_mismatch};
    err.with_expected("the name of a flag").in_element(i);
    if (each.is_string()) err.with_found(name);
    return false;
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
