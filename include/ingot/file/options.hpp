// SPDX-License-Identifier: Apache-2.0
// Options for saving, loading and mapping files.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/live/max_block_size.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Encoding of a value in a file; see docs/format.md.
enum class profile : std::uint8_t {
  packed, ///< can be mapped and read in place
  compact ///< smaller
};

/// Options of `save`.
struct save_options {
  /// Encoding of values. Blocks and documents are saved as they are.
  profile form = profile::packed;
  /// Waits until the bytes are on the disk. If false, saving is still atomic while the system runs,
  /// but a power cut may leave an empty or damaged file. Loading rejects such a file.
  bool durable = true;
  /// Stores a description of the type after the payload, if the type has one. Programs without the
  /// type can then read the file.
  bool schema = true;
  /// Compresses the payload. A compressed file can't be mapped. A payload that does not get smaller
  /// is stored uncompressed.
  compression compress{};
  /// Splits records into columns before compression, so that similar values are next to each other.
  /// Records are the elements of lists in packed values, the storages of containers in blocks, and
  /// similar nodes in documents. Many records get smaller, with any codec and even without a codec.
  /// Writing takes longer, and a block is validated once more. A file with columns can't be mapped.
  /// Has no effect on compact values: save them packed.
  bool columns = false;
  /// Progress in bytes. Each byte is counted when it is packed, again when it is compressed, and
  /// again when it is written. All three count equally. Waiting for the disk is not counted. While
  /// a compact value is packed, the total is `progress_ref::unknown`.
  progress_ref progress{};
  /// Suffix of the name that the replaced file gets, such as "~": saving to `hero.ingot` then keeps
  /// the previous version as `hero.ingot~`, and replaces the version that had this name. Empty: no
  /// version is kept. Must have no `/`. The folder's file system must have hard links.
  std::string_view backup{};
};

struct damage_report; // in <ingot/file/damage.hpp>

/// Options of `load`.
struct load_options {
  /// Compares the bytes read with the stored checksums.
  bool checksum = true;
  /// Maximum size of the payload in bytes. A larger payload is rejected with `too_large` before
  /// memory is allocated. A compressed payload can expand to many times the length of the file: 255
  /// times with LZ4, 32,768 times with Zstandard.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Maximum memory of decoded values in bytes, as in `read_limits`; the input is the payload.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum average number of comparisons for each key of decoded values, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// Maximum size in bytes to which a block or a document can grow after loading. If the file's
  /// payload is larger, the payload's size is the limit.
  max_block_size max_size{1'031'680}; // as `document::default_max_block_size`
  /// If not null, a damaged file is loaded as far as possible. Lost bytes of the payload are read
  /// as zeros, and are listed in the report, which is cleared before the payload is read.
  /// `find_damage` says which bytes are lost. The payload is then validated as usual. If it is
  /// rejected, the error says that damaged bytes were read as zeros. If no byte is left, or if the
  /// header or the schema is damaged, the file is rejected. Checksums are compared even if
  /// `checksum` is false. Has no effect for files that are edited in place, and for logs. Null: a
  /// damaged file is rejected.
  damage_report* zero_damaged = nullptr;
  /// Number of threads that decode a compressed payload, including the calling thread. 0 selects
  /// the number of threads that the machine can run at once, up to 16, but at most one for each MiB
  /// of payload. 1 starts no other thread.
  unsigned threads = 0;
  /// Progress in bytes of the payload. Each byte counts once when it is read from the file. Bytes
  /// that are validated (blocks, documents) or decoded after reading count once more. Bytes of
  /// another version of the type count three more times.
  progress_ref progress{};
};

/// Options of `map_file`.
struct map_options {
  /// Compares payload and schema with their checksums. This reads all bytes. If false, damage that
  /// leaves a valid value is not detected.
  bool checksum = false;
  /// Reads the file into memory instead of mapping it, so that later changes to the file have no
  /// effect.
  bool copy = false;
  /// Number of threads that decompress a compressed payload, as in `load_options`. A compressed
  /// payload can only be copied.
  unsigned threads = 0;
  /// Maximum size of the payload in bytes, as in `load_options`. Has an effect only for a copy.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Reports the bytes of a copy as they are read. Without a copy, reports the bytes whose checksum
  /// is compared. Bytes of blocks and documents are reported as they are validated.
  progress_ref progress{};
};

}} // namespace ingot::INGOT_V1
