// SPDX-License-Identifier: Apache-2.0
// What files ask of the system, one function a call, so that tests can take the system's place: every call fails somewhere, and what
// a power cut leaves behind no real disk shows on demand.
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
  unsigned permissions = 0; ///< as chmod takes them
  unsigned group = 0;       ///< by its number
  std::uint64_t device = 0; ///< with `node`: which file it is
  std::uint64_t node = 0;
  std::uint64_t names = 1; ///< how many names the file has; none once it was deleted or replaced

  [[nodiscard]] bool is_same_file(const file_status& other) const noexcept {
    return device == other.device && node == other.node;
  }
};

enum class open_mode : std::uint8_t {
  read,   ///< of whatever the name leads to
  append, ///< read and write, of a file that is there
  create, ///< write, a file that is not there
};

/// The last three functions are for files that are edited where they are: a system that has none of them can't do that.
/// Functions return what the system returned, or the negative of its error number. A name is one in the folder, or a path where the folder
/// is `here`.
class file_system {
public:
  static constexpr int here = -1;

  [[nodiscard]] virtual int open_folder(const char* path) noexcept = 0;
  [[nodiscard]] virtual int open(int folder, const char* name, open_mode mode,
                                 unsigned permissions) noexcept = 0;
  virtual int close(int file) noexcept = 0;
  [[nodiscard]] virtual std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept = 0;
  [[nodiscard]] virtual std::int64_t write(int file, bytes_view bytes, std::uint64_t to) noexcept = 0;
  /// What was written, or, of a folder, renamed, is there after a power cut.
  [[nodiscard]] virtual int sync(int file) noexcept = 0;
  [[nodiscard]] virtual int truncate(int file, std::uint64_t size) noexcept = 0;
  /// Replaces what has the new name.
  [[nodiscard]] virtual int rename(int folder, const char* from, const char* to) noexcept = 0;
  /// A second name, that nothing has yet.
  [[nodiscard]] virtual int link(int folder, const char* from, const char* to) noexcept = 0;
  virtual int remove(int folder, const char* name) noexcept = 0;
  [[nodiscard]] virtual int status(int file, file_status& out) noexcept = 0;
  /// Of the name itself, should it be a link.
  [[nodiscard]] virtual int status(int folder, const char* name, file_status& out) noexcept = 0;
  [[nodiscard]] virtual int set_permissions(int file, unsigned permissions) noexcept = 0;
  [[nodiscard]] virtual int set_group(int file, unsigned group) noexcept = 0;
  /// For this process alone; fails where another has it.
  [[nodiscard]] virtual int lock(int file) noexcept = 0;
  /// For this process and others that read; fails where somebody has it alone.
  [[nodiscard]] virtual int lock_shared(int file) noexcept;
  /// The bytes of a file as memory, that begins at a page. Changes, if they are allowed, stay in this process.
  [[nodiscard]] virtual int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept = 0;
  virtual void unmap(std::byte* start, std::size_t size) noexcept = 0;
  /// Makes sure that there is room on the disk for `size` bytes from that place on, and that the file has them; new ones are zero. After an
  /// error it may be longer than it was, and have taken what room there was: who asked cuts it off.
  [[nodiscard]] virtual int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept;
  /// The bytes of a file from `from` on, a multiple of 65536, as memory at `start`, where addresses were reserved. Changes are the file's.
  /// What is behind the file's end must not be touched before the file has become longer. `unmap` ends it, and the reservation with it.
  [[nodiscard]] virtual int map_shared(int file, std::uint64_t from, std::size_t size,
                                       std::byte* start) noexcept;

protected:
  file_system() = default;
  file_system(const file_system&) = default;
  file_system& operator=(const file_system&) = default;
  ~file_system() = default;
};

/// The real one.
[[nodiscard]] file_system& system_files() noexcept;

}}} // namespace ingot::INGOT_V1::detail
