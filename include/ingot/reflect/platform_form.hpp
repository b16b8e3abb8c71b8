// SPDX-License-Identifier: Apache-2.0
// The stored form of standard types whose width or period differs between platforms. The stored
// form is the same on every platform.
//
//   long, unsigned long                          64 bits
//   system_clock time points that count          64-bit nanoseconds since 1970: the period of
//     microseconds or 100 ns                     system_clock is 1 ns in libstdc++, 1 us in libc++
//                                                and 100 ns in MSVC's library
//   minutes, hours, days ... years in 32 bits    64 bits: libraries count these in int, long or
//                                                long long
//   enums that -fshort-enums makes small         32 bits
//   enums of long, unsigned long                 64 bits
//
// In a live block these types have the form of the compiler: the layout of the block describes this
// form.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/detail/wide_enum.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {
namespace detail {

/// The stored integer for an integer of type `N`: `long` is stored in 64 bits on every platform.
template <class N>
using stored_integer_t = std::conditional_t<
    sizeof(N) == sizeof(std::int64_t), N,
    std::conditional_t<std::is_same_v<N, long>, std::int64_t,
                       std::conditional_t<std::is_same_v<N, unsigned long>, std::uint64_t, N>>>;

/// Returns true if a period of num/den seconds has a named type in <chrono>, from
/// `std::chrono::minutes` to `years`. The standard does not define the width of the counts of these
/// types.
consteval bool is_named_period(std::intmax_t num, std::intmax_t den) {
  return den == 1 && (num == 60 || num == 3600 || num == 86'400 || num == 604'800 || num == 2'629'746 ||
                      num == 31'556'952);
}

/// A `std::chrono::duration`, recognised by its template arguments: this header does not include
/// <chrono>.
template <class T>
struct duration_shape {
  static constexpr bool is_duration = false;
};
template <template <class, class> class Duration, class Rep,
          template <std::intmax_t, std::intmax_t> class Ratio, std::intmax_t Num, std::intmax_t Den>
  requires requires(const Duration<Rep, Ratio<Num, Den>>& d) {
    typename Duration<Rep, Ratio<Num, Den>>::period;
    d.count();
  }
struct duration_shape<Duration<Rep, Ratio<Num, Den>>> {
  static constexpr bool is_duration = true;
  static constexpr std::intmax_t num = Num;
  static constexpr std::intmax_t den = Den;
  using rep = Rep;
  using stored_rep = std::conditional_t<std::is_integral_v<Rep> && std::is_signed_v<Rep> &&
                                            sizeof(Rep) == 4 && is_named_period(Num, Den),
                                        std::int64_t, stored_integer_t<Rep>>;
  using stored = Duration<stored_rep, Ratio<Num, Den>>;
  using nanoseconds = Duration<std::int64_t, Ratio<1, 1'000'000'000>>;
};

/// `std::chrono::system_clock`: the only clock of the standard with conversions to `std::time_t`.
template <class Clock>
concept system_clock_like =
    requires(typename Clock::time_point t) { Clock::from_time_t(Clock::to_time_t(t)); };

template <class T>
struct time_point_shape {
  static constexpr bool is_time_point = false;
};
template <template <class, class> class TimePoint, class Clock, class Duration>
  requires(duration_shape<Duration>::is_duration &&
           requires(const TimePoint<Clock, Duration>& t) { t.time_since_epoch(); })
struct time_point_shape<TimePoint<Clock, Duration>> {
  using parts = duration_shape<Duration>;
  static constexpr bool is_time_point = true;
  /// True for the periods of `system_clock` that are not a nanosecond: the microsecond of libc++,
  /// and the 100 ns of MSVC's library.
  static constexpr bool is_clock_default =
      system_clock_like<Clock> && std::is_integral_v<typename parts::rep> &&
      std::is_signed_v<typename parts::rep> && sizeof(typename parts::rep) == 8 && parts::num == 1 &&
      (parts::den == 1'000'000 || parts::den == 10'000'000);
  using stored =
      TimePoint<Clock,
                std::conditional_t<is_clock_default, typename parts::nanoseconds, typename parts::stored>>;
};

template <class T>
consteval auto platform_form() {
  if constexpr (std::is_same_v<T, long> || std::is_same_v<T, unsigned long>)
    return std::type_identity<stored_integer_t<T>>();
  else if constexpr (short_enum<T>) return std::type_identity<typename wide_enum<T>::type>();
  else if constexpr (!std::is_class_v<T>) return std::type_identity<T>();
  else if constexpr (time_point_shape<T>::is_time_point)
    return std::type_identity<typename time_point_shape<T>::stored>();
  else if constexpr (duration_shape<T>::is_duration)
    return std::type_identity<typename duration_shape<T>::stored>();
  else return std::type_identity<T>();
}
template <class T>
using platform_form_t = typename decltype(platform_form<T>())::type;

/// Standard types whose stored form differs from the compiler's form, by the rules above.
template <class T>
concept differs_by_platform = !std::is_same_v<platform_form_t<T>, T>;

template <class T>
inline constexpr std::string_view platform_range = "a number that this platform's type can hold";
template <class T>
  requires std::is_same_v<T, long>
inline constexpr std::string_view platform_range<T> = "a number that long holds here, where it has 32 bits";
template <class T>
  requires std::is_same_v<T, unsigned long>
inline constexpr std::string_view platform_range<T> =
    "a number that unsigned long holds here, where it has 32 bits";
template <short_enum T>
inline constexpr std::string_view platform_range<T> = "a number that the enum holds on this platform";
template <class T>
  requires(std::is_class_v<T> && time_point_shape<T>::is_time_point)
inline constexpr std::string_view platform_range<T> =
    !time_point_shape<T>::is_clock_default ? "a time that this platform's type can hold"
    : time_point_shape<T>::parts::den == 1'000'000
        ? "a time in whole microseconds, between the years 1677 and 2262"
        : "a time in whole units of 100 ns, between the years 1677 and 2262";
template <class T>
  requires(std::is_class_v<T> && duration_shape<T>::is_duration)
inline constexpr std::string_view platform_range<T> = "a duration that this platform's type can hold";

} // namespace detail

/// The stored form of `long` with 32 bits, and of the times and enums in the list at the top of
/// this file. A specialisation for one of these types by the user has precedence.
template <detail::differs_by_platform T>
struct adapt<T> {
  /// The stored form of `T`.
  using stored_type = detail::platform_form_t<T>;
  /// Distinguishes this specialisation from those of users. Live blocks ignore this specialisation:
  /// in a block, the type is unchanged.
  using is_platform_form = void;

  /// Returns false for a time that 64 bits of nanoseconds can't hold. Writers reject such a time
  /// with `out_of_range`.
  [[nodiscard]] static constexpr bool fits([[maybe_unused]] const T& value) noexcept {
    if constexpr (factor() == 1) {
      return true;
    } else {
      constexpr std::int64_t max_count = std::numeric_limits<std::int64_t>::max() / factor();
      const std::int64_t count = value.time_since_epoch().count();
      return count <= max_count && count >= -max_count;
    }
  }
  /// Returns the text of `error::expected()` for a value that `T` can't hold on this platform.
  [[nodiscard]] static constexpr std::string_view expected() noexcept { return detail::platform_range<T>; }

  /// Returns the stored form of `value`, or `{}` if it does not fit. O(1).
  [[nodiscard]] static constexpr stored_type to(const T& value) noexcept {
    if constexpr (factor() != 1) {
      using duration = typename stored_type::duration;
      if (!fits(value)) return {}; // writers reject such a value first
      return stored_type(duration(std::int64_t{value.time_since_epoch().count()} * factor()));
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<stored_type>(value);
    } else if constexpr (std::is_integral_v<T>) {
      return value;
    } else if constexpr (detail::time_point_shape<T>::is_time_point) {
      return stored_type(typename stored_type::duration(value.time_since_epoch().count()));
    } else {
      return stored_type(value.count());
    }
  }
  /// Returns the value of a stored form. O(1). Errors: `out_of_range` if this platform's type can't
  /// hold the value.
  [[nodiscard]] static constexpr result<T> from(const stored_type& stored) {
    if constexpr (std::is_enum_v<T>) {
      return narrowed<std::underlying_type_t<T>>(static_cast<std::underlying_type_t<stored_type>>(stored),
                                                 [](auto number) { return static_cast<T>(number); });
    } else if constexpr (std::is_integral_v<T>) {
      return narrowed<T>(stored, [](T count) { return count; });
    } else if constexpr (detail::time_point_shape<T>::is_time_point) {
      const std::int64_t count = stored.time_since_epoch().count();
      if (count % factor() != 0) return range_error();
      return narrowed<typename T::duration::rep>(count / factor(),
                                                 [](auto number) { return T(typename T::duration(number)); });
    } else {
      return narrowed<typename T::rep>(stored.count(), [](auto number) { return T(number); });
    }
  }

private:
  /// Returns the number of stored units in one unit of the type.
  [[nodiscard]] static consteval std::int64_t factor() {
    if constexpr (!std::is_class_v<T>) return 1;
    else if constexpr (!detail::time_point_shape<T>::is_time_point) return 1;
    else if constexpr (!detail::time_point_shape<T>::is_clock_default) return 1;
    else return 1'000'000'000 / detail::time_point_shape<T>::parts::den;
  }
  [[nodiscard]] static constexpr std::unexpected<error> range_error() {
    return std::unexpected(error{errc::out_of_range}.with_expected(expected()));
  }
  template <class N, class Stored, class Make>
  [[nodiscard]] static constexpr result<T> narrowed(Stored count, Make make) {
    if (count < std::numeric_limits<N>::min() || count > std::numeric_limits<N>::max()) return range_error();
    return make(static_cast<N>(count));
  }
};

namespace detail {

/// Types whose stored form is the one of this file. The user has not specialised `adapt` for them.
template <class T>
concept has_platform_form = requires { typename adapt<T>::is_platform_form; };

/// Types with values that have no stored form, so that writers may have to reject a value.
template <class T>
concept may_not_fit = has_platform_form<T> && !std::is_arithmetic_v<T> &&
                      requires { requires time_point_shape<T>::is_clock_default; };

} // namespace detail
}} // namespace ingot::INGOT_V1
