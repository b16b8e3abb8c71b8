// SPDX-License-Identifier: Apache-2.0
// Members that are google.protobuf messages: times, and documents (see value.hpp).
#pragma once

#include <ingot/protobuf/detail/field_table.hpp>
#include <ingot/protobuf/detail/known_time.hpp>
#include <ingot/protobuf/detail/proto_type.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// The definition is in <ingot/protobuf/value.hpp>, so that programs without documents need not
/// compile it. If the include is missing, the compiler prints the name of this class.
template <class T>
struct a_document_as_google_protobuf_value_needs_ingot_protobuf_value_hpp;
template <class T>
using value_codec = a_document_as_google_protobuf_value_needs_ingot_protobuf_value_hpp<T>;

template <class T>
inline constexpr known_period period_of{static_cast<std::uint64_t>(T::period::num),
                                        static_cast<std::uint64_t>(T::period::den)};

template <class T>
[[nodiscard]] constexpr auto count_of(const T& time) noexcept {
  if constexpr (kind_of<T> == kind::time_point) return time.time_since_epoch().count();
  else return time.count();
}
template <known_message What, class T>
[[nodiscard]] bool split_time(const T& value, known_time& out) {
  const auto count = count_of(value);
  return std::in_range<std::int64_t>(count) &&
         out.split(What, period_of<T>, static_cast<std::int64_t>(count));
}
/// Converts a time to a `T`. Returns false if `T` cannot hold the time.
template <known_message What, class T>
[[nodiscard]] bool join_time(const known_time& time, T& out) {
  using rep = typename T::rep;
  std::int64_t count = 0;
  if (!time.check(What) || !time.join(period_of<T>, count) || !std::in_range<rep>(count)) return false;
  if constexpr (kind_of<T> == kind::time_point) out = T(typename T::duration(static_cast<rep>(count)));
  else out = T(static_cast<rep>(count));
  return true;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
