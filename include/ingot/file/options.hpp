// SPDX-License-Identifier: Apache-2.0
// Options for saving, loading and mapping files.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/compression.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ingot { inline namespace INGOT_V1 {

/// The two ways in which a value is packed; see docs/format.md.
enum class profile : std::uint8_t {
  packed, ///< can be mapped and read in place
  compact ///< smaller
};

struct save_options {
  /// The form of values; blocks and documents are saved as they are.
  profile form = profile::packed;
  /// Waits until the bytes are on the disk. Without this, saving is still atomic as long as the system runs, but a
  /// power cut may leave an empty or damaged file, which loading refuses.
  bool durable = true;
  /// Stores a description of the type behind the payload, if there is one, so that programs without the type can read
  /// it.
  bool schema = true;
  /// Compresses the payload. A compressed file can't be mapped. A payload that does not get smaller is stored as it
  /// is.
  compression compress{};
  /// Splits records into columns before compression, so that similar values are next to each other: the records of
  /// lists in packed values, the storages of containers in blocks, and similar nodes in documents. This makes many
  /// records smaller, with any codec and even without one, but takes longer to write, and a block is proved once more
  /// for it. A file that was split can't be mapped. For compact values this has no effect: save them packed.
  bool columns = false;
  /// Reports the bytes written, and before that the bytes packed and the bytes compressed, each of which count as much.
  /// Waiting for the disk is not counted. While a compact value is packed, the total is `progress_ref::unknown`.
  progress_ref progress{};
};

struct load_options {
  /// Compares what is read with the stored checksums.
  bool checksum = true;
  /// A larger payload, in bytes, is `too_large`, before memory is taken for it. Compressed payloads can expand to many
  /// times the length of the file: 255 times with LZ4, 32,768 times with Zstandard.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Limits of values that are decoded, as in `read_limits`; the input is the payload.
  std::uint64_t max_memory = read_limits::by_input;
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// How large a block or a document may become after loading; there is always room for what is in the file.
  max_block_size max_size = document::default_max_block_size;
  /// Threads that decode a compressed payload, including the calling one. 0: as many as the machine can run at once,
  /// up to 16, but no more than the payload has MiB; 1: no other thread is started.
  unsigned threads = 0;
  /// Reports the bytes of the payload that were read from the file. Those of blocks and documents, which are proved, and
  /// of values that are decoded after all is read count once more, those of older versions of the type three times more.
  progress_ref progress{};
};

struct map_options {
  /// Compares payload and schema with their checksums, which reads all of them. Without this, damage that leaves a
  /// valid value is not noticed.
  bool checksum = false;
  /// Reads the file into memory instead of mapping it, so that later changes to the file don't matter.
  bool copy = false;
  /// For a compressed payload, which can only be copied: as in `load_options`.
  unsigned threads = 0;
  /// For a copy: as in `load_options`.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Reports the bytes of a copy as they are read, or, without one, those whose checksum is compared; and those of blocks
  /// and documents as they are proved.
  progress_ref progress{};
};

}} // namespace ingot::INGOT_V1
