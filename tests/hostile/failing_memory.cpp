// SPDX-License-Identifier: Apache-2.0
#include "hostile/failing_memory.hpp"

#include <ingot/core/config.hpp>

#include <cstdlib>
#include <new>

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

void* allocate(std::size_t size) noexcept {
  if (fails()) return nullptr;
  void* const p = std::malloc(size == 0 ? 1 : size);
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

// The linker leads every call of realloc here (--wrap): lists of numbers are kept by it.
extern "C" {
void* __real_realloc(void* p, std::size_t size);
void* __wrap_realloc(void* p, std::size_t size) { return fails() ? nullptr : __real_realloc(p, size); }
}
