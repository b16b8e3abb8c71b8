// SPDX-License-Identifier: Apache-2.0
#include "hostile/failing_memory.hpp"

#include <ingot/core/detail/config.hpp>

#include <cstdlib>
#include <cstring>
#include <new>

#include <malloc.h>

namespace failing {
state memory;
}

namespace {

using failing::memory;

bool fails() noexcept {
  if (!memory.active) return false;
  ++memory.count;
  return memory.for_ever ? memory.count >= memory.fail_at : memory.count == memory.fail_at;
}

void* taken(void* p) noexcept {
  if (memory.measures && p != nullptr) {
    memory.bytes += malloc_usable_size(p);
    if (memory.bytes > memory.peak) memory.peak = memory.bytes;
  }
  return p;
}
void count_released(void* p) noexcept {
  if (!memory.measures || p == nullptr) return;
  const std::size_t size = malloc_usable_size(p);
  // some may have been allocated before the measurement
  memory.bytes -= size < memory.bytes ? size : memory.bytes;
}

void* allocate(std::size_t size) noexcept {
  if (fails()) return nullptr;
  void* const p = taken(std::malloc(size == 0 ? 1 : size));
  if (p != nullptr) ++memory.alive;
  return p;
}

void* allocate_or_throw(std::size_t size) {
  if (void* const p = allocate(size)) return p;
#if INGOT_EXCEPTIONS
  throw std::bad_alloc{};
#else
  std::abort();
#endif
}

void release(void* p) noexcept {
  if (p == nullptr) return;
  --memory.alive;
  std::free(p);
}

} // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }

// The linker redirects every call of realloc and free to here (--wrap): lists of numbers use them.
extern "C" {
void* __real_realloc(void* p, std::size_t size);
void __real_free(void* p);
void* __wrap_realloc(void* p, std::size_t size) {
  if (fails()) return nullptr;
  if (!memory.measures) return __real_realloc(p, size);
  // Both blocks exist while one is copied to the other.
  void* const larger = taken(std::malloc(size));
  if (larger == nullptr || p == nullptr) return larger;
  const std::size_t before = malloc_usable_size(p);
  std::memcpy(larger, p, before < size ? before : size);
  count_released(p);
  __real_free(p);
  return larger;
}
void __wrap_free(void* p) {
  count_released(p);
  __real_free(p);
}
}
