// SPDX-License-Identifier: Apache-2.0
// Converts exceptions to errors. If memory runs out while a reader fills a standard container, the
// exception of the container becomes `no_memory`. The exception for a key that finds no slot in one
// of ingot's hash tables becomes `errc::too_many_collisions`.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/too_many_collisions.hpp>

#include <new>
#include <stdexcept>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Calls `call`, and converts the exceptions `bad_alloc`, `length_error` and `too_many_collisions`
/// to errors.
template <class Call>
INGOT_INLINE constexpr auto catch_bad_alloc(Call&& call) -> decltype(call()) {
#if INGOT_EXCEPTIONS
  if !consteval {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      return ingot::fail(error{errc::no_memory}.with_expected("enough memory"));
    } catch (const std::length_error&) { // more elements than a 32-bit machine can address
      return ingot::fail(error{errc::no_memory}.with_expected("memory for this many elements"));
    } catch (const too_many_collisions&) {
      return ingot::fail(errc::too_many_collisions);
    }
  }
#endif
  return call();
}

}}} // namespace ingot::INGOT_V1::detail
