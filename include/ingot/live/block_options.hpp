// SPDX-License-Identifier: Apache-2.0
// Options of the functions that make a block or a document from bytes, or from another block or
// document.
//
//   auto world = ingot::live<World>::open(bytes, {.max_size = {std::size_t{64} << 20}});
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/live/max_block_size.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `open` and `try_copy` of blocks and documents.
struct block_options {
  /// Maximum size to which the block can grow, in bytes. This is no limit on the bytes that are
  /// opened or copied: a larger input gets a larger block. Address space is reserved in powers of
  /// two, so the default takes 1 MiB, the same as `default_max_block_size` of blocks and documents.
  max_block_size max_size{1'000'000};
  /// Progress in bytes. The function that takes the options documents how often each byte counts.
  /// If the callback returns false, the error is `cancelled`.
  progress_ref progress{};
};

}} // namespace ingot::INGOT_V1
