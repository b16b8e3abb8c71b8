// SPDX-License-Identifier: Apache-2.0
#include "blocks.hpp"

#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/schema_for.hpp>

#include "text.hpp"
#include "writing.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tool {

std::optional<ingot::dynamic_layout> layout_in(const opened& file) {
  if (file.block) return file.block->layout();
  if (!file.schema) return {};
  return value_of(ingot::layout_for(*file.schema), file.name);
}

std::string_view how_to_get_schema(const opened& file) {
  return file.header && !file.document ? "save it with save_options::schema"
                                       : "its values have no declared type; ingot inspect shows them";
}

ingot::schema embedded_schema_of(const opened& file, std::string_view advice, exit_code otherwise) {
  if (file.schema) return *file.schema;
  if (file.block) return value_of(ingot::schema_for(file.block->layout()), file.name);
  throw failure(sentence(file.name + ": no schema", "a packed, compact or live file that describes its type",
                         file.what(), advice),
                otherwise);
}

ingot::dynamic_block build(const ingot::document& from, const ingot::dynamic_layout& layout,
                           const std::string& name, bool lenient, exit_code wrong) {
  ingot::build_block_options options;
  options.missing_is_error = !lenient;
  options.unknown_is_ignored = lenient;
  auto built = ingot::build_block(from, layout, options);
  if (built) return std::move(*built);
  const auto code = built.error().code();
  const bool may_pass = !lenient && wrong == exit_code::failed &&
                        (code == ingot::errc::missing_member || code == ingot::errc::unknown_member);
  throw failure(built.error(), name, wrong, may_pass ? ", or ask for --reduce" : "");
}

ingot::result<ingot::dynamic_block> try_compacted(const opened& file) {
  ingot::build_block_options options;
  options.max_bytes = std::max(options.max_bytes, 2 * file.block->bytes().size());
  progress_bar bar(file.name);
  options.progress = bar;
  return ingot::compact_block(*file.block, options);
}
ingot::dynamic_block compacted(const opened& file) { return value_of(try_compacted(file), file.name); }

ingot::document faithful_document(const opened& file, std::string_view what) {
  auto said = value_of(ingot::to_document(file.block->root()), file.name);
  const ingot::dynamic_block again = build(said, file.block->layout(), file.name, false, exit_code::no);
  const ingot::dynamic_block canonical = compacted(file);
  if (!std::ranges::equal(again.bytes(), canonical.bytes())) {
    throw failure(sentence(file.name + ": " + std::string(what), "a value that a document can hold",
                           "free slots of a pool, or strings that are not text",
                           "a program with its type makes changes that need space in such a block"),
                  exit_code::no);
  }
  return said;
}

void write_block(output& to, const std::string& name, const ingot::dynamic_block& block,
                 const ingot::compression& how, bool columns) {
  ingot::file_info info;
  info.kind = ingot::file_kind::live;
  info.schema = ingot::schema_form::layout;
  info.schema_id = block.layout().schema_id();
  info.layout_id = block.layout().layout_id();
  info.columns = columns;
  write_ingot(to, name, info, block.bytes(), block.layout().bytes(), how);
}

} // namespace tool
