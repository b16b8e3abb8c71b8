// SPDX-License-Identifier: Apache-2.0
// Saves a value, a live block or a document to a file: all of it or nothing.
//
//   ingot::save("hero.ingot", hero);                                       // packed: can be mapped
//   ingot::save("hero.ingot", hero, {.form = ingot::profile::compact});    // smaller
//   ingot::save("world.ingot", world);                                     // a live<World>, as it lies in memory
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/options.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ingot { inline namespace INGOT_V1 {

/// Writes `value` to the file at `path` and replaces an existing one. A temporary file in the same folder is written,
/// forced to disk and renamed; then the folder is forced to disk. Anyone who opens the path meanwhile, or after a
/// power cut, gets either the old file or the new one. The new file has the permissions and the group of the old one,
/// without set-user-ID and set-group-ID, or else those of the process's mask. If the group can't be kept, the new
/// group gets no rights. The owner is the user who saves; access lists and extended attributes are not kept.
///
/// After an error the old file is there and no temporary one, with one exception, whose error expects "the renamed
/// file to survive a power cut (the folder could not be synced)": the new file is there, but a power cut may bring the
/// old one back. A process that is killed may leave a temporary file, `.ingot-*.tmp`.
///
/// Errors: as `pack`; `io` with the path and the system's reason, also if the path names a folder or a symbolic link;
/// `no_memory`; `unsupported` if this build lacks the compression; `cancelled` by the progress function. O(bytes).
/// Packed values are in memory twice meanwhile, and compressed ones once more.
template <class T>
[[nodiscard]] result<void> save(const std::filesystem::path& path, const T& value,
                                const save_options& options = {},
                                detail::file_system& system = detail::system_files()) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    using form = detail::file_form<T>;
    const auto schema = options.schema || options.columns ? form::schema() : detail::embedded_schema{};
    const bytes_view embedded = options.schema ? schema.bytes : bytes_view{};
    buffer room;
    std::uint64_t packed = 0; // bytes that who waits was told of
    auto payload = [&] {
      if constexpr (requires { form::payload_told(value, options, room, options.progress); }) {
        if (options.progress) {
          const auto told = [&](std::uint64_t done, std::uint64_t total) {
            packed = done;
            return options.progress(
                done,
                total == progress_ref::unknown
                    ? total
                    : total + detail::bytes_to_save(total, embedded, options.compress, options.columns));
          };
          return form::payload_told(value, options, room, told);
        }
      }
      return form::payload(value, options, room);
    }();
    if (!payload) {
      if (payload.error().code() == errc::cancelled) return detail::saving_cancelled(path, packed);
      return fail(payload.error());
    }
    return detail::save_payload(system, path, form::info(options), *payload, embedded,
                                options.durable ? detail::replacing::durable : detail::replacing::fast,
                                options.compress, {options.progress, packed},
                                options.columns ? std::optional(schema.bytes) : std::nullopt);
  });
}

}} // namespace ingot::INGOT_V1
