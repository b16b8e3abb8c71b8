// SPDX-License-Identifier: Apache-2.0
// The exception for a key that finds no slot in a hash table because too many keys collide. The
// reason is not a lack of memory.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <exception>
#if !INGOT_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 {

/// Thrown by insertions into a hash table whose keys collide under every seed that was tried. The
/// container is unchanged. Functions that return errors return `errc::too_many_collisions` instead.
class too_many_collisions : public std::exception {
public:
  [[nodiscard]] const char* what() const noexcept override {
    return "ingot: the keys of a hash table collide under every seed: they were chosen with knowledge of "
           "its seeds, or the system gives seeds that are not random";
  }
};

namespace detail {

[[noreturn]] INGOT_COLD inline void throw_too_many_collisions() {
#if INGOT_EXCEPTIONS
  throw too_many_collisions();
#else
  std::fputs(too_many_collisions().what(), stderr);
  std::fputs(" (without exceptions: use the try_ form)\n", stderr);
  std::abort();
#endif
}

} // namespace detail
}} // namespace ingot::INGOT_V1
