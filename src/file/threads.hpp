// SPDX-License-Identifier: Apache-2.0
// Threads that help the calling one for the length of a call.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>

#include <pthread.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// No threads of the library but these: they are gone when the call that needs them returns, and take no signals meanwhile
/// but those that they raise themselves, by touching memory for one.
/// (Those of the standard library throw where there are no more, or end programs without exceptions.)
class worker_threads {
public:
  static constexpr std::size_t most = 63;

  worker_threads() = default;
  worker_threads(const worker_threads&) = delete;
  worker_threads& operator=(const worker_threads&) = delete;
  ~worker_threads() { join(); }

  /// Each calls `run(with)`. Where the system gives no more, there are fewer, or none.
  void start(std::size_t count, void* (*run)(void*), void* with) noexcept;
  void join() noexcept;

private:
  std::array<pthread_t, most> threads_{};
  std::size_t count_ = 0;
};

/// How many threads, the calling one included, work on so many tasks; 0 asks for as many as the machine runs at once, but for no more than are
/// worth being started for as much work.
[[nodiscard]] std::size_t threads_for(std::size_t tasks, std::size_t worth, unsigned asked) noexcept;

}}} // namespace ingot::INGOT_V1::detail
