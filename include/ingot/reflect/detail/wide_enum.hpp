// SPDX-License-Identifier: Apache-2.0
// The stored form of enums that are smaller on this platform than on others. With -fshort-enums, an
// unscoped enum without a fixed underlying type has the size of its largest enumerator. An enum of
// `long` has the size of `long`, which is 4 bytes on some platforms.
#pragma once

#include <ingot/reflect/detail/enum_scan.hpp>

#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// An enum of `long` on a platform where `long` has 32 bits.
template <class E>
concept narrow_long_enum = std::is_enum_v<E> && sizeof(long) < sizeof(std::int64_t) &&
                           (std::is_same_v<std::underlying_type_t<E>, long> ||
                            std::is_same_v<std::underlying_type_t<E>, unsigned long>);

/// Enums that are smaller than on other platforms: enums of `long`, and enums that are smaller than
/// `int` because the compiler chooses their size. Compilers never choose a `long` of 32 bits, so an
/// enum of such a `long` was declared with this type.
template <class E>
concept short_enum =
    narrow_long_enum<E> || (std::is_enum_v<E> && sizeof(E) < sizeof(std::int32_t) && !fixed_enum<E>);

/// An enum with the values of `E`, and with the size that `E` has on other platforms.
template <class E>
struct wide_enum {
  using as_signed = std::conditional_t<narrow_long_enum<E>, std::int64_t, std::int32_t>;
  enum class type : std::conditional_t<std::is_signed_v<std::underlying_type_t<E>>, as_signed,
                                       std::make_unsigned_t<as_signed>> {};
  /// The return type gives the `E` of a `type`. Called by argument-dependent lookup, because `E`
  /// can't be deduced from the nested enum `type`.
  friend constexpr std::type_identity<E> source_of_wide_enum(type) { return {}; }
};
void source_of_wide_enum();

template <class E>
concept is_wide_enum_form = requires(E value) { source_of_wide_enum(value); };
/// The enum of the program: `E`, or the enum whose stored form is `E`.
template <class E>
struct wide_enum_source {
  using type = E;
};
template <is_wide_enum_form E>
struct wide_enum_source<E> : decltype(source_of_wide_enum(E{})){};
template <class E>
using wide_enum_source_t = typename wide_enum_source<E>::type;

}}} // namespace ingot::INGOT_V1::detail
