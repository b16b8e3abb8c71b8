// SPDX-License-Identifier: Apache-2.0
// Files of the kind that is edited where it is: changed there, and what a crash left of them.
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

/// Overwrites bytes of a block, which is as it was read.
void overwrite(const opened& file, std::size_t at, ingot::bytes_view bytes);
/// Gives the file's name to another block, one that is edited where it is, too. The old one is as it was read.
void replace_block(const opened& file, ingot::bytes_view block);
/// Sets a value of a document, which is as it was read.
void set_where_it_is(const opened& file, const std::string& pointer, const ingot::document& value);
/// Gives the file's name to the document without holes, one that is edited where it is, too.
void compact_document(const opened& file);

/// Says whether what is in a file that was not closed is proved, and closes it so if told to.
exit_code recover_edited(output& to, const recover_options& options, const shared_options& shared);

} // namespace tool
