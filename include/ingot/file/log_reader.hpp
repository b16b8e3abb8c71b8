// SPDX-License-Identifier: Apache-2.0
// Reads the records of a log, in order, up to the last complete record.
//
//   auto log = ingot::log_reader<Event>::open("events.log");
//   for (Event event; log->next(event).value_or(false);) use(event);
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/moved_from.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/detail/older_payload.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `log_reader`.
struct log_read_options {
  /// Maximum size of a record in bytes. A larger record is rejected with `too_large` before memory
  /// is allocated.
  std::size_t max_record = std::size_t{1} << 30;
  /// When the open log was renamed (`log_writer::rotate`) and was read to its end without damage,
  /// continues in the log that has the path now. If the writer rotates twice between two calls of
  /// `next`, the log between these two rotations is skipped. So call `next` more often than the
  /// writer rotates.
  bool follow = false;
  /// Maximum memory of values in bytes, as in `read_limits`; the input is the record.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum average number of comparisons for each key, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
};

/// Reads an untrusted log, even while it is being written. Move only. A moved-from reader has no
/// records and can be assigned; every other call returns `invalid_value`.
template <packable T>
class log_reader {
public:
  /// Opens a log and checks its header. Errors: as `load`.
  [[nodiscard]] static result<log_reader> open(path_ref path, const log_read_options& options = {},
                                               file_system& system = system_files()) {
    return detail::catch_bad_alloc([&]() -> result<log_reader> {
      auto input = detail::log_input::open(system, path);
      if (!input) return fail(input.error());
      const auto kind = input->file().header().info.kind;
      if (auto mine = input->file().expect({{kind, kind}, schema_id<T>, 0}, schema_form::portable); !mine)
        return fail(mine.error());
      if (input->file().header().info.schema_id == schema_id<T>)
        return log_reader(std::move(*input), options);
      auto conversion = detail::older_version::of(input->file(), detail::draw_type<T>);
      if (!conversion) return fail(conversion.error());
      return log_reader(std::move(*input), options, std::move(*conversion));
    });
  }

  /// Returns true if the log was renamed, replaced or deleted, so that the path no longer refers to
  /// the log that is open. O(1). Errors: `io`.
  [[nodiscard]] result<bool> is_renamed() const {
    if (!input_.file().is_open()) return moved_from();
    return detail::catch_bad_alloc([&] { return input_.file().is_renamed(); });
  }
  /// Opens the log that has the path now, at its first record. After an error the reader is
  /// unchanged. Errors: as `open`.
  [[nodiscard]] result<void> reopen() {
    if (!input_.file().is_open()) return moved_from();
    auto fresh = open(input_.file().path(), options_, input_.file().system());
    if (!fresh) return fail(fresh.error());
    *this = std::move(*fresh);
    return {};
  }

  /// Reads the next record into `out` and reuses its memory. Returns false after the last complete
  /// record. If incomplete or damaged bytes follow this record, `lost_bytes` is not 0. A later call
  /// tries again, because a record that was being written may be complete by then. O(bytes).
  ///
  /// Errors: `io`, `no_memory`; `too_large` if the record is larger than the options allow, also in
  /// later calls. For a complete record that is not a `T`: as `unpack`, with the number of the
  /// record in the path; the next call then continues with the next record.
  [[nodiscard]] result<bool> next(T& out) {
    return detail::catch_bad_alloc([&]() -> result<bool> {
      auto more = read_next(out);
      if (!options_.follow || !more || *more || input_.lost_bytes() != 0) return more;
      const auto renamed = is_renamed();
      if (!renamed || !*renamed) return renamed;
      // Other records may have been appended between the last `read_next` and the check of the
      // path.
      more = read_next(out);
      if (!more || *more || input_.lost_bytes() != 0) return more;
      file_status found;
      if (input_.file().system().status(file_system::here, input_.file().path().c_str(), found) < 0)
        return false; // no log has the path yet
      if (auto opened = reopen(); !opened) return fail(opened.error());
      return read_next(out);
    });
  }

  /// Returns the number of records read. With `follow`, counts the records of the log that is read
  /// now.
  [[nodiscard]] std::uint64_t records() const noexcept { return input_.records(); }
  /// Returns the number of bytes after the last complete record, once `next` returned false.
  /// Returns 0 if the log is intact, or if the log is now shorter than the bytes read.
  [[nodiscard]] std::uint64_t lost_bytes() const noexcept { return input_.lost_bytes(); }

private:
  explicit log_reader(detail::log_input&& input, const log_read_options& options,
                      detail::older_version older = {}) noexcept
      : input_(std::move(input)), options_(options), older_(std::move(older)) {}

  [[nodiscard]] static std::unexpected<error> moved_from() noexcept {
    return detail::moved_from("a log (this reader was moved from)");
  }
  [[nodiscard]] result<bool> read_next(T& out) {
    bytes_view payload;
    const std::uint64_t number = input_.records();
    const auto more = input_.next(payload, options_.max_record);
    if (!more || !*more) return more;
    const std::size_t size = payload.size();
    detail::bytes_to_decode what{
        payload, input_.is_compact(), false, {options_.max_memory, options_.max_collisions}};
    if (older_) {
      const auto rewritten = older_.rewrite(what, rewritten_, nullptr);
      if (!rewritten) return input_.with_file_context(rewritten.error(), number, size);
    }
    const auto read = detail::decode_packed(what, detail::loaded_form<T>, std::addressof(out), nullptr);
    if (read) return true;
    return input_.with_file_context(read.error(), number, size);
  }

  detail::log_input input_;
  log_read_options options_;
  std::vector<std::byte> rewritten_; ///< the record in bytes of the current type
  detail::older_version older_;      ///< for records of another version of the type
};

}} // namespace ingot::INGOT_V1
