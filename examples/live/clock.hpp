// SPDX-License-Identifier: Apache-2.0
// Time, and what a demo does when something does not hold.
#pragma once

#include <ingot/core/error.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace live_demo {

template <class F>
double nanoseconds(F&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "demo: %s does not hold\n", what);
  std::exit(1);
}
template <class T>
T must(ingot::result<T> outcome) {
  if (!outcome) {
    std::fprintf(stderr, "demo: %s\n", outcome.error().message().c_str());
    std::exit(1);
  }
  return std::move(*outcome);
}

} // namespace live_demo
