// SPDX-License-Identifier: Apache-2.0
// Text of nearly all kinds straight to nodes: what is an error, or needs an option, is left to who tells events and knows places and paths.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

enum class plain_reading : std::uint8_t {
  read,
  odd,       ///< something in it needs another look: nothing was told, and nothing was taken
  cancelled, ///< by who waits; the reader has the error
};

/// Reads the whole of a text that is open in `from`, and tells its value to `to`. O(n), and O(k log k) for an object of k keys.
[[nodiscard]] plain_reading read_plain(text_reader& from, document_events& to);

}}} // namespace ingot::INGOT_V1::json::detail
