// SPDX-License-Identifier: Apache-2.0
// Maps a file into memory. The value is read in the system's cache of the file, without copying or
// decoding it.
//
//   auto hero = ingot::map_file<Character>("hero.ingot"); // packed: (*hero)->get<"name">()
//   auto world = ingot::map_file<ingot::live_view<World>>("world.ingot"); // (*world)->players[3]
//   auto draft = ingot::map_file<ingot::live<World>>("world.ingot"); // changes stay in memory
//
// Mapping a `live_view` or a `live` needs <ingot/file/live_file.hpp>. Mapping a document needs
// <ingot/file/document_file.hpp>.
//
// The name is `map_file` because `ingot::map` is a container.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/mapped_form.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>

#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {
struct file_mapper;
} // namespace detail

/// Mapped memory of a file, and the handle that reads it: a `view<T>` for a packable `T`; otherwise
/// a `live_view`, a `live` or a `document`. Owns the mapping: views and pointers into the mapping
/// are valid as long as this object. Move only; moving is O(1) and keeps everything valid. A
/// moved-from object has no payload and can be assigned. Its handle must not be accessed.
template <class T>
class mapped_file {
  using form = detail::mapped_form<T>;

public:
  using value_type = typename form::handle;

  mapped_file(mapped_file&&) noexcept = default;
  mapped_file& operator=(mapped_file&& other) noexcept {
    mapped_file taken(std::move(other));
    swap(*this, taken);
    return *this;
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() = default;

  [[nodiscard]] INGOT_CHECKED value_type& operator*() noexcept {
    require_file();
    return handle_;
  }
  [[nodiscard]] INGOT_CHECKED const value_type& operator*() const noexcept {
    require_file();
    return handle_;
  }
  /// Accesses the root of a `live` or a `live_view`, or the handle itself.
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
  /// Returns false if the object was moved from.
  explicit operator bool() const noexcept { return memory_.payload().data() != nullptr; }
  /// Returns the payload: the bytes in the file, with the changes made through this object.
  [[nodiscard]] bytes_view payload() const noexcept { return memory_.payload(); }

  friend void swap(mapped_file& a, mapped_file& b) noexcept {
    a.memory_.swap(b.memory_);
    std::swap(a.handle_, b.handle_);
  }

private:
  friend struct detail::file_mapper;
  INGOT_CHECKED void require_file() const noexcept {
    INGOT_REQUIRE(*this, broken_access("ingot::mapped_file", "* or -> of one that was moved from"));
  }
  mapped_file(detail::file_memory&& memory, value_type&& handle) noexcept
      : memory_(std::move(memory)), handle_(std::move(handle)) {}

  detail::file_memory memory_; // declared first: a block's handle writes to it when destroyed
  value_type handle_;
};

namespace detail {

struct file_mapper {
  template <class T>
  [[nodiscard]] static result<mapped_file<T>> map(path_ref path, const map_options& options, bool trusted,
                                                  file_system& system) {
    return catch_bad_alloc([&]() -> result<mapped_file<T>> {
      using form = mapped_form<T>;
      const auto file = input_file::open(system, path, file_open_mode::read, options.progress);
      if (!file) return fail(file.error());
      if (auto mine = file->expect(form::identity()); !mine) {
        if constexpr (form::reads_by != schema_form::none) {
          if (file->expect(form::identity(),
                           form::reads_by)) // the kind is accepted, and the file describes its type
            return form::other(*file, mine.error());
        }
        return fail(mine.error());
      }
      // If `open` of the form takes a progress callback, it validates all bytes. Progress then
      // counts each byte when it is read, and again when it is validated.
      constexpr bool is_fully_validated =
          requires(std::span<std::byte> bytes) { form::open(bytes, progress_ref()); };
      const bool validates = is_fully_validated && file->reports_progress() && !trusted;
      if (validates) file->expect_parts(1);
      auto memory = file->map(form::writes_to_memory, options.checksum, options.copy, options.threads,
                              options.copy ? options.max_bytes : std::numeric_limits<std::size_t>::max());
      if (!memory) return fail(memory.error());
      auto handle = [&] {
        if (trusted) return form::open_unchecked(memory->payload());
        if constexpr (is_fully_validated) {
          const auto callback = file->telling_bytes(options.copy || options.checksum);
          return form::open(memory->payload(), validates ? progress_ref(callback) : progress_ref());
        } else {
          return form::open(memory->payload());
        }
      }();
      if (!handle) return file->with_file_context(handle.error());
      return mapped_file<T>(std::move(*memory), std::move(*handle));
    });
  }
};

} // namespace detail

/// Maps an untrusted file and validates its payload as `view<T>::open`, `live_view<T>::open`,
/// `live<T>::open_in_place` and `document::open_in_place` do: O(bytes) for blocks and documents,
/// O(variable fields) for packed values. A `live` or a `document` can be changed, but only in this
/// process: pages are copied when they are written to, and the file does not change. The mapped
/// `live` or `document` can't grow: to get contents that can grow, load the file.
///
/// **The bytes belong to the file while they are mapped.** `save` never changes a file in place; it
/// creates a new file. A program that writes into the mapped file can make the validated bytes
/// invalid. If a program shortens the file, reading the missing part ends the process with SIGBUS.
/// If other programs may write into the file, set `map_options::copy`: the handle then reads a copy
/// in memory, and a file that gets shorter is an error.
///
/// Errors: as `load`; `schema_mismatch` or `layout_mismatch` for a block that is not of the type's
/// current form, naming the first member that differs if the file contains its layout;
/// `schema_mismatch` also for a compact file, which can't be read in place; `unsupported` for a
/// compressed file, unless `map_options::copy` is set; `too_large` if a copy would be larger than
/// the options allow.
template <class T>
[[nodiscard]] result<mapped_file<T>> map_file(path_ref path, const map_options& options = {},
                                              file_system& system = system_files()) {
  return detail::file_mapper::map<T>(path, options, false, system);
}

/// Maps a file that this program or a trusted program has saved. O(1): checks header, kind and
/// type, but does not validate the value. If the file has other contents, the behaviour is
/// undefined.
template <class T>
[[nodiscard]] result<mapped_file<T>> map_file_unchecked(path_ref path, const map_options& options = {},
                                                        file_system& system = system_files()) {
  return detail::file_mapper::map<T>(path, options, true, system);
}

}} // namespace ingot::INGOT_V1
