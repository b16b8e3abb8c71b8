// SPDX-License-Identifier: Apache-2.0
// Points in time and durations as seconds and nanoseconds. Converts them from and to ISO 8601 text,
// numbers of seconds, and std::chrono.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/widen_float.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A duration, or the time since 1970-01-01T00:00:00Z without leap seconds. It has whole seconds,
/// rounded down, and the nanoseconds after them.
struct instant {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0; ///< less than 1,000,000,000
  bool operator==(const instant&) const = default;
};

/// Result of a conversion. The target is written only if the result is `exact`.
enum class time_outcome : std::uint8_t {
  exact,
  malformed,    ///< the text does not have the required form
  inexact,      ///< the value is no whole number of the target's unit
  out_of_range, ///< the value does not fit in the target
};

inline constexpr std::int64_t nanoseconds_in_second = 1'000'000'000;
inline constexpr std::int64_t seconds_in_day = 86'400;
/// Maximum number of characters that `write_time_text` and `write_duration_text` write.
inline constexpr std::size_t max_time_text = 40;

/// Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar. O(1). `year` is
/// from -10^12 to 10^12.
[[nodiscard]] constexpr std::int64_t days_of_date(std::int64_t year, unsigned month, unsigned day) noexcept {
  year -= month <= 2 ? 1 : 0; // years begin in March, so a leap day is the last day of a year
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}
[[nodiscard]] constexpr unsigned days_in_month(std::int64_t year, unsigned month) noexcept {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/// Text from which numbers and characters are read in order.
class time_scanner {
public:
  constexpr explicit time_scanner(std::string_view text) noexcept : left_(text) {}

  [[nodiscard]] constexpr bool done() const noexcept { return left_.empty(); }
  [[nodiscard]] constexpr bool take(char c) noexcept {
    if (left_.empty() || left_[0] != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] constexpr std::size_t digits() const noexcept {
    std::size_t count = 0;
    while (count < left_.size() && left_[count] >= '0' && left_[count] <= '9') ++count;
    return count;
  }
  /// Reads a number of `count` digits. Returns false if `count` is 0 or more than 19, or if there
  /// are fewer digits.
  [[nodiscard]] constexpr bool number(std::size_t count, std::uint64_t& to) noexcept {
    if (count == 0 || count > 19 || digits() < count) return false;
    to = 0;
    for (std::size_t i = 0; i < count; ++i) to = to * 10 + static_cast<std::uint64_t>(left_[i] - '0');
    left_.remove_prefix(count);
    return true;
  }
  [[nodiscard]] constexpr bool number(std::size_t count, unsigned low, unsigned high, unsigned& to) noexcept {
    std::uint64_t found = 0;
    if (!number(count, found) || found < low || found > high) return false;
    to = static_cast<unsigned>(found);
    return true;
  }
  /// Reads the digits after a decimal point. Digits after the ninth must be 0.
  [[nodiscard]] constexpr time_outcome fraction(std::uint32_t& nanoseconds) noexcept {
    const std::size_t count = digits();
    if (count == 0) return time_outcome::malformed;
    std::uint32_t value = 0;
    bool is_exact = true;
    for (std::size_t i = 0; i < count || i < 9; ++i) {
      const auto digit = i < count ? static_cast<std::uint32_t>(left_[i] - '0') : 0;
      if (i < 9) value = value * 10 + digit;
      else is_exact = is_exact && digit == 0;
    }
    left_.remove_prefix(count);
    nanoseconds = value;
    return is_exact ? time_outcome::exact : time_outcome::inexact;
  }

private:
  std::string_view left_;
};

/// Reads a point in time from ISO 8601 text in the form of RFC 3339, `2023-11-14T22:13:20.5Z`. The
/// offset from UTC is `Z` or `+hh:mm`, and required after a time of day. Seconds are optional. A
/// date without a time of day means 00:00 UTC. Years outside of 0000 to 9999 have a sign and 6 to
/// 12 digits. Rejects leap seconds (`23:59:60`): an `instant` can't represent them. O(characters).
[[nodiscard]] constexpr time_outcome read_time_text(std::string_view text, instant& to) noexcept {
  using enum time_outcome;
  time_scanner in(text);
  const bool is_before = in.take('-');
  const bool is_long = is_before || in.take('+');
  const std::size_t year_digits = is_long ? in.digits() : 4;
  std::uint64_t year_number = 0;
  unsigned month = 0;
  unsigned day = 0;
  if ((is_long && (year_digits < 6 || year_digits > 12)) || !in.number(year_digits, year_number) ||
      !in.take('-') || !in.number(2, 1, 12, month) || !in.take('-'))
    return malformed;
  const auto year = static_cast<std::int64_t>(is_before ? 0 - year_number : year_number);
  if (!in.number(2, 1, days_in_month(year, month), day)) return malformed;
  const std::int64_t days = days_of_date(year, month, day);
  std::int64_t seconds = 0;
  instant time;
  if (!in.done()) {
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
    if ((!in.take('T') && !in.take('t') && !in.take(' ')) || !in.number(2, 0, 23, hour) || !in.take(':') ||
        !in.number(2, 0, 59, minute))
      return malformed;
    if (in.take(':')) {
      if (!in.number(2, 0, 59, second)) return malformed;
      if (in.take('.') || in.take(',')) {
        if (const auto read = in.fraction(time.nanoseconds); read != exact) return read;
      }
    }
    seconds = std::int64_t{hour} * 3600 + minute * 60 + second;
    if (!in.take('Z') && !in.take('z')) {
      const bool is_west = in.take('-');
      unsigned hours = 0;
      unsigned minutes = 0;
      if ((!is_west && !in.take('+')) || !in.number(2, 0, 23, hours)) return malformed;
      if (!in.done()) {
        static_cast<void>(in.take(':'));
        if (!in.number(2, 0, 59, minutes)) return malformed;
      }
      const std::int64_t offset = std::int64_t{hours} * 3600 + minutes * 60;
      seconds += is_west ? offset : -offset;
    }
    if (!in.done()) return malformed;
  }
  std::int64_t at_midnight = 0;
  if (__builtin_mul_overflow(days, seconds_in_day, &at_midnight) ||
      __builtin_add_overflow(at_midnight, seconds, &time.seconds))
    return out_of_range;
  to = time;
  return exact;
}

/// Appends a number. If it has less than `width` digits, zeros are added in front.
[[nodiscard]] constexpr char* write_digits(char* to, std::uint64_t number, unsigned width) noexcept {
  char reversed[20];
  unsigned count = 0;
  for (; number != 0 || count < width; number /= 10) reversed[count++] = static_cast<char>('0' + number % 10);
  while (count != 0) *to++ = reversed[--count];
  return to;
}
/// Appends a decimal point and 3, 6 or 9 digits, or nothing for a whole number.
[[nodiscard]] constexpr char* write_fraction(char* to, std::uint32_t nanoseconds) noexcept {
  if (nanoseconds == 0) return to;
  *to++ = '.';
  if (nanoseconds % 1'000'000 == 0) return write_digits(to, nanoseconds / 1'000'000, 3);
  if (nanoseconds % 1'000 == 0) return write_digits(to, nanoseconds / 1'000, 6);
  return write_digits(to, nanoseconds, 9);
}

/// Writes a point in time in UTC, in the form that `read_time_text` reads. Returns the end of the
/// text. Requires space for `max_time_text` characters at `to`.
[[nodiscard]] constexpr char* write_time_text(char* to, const instant& from) noexcept {
  std::int64_t days = from.seconds / seconds_in_day;
  std::int64_t rest = from.seconds % seconds_in_day;
  if (rest < 0) {
    rest += seconds_in_day;
    --days;
  }
  days += 719'468; // counted from 0000-03-01
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  // number of the month: 0 for March, 11 for February
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<std::uint64_t>(day_of_year - (153 * shifted + 2) / 5 + 1);
  const auto month = static_cast<std::uint64_t>(shifted < 10 ? shifted + 3 : shifted - 9);
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0 || year > 9999) *to++ = year < 0 ? '-' : '+';
  to = write_digits(to, static_cast<std::uint64_t>(year < 0 ? -year : year), year < 0 || year > 9999 ? 6 : 4);
  *to++ = '-';
  to = write_digits(to, month, 2);
  *to++ = '-';
  to = write_digits(to, day, 2);
  *to++ = 'T';
  to = write_digits(to, static_cast<std::uint64_t>(rest / 3600), 2);
  *to++ = ':';
  to = write_digits(to, static_cast<std::uint64_t>(rest / 60 % 60), 2);
  *to++ = ':';
  to = write_digits(to, static_cast<std::uint64_t>(rest % 60), 2);
  to = write_fraction(to, from.nanoseconds);
  *to++ = 'Z';
  return to;
}

/// Returns true if the text begins like a duration of ISO 8601.
[[nodiscard]] constexpr bool is_duration_text(std::string_view text) noexcept {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text.starts_with('P');
}
/// Reads a duration from ISO 8601 text: `PT1.5S`, `-P1DT2H`, `P2W`. Rejects years and months, which
/// have no fixed length. Only seconds may have a fraction. O(characters).
[[nodiscard]] constexpr time_outcome read_duration_text(std::string_view text, instant& to) noexcept {
  using enum time_outcome;
  struct unit {
    char name;
    std::uint64_t seconds;
    bool is_time;
  };
  constexpr unit units[] = {
      {'W', 604'800, false}, {'D', 86'400, false}, {'H', 3600, true}, {'M', 60, true}, {'S', 1, true}};
  time_scanner in(text);
  const bool is_negative = in.take('-');
  if (!is_negative) static_cast<void>(in.take('+'));
  if (!in.take('P') || in.done()) return malformed;
  std::uint64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  bool in_time = false;
  std::size_t next = 0; // first unit that may follow: each unit occurs at most once, in order
  while (!in.done()) {
    if (!in_time && in.take('T')) {
      in_time = true;
      if (in.done()) return malformed;
    }
    const std::size_t count = in.digits();
    if (count > 19) return out_of_range;
    std::uint64_t number = 0;
    if (!in.number(count, number)) return malformed;
    const bool has_fraction = in.take('.') || in.take(',');
    if (has_fraction) {
      if (const auto read = in.fraction(nanoseconds); read != exact) return read;
    }
    while (next < std::size(units) && (units[next].is_time != in_time || !in.take(units[next].name))) ++next;
    if (next == std::size(units) || (has_fraction && units[next].name != 'S')) return malformed;
    std::uint64_t part = 0;
    if (__builtin_mul_overflow(number, units[next].seconds, &part) ||
        __builtin_add_overflow(seconds, part, &seconds))
      return out_of_range;
    ++next;
  }
  constexpr std::uint64_t max_seconds = std::numeric_limits<std::int64_t>::max();
  if (is_negative && nanoseconds != 0) {
    if (++seconds == 0) return out_of_range;
    nanoseconds = static_cast<std::uint32_t>(nanoseconds_in_second - nanoseconds);
  }
  if (seconds > max_seconds + (is_negative ? 1 : 0)) return out_of_range;
  if (is_negative) seconds = 0 - seconds;
  to = {static_cast<std::int64_t>(seconds), nanoseconds};
  return exact;
}
/// Writes a duration in seconds, in the form that `read_duration_text` reads. Returns the end of
/// the text. Requires space for `max_time_text` characters at `to`.
[[nodiscard]] constexpr char* write_duration_text(char* to, const instant& from) noexcept {
  std::uint64_t whole = static_cast<std::uint64_t>(from.seconds);
  std::uint32_t rest = from.nanoseconds;
  if (from.seconds < 0) {
    *to++ = '-';
    whole = 0 - whole - (rest != 0 ? 1 : 0);
    if (rest != 0) rest = static_cast<std::uint32_t>(nanoseconds_in_second - rest);
  }
  *to++ = 'P';
  *to++ = 'T';
  to = write_digits(to, whole, 1);
  to = write_fraction(to, rest);
  *to++ = 'S';
  return to;
}

/// Converts a number of seconds. Takes the shortest decimal number that converts back to the same
/// double, and rounds this number to nanoseconds. A double near the present time is exact to about
/// 7 digits after the point. So 1700000000.1 becomes exactly a tenth of a second after 1700000000,
/// although the value of the double is not exactly 1700000000.1.
[[nodiscard]] INGOT_COMPILED time_outcome read_time_number(double from, instant& to) noexcept;

/// Returns the number of periods of `by` / `times` seconds. Rounds each operation to `Real`, also
/// if options allow the compiler to join operations, so that all programs get the same bits.
template <std::floating_point Real>
[[nodiscard]] constexpr Real in_periods(const instant& from, Real times, Real by) noexcept {
  // Quotients of floats are computed as doubles, and have the same bits: with -ffast-math, clang
  // estimates quotients of floats, but not of doubles.
  const auto divided = [](Real number, Real by_number) {
    const double quotient = static_cast<double>(number) / rounded(static_cast<double>(by_number));
    return rounded(static_cast<Real>(rounded(quotient)));
  };
  const auto count = [&](Real seconds) { return divided(rounded(seconds * times), by); };
  return count(static_cast<Real>(from.seconds)) +
         divided(count(static_cast<Real>(from.nanoseconds)), static_cast<Real>(nanoseconds_in_second));
}

/// Converts to a `std::chrono::duration`; this header does not include <chrono>. If `rep` is an
/// integer, the result is exact. If `rep` is a floating-point type, the result is rounded.
template <class Duration>
[[nodiscard]] constexpr time_outcome to_duration(const instant& from, Duration& to) noexcept {
  using enum time_outcome;
  using Rep = typename Duration::rep;
  constexpr std::int64_t num = Duration::period::num;
  constexpr std::int64_t den = Duration::period::den;
  std::int64_t seconds = from.seconds;
  auto rest = static_cast<std::int64_t>(from.nanoseconds);
  if constexpr (std::floating_point<Rep>) {
    to = Duration(in_periods(from, static_cast<Rep>(den), static_cast<Rep>(num)));
    return exact;
  } else if constexpr (std::integral<Rep>) {
    // both parts get the same sign, so that neither is out of range if their sum is in range
    if (seconds < 0 && rest != 0) {
      ++seconds;
      rest -= nanoseconds_in_second;
    }
    std::int64_t count = 0;
    if constexpr (den == 1) {
      if (rest != 0) return inexact;
      count = seconds;
    } else {
      std::int64_t parts = 0; // `rest` in units of the period
      if constexpr (den <= nanoseconds_in_second) {
        if (rest * den % nanoseconds_in_second != 0) return inexact;
        parts = rest * den / nanoseconds_in_second;
      } else if constexpr (den % nanoseconds_in_second == 0) {
        if (__builtin_mul_overflow(rest, den / nanoseconds_in_second, &parts)) return out_of_range;
      } else if (rest != 0) {
        return inexact;
      }
      if (__builtin_mul_overflow(seconds, den, &count) || __builtin_add_overflow(count, parts, &count))
        return out_of_range;
    }
    if (count % num != 0) return inexact;
    count /= num;
    if (!std::in_range<Rep>(count)) return out_of_range;
    to = Duration(static_cast<Rep>(count));
    return exact;
  } else {
    return inexact; // the number type is a class: whether it can hold the value is unknown
  }
}
/// Converts from a `std::chrono::duration`. A value that is no whole number of nanoseconds is
/// `inexact`, unless `rep` is a floating-point type.
template <class Duration>
[[nodiscard]] constexpr time_outcome from_duration(const Duration& from, instant& to) noexcept {
  using enum time_outcome;
  using Rep = typename Duration::rep;
  constexpr std::int64_t num = Duration::period::num;
  constexpr std::int64_t den = Duration::period::den;
  if constexpr (std::floating_point<Rep>) {
    const double product = rounded(float_to_double(from.count()) * static_cast<double>(num));
    return read_time_number(product / rounded(static_cast<double>(den)), to);
  } else if constexpr (std::integral<Rep>) {
    std::int64_t count = 0;
    if (!std::in_range<std::int64_t>(from.count()) ||
        __builtin_mul_overflow(static_cast<std::int64_t>(from.count()), num, &count))
      return out_of_range;
    std::int64_t whole = count / den;
    std::int64_t rest = count % den;
    if (rest < 0) {
      rest += den;
      --whole;
    }
    if constexpr (den <= nanoseconds_in_second) {
      if (rest * nanoseconds_in_second % den != 0) return inexact;
      rest = rest * nanoseconds_in_second / den;
    } else if constexpr (den % nanoseconds_in_second == 0) {
      if (rest % (den / nanoseconds_in_second) != 0) return inexact;
      rest /= den / nanoseconds_in_second;
    } else {
      if (rest != 0) return inexact;
    }
    to = {whole, static_cast<std::uint32_t>(rest)};
    return exact;
  } else {
    return inexact;
  }
}

}}} // namespace ingot::INGOT_V1::detail

#if defined(INGOT_HEADER_ONLY)
#include <ingot/core/compiled/time_text.hpp>
#include <ingot/core/detail/widen_float.hpp>
#endif
