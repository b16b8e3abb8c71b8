// SPDX-License-Identifier: Apache-2.0
// `ingot compact`: removes the free bytes that edits leave in a file.
#include <ingot/file/detail/input_file.hpp>

#include "blocks.hpp"
#include "in_place.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <string>

namespace tool {

exit_code compact(output& to, const compact_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from), options.file);
  const bool is_bare = file.header && file.header->info.layout_id != 0 && !file.block;
  if ((!file.document && !file.block) || !file.header) {
    throw failure(sentence(file.name + ": not rewritten",
                           is_bare ? "a live block that carries its layout"
                                   : "a file with a document or a live block in it",
                           is_bare ? "a live block without it" : file.what(),
                           is_bare ? "a block without its layout is compacted by a program with its type"
                                   : "there are no holes in it"),
                  exit_code::no);
  }
  if (file.block) {
    const ingot::dynamic_block result_block = compacted(file);
    if (is_edited(file)) replace_block(file, result_block.bytes());
    else
      write_ingot(to, file.name, file.header->info, result_block.bytes(), result_block.layout().bytes(),
                  compression_of(file));
  } else if (is_edited(file)) {
    compact_document(file);
  } else {
    write_document(to, file.name, *file.document, format::ingot,
                   {.compress = compression_of(file), .columns = columns_of(file)});
  }
  if (file.name == "-") return exit_code::ok;
  const std::uint64_t size =
      value_of(value_of(ingot::detail::input_file::open(files(), file.name), file.name).size(), file.name);
  if (shared.json) {
    to << R"({"file":)" << json_string(file.name) << R"(,"before":)" << std::to_string(file.bytes)
       << R"(,"after":)" << std::to_string(size) << "}\n";
  } else {
    to << printable(file.name) << ": " << counted(file.bytes, "byte") << " before, " << counted(size, "byte")
       << " now\n";
  }
  return exit_code::ok;
}

} // namespace tool
