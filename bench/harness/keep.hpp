// SPDX-License-Identifier: Apache-2.0
// What stops the optimiser from dropping the work that is timed, or from learning across turns what it did.
#pragma once

/// For the turns of messages that take a few nanoseconds: a call of the turn would cost as much as its work, and g++
/// makes one where a contender's paths for errors look large. Before a function, behind the parameters of a lambda.
#define BENCH_INLINE __attribute__((always_inline))

namespace bench {

/// The memory behind `p` counts as read and changed: stores to it happen, later loads from it are not guessed.
inline void escape(const void* p) noexcept { asm volatile("" : : "r"(p) : "memory"); }

/// The value counts as used. Unlike `escape` it may stay in a register.
template <class T>
inline void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

} // namespace bench
