// SPDX-License-Identifier: Apache-2.0
// A log of records of any type. Finds the records, and checks that each record is complete.
//
// The bytes of a record, little-endian; its offset in the file is a multiple of 8:
//    0  length of the payload
//    4  XXH3 of the four bytes of the length, lower half
//    8  XXH3 of the payload
//   16  the payload, and zeros up to a multiple of 8
//
// The seed of both checksums is the record's position in the file.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t record_head_size = 16;

/// Reads the records of a log in order.
class log_input {
public:
  /// Opens a log of any type; the caller checks the type.
  [[nodiscard]] static result<log_input> open(file_system& system, path_ref path,
                                              file_open_mode mode = file_open_mode::read,
                                              progress_ref progress = {});

  [[nodiscard]] const input_file& file() const noexcept { return file_; }
  [[nodiscard]] input_file&& take_file() && noexcept { return std::move(file_); }
  [[nodiscard]] bool is_compact() const noexcept {
    return file_.header().info.kind == file_kind::compact_log;
  }
  /// Reads the payload of the next record. `payload` is valid until the next call. Returns false if
  /// no complete record follows; a later call tries again. A payload of more than `max_size` bytes
  /// is an error, and no memory is allocated for it. The next call then tries the same record
  /// again.
  [[nodiscard]] result<bool> next(bytes_view& payload, std::size_t max_size);
  /// Reports that the whole log was read.
  [[nodiscard]] result<void> report_end();
  /// Skips the next record, of any length, in bounded memory.
  [[nodiscard]] result<bool> skip();

  /// Returns `err` with the file's name, the offset in the file, and the record's number in the
  /// path. `err` must be an error about the last payload that `next` returned. `number` is the
  /// number of the record, and `length` is the length of the payload in bytes.
  [[nodiscard]] std::unexpected<error> with_file_context(error err, std::uint64_t number,
                                                         std::size_t length) const noexcept;

  [[nodiscard]] std::uint64_t records() const noexcept { return file_.is_open() ? records_ : 0; }
  /// Returns the position after the last complete record.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Returns the number of bytes after `position()` at the last attempt to read a record.
  [[nodiscard]] std::uint64_t lost_bytes() const noexcept { return file_.is_open() ? lost_ : 0; }
  /// Returns the reason why the bytes after `position()` are no record; empty if there are no such
  /// bytes.
  [[nodiscard]] const std::optional<error>& why() const noexcept { return why_; }

private:
  explicit log_input(input_file&& file) noexcept
      : file_(std::move(file)), position_(file_.header().records_at()) {}
  /// Returns `bytes` bytes from position `from` on. These bytes must end at or before `file_size`,
  /// the file's length. Returns fewer bytes if a writer has truncated the file meanwhile.
  [[nodiscard]] result<bytes_view> look(std::uint64_t from, std::size_t bytes, std::uint64_t file_size);
  /// Reads the next record, for `next`. If `payload` is null, only compares the record's payload
  /// with the checksum, for `skip`.
  [[nodiscard]] result<bool> go_on(bytes_view* payload, std::size_t max_size);
  [[nodiscard]] result<bool> look_at_next(bytes_view* payload, std::size_t max_size);
  /// Checks the payload of the record at `position_` and the zeros after it. `check_whole` reads
  /// them into memory at once, `check_pieces` piece by piece.
  [[nodiscard]] result<bool> check_whole(std::uint32_t length, std::uint64_t expected,
                                         std::uint64_t file_size, bytes_view* payload);
  [[nodiscard]] result<bool> check_pieces(std::uint32_t length, std::uint64_t expected,
                                          std::uint64_t file_size);
  [[nodiscard]] result<bool> judge(bool sum_is_right, bytes_view gap, std::uint32_t length,
                                   std::uint64_t file_size);
  [[nodiscard]] result<bool> stop(error err, std::uint64_t left);
  /// Handles a file that became shorter after its size was read. `left` bytes follow the last
  /// record.
  [[nodiscard]] result<bool> end_early(std::uint64_t left);

  input_file file_;
  buffer window_;
  std::uint64_t window_at_ = 0;
  std::uint64_t position_;
  std::uint64_t records_ = 0;
  std::uint64_t lost_ = 0;
  std::optional<error> why_;
};

/// Appends records.
class log_output {
public:
  /// Opens a log, or creates a log if the path has none. An existing log may have bytes after its
  /// last complete record. If `repair` is true, these bytes are removed; otherwise they are an
  /// error.
  [[nodiscard]] static result<log_output> open(file_system& system, path_ref path, const file_info& info,
                                               bytes_view schema, bool repair, progress_ref progress = {});

  [[nodiscard]] bool is_compact() const noexcept { return compact_; }
  [[nodiscard]] std::uint64_t records() const noexcept { return file_.is_open() ? records_ : 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return file_.is_open() ? end_ : 0; }
  /// Returns the buffer for the payload of the next record; null if there is no memory.
  [[nodiscard]] buffer* begin() noexcept;
  /// Appends the bytes in the buffer as a record, usually with one system call. After an error,
  /// either the log is unchanged, or this object accepts no more records.
  [[nodiscard]] result<void> commit();
  [[nodiscard]] result<void> sync();
  [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }
  /// See `log_writer`.
  [[nodiscard]] result<bool> is_renamed() const { return file_.is_renamed(); }
  [[nodiscard]] result<void> rotate(path_ref to, const file_info& info, bytes_view schema);
  [[nodiscard]] bool has_schema() const noexcept { return file_.header().info.schema != schema_form::none; }

private:
  log_output(input_file&& file, std::uint64_t end, std::uint64_t records, bool compact) noexcept
      : file_(std::move(file)), end_(end), records_(records), compact_(compact) {}
  [[nodiscard]] std::unexpected<error> reject() const noexcept;
  /// Checks that the file was not deleted and has the length that this writer gave it. Otherwise
  /// fails with `file_changed`, now and in all later calls.
  [[nodiscard]] result<void> check_unchanged();

  input_file file_;
  buffer record_;
  std::uint64_t end_;
  std::uint64_t records_;
  bool compact_;
  bool broken_ = false;
};

/// Excludes other writers from the log.
[[nodiscard]] result<void> lock_log(const input_file& file);
/// Truncates the log to `size` bytes and syncs it.
[[nodiscard]] result<void> cut_log(const input_file& file, std::uint64_t size);
/// Skips to the end of the last complete record.
[[nodiscard]] result<void> skip_records(log_input& log);

}}} // namespace ingot::INGOT_V1::detail
