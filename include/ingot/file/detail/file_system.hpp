// SPDX-License-Identifier: Apache-2.0
// System calls for files, one function for each, so that tests can replace the system: they make
// every call fail, and simulate the effects of power cuts, which real disks don't show on demand.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct file_status {
  enum class kind : std::uint8_t { regular, folder, link, other };

  kind what = kind::other;
  std::uint64_t size = 0;
  unsigned permissions = 0; ///< as for chmod
  unsigned group = 0;       ///< numeric group ID
  std::uint64_t device = 0; ///< with `node`: identity of the file
  std::uint64_t node = 0;
  /// Number of names (links) of the file; 0 after it was deleted or replaced.
  std::uint64_t names = 1;

  [[nodiscard]] bool is_same_file(const file_status& other) const noexcept {
    return device == other.device && node == other.node;
  }
};

enum class open_mode : std::uint8_t {
  read,   ///< reads the file that the name refers to
  append, ///< reads and writes an existing file
  create, ///< writes a file that does not exist yet
};

/// Functions return the system's result, or the negative error number. A name is relative to the
/// folder, or is a path if the folder is `here`. The last three functions are for files that are
/// edited in place: a system without them can't edit files.
class file_system {
public:
  static constexpr int here = -1;

  [[nodiscard]] virtual int open_folder(const char* path) noexcept = 0;
  [[nodiscard]] virtual int open(int folder, const char* name, open_mode mode,
                                 unsigned permissions) noexcept = 0;
  virtual int close(int file) noexcept = 0;
  [[nodiscard]] virtual std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept = 0;
  [[nodiscard]] virtual std::int64_t write(int file, bytes_view bytes, std::uint64_t to) noexcept = 0;
  /// Makes writes to a file, or renames in a folder, survive a power cut.
  [[nodiscard]] virtual int sync(int file) noexcept = 0;
  [[nodiscard]] virtual int truncate(int file, std::uint64_t size) noexcept = 0;
  /// Renames a file, replacing a file with the new name.
  [[nodiscard]] virtual int rename(int folder, const char* from, const char* to) noexcept = 0;
  /// Adds a second name, which must not exist.
  [[nodiscard]] virtual int link(int folder, const char* from, const char* to) noexcept = 0;
  virtual int remove(int folder, const char* name) noexcept = 0;
  [[nodiscard]] virtual int status(int file, file_status& out) noexcept = 0;
  /// Returns the status of the name itself, if it is a link.
  [[nodiscard]] virtual int status(int folder, const char* name, file_status& out) noexcept = 0;
  [[nodiscard]] virtual int set_permissions(int file, unsigned permissions) noexcept = 0;
  [[nodiscard]] virtual int set_group(int file, unsigned group) noexcept = 0;
  /// Locks exclusively; fails if another process has a lock.
  [[nodiscard]] virtual int lock(int file) noexcept = 0;
  /// Locks for reading, shared with other readers; fails if another process has an exclusive lock.
  [[nodiscard]] virtual int lock_shared(int file) noexcept;
  /// Maps a file into memory that begins at a page. Changes, if allowed, stay in this process.
  [[nodiscard]] virtual int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept = 0;
  virtual void unmap(std::byte* start, std::size_t size) noexcept = 0;
  /// Allocates disk space for `size` bytes from position `from` on, and makes the file that long;
  /// new bytes are zero. After an error the file may be longer, and some space may be allocated:
  /// the caller truncates it.
  [[nodiscard]] virtual int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept;
  /// Maps the bytes of a file from `from` on, a multiple of 65536, at `start`, where addresses were
  /// reserved. Changes go to the file. Bytes after the file's end must not be touched before the
  /// file has grown. `unmap` also ends the reservation.
  [[nodiscard]] virtual int map_shared(int file, std::uint64_t from, std::size_t size,
                                       std::byte* start) noexcept;

protected:
  file_system() = default;
  file_system(const file_system&) = default;
  file_system& operator=(const file_system&) = default;
  ~file_system() = default;
};

/// Returns the operating system's files.
[[nodiscard]] file_system& system_files() noexcept;

}}} // namespace ingot::INGOT_V1::detail
