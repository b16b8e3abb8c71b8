// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <algorithm>
#include <csignal>
#include <thread>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

void worker_threads::start(std::size_t count, void* (*run)(void*), void* with) noexcept {
  // A thread inherits the signal mask of the thread that creates it. Signals of the program must
  // reach only threads of the program, so signals are blocked here. Signals that an instruction
  // raises stay unblocked: a blocked signal of this kind would end the process, even if the program
  // has a handler for it. For example, a handler may fill memory on access.
  sigset_t others;
  sigset_t before;
  // Without `::`: these are macros on macOS.
  sigfillset(&others);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&others, own);
  if (::pthread_sigmask(SIG_SETMASK, &others, &before) != 0) return;
  for (count = std::min(count, max_count); count_ < count; ++count_) {
    if (::pthread_create(&threads_[count_], nullptr, run, with) != 0) break;
  }
  static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before, nullptr));
}

void worker_threads::join() noexcept {
  for (; count_ != 0; --count_) static_cast<void>(::pthread_join(threads_[count_ - 1], nullptr));
}

std::size_t threads_for(std::size_t tasks, std::size_t worth, unsigned requested) noexcept {
  constexpr std::size_t enough = 16; // more threads would only wait for bytes to be read
  if (requested == 0) tasks = std::min(tasks, worth);
  if (tasks <= 1 || requested == 1) return 1;
  const std::size_t wanted = requested != 0
                                 ? std::min<std::size_t>(requested, worker_threads::max_count + 1)
                                 : std::min<std::size_t>(std::thread::hardware_concurrency(), enough);
  return std::clamp<std::size_t>(wanted, 1, tasks);
}

}}} // namespace ingot::INGOT_V1::detail
