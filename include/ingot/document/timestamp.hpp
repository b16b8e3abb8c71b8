// SPDX-License-Identifier: Apache-2.0
// A point in time as a value of a document that MessagePack and CBOR have timestamps for.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/build_time.hpp>
#include <ingot/document/detail/events.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// A time that is set as a timestamp, `doc["at"] = ingot::timestamp(now)`: `{"$seconds": s,
/// "$nanoseconds": n}`, which a writer with `unsupported_values::wrap` writes as MessagePack's or CBOR's.
/// Setting it fails where the time is no whole number of nanoseconds.
class timestamp {
public:
  template <class TimePoint>
    requires(detail::doc::is_civil_time<TimePoint>())
  explicit timestamp(const TimePoint& at) noexcept
      : is_exact_(detail::from_duration(at.time_since_epoch(), at_) == detail::time_outcome::exact) {}

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
