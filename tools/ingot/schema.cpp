// SPDX-License-Identifier: Apache-2.0
// What a file says of the type that is in it.
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>

#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tool {

exit_code schema(output& to, const schema_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from));
  if (!file.schema) {
    throw failure(sentence(options.file + ": no schema", "a packed or compact file that carries its schema",
                           file.what(), "save it with save_options::schema"),
                  exit_code::no);
  }
  std::string text;
  if (options.as == "cpp") text = ingot::to_cpp(*file.schema);
  else if (options.as == "proto") text = ingot::to_proto(*file.schema);
  else if (options.as == "json-schema")
    text = value_of(ingot::to_json_schema(*file.schema), file.name) + '\n';
  else text = file.schema->to_text();
  if (shared.json) {
    to << R"({"schema_id":")" << hexadecimal(file.schema->id()) << R"(","as":)" << json_string(options.as)
       << R"(,"text":)" << json_string(text) << "}\n";
    return exit_code::ok;
  }
  // Names of members are somebody's text; line feeds are the printers'.
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    to << printable(line) << "\n";
  }
  return exit_code::ok;
}

} // namespace tool
