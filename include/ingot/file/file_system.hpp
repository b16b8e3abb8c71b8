// SPDX-License-Identifier: Apache-2.0
// System calls for files, one function for each. Programs and tests can replace the system, for
// example by files in an archive or in memory, by calls that fail, or by disks that lose power.
// Functions that use files have a `file_system&` as their last parameter; its default is the
// operating system.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 {

/// Status of a file, as `file_system::status` returns it.
struct file_status {
  /// Kinds of files.
  enum class kind : std::uint8_t { regular, folder, link, other };

  kind what = kind::other;  ///< kind of the file
  std::uint64_t size = 0;   ///< in bytes
  unsigned permissions = 0; ///< as for chmod
  unsigned group = 0;       ///< numeric group ID
  std::uint64_t device = 0; ///< identifies the file together with `node`
  std::uint64_t node = 0;   ///< the inode
  /// Number of names (links) of the file; 0 after it was deleted or replaced.
  std::uint64_t names = 1;

  /// Returns true if this object and `other` are the status of one file.
  [[nodiscard]] bool is_same_file(const file_status& other) const noexcept {
    return device == other.device && node == other.node;
  }
};

/// Modes in which `file_system::open` opens a file.
enum class file_open_mode : std::uint8_t {
  read,   ///< reads the file that the name refers to
  append, ///< reads and writes an existing file
  create, ///< writes a file that does not exist yet
};

/// System calls that this library uses for files. Derive a class from this class to replace the
/// system. Functions return the system's result, or the negative error number (`-ENOENT`). A name
/// is relative to the parameter `folder`, or is a path if `folder` is `here`. `lock_shared`,
/// `allocate` and `map_shared` are for files that are edited in place: a system without them can't
/// edit files.
class file_system {
public:
  /// The current folder, for parameters that are folders.
  static constexpr int here = -1;

  /// Opens a folder. Returns its descriptor.
  [[nodiscard]] virtual int open_folder(const char* path) noexcept = 0;
  /// Opens a file. Returns its descriptor. A new file gets `permissions`.
  [[nodiscard]] virtual int open(int folder, const char* name, file_open_mode mode,
                                 unsigned permissions) noexcept = 0;
  /// Closes a file or folder.
  virtual int close(int file) noexcept = 0;
  /// Reads bytes from position `from` on. Returns the number of bytes read. This number may be less
  /// than the size of `to`.
  [[nodiscard]] virtual std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept = 0;
  /// Writes bytes from position `to` on. Returns the number of bytes written.
  [[nodiscard]] virtual std::int64_t write(int file, bytes_view bytes, std::uint64_t to) noexcept = 0;
  /// Waits until all writes to a file, or all renames in a folder, survive a power cut.
  [[nodiscard]] virtual int sync(int file) noexcept = 0;
  /// Makes a file `size` bytes long.
  [[nodiscard]] virtual int truncate(int file, std::uint64_t size) noexcept = 0;
  /// Renames a file. If a file has the new name, replaces this file.
  [[nodiscard]] virtual int rename(int folder, const char* from, const char* to) noexcept = 0;
  /// Adds a second name to a file. No file may have this name yet.
  [[nodiscard]] virtual int link(int folder, const char* from, const char* to) noexcept = 0;
  /// Removes the name of a file.
  virtual int remove(int folder, const char* name) noexcept = 0;
  /// Writes the status of an open file to `out`.
  [[nodiscard]] virtual int status(int file, file_status& out) noexcept = 0;
  /// Writes the status of the file with this name to `out`. Does not follow a symbolic link.
  [[nodiscard]] virtual int status(int folder, const char* name, file_status& out) noexcept = 0;
  /// Sets the permissions of a file, as for chmod.
  [[nodiscard]] virtual int set_permissions(int file, unsigned permissions) noexcept = 0;
  /// Sets the group of a file.
  [[nodiscard]] virtual int set_group(int file, unsigned group) noexcept = 0;
  /// Locks a file exclusively. Fails if another process has a lock on the file.
  [[nodiscard]] virtual int lock(int file) noexcept = 0;
  /// Locks a file for reading; other readers may lock the file too. Fails if another process has an
  /// exclusive lock.
  [[nodiscard]] virtual int lock_shared(int file) noexcept;
  /// Maps a file into memory that begins at a page. If `writable` is true, the memory can be
  /// changed; the changes stay in this process.
  [[nodiscard]] virtual int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept = 0;
  /// Ends a mapping.
  virtual void unmap(std::byte* start, std::size_t size) noexcept = 0;
  /// Allocates disk space for `size` bytes from position `from` on, and makes the file long enough
  /// to contain these bytes; new bytes are zero. After an error the file may be longer, and some
  /// space may be allocated. The caller then truncates the file.
  [[nodiscard]] virtual int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept;
  /// Maps bytes of a file, from position `from` on, at the address `start`. `from` is a multiple of
  /// 65536, and the caller has reserved the addresses. Changes go to the file. Bytes after the
  /// file's end must not be touched before the file has grown. `unmap` also ends the reservation.
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

}} // namespace ingot::INGOT_V1
