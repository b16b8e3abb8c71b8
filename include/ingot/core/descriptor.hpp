// SPDX-License-Identifier: Apache-2.0
// File descriptors as sinks and sources: pipes, sockets, files that the program has opened.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>

#if __has_include(<unistd.h>)

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include <unistd.h>
#if defined(__MINGW32__)
#include <fcntl.h>
#endif

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

[[nodiscard]] inline error system_error(int number, std::uint64_t done) {
  return error{errc::io, done}.with_found(std::strerror(number));
}

#if defined(__MINGW32__)
/// Makes a descriptor transfer bytes unchanged while the object exists. By default, Windows
/// converts ends of lines.
class binary_mode {
public:
  explicit binary_mode(int descriptor) noexcept
      : descriptor_(descriptor), before_(descriptor < 0 ? -1 : ::_setmode(descriptor, _O_BINARY)) {}
  binary_mode(const binary_mode&) = delete;
  binary_mode& operator=(const binary_mode&) = delete;
  ~binary_mode() {
    if (before_ != -1) ::_setmode(descriptor_, before_);
  }

private:
  int descriptor_;
  int before_;
};
/// Returns the number of bytes to transfer by one call, at most 1 GiB.
[[nodiscard]] inline unsigned at_once(std::size_t bytes) noexcept {
  constexpr unsigned limit = 1U << 30;
  return bytes < limit ? static_cast<unsigned>(bytes) : limit;
}
#else
struct binary_mode {
  explicit binary_mode(int) noexcept {}
};
[[nodiscard]] inline std::size_t at_once(std::size_t bytes) noexcept { return bytes; }
#endif

} // namespace detail

/// A sink that writes to a descriptor and does not own it. Calls the system's `write` once for each
/// message, and again if the system takes only a part of the message. Written bytes can't be
/// removed again. So the offset of an error is the number of written bytes.
class fd_sink {
public:
  /// `descriptor` must stay open as long as the sink is used.
  explicit fd_sink(int descriptor) noexcept : descriptor_(descriptor) {}

  /// Writes all bytes, in as many system calls as needed. O(bytes). Errors: `io`, with the number
  /// of written bytes as offset.
  [[nodiscard]] result<void> write(bytes_view bytes) {
    [[maybe_unused]] const detail::binary_mode unchanged(descriptor_);
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto n = ::write(descriptor_, bytes.data() + done, detail::at_once(bytes.size() - done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail(detail::system_error(errno, done).with_expected("all bytes to be written"));
      done += static_cast<std::size_t>(n);
    }
    return {};
  }

private:
  int descriptor_;
};

/// Reads from a descriptor until its end. Reads at most `max_bytes` bytes, so that an endless pipe
/// can't take all memory. O(bytes). Errors: `too_large` for more bytes; `no_memory`; `io` with the
/// system's message.
[[nodiscard]] inline result<buffer>
read_all(int descriptor, std::size_t max_bytes = std::numeric_limits<std::size_t>::max()) {
  constexpr std::size_t step = 64 * 1024; // a pipe's default capacity
  [[maybe_unused]] const detail::binary_mode unchanged(descriptor);
  buffer bytes;
  for (;;) {
    const auto space = bytes.prepare(step);
    if (space.empty()) return fail(error{errc::no_memory, bytes.size()});
    const auto n = ::read(descriptor, space.data(), detail::at_once(space.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(detail::system_error(errno, bytes.size()));
    if (n == 0) return bytes;
    bytes.commit(static_cast<std::size_t>(n));
    if (bytes.size() > max_bytes) {
      return fail(error{errc::too_large, max_bytes}.with_expected("no more bytes than the given limit"));
    }
  }
}

}} // namespace ingot::INGOT_V1

#endif
