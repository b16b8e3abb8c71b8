// SPDX-License-Identifier: Apache-2.0
// `ingot schema`: the description of the type in a file.
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>

#include "blocks.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

/// Returns the schema of a file. If the payload of the file is damaged, reads only the header and
/// the schema; the checksum of the schema must be right.
[[nodiscard]] ingot::schema schema_of_file(const std::string& name, const reading& how) {
  const auto file = open(name, how);
  if (file) return embedded_schema_of(*file, how_to_get_schema(*file), exit_code::no);
  const auto info = ingot::peek_file(name, files());
  const auto bytes = ingot::read_file_schema(name, files());
  if (info && bytes && info->schema == ingot::schema_form::portable) {
    if (auto schema = ingot::read_schema(*bytes)) return std::move(*schema);
  } else if (info && bytes && info->schema == ingot::schema_form::layout) {
    if (const auto layout = ingot::dynamic_layout::open(*bytes)) {
      if (auto schema = ingot::schema_for(*layout)) return std::move(*schema);
    }
  }
  throw failure(file.error(), name);
}

} // namespace

exit_code schema(output& to, const schema_options& options, const shared_options& shared) {
  const ingot::schema embedded = schema_of_file(options.file, shared.from);
  std::string text;
  if (options.as == "cpp") text = ingot::to_cpp(embedded);
  else if (options.as == "proto") text = ingot::to_proto(embedded);
  else if (options.as == "json-schema") text = value_of(ingot::to_json_schema(embedded), options.file) + '\n';
  else text = embedded.to_text_with_names();
  if (shared.json) {
    to << R"({"schema_id":")" << hexadecimal(embedded.id()) << R"(","as":)" << json_string(options.as)
       << R"(,"text":)" << json_string(text) << "}\n";
    return exit_code::ok;
  }
  // Member names come from the file and may contain control characters. Line feeds in the text come
  // only from the printer of the schema.
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    to << printable(line) << "\n";
  }
  return exit_code::ok;
}

} // namespace tool
