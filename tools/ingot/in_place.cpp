// SPDX-License-Identifier: Apache-2.0
#include "in_place.hpp"

#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/edited_memory.hpp>
#include <ingot/file/edit_file.hpp>

#include "cli_support.hpp"
#include "node.hpp"
#include "source.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::errc;
using ingot::error;
using ingot::fail;
using ingot::result;

/// Opens the payload of any type as memory that does not grow. The caller must not change this
/// memory before `begin` is called.
[[nodiscard]] ingot::detail::edited_memory memory_of(const std::string& name, const ingot::file_info& info,
                                                     bool repair) {
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max() / 4;
  const ingot::detail::editing how{.wanted = {{info.kind, info.kind}, info.schema_id, info.layout_id},
                                   .max_size = 0,
                                   .offset_range = largest,
                                   .front = [](std::size_t) noexcept { return std::size_t{0}; },
                                   .repair = repair,
                                   .durable = true};
  return value_of(ingot::detail::edited_memory::open(files(), name, how), name);
}

[[noreturn]] void throw_changed(const std::string& name) {
  throw failure(sentence(name + ": not changed", "a file that did not change after it was read",
                         "one that another program edited meanwhile", "try again"),
                exit_code::no);
}

[[nodiscard]] ingot::edited_file<ingot::document> edit(const opened& file) {
  auto edited = value_of(ingot::edit_file<ingot::document>(file.name, {}, files()), file.name);
  if (*edited != *file.document) {
    value_of(edited.close(), file.name);
    throw_changed(file.name);
  }
  return edited;
}

/// A private mapping of a payload: only this process sees what it writes there. Holes of a sparse
/// file take only memory that the system can reclaim.
class mapped_payload {
public:
  mapped_payload(std::byte* start, std::size_t mapped, std::size_t payload_at) noexcept
      : start_(start), mapped_(mapped), at_(payload_at) {}
  mapped_payload(const mapped_payload&) = delete;
  mapped_payload& operator=(const mapped_payload&) = delete;
  ~mapped_payload() { files().unmap(start_, mapped_); }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept {
    return std::span(start_, mapped_).subspan(at_);
  }

private:
  std::byte* start_;
  std::size_t mapped_;
  std::size_t at_;
};

/// State of a file after a crash.
struct remains {
  ingot::detail::file_header header;
  std::uint64_t available = 0;       ///< bytes from the payload's beginning to the end of the file
  std::size_t used = 0;              ///< bytes of the value, if it is valid
  std::optional<ingot::error> why{}; ///< the error, if the value is invalid
  std::uint64_t seen = 0;            ///< checksum of `available` bytes, if the file was not closed
};

/// Returns the position after the last non-zero byte; 0 if all bytes are zero.
[[nodiscard]] std::size_t end_of(bytes_view bytes) noexcept {
  static constexpr std::array<std::byte, 65536> zeros{};
  std::size_t end = bytes.size();
  while (end != 0) {
    const std::size_t piece = std::min(end, zeros.size());
    if (std::memcmp(bytes.data() + end - piece, zeros.data(), piece) != 0) break;
    end -= piece;
  }
  while (end != 0 && bytes[end - 1] == std::byte{0}) --end;
  return end;
}

/// Returns the minimum size in bytes of a payload of this kind.
[[nodiscard]] constexpr std::size_t fewest_of(ingot::file_kind kind) noexcept {
  return kind == ingot::file_kind::edited_live ? ingot::detail::root_position
                                               : sizeof(ingot::detail::doc::document_header);
}

/// Updates the length in the payload's header. If an edit was in progress, this length may be out
/// of date.
void write_length(const ingot::detail::file_header& header, std::byte* payload, std::size_t used) noexcept {
  if (header.info.kind == ingot::file_kind::edited_live) {
    const std::uint64_t length = used;
    std::memcpy(payload + offsetof(ingot::detail::block_header, used), &length, sizeof length);
  } else {
    const auto length = static_cast<std::uint32_t>(used);
    std::memcpy(payload + offsetof(ingot::detail::doc::document_header, used), &length, sizeof length);
  }
}

[[nodiscard]] std::optional<error> validate_payload_bytes(const ingot::detail::file_header& header,
                                                          const std::optional<ingot::dynamic_layout>& layout,
                                                          std::span<std::byte> payload) {
  write_length(header, payload.data(), payload.size());
  if (layout) {
    const auto block = ingot::dynamic_block::open_in_place(payload, *layout);
    return block ? std::optional<error>() : block.error();
  }
  const auto document = ingot::document::open_in_place(payload);
  return document ? std::optional<error>() : document.error();
}

[[nodiscard]] result<remains> look_at(const std::string& name) {
  const auto file = ingot::detail::input_file::open(files(), name);
  if (!file) return fail(file.error());
  remains found{.header = file->header()};
  const auto size = file->size();
  if (!size) return fail(size.error());
  found.available = *size - found.header.payload_at();
  found.used = static_cast<std::size_t>(found.header.info.payload_size);
  if (found.header.info.closed) return found;
  // A process that edits the file holds a lock, so this lock then fails.
  if (const int e = files().lock_shared(file->descriptor()); e < 0) {
    return file->about(error{errc::not_closed, 48}
                           .with_expected("a file that no program edits")
                           .with_found("one that is being edited"));
  }
  std::optional<ingot::dynamic_layout> layout;
  if (found.header.info.kind == ingot::file_kind::edited_live) {
    if (found.header.info.schema != ingot::schema_form::layout)
      return file->about(error{errc::unsupported, 7}.with_expected(
          "a description of the type; a program with the type can repair it without"));
    const auto bytes = file->read_schema();
    if (!bytes) return fail(bytes.error());
    auto opened_layout = ingot::dynamic_layout::open(*bytes);
    if (!opened_layout) return file->about(opened_layout.error());
    layout = std::move(*opened_layout);
  }
  // A larger payload is not validated here; a program with the type can validate it in place.
  constexpr std::uint64_t max_available = std::uint64_t{1} << 32;
  if (found.available > max_available)
    return file->about(error{errc::too_large, found.header.payload_at()}
                           .with_expected("a payload of at most 4 GiB")
                           .with_found(found.available));
  const auto available = static_cast<std::size_t>(found.available / 8 * 8);
  const std::size_t min_size = fewest_of(found.header.info.kind);
  if (available < min_size) {
    found.why = file->with_file_context(error{errc::truncated, available}.with_expected("a payload's header"))
                    .error();
    return found;
  }
  const auto payload_at = static_cast<std::size_t>(found.header.payload_at());
  std::byte* start = nullptr;
  if (const int e = files().map(file->descriptor(), payload_at + available, true, start); e < 0)
    return file->no_memory();
  const mapped_payload mapped(start, payload_at + available, payload_at);
  const std::span<std::byte> payload = mapped.bytes();
  found.seen = ingot::detail::checksum(payload);
  // The last non-zero byte is the end of the value, unless the value itself ends with zeros. So
  // longer lengths are also tried.
  const std::size_t fewest = std::max(min_size, (end_of(payload) + 7) / 8 * 8);
  const auto try_length = [&](std::size_t length) {
    return validate_payload_bytes(found.header, layout, payload.first(length));
  };
  std::size_t rejected = fewest - 8;
  found.used = fewest;
  for (std::size_t step = 64;; step *= 2) {
    const auto why = try_length(found.used);
    if (!why) break;
    if (found.used == available) {
      found.why = file->with_file_context(*why).error();
      return found;
    }
    rejected = found.used;
    found.used += std::min(available - found.used, step);
  }
  while (found.used - rejected > 8) {
    const std::size_t between = rejected + (found.used - rejected) / 16 * 8;
    (try_length(between) ? rejected : found.used) = between;
  }
  return found;
}

} // namespace

namespace {

/// Locks the block of a file. Ends the command if the block has changed since it was read.
[[nodiscard]] ingot::detail::edited_memory lock_block(const opened& file) {
  auto memory = memory_of(file.name, file.header->info, false);
  const auto before = file.block->bytes();
  if (memory.size() != before.size() ||
      std::memcmp(memory.start() + ingot::detail::root_position, before.data() + ingot::detail::root_position,
                  before.size() - ingot::detail::root_position) != 0) {
    memory.give_up();
    throw_changed(file.name);
  }
  return memory;
}

/// Replaces the file. The old file is unchanged and loses its name. The old file stays locked until
/// the new file has the name.
void replace_locked(ingot::detail::edited_memory& memory, const opened& file, bytes_view payload,
                    bytes_view schema) {
  auto done = ingot::detail::replace_edited(files(), file.name, file.header->info, payload, schema);
  memory.give_up();
  value_of(std::move(done), file.name);
}

} // namespace

void overwrite(const opened& file, std::size_t at, bytes_view bytes) {
  const signal_blocker until_done;
  auto memory = lock_block(file);
  value_of(memory.begin(), file.name);
  std::memcpy(memory.start() + at, bytes.data(), bytes.size());
  value_of(memory.close(memory.size()), file.name);
}

void replace_block(const opened& file, bytes_view block) {
  const signal_blocker until_done;
  auto memory = lock_block(file);
  replace_locked(memory, file, block, file.block->layout().bytes());
}

void set_where_it_is(const opened& file, const std::string& pointer, const ingot::document& value) {
  const signal_blocker until_done;
  auto edited = edit(file);
  const auto done = (*edited).root().set_at(pointer, value.root());
  value_of(edited.close(), file.name);
  if (!done) throw failure(done.error(), file.name);
}

void compact_document(const opened& file) {
  const signal_blocker until_done;
  auto memory = memory_of(file.name, file.header->info, false);
  const auto there = ingot::document::open({memory.start(), memory.size()});
  if (!there) {
    memory.give_up();
    throw_changed(file.name);
  }
  ingot::document compacted(there->root(), max_document_size);
  progress_bar bar(file.name, &until_done);
  if (auto done = compacted.try_compact(bar); !done) {
    memory.give_up();
    throw failure(done.error(), file.name);
  }
  replace_locked(memory, file, compacted.bytes(), {});
}

exit_code recover_edited(output& to, const recover_options& options, const shared_options& shared) {
  const remains found = value_of(look_at(options.file), options.file);
  const bool left = !found.header.info.closed;
  const bool closes = left && !found.why && options.cut;
  if (closes) {
    const signal_blocker until_done;
    auto memory = memory_of(options.file, found.header.info, true);
    // Another process may have repaired and edited the file after `look_at` and before the lock.
    if (memory.was_closed() || memory.size() != found.available / 8 * 8 ||
        ingot::detail::checksum({memory.start(), memory.size()}) != found.seen) {
      memory.give_up();
      throw_changed(options.file);
    }
    value_of(memory.begin(), options.file);
    write_length(found.header, memory.start(), found.used);
    value_of(memory.close(found.used), options.file);
  }
  if (shared.json) {
    to << R"({"file":)" << json_string(options.file) << R"(,"what":)"
       << json_string(to_string(found.header.info.kind)) << R"(,"was_closed":)" << (left ? "false" : "true")
       << R"(,"whole":)" << (found.why ? "false" : "true") << R"(,"kept":)"
       << std::to_string(found.why ? 0 : found.used) << R"(,"closed":)" << (closes ? "true" : "false");
    if (found.why) to << R"(,"why":)" << json_string(found.why->message());
    to << "}\n";
  } else {
    to << printable(options.file) << ": " << to_string(found.header.info.kind);
    if (!left) to << ", was closed";
    else if (found.why)
      to << ", was not closed, and its contents are invalid: " << printable(found.why->message());
    else
      to << ", was not closed; its contents are valid, " << counted(found.used, "byte")
         << (closes ? ": closed now"
                    : ", but may be in the middle of a change: --cut closes it in this state");
    to << "\n";
  }
  return left && !closes ? exit_code::no : exit_code::ok;
}

} // namespace tool
