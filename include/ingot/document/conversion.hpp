// SPDX-License-Identifier: Apache-2.0
// Forms of values that `value::as` accepts in addition to those it writes: other encoders write
// some values differently.
#pragma once

#include <ingot/core/read_limits.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `value::as`, for values from other encoders. All are off by default.
struct conversion_options {
  /// An integer may be a number without a fraction, up to 2^53: JavaScript's encoders write
  /// integers of more than 32 bits in this form.
  bool whole_reals = false;
  /// An empty list, set, map or text may be null, as Go writes a nil slice.
  bool null_as_empty = false;
  /// A record may be an array of its members' values, in order, as rmp-serde (Rust), minicbor
  /// (Rust) and structs with `toarray` (Go) are written.
  bool arrays_as_records = false;
  /// Maximum memory in bytes, as in `read_limits`; the input is the whole document.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum average of comparisons for each key, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
};

}} // namespace ingot::INGOT_V1
