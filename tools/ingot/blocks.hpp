// SPDX-License-Identifier: Apache-2.0
// Live blocks made without their type: by the layout in a file, or by the one that a schema has.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/schema/schema.hpp>

#include "cli_support.hpp"
#include "opened_file.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tool {

/// What blocks of a file's type look like: of a block its own layout, of packed and compact values, and logs of them, that of their schema; nothing where neither is there.
[[nodiscard]] std::optional<ingot::dynamic_layout> layout_in(const opened& file);

/// What to do about a file that does not say what its type is, where no other file can say it.
[[nodiscard]] std::string_view how_to_get_schema(const opened& file);
/// What packed values of a file's type look like: the schema in it, or of a block what its layout says; the end of the verb where neither is there.
[[nodiscard]] ingot::schema embedded_schema_of(const opened& file, std::string_view advice, exit_code otherwise);

/// The block that a document says. With `lenient` members that are missing are zero or empty, and those that the layout lacks are passed over; else both
/// are errors, and end the verb with `wrong`.
[[nodiscard]] ingot::dynamic_block build(const ingot::document& from, const ingot::dynamic_layout& layout,
                                         const std::string& name, bool lenient, exit_code wrong);
/// The block of a file that has one, without holes.
[[nodiscard]] ingot::result<ingot::dynamic_block> try_compacted(const opened& file);
/// The same, or the end of the verb.
[[nodiscard]] ingot::dynamic_block compacted(const opened& file);
/// A document of a block from which the block can be made again, or the end of the verb: links into pools that had objects erased would lead elsewhere.
[[nodiscard]] ingot::document faithful_document(const opened& file, std::string_view what = "not changed");

/// Writes a file with the block and its layout, by columns if asked.
void write_block(output& to, const std::string& name, const ingot::dynamic_block& block,
                 const ingot::compression& how = {}, bool columns = false);

} // namespace tool
