// SPDX-License-Identifier: Apache-2.0
// The thread cache for MinGW's g++, which frees the memory of thread_local variables before it runs
// their destructors. So the system has the thread's object here, and calls a function when the
// thread ends.
#pragma once

#include <ingot/core/detail/config.hpp>

#if defined(__MINGW32__)

#include <ingot/core/detail/light_standard.hpp>

#include <new>
#include <type_traits>

// These functions are declared here, because <windows.h> defines min, max and thousands of other
// macros.
extern "C" {
__declspec(dllimport) unsigned long __stdcall FlsAlloc(void(__stdcall*)(void*));
__declspec(dllimport) int __stdcall FlsFree(unsigned long);
__declspec(dllimport) int __stdcall FlsSetValue(unsigned long, void*);
__declspec(dllimport) unsigned long __stdcall GetCurrentThreadId();
__declspec(dllimport) unsigned long __stdcall TlsAlloc();
__declspec(dllimport) void* __stdcall TlsGetValue(unsigned long);
__declspec(dllimport) int __stdcall TlsSetValue(unsigned long, void*);
}

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// One `T` for each thread and `Tag`. The first `get()` in a thread creates the object, and the end
/// of the thread destroys it. After that, `get()` returns null, and the caller must work without an
/// object. `get()` also returns null if the system can't hold the object.
template <class T, class Tag>
class thread_cache {
public:
  /// Returns the thread's object; null after the object was destroyed.
  [[nodiscard]] static T* get() noexcept {
    const indexes at = indexes_of_cache();
    void* const found = ::TlsGetValue(at.current);
    if (found == nullptr) [[unlikely]]
      return begin(at);
    return found == &closed ? nullptr : &static_cast<held*>(found)->object;
  }

private:
  static_assert(std::is_nothrow_default_constructible_v<T>);
  struct held {
    T object;
    unsigned long thread = 0;
  };
  /// Indexes of two values of each thread. The system reports the end of a thread for `ending`
  /// only, and `current` can be read until the thread is gone.
  struct indexes {
    unsigned long current;
    unsigned long ending;
  };
  static constexpr unsigned long no_index = 0xFFFFFFFF;
  struct freeing {
    indexes* of;
    /// Calls `end` for the values of all threads. Afterwards the function is not called again, so
    /// it may be unloaded with its plugin. The index may then belong to other code, so it is
    /// forgotten, and `get()` finds no object in threads that have none yet.
    ~freeing() {
      const unsigned long freed = of->ending;
      of->ending = no_index;
      static_cast<void>(::FlsFree(freed));
    }
  };

  [[nodiscard]] static indexes indexes_of_cache() noexcept {
    static constinit indexes never_destroyed{};
    // Once, by one thread.
    static const freeing at_end{&(never_destroyed = {::TlsAlloc(), ::FlsAlloc(&end)})};
    static_cast<void>(at_end);
    return never_destroyed;
  }
  [[nodiscard]] INGOT_COLD static T* begin(indexes at) noexcept {
    held* const fresh = ::new (std::nothrow) held;
    if (fresh == nullptr) return nullptr;
    fresh->thread = ::GetCurrentThreadId();
    if (::FlsSetValue(at.ending, fresh) != 0) {
      if (::TlsSetValue(at.current, fresh) != 0) return &fresh->object;
      static_cast<void>(::FlsSetValue(at.ending, nullptr));
    }
    delete fresh;
    return nullptr;
  }
  static void __stdcall end(void* value) {
    held* const mine = static_cast<held*>(value);
    // Another thread may still be using its object.
    if (mine == nullptr || mine->thread != ::GetCurrentThreadId()) return;
    // First, since the destructor may call get().
    static_cast<void>(::TlsSetValue(indexes_of_cache().current, &closed));
    delete mine;
  }

  static inline constinit char closed{};
};

}}} // namespace ingot::INGOT_V1::detail

#endif
