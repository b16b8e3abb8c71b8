// SPDX-License-Identifier: Apache-2.0
// Live blocks that are built without their C++ type. The layout comes from a file, or from a
// schema.
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

/// Returns the layout of blocks of the file's type. A file with a block contains this layout. For
/// packed values, compact values and logs the layout comes from the schema. Returns nothing if the
/// file has neither a layout nor a schema.
[[nodiscard]] std::optional<ingot::dynamic_layout> layout_in(const opened& file);

/// Returns advice for a file that does not describe its type. The advice differs if no other file
/// can describe this type.
[[nodiscard]] std::string_view how_to_get_schema(const opened& file);
/// Returns the schema of packed values of the file's type: the schema in the file, or the schema of
/// a block's layout. If the file has neither a schema nor a block, ends the command with the exit
/// code `otherwise`.
[[nodiscard]] ingot::schema embedded_schema_of(const opened& file, std::string_view advice,
                                               exit_code otherwise);

/// Builds a block from a document. If `lenient` is true, missing members become zero or empty, and
/// members that the layout lacks are ignored. If false, missing and unknown members end the command
/// with the exit code `wrong`.
[[nodiscard]] ingot::dynamic_block build(const ingot::document& from, const ingot::dynamic_layout& layout,
                                         const std::string& name, bool lenient, exit_code wrong);
/// Returns a copy of the file's block without free bytes. Requires that the file has a block.
[[nodiscard]] ingot::result<ingot::dynamic_block> try_compacted(const opened& file);
/// Same as `try_compacted`, but ends the command on an error.
[[nodiscard]] ingot::dynamic_block compacted(const opened& file);
/// Returns a document from which the same block can be rebuilt. Ends the command if there is no
/// such document. One reason is a pool with erased objects: after a rebuild, links into the pool
/// would refer to other objects. The other reason is a string that is not UTF-8.
[[nodiscard]] ingot::document faithful_document(const opened& file, std::string_view what = "not changed");

/// Writes a file with the block and its layout, split into columns if `columns` is true.
void write_block(output& to, const std::string& name, const ingot::dynamic_block& block,
                 const ingot::compression& how = {}, bool columns = false);

} // namespace tool
