// SPDX-License-Identifier: Apache-2.0
// What `value::as` accepts beside the forms that it writes: other encoders write some values
// differently.
#pragma once

#include <ingot/core/read_limits.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `value::as`, for values that come from other encoders. All are off by default.
struct conversion_options {
  /// An integer may be a number without a fraction, up to 2^53: JavaScript's encoders write
  /// integers of more than 32 bits so.
  bool whole_reals = false;
  /// An empty list, set, map or text may be null, as Go writes a nil slice.
  bool null_as_empty = false;
  /// A record may be an array of its members' values, in order: rmp-serde, minicbor, Go's
  /// `toarray`.
  bool arrays_as_records = false;
  /// As in `read_limits`, where the input is the whole document.
  std::uint64_t max_memory = read_limits::by_input;
  std::uint32_t max_collisions = read_limits::default_collisions;
};

}} // namespace ingot::INGOT_V1
