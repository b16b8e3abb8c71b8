// SPDX-License-Identifier: Apache-2.0
// Threads that work for the calling thread during one call.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>

#include <pthread.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The only threads that the library starts. They end before the call that started them returns.
/// They receive no signals, except those that their own instructions raise, for example by
/// accessing memory. `std::thread` is not used: if the system has no more threads, `std::thread`
/// throws, or ends programs without exceptions.
class worker_threads {
public:
  static constexpr std::size_t max_count = 63;

  worker_threads() = default;
  worker_threads(const worker_threads&) = delete;
  worker_threads& operator=(const worker_threads&) = delete;
  ~worker_threads() { join(); }

  /// Starts `count` threads that call `run(with)`. Starts fewer threads, or none, if the system has
  /// no more.
  void start(std::size_t count, void* (*run)(void*), void* with) noexcept;
  void join() noexcept;

private:
  std::array<pthread_t, max_count> threads_{};
  std::size_t count_ = 0;
};

/// Returns the number of threads, including the calling thread, for `tasks` tasks. If `requested`
/// is 0, this is the number of threads that the machine runs at once, but at most `worth`. `worth`
/// depends on the amount of work.
[[nodiscard]] std::size_t threads_for(std::size_t tasks, std::size_t worth, unsigned requested) noexcept;

}}} // namespace ingot::INGOT_V1::detail
