// SPDX-License-Identifier: Apache-2.0
// Why bytes were refused, and why there was no room, as values: `EXPECT_EQ(code_of(live<T>::open(bytes)), errc::truncated)`,
// `EXPECT_EQ(failure_of([&] { ... }), space_failure::full)`. Without exceptions the named
// operations end the program instead; then nothing is run and anything is the answer.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/live/out_of_space.hpp>

#include <string_view>

#include <gtest/gtest.h>

namespace live_test {

/// Why there is no value.
template <class R>
ingot::errc code_of(const R& result) {
  EXPECT_FALSE(result.has_value());
  return result ? ingot::errc::io : result.error().code();
}

#if INGOT_EXCEPTIONS

template <class F>
[[nodiscard]] ingot::space_failure failure_of(F&& f) {
  try {
    f();
  } catch (const ingot::out_of_space& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with("ingot: "));
    return e.why();
  }
  ADD_FAILURE() << "there was room";
  return ingot::space_failure::no_memory;
}

#else

struct unasked {
  friend bool operator==(unasked, ingot::space_failure) { return true; }
};
template <class F>
[[nodiscard]] unasked failure_of(F&&) {
  return {};
}

#endif

} // namespace live_test
