// SPDX-License-Identifier: Apache-2.0
// Stops the optimiser from removing the measured work, and from using results of earlier turns.
#pragma once

/// For turns that take a few nanoseconds: a call would cost as much as the work itself, and g++
/// makes a call if a contender's error paths are large. Goes before a function, or after the
/// parameters of a lambda.
#define BENCH_INLINE __attribute__((always_inline))

namespace bench {

/// Treats the memory at `p` as read and changed: earlier stores to it are done, and later loads are
/// not replaced by known values.
inline void escape(const void* p) noexcept { asm volatile("" : : "r"(p) : "memory"); }

/// Treats the value as used. Unlike `escape`, the value may stay in a register.
template <class T>
inline void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

} // namespace bench
