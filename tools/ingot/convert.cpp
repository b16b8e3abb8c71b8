// SPDX-License-Identifier: Apache-2.0
// `ingot convert`: writes the contents of a file in another format.
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/detail/value_emitter.hpp>
#include <ingot/protobuf/document.hpp>

#include "blocks.hpp"
#include "packing.hpp"
#include "records.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tool {

namespace {

/// Returns all records as one array.
[[nodiscard]] ingot::document document_of_records(const opened& log,
                                                  ingot::value_format form = ingot::value_format::document) {
  ingot::document_writer_options options;
  options.max_size = max_document_size;
  ingot::document_writer to(options);
  to.begin_array();
  for (records at(log); at.next();) {
    ingot::detail::dyn::value_emitter value_emitter(to, 127, max_document_size.bytes, form);
    const node value = at.value();
    if (value_emitter.tell(value.holder()) != ingot::detail::dyn::emit_status::emitted)
      throw failure(log.name + ": record " + std::to_string(at.number()) +
                    " is larger than a document can be");
  }
  to.end();
  auto finished = to.finish();
  if (!finished && form != ingot::value_format::document &&
      finished.error().code() == ingot::errc::duplicate_key)
    // Two keys became equal in this form. So the default form is used. `to_document` does the same.
    return document_of_records(log);
  return value_of(std::move(finished), log.name);
}

/// Returns the form that values have in text.
[[nodiscard]] ingot::value_format text_form(const convert_options& options) noexcept {
  return options.flag_names ? ingot::value_format::json_name_lists : ingot::value_format::json;
}

/// Writes one line per record. Keeps all lines in memory only if the output is a file, because a
/// file must appear complete or not at all.
void convert_lines(output& to, const opened& log, const convert_options& options) {
  std::string lines;
  for (records at(log); at.next();) {
    const auto record = value_of(at.value().to_document(text_form(options)), log.name);
    lines += json_of(record.root(), {.indent = 0, .reduce = options.reduce});
    lines += '\n';
    if (options.to != "-" || lines.size() < 65536) continue;
    to << lines;
    lines.clear();
  }
  write_text(to, options.to, lines);
}

/// Advice if a schema is missing.
constexpr const char* name_one = "name one with --schema";

/// Parses a codec with an optional level: "zstd:9".
[[nodiscard]] ingot::compression compression_named(std::string_view text) {
  ingot::compression how;
  how.min_saving_percent = 0; // with --compress, even a small saving counts
  if (text.empty()) return how;
  const std::string_view name = text.substr(0, text.find(':'));
  if (name == "lz4") how.method = ingot::codec::lz4;
  else if (name == "zstd") how.method = ingot::codec::zstd;
  const std::string_view level = name.size() == text.size() ? "0" : text.substr(name.size() + 1);
  const auto [end, wrong] = std::from_chars(level.data(), level.data() + level.size(), how.level);
  const bool is_zstd = how.method == ingot::codec::zstd;
  const bool is_level = wrong == std::errc() && end == level.data() + level.size() &&
                        how.level >= (is_zstd ? -7 : 0) && how.level <= (is_zstd ? 22 : 12);
  if (how.method != ingot::codec::none && is_level) return how;
  if (text == "none") return how;
  throw failure(sentence("--compress " + quote(text),
                         "none, or lz4 or zstd, and maybe a level: lz4:0 to lz4:12, zstd:-7 to zstd:22", "",
                         ""),
                exit_code::usage);
}

[[nodiscard]] format wanted(const convert_options& options) {
  if (options.as != format::automatic) return options.as;
  if (const format said = format_of_name(options.to); said != format::automatic) return said;
  if (options.to == "-") return format::json;
  throw failure(sentence("no format for " + options.to,
                         "a name that ends with .json, .jsonl, .msgpack, .cbor, .pb, .inga or .ingot", "",
                         "say --to FORMAT"),
                exit_code::usage);
}

/// Returns true for MessagePack and CBOR. Both have values that documents don't have.
[[nodiscard]] bool is_binary(format of) noexcept { return of == format::msgpack || of == format::cbor; }

/// Returns true if the records of the output are split into columns: with the option --columns, or
/// if the records of `file` are split and the option --rows is not set.
[[nodiscard]] bool columns_for(const opened& file, const convert_options& options) noexcept {
  return options.columns || (columns_of(file) && !options.rows);
}

/// Writes a live block. If the source is a block and `--schema` names no file, writes the source's
/// block with its description. Otherwise builds a block from the value, by a layout or a schema.
void convert_live(output& to, const opened& file, const opened& by, const convert_options& options,
                  const ingot::compression& how) {
  if (file.block && by.name.empty()) {
    const auto description = value_of(ingot::read_file_schema(file.name, files()), file.name);
    ingot::file_info info = file.header->info;
    info.columns = columns_for(file, options);
    write_ingot(to, options.to, info, file.memory->payload(), description, how);
    return;
  }
  const opened& from = by.name.empty() ? file : by;
  const auto layout = layout_in(from);
  if (!layout) {
    throw failure(sentence(from.name + ": no layout",
                           "a packed, compact or live file that describes its type", from.what(),
                           "name one with --schema"),
                  exit_code::usage);
  }
  const ingot::document whole =
      file.is_log() ? document_of_records(file) : value_of(root_of(file).to_document(), file.name);
  write_block(to, options.to, build(whole, *layout, file.name, options.reduce, exit_code::failed), how,
              columns_for(file, options));
}

/// Converts by a schema. Packs the value first; packing validates the value against the schema.
void convert_by_schema(output& to, const opened& file, const ingot::schema& schema,
                       const ingot::document& whole, format as, const convert_options& options,
                       const ingot::compression& how) {
  const auto profile = as == format::compact ? ingot::message_profile::compact : ingot::message_profile::pack;
  const auto packed = pack(whole, schema, profile, options.reduce);
  if (!packed) {
    const auto code = packed.error().code();
    const bool may_pass = code == ingot::errc::missing_member || code == ingot::errc::unknown_member;
    throw failure(packed.error(), file.name, exit_code::failed, may_pass ? ", or ask for --reduce" : "");
  }
  if (as != format::protobuf)
    return write_packed(to, options.to, *packed, schema, profile, how, columns_for(file, options));
  const auto ready = value_of(ingot::dynamic_schema::from(schema), file.name);
  const auto message = value_of(ingot::dynamic_message::open_in_place(*packed, ready), file.name);
  write_bytes(to, options.to, value_of(ingot::protobuf::write_message(message, schema), file.name));
}

} // namespace

exit_code convert(output& to, const convert_options& options, const shared_options& shared) {
  const format as = wanted(options);
  ingot::compression how = compression_named(options.compress);
  const bool has_header =
      as == format::ingot || as == format::packed || as == format::compact || as == format::live;
  if (how.method != ingot::codec::none && (!has_header || options.to == "-")) {
    throw failure(sentence("--compress", "a file in one of ingot's formats as output",
                           options.to == "-" ? "standard output" : to_string(as),
                           "name a file, or compress the bytes with another program"),
                  exit_code::usage);
  }
  if (options.columns && (!has_header || as == format::compact || options.to == "-")) {
    throw failure(sentence("--columns", "a packed value, a block or a document to write to a file",
                           options.to == "-" ? "standard output" : to_string(as),
                           "compact values and other formats have no columns"),
                  exit_code::usage);
  }
  opened by;
  std::optional<ingot::schema> schema; // for reading and writing
  if (!options.schema.empty()) {
    reading schema_read(format::ingot);
    schema_read.unchecked = shared.from.unchecked; // only the schema has to be sound
    by = value_of(open(options.schema, schema_read), options.schema);
    if (by.schema || by.block) schema = embedded_schema_of(by, name_one, exit_code::usage);
  }
  reading how_read = shared.from;
  if (how_read.unchecked) how_read.spare_schema = options.schema;
  if (how_read.as == format::automatic) how_read.as = format_of_source(options.from);
  // If both formats are binary, values that documents don't have are wrapped in objects, because
  // the output can represent such values.
  const bool wraps = options.wrap || (is_binary(as) && is_binary(how_read.as));
  how_read.unsupported_values = wraps            ? ingot::unsupported_values::wrap
                                : options.reduce ? ingot::unsupported_values::lossy
                                                 : ingot::unsupported_values::plain;
  // With a schema, the member's type decides whether a decimal fraction becomes a number or a time.
  // In values of any kind, a decimal fraction stays a number.
  const bool is_typed =
      as == format::packed || as == format::compact || as == format::protobuf || as == format::live;
  how_read.keeps_fractions =
      is_typed && schema && std::ranges::none_of(schema->nodes(), [](const ingot::schema_node& each) {
        return each.attributes.kind == ingot::schema_kind::document;
      });
  const opened file = value_of(open(options.from, how_read, schema ? &*schema : nullptr), options.from);
  // Compresses the output as the source is compressed, unless an option says otherwise.
  if (options.compress.empty() && has_header) how = compression_of(file);
  if (file.is_log() && as == format::jsonl) {
    convert_lines(to, file, options);
  } else if (as == format::live) {
    convert_live(to, file, by, options, how);
  } else {
    const bool by_schema = as == format::packed || as == format::compact || as == format::protobuf;
    // Text has the form of JSON that a program with the C++ type reads and writes.
    const bool is_text = as == format::json || as == format::jsonl;
    const auto form = is_text ? text_form(options) : ingot::value_format::document;
    const ingot::document whole = file.is_log() ? document_of_records(file, form)
                                  : by_schema && file.block
                                      ? faithful_document(file, "not converted")
                                      : value_of(root_of(file).to_document(form), file.name);
    if (by_schema) {
      if (!schema) schema = embedded_schema_of(by.name.empty() ? file : by, name_one, exit_code::usage);
      convert_by_schema(to, file, *schema, whole, as, options, how);
    } else {
      write_document(
          to, options.to, whole, as,
          {.indent = options.indent,
           .reduce = options.reduce,
           .unsupported_values = wraps ? ingot::unsupported_values::wrap : ingot::unsupported_values::reject,
           .integer_keys = options.integer_keys,
           .wide_reals = options.wide_reals,
           .max_depth = shared.from.max_depth,
           .compress = how,
           .columns = columns_for(file, options)});
    }
  }
  if (shared.json && options.to != "-")
    to << R"({"from":)" << json_string(options.from) << R"(,"to":)" << json_string(options.to) << R"(,"as":)"
       << json_string(to_string(as)) << "}\n";
  return exit_code::ok;
}

} // namespace tool
