// SPDX-License-Identifier: Apache-2.0
// Point in time as a value of a document, for the timestamps of MessagePack and CBOR.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/build_time.hpp>
#include <ingot/document/detail/events.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// A time to store as a timestamp: `doc["at"] = ingot::timestamp(now)` stores `{"$seconds": s,
/// "$nanoseconds": n}`. A writer with `unsupported_values::wrap` writes this object as the
/// timestamp of MessagePack or CBOR. Storing a timestamp fails if the time is not a whole number of
/// nanoseconds.
class timestamp {
public:
  /// Constructs a timestamp from a time point of a clock like `std::chrono::system_clock`.
  template <class TimePoint>
    requires(detail::doc::is_civil_time<TimePoint>())
  explicit timestamp(const TimePoint& at) noexcept
      : is_exact_(detail::from_duration(at.time_since_epoch(), at_) == detail::time_outcome::exact) {}

  /// Writes the timestamp as an object. If the time is not a whole number of nanoseconds, stops the
  /// writing with `out_of_range`.
  void write_events(document_events& to) const {
    if (!is_exact_) {
      to.abandon(errc::out_of_range);
      return;
    }
    to.begin_object();
    to.key(detail::doc::timestamp_seconds);
    to.integer(at_.seconds);
    to.key(detail::doc::timestamp_nanoseconds);
    to.integer(at_.nanoseconds);
    to.end();
  }

private:
  detail::instant at_;
  bool is_exact_ = false;
};

}} // namespace ingot::INGOT_V1
