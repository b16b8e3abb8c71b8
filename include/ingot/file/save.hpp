// SPDX-License-Identifier: Apache-2.0
// Saves a value, a live block or a document to a file: all of it or nothing.
//
//   ingot::save("hero.ingot", hero);                                       // packed: can be mapped
//   ingot::save("hero.ingot", hero, {.form = ingot::profile::compact});    // smaller
//   ingot::save("world.ingot", world); // a live<World>, with <ingot/file/live_file.hpp>
//   ingot::save("doc.ingot", doc); // a document, with <ingot/file/document_file.hpp>
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// Writes `value` to the file at `path`, replacing an existing file. Writes a temporary file in the
/// same folder, syncs it to the disk, renames it, and syncs the folder. A reader that opens the
/// path during the call, or after a power cut, gets either the old file or the new file. The new
/// file has the permissions and the group of the old file, without set-user-ID and set-group-ID. If
/// there was no file, the permissions follow the process's umask. If the group can't be kept, the
/// new group gets no rights. The saving user owns the new file. Access lists and extended
/// attributes are not kept.
///
/// With `save_options::backup`, the old file first gets a second name, `hero.ingot~`. After a
/// crash, the path has the old file or the new file. The second name has the version before the
/// file at the path. If the crash was between the two steps, both names have the old file, and the
/// next `save` continues.
///
/// After an error the old file is unchanged and there is no temporary file. There is one exception:
/// if the folder can't be synced, the new file is in place, but a power cut may bring the old file
/// back. The error then expects "the renamed file to survive a power cut (the folder could not be
/// synced)". A killed process may leave a temporary file, `.ingot-*.tmp`.
///
/// Errors: as `pack`; `io` with the path and the system's reason, also if the path names a folder
/// or a symbolic link; `no_memory`; `unsupported` if this build lacks the compression; `cancelled`
/// by the progress callback. O(bytes). During the call a packed value is in memory twice, and a
/// compressed value three times.
template <class T>
[[nodiscard]] result<void> save(path_ref path, const T& value, const save_options& options = {},
                                file_system& system = system_files()) {
  using form = detail::file_form<T>;
  if constexpr (requires { &form::save; }) {
    return form::save(system, path, value, options);
  } else { // the bytes are in memory
    return detail::catch_bad_alloc([&]() -> result<void> {
      buffer unused;
      const auto payload = form::payload(value, options, unused);
      if (!payload) return fail(payload.error());
      const auto schema = options.schema || options.columns ? form::schema() : detail::embedded_schema{};
      return detail::save_bytes(system, path, form::info(options), *payload, schema.bytes, options);
    });
  }
}

}} // namespace ingot::INGOT_V1
