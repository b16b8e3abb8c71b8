// SPDX-License-Identifier: Apache-2.0
// Poisons memory that the library owns and that holds no data. AddressSanitizer and Valgrind report
// each access to poisoned memory. `poison` marks bytes without data, `unpoison` bytes that may be
// used. In builds without these tools `poisons` is false, calls are in `if constexpr (poisons)`,
// and nothing is compiled.
//
// A build may define INGOT_POISON as 0: then no memory is poisoned. Either all files of a program
// are compiled with this definition, or none is (docs/debugging.md gives the reason). A build may
// define INGOT_VALGRIND as 1, for Valgrind.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SANITIZE_ADDRESS__)
#define INGOT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INGOT_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(INGOT_POISON) && !INGOT_POISON
#define INGOT_POISONS 0
#elif defined(INGOT_ADDRESS_SANITIZER) && !defined(_WIN32)
#define INGOT_POISONS 1
#elif defined(INGOT_VALGRIND) && INGOT_VALGRIND
#define INGOT_POISONS 2
#else
#define INGOT_POISONS 0
#endif

#if INGOT_POISONS == 1
// These functions are declared here, because some compilers have the sanitizer, but do not install
// its header.
extern "C" void __asan_poison_memory_region(const volatile void*, std::size_t);
extern "C" void __asan_unpoison_memory_region(const volatile void*, std::size_t);
/// Other compiled parts of the library may have been built without poisoning. Such a part does not
/// know which memory is poisoned, and would write to poisoned memory. So each such part defines
/// this variable. If the variable exists, no memory is poisoned.
extern "C" __attribute__((weak)) char ingot_part_without_poison;
#elif INGOT_POISONS == 2
#include <valgrind/memcheck.h>
#elif defined(INGOT_COMPILED_PART) && defined(__ELF__)
extern "C" {
__attribute__((weak, used, visibility("default"))) char ingot_part_without_poison = 1;
}
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr bool poisons = INGOT_POISONS != 0;

/// Maximum number of bytes after the end of a block that are poisoned.
inline constexpr std::size_t poisoned_tail = 1024;
/// Number of bytes at the beginning of a freed slot that are poisoned until another block takes the
/// slot. A slot is address space for one block.
inline constexpr std::size_t poisoned_slot = std::size_t{256} << 10;

#if INGOT_POISONS == 1
/// For each group of eight bytes, the sanitizer stores how many bytes at the start of the group may
/// be used. These numbers can't express every range exactly. Such a range is poisoned only in part;
/// bytes outside of the range are never poisoned.
inline void poison(const void* at, std::size_t n) noexcept {
  if (n != 0 && &ingot_part_without_poison == nullptr) __asan_poison_memory_region(at, n);
}
inline void unpoison(const void* at, std::size_t n) noexcept {
  if (n != 0) __asan_unpoison_memory_region(at, n);
}
template <class N>
__attribute__((noinline, no_sanitize("address"))) N load_poisoned(const void* at) noexcept {
  using any_number __attribute__((may_alias)) = N;
  return *static_cast<const any_number*>(at);
}
template <class N>
__attribute__((noinline, no_sanitize("address"))) void store_poisoned(void* at, N number) noexcept {
  using any_number __attribute__((may_alias)) = N;
  *static_cast<any_number*>(at) = number;
}
#elif INGOT_POISONS == 2
/// Poisoned bytes keep their values. So `unpoison` marks them as defined (initialised) for
/// Valgrind.
inline void poison(const void* at, std::size_t n) noexcept {
  static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(at, n));
}
inline void unpoison(const void* at, std::size_t n) noexcept {
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(at, n));
}
template <class N>
[[gnu::noinline]] N load_poisoned(const void* at) noexcept {
  using any_number __attribute__((may_alias)) = N;
  VALGRIND_DISABLE_ERROR_REPORTING;
  const N number = *static_cast<const volatile any_number*>(at);
  VALGRIND_ENABLE_ERROR_REPORTING;
  return number;
}
template <class N>
[[gnu::noinline]] void store_poisoned(void* at, N number) noexcept {
  using any_number __attribute__((may_alias)) = N;
  VALGRIND_DISABLE_ERROR_REPORTING;
  *static_cast<volatile any_number*>(at) = number;
  VALGRIND_ENABLE_ERROR_REPORTING;
}
#else
inline void poison(const void*, std::size_t) noexcept {}
inline void unpoison(const void*, std::size_t) noexcept {}
template <class N>
N load_poisoned(const void* at) noexcept {
  return *static_cast<const N*>(at);
}
template <class N>
void store_poisoned(void* at, N number) noexcept {
  *static_cast<N*>(at) = number;
}
#endif

/// Writes zeros to `n` bytes, a multiple of four. The bytes may be poisoned, and stay poisoned.
inline void clear_poisoned(std::byte* at, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; i += sizeof(std::uint32_t)) store_poisoned(at + i, std::uint32_t{0});
}

/// A number that the library stores in poisoned memory.
template <class N>
class poisoned_number {
public:
  poisoned_number(N number) noexcept : value_(number) {} // NOLINT(*-explicit-constructor): a number
  poisoned_number(const poisoned_number& other) noexcept : value_(other) {}
  poisoned_number& operator=(const poisoned_number& other) noexcept {
    store_poisoned(&value_, N{other});
    return *this;
  }
  ~poisoned_number() = default;
  operator N() const noexcept { // NOLINT(google-explicit-constructor): it is one
    return load_poisoned<N>(&value_);
  }

private:
  N value_;
};

/// The type of a number in memory that may be poisoned. In builds without poisoning it is `N`.
template <class N>
using maybe_poisoned = std::conditional_t<poisons, poisoned_number<N>, N>;

}}} // namespace ingot::INGOT_V1::detail
