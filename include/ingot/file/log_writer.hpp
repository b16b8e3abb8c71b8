// SPDX-License-Identifier: Apache-2.0
// A file that records are appended to, one at a time: journals, events, measurements.
//
//   auto log = ingot::log_writer<Event>::open("events.log");
//   log->append(Event{...});
//   log->sync();                      // what was appended survives a power cut
#pragma once

#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/options.hpp>

#include <cstdint>
#include <filesystem>
#include <utility>

namespace ingot::inline v1 {

struct log_options {
  /// Of the records of a new log; one that is there stays as it is.
  profile form = profile::packed;
  /// Put a description of the type into a new log, where there is one.
  bool schema = true;
  /// Cut off what is behind the last whole record, which a crash may have left; else it is an error. What `recover` tells is better looked
  /// at first, if it may be damage in the middle of a log.
  bool repair = false;
  /// Told of the bytes that opening has read. Appending is not counted.
  progress_ref progress{};
};

/// Appends to a log and has it locked against other writers meanwhile. Readers may read all the time. Move only.
template <packable T>
class log_writer {
public:
  /// Opens a log, or makes one that has no records. O(bytes) of one that is there: all its records are checked. The system's lock (flock)
  /// tells other writers of this library, and nobody else, to stay away.
  ///
  /// Errors: `io` with the path and the system's reason, also where another writer has the log; `other_type`; `truncated`, `bad_checksum` or `bad_padding` for a
  /// log that does not end with a whole record, unless `repair` is asked for.
  [[nodiscard]] static result<log_writer> open(const std::filesystem::path& path,
                                               const log_options& options = {},
                                               detail::file_system& system = detail::system_files()) {
    return detail::guard_memory([&]() -> result<log_writer> {
      const auto kind = options.form == profile::compact ? file_kind::compact_log : file_kind::packed_log;
      const auto schema = options.schema ? detail::packed_schema<T>() : detail::embedded_schema{};
      auto output = detail::log_output::open(system, path, detail::packed_info<T>(kind), schema.bytes,
                                             options.repair, options.progress);
      if (!output) return fail(output.error());
      return log_writer(std::move(*output));
    });
  }

  /// One record. All of it is in the file when this returns, for everybody who reads it and also if the process is killed then; that it is on the
  /// disk `sync` says. Killed meanwhile, or without power, it is there or readers stop before it. A record may have less than 4 GiB; of more than
  /// `log_read_options::max_record` readers refuse it. O(bytes).
  ///
  /// Errors: as `pack`; `io`. The log is then as it was; where even that fails, the writer takes no more records: open the log again with `repair`.
  [[nodiscard]] result<void> append(const T& value) {
    return detail::guard_memory([&]() -> result<void> {
      buffer* const room = output_.begin();
      if (room == nullptr) return fail(error{errc::no_memory}.with_expected("memory for a record"));
      const auto packed =
          output_.is_compact() ? compact::pack_to(*room, value) : ingot::pack_to(*room, value);
      if (!packed) return fail(packed.error());
      return output_.commit();
    });
  }
  /// Waits until all records are on the disk. After an error nobody knows which are, and this writer takes no more records. Opening the log
  /// again does not tell either: the system may have dropped what it could not write and still show it to whoever reads, and says of
  /// another sync that it succeeded. Write the records since the last sync that succeeded to a new log.
  [[nodiscard]] result<void> sync() {
    return detail::guard_memory([&] { return output_.sync(); });
  }

  /// Records in the log, those included that were there.
  [[nodiscard]] std::uint64_t records() const noexcept { return output_.records(); }
  /// Bytes of the file.
  [[nodiscard]] std::uint64_t size() const noexcept { return output_.size(); }

private:
  explicit log_writer(detail::log_output&& output) noexcept : output_(std::move(output)) {}

  detail::log_output output_;
};

} // namespace ingot::inline v1
