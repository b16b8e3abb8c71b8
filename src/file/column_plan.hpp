// SPDX-License-Identifier: Apache-2.0
// Finds the records of a packed payload by walking it along the description of its type.
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

/// Consecutive records of one kind. They begin at the end of the previous run, and end at `end`.
/// Kind 0 is bytes.
struct record_run {
  std::size_t end = 0;
  std::uint8_t kind = 0;
};

/// A whole payload as runs.
struct column_plan {
  column_table table;
  std::vector<record_run> runs;

  /// Returns true if there is anything to split.
  [[nodiscard]] bool splits() const noexcept {
    for (const record_run& each : runs) {
      if (each.kind != 0) return true;
    }
    return false;
  }
};

/// Plans the columns of a packed payload. `schema` is a portable description, `payload` any bytes:
/// parts that don't match the description stay bytes. O(size of both). Takes memory for a run of
/// each list and text in the payload. Errors: those of `read_schema`; `cancelled` by the poll, if
/// there is one.
[[nodiscard]] result<column_plan> plan_columns(bytes_view schema, bytes_view payload,
                                               progress_poll* by = nullptr);

/// As `plan_columns`, for a live block by its layout description. Bytes that are not such a block,
/// and blocks whose layout is rejected, are not split. O(bytes), including validation of the block.
/// Errors: `no_memory`, `cancelled`.
[[nodiscard]] result<column_plan> plan_live_columns(bytes_view layout, bytes_view payload,
                                                    progress_poll* by = nullptr);
/// As `plan_columns`, for a document, which describes itself.
[[nodiscard]] result<column_plan> plan_document_columns(bytes_view payload, progress_poll* by = nullptr);

/// Calls a walk with a poll, which never reports if `by` is null.
template <class Walk>
[[nodiscard]] result<column_plan> plan_by(progress_poll* by, const Walk& walk) {
  progress_poll nobody;
  progress_poll& poll = by == nullptr ? nobody : *by;
  column_plan planned = walk(poll);
  if (poll.stopped()) return fail(errc::cancelled);
  return planned;
}

}}} // namespace ingot::INGOT_V1::detail
