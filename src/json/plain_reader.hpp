// SPDX-License-Identifier: Apache-2.0
// Reads texts of the most common form directly into nodes. All other texts, and all errors, are
// left to the reader that emits events. That reader reports positions and paths.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

enum class plain_reading : std::uint8_t {
  read,
  odd,       ///< the slow path is needed; no event was emitted, no token consumed
  cancelled, ///< the callback has cancelled; `from` contains the error
};

/// Reads the whole text that is open in `from`, and emits its value to `to`. O(n), and O(k log k)
/// for an object of k keys.
[[nodiscard]] plain_reading read_plain(text_reader& from, document_events& to);

}}} // namespace ingot::INGOT_V1::json::detail
