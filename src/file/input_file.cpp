// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/live/detail/different_block.hpp>

#include "blocks.hpp"
#include "checksum_stream.hpp"
#include "failure.hpp"
#include "payload_checker.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
namespace detail {

namespace {

constexpr std::align_val_t payload_alignment{64};
/// Number of bytes read at a time. A piece of this size stays in the cache until its checksum is
/// computed.
constexpr std::size_t read_step = pages_step;

} // namespace

file_memory::~file_memory() {
  if (start_ == nullptr) return;
  if (system_ != nullptr) system_->unmap(start_, size_);
  else ::operator delete(start_, payload_alignment);
}

input_file& input_file::operator=(input_file&& other) noexcept {
  if (this == &other) return *this;
  std::swap(system_, other.system_);
  std::swap(path_, other.path_);
  std::swap(header_, other.header_);
  std::swap(progress_, other.progress_);
  std::swap(in_memory_, other.in_memory_);
  std::swap(reported_, other.reported_);
  std::swap(file_, other.file_);
  if (other.file_ >= 0) other.system_->close(std::exchange(other.file_, -1));
  return *this;
}

input_file::~input_file() {
  if (file_ >= 0) system_->close(file_);
}

result<input_file> input_file::open(file_system& system, path_ref path, file_open_mode mode,
                                    progress_ref progress) {
  std::string name(path.text());
  if (name.find('\0') != std::string::npos) return system_failure(-EINVAL, "a path without zero bytes", path);
  const int file = retry_eintr([&] { return system.open(file_system::here, name.c_str(), mode, 0); });
  if (file < 0)
    return system_failure(
        file, mode == file_open_mode::read ? "a file that can be read" : "a file that can be written to",
        path);
  input_file opened(system, std::move(name), file);
  file_status status;
  if (const int e = system.status(file, status); e < 0)
    return system_failure(e, "to learn how long the file is", path);
  if (status.what == file_status::kind::folder) return system_failure(-EISDIR, "a file", path);
  if (status.what != file_status::kind::regular) return system_failure(-EINVAL, "a regular file", path);
  auto header = opened.read_header_of(status.size);
  if (!header) return fail(header.error());
  opened.header_ = *header;
  opened.progress_ = progress;
  return opened;
}

result<file_header> input_file::read_header_of(std::uint64_t file_size) const {
  std::array<std::byte, file_header_size> head;
  const std::span<std::byte> start =
      std::span(head).first(static_cast<std::size_t>(std::min<std::uint64_t>(file_size, head.size())));
  if (auto got = read(start, 0); !got) return fail(got.error());
  auto header = detail::read_header(start, file_size);
  if (!header) return fail(in_file(header.error(), path_));
  return header;
}

result<void> input_file::look_again() {
  const auto now = size();
  if (!now) return fail(now.error());
  const auto header = read_header_of(*now);
  if (!header) return fail(header.error());
  header_ = *header;
  return {};
}

result<void> input_file::hold_still() const {
  const auto not_closed = [&](std::string_view found) {
    return about(error{errc::not_closed, 48}.with_expected("a file that no program edits").with_found(found));
  };
  const int e = retry_eintr([&] { return system_->lock_shared(file_); });
  if (e == -EWOULDBLOCK) return not_closed("one that is being edited");
  // All other errors of the lock mean that the system has no locks. They are ignored: without
  // locks, no program can edit the file.
  const auto now = size();
  if (!now) return fail(now.error());
  const auto header = read_header_of(*now);
  if (!header) return fail(header.error());
  if (!header->info.closed) return not_closed("one that its editor did not close");
  if (header->info.payload_size != header_.info.payload_size)
    return not_closed("one that was edited meanwhile");
  return {};
}

result<std::size_t> input_file::read_up_to(std::span<std::byte> to, std::uint64_t from) const {
  std::size_t done = 0;
  while (done < to.size()) {
    const auto n = retry_eintr([&] { return system_->read(file_, to.subspan(done), from + done); });
    if (n < 0) return system_failure(n, "the file's bytes", path_, from + done);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

result<void> input_file::read(std::span<std::byte> to, std::uint64_t from) const {
  const auto done = read_up_to(to, from);
  if (!done) return fail(done.error());
  if (*done == to.size()) return {};
  error err =
      error{errc::truncated, from + *done}.with_expected("a file that no program truncates during the call");
  return fail(in_file(err, path_));
}

result<std::uint64_t> input_file::size() const {
  file_status status;
  if (const int e = system_->status(file_, status); e < 0)
    return system_failure(e, "to learn how long the file is", path_);
  return status.size;
}

result<bool> input_file::is_renamed() const {
  file_status mine;
  if (const int e = system_->status(file_, mine); e < 0)
    return system_failure(e, "to learn which file is open", path_);
  // Opens the path instead of reading its status, because the path may be a symbolic link.
  const int other =
      retry_eintr([&] { return system_->open(file_system::here, path_.c_str(), file_open_mode::read, 0); });
  if (other == -ENOENT) return true;
  if (other < 0) return system_failure(other, "to learn which file has the path", path_);
  file_status theirs;
  const int e = system_->status(other, theirs);
  system_->close(other);
  if (e < 0) return system_failure(e, "to learn which file has the path", path_);
  return !mine.is_same_file(theirs);
}

std::unexpected<error> input_file::with_file_context(error err) const noexcept {
  err.with_offset(err.offset() + static_cast<std::size_t>(header_.payload_at()));
  return fail(in_file(err, path_));
}

std::unexpected<error> input_file::about(error err) const noexcept { return fail(in_file(err, path_)); }

std::unexpected<error> input_file::no_memory() const noexcept {
  error err = error{errc::no_memory, 24}.with_expected("memory for the payload");
  return fail(in_file(err, path_));
}

result<void> expect_file(const file_info& info, const file_identity& wanted, schema_form read_by) {
  if (std::ranges::find(wanted.kinds, info.kind) == wanted.kinds.end()) {
    const file_kind first = *wanted.kinds.begin();
    const bool is_loaded = first == file_kind::packed && read_by == schema_form::portable;
    const bool is_document = info.kind == file_kind::document || info.kind == file_kind::edited_document;
    return fail(error{errc::schema_mismatch, 5}
                    .with_expected(
                        is_loaded && is_document
                            ? "a packed value (documents are read only for types that set `loads_documents`)"
                        : first == file_kind::packed && info.kind == file_kind::compact
                            ? "a packed value, which is read in place; load() reads compact ones"
                            : to_string(first))
                    .with_found(to_string(info.kind)));
  }
  const bool is_described = read_by != schema_form::none && info.schema == read_by;
  if (info.schema_id != wanted.schema_id && !is_described)
    return fail(other_schema(8, wanted.schema_id, info.schema_id));
  if (info.layout_id != wanted.layout_id && !(is_described && read_by == schema_form::layout))
    return fail(other_layout_id(16, wanted.layout_id, info.layout_id));
  return {};
}

result<void> input_file::expect(const file_identity& wanted, schema_form read_by) const {
  auto mine = expect_file(header_.info, wanted, read_by);
  if (!mine) return about(mine.error());
  return {};
}

result<std::size_t> input_file::payload_size(std::size_t max_size, std::string_view limit) const {
  const std::uint64_t size = header_.info.payload_size;
  if (size > max_size) {
    error err = error{errc::too_large, 24}.with_expected(limit).with_found(size);
    return fail(in_file(err, path_));
  }
  return static_cast<std::size_t>(size);
}

result<void> input_file::check_gap() const {
  if (header_.info.schema_size == 0 && header_.info.version < 2 && !header_.is_edited()) return {};
  const bool log = header_.is_log();
  const bool first = log || header_.is_edited(); // the schema is before the payload
  const std::uint64_t begin =
      first ? header_.schema_at() + header_.info.schema_size : file_header_size + header_.info.stored_size;
  const std::uint64_t end = log     ? header_.records_at()
                            : first ? header_.payload_at()
                                    : header_.checksums_at();
  std::array<std::byte, 1024> storage;
  for (std::uint64_t at = begin; at < end;) {
    const auto gap =
        std::span(storage).first(static_cast<std::size_t>(std::min<std::uint64_t>(end - at, storage.size())));
    if (auto got = read(gap, at); !got) return got;
    if (std::ranges::any_of(gap, [](std::byte b) { return b != std::byte{}; })) {
      return about(error{errc::bad_padding, at}.with_expected(log     ? "zeros between schema and records"
                                                              : first ? "zeros between schema and payload"
                                                                      : "zeros after the payload"));
    }
    at += gap.size();
  }
  return {};
}

namespace {

/// Reads bytes of the payload, and compares them with their checksums unless `checker` is null.
[[nodiscard]] result<void> read_and_check(const input_file& file, std::span<std::byte> to, std::uint64_t from,
                                          payload_checker* checker, pages of = pages::there) {
  page_asker asker;
  for (std::size_t done = 0; done < to.size();) {
    const auto piece = to.subspan(done, std::min(to.size() - done, read_step));
    if (of == pages::fresh) asker.prepare(piece);
    if (auto got = file.read(piece, from + done); !got) return got;
    if (checker != nullptr) {
      if (auto same = checker->add(piece); !same) return same;
    }
    done += piece.size();
    if (auto on = file.report(from + done - file.header().payload_at(), file.progress_total()); !on)
      return on;
  }
  return {};
}

class file_blocks final : public block_source {
public:
  file_blocks(const input_file& file, payload_checker* checker) noexcept : file_(file), checker_(checker) {}
  result<bytes_view> get(const block_table::location& block, std::span<std::byte> storage) override {
    if (auto got = read_and_check(file_, storage, file_header_size + block.at, checker_); !got)
      return fail(got.error());
    return bytes_view(storage);
  }
  [[nodiscard]] error located(error err) const noexcept override {
    return file_.with_file_context(err).error();
  }
  [[nodiscard]] bool in_memory() const noexcept override { return false; }

private:
  const input_file& file_;
  payload_checker* checker_;
};

} // namespace

result<void> input_file::read_payload(std::span<std::byte> to, bool check, unsigned threads, pages of,
                                      growing_memory* grows) const {
  const bool edited = header_.is_edited();
  if (edited) {
    if (auto still = hold_still(); !still) return still;
  }
  payload_checker checker(*this);
  payload_checker* const checks = check && !edited ? &checker : nullptr;
  auto got = header_.info.is_plain() ? read_and_check(*this, to, header_.payload_at(), checks, of)
                                     : read_compressed(to, checks, threads, of, grows);
  if (!got) {
    const errc code = got.error().code();
    const bool blames_bytes =
        code != errc::io && code != errc::no_memory && code != errc::unsupported && code != errc::cancelled;
    if (check && blames_bytes && !header_.info.is_plain()) {
      // If the stored bytes don't match their checksum, reports the wrong checksum instead of the
      // codec's error.
      if (auto sound = check_stored(); !sound) return sound;
    }
    return got;
  }
  if (auto zeros = check_gap(); !zeros) return zeros;
  if (!check) return {};
  if (checks != nullptr) {
    if (auto same = checker.finish(); !same) return same;
  }
  return check_schema();
}

result<void> input_file::read_compressed(std::span<std::byte> to, payload_checker* checker, unsigned threads,
                                         pages of, growing_memory* grows) const {
  const file_info& info = header_.info;
  if (!has_codec(info.method)) {
    error err = error{errc::unsupported, 6}
                    .with_expected("a library that was built with compression")
                    .with_found(to_string(info.method));
    return fail(in_file(err, path_));
  }
  const block_coding coding{info.method, info.columns};
  std::array<std::byte, 8> first_storage;
  const auto first = std::span(first_storage).first(coding.head_size());
  if (info.stored_size < first.size())
    return with_file_context(error{errc::truncated, info.stored_size}.with_expected("blocks"));
  if (auto got = read_and_check(*this, first, file_header_size, checker); !got) return got;
  auto table = block_table::begin(coding, info.stored_size, to.size(), first.data());
  if (!table) return with_file_context(table.error());
  buffer rest;
  if (!rest.resize(table->rest_size())) return no_memory();
  const std::span<std::byte> storage{rest.data(), rest.size()};
  if (auto got = read_and_check(*this, storage, file_header_size + first.size(), checker); !got) return got;
  if (checker != nullptr) {
    if (auto same = checker->check_head(first, storage); !same) return same;
  }
  if (auto taken = table->take(std::move(rest)); !taken) return with_file_context(taken.error());
  file_blocks source(*this, checker);
  return read_blocks(*table, source, to, threads, of, grows);
}

result<std::uint64_t> input_file::checksum_of(std::uint64_t from, std::uint64_t size) const {
  std::array<std::byte, 4096> storage;
  checksum_stream sum;
  for (std::uint64_t done = 0; done < size;) {
    const auto piece = std::span(storage).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(size - done, storage.size())));
    if (auto got = read(piece, from + done); !got) return fail(got.error());
    sum.add(piece);
    done += piece.size();
  }
  return sum.finish();
}

result<void> input_file::check_stored() const {
  std::array<std::byte, 4096> storage;
  payload_checker checker(*this);
  for (std::uint64_t done = 0; done < header_.info.stored_size;) {
    const auto piece = std::span(storage).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(header_.info.stored_size - done, storage.size())));
    if (auto got = read(piece, file_header_size + done); !got) return got;
    if (auto same = checker.add(piece); !same) return same;
    done += piece.size();
  }
  return checker.finish();
}

result<void> input_file::check_schema() const {
  // Computes the checksum piece by piece, because the schema's length is untrusted, and no option
  // of the caller limits it.
  const auto sum = checksum_of(header_.schema_at(), header_.info.schema_size);
  if (!sum) return fail(sum.error());
  if (header_.info.schema_size == 0 || static_cast<std::uint32_t>(*sum) == header_.schema_checksum) return {};
  error err = error{errc::bad_checksum, 44}.with_expected("the checksum of the schema");
  return fail(in_file(err, path_));
}

result<buffer> input_file::read_schema() const {
  buffer schema;
  if (!schema.resize(header_.info.schema_size)) {
    error err = error{errc::no_memory, 40}.with_expected("memory for the schema");
    return fail(in_file(err, path_));
  }
  if (auto got = read({schema.data(), schema.size()}, header_.schema_at()); !got) return fail(got.error());
  if (!schema.empty() && static_cast<std::uint32_t>(checksum(schema)) != header_.schema_checksum) {
    error err = error{errc::bad_checksum, 44}.with_expected("the checksum of the schema");
    return fail(in_file(err, path_));
  }
  // Readers of the schema validate its meaning, and reject a schema that is too short for its
  // fingerprints.
  const std::size_t fingerprints = header_.info.schema == schema_form::layout ? 2 : 1;
  if (schema.size() < 8 + 8 * fingerprints) return schema;
  const std::byte* const schema_id = schema.data() + 8 * fingerprints;
  if (load_le<std::uint64_t>(schema_id) != header_.info.schema_id)
    return about(error{errc::schema_mismatch, 8}.with_expected("the schema_id of the schema in the file"));
  if (fingerprints == 2 && load_le<std::uint64_t>(schema.data() + 8) != header_.info.layout_id)
    return about(error{errc::layout_mismatch, 16}.with_expected("the layout_id of the schema in the file"));
  return schema;
}

result<file_memory> input_file::map(bool writable, bool check, bool copy, unsigned threads,
                                    std::size_t max_size) const {
  if (!copy && !header_.info.is_plain()) {
    error err = error{errc::unsupported, 6}
                    .with_expected("a file without compression, or map_options::copy")
                    .with_found(packing_name(header_.info));
    return fail(in_file(err, path_));
  }
  const auto length = payload_size(std::min(max_size, std::numeric_limits<std::size_t>::max() / 2));
  if (!length) return fail(length.error());
  file_memory memory;
  if (copy) {
    memory.start_ = static_cast<std::byte*>(
        ::operator new(std::max<std::size_t>(*length, 1), payload_alignment, std::nothrow));
    if (memory.start_ == nullptr) return no_memory();
    memory.payload_ = {memory.start_, *length};
    if (auto got = read_payload(memory.payload_, check, threads); !got) return fail(got.error());
    return memory;
  }
  if (auto zeros = check_gap(); !zeros) return fail(zeros.error());
  // The payload of an edited file has no checksum. Another program might edit the file during the
  // call, so the file is locked.
  const bool edited = header_.is_edited();
  if (edited) {
    if (auto still = hold_still(); !still) return fail(still.error());
  }
  const auto begin = static_cast<std::size_t>(header_.payload_at());
  const std::size_t size = *length + begin;
  if (const int e = system_->map(file_, size, writable, memory.start_); e < 0)
    return system_failure(e, "the file to be mapped", path_);
  memory.system_ = system_;
  memory.size_ = size;
  memory.payload_ = {memory.start_ + begin, *length};
  if (check) {
    if (!edited) {
      payload_checker checker(*this);
      constexpr std::size_t step = std::size_t{256} << 10;
      for (std::size_t done = 0; done < *length;) {
        const std::size_t piece = std::min(step, *length - done);
        if (auto same = checker.add(memory.payload_.subspan(done, piece)); !same) return fail(same.error());
        done += piece;
        if (auto on = report(done, progress_total()); !on) return fail(on.error());
      }
      if (auto same = checker.finish(); !same) return fail(same.error());
    }
    if (auto schema = check_schema(); !schema) return fail(schema.error());
  }
  return memory;
}

} // namespace detail

result<file_info> peek_file(path_ref path, file_system& system) {
  return detail::catch_bad_alloc([&]() -> result<file_info> {
    const auto file = detail::input_file::open(system, path);
    if (!file) return fail(file.error());
    return file->header().info;
  });
}

result<buffer> read_file_schema(path_ref path, file_system& system) {
  return detail::catch_bad_alloc([&]() -> result<buffer> {
    const auto file = detail::input_file::open(system, path);
    if (!file) return fail(file.error());
    return file->read_schema();
  });
}

}} // namespace ingot::INGOT_V1
