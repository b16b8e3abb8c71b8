// SPDX-License-Identifier: Apache-2.0
// google.protobuf.Timestamp and Duration: converts counts of any period to seconds and nanoseconds
// and back, exactly.
#pragma once

#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/schema/detail/proto_shape.hpp>

#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

using ingot::detail::known_message;

/// The unit of a count: num/den seconds. Requires that `has_known_period(num, den)` is true.
struct known_period {
  std::uint64_t num;
  std::uint64_t den;
};

[[nodiscard]] constexpr std::string_view time_expected(known_message what) noexcept {
  return what == known_message::timestamp
             ? "a time from year 1 to 9999 that is a whole count of the member's period"
             : "a duration of at most 10000 years that is a whole count of the member's period";
}

struct known_time {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;

  /// Returns true if protobuf allows the time. The nanoseconds of a timestamp are not negative. The
  /// nanoseconds of a duration have the sign of the seconds.
  [[nodiscard]] constexpr bool check(known_message what) const noexcept {
    if (what == known_message::timestamp)
      return seconds >= -62'135'596'800 && seconds <= 253'402'300'799 && nanos >= 0 && nanos <= 999'999'999;
    if (seconds < -315'576'000'000 || seconds > 315'576'000'000 || nanos < -999'999'999 ||
        nanos > 999'999'999)
      return false;
    return seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0);
  }
  /// Splits a count. Returns false if the nanoseconds are not a whole number, or if protobuf does
  /// not allow the time.
  [[nodiscard]] constexpr bool split(known_message what, const known_period& period,
                                     std::int64_t count) noexcept {
    const auto num = static_cast<std::int64_t>(period.num); // both are at most 2^62
    const auto den = static_cast<std::int64_t>(period.den);
    const std::int64_t whole = count / den;
    constexpr std::int64_t max_seconds = std::int64_t{1} << 50; // far more than protobuf allows
    if (whole > max_seconds / num || whole < -max_seconds / num) return false;
    const std::int64_t part = count % den * num;
    const std::int64_t common = std::gcd(den, billion);
    const std::int64_t scaled = part % den * (billion / common);
    if (scaled % (den / common) != 0) return false;
    seconds = whole * num + part / den;
    nanos = static_cast<std::int32_t>(scaled / (den / common));
    if (what == known_message::timestamp && nanos < 0) {
      nanos += static_cast<std::int32_t>(billion);
      --seconds;
    }
    return check(what);
  }
  /// Converts the time to a count. Requires that `check` returned true. Returns false if the count
  /// is not a whole number, or if it needs more than 64 bits.
  [[nodiscard]] constexpr bool join(const known_period& period, std::int64_t& count) const noexcept {
    const auto num = static_cast<std::int64_t>(period.num);
    const auto den = static_cast<std::int64_t>(period.den);
    // Gives seconds and nanoseconds the same sign. Otherwise the count of the seconds alone could
    // need more than 64 bits, although the count of the whole time fits.
    const bool is_mixed = seconds < 0 && nanos > 0;
    const std::int64_t whole = is_mixed ? seconds + 1 : seconds;
    const std::int64_t rest = is_mixed ? nanos - billion : nanos;
    const std::int64_t common = std::gcd(den, billion);
    const std::int64_t scaled = rest * (den / common);
    if (scaled % (billion / common) != 0) return false;
    const std::int64_t part = scaled / (billion / common);
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    if (whole > highest / den || whole < lowest / den) return false;
    const std::int64_t ticks = whole * den;
    if (part > 0 ? ticks > highest - part : ticks < lowest - part) return false;
    if ((ticks + part) % num != 0) return false;
    count = (ticks + part) / num;
    return true;
  }

private:
  static constexpr std::int64_t billion = 1'000'000'000;
};

/// Writes the fields of a google.protobuf.Timestamp or Duration.
inline void put_time(wire_writer& to, const known_time& time) {
  if (time.seconds != 0) {
    to.tag(1, wire::varint);
    to.varint(static_cast<std::uint64_t>(time.seconds));
  }
  if (time.nanos != 0) {
    to.tag(2, wire::varint);
    to.varint(static_cast<std::uint64_t>(std::int64_t{time.nanos}));
  }
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
