// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/guard_memory.hpp>
#include <ingot/file/detail/input_file.hpp>

#include "checksum_stream.hpp"
#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>

namespace ingot::inline v1 {
namespace detail {

namespace {

constexpr std::align_val_t payload_alignment{64};
/// What is read at once: small enough that it is still in the cache when its checksum is computed.
constexpr std::size_t read_step = std::size_t{256} * 1024;

} // namespace

file_memory::~file_memory() {
  if (start_ == nullptr) return;
  if (system_ != nullptr) system_->unmap(start_, size_);
  else ::operator delete(start_, payload_alignment);
}

input_file::~input_file() {
  if (file_ >= 0) system_->close(file_);
}

result<input_file> input_file::open(file_system& system, const std::filesystem::path& path, open_mode mode) {
  if (path.native().find('\0') != std::string::npos)
    return system_failure(-EINVAL, "a path without zeros", path);
  const int file = uninterrupted([&] { return system.open(file_system::here, path.c_str(), mode, 0); });
  if (file < 0)
    return system_failure(
        file, mode == open_mode::read ? "a file that can be read" : "a file that can be written to", path);
  input_file opened(system, path, file);
  file_status status;
  if (const int e = system.status(file, status); e < 0)
    return system_failure(e, "to learn how long the file is", path);
  if (status.what == file_status::kind::folder) return system_failure(-EISDIR, "a file", path);
  if (status.what != file_status::kind::regular) return system_failure(-EINVAL, "a regular file", path);
  std::array<std::byte, file_header_size> head;
  const std::span<std::byte> start =
      std::span(head).first(static_cast<std::size_t>(std::min<std::uint64_t>(status.size, head.size())));
  if (auto read = opened.read(start, 0); !read) return fail(read.error());
  auto header = detail::read_header(start, status.size);
  if (!header) return fail(in_file(header.error(), path));
  opened.header_ = *header;
  return opened;
}

result<std::size_t> input_file::read_up_to(std::span<std::byte> to, std::uint64_t from) const {
  std::size_t done = 0;
  while (done < to.size()) {
    const auto n = uninterrupted([&] { return system_->read(file_, to.subspan(done), from + done); });
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
  error why = error{errc::truncated, from + *done}.with_expected("a file that stays as long as it was");
  return fail(in_file(why, path_));
}

result<std::uint64_t> input_file::size() const {
  file_status status;
  if (const int e = system_->status(file_, status); e < 0)
    return system_failure(e, "to learn how long the file is", path_);
  return status.size;
}

std::unexpected<error> input_file::blame(error why) const noexcept {
  why.with_offset(why.offset() + file_header_size);
  return fail(in_file(why, path_));
}

std::unexpected<error> input_file::about(error why) const noexcept { return fail(in_file(why, path_)); }

std::unexpected<error> input_file::no_memory() const noexcept {
  error why = error{errc::no_memory, 24}.with_expected("memory for the payload");
  return fail(in_file(why, path_));
}

result<void> input_file::expect(const file_identity& wanted, bool by_schema) const {
  const file_info& info = header_.info;
  if (std::ranges::find(wanted.kinds, info.kind) == wanted.kinds.end()) {
    error why = error{errc::other_type, 5}
                    .with_expected(to_string(*wanted.kinds.begin()))
                    .with_found(to_string(info.kind));
    return fail(in_file(why, path_));
  }
  if (info.schema_id != wanted.schema_id && !(by_schema && info.schema == schema_form::portable)) {
    error why = error{errc::other_type, 8}.with_expected("the type's own schema_id");
    return fail(in_file(why, path_));
  }
  if (info.layout_id != wanted.layout_id) {
    error why = error{errc::other_layout, 16}.with_expected("the type's own layout_id");
    return fail(in_file(why, path_));
  }
  return {};
}

result<std::size_t> input_file::payload_size(std::size_t most, std::string_view limit) const {
  const std::uint64_t size = header_.info.payload_size;
  if (size > most) {
    error why = error{errc::too_large, 24}.with_expected(limit).with_found(size);
    return fail(in_file(why, path_));
  }
  return static_cast<std::size_t>(size);
}

result<void> input_file::check_gap() const {
  if (header_.info.schema_size == 0) return {};
  const bool log = header_.is_log();
  const std::uint64_t begin =
      log ? header_.schema_at() + header_.info.schema_size : file_header_size + header_.info.payload_size;
  const std::uint64_t end = log ? header_.records_at() : header_.schema_at();
  std::array<std::byte, 8> gap{};
  if (auto got = read(std::span(gap).first(static_cast<std::size_t>(end - begin)), begin); !got) return got;
  if (gap == std::array<std::byte, 8>{}) return {};
  error why = error{errc::bad_padding, begin}.with_expected(log ? "zeros between schema and records"
                                                                : "zeros between payload and schema");
  return fail(in_file(why, path_));
}

result<void> input_file::read_payload(std::span<std::byte> to, bool check) const {
  checksum_stream sum;
  for (std::size_t done = 0; done < to.size();) {
    const auto piece = to.subspan(done, std::min(to.size() - done, read_step));
    if (auto got = read(piece, file_header_size + done); !got) return got;
    if (check) sum.add(piece);
    done += piece.size();
  }
  if (auto zeros = check_gap(); !zeros) return zeros;
  if (!check) return {};
  if (sum.finish() != header_.payload_checksum) {
    error why = error{errc::bad_checksum, 48}.with_expected("the checksum of the payload");
    return fail(in_file(why, path_));
  }
  return check_schema();
}

result<void> input_file::check_schema() const {
  // Piece by piece: its length is anybody's number, and no limit of the caller's is about it.
  std::array<std::byte, 4096> room;
  checksum_stream sum;
  for (std::uint64_t done = 0; done < header_.info.schema_size;) {
    const auto piece = std::span(room).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(header_.info.schema_size - done, room.size())));
    if (auto got = read(piece, header_.schema_at() + done); !got) return got;
    sum.add(piece);
    done += piece.size();
  }
  if (header_.info.schema_size == 0 || static_cast<std::uint32_t>(sum.finish()) == header_.schema_checksum)
    return {};
  error why = error{errc::bad_checksum, 44}.with_expected("the checksum of the schema");
  return fail(in_file(why, path_));
}

result<buffer> input_file::read_schema() const {
  buffer schema;
  if (!schema.resize(header_.info.schema_size)) {
    error why = error{errc::no_memory, 40}.with_expected("memory for the schema");
    return fail(in_file(why, path_));
  }
  if (auto got = read({schema.data(), schema.size()}, header_.schema_at()); !got) return fail(got.error());
  if (!schema.empty() && static_cast<std::uint32_t>(checksum(schema)) != header_.schema_checksum) {
    error why = error{errc::bad_checksum, 44}.with_expected("the checksum of the schema");
    return fail(in_file(why, path_));
  }
  return schema;
}

result<file_memory> input_file::map(bool writable, bool check, bool copy) const {
  const auto length = payload_size(std::numeric_limits<std::size_t>::max() / 2);
  if (!length) return fail(length.error());
  file_memory made;
  if (copy) {
    made.start_ = static_cast<std::byte*>(
        ::operator new(std::max<std::size_t>(*length, 1), payload_alignment, std::nothrow));
    if (made.start_ == nullptr) return no_memory();
    made.payload_ = {made.start_, *length};
    if (auto got = read_payload(made.payload_, check); !got) return fail(got.error());
    return made;
  }
  if (auto zeros = check_gap(); !zeros) return fail(zeros.error());
  const std::size_t size = *length + file_header_size;
  if (const int e = system_->map(file_, size, writable, made.start_); e < 0)
    return system_failure(e, "the file to be mapped", path_);
  made.system_ = system_;
  made.size_ = size;
  made.payload_ = {made.start_ + file_header_size, *length};
  if (check) {
    if (checksum(made.payload_) != header_.payload_checksum) {
      error why = error{errc::bad_checksum, 48}.with_expected("the checksum of the payload");
      return fail(in_file(why, path_));
    }
    if (auto schema = check_schema(); !schema) return fail(schema.error());
  }
  return made;
}

} // namespace detail

result<file_info> peek_file(const std::filesystem::path& path, detail::file_system& system) {
  return detail::guard_memory([&]() -> result<file_info> {
    const auto file = detail::input_file::open(system, path);
    if (!file) return fail(file.error());
    return file->header().info;
  });
}

result<buffer> read_file_schema(const std::filesystem::path& path, detail::file_system& system) {
  return detail::guard_memory([&]() -> result<buffer> {
    const auto file = detail::input_file::open(system, path);
    if (!file) return fail(file.error());
    return file->read_schema();
  });
}

} // namespace ingot::inline v1
