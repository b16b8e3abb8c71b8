// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/file_info.hpp>

#include "cli_support.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::file_open_mode;
using ingot::file_status;
using ingot::file_system;

constexpr std::size_t max_without_length = std::size_t{1} << 28;
/// Maximum size in bytes of files that are not in ingot's format. JSON text and documents are below
/// 4 GiB. The limit exists because a sparse file of a terabyte takes no disk space, but reading
/// such a file would take all memory.
constexpr std::uint64_t max_file_size = (std::uint64_t{1} << 32) - 1;

/// Decides whether the tool reads more of a long stream. If the stream is a file in ingot's format,
/// its header states the length. Logs may have any length, as long as one record follows another.
class whole_file {
public:
  enum class needs : std::uint8_t {
    more,
    nothing, ///< the stream is malformed: the reader reports the reason
    an_end,  ///< the stream may be endless
  };
  explicit whole_file(int file) noexcept : file_(file) {}

  [[nodiscard]] needs judge(std::uint64_t size) noexcept {
    std::array<std::byte, ingot::detail::file_header_size> start{};
    if (!look(start, 0)) return needs::an_end;
    const auto header = ingot::detail::read_header(start, size);
    if (!header) {
      const auto code = header.error().code();
      return code == ingot::errc::truncated   ? needs::more
             : code == ingot::errc::not_ingot ? needs::an_end
                                              : needs::nothing;
    }
    if (!header->is_log()) return header->info.closed ? needs::more : needs::an_end;
    if (record_ == 0) record_ = header->records_at();
    std::array<std::byte, ingot::detail::record_head_size> head{};
    while (record_ + head.size() <= size && look(head, record_)) {
      const auto sum =
          static_cast<std::uint32_t>(ingot::detail::checksum(ingot::bytes_view(head).first(4), record_));
      if (ingot::load_le<std::uint32_t>(head.data() + 4) != sum) break;
      record_ += head.size() + (std::uint64_t{ingot::load_le<std::uint32_t>(head.data())} + 7) / 8 * 8;
    }
    return record_ + max_without_length > size ? needs::more : needs::an_end;
  }

private:
  [[nodiscard]] bool look(std::span<std::byte> to, std::uint64_t at) const noexcept {
    return ::pread(file_, to.data(), to.size(), static_cast<::off_t>(at)) ==
           static_cast<std::ptrdiff_t>(to.size());
  }

  int file_;
  std::uint64_t record_ = 0; ///< offset of the next record
};

/// Forwards all calls to the system's files, except for `-` and named pipes. These are copied
/// first, because their bytes come only once, but the tool reads files more than once.
class files_and_input final : public file_system {
public:
  int open(int folder, const char* name, file_open_mode mode, unsigned permissions) noexcept override {
    const bool is_input = folder == here && std::string_view(name) == "-";
    if (const auto instead = instead_.find(std::string_view(name));
        instead != instead_.end() && folder == here && mode == file_open_mode::read) {
      const int copy = ::dup(instead->second);
      return copy < 0 ? -errno : copy;
    }
    if (is_input && mode != file_open_mode::read) return -EINVAL;
    struct ::stat found{};
    if (is_input) return again(input_, [] { return take_input(); });
    if (folder != here || mode != file_open_mode::read || ::stat(name, &found) != 0 ||
        !S_ISFIFO(found.st_mode))
      return real_.open(folder, name, mode, permissions);
    return again(pipe_of(found), [&] {
      // Waits for a writer of the pipe, because the library opens files without waiting.
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
      const int from = ::open(name, O_RDONLY | O_CLOEXEC);
      if (from < 0) return -errno;
      const int file = copy_of(from);
      ::close(from);
      return file;
    });
  }
  int open_folder(const char* path) noexcept override { return real_.open_folder(path); }
  int close(int file) noexcept override { return real_.close(file); }
  std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
    return real_.read(file, to, from);
  }
  std::int64_t write(int file, bytes_view bytes, std::uint64_t to) noexcept override {
    return real_.write(file, bytes, to);
  }
  int sync(int file) noexcept override { return real_.sync(file); }
  int truncate(int file, std::uint64_t size) noexcept override { return real_.truncate(file, size); }
  int rename(int folder, const char* from, const char* to) noexcept override {
    return real_.rename(folder, from, to);
  }
  int link(int folder, const char* from, const char* to) noexcept override {
    return real_.link(folder, from, to);
  }
  int remove(int folder, const char* name) noexcept override { return real_.remove(folder, name); }
  int status(int file, file_status& out) noexcept override { return real_.status(file, out); }
  int status(int folder, const char* name, file_status& out) noexcept override {
    return real_.status(folder, name, out);
  }
  int set_permissions(int file, unsigned permissions) noexcept override {
    return real_.set_permissions(file, permissions);
  }
  int set_group(int file, unsigned group) noexcept override { return real_.set_group(file, group); }
  int lock(int file) noexcept override { return real_.lock(file); }
  int lock_shared(int file) noexcept override { return real_.lock_shared(file); }
  int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept override {
    return real_.allocate(file, from, size);
  }
  int map_shared(int file, std::uint64_t from, std::size_t size, std::byte* start) noexcept override {
    return real_.map_shared(file, from, size, start);
  }
  int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept override {
    return real_.map(file, size, writable, start);
  }
  void unmap(std::byte* start, std::size_t size) noexcept override { real_.unmap(start, size); }

  /// Opens a temporary file with these bytes in place of the file `name`. Returns 0, or a negative
  /// error number.
  [[nodiscard]] int replace(const std::string& name, bytes_view bytes) {
    std::FILE* const copy_stream = std::tmpfile();
    if (copy_stream == nullptr) return -errno;
    if (std::fwrite(bytes.data(), 1, bytes.size(), copy_stream) != bytes.size() ||
        std::fflush(copy_stream) != 0) {
      const int why = errno;
      static_cast<void>(std::fclose(copy_stream));
      return -why;
    }
    instead_[name] = ::fileno(copy_stream);
    return 0;
  }

private:
  /// The copy of a stream.
  struct taken {
    ::dev_t device = 0; ///< identity of a pipe
    ::ino_t node = 0;
    /// true if the stream was read. After an error, the stream is not read again, because its
    /// unread bytes are another value.
    bool is_taken = false;
    int file = -1; ///< descriptor of the copy, or a negative error number
  };
  template <class Take>
  [[nodiscard]] static int again(taken& one, const Take& take) noexcept {
    if (!one.is_taken) {
      one.file = take();
      one.is_taken = true;
    }
    if (one.file < 0) return one.file;
    const int copy = ::dup(one.file);
    return copy < 0 ? -errno : copy;
  }
  /// Returns the entry for the copy of a pipe. Only the last few entries are kept, because a
  /// command uses one or two files at a time.
  [[nodiscard]] taken& pipe_of(const struct ::stat& found) noexcept {
    for (taken& each : pipes_) {
      if (each.is_taken && each.device == found.st_dev && each.node == found.st_ino) return each;
    }
    taken& one = pipes_[next_pipe_++ % pipes_.size()];
    if (one.file >= 0) ::close(one.file);
    one = {found.st_dev, found.st_ino, false, -1};
    return one;
  }

  /// Returns a file with the bytes of standard input.
  [[nodiscard]] static int take_input() noexcept {
    struct ::stat found{};
    if (::fstat(STDIN_FILENO, &found) == 0 && S_ISREG(found.st_mode)) return STDIN_FILENO;
    // the indicator would overwrite the text that the user types
    if (::isatty(STDIN_FILENO) == 1) activity_indicator::end();
    return copy_of(STDIN_FILENO);
  }
  /// Returns the descriptor of a temporary file with the bytes of `from`.
  [[nodiscard]] static int copy_of(int from) noexcept {
    std::FILE* const copy_stream = std::tmpfile();
    if (copy_stream == nullptr) return -errno;
    const int file = ::fileno(copy_stream);
    const auto reject = [&](int why) {
      static_cast<void>(std::fclose(copy_stream));
      return -why;
    };
    std::array<char, 65536> storage;
    std::size_t all = 0;
    whole_file whole(file);
    for (;;) {
      const auto got = ::read(from, storage.data(), storage.size());
      if (got == 0) return file;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return reject(errno);
      for (std::ptrdiff_t done = 0; done < got;) {
        const auto put = ::write(file, storage.data() + done, static_cast<std::size_t>(got - done));
        if (put < 0 && errno != EINTR) return reject(errno);
        if (put > 0) done += put;
      }
      all += static_cast<std::size_t>(got);
      if (all <= max_without_length) continue;
      const auto what = whole.judge(all);
      if (what == whole_file::needs::nothing) return file;
      if (what == whole_file::needs::an_end) return reject(EFBIG);
    }
  }

  file_system& real_ = ingot::system_files();
  std::map<std::string, int, std::less<>> instead_; ///< descriptors of repaired copies
  taken input_;
  std::array<taken, 8> pipes_{};
  std::size_t next_pipe_ = 0;
};

/// Returns the error for input that is too long. Input without a stated length may be endless, such
/// as /dev/zero.
[[nodiscard]] ingot::error too_long(const std::string& name, bool is_file) {
  return ingot::error{ingot::errc::too_large, is_file ? max_file_size : max_without_length}
      .with_expected(is_file ? "a file below 4 GiB, or one of ingot's"
                             : "a regular file, or at most 256 MiB of other input")
      .in_key(name);
}

} // namespace

namespace {

[[nodiscard]] files_and_input& all_files() {
  static files_and_input all;
  return all;
}
/// Returns the error for a system call on the file `name` that failed with the error number `why`.
[[nodiscard]] std::unexpected<ingot::error> system_error(const std::string& name, std::string_view expected,
                                                         std::int64_t why) {
  ingot::error err{ingot::errc::io};
  err.with_expected(expected).with_found(
      std::strerror(static_cast<int>(why))); // NOLINT(concurrency-mt-unsafe)
  return ingot::fail(err.in_key(name));
}

} // namespace

file_system& files() { return all_files(); }

ingot::result<void> read_instead(const std::string& name, ingot::bytes_view bytes) {
  if (const int e = all_files().replace(name, bytes); e < 0)
    return system_error(name, "a temporary file for a repaired copy", -e);
  return {};
}

ingot::result<std::string> read_all(const std::string& name) {
  const auto reject = [&](std::int64_t why) {
    if (why == -EFBIG) return ingot::fail(too_long(name, false));
    return system_error(name, "a file that can be read", -why);
  };
  const int file = files().open(file_system::here, name.c_str(), file_open_mode::read, 0);
  if (file < 0) return reject(file);
  std::string all;
  file_status status;
  const bool is_file = files().status(file, status) == 0 && status.what == file_status::kind::regular;
  if (is_file && status.size > max_file_size) {
    files().close(file);
    return ingot::fail(too_long(name, true));
  }
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (;;) {
    const std::size_t before = all.size();
    all.resize(before + piece);
    const std::span<char> storage(all.data() + before, piece);
    const auto got = files().read(file, std::as_writable_bytes(storage), before);
    all.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0) {
      files().close(file);
      return reject(got);
    }
    if (got == 0) break;
    if (all.size() < (is_file ? max_file_size : max_without_length)) continue;
    files().close(file);
    return ingot::fail(too_long(name, is_file));
  }
  files().close(file);
  return all;
}

} // namespace tool
