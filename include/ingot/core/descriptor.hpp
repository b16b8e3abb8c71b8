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

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

[[nodiscard]] inline error system_error(int number, std::uint64_t done) {
  return error{errc::io, done}.with_found(std::strerror(number));
}

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
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto n = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
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
  buffer bytes;
  for (;;) {
    const auto space = bytes.prepare(step);
    if (space.empty()) return fail(error{errc::no_memory, bytes.size()});
    const auto n = ::read(descriptor, space.data(), space.size());
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
