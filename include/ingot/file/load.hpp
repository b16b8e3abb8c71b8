// SPDX-License-Identifier: Apache-2.0
// Reads a file that `save` wrote: a value, a live block or a document.
//
//   auto hero  = ingot::load<Character>("hero.ingot");
//   auto world = ingot::load<ingot::live<World>>("world.ingot"); // with <ingot/file/live_file.hpp>
//   auto doc   = ingot::load<ingot::document>("doc.ingot"); // with <ingot/file/document_file.hpp>
//
// See loads_documents.hpp for loading the value of a document as a type.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/damage.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/loads_documents.hpp>
#include <ingot/file/options.hpp>

#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

[[nodiscard]] inline bool holds_document(const input_file& file) noexcept {
  const file_kind kind = file.header().info.kind;
  return kind == file_kind::document || kind == file_kind::edited_document;
}
/// Reads the value of a document. The definition is in <ingot/file/document_file.hpp>.
template <class T>
struct document_reading {
  static_assert(!loads_documents<T>,
                "ingot: include <ingot/file/document_file.hpp> to load a type that loads_documents");
  // These functions are declared so that the failed assertion is the compiler's only error.
  [[nodiscard]] static result<T> read(const input_file&, const load_options&);
  [[nodiscard]] static result<void> read_into(T&, const input_file&, const load_options&);
};

} // namespace detail

/// Loads a file with untrusted contents. Validates the contents as `unpack` and `open` do.
///
/// For a packable `T`, the file may be packed or compact. If the file contains a schema, the file
/// may also be of an older or newer version of `T`; docs/evolution.md lists the supported changes.
/// A `live` may also be of another version if the file contains the layout; see `live_evolution`.
/// This support for other versions does not make the loading of a file of the current type slower.
/// If the type is marked with `loads_documents`, the file may also be a document, whose value is
/// read as `value::as_evolved<T>` does. An error in a document's value has no offset. The path of
/// the error gives the position: `[hero.ingot].equips[3].id`.
///
/// Errors: `io` with the path and the system's reason; `schema_mismatch` for another kind or type,
/// with the expected and the found type; `layout_mismatch`; `bad_checksum`; `truncated`, also if
/// the file gets shorter while it is read; `too_large` if the payload is larger than the options
/// allow; `unsupported` if this build lacks the file's compression; `bad_length` or
/// `trailing_bytes` for compressed blocks that contradict each other or the header; `bad_length`
/// also for blocks that the codec can't have written; `cancelled` by the progress callback; as
/// `unpack` and `open`, with offsets from the beginning of the file; for a document, as
/// `value::as_evolved`; `no_memory`.
///
/// O(bytes). Besides the memory of the value, the call needs memory of the size of the payload. For
/// a packed vector in a valid file, the size of the elements' fixed parts and of the longest
/// element is enough. For a document, the call also needs memory for the whole document.
template <class T>
[[nodiscard]] result<T> load(path_ref path, const load_options& options = {},
                             file_system& system = system_files()) {
  using form = detail::file_form<T>;
  if constexpr (!loads_documents<T> && requires { requires form::is_read_whole; }) {
    return form::load(system, path, options);
  } else
    return detail::catch_bad_alloc([&]() -> result<T> {
      const auto file = detail::input_file::open(system, path, file_open_mode::read, options.progress);
      if (!file) return fail(file.error());
      if constexpr (loads_documents<T>) {
        if (detail::holds_document(*file)) return detail::document_reading<T>::read(*file, options);
      }
      if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return fail(mine.error());
      return form::read(*file, options);
    });
}

/// Loads into an existing packable value and reuses its memory. A value from a document is built as
/// a new value. After an error the value is valid but unspecified.
template <packable T>
[[nodiscard]] result<void> load_into(T& out, path_ref path, const load_options& options = {},
                                     file_system& system = system_files()) {
  using form = detail::file_form<T>;
  if constexpr (!loads_documents<T> && requires { requires form::is_read_whole; }) {
    return form::load_into(out, system, path, options);
  } else
    return detail::catch_bad_alloc([&]() -> result<void> {
      const auto file = detail::input_file::open(system, path, file_open_mode::read, options.progress);
      if (!file) return fail(file.error());
      if constexpr (loads_documents<T>) {
        if (detail::holds_document(*file)) {
          return detail::document_reading<T>::read_into(out, *file, options);
        }
      }
      if (auto mine = file->expect(form::identity(), form::reads_by); !mine) return mine;
      return form::read_into(out, *file, options);
    });
}

}} // namespace ingot::INGOT_V1
