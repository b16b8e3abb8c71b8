// SPDX-License-Identifier: Apache-2.0
// The stored form of enums that a compiler makes smaller than `int` by its own choice: with -fshort-enums, an unscoped
// enum without a fixed underlying type has the size of its largest enumerator.
#pragma once

#include <ingot/reflect/detail/enum_scan.hpp>

#include <cstdint>
#include <type_traits>

namespace ingot::inline v1::detail {

/// Enums whose size is the compiler's choice, and less than that of `int`.
template <class E>
concept short_enum = std::is_enum_v<E> && sizeof(E) < sizeof(std::int32_t) && !fixed_enum<E>;

/// An enum with the enumerators of `E` and the size that `E` has without -fshort-enums.
template <class E>
struct wide_enum {
  enum class type : std::conditional_t<std::is_signed_v<std::underlying_type_t<E>>, std::int32_t,
                                       std::uint32_t> {};
  /// Found by argument: `E` can't be deduced from `type`.
  friend constexpr std::type_identity<E> source_of_wide_enum(type) { return {}; }
};
void source_of_wide_enum();

template <class E>
concept is_wide_enum_form = requires(E value) { source_of_wide_enum(value); };
/// The enum that the program has: `E`, or what `E` is the stored form of.
template <class E>
struct wide_enum_source {
  using type = E;
};
template <is_wide_enum_form E>
struct wide_enum_source<E> : decltype(source_of_wide_enum(E{})){};
template <class E>
using wide_enum_source_t = typename wide_enum_source<E>::type;

} // namespace ingot::inline v1::detail
