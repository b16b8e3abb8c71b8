// SPDX-License-Identifier: Apache-2.0
// LZ4 and Zstandard for files and for messages in memory. Blocks are independent, so several
// threads can process them.
//
//   auto small = ingot::compress(*ingot::pack(hero), {.method = ingot::codec::lz4});
//   auto bytes = ingot::decompress(*small, 1 << 20);    // at most a mebibyte
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

/// Compression method. The numbers are stored in files and messages and never change.
enum class codec : std::uint8_t {
  none = 0,
  lz4 = 1,  ///< decodes at nearly the speed of memory
  zstd = 2, ///< Zstandard: smaller, and slower
};

/// Returns the method's name for error messages: "LZ4".
[[nodiscard]] std::string_view to_string(codec method) noexcept;

/// Returns true if this build of the library can use the method.
[[nodiscard]] bool has_codec(codec method) noexcept;

/// Options of compression.
struct compression {
  /// Compression method.
  codec method = codec::none;
  /// Level; 0 is the method's default. LZ4: levels up to 2 are fast; levels below 0 are faster and
  /// give longer output. Levels 3 to 12 compress more: writing is slower, reading is as fast as
  /// with other levels. Zstandard: -7 to 22, default 3. Values outside the range are clamped.
  int level = 0;
  /// Size of a block in bytes, 4 KiB to 64 MiB. Larger blocks compress a little better; smaller
  /// blocks let more threads work at once. 0 selects 256 KiB. With columns, the maximum is 1 MiB,
  /// and 0 selects 512 KiB for inputs of at least 16 MiB, and 1 MiB for inputs of at least 32 MiB.
  /// Values outside the range are clamped.
  std::size_t block = 0;
  /// Number of threads that compress, including the calling thread. 0 selects the number of threads
  /// that the machine can run at once, up to 16, if there is enough work. 1 starts no other thread.
  unsigned threads = 0;
  /// Minimum saving of a compressed block in percent, up to 90. A block that saves less is stored
  /// uncompressed, because decompressing it would take longer than reading the saved bytes from the
  /// file. Use 0 where bytes are more expensive, such as on a slow connection or in an archive.
  unsigned min_saving_percent = 16;
};

/// Further options of `compress`.
struct compress_options {
  /// Description of the message's type, as `schema_bytes<T>()` returns it. With a schema, a packed
  /// message (the pack profile) is compressed by columns: the records of lists are split into
  /// columns first, so that similar values are next to each other. The codec may be `none`. Bytes
  /// that are not a message of this type are compressed without columns. Decompressing needs no
  /// schema.
  bytes_view schema{};
  /// Reports the bytes compressed, a block at a time. If the callback returns false, the error is
  /// `cancelled`.
  progress_ref progress{};
};

/// Compresses bytes and stores their length and a checksum with them. Bytes that don't get smaller
/// are stored uncompressed; at most 24 bytes are added. Equal bytes and options give equal messages
/// for any number of threads, if the version of the codec's library is the same. O(bytes).
/// Allocates a buffer of the size of the input, and memory that the codec needs for each thread.
/// The unused part of the buffer is never touched. With a schema, takes about 40 bytes of memory
/// more for each list and string in the message, and the memory of about six blocks for each
/// thread; blocks are then at most 1 MiB.
///
/// Errors: `unsupported` if this build lacks the codec; `no_memory`; `cancelled`; with a schema
/// those of `read_schema`.
[[nodiscard]] result<buffer> compress(bytes_view bytes, const compression& how,
                                      const compress_options& options = {});

/// Returns the size of the decompressed bytes that an untrusted message states. O(1).
///
/// Errors: `not_ingot`, `wrong_version`, `truncated`, `bad_variant`, `bad_padding`; `bad_length` if
/// the codec can't compress bytes of this size to a message of this length.
[[nodiscard]] result<std::uint64_t> decompressed_size(bytes_view message);

/// Options of `decompress` and `decompress_into`.
struct decompress_options {
  /// Number of threads, as in `load_options`.
  unsigned threads = 0;
  /// Reports the bytes of the message, a block at a time. If the callback returns false, the error
  /// is `cancelled`.
  progress_ref progress{};
};

/// Returns the bytes that were passed to `compress`. The message is untrusted. O(bytes). Allocates
/// the result, and memory that the codec needs for each thread.
///
/// Errors: as `decompressed_size`; `too_large` for more than `max_bytes` bytes, which is checked
/// before memory is allocated; `bad_checksum`; `bad_length`, `truncated` or `trailing_bytes` for
/// blocks that contradict each other or the header; `bad_length` also for blocks that the codec
/// can't have written; `unsupported` if this build lacks the codec; `no_memory`.
[[nodiscard]] result<buffer> decompress(bytes_view message, std::size_t max_bytes,
                                        const decompress_options& options = {});

/// Decompresses into existing memory. `to` must not overlap the message. Returns the number of
/// decompressed bytes. Errors: as `decompress`, but `no_space` if `to` is too small. After an error
/// the contents of `to` are unspecified.
[[nodiscard]] result<std::size_t> decompress_into(std::span<std::byte> to, bytes_view message,
                                                  const decompress_options& options = {});

}} // namespace ingot::INGOT_V1
