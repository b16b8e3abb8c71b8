// SPDX-License-Identifier: Apache-2.0
// Memory use of a block or document, in bytes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Memory use of a block, in bytes. `field_sizes` reports each member. All values are 0 for a
/// `live` or a document that was moved from.
struct block_stats {
  std::size_t used = 0; ///< size of the block, as `bytes().size()`
  /// Known free bytes in the block. After `open_unchecked` or `trim`, and for a block opened in
  /// place, the free bytes are unknown and count as 0.
  std::size_t free_bytes = 0;
  std::size_t max_size = 0; ///< maximum size
  /// Bytes in use: header, root, and storages. Unused capacity of a container counts as in use.
  std::size_t live = used - free_bytes;
};

/// Memory use of one member of the root. Includes everything that the member owns, with unused
/// capacity.
struct field_size {
  std::string_view name;
  /// Bytes in the block.
  std::size_t bytes = 0;
};

}} // namespace ingot::INGOT_V1
