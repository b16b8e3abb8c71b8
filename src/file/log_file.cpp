// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/moved_from.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/detail/replace_file.hpp>

#include "checksum_stream.hpp"
#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

constexpr std::size_t log_window = std::size_t{256} * 1024;

/// Returns the number of zeros after a payload of `length` bytes.
[[nodiscard]] constexpr std::size_t record_gap(std::uint64_t length) noexcept {
  return static_cast<std::size_t>((8 - length % 8) % 8);
}
[[nodiscard]] std::uint32_t head_checksum(const std::byte* head, std::uint64_t position) noexcept {
  return static_cast<std::uint32_t>(checksum({head, 4}, position));
}

} // namespace

result<log_input> log_input::open(file_system& system, path_ref path, file_open_mode mode,
                                  progress_ref progress) {
  auto file = input_file::open(system, path, mode, progress);
  if (!file) return fail(file.error());
  if (!file->header().is_log()) {
    error err = error{errc::schema_mismatch, 5}
                    .with_expected("a log of records")
                    .with_found(to_string(file->header().info.kind));
    return fail(in_file(err, path));
  }
  if (auto zeros = file->check_gap(); !zeros) return fail(zeros.error());
  if (auto schema = file->check_schema(); !schema) return fail(schema.error());
  return log_input(std::move(*file));
}

result<bool> log_input::stop(error err, std::uint64_t left) {
  lost_ = left;
  why_ = in_file(err, file_.path());
  return false;
}

result<bool> log_input::end_early(std::uint64_t left) {
  // Returns what this call would have returned if the file had had its new, shorter length from the
  // beginning.
  if (left == 0) return false;
  return stop(error{errc::truncated, position_ + left}.with_expected("as many bytes as the record has"),
              left);
}

result<bool> log_input::next(bytes_view& payload, std::size_t max_size) { return go_on(&payload, max_size); }
result<bool> log_input::skip() { return go_on(nullptr, 0); }

result<bool> log_input::go_on(bytes_view* payload, std::size_t max_size) {
  if (!file_.is_open()) return moved_from("a log (this reader was moved from)");
  const bool old = !window_.empty();
  auto more = look_at_next(payload, max_size);
  const bool sound = more ? *more || !why_ : more.error().code() != errc::too_large;
  if (sound || !old) return more;
  // After the window was read, a writer may have truncated the log and written other bytes.
  window_.clear();
  return look_at_next(payload, max_size);
}

result<bytes_view> log_input::look(std::uint64_t from, std::size_t bytes, std::uint64_t file_size) {
  if (from < window_at_ || from - window_at_ > window_.size() ||
      window_.size() - (from - window_at_) < bytes) {
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(bytes, log_window), file_size - from));
    window_.clear();
    if (!window_.reserve(step)) {
      error err = error{errc::no_memory, from}.with_expected("memory for a record").with_found(bytes);
      return fail(in_file(err, file_.path()));
    }
    window_at_ = from;
    const auto read = file_.read_up_to({window_.data(), step}, from);
    if (!read) return fail(read.error());
    window_.commit(*read);
    if (auto on = file_.report(from + *read, file_size); !on) return fail(on.error());
    bytes = std::min(bytes, *read);
  }
  return bytes_view(window_).subspan(static_cast<std::size_t>(from - window_at_), bytes);
}

result<bool> log_input::look_at_next(bytes_view* payload, std::size_t max_size) {
  const auto size = file_.size();
  if (!size) return fail(size.error());
  const std::uint64_t left = *size < position_ ? 0 : *size - position_;
  why_.reset();
  lost_ = 0;
  if (left == 0) return false;
  if (left < record_head_size)
    return stop(error{errc::truncated, *size}.with_expected("the 16 bytes of a record's head"), left);
  auto head = look(position_, record_head_size, *size);
  if (!head) return fail(head.error());
  if (head->size() < record_head_size) return end_early(head->size());
  const auto length = load_le<std::uint32_t>(head->data());
  const auto expected = load_le<std::uint64_t>(head->data() + 8);
  if (load_le<std::uint32_t>(head->data() + 4) != head_checksum(head->data(), position_))
    return stop(error{errc::bad_checksum, position_ + 4}.with_expected("the checksum of a record's length"),
                left);
  const std::size_t gap = record_gap(length);
  if (left - record_head_size < std::uint64_t{length} + gap)
    return stop(
        error{errc::truncated, *size}.with_expected("as many bytes as the record has").with_found(left),
        left);
  constexpr std::size_t addressable = std::numeric_limits<std::size_t>::max() / 2;
  if (payload != nullptr && length > std::min(max_size, addressable)) {
    error err = error{errc::too_large, position_}
                    .with_expected("a record of no more bytes than the given limit")
                    .with_found(length);
    return fail(in_file(err, file_.path()));
  }
  auto sound = payload != nullptr || length <= log_window ? check_whole(length, expected, *size, payload)
                                                          : check_pieces(length, expected, *size);
  if (!sound || !*sound) return sound;
  position_ += record_head_size + length + gap;
  ++records_;
  return true;
}

result<bool> log_input::check_whole(std::uint32_t length, std::uint64_t expected, std::uint64_t file_size,
                                    bytes_view* payload) {
  const std::size_t size = std::size_t{length} + record_gap(length);
  const auto body = look(position_ + record_head_size, size, file_size);
  if (!body) return fail(body.error());
  if (body->size() < size) return end_early(record_head_size + body->size());
  if (payload != nullptr) *payload = body->first(length);
  return judge(checksum(body->first(length), position_) == expected, body->subspan(length), length,
               file_size);
}

result<bool> log_input::check_pieces(std::uint32_t length, std::uint64_t expected, std::uint64_t file_size) {
  const std::uint64_t begin = position_ + record_head_size;
  checksum_stream sum(position_);
  for (std::uint64_t done = 0; done < length;) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(length - done, log_window));
    const auto piece = look(begin + done, step, file_size);
    if (!piece) return fail(piece.error());
    if (piece->size() < step) return end_early(record_head_size + done + piece->size());
    sum.add(*piece);
    done += step;
  }
  const auto gap = look(begin + length, record_gap(length), file_size);
  if (!gap) return fail(gap.error());
  if (gap->size() < record_gap(length)) return end_early(record_head_size + length + gap->size());
  return judge(sum.finish() == expected, *gap, length, file_size);
}

result<bool> log_input::judge(bool sum_is_right, bytes_view gap, std::uint32_t length,
                              std::uint64_t file_size) {
  const std::uint64_t left = file_size - position_;
  if (!sum_is_right)
    return stop(error{errc::bad_checksum, position_ + 8}.with_expected("the checksum of a record"), left);
  if (std::ranges::any_of(gap, [](std::byte b) { return b != std::byte{0}; })) {
    return stop(
        error{errc::bad_padding, position_ + record_head_size + length}.with_expected("zeros after a record"),
        left);
  }
  return true;
}

std::unexpected<error> log_input::with_file_context(error err, std::uint64_t number,
                                                    std::size_t length) const noexcept {
  err.with_offset(err.offset() + position_ - length - record_gap(length)).in_element(number);
  return fail(in_file(err, file_.path()));
}

result<void> skip_records(log_input& log) {
  for (;;) {
    const auto more = log.skip();
    if (!more) return fail(more.error());
    if (!*more) return log.report_end();
  }
}

result<void> log_input::report_end() {
  const auto size = file_.size();
  if (!size) return fail(size.error());
  return file_.report(*size, *size);
}

result<void> lock_log(const input_file& file) {
  const int e = retry_eintr([&] { return file.system().lock(file.descriptor()); });
  if (e < 0) return system_failure(e, "a log that no other program writes to", file.path());
  return {};
}

result<void> cut_log(const input_file& file, std::uint64_t size) {
  if (const int e = retry_eintr([&] { return file.system().truncate(file.descriptor(), size); }); e < 0)
    return system_failure(e, "to cut off the incomplete last record", file.path(), size);
  if (const int e = retry_eintr([&] { return file.system().sync(file.descriptor()); }); e < 0)
    return system_failure(e, "the shortened log to reach the disk", file.path(), size);
  return {};
}

result<log_output> log_output::open(file_system& system, path_ref path, const file_info& info,
                                    bytes_view schema, bool repair, progress_ref progress) {
  if (auto created = create_log(system, path, info, schema); !created) return fail(created.error());
  auto log = log_input::open(system, path, file_open_mode::append, progress);
  if (!log) return fail(log.error());
  const file_identity wanted{{info.kind, log->file().header().info.kind}, info.schema_id, 0};
  if (auto mine = log->file().expect(wanted); !mine) return fail(mine.error());
  if (auto locked = lock_log(log->file()); !locked) return fail(locked.error());
  if (auto skipped = skip_records(*log); !skipped) return fail(skipped.error());
  if (log->why()) {
    if (!repair) return fail(*log->why());
    if (auto cut = cut_log(log->file(), log->position()); !cut) return fail(cut.error());
  }
  const bool compact = log->is_compact();
  const std::uint64_t end = log->position();
  const std::uint64_t records = log->records();
  input_file file = std::move(*log).take_file();
  file.forget_progress();
  return log_output(std::move(file), end, records, compact);
}

buffer* log_output::begin() noexcept {
  record_.clear();
  if (record_.prepare(record_head_size).empty()) return nullptr;
  record_.commit(record_head_size);
  return &record_;
}

std::unexpected<error> log_output::reject() const noexcept {
  error err = error{errc::io, end_}.with_expected("a log without a failed write or sync (open it again)");
  return fail(in_file(err, file_.path()));
}

result<void> log_output::check_unchanged() {
  file_status now;
  if (const int e = file_.system().status(file_.descriptor(), now); e < 0)
    return system_failure(e, "to learn how long the log is", file_.path(), end_);
  if (now.names != 0 && now.size == end_) return {};
  broken_ = true;
  error err =
      error{errc::file_changed, end_}.with_expected("a log that no other program truncates or replaces");
  if (now.names == 0) err.with_found("a file that was deleted or replaced");
  else err.with_found(now.size < end_ ? "a file that was cut off" : "a file that another program wrote to");
  return fail(in_file(err, file_.path()));
}

result<void> log_output::rotate(path_ref to, const file_info& info, bytes_view schema) {
  if (auto safe = sync(); !safe) return safe;
  const auto elsewhere = is_renamed();
  if (!elsewhere) return fail(elsewhere.error());
  if (*elsewhere) { // the path no longer refers to the open file
    error err = error{errc::file_changed, end_}
                    .with_expected("a log that still has its path")
                    .with_found("a file that was renamed");
    return fail(in_file(err, file_.path()));
  }
  if (auto moved = rename_file(file_.system(), file_.descriptor(), file_.path(), to); !moved) return moved;
  auto fresh = open(file_.system(), file_.path(), info, schema, false);
  if (!fresh) {
    // The records are safe under the name `to`. But this writer would append more records to the
    // renamed file.
    broken_ = true;
    return fail(fresh.error());
  }
  *this = std::move(*fresh);
  return {};
}

result<void> log_output::commit() {
  if (!file_.is_open()) return moved_from("a log (this writer was moved from)");
  if (broken_) return reject();
  if (auto mine = check_unchanged(); !mine) return mine;
  const auto length = static_cast<std::uint32_t>(record_.size() - record_head_size);
  constexpr std::array<std::byte, 8> zeros{};
  if (!record_.append(bytes_view(zeros).first(record_gap(length)))) {
    error err = error{errc::no_memory}.with_expected("memory for a record");
    return fail(in_file(err, file_.path()));
  }
  std::byte* const head = record_.data();
  store_le(head, length);
  store_le(head + 4, head_checksum(head, end_));
  store_le(head + 8, checksum({head + record_head_size, length}, end_));
  std::uint64_t at = end_;
  for (bytes_view rest = record_; !rest.empty();) {
    const auto n = retry_eintr([&] { return file_.system().write(file_.descriptor(), rest, at); });
    if (n <= 0) {
      // Removes the incomplete record, although readers ignore it: the next record overwrites it
      // and may be shorter. A part of the incomplete record would then follow the next record.
      broken_ =
          at != end_ && retry_eintr([&] { return file_.system().truncate(file_.descriptor(), end_); }) < 0;
      return system_failure(n == 0 ? -ENOSPC : n, "all of a record to be written", file_.path(), at);
    }
    rest = rest.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  end_ = at;
  ++records_;
  return {};
}

result<void> log_output::sync() {
  if (!file_.is_open()) return moved_from("a log (this writer was moved from)");
  if (broken_) return reject();
  if (auto mine = check_unchanged(); !mine) {
    broken_ = true;
    return mine;
  }
  if (const int e = retry_eintr([&] { return file_.system().sync(file_.descriptor()); }); e < 0) {
    // After a failed sync, the system may have dropped the bytes, but still show them to readers.
    // The next sync would report success, even after the log is opened again.
    broken_ = true;
    return system_failure(e, "the records to reach the disk", file_.path(), end_);
  }
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
