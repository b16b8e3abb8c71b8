// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/edited_memory.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/live/detail/block.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// The file grows to a multiple of this number of bytes, and by at least a quarter of the payload.
constexpr std::size_t growth_step = 65536;

} // namespace

struct edited_memory::state {
  /// State of the file's growth. This state is at the beginning of the reserved addresses, where
  /// the allocator expects it.
  struct growth_of_file : block_growth {
    state* owner = nullptr;
  };

  explicit state(input_file&& opened) noexcept : file(std::move(opened)) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (mapped) file.system().unmap(start, limit);
    if (base != nullptr)
      system::unreserve(base, static_cast<std::size_t>(start - base) + (mapped ? 0 : limit));
  }

  [[nodiscard]] std::uint64_t payload_at() const noexcept { return file.header().payload_at(); }
  [[nodiscard]] growth_of_file& growth() const noexcept {
    return *std::launder(reinterpret_cast<growth_of_file*>(base));
  }

  /// Reserves addresses for a payload of up to `max_block_size` bytes. If the system has not enough
  /// addresses, reserves fewer, but at least `min_size`.
  [[nodiscard]] bool reserve(std::size_t max_block_size, std::size_t min_size,
                             std::size_t (*front)(std::size_t)) noexcept {
    for (;;) {
      const std::size_t before = round_up(sizeof(growth_of_file) + front(max_block_size), edited_alignment);
      if (max_block_size <= static_cast<std::size_t>(-1) / 2 - before)
        base = system::reserve(before + max_block_size);
      if (base != nullptr) {
        start = base + before;
        limit = max_block_size;
        return true;
      }
      const std::size_t fewer = std::max(min_size, round_up(max_block_size / 2, edited_alignment));
      if (fewer >= max_block_size) return false; // there is no smaller size to try
      max_block_size = fewer;
    }
  }

  [[nodiscard]] result<void> mark(bool closed, std::size_t used) {
    file_header header = file.header();
    header.info.closed = closed;
    header.info.payload_size = used;
    std::array<std::byte, file_header_size> head;
    write_header(header, head.data());
    bytes_view rest = head;
    // The header is in one sector, so a power cut leaves either the old header or the new header.
    while (!rest.empty()) {
      const auto n = retry_eintr(
          [&] { return file.system().write(file.descriptor(), rest, head.size() - rest.size()); });
      if (n <= 0) return system_failure(n == 0 ? -ENOSPC : n, "the header to be written", file.path());
      rest = rest.subspan(static_cast<std::size_t>(n));
    }
    return durable ? sync() : result<void>{};
  }
  [[nodiscard]] result<void> sync() {
    if (const int e = retry_eintr([&] { return file.system().sync(file.descriptor()); }); e < 0)
      return system_failure(e, "the bytes to reach the disk", file.path());
    return {};
  }
  /// Syncs the edited bytes. After a failed sync, always fails.
  [[nodiscard]] result<void> keep() {
    if (lost) {
      error err = error{errc::io}.with_expected("a file without a failed sync (open it again, to repair it)");
      return fail(in_file(err, file.path()));
    }
    auto synced = sync();
    // After a failed sync, the system may have dropped the bytes, and the next sync would still
    // report success.
    lost = !synced;
    return synced;
  }

  [[nodiscard]] result<void> close(std::size_t used);

  /// The allocator calls this function to grow the file.
  static void lengthen(block_growth& self, std::size_t wanted) noexcept {
    static_cast<growth_of_file&>(self).owner->grow(wanted);
  }
  void grow(std::size_t wanted) noexcept {
    block_growth& to = growth();
    to.failed = false;
    trouble.reset();
    if (wanted > limit) return;
    const auto now = file.size();
    if (!now || *now != payload_at() + length) {
      to.failed = true;
      trouble = now ? file.about(error{errc::truncated, std::min(*now, payload_at() + length)}
                                     .with_expected("a file whose length no other program changes")
                                     .with_found(*now))
                          .error()
                    : now.error();
      return;
    }
    const std::size_t generous = std::max(wanted, to.usable + to.usable / 4);
    int e = extend(std::min(limit, round_up(generous, growth_step)));
    // The remaining disk space may still be enough for a smaller growth. So growth to a multiple of
    // the page size is tried, then growth to a multiple of 8.
    if (e < 0) e = extend(std::min(limit, round_up(wanted, 4096)));
    if (e < 0) e = extend(std::min(limit, round_up(wanted, 8)));
    if (e >= 0) return;
    to.failed = true;
    trouble =
        system_failure(e, "space on the disk for the file's new size", file.path(), payload_at() + length)
            .error();
  }
  [[nodiscard]] int extend(std::size_t to) noexcept {
    const int e = retry_eintr(
        [&] { return file.system().allocate(file.descriptor(), payload_at() + length, to - length); });
    // If the disk is full, some file systems, such as ext4, keep the space that they have
    // allocated, and the file is longer by this space. So the file is truncated to its old length.
    if (e < 0) {
      static_cast<void>(
          retry_eintr([&] { return file.system().truncate(file.descriptor(), payload_at() + length); }));
      return e;
    }
    length = to;
    growth().usable = to;
    return 0;
  }

  [[nodiscard]] result<void> begin() {
    if (length != size) { // up to 7 bytes follow `size`, and they may be nonzero
      const int e =
          retry_eintr([&] { return file.system().truncate(file.descriptor(), payload_at() + size); });
      if (e < 0) return system_failure(e, "to cut off the incomplete end of the file", file.path());
      length = size;
    }
    // A file may have holes, for example after a copy. Writing to the memory of a hole would need
    // disk space.
    if (length != 0) {
      const int e =
          retry_eintr([&] { return file.system().allocate(file.descriptor(), payload_at(), length); });
      if (e < 0)
        return system_failure(e, "space on the disk for the file's bytes", file.path(), payload_at());
    }
    if (!was_closed) return {};
    marked = true;
    return mark(false, size);
  }
  [[nodiscard]] static bool begin_for(block_growth& self) noexcept {
    state& in = *static_cast<growth_of_file&>(self).owner;
    const auto begun = catch_bad_alloc([&] { return in.begin(); });
    if (!begun) in.trouble = begun.error();
    return begun.has_value();
  }

  input_file file;
  std::byte* base = nullptr;
  std::byte* start = nullptr;
  std::size_t limit = 0;
  std::size_t size = 0;   ///< size at opening
  std::size_t length = 0; ///< current length of the file from the payload's beginning on
  bool mapped = false;
  bool was_closed = true;
  bool marked = false; ///< this object has marked the file as being edited
  bool durable = true;
  bool lost = false; ///< edited bytes may be lost, because a sync failed
  std::optional<error> trouble;
};

edited_memory::edited_memory() noexcept = default;
edited_memory::edited_memory(std::unique_ptr<state> in) noexcept
    : in_(std::move(in)), was_closed_(in_->was_closed) {}
edited_memory::edited_memory(edited_memory&& other) noexcept = default;
edited_memory& edited_memory::operator=(edited_memory&& other) noexcept = default;
edited_memory::~edited_memory() = default;

std::byte* edited_memory::start() const noexcept { return in_->start; }
std::size_t edited_memory::limit() const noexcept { return in_->limit; }
std::size_t edited_memory::size() const noexcept { return in_->size; }
block_growth& edited_memory::growth() const noexcept { return in_->growth(); }
const std::string& edited_memory::path() const noexcept { return in_->file.path(); }
std::optional<error> edited_memory::last_error() const { return in_ ? in_->trouble : last_; }
std::unexpected<error> edited_memory::with_file_context(error err) const noexcept {
  return in_->file.with_file_context(err);
}
std::unexpected<error> edited_memory::about(error err) const noexcept { return in_->file.about(err); }

result<edited_memory> edited_memory::open(file_system& system, path_ref path, const editing& how) {
  auto file = input_file::open(system, path, file_open_mode::append);
  if (!file) return fail(file.error());
  if (auto mine = file->expect(how.wanted); !mine) return fail(mine.error());
  const int locked = retry_eintr([&] { return system.lock(file->descriptor()); });
  if (locked == -EWOULDBLOCK)
    return file->about(error{errc::not_closed, 48}
                           .with_expected("a file that no other program edits or reads")
                           .with_found("one that another program is using"));
  if (locked < 0) return system_failure(locked, "an exclusive lock on the file", path);
  // The previous owner of the lock may have changed the file.
  if (auto now = file->look_again(); !now) return fail(now.error());
  if (auto mine = file->expect(how.wanted); !mine) return fail(mine.error());
  const file_header& header = file->header();
  if (!header.info.closed && !how.repair) {
    return file->about(error{errc::not_closed, 48}
                           .with_expected("a file that was closed")
                           .with_found("one that its editor did not close"));
  }
  if (auto zeros = file->check_gap(); !zeros) return fail(zeros.error());
  if (auto schema = file->check_schema(); !schema) return fail(schema.error());
  const auto file_size = file->size();
  if (!file_size) return fail(file_size.error());
  const std::uint64_t bytes =
      header.info.closed ? header.info.payload_size : (*file_size - header.payload_at()) / 8 * 8;
  const bool closed = header.info.closed;
  if (bytes > how.offset_range) {
    return file->about(
        error{errc::too_large, 24}.with_expected("no more bytes than a block can have").with_found(bytes));
  }
  std::unique_ptr<state> in(new (std::nothrow) state(std::move(*file)));
  if (in == nullptr) return fail(error{errc::no_memory}.with_expected("memory for the handle of the file"));
  in->size = static_cast<std::size_t>(bytes);
  in->length = static_cast<std::size_t>(*file_size - in->payload_at());
  in->was_closed = closed;
  in->durable = how.durable;
  if (!in->reserve(std::min(how.offset_range, std::max(how.max_size, in->size)), in->size, how.front))
    return in->file.no_memory();
  auto& growth = *::new (static_cast<void*>(in->base)) state::growth_of_file;
  growth.lengthen = &state::lengthen;
  growth.begin = &state::begin_for;
  growth.usable = in->size;
  growth.owner = in.get();
  if (const int e = system.map_shared(in->file.descriptor(), in->payload_at(), in->limit, in->start); e < 0)
    return system_failure(e, "the file to be mapped", path);
  in->mapped = true;
  return edited_memory(std::move(in));
}

result<void> edited_memory::begin() { return in_->begin(); }

result<void> edited_memory::sync() {
  if (in_) return in_->keep();
  return last_ ? result<void>(fail(*last_)) : result<void>();
}

result<void> edited_memory::close(std::size_t used) {
  const std::unique_ptr<state> in = std::move(in_);
  auto closed = in->close(used);
  if (!closed) last_ = closed.error();
  return closed;
}

result<void> edited_memory::state::close(std::size_t used) {
  if (lost) return keep(); // returns the error; the file stays marked as being edited
  const std::uint64_t end = payload_at() + used;
  if (used != length) {
    const int e = retry_eintr([&] { return file.system().truncate(file.descriptor(), end); });
    if (e < 0) return system_failure(e, "to cut off the unused end of the file", file.path(), end);
  }
  // Syncs the payload before `mark` marks the file as closed. If the power fails between these two
  // steps, the file is still marked as being edited.
  if (durable) {
    if (auto there = keep(); !there) return there;
  }
  return mark(true, used);
}

void edited_memory::give_up() noexcept {
  const std::unique_ptr<state> in = std::move(in_);
  in->durable = false; // so a power cut may leave the file marked
  // If marking fails, the next program that opens the file sees that the file was not closed.
  if (in->marked && !in->mark(true, in->size)) in->marked = false;
}

namespace {

/// Writes a file that is marked as closed. If a file with this name exists, keeps this file and
/// returns false.
[[nodiscard]] result<bool> write_closed(file_system& system, path_ref path, file_info info,
                                        bytes_view payload, bytes_view schema, replacing how,
                                        progress_ref progress = {}) {
  file_header header{info};
  header.info.payload_size = payload.size();
  if (schema.size() > max_schema_bytes)
    return fail(error{errc::too_large}.with_expected("a schema of at most 16 MiB").with_found(schema.size()));
  header.info.schema_size = static_cast<std::uint32_t>(schema.size());
  if (schema.empty()) header.info.schema = schema_form::none;
  else header.schema_checksum = static_cast<std::uint32_t>(checksum(schema));
  std::array<std::byte, file_header_size> head;
  write_header(header, head.data());
  const auto gap = static_cast<std::size_t>(header.payload_at()) - file_header_size - schema.size();
  buffer zeros;
  if (!zeros.resize(gap)) return fail(error{errc::no_memory}.with_expected("memory for zeros"));
  std::ranges::fill(std::span(zeros.data(), zeros.size()), std::byte{});
  const std::array<bytes_view, 4> parts{head, schema, zeros, payload};
  return replace_file(system, path, parts, how, {progress});
}

} // namespace

result<void> create_new(file_system& system, path_ref path, file_info info, bytes_view payload,
                        bytes_view schema, progress_ref progress) {
  const auto written = write_closed(system, path, info, payload, schema, replacing::only_if_new, progress);
  if (!written) return fail(written.error());
  if (!*written) return system_failure(-EEXIST, "a name that is not taken yet", path);
  return {};
}

result<void> replace_edited(file_system& system, path_ref path, file_info info, bytes_view payload,
                            bytes_view schema) {
  const auto written = write_closed(system, path, info, payload, schema, replacing::durable);
  if (!written) return fail(written.error());
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
