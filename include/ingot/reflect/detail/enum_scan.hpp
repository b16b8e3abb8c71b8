// SPDX-License-Identifier: Apache-2.0
// The enumerators of an enum before C++26, when a program can only ask the compiler whether one
// value is an enumerator.
//
// The scan tests the values from -128 to 1023, every power of two, and the lowest value. It also
// tests further runs of 128 values on either side, as long as the previous run has an enumerator.
// For an enum of one byte, the scan tests all values.
#pragma once

#include <ingot/reflect/detail/names.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

template <class E>
struct enumerator_info;

namespace detail {

/// True if every value of the underlying type is a value of `E`. This is so for all enums except
/// unscoped enums without a fixed type.
template <class E>
concept fixed_enum = requires { E{0}; } || std::is_same_v<std::underlying_type_t<E>, bool>;

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // g++ warns of the casts that the concept tests
#endif
#if defined(__clang__) && __clang_major__ < 20
// In clang before version 20, a cast to a value that the enum can't have is a warning and not an
// error. A concept can't test for warnings, so the scan then queries all values.
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
#endif
/// True if `V` may be cast to `E`. An unscoped enum without a fixed type has fewer values than its
/// underlying type.
template <class E, std::int64_t V>
concept castable_to_enum = std::in_range<std::underlying_type_t<E>>(V) &&
                           requires { typename std::integral_constant<E, static_cast<E>(V)>; };

/// Values whose names are read from one function signature: `count` values from `first`, or `count`
/// powers of two from 2^first.
struct enum_run {
  std::int64_t first = 0;
  std::size_t count = 0;
  bool is_powers = false;

  template <class E>
  [[nodiscard]] constexpr E value(std::size_t i) const noexcept {
    const auto number = static_cast<std::int64_t>(i) + first;
    return is_powers ? static_cast<E>(std::uint64_t{1} << number) : static_cast<E>(number);
  }
};

/// The lowest and the highest value of an enum, limited to the range of `std::int64_t`.
struct enum_bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
  int powers = 0; ///< powers of two below 2^powers are values
};

/// Returns the number of bits of the values of an enum without a fixed type. These are the fewest
/// bits that can hold all of its enumerators.
template <class E, int Bit = 0>
consteval int unfixed_bits() {
  if constexpr (Bit == 63) {
    constexpr bool all = std::numeric_limits<std::underlying_type_t<E>>::digits == 64 &&
                         requires { typename std::integral_constant<E, static_cast<E>(~std::uint64_t{0})>; };
    return all ? 64 : 63;
  } else if constexpr (castable_to_enum<E, (std::int64_t{1} << Bit)>) {
    return unfixed_bits<E, Bit + 1>();
  } else {
    return Bit;
  }
}
template <class E>
consteval enum_bounds bounds_of_enum() {
  using under = std::underlying_type_t<E>;
  using limits = std::numeric_limits<under>;
  if constexpr (std::is_same_v<under, bool>) {
    return {0, 1, 0};
  } else {
    enum_bounds bounds{0, std::numeric_limits<std::int64_t>::max(), limits::digits};
    if constexpr (std::is_signed_v<under>) bounds.low = static_cast<std::int64_t>(limits::min());
    if constexpr (!fixed_enum<E>) {
      bounds.powers = unfixed_bits<E>();
      if constexpr (!castable_to_enum<E, -1>) bounds.low = 0;
      else if (bounds.powers < limits::digits) bounds.low = -(std::int64_t{1} << bounds.powers);
    }
    if (bounds.powers < 63) bounds.high = (std::int64_t{1} << bounds.powers) - 1;
    return bounds;
  }
}

inline constexpr std::int64_t last_scanned = 1023;
inline constexpr std::size_t enum_chunk = 128;
/// maximum number of further runs in each direction: without a limit, compilation might not end
inline constexpr std::size_t enum_chunks_limit = 64;

/// Returns the run that every scan queries, before any further runs.
consteval enum_run first_enum_run(const enum_bounds& bounds) {
  constexpr std::int64_t lowest = -static_cast<std::int64_t>(enum_chunk);
  const std::int64_t low = bounds.low > lowest ? bounds.low : lowest;
  const std::int64_t high = bounds.high < last_scanned ? bounds.high : last_scanned;
  return {low, static_cast<std::size_t>(high - low + 1), false};
}
/// Returns the run above `from`, or below it if `up` is false. The run is empty if the enum can
/// have no values there.
consteval enum_run next_enum_run(const enum_bounds& bounds, const enum_run& from, bool up) {
  const std::int64_t first = from.first + static_cast<std::int64_t>(from.count);
  const std::int64_t left = up ? bounds.high - first + 1 : from.first - bounds.low;
  const auto count =
      left < static_cast<std::int64_t>(enum_chunk) ? left : static_cast<std::int64_t>(enum_chunk);
  return {up ? first : from.first - count, static_cast<std::size_t>(count), false};
}

template <class E, enum_run Run, std::size_t... I>
consteval std::string_view spell_run(std::index_sequence<I...>) {
  // clang instantiates the enumerators of an enum in a class template only after a name was looked
  // up in the enum.
  static_cast<void>(requires { E::looked_for_by_ingot; });
  return signature_arguments(signature_of_values<Run.template value<E>(I)...>());
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// The values of a run that are enumerators: their indices in the run, and the positions of their
/// names in the text of the function signature.
template <std::size_t N>
struct named_values {
  std::size_t count = 0;
  std::array<std::uint16_t, N> index{};
  std::array<std::uint32_t, N> begin{};
  std::array<std::uint32_t, N> end{};

  /// Returns true if one of the last `enum_chunk` values of the run has a name. If `up` is false,
  /// tests the first `enum_chunk` values instead.
  [[nodiscard]] constexpr bool reaches_end(bool up) const noexcept {
    if (count == 0) return false;
    return up ? index[count - 1] + enum_chunk >= N : index[0] < enum_chunk;
  }
};

/// Returns the number of characters of `value` in decimal form.
constexpr std::size_t decimal_length(std::int64_t value) noexcept {
  std::size_t length = value < 0 ? 2 : 1;
  for (; value <= -10 || value >= 10; value /= 10) ++length;
  return length;
}

/// Finds the names of enumerators in a function signature. A signature shows a value that is no
/// enumerator as a cast, `(ns::colour)7`. The text of the cast is the same each time, so its length
/// is skipped without a search for the next comma. This saves time: constant evaluation takes about
/// a microsecond for each character. For an unnamed namespace, clang also writes names with
/// parentheses: `(anonymous namespace)::colour::red`. A cast is then `((anonymous
/// namespace)::colour)7`.
template <std::size_t N>
constexpr named_values<N> find_named(std::string_view text, const enum_run& run) noexcept {
  named_values<N> found;
  const char* const p = text.data();
  const std::size_t size = text.size();
  std::size_t cast = 0;               // length of `(ns::colour)`
  std::size_t scope = 0;              // length of `ns::colour::`
  bool is_parenthesised = false;      // the cast is `((anonymous namespace)::colour)`
  std::size_t digits = 0;             // number of digits; 0: unknown
  std::int64_t same_length_until = 0; // the last value with this number of digits
  std::int64_t value = run.first;
  std::size_t at = 0;
  for (std::size_t i = 0; i < N && at < size; ++i, ++value) {
    if (p[at] == '(' && cast == 0) {
      std::size_t length = 0;
      for (std::size_t depth = 0; depth > 0 || length == 0; ++length) {
        if (p[at + length] == '(') ++depth;
        if (p[at + length] == ')') --depth;
      }
      if (at + length < size && p[at + length] != ':') {
        cast = length;
        is_parenthesised = p[at + 1] == '(';
      }
    }
    const bool is_cast = cast != 0 && p[at] == '(' && (!is_parenthesised || p[at + 1] == '(') &&
                         at + cast < size && p[at + cast - 1] == ')' && p[at + cast] != ':';
    if (is_cast || p[at] == '-' || (p[at] >= '0' && p[at] <= '9')) {
      if (!run.is_powers) {
        if (digits == 0 || value > same_length_until) {
          digits = decimal_length(value);
          std::int64_t power = 1;
          for (std::size_t d = 1; d < (value < 0 ? digits - 1 : digits); ++d) power *= 10;
          same_length_until = value < 0 ? -power : power * 10 - 1;
        }
      }
      if (is_cast) at += cast;
      const std::size_t end = at + digits;
      if (digits != 0 && end <= size && p[end - 1] >= '0' && p[end - 1] <= '9' &&
          (end == size || p[end] == ',')) {
        at = end;
      } else {
        while (at < size && p[at] != ',') ++at;
      }
    } else {
      if (scope == 0) {
        std::string_view rest = text.substr(at);
        scope = static_cast<std::size_t>(trailing_identifier(decode_entry(rest)).data() - (p + at));
      }
      const std::size_t begin = at + scope;
      for (at = begin; at < size && is_identifier_char(p[at]);) ++at;
      found.index[found.count] = static_cast<std::uint16_t>(i);
      found.begin[found.count] = static_cast<std::uint32_t>(begin);
      found.end[found.count++] = static_cast<std::uint32_t>(at);
      while (at < size && p[at] != ',') ++at;
    }
    at += at + 1 < size && p[at + 1] == ' ' ? 2 : 1; // ", ", or "," by Microsoft's compiler
  }
  return found;
}

// The following are variables, and not constants inside functions: clang would evaluate such
// constants again each time it evaluates the function.
template <class E>
inline constexpr enum_bounds enum_bounds_of = bounds_of_enum<E>();
template <class E, enum_run Run>
inline constexpr std::string_view run_text = spell_run<E, Run>(std::make_index_sequence<Run.count>{});
template <class E, enum_run Run>
inline constexpr auto run_names = find_named<Run.count>(run_text<E, Run>, Run);

/// Appends the enumerators of a run to `all`.
template <class E, enum_run Run, class All>
constexpr void append_run(All& all, std::size_t& n) {
  const auto& names = run_names<E, Run>;
  for (std::size_t i = 0; i < names.count; ++i) {
    all[n++] = {Run.template value<E>(names.index[i]),
                run_text<E, Run>.substr(names.begin[i], names.end[i] - names.begin[i])};
  }
}

/// Returns the number of enumerators in the runs above `Run`, or in those below it if `Up` is
/// false. Each further run is queried only if the previous run has enumerators near its end.
template <class E, enum_run Run, bool Up, std::size_t Chunks = 0>
consteval std::size_t count_beyond() {
  constexpr enum_run next = next_enum_run(enum_bounds_of<E>, Run, Up);
  if constexpr (Chunks == enum_chunks_limit || next.count == 0 || !run_names<E, Run>.reaches_end(Up))
    return 0;
  else return run_names<E, next>.count + count_beyond<E, next, Up, Chunks + 1>();
}
template <class E, enum_run Run, bool Up, std::size_t Chunks = 0, class All>
constexpr void append_beyond(All& all, std::size_t& n) {
  constexpr enum_run next = next_enum_run(enum_bounds_of<E>, Run, Up);
  if constexpr (Chunks != enum_chunks_limit && next.count != 0) {
    if constexpr (run_names<E, Run>.reaches_end(Up)) {
      if constexpr (!Up) append_beyond<E, next, Up, Chunks + 1>(all, n);
      append_run<E, next>(all, n);
      if constexpr (Up) append_beyond<E, next, Up, Chunks + 1>(all, n);
    }
  }
}

template <class E>
consteval auto scan_enumerators() {
  constexpr enum_run run = first_enum_run(enum_bounds_of<E>);
  constexpr int powers = enum_bounds_of<E>.powers;
  constexpr enum_run powers_run{10, powers > 10 ? static_cast<std::size_t>(powers - 10) : 0, true};
  constexpr std::int64_t lowest = enum_bounds_of<E>.low; // the value that has only the sign bit
  constexpr enum_run sign{lowest, lowest < run.first ? std::size_t{1} : 0, false};
  std::array<enumerator_info<E>, count_beyond<E, run, false>() + run_names<E, run>.count +
                                     count_beyond<E, run, true>() + run_names<E, powers_run>.count +
                                     run_names<E, sign>.count>
      found{};
  std::size_t n = 0;
  append_run<E, sign>(found, n);
  append_beyond<E, run, false>(found, n);
  append_run<E, run>(found, n);
  append_beyond<E, run, true>(found, n);
  append_run<E, powers_run>(found, n);
  return found;
}
/// The enumerators in no particular order. An enumerator may occur twice.
template <class E>
inline constexpr auto scanned_enumerators = scan_enumerators<E>();

/// True if the scan queried every value of `E`, so that no enumerator is unknown.
template <class E>
inline constexpr bool scan_is_complete = [] {
  constexpr enum_bounds bounds = enum_bounds_of<E>;
  return bounds.low >= -static_cast<std::int64_t>(enum_chunk) && bounds.high <= last_scanned;
}();

} // namespace detail
}} // namespace ingot::INGOT_V1
