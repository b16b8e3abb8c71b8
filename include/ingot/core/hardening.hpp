// SPDX-License-Identifier: Apache-2.0
// Checks for mistakes in the program, such as an index past the end, the value of an empty
// optional, or an iterator of another container. docs/preconditions.md lists every precondition and
// what each mode checks.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <version>

#if !defined(__GNUC__) && !defined(__clang__)
#include <atomic>
#endif

// The modes have the meanings of libc++'s hardening modes. A build defines INGOT_HARDENING as one
// of these numbers.
#define INGOT_HARDENING_NONE 0
#define INGOT_HARDENING_FAST 1
#define INGOT_HARDENING_EXTENSIVE 2
#define INGOT_HARDENING_DEBUG 3

// INGOT_HARDENING_MODE is the mode of this file. If the build does not define INGOT_HARDENING, the
// mode of the standard library is used. libc++ always has a mode, even if the build did not choose
// one. So if libc++ has its mode without checks, the macros that follow below, such as NDEBUG,
// decide.
#if defined(INGOT_HARDENING)
#define INGOT_HARDENING_MODE INGOT_HARDENING
#elif defined(_LIBCPP_HARDENING_MODE_DEBUG) && _LIBCPP_HARDENING_MODE == _LIBCPP_HARDENING_MODE_DEBUG
#define INGOT_HARDENING_MODE INGOT_HARDENING_DEBUG
#elif defined(_LIBCPP_HARDENING_MODE_EXTENSIVE) && _LIBCPP_HARDENING_MODE == _LIBCPP_HARDENING_MODE_EXTENSIVE
#define INGOT_HARDENING_MODE INGOT_HARDENING_EXTENSIVE
#elif defined(_LIBCPP_HARDENING_MODE_FAST) && _LIBCPP_HARDENING_MODE == _LIBCPP_HARDENING_MODE_FAST
#define INGOT_HARDENING_MODE INGOT_HARDENING_FAST
#elif defined(_GLIBCXX_DEBUG)
#define INGOT_HARDENING_MODE INGOT_HARDENING_DEBUG
#elif defined(_GLIBCXX_ASSERTIONS) || !defined(NDEBUG)
#define INGOT_HARDENING_MODE INGOT_HARDENING_FAST
#else
#define INGOT_HARDENING_MODE INGOT_HARDENING_NONE
#endif

// A function that checks preconditions has a different mangled name in each mode with checks.
// Otherwise files of two modes would define the same mangled name with different code, and the
// linker would keep one definition for both files. Types and all other functions have the same
// names in all modes, so files of all modes can pass values to each other. The exceptions, which
// concern mode `debug`, are described below.
#if INGOT_HARDENING_MODE == INGOT_HARDENING_NONE
#define INGOT_HARDENING_NAME "none"
#define INGOT_CHECKED
#elif INGOT_HARDENING_MODE == INGOT_HARDENING_FAST
#define INGOT_HARDENING_NAME "fast"
#define INGOT_CHECKED INGOT_MODE_TAG("fast")
#elif INGOT_HARDENING_MODE == INGOT_HARDENING_EXTENSIVE
#define INGOT_HARDENING_NAME "extensive"
#define INGOT_CHECKED INGOT_MODE_TAG("extensive")
#elif INGOT_HARDENING_MODE == INGOT_HARDENING_DEBUG
#define INGOT_HARDENING_NAME "debug"
#define INGOT_CHECKED INGOT_MODE_TAG("debug")
#else
#error "ingot: INGOT_HARDENING is INGOT_HARDENING_NONE, _FAST, _EXTENSIVE or _DEBUG"
#endif
// With the Microsoft ABI, a function that checks preconditions has one name in all modes, because
// that ABI has no tags for names. Instead, the linker rejects a program whose files have different
// modes.
#if defined(_MSC_VER)
#define INGOT_MODE_TAG(mode)
#pragma detect_mismatch("ingot_hardening", INGOT_HARDENING_NAME)
#else
#define INGOT_MODE_TAG(mode) [[gnu::abi_tag(mode)]]
#endif

// In mode `debug`, iterators store from which container they come. A type that has additional
// members for this purpose is INGOT_DEBUG_TYPE: its mangled name is different in that mode. A
// function that records what it invalidates also has a different mangled name. It is INGOT_NOTED,
// or a member of an INGOT_DEBUG_TYPE. INGOT_IN_DEBUG(...) expands to its arguments in mode `debug`,
// and to nothing otherwise.
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
#define INGOT_DEBUG_TYPE INGOT_MODE_TAG("debug")
#define INGOT_NOTED INGOT_MODE_TAG("debug")
#define INGOT_IN_DEBUG(...) __VA_ARGS__
#else
#define INGOT_DEBUG_TYPE
#define INGOT_NOTED
#define INGOT_IN_DEBUG(...)
#endif

// INGOT_REQUIRE(condition, broken_index("ingot::vector", i, size_)) checks a condition in the modes
// `fast`, `extensive` and `debug`. The second argument calls a function of this header. This call
// is evaluated only if the condition is false. In mode `none`, neither argument is evaluated.
// Functions that use INGOT_REQUIRE are INGOT_CHECKED. INGOT_ALWAYS_REQUIRE checks in every mode.
#define INGOT_ALWAYS_REQUIRE(condition, call)                                                                \
  do {                                                                                                       \
    if (!(condition)) [[unlikely]]                                                                           \
      ::ingot::detail::call;                                                                                 \
  } while (false)
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_FAST
#define INGOT_REQUIRE(condition, call) INGOT_ALWAYS_REQUIRE(condition, call)
#else
#define INGOT_REQUIRE(condition, call) static_cast<void>(0)
#endif
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_EXTENSIVE
#define INGOT_REQUIRE_EXTENSIVE(condition, call) INGOT_ALWAYS_REQUIRE(condition, call)
#else
#define INGOT_REQUIRE_EXTENSIVE(condition, call) static_cast<void>(0)
#endif

// This namespace has the same name in all files of a program, with and without reflection, because
// a program has one handler.
namespace ingot { inline namespace v1_handler {

/// A violation of a precondition. The pointers are valid while the handler runs.
struct precondition_violation {
  /// Value of `index` and `size` if the check has no index or size.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const char* container; ///< such as "ingot::vector"
  const char* message;   ///< one sentence, such as "ingot::vector: index 7 of 5 elements"
  std::size_t index;     ///< index of the requested element
  std::size_t size;      ///< number of elements of the container
};

/// A handler of violations. It must not return and must not throw: it ends the process, or suspends
/// the thread. If it returns anyway, the process ends. Several threads may call the handler at
/// once.
using precondition_handler = void (*)(const precondition_violation&) noexcept;

}} // namespace ingot::v1_handler

namespace ingot { inline namespace v1_handler { namespace hardening {

/// The installed handler; null is the default handler. Accessed atomically, by the functions below.
#if defined(__ELF__) || defined(__APPLE__)
[[gnu::visibility("default")]]
#endif
inline constinit precondition_handler installed = nullptr;

/// Returns the installed handler; null if there is none. Uses builtins and not <atomic>, because
/// compiling <atomic> takes a fifth of the time that <map>, <string> and <vector> take together.
inline precondition_handler handler_now() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
#else
  return std::atomic_ref(installed).load(std::memory_order_acquire);
#endif
}
/// Installs `handler` and returns the previous one.
inline precondition_handler exchange_handler(precondition_handler handler) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return __atomic_exchange_n(&installed, handler, __ATOMIC_ACQ_REL);
#else
  return std::atomic_ref(installed).exchange(handler, std::memory_order_acq_rel);
#endif
}

/// Ends the process without unwinding.
[[noreturn]] inline void trap() noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_trap();
#else
  std::abort();
#endif
}

/// Writes the message to stderr and traps.
inline void print_and_trap(const precondition_violation& broken) noexcept {
  static_cast<void>(std::fprintf(stderr, "%s\n", broken.message));
  static_cast<void>(std::fflush(stderr));
  trap();
}

}}} // namespace ingot::v1_handler::hardening

namespace ingot { inline namespace v1_handler {

/// Sets the handler of all files of the program, and returns the previous one. Null is the default
/// handler, which writes the message to stderr and traps. O(1), from any thread.
inline precondition_handler set_precondition_handler(precondition_handler handler) noexcept {
  return hardening::exchange_handler(handler);
}

}} // namespace ingot::v1_handler

namespace ingot { inline namespace INGOT_V1 { namespace detail {

// The following functions are deliberately not constexpr: a violation in a constant expression is
// therefore a compile error.

[[noreturn]] INGOT_COLD inline void report_violation(const precondition_violation& broken) noexcept {
  if (const precondition_handler handler = hardening::handler_now()) handler(broken);
  else hardening::print_and_trap(broken);
  hardening::trap();
}

/// Reports an index that is not less than `size`.
[[noreturn]] INGOT_COLD inline void broken_index(const char* container, std::size_t index,
                                                 std::size_t size) noexcept {
  char text[160];
  static_cast<void>(
      std::snprintf(text, sizeof text, "%s: index %zu of %zu elements", container, index, size));
  report_violation({container, text, index, size});
}
/// Reports a call that needs an element, such as "front()", on an empty container.
[[noreturn]] INGOT_COLD inline void broken_empty(const char* container, const char* call) noexcept {
  char text[160];
  static_cast<void>(std::snprintf(text, sizeof text, "%s: %s of 0 elements", container, call));
  report_violation({container, text, precondition_violation::none, 0});
}
/// Reports an iterator argument that is not a valid position in this container. `index` is the
/// distance of the iterator from `begin()`.
[[noreturn]] INGOT_COLD inline void broken_position(const char* container, const char* call,
                                                    std::size_t index, std::size_t size) noexcept {
  char text[240];
  if (index <= size) {
    static_cast<void>(std::snprintf(text, sizeof text, "%s: %s with an iterator at index %zu of %zu elements",
                                    container, call, index, size));
  } else {
    static_cast<void>(std::snprintf(
        text, sizeof text, "%s: %s with an iterator outside its %zu elements, or of another container",
        container, call, size));
  }
  report_violation({container, text, index, size});
}
/// Reports iterators `first` and `last` that are no range of this container.
[[noreturn]] INGOT_COLD inline void broken_range(const char* container, const char* call, std::size_t first,
                                                 std::size_t last, std::size_t size) noexcept {
  char text[240];
  if (first <= size && last <= size) {
    static_cast<void>(std::snprintf(text, sizeof text,
                                    "%s: %s with iterators from index %zu to %zu of %zu elements", container,
                                    call, first, last, size));
  } else {
    static_cast<void>(std::snprintf(text, sizeof text,
                                    "%s: %s with iterators outside its %zu elements, or of another container",
                                    container, call, size));
  }
  report_violation({container, text, first, size});
}
/// Reports that `call` uses `bytes` bytes, although only `prepared` bytes were prepared.
[[noreturn]] INGOT_COLD inline void broken_prepared_size(const char* container, const char* call,
                                                         std::size_t bytes, std::size_t prepared) noexcept {
  char text[160];
  static_cast<void>(std::snprintf(text, sizeof text, "%s: %s %zu bytes, of %zu prepared ones", container,
                                  call, bytes, prepared));
  report_violation({container, text, bytes, prepared});
}
/// Reports any other violation; `what` is a phrase, such as "* without a value".
[[noreturn]] INGOT_COLD inline void broken_access(const char* container, const char* what,
                                                  std::size_t index = precondition_violation::none,
                                                  std::size_t size = precondition_violation::none) noexcept {
  char text[240];
  static_cast<void>(std::snprintf(text, sizeof text, "%s: %s", container, what));
  report_violation({container, text, index, size});
}
/// Reports access to alternative `wanted`, while `held` is the current alternative.
[[noreturn]] INGOT_COLD inline void broken_alternative(const char* container, std::size_t wanted,
                                                       std::size_t held) noexcept {
  char text[160];
  static_cast<void>(std::snprintf(text, sizeof text, "%s: alternative %zu, where alternative %zu is",
                                  container, wanted, held));
  report_violation({container, text, wanted, held});
}

}}} // namespace ingot::INGOT_V1::detail
