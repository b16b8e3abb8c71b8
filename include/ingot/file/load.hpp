// SPDX-License-Identifier: Apache-2.0
// What `save` wrote, back as what it was: a value, a live block or a document.
//
//   auto hero  = ingot::load<Character>("hero.ingot");
//   auto world = ingot::load<ingot::live<World>>("world.ingot");
//   auto doc   = ingot::load<ingot::document>("doc.ingot");
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/guard_memory.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/options.hpp>

#include <filesystem>

namespace ingot::inline v1 {

/// Reads a file that may be anybody's: what it holds is checked as `unpack` and `open` check it. Of a packable `T` the file may be
/// packed or compact, and of an older version of `T`, or a newer one, if it carries its schema: docs/evolution.md says what may have changed in between.
/// The same of a `live`, by the layout that its file carries; see `live_evolution`. Files of the type as it is pay nothing for that.
///
/// Errors: `io` with the path and the system's reason; `other_type`, naming both sides, for another kind or type; `other_layout`; `bad_checksum`;
/// `truncated`, also if the file becomes shorter meanwhile; `too_large` by the options; `unsupported` for a compression that this build of the
/// library lacks; `bad_length` or `trailing_bytes` for blocks of a compressed payload that contradict each other or the header, `bad_length` also
/// for those that are not what the codec writes; `cancelled` by the progress function; as `unpack` and `open`, the offset counted from the beginning of the file; `no_memory`. O(bytes).
/// Besides the value's own it takes as much memory as the payload; of a packed vector only as much as the fixed parts of its elements, or less, and
/// the longest element, unless something is wrong with it.
template <class T>
[[nodiscard]] result<T> load(const std::filesystem::path& path, const load_options& options = {},
                             detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<T> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return fail(mine.error());
    return form::read(*file, options);
  });
}

/// The same into a packable value that is there, reusing its memory. After an error it is valid, and holds anything.
template <packable T>
[[nodiscard]] result<void> load_into(T& out, const std::filesystem::path& path,
                                     const load_options& options = {},
                                     detail::file_system& system = detail::system_files()) {
  return detail::guard_memory([&]() -> result<void> {
    using form = detail::file_form<T>;
    const auto file = detail::input_file::open(system, path, detail::open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return mine;
    return form::read_into(out, *file, options);
  });
}

} // namespace ingot::inline v1
