// SPDX-License-Identifier: Apache-2.0
// Finds the paths of an archive's values, for errors. Only the position of the value is known, so
// the search begins at the root. At each level, it continues in the element whose bytes include
// this position.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_format.hpp>
#include <ingot/document/detail/archive_index.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Prepends the path of the value at `target` to the path of the error. O(n) in the elements of the
/// containers around the value; a repeated call is O(log n).
INGOT_COLD inline void name_archived(error& err, archive_index& in, uint32_t target) noexcept {
  struct step {
    uint32_t shape = 0;
    uint32_t index = 0;
    bool in_array = false;
  };
  std::array<step, 64> steps; // the innermost keys and indices of a long path
  std::size_t depth = 0;
  uint32_t at = in.parts().shapes_end;
  uint32_t end = in.parts().end;
  while (at != target) {
    archive_head container;
    if (!read_archive_head(in.start(), at, end, container) || target < container.body ||
        target >= container.next)
      return static_cast<void>(err.cut_path());
    step& next = steps[depth++ % steps.size()];
    next = {container.shape, 0, container.kind == value_kind::array};
    if (container.is_packed) {
      next.index = (target - container.body) / container.width;
      break;
    }
    const auto [position, index] = in.element_before(at, container, target);
    if (position == 0) return static_cast<void>(err.cut_path());
    next.index = index;
    at = position;
    end = container.next;
  }
  for (std::size_t i = depth; i != 0 && depth - i < steps.size(); --i) {
    const step& each = steps[(i - 1) % steps.size()];
    if (each.in_array) err.in_element(each.index);
    else err.in_member(in.key_text(in.key_of_member(each.shape, each.index)));
  }
  if (depth > steps.size()) err.cut_path();
}

}}} // namespace ingot::INGOT_V1::detail::doc
