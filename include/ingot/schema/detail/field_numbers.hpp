// SPDX-License-Identifier: Apache-2.0
// The protobuf field numbers of a type's members.
#pragma once

#include <ingot/reflect/members.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Maximum field number of protobuf.
inline constexpr std::uint32_t largest_field_number = 536'870'911;
[[nodiscard]] constexpr bool is_field_number(std::uint64_t number) noexcept {
  return number >= 1 && number <= largest_field_number && (number < 19'000 || number > 19'999);
}

/// Returns the default field number of the `i`-th member: counts from 1, and omits the numbers that
/// protobuf reserves.
[[nodiscard]] constexpr std::uint32_t number_of_field(std::uint64_t i) noexcept {
  return static_cast<std::uint32_t>(i < 18'999 ? i + 1 : i + 1001);
}

/// Returns the field numbers of all members; 0 for skipped members.
template <class T>
consteval auto field_numbers() {
  std::array<std::uint32_t, member_count<T> + 1> numbers{}; // one more, so that it is never empty
  std::size_t field_index = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto number_one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (!member_has<T, K, skip_t>) {
        numbers[K] = number_of_field(field_index++);
        if constexpr (member_has<T, K, field_number_t>) numbers[K] = member_get<T, K, field_number_t>.number;
      }
    };
    (number_one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return numbers;
}
template <class T>
consteval bool has_distinct_numbers() {
  constexpr auto numbers = field_numbers<T>();
  for (std::size_t i = 0; i < member_count<T>; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (numbers[i] != 0 && numbers[i] == numbers[j]) return false;
    }
  }
  return true;
}
template <class T>
inline constexpr auto field_number_table = [] {
  static_assert(
      has_distinct_numbers<T>(),
      "ingot::protobuf: two members have one field number: a field_number is another member's place");
  return field_numbers<T>();
}();

}}} // namespace ingot::INGOT_V1::detail
