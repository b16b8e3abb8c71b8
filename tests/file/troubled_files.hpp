// SPDX-License-Identifier: Apache-2.0
// A file system with faults: it forwards calls to another one, except for chosen calls. These fail,
// are interrupted, do less than requested, or are the last call of the process.
#pragma once

#include <ingot/file/file_system.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace file_test {

using ingot::file_open_mode;
using ingot::file_status;
using ingot::file_system;

class troubled_files final : public file_system {
public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  explicit troubled_files(file_system& real = ingot::system_files()) : real_(real) {}

  std::size_t fail_at = never; ///< this call, from 0, returns `-number`
  int number = EIO;            ///< the error
  bool fails_for_ever = false; ///< all later calls fail, too, except for closing
  std::size_t kill_at = never; ///< the process is killed before this call
  bool forces = true;          ///< false: nothing is forced to disk
  bool interrupts =
      false; ///< every call that a signal can interrupt is interrupted once before it does anything
  std::size_t max_bytes = never;    ///< maximum number of bytes that one call reads or writes
  std::size_t largest_read = 0;     ///< the largest requested size
  std::vector<std::string> calls{}; ///< called functions, in order
  /// called once before the next read, for changes by another program
  std::function<void()> before_read{};
  /// called with the bytes that each read returns, and their position; may change the bytes, as if
  /// the file had other bytes at this moment
  std::function<void(std::span<std::byte>, std::uint64_t)> after_read{};
  std::function<void()> before_lock{};

  /// Returns the number of open descriptors.
  [[nodiscard]] int open_files() const { return open_; }

  int open_folder(const char* path) noexcept override {
    return opened(troubled("open_folder", true, [&] { return real_.open_folder(path); }));
  }
  int open(int folder, const char* name, file_open_mode mode, unsigned permissions) noexcept override {
    return opened(troubled("open", true, [&] { return real_.open(folder, name, mode, permissions); }));
  }
  int close(int file) noexcept override {
    --open_; // the descriptor is released, whatever close returns
    const int closed = real_.close(file);
    const int trouble = troubled("close", false, [] { return 0; });
    return trouble < 0 ? trouble : closed;
  }
  std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
    largest_read = std::max(largest_read, to.size());
    if (before_read) std::exchange(before_read, nullptr)();
    const std::int64_t size = troubled(
        "read", true, [&] { return real_.read(file, to.first(std::min(to.size(), max_bytes)), from); });
    if (after_read && size > 0) after_read(to.first(static_cast<std::size_t>(size)), from);
    return size;
  }
  std::int64_t write(int file, ingot::bytes_view bytes, std::uint64_t to) noexcept override {
    return troubled("write", true,
                    [&] { return real_.write(file, bytes.first(std::min(bytes.size(), max_bytes)), to); });
  }
  int sync(int file) noexcept override {
    return troubled("sync", true, [&] { return forces ? real_.sync(file) : 0; });
  }
  int truncate(int file, std::uint64_t size) noexcept override {
    return troubled("truncate", true, [&] { return real_.truncate(file, size); });
  }
  int rename(int folder, const char* from, const char* to) noexcept override {
    return troubled("rename", true, [&] { return real_.rename(folder, from, to); });
  }
  int link(int folder, const char* from, const char* to) noexcept override {
    return troubled("link", true, [&] { return real_.link(folder, from, to); });
  }
  int remove(int folder, const char* name) noexcept override {
    // On a disk that is gone nothing can be removed either; these tests check the cleanup after
    // another failure.
    if (calls.size() == kill_at) static_cast<void>(std::raise(SIGKILL));
    calls.emplace_back("remove");
    return real_.remove(folder, name);
  }
  int status(int file, file_status& out) noexcept override {
    return troubled("status", false, [&] { return real_.status(file, out); });
  }
  int status(int folder, const char* name, file_status& out) noexcept override {
    return troubled("status of", false, [&] { return real_.status(folder, name, out); });
  }
  int set_permissions(int file, unsigned permissions) noexcept override {
    return troubled("set_permissions", true, [&] { return real_.set_permissions(file, permissions); });
  }
  int set_group(int file, unsigned group) noexcept override {
    return troubled("set_group", true, [&] { return real_.set_group(file, group); });
  }
  int lock(int file) noexcept override {
    if (before_lock) std::exchange(before_lock, nullptr)();
    return troubled("lock", true, [&] { return real_.lock(file); });
  }
  int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept override {
    const int mapped = troubled("map", false, [&] { return real_.map(file, size, writable, start); });
    if (mapped >= 0) ++open_;
    return mapped;
  }
  int lock_shared(int file) noexcept override {
    return troubled("lock_shared", true, [&] { return real_.lock_shared(file); });
  }
  int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept override {
    return troubled("allocate", true, [&] { return real_.allocate(file, from, size); });
  }
  int map_shared(int file, std::uint64_t from, std::size_t size, std::byte* start) noexcept override {
    const int mapped =
        troubled("map_shared", false, [&] { return real_.map_shared(file, from, size, start); });
    if (mapped >= 0) ++open_;
    return mapped;
  }
  void unmap(std::byte* start, std::size_t size) noexcept override {
    --open_;
    real_.unmap(start, size);
  }

private:
  template <class Call>
  [[nodiscard]] auto troubled(std::string_view name, bool interruptible, const Call& call) noexcept
      -> decltype(call()) {
    if (interrupts && interruptible && !std::exchange(interrupted_, true)) return -EINTR;
    interrupted_ = false;
    const std::size_t index = calls.size();
    calls.emplace_back(name);
    if (index == kill_at) static_cast<void>(std::raise(SIGKILL));
    if (index == fail_at || (fails_for_ever && index > fail_at)) return -number;
    return call();
  }
  int opened(int file) noexcept {
    if (file >= 0) ++open_;
    return file;
  }

  file_system& real_;
  bool interrupted_ = false;
  int open_ = 0;
};

} // namespace file_test
