// SPDX-License-Identifier: Apache-2.0
// The bytes of a type's description, in the format that docs/format.md describes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/file/file_info.hpp>

namespace tool {

/// Emits each byte of a description once. The first malformed byte and all bytes after it are one
/// piece.
void tell_description(ingot::bytes_view bytes, ingot::schema_form form, ingot::byte_visitor& to);

} // namespace tool
