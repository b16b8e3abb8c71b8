// SPDX-License-Identifier: Apache-2.0
// Memory for slots on WebAssembly, which has no virtual memory: a program has one array of bytes
// that only grows. Bytes that are new are zero, and engines provide their pages at the first use.
// Nothing is ever given back, so freed slots are kept for other blocks.
#pragma once

#if defined(__wasm__)

#if defined(__wasm_atomics__) || defined(_REENTRANT) || defined(__EMSCRIPTEN__)
#error "ingot: on WebAssembly only programs of WASI with one thread were tried: compile without threads"
#endif

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <limits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::system {

static_assert(sizeof(std::size_t) == 4, "only programs with addresses of 32 bits were tried");

/// Does nothing: programs have one thread.
class mutex {
public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  void lock() noexcept {}
  void unlock() noexcept {}
};

/// Does nothing: there is no `fork`.
inline void around_forks(void (*)(), void (*)()) noexcept {}

/// Unit in which the memory of a program grows. New memory begins at a multiple of it.
inline constexpr std::size_t memory_unit = 65536;

/// Returns new zeroed memory. Returns null if the program may not have more.
[[nodiscard]] inline std::byte* reserve(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  const std::size_t units = (bytes + memory_unit - 1) / memory_unit;
  const std::size_t before = __builtin_wasm_memory_grow(0, units); // in units
  if (before == std::numeric_limits<std::size_t>::max()) return nullptr;
  return reinterpret_cast<std::byte*>(before * memory_unit); // NOLINT(performance-no-int-to-ptr)
}

/// Does nothing: each page is provided at its first use.
[[nodiscard]] inline bool prepare(std::byte*, std::size_t) noexcept { return false; }
inline void prefer_large_pages(void*, std::size_t) noexcept {}
inline constexpr std::size_t large_page = 0;
enum class large_page_now : bool { untouched, begun };
[[nodiscard]] inline bool prepare_large(std::byte*, large_page_now) noexcept { return false; }

/// Returns false: memory can't be given back. Callers then zero what was used.
[[nodiscard]] inline bool discard(std::byte*, std::size_t) noexcept { return false; }
/// Does nothing: the memory stays with the program.
inline void unreserve(std::byte*, std::size_t) noexcept {}

}}} // namespace ingot::INGOT_V1::detail::system

#endif
