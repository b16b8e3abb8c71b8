// SPDX-License-Identifier: Apache-2.0
// JSON text to documents, which need no type, and back.
#pragma once

#include <ingot/document/writer.hpp>
#include <ingot/json/detail/untyped.hpp>
#include <ingot/json/literal.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/write.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// A ceiling that is high enough for the document of any text of this length, and at least the default. A ceiling
/// takes addresses, not memory.
[[nodiscard]] max_block_size max_block_size_for(std::size_t text_bytes) noexcept;

/// Reads a document from JSON text, straight into its nodes (docs/json.md). Signed and unsigned integers are exact up
/// to 64 bits; other numbers, including `-0`, become the nearest double. Only those options count that say so. Errors:
/// as `read`, with the path; `no_space` if the ceiling is too low. O(n), and O(k log k) for an object of k keys. Takes
/// up to 4 bytes of memory for each byte of text, and memory for the contents of containers that have not ended yet.
/// Depth costs no stack.
[[nodiscard]] result<document> read_document(std::string_view text, const read_options& options = {});
[[nodiscard]] result<document> read_document(std::string_view text, const read_options& options,
                                             max_block_size max_size);

/// Reads a text and passes its value to `to` as events. For repeated keys, the policy of `to` counts.
[[nodiscard]] result<void> read_events(std::string_view text, document_events& to,
                                       const read_options& options = {});

// `write_to(out, document)` appends a document, or one value of it, to `out` as JSON text and
// returns how many bytes that took; `write(document)` returns the text. Doubles are written with a
// point or an exponent, so that reading the text gives the same document again. Members come in the
// order of the document, which is the same on every machine, or sorted by key.
//
// Errors: what JSON has no form for, unless an option allows it: NaN and infinities
// (`out_of_range`), bytes (`type_mismatch`), text that is not UTF-8 (`invalid_utf8`). Also
// `missing_member` for an absent value, `too_deep`, `too_large` beyond `max_size`, `no_memory`.
// After an error `out` is unchanged. O(n), and O(k log k) for k keys that are sorted.

}}} // namespace ingot::INGOT_V1::json
