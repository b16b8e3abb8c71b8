// SPDX-License-Identifier: Apache-2.0
// System calls for slots on Linux, and on macOS, where they are untested.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <pthread.h>
#include <sys/mman.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail::system {

/// A mutex like std::mutex, which compiles in a fraction of the time that <mutex> takes.
class mutex {
public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  // No thread locks a mutex that it holds already, so locking can't fail.
  void lock() noexcept { static_cast<void>(pthread_mutex_lock(&held_)); }
  void unlock() noexcept { static_cast<void>(pthread_mutex_unlock(&held_)); }

private:
  pthread_mutex_t held_ = PTHREAD_MUTEX_INITIALIZER;
};

/// Gives advice that the system may reject without harm. Preserves the program's `errno`.
[[nodiscard]] inline bool advise(void* start, std::size_t bytes, int advice) noexcept {
  const int before = errno;
  const bool taken = ::madvise(start, bytes, advice) == 0;
  errno = before;
  return taken;
}

/// Reserves addresses without memory. Pages are zero, and take memory only on their first use.
/// Returns null if no addresses are left.
[[nodiscard]] inline std::byte* reserve(std::size_t bytes) noexcept {
#if defined(MAP_NORESERVE)
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#else
  constexpr int flags = MAP_PRIVATE | MAP_ANON;
#endif
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start == MAP_FAILED) return nullptr; // NOLINT(performance-no-int-to-ptr): system's constant
#if defined(MADV_NOHUGEPAGE)
  // With large pages, a small block would take two megabytes of memory.
  static_cast<void>(advise(start, bytes, MADV_NOHUGEPAGE));
#endif
  return static_cast<std::byte*>(start);
}

/// Makes `fork` call `before` in the thread that forks, and `after` in both processes. Does nothing
/// if there is no memory for the registration.
inline void around_forks(void (*before)(), void (*after)()) noexcept {
  static_cast<void>(::pthread_atfork(before, after, after));
}

/// Gets the memory of whole pages that are about to be written, by one system call. Returns false
/// if the system can't do this. Each page is then provided at its first use.
[[nodiscard]] inline bool prepare([[maybe_unused]] std::byte* start,
                                  [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_POPULATE_WRITE)
  return advise(start, bytes, MADV_POPULATE_WRITE);
#else
  return false;
#endif
}

/// Size of large pages; 0 if none are requested.
#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
inline constexpr std::size_t large_page = std::size_t{2} << 20;
#else
inline constexpr std::size_t large_page = 0;
#endif

/// State of a large page when memory is requested.
enum class large_page_now : bool { untouched, begun };

/// Like `prepare`, for one large page of reserved addresses, which starts at a multiple of its
/// size. Returns false if there is no large page; memory is then unchanged.
[[nodiscard]] inline bool prepare_large([[maybe_unused]] std::byte* start,
                                        [[maybe_unused]] large_page_now now) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
  constexpr int collapse = 25; // MADV_COLLAPSE, which older headers don't have
  if (!advise(start, large_page, MADV_HUGEPAGE)) return false;
  const bool done = advise(start, large_page, now == large_page_now::begun ? collapse : MADV_POPULATE_WRITE);
  // The large page stays in memory. Its addresses get the same advice as all other addresses again,
  // so that the system counts all of them as one range.
  static_cast<void>(advise(start, large_page, MADV_NOHUGEPAGE));
  return done;
#else
  return false;
#endif
}

/// Requests large pages, if the system has them, for memory that is written from its beginning to
/// an unknown end.
inline void prefer_large_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t page = 65536; // a multiple of the page size of all systems
  const std::size_t skew = (page - reinterpret_cast<std::uintptr_t>(start) % page) % page;
  if (bytes >= skew + page) {
    std::byte* const first = static_cast<std::byte*>(start) + skew;
    static_cast<void>(advise(first, (bytes - skew) / page * page, MADV_HUGEPAGE));
  }
#endif
}

/// Gives the memory of whole pages back. Returns true if they read as zero afterwards.
[[nodiscard]] inline bool discard(std::byte* start, std::size_t bytes) noexcept {
#if defined(__linux__)
  return advise(start, bytes, MADV_DONTNEED);
#else
  return ::mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) !=
         MAP_FAILED; // NOLINT
#endif
}

inline void unreserve(std::byte* start, std::size_t bytes) noexcept {
  static_cast<void>(::munmap(start, bytes));
}

}}} // namespace ingot::INGOT_V1::detail::system
