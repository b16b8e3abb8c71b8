// SPDX-License-Identifier: Apache-2.0
// A file as memory that is changed and grown where it is, whatever is in it.
//
//   reserved addresses: who is asked for room | room for an allocator | the file's payload, as far as the ceiling
//
// What is in front of the payload is the process's own. The payload is mapped as far as the ceiling at once: room on the disk is had before what
// is behind the file's end is touched.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/live/detail/block_growth.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// How a file is opened to be edited.
struct editing {
  file_identity wanted;
  std::size_t max_size;                        ///< of the block, in bytes
  std::size_t offset_range;                    ///< maximum size that offsets can address, in bytes
  std::size_t (*front)(std::size_t) = nullptr; ///< bytes that the allocator of a block of a maximum size takes
  bool repair;
  bool durable;
};

class edited_memory {
public:
  /// Opens and locks the file. Nothing of it is changed before `begin`, nor may be.
  [[nodiscard]] static result<edited_memory> open(file_system& system, const std::filesystem::path& path,
                                                  const editing& how);
  /// Makes sure that all of it is on the disk, also where it has holes, and says in it that it is being edited.
  [[nodiscard]] result<void> begin();
  edited_memory() noexcept;
  edited_memory(edited_memory&& other) noexcept;
  edited_memory& operator=(edited_memory&& other) noexcept;
  edited_memory(const edited_memory&) = delete;
  edited_memory& operator=(const edited_memory&) = delete;
  /// Without `close` the file goes on saying that it is being edited.
  ~edited_memory();

  explicit operator bool() const noexcept { return in_ != nullptr; }
  /// What follows, but for `sync`, `close` and what says so, is asked only while it is open.
  [[nodiscard]] std::byte* start() const noexcept;
  /// How far the payload can grow.
  [[nodiscard]] std::size_t limit() const noexcept;
  /// The bytes that there were: the payload, or, of a file that was not closed, all behind its beginning.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Also when it was let go of.
  [[nodiscard]] bool was_closed() const noexcept { return was_closed_; }
  [[nodiscard]] block_growth& growth() const noexcept;
  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  /// Why the file did not become longer the last time it was asked to, or could not be begun; then why it was not closed.
  [[nodiscard]] std::optional<error> last_error() const;

  /// What was changed is on the disk. When it was let go of: how that went.
  [[nodiscard]] result<void> sync();
  /// Cuts the file off behind `used` bytes of payload and says in it that it was closed. It is let go of in any case.
  [[nodiscard]] result<void> close(std::size_t used);
  /// The payload was found not to be what it has to be, and nothing of it was changed: the file is as it was.
  void give_up() noexcept;
  /// An error about the payload becomes one about the file.
  [[nodiscard]] std::unexpected<error> with_file_context(error err) const noexcept;
  [[nodiscard]] std::unexpected<error> about(error err) const noexcept;

private:
  struct state;
  explicit edited_memory(std::unique_ptr<state> in) noexcept;
  std::unique_ptr<state> in_;
  std::optional<error> last_; ///< what went wrong when it was let go of
  bool was_closed_ = true;
};

/// Makes a file to be edited where it is, closed, for good; an error if the name is taken.
[[nodiscard]] result<void> create_new(file_system& system, const std::filesystem::path& path, file_info info,
                                      bytes_view payload, bytes_view schema, progress_ref progress = {});

/// Another payload for a file that is edited where it is, without its name ever leading to anything but all of the old or all of the new one. Whoever asks
/// has the old one locked.
[[nodiscard]] result<void> replace_edited(file_system& system, const std::filesystem::path& path,
                                          file_info info, bytes_view payload, bytes_view schema);

}}} // namespace ingot::INGOT_V1::detail
