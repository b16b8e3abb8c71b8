// SPDX-License-Identifier: Apache-2.0
// What is in a file, in another form.
#include <ingot/document/dynamic_tell.hpp>
#include <ingot/document/writer.hpp>

#include "packing.hpp"
#include "records.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <string>
#include <string_view>

namespace tool {

namespace {

/// All records as one array.
[[nodiscard]] ingot::document document_of_records(const opened& log) {
  ingot::document_writer_options options;
  options.most = most_document;
  ingot::document_writer to(options);
  to.begin_array();
  for (records at(log); at.next();) {
    ingot::detail::dyn::teller teller(to, 127, most_document.bytes);
    const node value = at.value();
    if (teller.tell(*value.as_typed()) != ingot::detail::dyn::tell_outcome::told)
      throw failure(log.name + ": record " + std::to_string(at.number()) +
                    " takes more than a document holds");
  }
  to.end();
  return value_of(to.finish(), log.name);
}

/// A line a record, never all of them in memory. Into a file all the same: it has to be there as a whole or not at all.
void convert_lines(output& to, const opened& log, const convert_options& options) {
  std::string lines;
  for (records at(log); at.next();) {
    const auto made = value_of(at.value().to_document(), log.name);
    lines += json_of(made.root(), {.indent = 0, .reduce = options.reduce});
    lines += '\n';
    if (options.to != "-" || lines.size() < 65536) continue;
    to << lines;
    lines.clear();
  }
  write_text(to, options.to, lines);
}

/// The schema to write by: of the file that was named, or of what is converted.
[[nodiscard]] const ingot::schema& schema_for(const opened& file, const convert_options& options,
                                              opened& by) {
  if (!options.schema.empty()) by = value_of(open(options.schema, format::ingot));
  const opened& from = options.schema.empty() ? file : by;
  if (from.schema) return *from.schema;
  throw failure(sentence(from.name + ": no schema", "a packed or compact file that carries its schema",
                         from.what(), "name one with --schema"),
                exit_code::usage);
}

[[nodiscard]] format wanted(const convert_options& options) {
  if (options.as != format::automatic) return options.as;
  if (const format said = format_of_name(options.to); said != format::automatic) return said;
  if (options.to == "-") return format::json;
  throw failure(sentence("no format for " + options.to,
                         "a name that ends with .json, .jsonl, .msgpack, .cbor, .inga or .ingot", "",
                         "say --to FORMAT"),
                exit_code::usage);
}

} // namespace

exit_code convert(output& to, const convert_options& options, const shared_options& shared) {
  const format as = wanted(options);
  const opened file = value_of(open(options.from, shared.from));
  opened by;
  if (file.is_log() && as == format::jsonl) {
    convert_lines(to, file, options);
  } else {
    const ingot::document made =
        file.is_log() ? document_of_records(file) : value_of(root_of(file).to_document(), file.name);
    if (as == format::packed || as == format::compact) {
      const auto profile =
          as == format::packed ? ingot::message_profile::pack : ingot::message_profile::compact;
      const auto& schema = schema_for(file, options, by);
      const auto packed = pack(made, schema, profile, options.reduce);
      if (!packed) {
        const auto code = packed.error().code();
        const bool may_pass = code == ingot::errc::missing_member || code == ingot::errc::unknown_member;
        throw failure(file.name + ": " + packed.error().message() +
                      (may_pass ? ", or ask for --reduce" : ""));
      }
      write_packed(to, options.to, *packed, schema, profile);
    } else {
      write_document(to, options.to, made, as, {.indent = options.indent, .reduce = options.reduce});
    }
  }
  if (shared.json && options.to != "-")
    to << R"({"from":)" << json_string(options.from) << R"(,"to":)" << json_string(options.to) << R"(,"as":)"
       << json_string(to_string(as)) << "}\n";
  return exit_code::ok;
}

} // namespace tool
