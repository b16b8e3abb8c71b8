// SPDX-License-Identifier: Apache-2.0
// A live block or a document that is edited in its file and grows there. The program neither loads
// nor saves the block or document. Files that can be edited have their own kinds (`file_kind`).
//
//   auto world = ingot::create_edited_file<ingot::live<World>>("world.edit"); // a new file
//   auto world = ingot::edit_file<ingot::live<World>>("world.edit");          // an existing file
//   auto closed = world->close();
//   auto saved = ingot::save("world.ingot", **world); // a file that a crash can't damage
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/edited_form.hpp>
#include <ingot/file/detail/edited_memory.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/live_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `edit_file` and `create_edited_file`.
struct edit_options {
  /// Maximum size of the block in bytes while its file is open. Reserves address space, but neither
  /// memory nor disk space. Must be less than 2 TiB for wide blocks.
  max_block_size max_size{sizeof(std::size_t) > 4 ? (std::size_t{1} << 31) - 65536 : std::size_t{1} << 26};
  /// Opens a file that a crash left, if its contents are valid as a block of the type. If the crash
  /// interrupted a change, the contents may have only a part of this change.
  bool repair = false;
  /// When the file is opened, waits until the file's mark "being edited" is on the disk. When the
  /// file is closed, waits until all bytes are on the disk. If false, a power cut may leave a file
  /// that is marked as closed and has any contents.
  bool durable = true;
  /// For `create_edited_file`: stores a description of the type, if the type has one, so that
  /// programs without the type can read the file.
  bool schema = true;
  /// Reports bytes of the payload. `create_edited_file` reports bytes written. `edit_file` reports
  /// bytes that must be validated. With a callback, `edit_file` reads all bytes first and then
  /// validates them; each byte counts in both passes. Waiting for the disk is not counted. After
  /// cancellation the file is unchanged, or not created.
  progress_ref progress{};
};

namespace detail {
struct file_editor;
} // namespace detail

/// File that is being edited, and its contents: a `live` of any policy, or a `document`. While the
/// file is open, no other process can edit or load it. All changes are in the file when the file
/// has been closed. Until then the system decides when the changes are written. Growing makes the
/// file longer and moves nothing.
///
/// Move only; moving is O(1) and keeps everything valid. A moved-from object is like a closed file,
/// and can be assigned.
template <class T>
class edited_file {
  using form = detail::edited_form<T>;
  using policy = typename form::policy;

public:
  using value_type = T;

  edited_file(edited_file&&) noexcept = default;
  edited_file& operator=(edited_file&& other) noexcept {
    edited_file taken(std::move(other));
    swap(*this, taken);
    return *this;
  }
  edited_file(const edited_file&) = delete;
  edited_file& operator=(const edited_file&) = delete;
  /// Closes the file. To get the errors of closing, call `close`.
  ~edited_file() {
    if (!memory_) return;
    const auto unheard = close();
    static_cast<void>(unheard);
  }

  /// Returns the contents. The contents must not be accessed after the file is closed.
  [[nodiscard]] INGOT_CHECKED value_type& operator*() noexcept {
    require_file();
    return handle_;
  }
  [[nodiscard]] INGOT_CHECKED const value_type& operator*() const noexcept {
    require_file();
    return handle_;
  }
  /// Accesses the root of a `live`, or a `document` itself.
  [[nodiscard]] INGOT_CHECKED decltype(auto) operator->() noexcept {
    require_file();
    if constexpr (requires(value_type& h) { h.operator->(); }) return handle_.operator->();
    else return &handle_;
  }
  [[nodiscard]] INGOT_CHECKED decltype(auto) operator->() const noexcept {
    require_file();
    if constexpr (requires(const value_type& h) { h.operator->(); }) return handle_.operator->();
    else return &handle_;
  }
  /// Returns true if the file is open.
  explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

  /// Returns true if the file was closed properly last time. If false, this file was opened for
  /// repair.
  [[nodiscard]] bool was_closed() const noexcept { return memory_.was_closed(); }
  /// Returns the reason why the file could not grow, if growing threw `out_of_space` with
  /// `out_of_space_reason::file`. After closing, returns the reason if the file could not be closed
  /// properly.
  [[nodiscard]] std::optional<error> last_error() const { return memory_.last_error(); }

  /// Waits until all changes are on the disk. Until the next change, a power cut leaves exactly
  /// this state. The file remains marked as being edited, so opening it after the power cut needs
  /// `edit_options::repair`. On a closed file, returns the result of closing. O(bytes changed).
  ///
  /// Errors: `io`; after this error, the state on the disk is unknown, and neither `sync` nor
  /// `close` succeeds.
  [[nodiscard]] result<void> sync() {
    return detail::catch_bad_alloc([&]() -> result<void> {
      if (!memory_) return memory_.sync();
      if (auto home = come_home(); !home) return home;
      static_cast<void>(handle_.bytes()); // writes the size
      return memory_.sync();
    });
  }
  /// Trims the block, truncates the file after the block, waits for the disk, and marks the file as
  /// closed. Invalidates the contents and everything that refers to them. Closing again has no
  /// effect.
  ///
  /// Errors: `io`, after which the file remains marked as being edited; `no_space` for a block that
  /// was assigned as a whole and is too long, after which the file is still open.
  [[nodiscard]] result<void> close() {
    return detail::catch_bad_alloc([&]() -> result<void> {
      if (!memory_) return {};
      if (auto home = come_home(); !home) return home;
      handle_.trim();
      const std::size_t used = handle_.bytes().size();
      let_go();
      return memory_.close(used);
    });
  }

  friend void swap(edited_file& a, edited_file& b) noexcept {
    std::swap(a.memory_, b.memory_);
    std::swap(a.handle_, b.handle_);
  }

private:
  friend struct detail::file_editor;
  INGOT_CHECKED void require_file() const noexcept {
    INGOT_REQUIRE(*this,
                  broken_access("ingot::edited_file", "* or -> of a file that was closed or moved from"));
  }
  edited_file(detail::edited_memory&& memory, T&& handle) noexcept
      : memory_(std::move(memory)), handle_(std::move(handle)) {}

  void let_go() noexcept { const T gone(std::move(handle_)); }
  /// Copies the contents into the file if they are not in the file's memory. This is the case after
  /// another block was assigned to the contents as a whole.
  [[nodiscard]] result<void> come_home() {
    if (!handle_)
      return memory_.about(error{errc::invalid_value}.with_expected("a block (this one was moved from)"));
    const bytes_view now = handle_.bytes();
    if (now.data() == memory_.start()) return {};
    auto file_block =
        detail::block_memory<policy>::growing(memory_.start(), memory_.limit(), memory_.growth());
    if (!file_block.reaches(now.size())) {
      if (const auto why = memory_.last_error()) return fail(*why);
      return memory_.about(error{errc::no_space, now.size()}.with_expected(
          "a block within the maximum size it was opened with"));
    }
    file_block.clear();
    std::memcpy(file_block.start(), now.data(), now.size());
    auto here =
        detail::growing_blocks::open_unchecked(static_cast<T*>(nullptr), std::move(file_block), now.size());
    if (!here) return memory_.with_file_context(here.error());
    handle_ = std::move(*here);
    return {};
  }

  detail::edited_memory memory_; // declared first: it owns the memory that the handle uses
  T handle_;
};

namespace detail {

struct file_editor {
  /// Reads one byte of each page, so that the system loads the mapped payload. Reports progress. If
  /// the bytes come from a disk, loading them takes longer than validation.
  [[nodiscard]] static result<void> touch(const edited_memory& memory, progress_tracker& tracker) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t step = std::size_t{1} << 18;
    for (std::size_t done = 0; done < memory.size();) {
      const std::size_t end = done + std::min(step, memory.size() - done);
      for (; done < end; done += std::min(page, end - done))
        static_cast<void>(*static_cast<const volatile std::byte*>(memory.start() + done));
      if (!tracker.report(done, memory.size())) return memory.about(tracker.cancelled().error());
    }
    tracker.begin_pass();
    return {};
  }
  /// Returns the error for a block of another type or layout. If the file describes its type, the
  /// error names the first member that differs.
  template <class T>
  [[nodiscard]] static std::unexpected<error> reject(path_ref path, const file_identity& wanted,
                                                     const error& err, file_system& system) {
    using form = file_form<T>;
    if constexpr (form::reads_by == schema_form::layout) {
      if (err.code() == errc::schema_mismatch || err.code() == errc::layout_mismatch) {
        const auto file = input_file::open(system, path);
        if (file && !file->expect(wanted) && file->expect(wanted, form::reads_by))
          return mapped_form<T>::other(*file, err);
      }
    }
    return fail(err);
  }
  template <class T>
  [[nodiscard]] static result<edited_file<T>> edit(path_ref path, const edit_options& options, bool trusted,
                                                   file_system& system) {
    return catch_bad_alloc([&]() -> result<edited_file<T>> {
      using policy = typename edited_form<T>::policy;
      using allocator = typename policy::allocator_type;
      constexpr auto largest = static_cast<std::size_t>(std::min<std::uint64_t>(
          static_cast<typename policy::offset_type>(-1) / 2 - 4096, max_growing_block_size));
      file_identity wanted = file_form<T>::identity();
      wanted.kinds = {edited_form<T>::kind, edited_form<T>::kind};
      const editing how{
          wanted,
          options.max_size.bytes / 8 * 8,
          largest / 8 * 8,
          [](std::size_t limit) noexcept { return allocator::bitmap_size(limit) + sizeof(allocator); },
          options.repair && !trusted,
          options.durable};
      auto memory = edited_memory::open(system, path, how);
      if (!memory) return reject<T>(path, wanted, memory.error(), system);
      const bool left = !memory->was_closed();
      progress_tracker tracker(trusted ? progress_ref() : options.progress, 2 * std::uint64_t{memory->size()},
                               memory->size());
      if (tracker.asks()) {
        if (auto there = touch(*memory, tracker); !there) {
          memory->give_up();
          return fail(there.error());
        }
      }
      auto block = block_memory<policy>::growing(memory->start(), memory->limit(), memory->growth());
      if (auto begun = trusted ? memory->begin() : result<void>(); !begun) {
        memory->give_up();
        return fail(begun.error());
      }
      auto handle =
          trusted ? growing_blocks::open_unchecked(static_cast<T*>(nullptr), std::move(block), memory->size())
                  : growing_blocks::validate(static_cast<T*>(nullptr), std::move(block), memory->size(), left,
                                             memory->growth(), tracker);
      if (!handle) {
        const auto trouble = memory->last_error();
        auto why = trouble ? fail(*trouble) : memory->with_file_context(handle.error());
        memory->give_up();
        return why;
      }
      return edited_file<T>(std::move(*memory), std::move(*handle));
    });
  }
  template <class T>
  [[nodiscard]] static result<edited_file<T>> create(path_ref path, const T& from,
                                                     const edit_options& options, file_system& system) {
    return catch_bad_alloc([&]() -> result<edited_file<T>> {
      using form = file_form<T>;
      buffer storage;
      const auto payload = form::payload(from, {}, storage);
      if (!payload) return fail(payload.error());
      file_info info = form::info({});
      info.kind = edited_form<T>::kind;
      const auto schema = options.schema ? form::schema() : embedded_schema{};
      if (auto created = create_new(system, path, info, *payload, schema.bytes, options.progress); !created)
        return fail(created.error());
      return edit<T>(path, options, true, system);
    });
  }
};

} // namespace detail

/// Opens an untrusted file for editing. Validates its contents in place, as `live<T>::open` and
/// `document::open` do. O(bytes). Until the file is closed, it is marked on the disk as being
/// edited.
///
/// **After a crash.** A file that was not closed is rejected with `not_closed`, unless `repair` is
/// set. With `repair`, the file is opened if its contents are valid. After a crash of the process
/// alone, the contents are valid, unless a change was in progress; after a power cut they are often
/// invalid. Validated contents are safe to use, but need not be the contents that the program
/// intended. Nothing else is promised: use `save` for data that must survive.
///
/// Errors: as `load`; `schema_mismatch` or `layout_mismatch` for a block of another type or layout
/// (if the file describes the layout, the error names the first member that differs);
/// `schema_mismatch` for another kind of file; `not_closed` also while another process edits or
/// loads the file; `io` with the system's reason, also if the disk is full; `no_memory` if there is
/// no address space.
template <class T>
[[nodiscard]] result<edited_file<T>> edit_file(path_ref path, const edit_options& options = {},
                                               file_system& system = system_files()) {
  return detail::file_editor::edit<T>(path, options, false, system);
}

/// Opens a file without validation. This program or a trusted program must have closed the file.
/// O(1), except for the allocator's bitmap (1/64 of the bytes). If the contents are invalid, the
/// behaviour is undefined. A file that was not closed is rejected with `not_closed`.
template <class T>
[[nodiscard]] result<edited_file<T>> edit_file_unchecked(path_ref path, const edit_options& options = {},
                                                         file_system& system = system_files()) {
  return detail::file_editor::edit<T>(path, options, true, system);
}

/// Creates a file for editing from an existing block or document, and opens it. Writes the file
/// under a temporary name, so that no reader sees an incomplete file.
///
/// Errors: `io`, also if the name exists; `no_memory`; `cancelled`; as `edit_file_unchecked`.
template <class T>
[[nodiscard]] result<edited_file<T>> create_edited_file(path_ref path, const T& from,
                                                        const edit_options& options = {},
                                                        file_system& system = system_files()) {
  return detail::file_editor::create(path, from, options, system);
}
/// Creates a file for editing with an empty block or document, and opens it. Errors: as the
/// overload with `from`.
template <class T>
[[nodiscard]] result<edited_file<T>> create_edited_file(path_ref path, const edit_options& options = {},
                                                        file_system& system = system_files()) {
  return detail::catch_bad_alloc(
      [&]() -> result<edited_file<T>> { return detail::file_editor::create(path, T(), options, system); });
}

}} // namespace ingot::INGOT_V1
