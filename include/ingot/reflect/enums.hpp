// SPDX-License-Identifier: Apache-2.0
// The enumerators of an enum: their values and names.
//
// Before C++26, a compiler can only be asked about one value at a time. These are asked for: -128 to 255, every power
// of two, and the values that `annotations<E>` names with `enumerator<...>`. The check of a closed enum does not know
// any other enumerators, so such an enum needs them named there, or `open_enum`. With C++26 all enumerators are found.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/members.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1 {

template <class E>
concept enumeration = std::is_enum_v<E> && !std::is_same_v<std::remove_cv_t<E>, std::byte>;

/// An enumerator: its value, and its name after `rename`.
template <class E>
struct enumerator_info {
  E value{};
  std::string_view name;
};

namespace detail {

/// Whether every value of the underlying type is one of `E`: true unless unscoped and without a fixed type.
template <class E>
concept fixed_enum = requires { E{0}; } || std::is_same_v<std::underlying_type_t<E>, bool>;

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // g++ warns of the very casts that it is asked about
#endif
#if defined(__clang__) && __clang_major__ < 20
// There a cast beyond an enum's values is a warning that can't be asked about, not an error that can: all values are asked for then.
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
#endif
/// Whether `V` may be cast to `E`: an unscoped enum without a fixed type has fewer values than its type.
template <class E, std::int64_t V>
concept castable_to_enum = std::in_range<std::underlying_type_t<E>>(V) &&
                           requires { typename std::integral_constant<E, static_cast<E>(V)>; };

/// The values that are asked for: [low, high], then the powers of two from 2^8 below 2^powers.
struct scan_plan {
  std::int64_t low = -128;
  std::int64_t high = 255;
  int powers = 64;

  [[nodiscard]] constexpr std::size_t dense() const noexcept {
    return static_cast<std::size_t>(high - low + 1);
  }
  [[nodiscard]] constexpr std::size_t count() const noexcept {
    return dense() + (powers > 8 ? static_cast<std::size_t>(powers - 8) : 0);
  }
  template <class E>
  [[nodiscard]] constexpr E value(std::size_t i) const noexcept {
    return i < dense() ? static_cast<E>(low + static_cast<std::int64_t>(i))
                       : static_cast<E>(std::uint64_t{1} << (8 + i - dense()));
  }
};

/// The values of an unfixed enum are those of the fewest bits that hold its enumerators.
template <class E, int Bit = 0>
consteval int unfixed_bits() {
  if constexpr (Bit < 62 && castable_to_enum<E, (std::int64_t{1} << Bit)>) return unfixed_bits<E, Bit + 1>();
  else return Bit;
}
template <class E>
consteval scan_plan plan_scan() {
  using under = std::underlying_type_t<E>;
  scan_plan plan;
  if constexpr (std::is_same_v<under, bool>) {
    return {0, 1, 0};
  } else if constexpr (fixed_enum<E>) {
    plan.powers = std::numeric_limits<under>::digits;
    if (std::is_unsigned_v<under>) plan.low = 0;
  } else {
    plan.powers = unfixed_bits<E>();
    if constexpr (!castable_to_enum<E, -1>) plan.low = 0;
    else if (plan.powers < 7) plan.low = -(std::int64_t{1} << plan.powers);
  }
  if (plan.powers < 8) plan.high = (std::int64_t{1} << plan.powers) - 1;
  return plan;
}

template <class E, std::size_t... I>
consteval std::string_view spell_enumerators(std::index_sequence<I...>) {
  constexpr scan_plan plan = plan_scan<E>();
  return signature_arguments(signature_of_values<plan.value<E>(I)...>());
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// Walks the spelled values; calls `found(index, name)` for those with a name. A value without one is spelled as a
/// cast, `(ns::colour)7`. What stands before number or name is alike everywhere, and stepped over.
template <class F>
constexpr void each_spelled(std::string_view list, F&& found) {
  std::size_t cast = 0;  // length of `(ns::colour)`
  std::size_t scope = 0; // length of `ns::colour::`
  std::size_t at = 0;
  for (std::size_t index = 0; at < list.size(); ++index) {
    const char first = list[at];
    // clang names what has no name in parentheses, too
    if (first == '(' && !list.substr(at).starts_with("(anonymous namespace)")) {
      if (cast == 0) {
        for (std::size_t depth = 0; depth > 0 || cast == 0; ++cast) {
          if (list[at + cast] == '(') ++depth;
          if (list[at + cast] == ')') --depth;
        }
      }
      at += cast;
      while (at < list.size() && list[at] != ',') ++at;
    } else if (first == '-' || (first >= '0' && first <= '9')) {
      while (at < list.size() && list[at] != ',') ++at;
    } else {
      if (scope == 0) {
        std::string_view rest = list.substr(at);
        scope = static_cast<std::size_t>(trailing_identifier(take_entry(rest)).data() - (list.data() + at));
      }
      const std::size_t begin = at + scope;
      for (at = begin; at < list.size() && is_identifier_char(list[at]);) ++at;
      found(index, list.substr(begin, at - begin));
      while (at < list.size() && list[at] != ',') ++at;
    }
    at += 2; // ", "
  }
}

template <class E>
consteval auto scan_enumerators() {
  constexpr scan_plan plan = plan_scan<E>();
  constexpr std::string_view list = spell_enumerators<E>(std::make_index_sequence<plan.count()>{});
  constexpr std::size_t count = [&] {
    std::size_t n = 0;
    each_spelled(list, [&](std::size_t, std::string_view) { ++n; });
    return n;
  }();
  std::array<enumerator_info<E>, count> found{};
  std::size_t n = 0;
  each_spelled(list, [&](std::size_t i, std::string_view name) { found[n++] = {plan.value<E>(i), name}; });
  return found;
}

template <class E, class Entry>
inline constexpr bool is_enumerator_entry = false;
template <class E, auto Value, class... Items>
inline constexpr bool is_enumerator_entry<E, enumerator_entry<Value, Items...>> =
    std::is_same_v<decltype(Value), E>;

template <auto Value, class... Items>
consteval auto entry_value(const enumerator_entry<Value, Items...>&) {
  return Value;
}

/// Insertion sort: the scan is sorted already, and what annotations add is little.
template <class E, std::size_t N>
constexpr auto sorted_by_value(std::array<enumerator_info<E>, N> all) noexcept {
  for (std::size_t i = 1; i < N; ++i) {
    for (std::size_t j = i; j > 0 && all[j].value < all[j - 1].value; --j) std::swap(all[j], all[j - 1]);
  }
  return all;
}

/// The enumerators that annotations name, under the name that they get there.
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

/// The declared name of a value that the scan does not reach.
template <class E, std::size_t I>
consteval std::string_view spelled_name() {
  constexpr auto value = annotated_enumerators<E>(std::make_index_sequence<entry_count<E>>{})[I].value;
  return trailing_identifier(signature_arguments(signature_of_values<value>()));
}

/// Scanned (or reflected) enumerators, those named by annotations added, renames applied, ascending by value.
template <class E>
consteval auto collect_enumerators() {
#if INGOT_REFLECTION
  constexpr auto scan = meta_enumerators<E>();
#else
  constexpr auto scan = scan_enumerators<E>();
#endif
  if constexpr (entry_count<E> == 0) {
    return sorted_by_value(scan);
  } else {
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

template <class E>
inline constexpr auto enumerator_table = collect_enumerators<E>();

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

template <class E>
consteval auto publish_enumerators() {
  auto result = enumerator_table<E>;
  for (std::size_t i = 0; i < result.size(); ++i) result[i].name = enumerator_name_table<E>[i];
  return result;
}

} // namespace detail

/// The enumerators of `E`, ascending by value. Of several with the same value there is one.
template <enumeration E>
inline constexpr auto enumerators = detail::publish_enumerators<E>();

/// Whether values without an enumerator are valid.
template <enumeration E>
inline constexpr bool enum_is_open = type_has<E, open_enum_t>;

namespace detail {

/// Enumerators without gaps, as most enums have, are checked by two comparisons.
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

/// The index of an enumerator, or how many there are. No pointer: under UBSan g++ can't compare the address of an
/// element with null in a constant expression.
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

/// Whether `value` may be stored: it is an enumerator, or the enum is open. O(1) for enums without gaps.
template <enumeration E>
[[nodiscard]] constexpr bool enum_valid(E value) noexcept {
  if constexpr (enum_is_open<E>) {
    return true;
  } else if constexpr (detail::enumerators_are_dense<E>) {
    constexpr auto low = std::to_underlying(enumerators<E>.front().value);
    constexpr auto high = std::to_underlying(enumerators<E>.back().value);
    return std::to_underlying(value) >= low && std::to_underlying(value) <= high;
  } else {
    return detail::find_enumerator(value) < enumerators<E>.size();
  }
}

/// The name of `value`; empty if it has none. O(log n).
template <enumeration E>
[[nodiscard]] constexpr std::string_view enum_name(E value) noexcept {
  const std::size_t found = detail::find_enumerator(value);
  return found == enumerators<E>.size() ? std::string_view{} : enumerators<E>[found].name;
}

/// The enumerator called `name`. O(n).
template <enumeration E>
[[nodiscard]] constexpr std::optional<E> enum_from_name(std::string_view name) noexcept {
  for (const auto& candidate : enumerators<E>) {
    if (candidate.name == name) return candidate.value;
  }
  return std::nullopt;
}

} // namespace ingot::inline v1
