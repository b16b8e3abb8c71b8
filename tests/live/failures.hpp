// SPDX-License-Identifier: Apache-2.0
// The reasons of errors as values: `EXPECT_EQ(code_of(live<T>::open(bytes)), errc::truncated)`,
// `EXPECT_EQ(failure_of([&] { ... }), out_of_space_reason::full)`. Without exceptions such an
// operation would end the program: then `failure_of` does not run it and any reason compares equal.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/live/out_of_space.hpp>

#include <string_view>

#include <gtest/gtest.h>

namespace live_test {

/// Returns the error code of a result without a value.
template <class R>
ingot::errc code_of(const R& result) {
  EXPECT_FALSE(result.has_value());
  return result ? ingot::errc::io : result.error().code();
}

#if INGOT_EXCEPTIONS

template <class F>
[[nodiscard]] ingot::out_of_space_reason failure_of(F&& f) {
  try {
    f();
  } catch (const ingot::out_of_space& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with("ingot: "));
    return e.why();
  }
  ADD_FAILURE() << "there was space";
  return ingot::out_of_space_reason::no_memory;
}

#else

struct no_poll {
  friend bool operator==(no_poll, ingot::out_of_space_reason) { return true; }
};
template <class F>
[[nodiscard]] no_poll failure_of(F&&) {
  return {};
}

#endif

} // namespace live_test
