// SPDX-License-Identifier: Apache-2.0
// What the bytes of a block or document are spent on.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// What a block's bytes are spent on. `field_sizes` says so of each member. All are 0 of an owner
/// that was moved from.
struct block_stats {
  std::size_t used = 0; ///< what bytes() is long
  std::size_t free_bytes =
      0; ///< free bytes within, as far as they are known: not after `open_unchecked` and `trim`, nor in place
  std::size_t max_size = 0; ///< how far it can grow
  std::size_t live =
      used - free_bytes; ///< taken: by the header, the root, and what its containers hold and have room for
};

/// A member of the root, and how many of the block's live bytes belong to it, room to grow in
/// everything below it included.
struct field_size {
  std::string_view name;
  std::size_t bytes = 0;
};

}} // namespace ingot::INGOT_V1
