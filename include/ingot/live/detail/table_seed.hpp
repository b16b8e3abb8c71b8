// SPDX-License-Identifier: Apache-2.0
// The seeds of tables whose keys collide. Public seeds are constants. They are tried first if equal
// values must become equal bytes. Drawn seeds are random numbers, which an attacker can't know. A
// table takes a drawn seed if keys collide while they are inserted one by one.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/detail/keyed_hash.hpp>
#include <ingot/live/hash.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>

#if defined(_WIN32)
// `rand_s` is declared here, because the C library declares it only if a macro is defined before
// the first header of the program.
extern "C" int __cdecl rand_s(unsigned int*);
#else
#include <fcntl.h>
#include <unistd.h>
#if __has_include(<sys/random.h>)
#include <sys/random.h>
#endif
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Number of public seeds in addition to `first_seed`. These seeds are the numbers from 1 to
/// `public_seeds`.
inline constexpr std::uint64_t public_seeds = 16;
/// Maximum number of seeds that are drawn for one size of a table, and maximum number of sizes that
/// are tried. Each size is twice the previous size.
inline constexpr int max_draws = 32;
inline constexpr int max_sizes = 3;

[[nodiscard]] constexpr bool is_public_seed(std::uint64_t seed) noexcept {
  return seed == first_seed || (seed != 0 && seed <= public_seeds);
}
/// Returns the public seed that a canonical table tries after `seed`; 0 if `seed` is the last
/// public seed.
[[nodiscard]] constexpr std::uint64_t next_public_seed(std::uint64_t seed) noexcept {
  return seed == first_seed ? 1 : seed < public_seeds ? seed + 1 : 0;
}

/// Gets eight bytes from the system's random generator. Returns false if there is none.
[[nodiscard]] inline bool draw_from_system(std::uint64_t& number) noexcept {
#if defined(_WIN32)
  unsigned int upper = 0;
  unsigned int lower = 0;
  if (::rand_s(&upper) != 0 || ::rand_s(&lower) != 0) return false;
  number = std::uint64_t{upper} << 32 | lower;
  return true;
#else
  const int before = errno; // the program's own
  bool drawn = false;
#if __has_include(<sys/random.h>) && (defined(__linux__) || defined(__FreeBSD__))
  drawn = ::getrandom(&number, sizeof number, 0) == static_cast<ssize_t>(sizeof number);
#elif __has_include(<sys/random.h>)
  drawn = ::getentropy(&number, sizeof number) == 0;
#endif
  if (!drawn) { // an old kernel, a signal, or a sandbox
    const int file = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      drawn = ::read(file, &number, sizeof number) == static_cast<ssize_t>(sizeof number);
      ::close(file);
    }
  }
  errno = before;
  return drawn;
#endif
}

/// Replaces the system's generator in tests.
struct seed_source {
  static inline std::atomic<std::uint64_t (*)()> instead{nullptr};
};

/// Returns a seed that is not public. If the system has no generator, the seed is a hash of values
/// that are hard to know: the time to the nanosecond, the processor's time, addresses of the stack
/// and of static objects, and the number of seeds drawn before.
[[nodiscard]] INGOT_COLD inline std::uint64_t draw_seed() noexcept {
  std::uint64_t seed = 0;
  if (const auto source = seed_source::instead.load(std::memory_order_relaxed); source != nullptr) {
    seed = source();
  } else if (!draw_from_system(seed)) {
    static std::atomic<std::size_t> drawn{0}; // all machines have an atomic addition of this width
    keyed_hash from(reinterpret_cast<std::uintptr_t>(&seed));
#if defined(_WIN32) // one of its C libraries has no timespec_get
    from.add(static_cast<std::uint64_t>(std::time(nullptr)));
#else
    std::timespec now{};
    // Including <chrono> would take more compile time than the rest of this header.
    static_cast<void>(std::timespec_get(&now, TIME_UTC));
    from.add(static_cast<std::uint64_t>(now.tv_sec));
    from.add(static_cast<std::uint64_t>(now.tv_nsec));
#endif
#if !defined(__wasm__) // has no processor's time
    from.add(static_cast<std::uint64_t>(std::clock()));
#endif
    from.add(reinterpret_cast<std::uintptr_t>(&drawn));
    from.add(drawn.fetch_add(1, std::memory_order_relaxed));
    seed = from.done();
  }
  return is_public_seed(seed) ? ~seed : seed;
}

}}} // namespace ingot::INGOT_V1::detail
