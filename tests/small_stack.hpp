// SPDX-License-Identifier: Apache-2.0
// Runs code on a small stack. The pages below it are unmapped, more than any frame here could skip.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

// Sanitizers enlarge frames.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INGOT_TEST_WIDE_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define INGOT_TEST_WIDE_FRAMES 1
#endif
#endif

namespace small_stack {

#ifdef INGOT_TEST_WIDE_FRAMES
inline constexpr std::size_t size = std::size_t{1} << 21;
#else
inline constexpr std::size_t size = std::size_t{1} << 18;
#endif
inline constexpr std::size_t guard = std::size_t{256} << 20;

/// Calls `f` on a thread with that stack. An overflow ends the process.
template <class F>
void run(const F& f) {
  void* const memory =
      ::mmap(nullptr, guard + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::byte* const stack = static_cast<std::byte*>(memory) + guard;
  ASSERT_EQ(::mprotect(stack, size, PROT_READ | PROT_WRITE), 0);
  pthread_attr_t attributes;
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstack(&attributes, stack, size), 0);
  pthread_t thread{};
  const auto call = [](void* of) -> void* {
    (*static_cast<const F*>(of))();
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&thread, &attributes, call, const_cast<F*>(&f)), 0);
  EXPECT_EQ(::pthread_join(thread, nullptr), 0);
  ::pthread_attr_destroy(&attributes);
  ::munmap(memory, guard + size);
}

} // namespace small_stack
