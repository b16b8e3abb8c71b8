// SPDX-License-Identifier: Apache-2.0
// What slots ask of Linux, and of macOS, where this has not been tried.
#pragma once

#include <cstddef>

#include <sys/mman.h>

namespace ingot::inline v1::detail::system {

/// Addresses without memory behind them: pages come by use, zero, and are counted only then. Null when there are none left.
[[nodiscard]] inline std::byte* reserve(std::size_t bytes) noexcept {
#if defined(MAP_NORESERVE)
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#else
  constexpr int flags = MAP_PRIVATE | MAP_ANON;
#endif
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start == MAP_FAILED) return nullptr; // NOLINT(performance-no-int-to-ptr): the system's constant
#if defined(MADV_NOHUGEPAGE)
  // A small block would otherwise cost two megabytes.
  static_cast<void>(::madvise(start, bytes, MADV_NOHUGEPAGE));
#endif
  return static_cast<std::byte*>(start);
}

/// Reserved addresses become usable; they are already.
[[nodiscard]] inline bool commit(std::byte*, std::size_t) noexcept { return true; }

/// Gives the memory of whole pages back; they read as zero afterwards. False when they don't.
[[nodiscard]] inline bool discard(std::byte* start, std::size_t bytes) noexcept {
#if defined(__linux__)
  return ::madvise(start, bytes, MADV_DONTNEED) == 0;
#else
  return ::mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) !=
         MAP_FAILED; // NOLINT
#endif
}

inline void unreserve(std::byte* start, std::size_t bytes) noexcept {
  static_cast<void>(::munmap(start, bytes));
}

} // namespace ingot::inline v1::detail::system
