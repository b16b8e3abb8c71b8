// SPDX-License-Identifier: Apache-2.0
// A log, record by record, whatever the records are: where each begins and ends, and whether all of it is there.
//
// A record, at a multiple of 8, little-endian:
//    0  length of the payload
//    4  XXH3 of these four bytes, lower half
//    8  XXH3 of the payload        both with the record's place in the file as their seed
//   16  the payload, and zeros up to a multiple of 8
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t record_head_size = 16;

/// Goes from record to record.
class log_input {
public:
  /// Any log, unless something else is wanted of it.
  [[nodiscard]] static result<log_input> open(file_system& system, const std::filesystem::path& path,
                                              open_mode mode = open_mode::read, progress_ref progress = {});

  [[nodiscard]] const input_file& file() const noexcept { return file_; }
  [[nodiscard]] input_file&& take_file() && noexcept { return std::move(file_); }
  [[nodiscard]] bool is_compact() const noexcept {
    return file_.header().info.kind == file_kind::compact_log;
  }
  /// The payload of the next record, valid until the next call. False if behind the last one nothing is whole: then a later call looks again.
  /// A longer payload than `most` is an error, before memory is taken for it, and is met again by the next call.
  [[nodiscard]] result<bool> next(bytes_view& payload, std::size_t most);
  /// Tells whoever waits that all of the log was looked at.
  [[nodiscard]] result<void> report_end();
  /// Goes behind the next record, however long it is, in bounded memory.
  [[nodiscard]] result<bool> skip();

  /// An error about the payload of the record that `next` gave becomes one about the file.
  [[nodiscard]] std::unexpected<error> with_file_context(error err, std::uint64_t number,
                                             std::size_t length) const noexcept;

  [[nodiscard]] std::uint64_t records() const noexcept { return file_.is_open() ? records_ : 0; }
  /// Where the last whole record ends.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Bytes behind it, as of the last look.
  [[nodiscard]] std::uint64_t lost_bytes() const noexcept { return file_.is_open() ? lost_ : 0; }
  /// What is wrong with them; nothing if there are none.
  [[nodiscard]] const std::optional<error>& why() const noexcept { return why_; }

private:
  explicit log_input(input_file&& file) noexcept
      : file_(std::move(file)), position_(file_.header().records_at()) {}
  /// Bytes from that place on, of which the file has at least as many; fewer if a writer took some back meanwhile.
  [[nodiscard]] result<bytes_view> look(std::uint64_t from, std::size_t bytes, std::uint64_t file_size);
  /// Without a place for the payload it is only held against its checksum.
  [[nodiscard]] result<bool> go_on(bytes_view* payload, std::size_t most);
  [[nodiscard]] result<bool> look_at_next(bytes_view* payload, std::size_t most);
  /// Whether the payload of the record at `position_` is right, and so are the zeros behind it: in memory as a whole, or piece by piece.
  [[nodiscard]] result<bool> check_whole(std::uint32_t length, std::uint64_t expected,
                                         std::uint64_t file_size, bytes_view* payload);
  [[nodiscard]] result<bool> check_pieces(std::uint32_t length, std::uint64_t expected,
                                          std::uint64_t file_size);
  [[nodiscard]] result<bool> judge(bool sum_is_right, bytes_view gap, std::uint32_t length,
                                   std::uint64_t file_size);
  [[nodiscard]] result<bool> stop(error err, std::uint64_t left);
  /// The file has become shorter than it said; that many bytes are behind the last record.
  [[nodiscard]] result<bool> end_early(std::uint64_t left);

  input_file file_;
  buffer window_;
  std::uint64_t window_at_ = 0;
  std::uint64_t position_;
  std::uint64_t records_ = 0;
  std::uint64_t lost_ = 0;
  std::optional<error> why_;
};

/// Writes records behind the last.
class log_output {
public:
  /// Makes the log if there is none. What is behind the last whole record of one that is there is cut off with `repair`, else an error.
  [[nodiscard]] static result<log_output> open(file_system& system, const std::filesystem::path& path,
                                               const file_info& info, bytes_view schema, bool repair,
                                               progress_ref progress = {});

  [[nodiscard]] bool is_compact() const noexcept { return compact_; }
  [[nodiscard]] std::uint64_t records() const noexcept { return file_.is_open() ? records_ : 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return file_.is_open() ? end_ : 0; }
  /// Where the next record's payload is to be written; null without memory.
  [[nodiscard]] buffer* begin() noexcept;
  /// What was written there becomes a record, in one call of the system if that takes all at once. After an error the log is as it was, or
  /// takes no more records.
  [[nodiscard]] result<void> commit();
  [[nodiscard]] result<void> sync();
  [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }
  /// See `log_writer`.
  [[nodiscard]] result<bool> is_renamed() const { return file_.is_renamed(); }
  [[nodiscard]] result<void> rotate(const std::filesystem::path& to, const file_info& info,
                                    bytes_view schema);
  [[nodiscard]] bool has_schema() const noexcept { return file_.header().info.schema != schema_form::none; }

private:
  log_output(input_file&& file, std::uint64_t end, std::uint64_t records, bool compact) noexcept
      : file_(std::move(file)), end_(end), records_(records), compact_(compact) {}
  [[nodiscard]] std::unexpected<error> refuse() const noexcept;
  /// Fails with `file_changed`, now and for good, unless the file is as long as this writer made
  /// it, and has a name.
  [[nodiscard]] result<void> check_unchanged();

  input_file file_;
  buffer record_;
  std::uint64_t end_;
  std::uint64_t records_;
  bool compact_;
  bool broken_ = false;
};

/// Nobody else writes to the log; cuts it off behind `size` bytes, for good.
[[nodiscard]] result<void> lock_log(const input_file& file);
[[nodiscard]] result<void> cut_log(const input_file& file, std::uint64_t size);
/// To the last whole record.
[[nodiscard]] result<void> skip_records(log_input& log);

}}} // namespace ingot::INGOT_V1::detail
