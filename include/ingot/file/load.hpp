// SPDX-License-Identifier: Apache-2.0
// What `save` wrote, back as what it was: a value, a live block or a document.
//
//   auto hero  = ingot::load<Character>("hero.ingot");
//   auto world = ingot::load<ingot::live<World>>("world.ingot");
//   auto doc   = ingot::load<ingot::document>("doc.ingot");
//
// One of a document's values as a type: see loads_documents.hpp.
#pragma once

#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/loads_documents.hpp>
#include <ingot/file/options.hpp>

#include <filesystem>
#include <utility>

namespace ingot::inline v1 {

namespace detail {

[[nodiscard]] inline bool holds_document(const input_file& file) noexcept {
  const file_kind kind = file.header().info.kind;
  return kind == file_kind::document || kind == file_kind::edited_document;
}
template <class T>
[[nodiscard]] result<T> read_from_document(const input_file& file, const load_options& options) {
  static_assert(file_form<T>::reads_by == schema_form::portable,
                "ingot: loads_documents is for types whose files hold packed or compact bytes");
  const auto read = file_form<document>::read(file, options);
  if (!read) return fail(read.error());
  auto value = read->root().template as_evolved<T>();
  if (!value) return file.about(value.error());
  return value;
}

} // namespace detail

/// Reads a file that may be anybody's: what it holds is checked as `unpack` and `open` check it. Of a packable `T` the file may be
/// packed or compact, and of an older version of `T`, or a newer one, if it carries its schema: docs/evolution.md says what may have changed in between.
/// The same of a `live`, by the layout that its file carries; see `live_evolution`. Files of the type as it is pay nothing for that.
/// Of a type that `loads_documents` the file may also be a document, read as `value::as_evolved<T>` does. Of a document's values no
/// offset is told, for text that was parsed has none; the path says where: `[hero.ingot].equips[3].id`.
///
/// Errors: `io` with the path and the system's reason; `other_type`, naming both sides, for another kind or type; `other_layout`; `bad_checksum`;
/// `truncated`, also if the file becomes shorter meanwhile; `too_large` by the options; `unsupported` for a compression that this build of the
/// library lacks; `bad_length` or `trailing_bytes` for blocks of a compressed payload that contradict each other or the header, `bad_length` also
/// for those that are not what the codec writes; `cancelled` by the progress function; as `unpack` and `open`, the offset counted from the beginning of the file; of a document as `value::as_evolved`; `no_memory`. O(bytes).
/// Besides the value's own it takes as much memory as the payload; of a packed vector only as much as the fixed parts of its elements, or less, and
/// the longest element, unless something is wrong with it; of a document all of it.
template <class T>
[[nodiscard]] result<T> load(const std::filesystem::path& path, const load_options& options = {},
                             detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<T> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if constexpr (loads_documents<T>) {
      if (detail::holds_document(*file)) return detail::read_from_document<T>(*file, options);
    }
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return fail(mine.error());
    return form::read(*file, options);
  });
}

/// The same into a packable value that is there, reusing its memory; of a document it is a new one. After an error it is valid, and holds anything.
template <packable T>
[[nodiscard]] result<void> load_into(T& out, const std::filesystem::path& path,
                                     const load_options& options = {},
                                     detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<void> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if constexpr (loads_documents<T>) {
      if (detail::holds_document(*file)) {
        auto made = detail::read_from_document<T>(*file, options);
        if (!made) return fail(made.error());
        out = std::move(*made);
        return {};
      }
    }
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return mine;
    return form::read_into(out, *file, options);
  });
}

} // namespace ingot::inline v1
