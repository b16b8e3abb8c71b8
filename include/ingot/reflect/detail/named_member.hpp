// SPDX-License-Identifier: Apache-2.0
// Member that a program names by text: `get<"price">()`.
#pragma once

#include <ingot/reflect/fixed_string.hpp>
#include <ingot/reflect/members.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Fails to compile. The compiler prints the arguments of this template: the name that the program
/// wrote, and the names of the members.
template <fixed_string Name, fixed_string... Members>
struct not_among_members {
  static_assert(sizeof...(Members) != sizeof...(Members),
                "ingot: the type has no member of this name; `not_among_members` has the names that it has");
};

/// Converts to every type, so that a misspelt name is the only error.
struct any_value {
  template <class T>
  operator T() const noexcept; // NOLINT(google-explicit-constructor): see above
};

/// Fails to compile, because `T` has no member `Name`.
template <class T, fixed_string Name>
[[nodiscard]] any_value no_such_member() noexcept {
  []<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(
        not_among_members<Name, fixed_string<member_name<T, I>.size() + 1>(member_name<T, I>)...>{});
  }(std::make_index_sequence<member_count<T>>{});
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
