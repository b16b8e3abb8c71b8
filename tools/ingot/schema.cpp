// SPDX-License-Identifier: Apache-2.0
// `ingot schema`: the description of the type in a file.
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>

#include "blocks.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tool {

exit_code schema(output& to, const schema_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from), options.file);
  const ingot::schema embedded = embedded_schema_of(file, how_to_get_schema(file), exit_code::no);
  std::string text;
  if (options.as == "cpp") text = ingot::to_cpp(embedded);
  else if (options.as == "proto") text = ingot::to_proto(embedded);
  else if (options.as == "json-schema") text = value_of(ingot::to_json_schema(embedded), file.name) + '\n';
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
