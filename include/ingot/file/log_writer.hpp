// SPDX-License-Identifier: Apache-2.0
// A file to which records are appended one at a time: journals, events, measurements.
//
//   auto log = ingot::log_writer<Event>::open("events.log");
//   log->append(Event{...});
//   log->sync();                      // the record survives a power cut
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/moved_from.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>

#include <cstdint>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `log_writer`.
struct log_options {
  /// Encoding of records in a new log; an existing log keeps its encoding.
  profile form = profile::packed;
  /// Stores a description of the type in a new log, if the type has one.
  bool schema = true;
  /// Removes the bytes after the last complete record. A crash may have left such bytes. If this
  /// option is false, such bytes are an error. If the damage may be in the middle of the log, first
  /// check the result of `recover`.
  bool repair = false;
  /// Reports the bytes read to open the log. Appending is not counted.
  progress_ref progress{};
};

/// Appends to a log, and locks the log against other writers. Readers may read at any time. Move
/// only. A moved-from writer has no records and can be assigned; appending and syncing return
/// `invalid_value`.
template <packable T>
class log_writer {
public:
  /// Opens a log, or creates an empty log. O(bytes) for an existing log: all its records are
  /// checked. The system's lock (flock) excludes other writers of this library. It does not exclude
  /// programs that write to the file without the lock.
  ///
  /// Errors: `io` with the path and the system's reason, also if another writer has locked the log;
  /// `schema_mismatch`; `truncated`, `bad_checksum` or `bad_padding` if the log does not end with a
  /// complete record, unless `repair` is set.
  [[nodiscard]] static result<log_writer> open(path_ref path, const log_options& options = {},
                                               file_system& system = system_files()) {
    return detail::catch_bad_alloc([&]() -> result<log_writer> {
      const auto kind = options.form == profile::compact ? file_kind::compact_log : file_kind::packed_log;
      const auto schema = options.schema ? detail::packed_schema<T>() : detail::embedded_schema{};
      auto output = detail::log_output::open(system, path, detail::packed_info<T>(kind), schema.bytes,
                                             options.repair, options.progress);
      if (!output) return fail(output.error());
      return log_writer(std::move(*output));
    });
  }

  /// Appends one record. When this function returns, the whole record is in the file: all readers
  /// see the record, and it survives the end of the process. To be sure that the record is on the
  /// disk, call `sync`. If the process or the power ends during the call, either the record is
  /// complete, or readers stop before it. A record must be smaller than 4 GiB. Readers reject
  /// records of more than `log_read_options::max_record` bytes. O(bytes).
  ///
  /// Errors: as `pack`; `io`. The log is then unchanged. If restoring the log fails, the writer
  /// accepts no more records: open the log again with `repair`. `file_changed` if another program
  /// truncated, replaced or deleted the file. The writer then accepts no more records, because no
  /// reader could find them. (A file that was only renamed accepts records.)
  [[nodiscard]] result<void> append(const T& value) {
    return detail::catch_bad_alloc([&]() -> result<void> {
      buffer* const payload = output_.begin();
      if (payload == nullptr) return fail(error{errc::no_memory}.with_expected("memory for a record"));
      const auto packed =
          output_.is_compact() ? compact::pack_to(*payload, value) : ingot::pack_to(*payload, value);
      if (!packed) return fail(packed.error());
      return output_.commit();
    });
  }
  /// Waits until all records are on the disk. After an error it is unknown which records are on the
  /// disk, and this writer accepts no more records. Opening the log again does not help: the system
  /// may have dropped bytes that it could not write, still show them to readers, and report success
  /// for another sync. Write all records since the last successful sync to a new log.
  ///
  /// Errors: `io`; `file_changed` as `append`.
  [[nodiscard]] result<void> sync() {
    return detail::catch_bad_alloc([&] { return output_.sync(); });
  }

  /// Returns true if the log was renamed, replaced or deleted, so that the path no longer refers to
  /// the log that is open. Records go to the renamed file until another writer is opened. O(1).
  /// Errors: `io`.
  [[nodiscard]] result<bool> is_renamed() const {
    if (!output_.is_open()) return detail::moved_from("a log (this writer was moved from)");
    return detail::catch_bad_alloc([&] { return output_.is_renamed(); });
  }
  /// Syncs the log, renames it to `to` in the same folder, and continues in a new log, which gets
  /// the path that the old log had. The new log has the same encoding and counts its records from
  /// zero. At no time does either file contain a part of a record. If a crash interrupts the call,
  /// open the log and call `rotate` again with the same name. O(1).
  ///
  /// Errors: as `sync`; `io` if another file has the name `to` (this writer then continues as
  /// before); `file_changed` if the log no longer has its path. If the new log can't be created,
  /// the old log is complete under its new name, and this writer accepts no more records.
  [[nodiscard]] result<void> rotate(path_ref to) {
    return detail::catch_bad_alloc([&] {
      const auto kind = output_.is_compact() ? file_kind::compact_log : file_kind::packed_log;
      const auto schema = output_.has_schema() ? detail::packed_schema<T>() : detail::embedded_schema{};
      return output_.rotate(to, detail::packed_info<T>(kind), schema.bytes);
    });
  }

  /// Returns the number of records in the log, including those that existed when the log was
  /// opened.
  [[nodiscard]] std::uint64_t records() const noexcept { return output_.records(); }
  /// Returns the size of the file in bytes.
  [[nodiscard]] std::uint64_t size() const noexcept { return output_.size(); }

private:
  explicit log_writer(detail::log_output&& output) noexcept : output_(std::move(output)) {}

  detail::log_output output_;
};

}} // namespace ingot::INGOT_V1
