// SPDX-License-Identifier: Apache-2.0
// Text of nearly all kinds straight to nodes: what is an error, or needs an option, is left to who tells events and knows places and paths.
#pragma once

#include <ingot/document/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

namespace ingot::inline v1::json::detail {

/// Reads the whole of a text that is open in `from`, and tells its value to `to`. False when something in it needs another look: nothing was told then, and nothing
/// was taken. O(n), and O(k log k) for an object of k keys.
[[nodiscard]] bool read_plain(text_reader& from, document_events& to);

} // namespace ingot::inline v1::json::detail
