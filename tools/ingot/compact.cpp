// SPDX-License-Identifier: Apache-2.0
// A file without the holes that editing leaves.
#include <ingot/file/file_info.hpp>

#include "in_place.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <string>

namespace tool {

exit_code compact(output& to, const compact_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from));
  if (!file.document || !file.header) {
    throw failure(
        sentence(file.name + ": not rewritten", "a file with a document in it", file.what(),
                 file.block ? "a block is compacted by a program with its type" : "there are no holes in it"),
        exit_code::no);
  }
  if (is_edited(file)) compact_where_it_is(file);
  else
    write_document(to, file.name, *file.document, format::ingot,
                   {.compress = compression_of(file), .columns = columns_of(file)});
  if (file.name == "-") return exit_code::ok;
  const auto now = value_of(ingot::peek_file(file.name, files()));
  const std::uint64_t size = file.header->payload_at() + now.stored_size;
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
