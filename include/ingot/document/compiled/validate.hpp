// SPDX-License-Identifier: Apache-2.0
// Definitions of validate.hpp.
#pragma once

#include <ingot/document/detail/document_validator.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/document/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 {

result<document_info> peek_document(bytes_view bytes) noexcept {
  namespace doc = detail::doc;
  doc::document_header header;
  if (bytes.size() < sizeof header)
    return fail(error{errc::truncated, bytes.size()}.with_expected("the 16 bytes of a header"));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != doc::document_header::expected_magic)
    return fail(error{errc::not_ingot}.with_expected("\"ingD\""));
  if (header.version != doc::document_header::current_version)
    return fail(error{errc::wrong_version, 4}.with_expected("version 3").with_found(header.version));
  if ((header.flags & doc::document_header::big_endian) !=
      (detail::little_endian ? 0 : doc::document_header::big_endian))
    return fail(error{errc::layout_mismatch, 5}.with_expected("numbers in this machine's byte order"));
  if ((header.flags & ~unsigned{doc::document_header::big_endian}) != 0 || header.zero != 0)
    return fail(error{errc::bad_padding, 5}.with_expected("no unknown flags"));
  if (header.used < doc::first_node || header.used % 8 != 0 || header.used > doc::max_bytes)
    return fail(error{errc::bad_length, 8}.with_expected("the length of a document").with_found(header.used));
  if (header.used > bytes.size())
    return fail(error{errc::truncated, bytes.size()}
                    .with_expected("as many bytes as the header says")
                    .with_found(bytes.size()));
  return document_info{header.version, header.used};
}

namespace detail::doc {

result<std::uint32_t> validate_document(const std::byte* start, std::size_t capacity) noexcept {
  const auto info = peek_document({start, capacity});
  if (!info) return fail(info.error());
  position_bitmap claims(info->size);
  if (!claims) return fail(error{errc::no_memory}.with_expected("memory for a bitmap (1/64 of the bytes)"));
  document_validator validator(const_cast<std::byte*>(start), info->size, claims.end());
  if (!validator.validate_unmodified()) return validator.failure();
  return info->size;
}

} // namespace detail::doc
}} // namespace ingot::INGOT_V1
