// SPDX-License-Identifier: Apache-2.0
// LZ4 and Zstandard for files and for messages in memory. Blocks are independent, so several threads can work on them.
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

namespace ingot { inline namespace INGOT_V1 {

/// The compression method. The numbers are stored in files and messages and never change.
enum class codec : std::uint8_t {
  none = 0,
  lz4 = 1,  ///< decodes at nearly the speed of memory
  zstd = 2, ///< Zstandard: smaller, and slower
};

/// The method's name as error texts give it: "LZ4".
[[nodiscard]] std::string_view to_string(codec method) noexcept;

/// Whether this build of the library has the method.
[[nodiscard]] bool has_codec(codec method) noexcept;

struct compression {
  codec method = codec::none;
  /// The level; 0 is the method's default. LZ4: up to 2 is fast (below 0 is faster and larger), 3 to 12 is high
  /// compression, which is slow to write but as fast to read. Zstandard: -7 to 22, 3 by default. Values outside the
  /// range are clamped.
  int level = 0;
  /// Bytes in each block, 4 KiB to 64 MiB. Larger blocks compress a little better; smaller ones give threads more to
  /// share. With columns, 1 MiB is the maximum, whatever is given here. 0: 256 KiB; with columns 512 KiB from 16 MiB of
  /// bytes on, and 1 MiB from 32 MiB on. Values outside the range are clamped.
  std::size_t block = 0;
  /// Threads that compress, including the calling one. 0: as many as the machine can run at once, up to 16, as far as
  /// there is enough work; 1: no other thread is started.
  unsigned threads = 0;
  /// The percentage of a block that compression must save; otherwise the block is stored uncompressed, because
  /// decompressing it would take longer than reading the bytes that are saved. Use 0 where bytes cost more than that,
  /// such as on a slow connection or in an archive. Up to 90.
  unsigned min_saving_percent = 16;
};

/// Compresses bytes, and stores their length and a checksum with them. Bytes that don't get smaller are stored as they
/// are; at most 24 bytes are added. The same bytes and options give the same message with the same version of the
/// codec's library, whatever the number of threads. O(bytes). Takes memory for as many bytes, of which the unused part
/// is never touched, and what the codec needs for each thread.
///
/// Errors: `unsupported` if this build lacks the codec; `no_memory`.
[[nodiscard]] result<buffer> compress(bytes_view bytes, const compression& how);

/// Does the same for a packed message (the pack profile) whose type `schema` describes, as `schema_bytes<T>()` gives
/// it. The records of its lists are split into columns before compression, so that similar values are next to each
/// other. The codec may be none. Bytes that are no such message are compressed, too, and with an empty schema, `{}`,
/// nothing is split. Takes about 40 bytes more for each list and string in the message, and about six blocks for each
/// thread. Blocks are at most 1 MiB. Decompressing needs no schema.
///
/// `progress` reports the bytes that were compressed, a block at a time; if it returns false, the call stops with
/// `cancelled`.
///
/// Errors: also those of `read_schema`.
[[nodiscard]] result<buffer> compress(bytes_view bytes, const compression& how, bytes_view schema,
                                      progress_ref progress = {});

/// Returns how many bytes `decompress` would give, according to the message, which may be damaged or lie. O(1).
/// Errors: `not_ingot`, `wrong_version`, `truncated`, `bad_variant`, `bad_padding`; `bad_length` if its codec can't
/// have compressed that many bytes to this size.
[[nodiscard]] result<std::uint64_t> decompressed_size(bytes_view message);

/// Returns the bytes that `compress` was given. The message may come from anyone. Threads work as in `load_options`.
/// O(bytes); takes memory for the result, and what the codec needs for each thread. `progress` reports the bytes of
/// the message, a block at a time; if it returns false, the call stops with `cancelled`.
///
/// Errors: as `decompressed_size`; `too_large` for more than `limit` bytes, before memory is taken; `bad_checksum`;
/// `bad_length`, `truncated` or `trailing_bytes` for blocks that contradict each other or the header; `bad_length`
/// also for blocks that the codec can't have written; `unsupported` if this build lacks the codec; `no_memory`.
[[nodiscard]] result<buffer> decompress(bytes_view message, std::size_t limit, unsigned threads = 0,
                                        progress_ref progress = {});

/// Decompresses into existing memory, which must not overlap the message, and returns the number of bytes. Errors: as
/// `decompress`, but `no_space` if `to` is too small. After an error the contents of `to` are unspecified.
[[nodiscard]] result<std::size_t> decompress_into(bytes_view message, std::span<std::byte> to,
                                                  unsigned threads = 0, progress_ref progress = {});

}} // namespace ingot::INGOT_V1
