// SPDX-License-Identifier: Apache-2.0
// With this header `load` also makes values of documents, whose members are found by name:
//
//   auto hero = ingot::load<Character>("hero.ingot");   // packed, compact, or a document
//
// It is not in load.hpp, for whoever loads what `save` was given need not compile how each of its types is read out of documents.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/guard_memory.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/options.hpp>

#include <filesystem>
#include <utility>

namespace ingot::inline v1 {

namespace detail {

/// Whose files hold packed or compact bytes; blocks and documents have forms of their own.
template <class T>
concept saved_packed = file_form<T>::reads_by == schema_form::portable;

/// What the functions below return. It is spelled otherwise than in load.hpp to give them names of their own for the linker: in one program some
/// files may include this header, and others not.
template <class T>
struct loaded_from_any {
  using value = result<T>;
  using nothing = result<void>;
};

[[nodiscard]] inline bool holds_document(const input_file& file) noexcept {
  const file_kind kind = file.header().info.kind;
  return kind == file_kind::document || kind == file_kind::edited_document;
}
template <class T>
[[nodiscard]] result<T> read_from_document(const input_file& file, const load_options& options) {
  const auto read = file_form<document>::read(file, options);
  if (!read) return fail(read.error());
  auto value = read->root().template as_evolved<T>();
  if (!value) return file.about(value.error());
  return value;
}

} // namespace detail

/// As `load` of load.hpp, but that the file may also be a document, then read as `value::as_evolved<T>` does: members are found by name, and
/// those of another version of the type are left out or have their defaults. A number that the type does not hold is an error. Of a
/// document's values no offset is told, for text that was parsed has none; the path says where: `[hero.ingot].equips[3].id`.
///
/// Errors: as `load`; of a document as `value::as_evolved`. O(bytes); a document is in memory besides the value meanwhile.
template <detail::saved_packed T>
[[nodiscard]] typename detail::loaded_from_any<T>::value
load(const std::filesystem::path& path, const load_options& options = {},
     detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<T> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if (detail::holds_document(*file)) return detail::read_from_document<T>(*file, options);
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return fail(mine.error());
    return form::read(*file, options);
  });
}

/// The same into a value that is there; of a document it is a new one. After an error it is valid, and holds anything.
template <packable T>
  requires detail::saved_packed<T>
[[nodiscard]] typename detail::loaded_from_any<T>::nothing
load_into(T& out, const std::filesystem::path& path, const load_options& options = {},
          detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<void> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if (detail::holds_document(*file)) {
      auto made = detail::read_from_document<T>(*file, options);
      if (!made) return fail(made.error());
      out = std::move(*made);
      return {};
    }
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return mine;
    return form::read_into(out, *file, options);
  });
}

} // namespace ingot::inline v1
