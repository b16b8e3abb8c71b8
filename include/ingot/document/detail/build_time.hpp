// SPDX-License-Identifier: Apache-2.0
// Time points as wrapped timestamps. Writers of MessagePack and CBOR write such a value as a
// timestamp of the format.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/platform_form.hpp>

#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

template <class T>
consteval bool is_civil_time() {
  if constexpr (time_point_like<T>) return system_clock_like<typename T::clock>;
  else return false;
}

inline constexpr document_key timestamp_seconds("$seconds");
inline constexpr document_key timestamp_nanoseconds("$nanoseconds");

}}} // namespace ingot::INGOT_V1::detail::doc
