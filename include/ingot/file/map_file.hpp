// SPDX-License-Identifier: Apache-2.0
// Maps a file into memory: its value is read where the system keeps the file, without copying or decoding it.
//
//   auto hero = ingot::map_file<Character>("hero.ingot");                      // packed: (*hero)->get<"name">()
//   auto world = ingot::map_file<ingot::live_view<World>>("world.ingot");      // (*world)->players[3]
//   auto draft = ingot::map_file<ingot::live<World>>("world.ingot");           // may be changed; the file stays as it is
//
// (`ingot::map` is a container, hence the name.)
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/options.hpp>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {
struct file_mapper;
} // namespace detail

/// The mapped memory of a file and the handle for reading it: a `view<T>` for a packable `T`, and a
/// `live_view`, a `live` or a `document` for themselves. Owns the mapping: anything taken out of it
/// is valid as long as this is. Move only; moving is O(1) and keeps everything valid. One that was
/// moved from has no payload, and its handle must not be accessed, as an empty optional's value
/// must not be; it can be assigned.
template <class T>
class mapped_file {
  using form = detail::file_form<T>;

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
  /// For a `live` and a `live_view`, gives access to their root, as a pointer would.
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
  /// False if it was moved from.
  explicit operator bool() const noexcept { return memory_.payload().data() != nullptr; }
  /// The payload as it was in the file, plus changes that were made here.
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

  detail::file_memory memory_; // first, for the handle of a block writes to it once more when it goes
  value_type handle_;
};

namespace detail {

struct file_mapper {
  template <class T>
  [[nodiscard]] static result<mapped_file<T>>
  map(const std::filesystem::path& path, const map_options& options, bool trusted, file_system& system) {
    return catch_bad_alloc([&]() -> result<mapped_file<T>> {
      using form = file_form<T>;
      const auto file = input_file::open(system, path, open_mode::read, options.progress);
      if (!file) return fail(file.error());
      if (auto mine = file->expect(form::mapped_identity()); !mine) {
        if constexpr (form::reads_by != schema_form::none) {
          if (file->expect(form::mapped_identity(),
                           form::reads_by)) // the kind is right, and the file says what it is
            return form::other(*file, mine.error());
        }
        return fail(mine.error());
      }
      // Who waits is told of what is read, and of what is proved.
      constexpr bool is_fully_validated =
          requires(std::span<std::byte> bytes) { form::open_with_progress(bytes, progress_ref()); };
      const bool validates = is_fully_validated && file->reports_progress() && !trusted;
      if (validates) file->expect_parts(1);
      auto memory = file->map(form::writes_to_memory, options.checksum, options.copy, options.threads,
                              options.copy ? options.max_bytes : std::numeric_limits<std::size_t>::max());
      if (!memory) return fail(memory.error());
      auto handle = [&] {
        if constexpr (is_fully_validated) {
          const auto told = file->telling_bytes(options.copy || options.checksum);
          if (validates) return form::open_with_progress(memory->payload(), told);
        }
        return trusted ? form::open_unchecked(memory->payload()) : form::open(memory->payload());
      }();
      if (!handle) return file->with_file_context(handle.error());
      return mapped_file<T>(std::move(*memory), std::move(*handle));
    });
  }
};

} // namespace detail

/// Maps a file, which may come from anyone, and proves its payload as `view<T>::open`, `live_view<T>::open`,
/// `live<T>::open_in_place` and `document::open_in_place` do. That is O(bytes) for blocks and documents, and
/// O(variable fields) for packed values. A `live` or a `document` can be changed, but only in this process: pages are
/// copied when they are written to, and the file is not touched. They can't grow; load the file for that.
///
/// **The bytes belong to the file as long as they are mapped.** `save` never changes a file in place, but makes a new
/// one. A program that writes into the file itself can break what was proved, and if it shortens the file, reading the
/// missing part ends the process with SIGBUS. If others may do that, set `map_options::copy`: it gives the same handle
/// over a copy in memory, and a file that gets shorter is an error.
///
/// Errors: as `load`; `schema_mismatch` or `layout_mismatch` for a block that is not of the type as it is now, naming the first
/// member that differs if the file carries its layout; `schema_mismatch` also for a compact file, which can't be read in
/// place; `unsupported` for a compressed file, unless `map_options::copy` is set; `too_large` by the options, for a copy.
template <class T>
[[nodiscard]] result<mapped_file<T>> map_file(const std::filesystem::path& path,
                                              const map_options& options = {},
                                              detail::file_system& system = detail::system_files()) {
  return detail::file_mapper::map<T>(path, options, false, system);
}

/// Does the same in O(1), for a file that this program or a trusted one has saved: header, kind and type are checked,
/// the value is not. With any other bytes, behaviour is undefined.
template <class T>
[[nodiscard]] result<mapped_file<T>> map_file_unchecked(const std::filesystem::path& path,
                                                      const map_options& options = {},
                                                      detail::file_system& system = detail::system_files()) {
  return detail::file_mapper::map<T>(path, options, true, system);
}

}} // namespace ingot::INGOT_V1
