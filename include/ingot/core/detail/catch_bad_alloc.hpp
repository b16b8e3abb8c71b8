// SPDX-License-Identifier: Apache-2.0
// What ingot returns as an error the standard containers throw: where they are filled with what came from outside, running out of
// memory becomes `no_memory`. So do keys that find no place in ours: `too_many_collisions`.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/too_many_collisions.hpp>

#include <new>
#include <stdexcept>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Runs `call`, turning the standard library's out-of-memory exception into our error.
template <class Call>
INGOT_INLINE constexpr auto catch_bad_alloc(Call&& call) -> decltype(call()) {
#if INGOT_EXCEPTIONS
  if !consteval {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      return ingot::fail(error{errc::no_memory}.with_expected("enough memory"));
    } catch (const std::length_error&) { // more elements than the machine can address, on one of 32 bits
      return ingot::fail(error{errc::no_memory}.with_expected("memory for this many elements"));
    } catch (const too_many_collisions&) {
      return ingot::fail(errc::too_many_collisions);
    }
  }
#endif
  return call();
}

}}} // namespace ingot::INGOT_V1::detail
