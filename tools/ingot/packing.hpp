// SPDX-License-Identifier: Apache-2.0
// Packed and compact files made of documents, by a schema.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/schema/schema.hpp>

#include "cli_support.hpp"
#include "opened_file.hpp"
#include "path.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tool {

/// The bytes of a packed or compact message. With `lenient` members that are missing are zero or empty, and those that the schema lacks are passed over; else
/// both are errors.
[[nodiscard]] ingot::result<std::vector<std::byte>> pack(const ingot::document& from, const ingot::schema& by,
                                                         ingot::message_profile profile, bool lenient);
/// Writes a file of such a message.
void write_packed(output& to, const std::string& name, ingot::bytes_view packed, const ingot::schema& by,
                  ingot::message_profile profile, const ingot::compression& how = {}, bool columns = false);

/// Where the document that `to_document` makes of a typed value has what a path leads to in the value, as a JSON Pointer.
[[nodiscard]] std::string pointer_in_document(const ingot::dynamic_value& typed, const path& steps);

} // namespace tool
