// SPDX-License-Identifier: Apache-2.0
// A value from a file of any kind that can become one: packed, compact, or a document, whose members are found by name.
//
//   auto hero = ingot::load_any<Character>("hero.ingot");
//
// It is not in load.hpp, for whoever loads what `save` was given need not compile it.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/guard_memory.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/options.hpp>

#include <filesystem>

namespace ingot::inline v1 {

/// As `load<T>`, but that the file may also be a document, then read as `value::as<T>` does: nothing is left out, and a number that the type
/// does not hold is an error. Of a document's values no offset is told, for text that was parsed has none; the path says where: `[hero.ingot].equips[3].id`.
///
/// Errors: as `load`; of a document as `value::as`. O(bytes); a document is in memory besides the value meanwhile.
template <packable T>
[[nodiscard]] result<T> load_any(const std::filesystem::path& path, const load_options& options = {},
                                 detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<T> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    const file_kind kind = file->header().info.kind;
    if (kind != file_kind::document && kind != file_kind::edited_document) {
      if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return fail(mine.error());
      return form::read(*file, options);
    }
    const auto read = detail::file_form<document>::read(*file, options);
    if (!read) return fail(read.error());
    auto value = read->root().template as<T>();
    if (!value) return file->about(value.error());
    return value;
  });
}

} // namespace ingot::inline v1
