// SPDX-License-Identifier: Apache-2.0
// Reports a missing element or a text position past the end: throws std::out_of_range or, without
// exceptions, ends the program.
#pragma once

#include <ingot/core/detail/config.hpp>

#if INGOT_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

[[noreturn]] INGOT_COLD inline void throw_out_of_range(const char* what) {
#if INGOT_EXCEPTIONS
  throw std::out_of_range(what);
#else
  std::fprintf(stderr, "%s (without exceptions: use find or get_if)\n", what);
  std::abort();
#endif
}
[[noreturn]] INGOT_COLD inline void throw_no_such_key() {
  throw_out_of_range("ingot: the container has no such key");
}
[[noreturn]] INGOT_COLD inline void throw_past_the_end() {
  throw_out_of_range("ingot: a position after the end");
}

}}} // namespace ingot::INGOT_V1::detail
