// SPDX-License-Identifier: Apache-2.0
// Reads documents from JSON text, and writes documents as JSON text. A document needs no C++ type.
#pragma once

#include <ingot/document/writer.hpp>
#include <ingot/json/detail/untyped.hpp>
#include <ingot/json/literal.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/write.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// Returns a size limit that suffices for the document of any text of `text_bytes` bytes. The limit
/// is at least the default. A size limit reserves address space, not memory.
[[nodiscard]] max_block_size max_block_size_for(std::size_t text_bytes) noexcept;

/// Reads a document from JSON text, directly into its nodes (docs/json.md). Signed and unsigned
/// integers are exact up to 64 bits; other numbers, including `-0`, become the nearest double.
/// These options have no effect: `unknown_keys`, `missing_keys`, `non_finite`, `max_collisions`.
///
/// O(n), and O(k log k) for an object of k keys. Takes up to 4 bytes of memory for each byte of
/// text, and memory for the contents of containers that have not ended yet. Nested containers need
/// no stack. Errors: as `read`, with the path; `no_space` if the document exceeds its size limit.
[[nodiscard]] result<document> read_document(std::string_view text, const read_options& options = {});
[[nodiscard]] result<document> read_document(std::string_view text, max_block_size max_size,
                                             const read_options& options = {});

/// Reads a text and passes its value to `to` as events. The policy of `to` applies to repeated
/// keys. Errors: as `read_document`, and those of `to`.
[[nodiscard]] result<void> read_events(document_events& to, std::string_view text,
                                       const read_options& options = {});

// `write_to(out, document)` appends a document, or one value of it, to `out` as JSON text and
// returns the number of bytes appended; `write(document)` returns the text. Doubles are written
// with a decimal point or an exponent, so that reading the text gives the same document again.
// Members have the order of the document, which is the same on every machine, or are sorted by key.
//
// O(n), and O(k log k) for k keys that are sorted. After an error `out` is unchanged. Errors:
// values that JSON can't represent, unless an option allows them: NaN and infinities
// (`out_of_range`), bytes (`type_mismatch`), text that is not UTF-8 (`invalid_utf8`). Also
// `missing_member` for an absent value, `too_deep`, `too_large` beyond `max_bytes`, `no_memory`.

}}} // namespace ingot::INGOT_V1::json
