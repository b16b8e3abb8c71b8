// SPDX-License-Identifier: Apache-2.0
// Reads the header of a document, and validates a document without writing into its bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Contents of a document's header; not validated.
struct document_info {
  /// Version of the document format.
  std::uint8_t version = 0;
  std::uint32_t size = 0; ///< size of the whole document in bytes
};

/// Reads the header of a document. O(1). Errors: `truncated`, `not_ingot`, `wrong_version`,
/// `layout_mismatch`, `bad_padding`, `bad_length`.
[[nodiscard]] INGOT_COMPILED result<document_info> peek_document(bytes_view bytes) noexcept;

namespace detail::doc {

/// Validates the document at `start`. The document may be shorter than `capacity` bytes. Also
/// checks the numbers of uses that shapes and long keys store. Writes nothing. Returns the length
/// of the document.
[[nodiscard]] INGOT_COMPILED result<std::uint32_t> validate_document(const std::byte* start,
                                                                     std::size_t capacity) noexcept;

} // namespace detail::doc
}} // namespace ingot::INGOT_V1

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/validate.hpp>
#endif
