// SPDX-License-Identifier: Apache-2.0
// Checks the limits that annotations set for a member. Makes the checks of `check_member`, for
// types that are known only at run time.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/reflect/detail/range_text.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

template <class N>
[[nodiscard]] bool contains(const limit& limits, N number, limit_failure& failure) noexcept {
  return detail::contains(range_t{limits.low, limits.high}, number, failure);
}

/// Returns true if a number is in the range, or if each number in a container or optional is in the
/// range. Otherwise sets the number of `failure`. Recurses to the nesting depth of the member's
/// type. Other values pass, since no member with such a type can have a range.
[[nodiscard]] inline bool in_range(const memory& in, const type& of, std::uint64_t position,
                                   const limit& limits, limit_failure& failure, unsigned depth = 0) noexcept {
  switch (of.kind) {
  case dynamic_kind::byte:
  case dynamic_kind::boolean: return contains(limits, in.byte(position), failure);
  case dynamic_kind::character:
  case dynamic_kind::integer:
  case dynamic_kind::enumeration: {
    const std::uint64_t number = in.number(position, of.size, of.has(is_signed));
    return of.has(is_signed) ? contains(limits, static_cast<std::int64_t>(number), failure)
                             : contains(limits, number, failure);
  }
  case dynamic_kind::floating:
    if (contains(limits, in.real(position, of.size), failure)) return true;
    failure.is_single = of.size == sizeof(float);
    return false;
  case dynamic_kind::duration:
  case dynamic_kind::time_point:
    return in_range(in, in.in->part_type(of, 0), position, limits, failure, depth);
  default: break;
  }
  if (depth == deepest_key) return true;
  for (cursor at(in, of, position); !at.done(); at.next()) {
    if (at.has_key() && is_map(of.kind)) return true;
    const auto& element = in.in->types[at.value_type()];
    if (!in_range(in, element, at.value_position(), limits, failure, depth + 1)) return false;
  }
  return true;
}

/// Returns the bytes of text or of other adjacent elements of one byte each. Returns nothing for
/// all other kinds.
[[nodiscard]] inline std::string_view bytes_of(const memory& in, const type& of,
                                               std::uint64_t position) noexcept {
  if (of.kind != dynamic_kind::text && of.kind != dynamic_kind::vector && of.kind != dynamic_kind::array)
    return {};
  const type& element = in.in->part_type(of, 0);
  if (element.size != 1 || element.raw != 1) return {};
  if (of.kind == dynamic_kind::text) return in.view(in.text(of, position));
  const memory::run all = in.elements(of, position);
  return in.view(text_run{all.base, all.count, 1});
}

/// Returns true if a validated member is within its limits. Otherwise sets `failure`, but not its
/// `expected` if the code is `out_of_range`.
[[nodiscard]] inline bool keeps_limits(const memory& in, const type& of, std::uint64_t position,
                                       std::uint8_t which, const limit& limits,
                                       limit_failure& failure) noexcept {
  if ((which & has_range) != 0 && !in_range(in, of, position, limits, failure)) {
    failure.code = errc::out_of_range; // the caller makes the text from the limits
    return false;
  }
  if ((which & has_max_size) != 0) {
    const std::uint64_t size = size_of(in, of, position);
    if (size > limits.max_size) {
      failure = {.code = errc::too_long,
                 .expected = "no more elements than the member's max_size",
                 .has_number = true,
                 .number = bound::of(size)};
      return false;
    }
  }
  if ((which & has_utf8) != 0 && !is_utf8(bytes_of(in, of, position))) {
    failure = {.code = errc::invalid_utf8, .expected = "UTF-8"};
    return false;
  }
  return true;
}

/// Returns the error of the member at `position`, which its limits reject.
[[nodiscard]] INGOT_COLD inline error limit_error(const limit_failure& failure, const limit& limits,
                                                  std::uint64_t position) noexcept {
  const range_text range(limits.low, limits.high);
  error rejected = error{failure.code, position}.with_expected(
      failure.code == errc::out_of_range ? range.view() : failure.expected);
  failure.name_found(rejected);
  return rejected;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
