// SPDX-License-Identifier: Apache-2.0
// Reads the undamaged blocks of a compressed payload whose other blocks are damaged.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/file_info.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Bytes of a payload as it lies in the file.
struct stored_range {
  std::uint64_t at = 0; ///< position in the stored bytes
  std::uint64_t size = 0;
};

/// A block that could not be decompressed, or that is damaged.
struct lost_block {
  error why;                ///< its offset is the position of the block in the stored bytes
  std::uint64_t stored = 0; ///< number of stored bytes
  std::uint64_t raw_at = 0; ///< position of the lost bytes in the payload
  std::uint64_t raw = 0;    ///< number of lost bytes
};

/// Decompresses the blocks `stored` of a payload to `to`, which has the size of the payload. The
/// bytes of lost blocks become zero: of blocks that can't be decompressed, and of all blocks with a
/// byte in one of the ranges `damaged`, which ascend. Returns these blocks in order. O(n), in one
/// thread. Errors: those of the table of blocks, without which no block can be found; `unsupported`
/// if the library was built without compression; `no_memory`.
[[nodiscard]] result<std::vector<lost_block>> read_sound_blocks(const file_info& info, bytes_view stored,
                                                                std::span<std::byte> to,
                                                                std::span<const stored_range> damaged = {});

}}} // namespace ingot::INGOT_V1::detail
