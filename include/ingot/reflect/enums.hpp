// SPDX-License-Identifier: Apache-2.0
// The enumerators of an enum: their values and names.
//
// Before C++26, a program can only ask the compiler whether one value is an enumerator. So ingot
// tries many values: detail/enum_scan.hpp lists them. Users name enumerators with other values in
// `annotations<E>`, by `enumerator<...>`. With C++26 all enumerators are found.
//
// A value of a closed enum is one of its enumerators. A value of a set of flags is a combination of
// the bits of its enumerators. An open enum takes every number of its type.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/enum_scan.hpp>
#include <ingot/reflect/detail/wide_enum.hpp>
#include <ingot/reflect/members.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// An enumeration, other than `std::byte`.
template <class E>
concept enumeration = std::is_enum_v<E> && !std::is_same_v<std::remove_cv_t<E>, std::byte>;

/// An enumerator: its value, and its name after `rename`.
template <class E>
struct enumerator_info {
  E value{};
  std::string_view name;
};

namespace detail {

template <class E, class Entry>
inline constexpr bool is_enumerator_entry = false;
template <class E, auto Value, class... Items>
inline constexpr bool is_enumerator_entry<E, enumerator_entry<Value, Items...>> =
    std::is_same_v<decltype(Value), E>;

template <auto Value, class... Items>
consteval auto entry_value(const enumerator_entry<Value, Items...>&) {
  return Value;
}

/// Sorts by insertion: the scanned enumerators are sorted already, and annotations add few.
template <class E, std::size_t N>
constexpr auto sorted_by_value(std::array<enumerator_info<E>, N> all) noexcept {
  for (std::size_t i = 1; i < N; ++i) {
    for (std::size_t j = i; j > 0 && all[j].value < all[j - 1].value; --j) std::swap(all[j], all[j - 1]);
  }
  return all;
}

/// Returns the enumerators in the annotations, with the names that the annotations give.
template <class E, std::size_t... K>
consteval auto annotated_enumerators(std::index_sequence<K...>) {
  constexpr std::size_t count = (std::size_t{0} + ... + (is_enumerator_entry<E, entry_type<E, K>> ? 1 : 0));
  std::array<enumerator_info<E>, count> result{};
  [[maybe_unused]] std::size_t n = 0;
  [[maybe_unused]] auto add = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if constexpr (is_enumerator_entry<E, entry_type<E, I>>) {
      constexpr auto value = entry_value(std::get<I>(annotations<E>.entries));
      using name_type = decltype(annotation_in_entry<rename_t, E, I>());
      if constexpr (std::is_same_v<name_type, no_annotation>) {
        result[n++] = {value, {}};
      } else {
        // the view must point into the variable, not into a copy of the annotation
        result[n++] = {value, std::get<rename_t>(std::get<I>(annotations<E>.entries).items).view()};
      }
    }
  };
  (add(std::integral_constant<std::size_t, K>{}), ...);
  return result;
}

/// Returns the declared name of the `I`-th enumerator in the annotations. Works for enumerators
/// that the scan for enumerators did not find.
template <class E, std::size_t I>
consteval std::string_view spelled_name() {
  constexpr auto value = annotated_enumerators<E>(std::make_index_sequence<entry_count<E>>{})[I].value;
  return trailing_identifier(signature_arguments(signature_of_values<value>()));
}

/// Returns the scanned (or reflected) enumerators, ascending by value. Each value occurs once.
template <class E>
consteval auto find_enumerators() {
#if INGOT_REFLECTION
  return sorted_by_value(reflected_enumerators<E>);
#else
  constexpr std::size_t repeated = [] {
    const auto all = sorted_by_value(scanned_enumerators<E>);
    std::size_t n = 0;
    for (std::size_t i = 1; i < all.size(); ++i) n += all[i].value == all[i - 1].value ? 1 : 0;
    return n;
  }();
  const auto all = sorted_by_value(scanned_enumerators<E>);
  if constexpr (repeated == 0) {
    return all;
  } else {
    std::array<enumerator_info<E>, all.size() - repeated> once{};
    std::size_t n = 0;
    for (const auto& each : all) {
      if (n == 0 || once[n - 1].value != each.value) once[n++] = each;
    }
    return once;
  }
#endif
}
// A variable, and not a constant inside a function: clang would evaluate such a constant again for
// each evaluation of the function.
template <class E>
inline constexpr auto found_enumerators = find_enumerators<E>();

/// Returns the scanned (or reflected) enumerators and the enumerators in the annotations, ascending
/// by value. `rename` has been applied to their names.
template <class E>
consteval auto collect_enumerators() {
  if constexpr (entry_count<E> == 0) {
    return found_enumerators<E>;
  } else {
    constexpr const auto& scan = found_enumerators<E>;
    constexpr auto extras = annotated_enumerators<E>(std::make_index_sequence<entry_count<E>>{});
    constexpr auto merged = [&]<std::size_t... X>(std::index_sequence<X...>) {
      std::array<enumerator_info<E>, scan.size() + extras.size()> all{};
      std::size_t n = 0;
      for (const auto& known : scan) all[n++] = known;
      [[maybe_unused]] const auto merge = [&](enumerator_info<E> extra, std::string_view declared) {
        for (std::size_t j = 0; j < n; ++j) {
          if (all[j].value == extra.value) {
            if (!extra.name.empty()) all[j].name = extra.name;
            return;
          }
        }
        all[n++] = {extra.value, extra.name.empty() ? declared : extra.name};
      };
      (merge(extras[X], spelled_name<E, X>()), ...);
      return std::pair{all, n};
    }(std::make_index_sequence<extras.size()>{});
    std::array<enumerator_info<E>, merged.second> exact{};
    for (std::size_t i = 0; i < merged.second; ++i) exact[i] = merged.first[i];
    return sorted_by_value(exact);
  }
}

/// Returns the enumerators of the enum whose stored form is `E`.
template <class E>
consteval auto enumerators_of_source();

template <class E>
inline constexpr auto enumerator_table = [] {
  if constexpr (is_wide_enum_form<E>) return enumerators_of_source<E>();
  else return collect_enumerators<E>();
}();

template <class E>
consteval auto enumerator_names() {
  constexpr std::size_t n = enumerator_table<E>.size();
  std::array<std::string_view, n> names{};
  for (std::size_t i = 0; i < n; ++i) names[i] = enumerator_table<E>[i].name;
  return names;
}
template <class E>
inline constexpr auto enumerator_name_table =
    make_name_table<total_length(enumerator_names<E>())>(enumerator_names<E>());

/// Returns true if an enumerator may have another name than its identifier.
template <class E>
consteval bool may_rename_enumerators() {
#if INGOT_REFLECTION
  if constexpr (!is_wide_enum_form<E>) return entry_count<E> != 0 || renames_enumerators<E>();
#endif
  return entry_count<E> != 0;
}
/// Returns the index of the first enumerator whose name equals that of an earlier enumerator.
/// Returns the number of enumerators if all names differ.
template <class E>
consteval std::size_t repeated_enumerator() {
  const auto& all = enumerator_table<E>;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].name == all[j].name) return i;
    }
  }
  return all.size();
}

template <class E>
consteval auto publish_enumerators() {
  if constexpr (may_rename_enumerators<E>()) {
    constexpr std::size_t repeated = repeated_enumerator<E>();
    if constexpr (repeated != enumerator_table<E>.size()) {
      constexpr std::string_view name = enumerator_table<E>[repeated].name;
      complain<misuse::repeated_enumerator, E, fixed_string<name.size() + 1>(name)>();
    }
  }
  auto result = enumerator_table<E>;
  for (std::size_t i = 0; i < result.size(); ++i) result[i].name = enumerator_name_table<E>[i];
  return result;
}

} // namespace detail

/// The enumerators of `E`, ascending by value: one for each value.
template <enumeration E>
inline constexpr auto enumerators = detail::publish_enumerators<E>();

/// True if every number of the underlying type is a value.
template <enumeration E>
inline constexpr bool enum_is_open = type_has<detail::wide_enum_source_t<E>, open_enum_t>;

namespace detail {

/// Finds an `operator|` only in the namespace of the enum. Elsewhere, an operator may be visible in
/// one file of a program and not in another.
namespace enum_operators {
struct no_enum {};
void operator|(no_enum, no_enum);
template <class E>
concept joins = requires(E a, E b) {
  { a | b } -> std::same_as<E>;
};
} // namespace enum_operators

} // namespace detail

/// True if the combinations of the enumerators' bits are values of `E`: `E` is annotated `flags`,
/// or an `operator|` that takes two values of `E` and returns an `E` is declared in the namespace
/// of `E`. False for an open enum.
template <enumeration E>
inline constexpr bool enum_is_flags =
    !enum_is_open<E> && (type_has<detail::wide_enum_source_t<E>, flags_t> ||
                         detail::enum_operators::joins<detail::wide_enum_source_t<E>>);

/// The union of the bits of all enumerators.
template <enumeration E>
inline constexpr auto enum_bits = [] {
  using under = std::underlying_type_t<E>;
  under bits{};
  for (const auto& each : enumerators<E>) bits = static_cast<under>(bits | std::to_underlying(each.value));
  return bits;
}();

namespace detail {

template <class E>
consteval auto enumerators_of_source() {
  constexpr const auto& source = enumerators<wide_enum_source_t<E>>;
  std::array<enumerator_info<E>, source.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {static_cast<E>(std::to_underlying(source[i].value)), source[i].name};
  }
  return all;
}

/// True if the enumerators have no gaps, as in most enums. Two comparisons then check a value.
template <class E>
inline constexpr bool enumerators_are_dense = [] {
  for (std::size_t i = 1; i < enumerators<E>.size(); ++i) {
    if (static_cast<std::uint64_t>(std::to_underlying(enumerators<E>[i].value)) -
            static_cast<std::uint64_t>(std::to_underlying(enumerators<E>[i - 1].value)) !=
        1) {
      return false;
    }
  }
  return !enumerators<E>.empty();
}();

/// Returns the text of `error::expected()` for a number that is no value of an enum.
constexpr std::string_view expected_enumerator(bool of_flags) noexcept {
  return of_flags ? "a combination of flags" : "an enumerator";
}
/// Returns the number of an enumerator in 64 bits, sign-extended if the enum is signed.
template <class E>
constexpr std::uint64_t enumerator_bits(E value) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::underlying_type_t<E>>(value));
}
/// Returns the error for a number that is no value of an enum.
template <class E>
INGOT_COLD constexpr error bad_enumerator(E value) noexcept {
  constexpr bool is_signed = std::is_signed_v<std::underlying_type_t<E>>;
  return error{errc::bad_enum}
      .with_expected(expected_enumerator(enum_is_flags<E>))
      .with_found(number_text(enumerator_bits(value), is_signed).view());
}

/// Returns the index of an enumerator, or the number of enumerators. Does not return a pointer:
/// with UBSan, g++ can't compare the address of an element with null in a constant expression.
template <class E>
constexpr std::size_t find_enumerator(E value) noexcept {
  const auto& all = enumerators<E>;
  std::size_t low = 0;
  for (std::size_t n = all.size(); n > 0;) {
    const std::size_t half = n / 2;
    if (all[low + half].value < value) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low < all.size() && all[low].value == value ? low : all.size();
}

} // namespace detail

/// Returns true if `value` may be stored. Any value of an open enum may be stored. For a set of
/// flags, each bit of `value` must be a bit of an enumerator. For any other enum, an enumerator
/// must have this value. O(1) for open enums, flags, and enumerators without gaps; O(log n) for
/// others.
template <enumeration E>
[[nodiscard]] constexpr bool enum_valid(E value) noexcept {
  if constexpr (enum_is_open<E>) {
    return true;
  } else if constexpr (enum_is_flags<E>) {
    return (static_cast<std::uint64_t>(std::to_underlying(value)) &
            ~static_cast<std::uint64_t>(enum_bits<E>)) == 0;
  } else if constexpr (detail::enumerators_are_dense<E>) {
    constexpr auto low = std::to_underlying(enumerators<E>.front().value);
    constexpr auto high = std::to_underlying(enumerators<E>.back().value);
    return std::to_underlying(value) >= low && std::to_underlying(value) <= high;
  } else {
    return detail::find_enumerator(value) < enumerators<E>.size();
  }
}

/// Returns the name of `value`; empty if `value` has no name. O(log n).
template <enumeration E>
[[nodiscard]] constexpr std::string_view enum_name(E value) noexcept {
  const std::size_t found = detail::find_enumerator(value);
  return found == enumerators<E>.size() ? std::string_view{} : enumerators<E>[found].name;
}

/// Returns the enumerator with this name. O(n).
template <enumeration E>
[[nodiscard]] constexpr std::optional<E> enum_from_name(std::string_view name) noexcept {
  for (const auto& candidate : enumerators<E>) {
    if (candidate.name == name) return candidate.value;
  }
  return std::nullopt;
}

}} // namespace ingot::INGOT_V1
