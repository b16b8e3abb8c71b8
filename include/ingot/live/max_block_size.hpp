// SPDX-License-Identifier: Apache-2.0
// Maximum size of a block, as the type of function parameters.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 {

/// Maximum size of a block in bytes. Reserves address space, not memory: the system provides each
/// page at its first use.
struct max_block_size {
  /// Maximum size in bytes.
  std::size_t bytes;
};

}} // namespace ingot::INGOT_V1
