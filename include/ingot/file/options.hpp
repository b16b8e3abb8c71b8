// SPDX-License-Identifier: Apache-2.0
// What whoever saves, loads or maps a file may choose.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/compression.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ingot::inline v1 {

/// The two ways in which a value is packed, see docs/format.md.
enum class profile : std::uint8_t {
  packed, ///< can be mapped and read in place
  compact ///< smaller
};

struct save_options {
  /// Of values; blocks and documents are saved as they are.
  profile form = profile::packed;
  /// Wait until the bytes are on the disk. Without it saving is as atomic as long as the system runs, but a power cut may leave a file
  /// that is empty or damaged, which loading refuses.
  bool durable = true;
  /// Put a description of the type behind the payload, where there is one, so that programs without the type can read it.
  bool schema = true;
  /// Make the payload smaller. What is compressed can't be mapped. A payload that does not become smaller is saved as it is.
  compression compress{};
  /// Split the records of lists into columns before they are compressed, so that what is alike stands together: of packed values, of blocks the
  /// storages of containers, of documents nodes that are alike. It makes many records smaller, with any codec and with none, and takes longer to write; a block
  /// is proved for it once more. What is split can't be mapped. Compact values are saved as without: save them packed.
  bool columns = false;
  /// Told of the bytes written, and before that of those compressed, which count as much. Packing, and waiting for the disk, are not counted.
  progress_ref progress{};
};

struct load_options {
  /// Compare what is read with the checksums written with it.
  bool checksum = true;
  /// A payload of more bytes is `too_large`, before memory is taken for it. Compressed ones may become many times as long as the file is:
  /// 255 times by LZ4, 32,768 times by Zstandard.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// How far a block or a document can grow afterwards; it has room for what is in the file in any case.
  ceiling most = document::default_ceiling;
  /// Threads that decode a compressed payload, the calling one included. 0: as many as the machine runs at once, up to 16, but no more than
  /// it has MiB; 1: no other is started.
  unsigned threads = 0;
  /// Told of the payload's bytes in the file that were read. Those of values that are decoded when all is read count once more, those of older versions of the
  /// type three times more. Proving blocks and documents is not counted.
  progress_ref progress{};
};

struct map_options {
  /// Compare payload and schema with their checksums, which touches all of them. Without, damage that leaves a valid value is not noticed.
  bool checksum = false;
  /// Read the file into memory instead: then nothing that happens to the file later matters.
  bool copy = false;
  /// Of a compressed payload, which only a copy can be made of: as in `load_options`.
  unsigned threads = 0;
  /// Of a copy, as in `load_options`.
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  /// Of a copy, as in `load_options`.
  progress_ref progress{};
};

} // namespace ingot::inline v1
