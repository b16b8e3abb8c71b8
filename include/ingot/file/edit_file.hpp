// SPDX-License-Identifier: Apache-2.0
// A live block or a document that is edited and grown in its file, where the system keeps it: nothing is loaded, and nothing saved.
//
//   auto world = ingot::create_edited_file<ingot::live<World>>("world.edit");    // a kind of file of its own
//   auto world = ingot::edit_file<ingot::live<World>>("world.edit");             // (*world)->players.emplace_back()
//   auto closed = world->close();
//   auto saved = ingot::save("world.ingot", **world);                            // a file that a crash leaves whole
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/edited_form.hpp>
#include <ingot/file/detail/edited_memory.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace ingot::inline v1 {

struct edit_options {
  /// How far the block can grow while it is open. Addresses are set aside for it, no memory, and no room on the disk. Of wide
  /// blocks less than 2 TiB.
  ceiling most{sizeof(std::size_t) > 4 ? (std::size_t{1} << 31) - 65536 : std::size_t{1} << 26};
  /// Take what a crash left, if it is proved to be a block of the type. What was being changed may be half done.
  bool repair = false;
  /// Wait for the disk: when the file is opened, so that it says that it is being edited, and when it is closed. Without, a power cut may
  /// leave a file that says it was closed and holds anything.
  bool durable = true;
  /// Of a file that is made: with a description of the type, where there is one, so that programs without the type can read it.
  bool schema = true;
  /// Told of the payload's bytes: of `create_edited_file` those that are written, of `edit_file` those that are there to be proved, which it touches first when
  /// it is asked for this; the proof itself and waiting for the disk are not counted. Stopped, the file is as it was, or none was made.
  progress_ref progress{};
};

namespace detail {
struct file_editor;
} // namespace detail

/// A file that is being edited, and what is in it: a `live`, of any policy, or a `document`. Nobody else edits or loads it meanwhile. What is changed is
/// changed in the file, at the latest when this is closed, and is the system's to write when it likes; growing makes the file longer and moves
/// nothing. Move only; moving is O(1) and keeps everything valid.
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
  /// As `close`, which says what went wrong.
  ~edited_file() {
    if (!memory_) return;
    const auto unheard = close();
    static_cast<void>(unheard);
  }

  /// What is edited. Of one that was closed it must not be asked, as of an empty optional; all else may.
  [[nodiscard]] value_type& operator*() noexcept { return handle_; }
  [[nodiscard]] const value_type& operator*() const noexcept { return handle_; }
  /// A `live` hands on to its root, as a pointer would.
  [[nodiscard]] decltype(auto) operator->() noexcept {
    if constexpr (requires(value_type& h) { h.operator->(); }) return handle_.operator->();
    else return &handle_;
  }
  [[nodiscard]] decltype(auto) operator->() const noexcept {
    if constexpr (requires(const value_type& h) { h.operator->(); }) return handle_.operator->();
    else return &handle_;
  }
  /// Whether it is open.
  explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

  /// Whether the file was closed by whoever edited it before; if not, this was opened to repair it.
  [[nodiscard]] bool was_closed() const noexcept { return memory_.was_closed(); }
  /// Why the file did not become longer, where growing threw `out_of_space` with `space_failure::file`; of a closed one, why it was not
  /// closed as it should have been, if so.
  [[nodiscard]] std::optional<error> trouble() const { return memory_.trouble(); }

  /// Waits until all that was changed is on the disk. Until the next change a power cut leaves just that; the file goes on saying that it is being
  /// edited, so it takes `edit_options::repair` to open it then. O(what was changed). Errors: `io`; nobody knows then what is on the disk.
  /// Of one that was closed it says how that went.
  [[nodiscard]] result<void> sync() {
    return detail::guard_memory([&]() -> result<void> {
      if (!memory_) return memory_.sync();
      if (auto home = come_home(); !home) return home;
      static_cast<void>(handle_.bytes()); // writes how many there are
      return memory_.sync();
    });
  }
  /// Trims the block, cuts the file off behind it, waits for the disk, and says in the file that it was closed. What was taken out of this is no longer
  /// valid. Closing twice is closing once. Errors: `io`; the file goes on saying that it is being edited. `no_space` for a block that was assigned as a
  /// whole and is too long; the file is then still open.
  [[nodiscard]] result<void> close() {
    return detail::guard_memory([&]() -> result<void> {
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
  edited_file(detail::edited_memory&& memory, T&& handle) noexcept
      : memory_(std::move(memory)), handle_(std::move(handle)) {}

  void let_go() noexcept { const T gone(std::move(handle_)); }
  /// What was assigned as a whole, with memory of its own, is copied to where it is to be.
  [[nodiscard]] result<void> come_home() {
    if (!handle_)
      return memory_.about(error{errc::invalid_value}.with_expected("a block (this one was moved from)"));
    const bytes_view now = handle_.bytes();
    if (now.data() == memory_.start()) return {};
    auto room = detail::block_memory<policy>::growing(memory_.start(), memory_.limit(), memory_.growth());
    if (!room.reaches(now.size())) {
      if (const auto why = memory_.trouble()) return fail(*why);
      return memory_.about(
          error{errc::no_space, now.size()}.with_expected("a block within the ceiling it was opened with"));
    }
    room.clear();
    std::memcpy(room.start(), now.data(), now.size());
    auto here = detail::growing_blocks::trust(static_cast<T*>(nullptr), std::move(room), now.size());
    if (!here) return memory_.blame(here.error());
    handle_ = std::move(*here);
    return {};
  }

  detail::edited_memory memory_; // first, for the handle lies in it
  T handle_;
};

namespace detail {

struct file_editor {
  /// Has the system read the payload, which from a disk takes longer than the proof, and tells of it.
  [[nodiscard]] static result<void> touch(const edited_memory& memory, progress_ref progress) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t step = std::size_t{1} << 18;
    for (std::size_t done = 0; done < memory.size();) {
      const std::size_t end = done + std::min(step, memory.size() - done);
      for (; done < end; done += std::min(page, end - done))
        static_cast<void>(*static_cast<const volatile std::byte*>(memory.start() + done));
      if (!progress(done, memory.size())) return memory.about(error{errc::cancelled, done});
    }
    return {};
  }
  template <class T>
  [[nodiscard]] static result<edited_file<T>>
  edit(const std::filesystem::path& path, const edit_options& options, bool trusted, file_system& system) {
    return guard_memory([&]() -> result<edited_file<T>> {
      using policy = typename edited_form<T>::policy;
      using allocator = typename policy::allocator_type;
      constexpr auto most = static_cast<std::size_t>(std::min<std::uint64_t>(
          static_cast<typename policy::offset_type>(-1) / 2 - 4096, most_of_growing_block));
      file_identity wanted = file_form<T>::identity();
      wanted.kinds = {edited_form<T>::kind, edited_form<T>::kind};
      const editing how{
          wanted,
          options.most.bytes / 8 * 8,
          most / 8 * 8,
          [](std::size_t limit) noexcept { return allocator::bitmap_size(limit) + sizeof(allocator); },
          options.repair && !trusted,
          options.durable};
      auto memory = edited_memory::open(system, path, how);
      if (!memory) return fail(memory.error());
      const bool left = !memory->was_closed();
      if (!trusted && options.progress) {
        if (auto there = touch(*memory, options.progress); !there) {
          memory->give_up();
          return fail(there.error());
        }
      }
      auto block = block_memory<policy>::growing(memory->start(), memory->limit(), memory->growth());
      if (auto begun = trusted ? memory->begin() : result<void>(); !begun) {
        memory->give_up();
        return fail(begun.error());
      }
      auto handle = trusted
                        ? growing_blocks::trust(static_cast<T*>(nullptr), std::move(block), memory->size())
                        : growing_blocks::prove(static_cast<T*>(nullptr), std::move(block), memory->size(),
                                                left, memory->growth());
      if (!handle) {
        const auto trouble = memory->trouble();
        auto why = trouble ? fail(*trouble) : memory->blame(handle.error());
        memory->give_up();
        return why;
      }
      return edited_file<T>(std::move(*memory), std::move(*handle));
    });
  }
  template <class T>
  [[nodiscard]] static result<edited_file<T>> create(const std::filesystem::path& path, const T& from,
                                                     const edit_options& options, file_system& system) {
    return guard_memory([&]() -> result<edited_file<T>> {
      using form = file_form<T>;
      buffer room;
      const auto payload = form::payload(from, {}, room);
      if (!payload) return fail(payload.error());
      file_info info = form::info({});
      info.kind = edited_form<T>::kind;
      const auto schema = options.schema ? form::schema() : embedded_schema{};
      if (auto made = create_new(system, path, info, *payload, schema.bytes, options.progress); !made)
        return fail(made.error());
      return edit<T>(path, options, true, system);
    });
  }
};

} // namespace detail

/// Opens a file to be edited that may be anybody's: what is in it is proved where it is, as `live<T>::open` and `document::open` do. O(bytes).
/// The file is marked, on the disk, as being edited until it is closed.
///
/// **What a crash leaves.** A file that was not closed is refused with `not_closed`, unless it is to be repaired: then it is opened if what is there is
/// proved, which after the end of the process it is but for the moment of a change, and after a power cut may well not be. What is proved is safe
/// to use, it need not be what anybody meant. Nothing else is promised: what must survive is saved by `save`.
///
/// Errors: as `load`; `other_type` for a file that is not of this kind; `not_closed` also while somebody else edits or loads it; `io` with the
/// system's reason, for a disk without room, too; `no_memory` without addresses.
template <class T>
[[nodiscard]] result<edited_file<T>> edit_file(const std::filesystem::path& path,
                                               const edit_options& options = {},
                                               detail::file_system& system = detail::system_files()) {
  return detail::file_editor::edit<T>(path, options, false, system);
}

/// The same in O(1), but for a 64th of the bytes that the allocator takes, for a file that this program or one it trusts has closed. With any other
/// bytes, reading is undefined. What a crash left is refused.
template <class T>
[[nodiscard]] result<edited_file<T>> edit_file_trusted(const std::filesystem::path& path,
                                                       const edit_options& options = {},
                                                       detail::file_system& system = detail::system_files()) {
  return detail::file_editor::edit<T>(path, options, true, system);
}

/// Makes a file to be edited, of a block or document as it is, or of an empty one, and opens it. The name must not be taken: then it is `io`. It is
/// made under a temporary name, so that nobody sees a part of it.
template <class T>
[[nodiscard]] result<edited_file<T>>
create_edited_file(const std::filesystem::path& path, const T& from, const edit_options& options = {},
                   detail::file_system& system = detail::system_files()) {
  return detail::file_editor::create(path, from, options, system);
}
template <class T>
[[nodiscard]] result<edited_file<T>>
create_edited_file(const std::filesystem::path& path, const edit_options& options = {},
                   detail::file_system& system = detail::system_files()) {
  return detail::guard_memory(
      [&]() -> result<edited_file<T>> { return detail::file_editor::create(path, T(), options, system); });
}

} // namespace ingot::inline v1
