// SPDX-License-Identifier: Apache-2.0
// Format of a compressed message, little-endian:
//    0  "ingZ"
//    4  version, 1
//    5  codec; plus 4 if records are split into columns
//    6  0 (2 bytes)
//    8  length before compression
//   16  XXH3 of all other bytes
//   24  blocks; with neither codec nor columns, the bytes as they were
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>

#include "blocks.hpp"
#include "checksum_stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
namespace detail { namespace {

constexpr std::array<char, 4> message_magic{'i', 'n', 'g', 'Z'};
constexpr std::size_t message_head = 24;
constexpr std::uint8_t message_version = 1;

struct message_info {
  block_coding coding;
  std::uint64_t raw = 0;
};

[[nodiscard]] std::uint64_t message_checksum(bytes_view message) noexcept {
  checksum_stream sum;
  sum.add(message.first(16));
  sum.add(message.subspan(message_head));
  return sum.finish();
}

[[nodiscard]] result<message_info> read_message_head(bytes_view message) noexcept {
  const auto magic = as_bytes_view(message_magic);
  const std::size_t seen = std::min(message.size(), magic.size());
  if (!equal_bytes(message.first(seen), magic.first(seen)))
    return fail(error{errc::not_ingot}.with_expected("\"ingZ\""));
  if (message.size() < message_head)
    return fail(error{errc::truncated, message.size()}.with_expected("the 24 bytes of a head"));
  if (message[4] != std::byte{message_version}) {
    return fail(error{errc::wrong_version, 4}
                    .with_expected("version 1")
                    .with_found(std::to_integer<std::uint64_t>(message[4])));
  }
  message_info info;
  if (!info.coding.take(message[5])) {
    return fail(error{errc::bad_variant, 5}
                    .with_expected("a codec, 0 to 2, and 4 more for columns")
                    .with_found(std::to_integer<std::uint64_t>(message[5])));
  }
  if (message[6] != std::byte{} || message[7] != std::byte{})
    return fail(error{errc::bad_padding, 6}.with_expected("zeros"));
  info.raw = load_le<std::uint64_t>(message.data() + 8);
  const std::uint64_t stored = message.size() - message_head;
  if (info.coding.is_none() ? info.raw != stored
                            : stored >= info.raw || !can_become(info.coding, stored, info.raw)) {
    return fail(error{errc::bad_length, 8}
                    .with_expected("a length that these bytes can decompress to")
                    .with_found(info.raw));
  }
  return info;
}

class message_source final : public block_source {
public:
  message_source(bytes_view stored, progress_ref progress) noexcept : stored_(stored), progress_(progress) {}
  /// Reports progress up to this block, though earlier blocks may still be in progress. The end of
  /// the last block is reported when all blocks are done.
  result<bytes_view> get(const block_table::location& block, std::span<std::byte>) override {
    if (block.index != 0 && !progress_(message_head + block.at, message_head + stored_.size()))
      return fail(error{errc::cancelled, message_head + block.at});
    return stored_.subspan(static_cast<std::size_t>(block.at), block.stored);
  }
  [[nodiscard]] error located(error err) const noexcept override {
    return err.with_offset(err.offset() + message_head);
  }
  [[nodiscard]] bool in_memory() const noexcept override { return true; }

private:
  bytes_view stored_;
  progress_ref progress_;
};

[[nodiscard]] result<void> all_of(bytes_view bytes, progress_ref progress) {
  if (bytes.empty() || progress(bytes.size(), bytes.size())) return {};
  return fail(error{errc::cancelled, bytes.size()});
}

/// Decompresses a message to `to`. Requires that the header of the message was checked, and that
/// `to` has the size that the header states.
[[nodiscard]] result<void> read_message(bytes_view message, const message_info& info, std::span<std::byte> to,
                                        unsigned threads, progress_ref progress) {
  if (!has_codec(info.coding.method)) {
    return fail(error{errc::unsupported, 5}
                    .with_expected("a library that was built with compression")
                    .with_found(to_string(info.coding.method)));
  }
  if (load_le<std::uint64_t>(message.data() + 16) != message_checksum(message))
    return fail(error{errc::bad_checksum, 16}.with_expected("the checksum of the message"));
  const bytes_view stored = message.subspan(message_head);
  message_source source(stored, progress);
  const auto reject = [&](const error& err) { return fail(source.located(err)); };
  if (info.coding.is_none()) {
    copy_bytes(to.data(), stored.data(), stored.size());
    return all_of(message, progress);
  }
  const std::size_t head = info.coding.head_size();
  if (stored.size() < head) return reject(error{errc::truncated, stored.size()}.with_expected("blocks"));
  auto table = block_table::begin(info.coding, stored.size(), to.size(), stored.data());
  if (!table) return reject(table.error());
  buffer rest;
  if (!rest.append(stored.subspan(head, table->rest_size())))
    return reject(error{errc::no_memory}.with_expected("memory for the lengths of blocks"));
  if (auto taken = table->take(std::move(rest)); !taken) return reject(taken.error());
  if (auto read = read_blocks(*table, source, to, threads); !read) return read;
  return all_of(message, progress);
}

[[nodiscard]] result<buffer> write_message(bytes_view bytes, const compression& how, bytes_view schema,
                                           progress_ref progress) {
  if (!has_codec(how.method)) {
    return fail(error{errc::unsupported}
                    .with_expected("a library that was built with compression")
                    .with_found(to_string(how.method)));
  }
  buffer message;
  const auto no_memory = [] { return fail(error{errc::no_memory}.with_expected("memory for the message")); };
  if (!message.resize(message_head)) return no_memory();
  column_plan plan;
  if (!schema.empty()) {
    progress_tracker none_yet(progress, bytes.size());
    progress_poll planning(&none_yet, bytes.size());
    auto planned = plan_columns(schema, bytes, &planning);
    if (none_yet.stopped()) return none_yet.cancelled();
    if (!planned) return fail(planned.error());
    plan = std::move(*planned);
  }
  // The total of `append_smaller` is twice the number of bytes, because it counts a later write.
  // Here no write follows, so the total is the number of bytes. The last byte is reported at the
  // end.
  const auto report_blocks = [&](std::uint64_t done, std::uint64_t) {
    return done == bytes.size() || progress(done, bytes.size());
  };
  const auto coding =
      append_smaller(message, bytes, how, plan, progress ? progress_ref(report_blocks) : progress);
  if (!coding) return fail(coding.error());
  if (coding->is_none()) {
    if (!message.append(bytes)) return no_memory();
  } else if (message.capacity() / 2 > message.size()) { // the buffer is much too large
    buffer fitting;
    if (!fitting.resize(message.size())) return no_memory();
    copy_bytes(fitting.data(), message.data(), message.size());
    message = std::move(fitting);
  }
  std::memset(message.data(), 0, message_head);
  std::memcpy(message.data(), message_magic.data(), message_magic.size());
  message[4] = std::byte{message_version};
  message[5] = coding->byte();
  store_le(message.data() + 8, std::uint64_t{bytes.size()});
  store_le(message.data() + 16, message_checksum(message));
  if (auto all = all_of(bytes, progress); !all) return fail(all.error());
  return message;
}

}} // namespace detail

result<buffer> compress(bytes_view bytes, const compression& how, const compress_options& options) {
  return detail::catch_bad_alloc(
      [&] { return detail::write_message(bytes, how, options.schema, options.progress); });
}

result<std::uint64_t> decompressed_size(bytes_view message) {
  const auto info = detail::read_message_head(message);
  if (!info) return fail(info.error());
  return info->raw;
}

result<buffer> decompress(bytes_view message, std::size_t max_bytes, const decompress_options& options) {
  return detail::catch_bad_alloc([&]() -> result<buffer> {
    const auto info = detail::read_message_head(message);
    if (!info) return fail(info.error());
    if (info->raw > max_bytes) {
      return fail(error{errc::too_large, 8}
                      .with_expected("no more bytes than the given limit")
                      .with_found(info->raw));
    }
    buffer bytes;
    if (!bytes.resize(static_cast<std::size_t>(info->raw)))
      return fail(error{errc::no_memory, 8}.with_expected("memory for the bytes").with_found(info->raw));
    if (auto read = detail::read_message(message, *info, {bytes.data(), bytes.size()}, options.threads,
                                         options.progress);
        !read)
      return fail(read.error());
    return bytes;
  });
}

result<std::size_t> decompress_into(std::span<std::byte> to, bytes_view message,
                                    const decompress_options& options) {
  return detail::catch_bad_alloc([&]() -> result<std::size_t> {
    const auto info = detail::read_message_head(message);
    if (!info) return fail(info.error());
    if (info->raw > to.size()) {
      return fail(error{errc::no_space, 8}.with_expected("space for all the bytes").with_found(info->raw));
    }
    const auto size = static_cast<std::size_t>(info->raw);
    if (auto read = detail::read_message(message, *info, to.first(size), options.threads, options.progress);
        !read)
      return fail(read.error());
    return size;
  });
}

}} // namespace ingot::INGOT_V1
