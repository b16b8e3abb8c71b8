// SPDX-License-Identifier: Apache-2.0
// Where the records of a packed payload lie, found by walking it along the description of its type.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>

#include "column_table.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A longer array of bytes is one column: a text, most likely.
inline constexpr std::size_t most_single_bytes = 8;

/// Records of one kind that follow each other, up to `end`; they begin where the run before ends. Kind 0 are bytes.
struct record_run {
  std::size_t end = 0;
  std::uint8_t kind = 0;
};

/// All of a payload, as runs.
struct column_plan {
  column_table table;
  std::vector<record_run> runs;

  /// Whether there is anything to split.
  [[nodiscard]] bool splits() const noexcept {
    for (const record_run& each : runs) {
      if (each.kind != 0) return true;
    }
    return false;
  }
};

/// `schema` is a portable description, `payload` any bytes: what is not as the description says is left as bytes. Time linear in both; memory
/// for a run of each list and text in the payload. Errors: those of `read_schema`; `cancelled` by who is asked meanwhile, if there is somebody.
[[nodiscard]] result<column_plan> plan_columns(bytes_view schema, bytes_view payload, asked* by = nullptr);

/// The same of a live block by its layout description. What is no such block, or of a layout
/// that is refused, has no plan: nothing is split. Errors: `no_memory`, `cancelled`. O(bytes), with a proof of the block.
[[nodiscard]] result<column_plan> plan_live_columns(bytes_view layout, bytes_view payload,
                                                    asked* by = nullptr);
/// The same of a document, which says itself what is in it.
[[nodiscard]] result<column_plan> plan_document_columns(bytes_view payload, asked* by = nullptr);

/// By a walk that is written for anybody, or nobody, to be asked.
template <class Walk>
[[nodiscard]] result<column_plan> plan_by(asked* by, const Walk& walk) {
  if (by == nullptr) {
    no_poll nobody;
    return walk(nobody);
  }
  column_plan made = walk(*by);
  if (by->stopped()) return fail(errc::cancelled);
  return made;
}

}}} // namespace ingot::INGOT_V1::detail
