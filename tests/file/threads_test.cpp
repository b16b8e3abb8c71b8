// SPDX-License-Identifier: Apache-2.0
// Tests which threads compress and decode, by the memory that they touch. A signal handler provides
// this memory page by page, as in programs that fill memory on demand.
#include <ingot/file/compression.hpp>

#include "file/compressed_tools.hpp"
#include "file/file_tools.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace threads_test {

using namespace file_test;
using ingot::codec;

class watched_memory {
public:
  /// The calling thread waits once for another thread to touch the memory, for at most `seconds`.
  watched_memory(std::size_t size, double seconds) : size_(size) {
    start_ = static_cast<std::byte*>(
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(static_cast<void*>(start_), MAP_FAILED);
    me = pthread_self();
    rounds = static_cast<int>(seconds * 1'000);
    mine = others = open_to_signals = 0;
    watched = this;
    struct sigaction handler{};
    handler.sa_sigaction = &touched;
    handler.sa_flags = SA_SIGINFO;
    EXPECT_EQ(::sigaction(SIGSEGV, &handler, &before_), 0);
  }
  watched_memory(const watched_memory&) = delete;
  watched_memory& operator=(const watched_memory&) = delete;
  ~watched_memory() {
    ::sigaction(SIGSEGV, &before_, nullptr);
    ::munmap(start_, size_);
  }
  void close() const { ASSERT_EQ(::mprotect(start_, size_, PROT_NONE), 0); }
  [[nodiscard]] std::span<std::byte> bytes() const { return {start_, size_}; }

  static inline std::atomic<int> mine;   ///< pages that the calling thread touched first
  static inline std::atomic<int> others; ///< pages that another thread touched first
  /// those of `others` whose thread did not block SIGTERM
  static inline std::atomic<int> open_to_signals;

private:
  static void touched(int, siginfo_t* what, void*) {
    const auto at = reinterpret_cast<std::uintptr_t>(what->si_addr);
    const auto start = reinterpret_cast<std::uintptr_t>(watched->start_);
    if (at < start || at >= start + watched->size_) std::_Exit(3); // a real fault
    if (pthread_equal(me, pthread_self()) != 0) {
      ++mine;
      const timespec millisecond{0, 1'000'000};
      for (; rounds > 0 && others == 0; --rounds) ::nanosleep(&millisecond, nullptr);
    } else {
      ++others;
      sigset_t blocked;
      ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
      if (::sigismember(&blocked, SIGTERM) == 0) ++open_to_signals;
    }
    ::mprotect(reinterpret_cast<void*>(at - at % unit), unit, PROT_READ | PROT_WRITE);
  }

  static inline watched_memory* watched;
  static inline pthread_t me;
  static inline int rounds;
  static inline const auto unit = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  std::byte* start_;
  std::size_t size_;
  struct sigaction before_{};
};

constexpr std::size_t page = 4096;
constexpr double soon = 0.1;     // seconds in which an unwanted thread would have been detected
constexpr double some_time = 20; // seconds in which a required thread appears

void compress_watched(const ingot::compression& how, std::size_t size, double wait) {
  const byte_vector bytes = plain(size);
  const watched_memory memory(size, wait);
  std::memcpy(memory.bytes().data(), bytes.data(), size);
  memory.close();
  const auto compressed = ingot::compress(memory.bytes(), how);
  ASSERT_TRUE(compressed.has_value()) << compressed.error().message();
  EXPECT_LT(compressed->size(), size);
  EXPECT_GT(memory.mine + memory.others, 0);
}
void decompress_watched(std::size_t size, unsigned threads, double wait) {
  const byte_vector bytes = plain(size);
  for (const codec method : {codec::lz4, codec::zstd}) {
    const auto message = ingot::compress(bytes, {.method = method, .block = page, .threads = 1});
    ASSERT_TRUE(message.has_value());
    const watched_memory memory(size, wait);
    memory.close();
    const auto filled = ingot::decompress_into(memory.bytes(), *message, {.threads = threads});
    ASSERT_TRUE(filled.has_value()) << filled.error().message();
    EXPECT_TRUE(std::ranges::equal(memory.bytes(), bytes));
  }
}

TEST(threads, raise_the_programs_signals_but_take_no_others) {
  for (const codec method : {codec::lz4, codec::zstd}) {
    compress_watched({.method = method, .block = page, .threads = 2}, 32 * page, some_time);
    EXPECT_GT(watched_memory::others, 0);
    EXPECT_EQ(watched_memory::open_to_signals, 0);
  }
  decompress_watched(32 * page, 2, some_time);
  EXPECT_GT(watched_memory::others, 0);
  EXPECT_EQ(watched_memory::open_to_signals, 0);
}

TEST(threads, are_none_but_the_calling_one_if_one_is_requested) {
  compress_watched({.method = codec::zstd, .block = page, .threads = 1}, 512 * page, soon);
  EXPECT_EQ(watched_memory::others, 0);
  decompress_watched(512 * page, 1, soon);
  EXPECT_EQ(watched_memory::others, 0);
}

TEST(threads, are_none_but_the_calling_one_for_small_work_by_default) {
  // The sender of a message chooses its blocks: here the maximum number.
  decompress_watched(255 * page, 0, soon);
  EXPECT_EQ(watched_memory::others, 0);
  compress_watched({.method = codec::lz4, .block = page}, 255 * page, soon);
  EXPECT_EQ(watched_memory::others, 0);
  compress_watched({.method = codec::zstd, .block = page}, 63 * page, soon);
  EXPECT_EQ(watched_memory::others, 0);
  compress_watched({.method = codec::zstd, .level = 9, .block = page}, 7 * page, soon);
  EXPECT_EQ(watched_memory::others, 0);
}

} // namespace threads_test
