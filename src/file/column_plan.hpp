// SPDX-License-Identifier: Apache-2.0
// Finds the records of a packed payload. The description of the type determines where records are.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>

#include "column_table.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Maximum length of an array of bytes that is split into a column for each byte. A longer array is
/// probably a text, and becomes one column.
inline constexpr std::size_t max_single_bytes = 8;

/// Consecutive records of one kind. A run begins at the end of the previous run, and ends at `end`.
/// Kind 0 is bytes.
struct record_run {
  std::size_t end = 0;
  std::uint8_t kind = 0;
};

/// Division of a whole payload into runs of records. `table` has the columns of each kind of
/// record.
struct column_plan {
  column_table table;
  std::vector<record_run> runs;

  /// Returns true if the payload has records that can be split.
  [[nodiscard]] bool splits() const noexcept {
    for (const record_run& each : runs) {
      if (each.kind != 0) return true;
    }
    return false;
  }
};

/// Plans the columns of a packed payload. `schema` is a portable description. `payload` may have
/// any bytes: parts that don't match the description are treated as bytes. O(bytes of schema and
/// payload). Takes memory in proportion to the number of lists, texts and other parts of variable
/// size in the payload. Errors: those of `read_schema`; `cancelled` by the poll, if there is one.
[[nodiscard]] result<column_plan> plan_columns(bytes_view schema, bytes_view payload,
                                               progress_poll* by = nullptr);

/// As `plan_columns`, for a live block and its layout description. The bytes are not split if they
/// are not such a block, or if the layout is rejected. O(bytes), including validation of the block.
/// Errors: `no_memory`, `cancelled`.
[[nodiscard]] result<column_plan> plan_live_columns(bytes_view layout, bytes_view payload,
                                                    progress_poll* by = nullptr);
/// As `plan_columns`, for a document. A document describes itself.
[[nodiscard]] result<column_plan> plan_document_columns(bytes_view payload, progress_poll* by = nullptr);

/// Calls `walk` with the poll `by`. If `by` is null, calls `walk` with a poll that never reports.
template <class Walk>
[[nodiscard]] result<column_plan> plan_by(progress_poll* by, const Walk& walk) {
  progress_poll no_callback;
  progress_poll& poll = by == nullptr ? no_callback : *by;
  column_plan planned = walk(poll);
  if (poll.stopped()) return fail(errc::cancelled);
  return planned;
}

}}} // namespace ingot::INGOT_V1::detail
