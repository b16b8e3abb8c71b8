// SPDX-License-Identifier: Apache-2.0
// A file as memory that is changed and grown in place. The file may have any contents.
//
// reserved addresses: growth callback | space for an allocator | payload, up to the maximum size
//
// The part before the payload is private to the process. The payload is mapped up to the maximum
// size at once. Disk space is allocated before bytes after the file's end are touched.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/live/detail/block_growth.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Parameters for opening a file for editing.
struct editing {
  file_identity wanted;
  std::size_t max_size;     ///< maximum size of the block in bytes
  std::size_t offset_range; ///< maximum size that offsets can address, in bytes
  /// Returns the size in bytes of the allocator's state. This state is stored before the block. The
  /// argument is the maximum block size.
  std::size_t (*front)(std::size_t) = nullptr;
  bool repair;
  bool durable;
};

class edited_memory {
public:
  /// Opens and locks the file. `open` does not change the file, and the caller must not change it
  /// before `begin`.
  [[nodiscard]] static result<edited_memory> open(file_system& system, path_ref path, const editing& how);
  /// Allocates disk space for the whole file, including its holes, and marks the file as being
  /// edited.
  [[nodiscard]] result<void> begin();
  edited_memory() noexcept;
  edited_memory(edited_memory&& other) noexcept;
  edited_memory& operator=(edited_memory&& other) noexcept;
  edited_memory(const edited_memory&) = delete;
  edited_memory& operator=(const edited_memory&) = delete;
  /// If `close` was not called, the file stays marked as being edited.
  ~edited_memory();

  explicit operator bool() const noexcept { return in_ != nullptr; }
  /// The functions below require an open file. Only `was_closed`, `last_error`, `sync` and `close`
  /// may also be called after closing.
  [[nodiscard]] std::byte* start() const noexcept;
  /// Returns the maximum size of the payload.
  [[nodiscard]] std::size_t limit() const noexcept;
  /// Returns the size in bytes when the file was opened. If the file was closed properly, this is
  /// the size of the payload. Otherwise it is the number of bytes from the beginning of the payload
  /// to the end of the file.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Returns true if the file was closed properly before this object opened it. Also valid after
  /// closing.
  [[nodiscard]] bool was_closed() const noexcept { return was_closed_; }
  [[nodiscard]] block_growth& growth() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept;
  /// Returns the reason why the file did not grow at the last attempt, or why `begin` failed. After
  /// closing, returns the reason why `close` failed.
  [[nodiscard]] std::optional<error> last_error() const;

  /// Waits until all changes are on the disk. After closing, returns the result of closing.
  [[nodiscard]] result<void> sync();
  /// Truncates the file after `used` bytes of payload and marks it as closed. Also unlocks the file
  /// and closes its descriptor, even after an error.
  [[nodiscard]] result<void> close(std::size_t used);
  /// Unlocks a file whose payload is invalid and was not changed, and closes its descriptor. The
  /// payload stays as it was.
  void give_up() noexcept;
  /// Converts an error about the payload to an error about the file.
  [[nodiscard]] std::unexpected<error> with_file_context(error err) const noexcept;
  [[nodiscard]] std::unexpected<error> about(error err) const noexcept;

private:
  struct state;
  explicit edited_memory(std::unique_ptr<state> in) noexcept;
  std::unique_ptr<state> in_;
  std::optional<error> last_; ///< reason why closing failed
  bool was_closed_ = true;
};

/// Creates a file for editing, marked as closed, and syncs it. Errors: `io` also if the name
/// exists.
[[nodiscard]] result<void> create_new(file_system& system, path_ref path, file_info info, bytes_view payload,
                                      bytes_view schema, progress_ref progress = {});

/// Replaces the payload of a file that is edited in place. At any time, the name refers to the
/// whole old file or to the whole new file. The caller must have locked the old file.
[[nodiscard]] result<void> replace_edited(file_system& system, path_ref path, file_info info,
                                          bytes_view payload, bytes_view schema);

}}} // namespace ingot::INGOT_V1::detail
