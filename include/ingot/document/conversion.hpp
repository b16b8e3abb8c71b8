// SPDX-License-Identifier: Apache-2.0
// Further forms of values that `value::as` can accept. Other encoders write some values in these
// forms.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `value::as` and `value::as_evolved`. The defaults accept only ingot's forms.
struct conversion_options {
  /// An integer may be a number without a fraction, up to 2^53. JavaScript's encoders write
  /// integers of more than 32 bits in this form.
  bool whole_reals = false;
  /// An empty list, set, map or text may be null. Go writes a nil slice as null.
  bool null_as_empty = false;
  /// A record may be an array of its members' values, in order. rmp-serde (Rust), minicbor (Rust)
  /// and Go structs with `toarray` write this form.
  bool arrays_as_records = false;
  /// Maximum memory in bytes, as in `read_limits`. The whole document counts as the input.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum average number of comparisons for each key, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// Reports the approximate position in the document. If the callback returns false, the error is
  /// `cancelled`.
  progress_ref progress{};
};

}} // namespace ingot::INGOT_V1
