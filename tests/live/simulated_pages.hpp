// SPDX-License-Identifier: Apache-2.0
// A system whose reserved addresses get memory only on request, as on Windows. An access to an
// address without memory ends the program. A test sets the size of pages (INGOT_TEST_PAGE in the
// environment), counts the pages that have memory, and makes requests fail. Programs that define
// INGOT_TEST_SYSTEM as the name of this header use it in place of the machine's system.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <set>

#include <sys/mman.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail::system {

/// The state of the simulation.
struct simulation {
  std::mutex lock;
  std::set<std::uintptr_t> pages; ///< addresses of the pages that have memory
  std::size_t requests = 0;
  std::size_t failing_request = std::numeric_limits<std::size_t>::max();
  bool fails_afterwards = false; ///< requests after the failing one fail, too
  bool keeps_memory = false;     ///< memory can't be given back
};
inline simulation& simulated() {
  static simulation one;
  return one;
}

inline const std::size_t page_size = [] {
  const char* const set = std::getenv("INGOT_TEST_PAGE");
  return set == nullptr ? std::size_t{4096} : static_cast<std::size_t>(std::strtoul(set, nullptr, 10));
}();

using mutex = std::mutex;
inline void around_forks(void (*)(), void (*)()) noexcept {}

/// Slots begin at pages, but not at multiples of a larger size.
inline std::byte* reserve(std::size_t bytes) noexcept {
  constexpr std::size_t alignment = 65536;
  if (bytes > std::numeric_limits<std::size_t>::max() - 2 * alignment) return nullptr;
  void* const at =
      ::mmap(nullptr, bytes + 2 * alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  const std::uintptr_t start = (reinterpret_cast<std::uintptr_t>(at) + alignment - 1) / alignment * alignment;
  return static_cast<std::byte*>(at) + (start - reinterpret_cast<std::uintptr_t>(at)) +
         (page_size < alignment ? page_size : 0);
}

inline bool whole_pages(const std::byte* start, std::size_t bytes) noexcept {
  return bytes != 0 && reinterpret_cast<std::uintptr_t>(start) % page_size == 0 && bytes % page_size == 0;
}

inline bool commit(std::byte* start, std::size_t bytes) noexcept {
  simulation& all = simulated();
  const std::lock_guard hold(all.lock);
  if (!whole_pages(start, bytes)) std::abort();
  const std::size_t request = all.requests++;
  if (request == all.failing_request || (all.fails_afterwards && request > all.failing_request)) return false;
  if (::mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  for (std::size_t at = 0; at < bytes; at += page_size)
    all.pages.insert(reinterpret_cast<std::uintptr_t>(start) + at);
  return true;
}

inline bool discard(std::byte* start, std::size_t bytes) noexcept {
  simulation& all = simulated();
  const std::lock_guard hold(all.lock);
  if (!whole_pages(start, bytes)) std::abort();
  if (all.keeps_memory) return false;
  void* const at =
      ::mmap(start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (at == MAP_FAILED) std::abort();
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  all.pages.erase(all.pages.lower_bound(first), all.pages.lower_bound(first + bytes));
  return true;
}

inline void unreserve(std::byte* start, std::size_t bytes) noexcept { ::munmap(start, bytes); }

inline bool prepare(std::byte*, std::size_t) noexcept { return false; }
inline void prefer_large_pages(void*, std::size_t) noexcept {}
inline constexpr std::size_t large_page = 0;
enum class large_page_now : bool { untouched, begun };
inline bool prepare_large(std::byte*, large_page_now) noexcept { return false; }

}}} // namespace ingot::INGOT_V1::detail::system
