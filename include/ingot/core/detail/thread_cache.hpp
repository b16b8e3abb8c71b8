// SPDX-License-Identifier: Apache-2.0
// Objects that each thread keeps between uses. The cache may be used at any time, also when the
// thread or the program ends. Destructors of thread_local and of static objects, and functions of
// `atexit`, may call the library after the cache was destroyed.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#if defined(__MINGW32__)
#include <ingot/core/detail/thread_cache_mingw.hpp>
#else

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// One `T` for each thread and `Tag`. The first `get()` in a thread creates the object, and the end
/// of the thread destroys it. After that, `get()` returns null, and the caller must work without an
/// object. Even then `get()` may be called, because the memory of a `state` is never destroyed.
template <class T, class Tag>
class thread_cache {
public:
  /// Returns the thread's object; null after the object was destroyed.
  [[nodiscard]] static INGOT_INLINE T* get() noexcept {
    if (mine.now == phase::open) [[likely]]
      return object();
    return begin();
  }

private:
  static_assert(std::is_nothrow_default_constructible_v<T>);
  enum class phase : std::uint8_t { unused, open, closed };
  struct state {
    alignas(T) std::array<std::byte, sizeof(T)> memory;
    phase now;
  };
  static_assert(std::is_trivially_destructible_v<state>);

  [[nodiscard]] static INGOT_INLINE T* object() noexcept {
    return std::launder(reinterpret_cast<T*>(mine.memory.data()));
  }

  [[nodiscard]] INGOT_COLD static T* begin() noexcept {
    if (mine.now == phase::closed) return nullptr;
    ::new (static_cast<void*>(mine.memory.data())) T();
    mine.now = phase::open;
#if !defined(__wasm__) // its programs have one thread, whose memory needs no destructor
    struct closing {
      ~closing() {
        mine.now = phase::closed; // first, since the object's destructor may call get()
        std::destroy_at(object());
      }
    };
    static thread_local const closing at_end;
    static_cast<void>(at_end);
#endif
    return object();
  }

  static inline thread_local constinit state mine{};
};

}}} // namespace ingot::INGOT_V1::detail

#endif
