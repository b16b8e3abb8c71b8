// SPDX-License-Identifier: Apache-2.0
// Implements `file_system` with the calls of POSIX. The other source files of the library do not
// call POSIX for files.
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/file/file_system.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio> // renameat
#include <limits>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ingot { inline namespace INGOT_V1 {

namespace {

static_assert(sizeof(off_t) == 8,
              "ingot: compile ingot::file with 64-bit file offsets (_FILE_OFFSET_BITS=64)");

[[nodiscard]] int outcome(int returned) noexcept { return returned < 0 ? -errno : returned; }

[[nodiscard]] file_status status_from(const struct ::stat& from) noexcept {
  file_status converted;
  converted.what = S_ISREG(from.st_mode)   ? file_status::kind::regular
                   : S_ISDIR(from.st_mode) ? file_status::kind::folder
                   : S_ISLNK(from.st_mode) ? file_status::kind::link
                                           : file_status::kind::other;
  converted.size = from.st_size < 0 ? 0 : static_cast<std::uint64_t>(from.st_size);
  converted.permissions = static_cast<unsigned>(from.st_mode) & 07777U;
  converted.group = static_cast<unsigned>(from.st_gid);
  converted.device = static_cast<std::uint64_t>(from.st_dev);
  converted.node = static_cast<std::uint64_t>(from.st_ino);
  converted.names = static_cast<std::uint64_t>(from.st_nlink);
  return converted;
}
[[nodiscard]] bool is_offset(std::uint64_t n) noexcept {
  return n <= static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
}
/// Returns the number of bytes to ask for in one call. macOS rejects a call for more than INT_MAX
/// bytes; Linux reads or writes at most this many. The caller continues after a short call.
[[nodiscard]] std::size_t one_call(std::size_t bytes) noexcept {
  constexpr std::size_t limit = 0x7FFF'F000;
  return bytes < limit ? bytes : limit;
}
/// Returns the maximum size of the process's files. A call that exceeds this size raises SIGXFSZ.
/// The signal ends the process unless the process ignores it. So no call may exceed the size.
[[nodiscard]] std::uint64_t file_size_limit() noexcept {
  struct ::rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(limit.rlim_cur);
}
[[nodiscard]] int folder_of(int folder) noexcept { return folder == file_system::here ? AT_FDCWD : folder; }

class posix_files final : public file_system {
public:
  int open_folder(const char* path) noexcept override {
    return outcome(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)); // NOLINT(*-vararg)
  }
  int open(int folder, const char* name, file_open_mode mode, unsigned permissions) noexcept override {
    // Without O_NONBLOCK, opening a pipe would wait for a writer. The flag has no effect on files.
    int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if (mode == file_open_mode::read) flags |= O_RDONLY;
    else if (mode == file_open_mode::append) flags |= O_RDWR;
    else flags |= O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    const auto rights = static_cast<mode_t>(permissions);
    return outcome(::openat(folder_of(folder), name, flags, rights)); // NOLINT(*-vararg)
  }
  int close(int file) noexcept override { return outcome(::close(file)); }
  std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
    if (!is_offset(from)) return -EINVAL;
    const auto n = ::pread(file, to.data(), one_call(to.size()), static_cast<off_t>(from));
    return n < 0 ? -errno : n;
  }
  std::int64_t write(int file, bytes_view bytes, std::uint64_t to) noexcept override {
    if (!is_offset(to)) return -EFBIG;
    const std::uint64_t limit = file_size_limit();
    if (to >= limit && !bytes.empty()) return -EFBIG;
    if (bytes.size() > limit - to) bytes = bytes.first(static_cast<std::size_t>(limit - to));
    const auto n = ::pwrite(file, bytes.data(), one_call(bytes.size()), static_cast<off_t>(to));
    return n < 0 ? -errno : n;
  }
  int sync(int file) noexcept override {
#if defined(F_FULLFSYNC)
    // On macOS, fsync leaves bytes in the memory of the drive. A file system that can't make the
    // drive write them has fsync alone.
    if (::fcntl(file, F_FULLFSYNC) != -1) return 0; // NOLINT(*-vararg)
    if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) return -errno;
#endif
    return outcome(::fsync(file));
  }
  int truncate(int file, std::uint64_t size) noexcept override {
    if (!is_offset(size)) return -EFBIG;
    if (size > file_size_limit()) { // a size above the limit is allowed if the file does not grow
      file_status now;
      if (const int e = status(file, now); e < 0) return e;
      if (size > now.size) return -EFBIG;
    }
    return outcome(::ftruncate(file, static_cast<off_t>(size)));
  }
  int rename(int folder, const char* from, const char* to) noexcept override {
    return outcome(::renameat(folder, from, folder, to));
  }
  int link(int folder, const char* from, const char* to) noexcept override {
    return outcome(::linkat(folder, from, folder, to, 0));
  }
  int remove(int folder, const char* name) noexcept override { return outcome(::unlinkat(folder, name, 0)); }
  int status(int file, file_status& out) noexcept override {
    struct ::stat found{};
    if (::fstat(file, &found) < 0) return -errno;
    out = status_from(found);
    return 0;
  }
  int status(int folder, const char* name, file_status& out) noexcept override {
    struct ::stat found{};
    if (::fstatat(folder_of(folder), name, &found, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    out = status_from(found);
    return 0;
  }
  int set_permissions(int file, unsigned permissions) noexcept override {
    return outcome(::fchmod(file, static_cast<mode_t>(permissions)));
  }
  int set_group(int file, unsigned group) noexcept override {
    return outcome(::fchown(file, static_cast<uid_t>(-1), static_cast<gid_t>(group)));
  }
  int lock(int file) noexcept override { return outcome(::flock(file, LOCK_EX | LOCK_NB)); }
  int lock_shared(int file) noexcept override { return outcome(::flock(file, LOCK_SH | LOCK_NB)); }
  int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept override {
    const int allowed = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const mapped = ::mmap(nullptr, size, allowed, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) return -errno; // NOLINT(performance-no-int-to-ptr): system's constant
    start = static_cast<std::byte*>(mapped);
    return 0;
  }
  void unmap(std::byte* start, std::size_t size) noexcept override {
    static_cast<void>(::munmap(start, size));
  }
  int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept override {
    if (!is_offset(from) || size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()) - from)
      return -EFBIG;
    if (from + size > file_size_limit()) return -EFBIG;
#if defined(__linux__)
    if (::fallocate(file, 0, static_cast<off_t>(from), static_cast<off_t>(size)) == 0) return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS) return -errno;
#endif
    return write_zeros(file, from + size);
  }
  int map_shared(int file, std::uint64_t from, std::size_t size, std::byte* start) noexcept override {
    if (!is_offset(from)) return -EINVAL;
    const int access = PROT_READ | PROT_WRITE; // NOLINT(hicpp-signed-bitwise)
    const int flags = MAP_SHARED | MAP_FIXED;  // NOLINT(hicpp-signed-bitwise)
    void* const mapped = ::mmap(start, size, access, flags, file, static_cast<off_t>(from));
    return mapped == MAP_FAILED ? -errno : 0; // NOLINT(*-no-int-to-ptr): the system's constant
  }

private:
  /// Writes zeros from the file's end to `end`, on systems where disk space can't be allocated
  /// otherwise.
  [[nodiscard]] static int write_zeros(int file, std::uint64_t end) noexcept {
    struct ::stat found{};
    if (::fstat(file, &found) < 0) return -errno;
    static constexpr std::array<std::byte, 4096> zeros{};
    for (auto at = static_cast<std::uint64_t>(found.st_size); at < end;) {
      const std::uint64_t rest = end - at;
      const auto piece = static_cast<std::size_t>(rest < zeros.size() ? rest : zeros.size());
      const auto n = ::pwrite(file, zeros.data(), piece, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        const int why = n == 0 ? ENOSPC : errno;
        const int unheard = ::ftruncate(file, found.st_size); // the earlier error is reported
        static_cast<void>(unheard);
        return -why;
      }
      at += static_cast<std::uint64_t>(n);
    }
    return 0;
  }
};

} // namespace

int file_system::lock_shared(int) noexcept { return -ENOSYS; }
int file_system::allocate(int, std::uint64_t, std::uint64_t) noexcept { return -ENOSYS; }
int file_system::map_shared(int, std::uint64_t, std::size_t, std::byte*) noexcept { return -ENOSYS; }

file_system& system_files() noexcept {
  static detail::never_destroyed<posix_files> files([] { return posix_files(); });
  return *files;
}

}} // namespace ingot::INGOT_V1
