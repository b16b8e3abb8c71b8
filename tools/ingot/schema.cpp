// SPDX-License-Identifier: Apache-2.0
// What a file says of the type that is in it.
#include "text.hpp"
#include "verbs.hpp"

#include <string>

namespace tool {

exit_code schema(output& to, const schema_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from));
  if (!file.schema) {
    throw failure(sentence(options.file + ": no schema", "a packed or compact file that carries its schema",
                           file.what(), "save it with save_options::schema"),
                  exit_code::no);
  }
  const std::string text = file.schema->to_text();
  if (shared.json)
    to << R"({"schema_id":")" << hexadecimal(file.schema->id()) << R"(","text":)" << json_string(text)
       << "}\n";
  else to << text;
  return exit_code::ok;
}

} // namespace tool
