// SPDX-License-Identifier: Apache-2.0
// Clocks of the benchmarks. They compare CPU time of the thread, since wall time includes other
// processes on the machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bench {

/// Returns CPU time of the calling thread in nanoseconds. Takes a system call of some 200 ns, so
/// time many turns at once.
inline double thread_nanoseconds() noexcept {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Returns a counter that can time one message; `ticks_to_nanoseconds` returns its unit. Earlier
/// instructions have finished when it is read, and later ones have not begun.
inline std::uint64_t fine_ticks() noexcept {
#if defined(__x86_64__)
  unsigned core = 0;
  const std::uint64_t t = __rdtscp(&core);
  _mm_lfence();
  return t;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Returns nanoseconds per unit of `fine_ticks`, measured once over 20 ms.
inline double ticks_to_nanoseconds() {
  static const double factor = [] {
    const auto wall = std::chrono::steady_clock::now();
    const std::uint64_t first = fine_ticks();
    while (std::chrono::steady_clock::now() - wall < std::chrono::milliseconds(20)) {
    }
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - wall;
    return passed.count() / static_cast<double>(fine_ticks() - first);
  }();
  return factor;
}

} // namespace bench
