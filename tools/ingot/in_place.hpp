// SPDX-License-Identifier: Apache-2.0
// Files that are edited in place: changes, and recovery after a crash.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/document.hpp>

#include "opened_file.hpp"
#include "verbs.hpp"

#include <cstddef>
#include <string>

namespace tool {

[[nodiscard]] inline bool is_edited(const opened& file) noexcept {
  return file.header && file.header->is_edited();
}

/// Overwrites bytes of a block. Ends the command if the block has changed since it was read.
void overwrite(const opened& file, std::size_t at, ingot::bytes_view bytes);
/// Replaces the file by a file with another block. The new file is also a file that is edited in
/// place. Ends the command if the old block has changed since it was read.
void replace_block(const opened& file, ingot::bytes_view block);
/// Sets a value of a document. Ends the command if the document has changed since it was read.
void set_where_it_is(const opened& file, const std::string& pointer, const ingot::document& value);
/// Replaces the file by a file with the same document without free bytes. The new file is also a
/// file that is edited in place.
void compact_document(const opened& file);

/// Reports whether the payload of a file that was not closed is valid, and closes the file if
/// `options.cut` is set.
exit_code recover_edited(output& to, const recover_options& options, const shared_options& shared);

} // namespace tool
