// SPDX-License-Identifier: Apache-2.0
// LZ4 and Zstandard for files and for messages in memory: independent blocks, so that several threads can work on them.
//
//   auto small = ingot::compress(*ingot::pack(hero), {.method = ingot::codec::lz4});
//   auto bytes = ingot::decompress(*small, 1 << 20);    // no more than a mebibyte
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ingot::inline v1 {

/// What made bytes smaller. The numbers are in files and messages: they never change.
enum class codec : std::uint8_t {
  none = 0,
  lz4 = 1,  ///< decodes at the speed of memory, nearly
  zstd = 2, ///< Zstandard: smaller, and slower
};

/// "LZ4", as it stands in errors.
[[nodiscard]] std::string_view to_string(codec method) noexcept;

/// Whether this build of the library has it.
[[nodiscard]] bool has_codec(codec method) noexcept;

struct compression {
  codec method = codec::none;
  /// 0 is the method's default. LZ4: up to 2 fast (below 0 faster and larger), 3 to 12 high compression, which is slow to write and as
  /// fast to read. Zstandard: -7 to 22, 3 by default. What is beyond is taken as the last there is.
  int level = 0;
  /// Bytes that are compressed by themselves, 4 KiB to 64 MiB: larger ones become a little smaller, of smaller ones there are more for
  /// threads to share. With columns 1 MiB at most, whatever stands here.
  std::size_t block = std::size_t{256} * 1024;
  /// Threads that compress, the calling one included. 0: as many as the machine runs at once, up to 16, as far as there is enough for them
  /// to do; 1: no other is started.
  unsigned threads = 0;
  /// Percent of a block that have to be saved, or it is kept as it is: to decompress it would take whoever reads it longer than reading what it saves does.
  /// 0 where bytes are dearer than that, on a slow line or in an archive. Up to 90.
  unsigned least_saved = 16;
};

/// The bytes and how long they were, with a checksum. Where compression saves nothing they are kept as they are: 24 bytes are the most that is
/// added. The same bytes and options give the same message with the same version of the codec's library, whatever the threads. O(bytes);
/// takes memory for as many bytes, of which those that are not needed are not touched, and what the codec needs for each thread.
///
/// Errors: `unsupported` without the codec in this build; `no_memory`.
[[nodiscard]] result<buffer> compress(bytes_view bytes, const compression& how);

/// The same of a packed message (the pack profile) whose type `schema` describes, as `schema_bytes<T>()` does: the records of its lists are split into columns before they
/// are compressed, so that what is alike stands together. The codec may be none. Bytes that are not such a message are compressed, too. Takes some 40 bytes
/// more for each list and text in the message, and some six blocks for each thread. Blocks are 1 MiB at most. Whoever decompresses needs no schema.
///
/// `progress` is told of the bytes that were compressed, a block at a time; who says no gets `cancelled`. Without a schema, `{}`, nothing is split.
///
/// Errors: also those of `read_schema`.
[[nodiscard]] result<buffer> compress(bytes_view bytes, const compression& how, bytes_view schema,
                                      progress_ref progress = {});

/// How many bytes `decompress` would give, by a message that is damaged or lies as well. O(1). Errors: `not_ingot`, `wrong_version`,
/// `truncated`, `bad_variant`, `bad_padding`; `bad_length` for more bytes than its codec can have made so small.
[[nodiscard]] result<std::uint64_t> decompressed_size(bytes_view message);

/// What `compress` was given, of a message that may be anybody's. Threads as in `load_options`. O(bytes); takes memory for what it gives,
/// and what the codec needs for each thread. `progress` is told of the message's bytes, a block at a time; who says no gets `cancelled`.
///
/// Errors: as `decompressed_size`; `too_large` for more than `limit` bytes, before memory is taken; `bad_checksum`; `bad_length`, `truncated` or
/// `trailing_bytes` for blocks that contradict each other or the head, `bad_length` also for those that are not what the codec writes; `unsupported` without the codec in this build; `no_memory`.
[[nodiscard]] result<buffer> decompress(bytes_view message, std::size_t limit, unsigned threads = 0,
                                        progress_ref progress = {});

/// The same to memory that is there; how many bytes. Errors: as `decompress`, but `no_space` where there are more than `to` has. After an error
/// `to` holds anything. It must not overlap the message.
[[nodiscard]] result<std::size_t> decompress_into(bytes_view message, std::span<std::byte> to,
                                                  unsigned threads = 0, progress_ref progress = {});

} // namespace ingot::inline v1
