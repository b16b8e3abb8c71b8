// SPDX-License-Identifier: Apache-2.0
// The bytes of a description of a type, as docs/format.md has them.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/file/file_info.hpp>

namespace tool {

/// Tells of each byte of a description once. What is not as it should be, behind the part that is, as one piece.
void tell_description(ingot::bytes_view bytes, ingot::schema_form form, ingot::byte_visitor& to);

} // namespace tool
