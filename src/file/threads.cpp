// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <algorithm>
#include <csignal>
#include <thread>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

void worker_threads::start(std::size_t count, void* (*run)(void*), void* with) noexcept {
  // A thread begins with the mask of the one that makes it: the program's signals are the program's threads'. But what an instruction
  // raises would end the process, blocked or not, though the program may have a handler: for memory that it fills when it is touched.
  sigset_t others;
  sigset_t before;
  ::sigfillset(&others);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) ::sigdelset(&others, own);
  if (::pthread_sigmask(SIG_SETMASK, &others, &before) != 0) return;
  for (count = std::min(count, most); count_ < count; ++count_) {
    if (::pthread_create(&threads_[count_], nullptr, run, with) != 0) break;
  }
  static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before, nullptr));
}

void worker_threads::join() noexcept {
  for (; count_ != 0; --count_) static_cast<void>(::pthread_join(threads_[count_ - 1], nullptr));
}

std::size_t threads_for(std::size_t tasks, std::size_t worth, unsigned asked) noexcept {
  constexpr std::size_t enough = 16; // reading is what everybody waits for then
  if (asked == 0) tasks = std::min(tasks, worth);
  if (tasks <= 1 || asked == 1) return 1;
  const std::size_t wanted = asked != 0 ? std::min<std::size_t>(asked, worker_threads::most + 1)
                                        : std::min<std::size_t>(std::thread::hardware_concurrency(), enough);
  return std::clamp<std::size_t>(wanted, 1, tasks);
}

}}} // namespace ingot::INGOT_V1::detail
