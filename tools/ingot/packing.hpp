// SPDX-License-Identifier: Apache-2.0
// Packed and compact files built from documents by a schema.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/schema/schema.hpp>

#include "cli_support.hpp"
#include "opened_file.hpp"
#include "path.hpp"

#include <string>

namespace tool {

/// Returns the bytes of a packed or compact message. If `lenient` is true, missing members become
/// zero or empty, and members that the schema lacks are ignored. If false, missing and unknown
/// members are errors.
[[nodiscard]] ingot::result<ingot::buffer> pack(const ingot::document& from, const ingot::schema& by,
                                                ingot::message_profile profile, bool lenient);
/// Writes a file with a packed or compact message.
void write_packed(output& to, const std::string& name, ingot::bytes_view packed, const ingot::schema& by,
                  ingot::message_profile profile, const ingot::compression& how = {}, bool columns = false);

/// Returns the JSON Pointer of the value that a path leads to. The pointer is for the document that
/// `to_document` returns for `typed`.
[[nodiscard]] std::string pointer_in_document(const ingot::dynamic_value& typed, const path& steps);

} // namespace tool
