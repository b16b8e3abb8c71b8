// SPDX-License-Identifier: Apache-2.0
// Documents as archives. An archive is small, has the same bytes on every machine, and has no
// offsets that could mislead a reader. Use archives for files and networks, and the document itself
// to read and edit a value in place.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/put_bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/document/detail/archive_build.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/document/detail/archive_write.hpp>
#include <ingot/document/document.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// Writes a value, with everything in it, as an archive. Returns the length of the archive in
/// bytes. Equal values have equal archives on every machine. O(n) in the bytes, and O(k log k) for
/// k keys. If several objects have the same set of keys, these keys count once. `progress` reports
/// the bytes written; the total is unknown until the end. While the keys are collected, before the
/// first byte is written, `progress` reports 0 bytes. If `progress` returns false, the error is
/// `cancelled`. Errors: `missing_member` for an absent value; `no_space` if the sink has no space,
/// but `no_memory` if the sink is a `buffer` or container; `too_large` from 2 GiB on. After an
/// error the sink is unchanged.
template <sink S>
[[nodiscard]] result<std::size_t> archive_to(S& sink, const value& from, progress_ref progress = {}) {
  using detail::doc::access;
  if (!from.exists()) return fail(error{errc::missing_member}.with_expected("a value that exists"));
  detail::progress_tracker tracker(progress, progress_ref::unknown, 0);
  detail::doc::archive_writer writer(access::core_of(from)->mem());
  if (!writer.write(access::item_of(from), tracker)) {
    if (tracker.stopped()) return tracker.cancelled();
    return fail(writer.failure());
  }
  if (auto reported = tracker.finish(writer.bytes().size()); !reported) return fail(reported.error());
  return detail::put_bytes(sink, writer.bytes());
}
/// Writes a value as an archive to the beginning of `memory`. Errors: those of the other overload.
[[nodiscard]] inline result<std::size_t> archive_to(std::span<std::byte> memory, const value& from,
                                                    progress_ref progress = {}) {
  span_sink sink{memory};
  return archive_to(sink, from, progress);
}
/// Returns the archive of a value in a new buffer. Errors and progress: as for `archive_to`.
[[nodiscard]] inline result<buffer> archive(const value& from, progress_ref progress = {}) {
  buffer bytes;
  if (auto written = archive_to(bytes, from, progress); !written) return fail(written.error());
  return bytes;
}
[[nodiscard]] inline result<buffer> archive(const document& from, progress_ref progress = {}) {
  return archive(from.root(), progress);
}

/// Options of `unarchive` and `archive_value::to_document`.
struct unarchive_options {
  /// Maximum size to which later edits can enlarge the document. If the archive's contents need
  /// more, the document gets a larger maximum size.
  max_block_size max_size = document::default_max_block_size;
  /// Maximum size in bytes of the document that is built. With the default, the document has at
  /// most 44 bytes for each byte of the archive, and 1024 further bytes.
  std::size_t max_bytes = static_cast<std::size_t>(detail::doc::max_bytes);
  /// Reports the bytes as they are validated, and again as the document is built. If the callback
  /// returns false, the error is `cancelled`.
  progress_ref progress{};
};

namespace detail::doc {

/// Builds a document of the value at `at`. Requires that the value is validated. `size` is the
/// number of bytes of the value, plus the bytes of the archive's header, keys and shapes. If `each`
/// cancels, the returned error has no details: the caller must instead return the error of
/// `cancelled()` of its tracker.
[[nodiscard]] inline result<document> build_document(const std::byte* start, uint32_t at, uint32_t end,
                                                     uint32_t size, archive_tables& tables,
                                                     const unarchive_options& options, progress_poll& each) {
  const uint64_t largest =
      std::min<uint64_t>(std::min<uint64_t>(options.max_bytes, max_bytes), 44 * uint64_t{size} + 1024);
  // A block of a few times the archive's size is usually enough. Otherwise a second try reserves
  // address space for the maximum size.
  uint64_t block_size = std::min(largest, 4 * uint64_t{size} + 1024);
  for (;;) {
    result<document> created = access::begin<document>(
        max_block_size{std::max<std::size_t>(options.max_size.bytes, static_cast<std::size_t>(block_size))});
    if (!created) return created;
    archive_builder builder(access::core_in(*created), tables, each);
    pending_error err;
    uint32_t from = at;
    archive_walk walk(start, tables, builder, err, each);
    if (walk.read(from, end) && builder.finish()) {
      if (created->bytes().size() <= options.max_bytes) return created;
    } else if (each.stopped()) {
      return fail(errc::cancelled);
    } else if (builder.why() != errc::no_space) {
      return fail(error{builder.why()}.with_expected("memory for the document"));
    } else if (block_size != largest) {
      block_size = largest;
      continue;
    }
    return fail(error{errc::too_large}.with_expected("a document within the limit"));
  }
}
/// Validates an archive. `tracker` counts this as one pass.
[[nodiscard]] inline result<void> validate_with_progress(const std::byte* start, const archive_parts& parts,
                                                         archive_tables& tables, progress_tracker& tracker) {
  pending_error err;
  progress_poll each(&tracker, parts.end);
  if (validate_archive_bytes(start, parts, tables, err, each)) return {};
  if (each.stopped()) return tracker.cancelled();
  return err.failure();
}

} // namespace detail::doc

/// Builds a document from an archive. The bytes are untrusted. They are validated before anything
/// is built. Validation takes time and memory in proportion to the number of bytes. Only the form
/// that `archive` writes is accepted, so each value has exactly one archive. O(n). While the
/// document is built, lists take 24 bytes for each value whose container is not complete, and up to
/// 72 bytes when the lists grow. The document is not in canonical form, but has the size of a
/// canonical document.
///
/// Errors: `not_ingot`, `wrong_version`, `bad_padding`, `truncated`, `trailing_bytes`,
/// `bad_length`, `out_of_range`, `unsorted_keys` and `not_canonical` with the offset and the path
/// of the value; `too_large` if the limits are exceeded; `no_memory`; `cancelled`.
[[nodiscard]] inline result<document> unarchive(bytes_view bytes, const unarchive_options& options = {}) {
  const auto parts = detail::doc::find_archive_parts(bytes);
  if (!parts) return fail(parts.error());
  detail::doc::archive_tables tables;
  detail::progress_tracker tracker(options.progress, 2 * std::uint64_t{parts->end}, parts->end);
  if (auto validated = detail::doc::validate_with_progress(bytes.data(), *parts, tables, tracker); !validated)
    return fail(validated.error());
  tracker.begin_pass();
  detail::progress_poll each(&tracker, parts->end);
  auto created = detail::doc::build_document(bytes.data(), parts->shapes_end, parts->end, parts->end, tables,
                                             options, each);
  if (each.stopped()) return tracker.cancelled();
  if (!created) return created;
  if (auto reported = tracker.finish(); !reported) return fail(reported.error());
  return created;
}
/// Validates an archive as `unarchive` does, without building a document. `progress` reports the
/// bytes. Errors: those of `unarchive`.
[[nodiscard]] inline result<void> validate_archive(bytes_view bytes, progress_ref progress = {}) {
  const auto parts = detail::doc::find_archive_parts(bytes);
  if (!parts) return fail(parts.error());
  detail::doc::archive_tables tables;
  detail::progress_tracker tracker(progress, parts->end);
  if (auto validated = detail::doc::validate_with_progress(bytes.data(), *parts, tables, tracker); !validated)
    return validated;
  return tracker.finish();
}

namespace detail::doc {

/// Conversion of a value of any kind for packed messages; see adapt_value.hpp. A moved-from
/// document is stored as null. A document that was read can grow. So each document takes at least a
/// page of memory, and address space for the default maximum size.
template <class T>
struct packing_a_document_asks_to_include_ingot_document_archive_hpp {
  [[nodiscard]] static std::vector<std::byte> to(const T& from) {
    const auto root = from.root();
    const auto in = access::memory_of(root);
    archive_writer writer(in);
    if (!writer.write(in.start != nullptr ? access::item_of(root) : item::null()))
      throw_out_of_space(out_of_space_reason::no_memory);
    const bytes_view written = writer.bytes();
    return {written.begin(), written.end()};
  }
  [[nodiscard]] static result<document> from(std::vector<std::byte>&& archive) { return unarchive(archive); }
};

} // namespace detail::doc

}} // namespace ingot::INGOT_V1
