// SPDX-License-Identifier: Apache-2.0
// System calls for slots on Windows. Tested under Wine.
#pragma once

#if defined(_WIN32)

#include <ingot/core/detail/config.hpp>

#include <cstddef>

// These functions are declared here, because <windows.h> defines min, max and thousands of other
// macros.
extern "C" {
struct _RTL_SRWLOCK; // NOLINT(bugprone-reserved-identifier): the system's name
__declspec(dllimport) void __stdcall AcquireSRWLockExclusive(_RTL_SRWLOCK*);
__declspec(dllimport) void __stdcall ReleaseSRWLockExclusive(_RTL_SRWLOCK*);
__declspec(dllimport) void* __stdcall VirtualAlloc(void*, std::size_t, unsigned long, unsigned long);
__declspec(dllimport) int __stdcall VirtualFree(void*, std::size_t, unsigned long);
}

namespace ingot { inline namespace INGOT_V1 { namespace detail::system {

inline constexpr unsigned long mem_commit = 0x1000;
inline constexpr unsigned long mem_reserve = 0x2000;
inline constexpr unsigned long mem_decommit = 0x4000;
inline constexpr unsigned long mem_release = 0x8000;
inline constexpr unsigned long page_readwrite = 4;

/// A mutex like std::mutex, which not all standard libraries can initialise before any code runs.
class mutex {
public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  void lock() noexcept { ::AcquireSRWLockExclusive(held()); }
  void unlock() noexcept { ::ReleaseSRWLockExclusive(held()); }

private:
  [[nodiscard]] _RTL_SRWLOCK* held() noexcept { return reinterpret_cast<_RTL_SRWLOCK*>(&held_); }
  void* held_ = nullptr; // the system's lock is a pointer, which is null at first
};

/// Does nothing: this system has no `fork`.
inline void around_forks(void (*)(), void (*)()) noexcept {}

/// Reserves addresses without memory. Returns null if no addresses are left.
[[nodiscard]] inline std::byte* reserve(std::size_t bytes) noexcept {
  return static_cast<std::byte*>(::VirtualAlloc(nullptr, bytes, mem_reserve, page_readwrite));
}

/// Size of a page, on all processors.
inline constexpr std::size_t page_size = 4096;

/// Requests memory for whole pages of reserved addresses. Pages that have memory already keep their
/// bytes; other pages are zero. The system counts this memory as used from now on, but provides
/// each page only at its first use. Returns false and changes nothing if there is no memory.
[[nodiscard]] inline bool commit(std::byte* start, std::size_t bytes) noexcept {
  return ::VirtualAlloc(start, bytes, mem_commit, page_readwrite) != nullptr;
}

/// Does nothing: this system can't provide several pages by one call, so each page is provided at
/// its first use.
[[nodiscard]] inline bool prepare(std::byte*, std::size_t) noexcept { return false; }
inline void prefer_large_pages(void*, std::size_t) noexcept {}
inline constexpr std::size_t large_page = 0;
enum class large_page_now : bool { untouched, begun };
[[nodiscard]] inline bool prepare_large(std::byte*, large_page_now) noexcept { return false; }

/// Gives the memory of whole pages back. They can't be used until the next `commit`. Returns false
/// and changes nothing if the system refuses.
[[nodiscard]] inline bool discard(std::byte* start, std::size_t bytes) noexcept {
  return ::VirtualFree(start, bytes, mem_decommit) != 0;
}

inline void unreserve(std::byte* start, std::size_t) noexcept {
  static_cast<void>(::VirtualFree(start, 0, mem_release));
}

}}} // namespace ingot::INGOT_V1::detail::system

#endif
