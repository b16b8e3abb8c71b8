// SPDX-License-Identifier: Apache-2.0
// `ingot inspect`: prints the kind of a file, and its contents.
#include "field_table.hpp"
#include "file_bytes.hpp"
#include "mend_file.hpp"
#include "path.hpp"
#include "records.hpp"
#include "render.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tool {

namespace {

[[nodiscard]] std::string_view schema_words(ingot::schema_form form) noexcept {
  switch (form) {
  case ingot::schema_form::portable: return "names and kinds";
  case ingot::schema_form::layout: return "a layout";
  case ingot::schema_form::none: break;
  }
  return "none";
}

void fact(output& to, std::string_view name, const std::string& what) {
  to.put(paint::note, std::string(name) + std::string(11 - name.size(), ' ')) << what << "\n";
}

void attributes(output& to, const opened& file) {
  to << printable(file.name) << ": " << file.what() << "\n";
  fact(to, "size", counted(file_size_of(file), "byte"));
  if (!file.header) return;
  const auto& info = file.header->info;
  fact(to, "version", std::to_string(version_of(file)));
  if (file.is_log()) {
    fact(to, "records", grouped(file.records));
    if (file.lost_bytes != 0)
      fact(to, "lost", counted(file.lost_bytes, "byte") + ": " + error_text(*file.missing_reason, file.name));
  } else {
    std::string payload = counted(info.payload_size, "byte");
    if (!info.is_plain())
      payload += ", by " + std::string(packing_name(info)) + " " + counted(info.stored_size, "byte");
    fact(to, "payload", payload + " at byte " + grouped(file.header->payload_at()));
  }
  if (info.schema_id != 0 || info.schema != ingot::schema_form::none) {
    std::string schema(schema_words(info.schema));
    if (info.schema != ingot::schema_form::none)
      schema +=
          ", " + counted(info.schema_size, "byte") + " at byte " + std::to_string(file.header->schema_at());
    fact(to, "schema", schema);
    fact(to, "schema id", hexadecimal(info.schema_id));
    if (info.layout_id != 0) fact(to, "layout id", hexadecimal(info.layout_id));
  }
}

[[nodiscard]] std::string json_facts(const opened& file) {
  std::string out = R"({"name":)" + json_string(file.name) + R"(,"what":)" + json_string(file.what()) +
                    R"(,"size":)" + std::to_string(file_size_of(file));
  if (file.header) {
    const auto& info = file.header->info;
    out += R"(,"version":)" + std::to_string(version_of(file));
    if (file.is_log())
      out +=
          R"(,"records":)" + std::to_string(file.records) + R"(,"lost":)" + std::to_string(file.lost_bytes);
    else
      out += R"(,"payload_offset":)" + std::to_string(file.header->payload_at()) + R"(,"payload_size":)" +
             std::to_string(info.payload_size);
    if (info.method != ingot::codec::none) out += R"(,"codec":)" + json_string(to_string(info.method));
    if (info.columns) out += R"(,"columns":true)";
    if (!info.is_plain()) out += R"(,"stored_size":)" + std::to_string(info.stored_size);
    if (info.schema != ingot::schema_form::none)
      out += R"(,"schema_offset":)" + std::to_string(file.header->schema_at()) + R"(,"schema_size":)" +
             std::to_string(info.schema_size);
    // 64-bit numbers are written as text, because most JSON readers keep only 53 bits.
    if (info.schema_id != 0) out += R"(,"schema_id":")" + hexadecimal(info.schema_id) + '"';
    if (info.layout_id != 0) out += R"(,"layout_id":")" + hexadecimal(info.layout_id) + '"';
  }
  return out += '}';
}

void show_records(output& to, const opened& file, const render_limits& limits) {
  for (records at(file); at.next();) {
    if (at.number() == limits.parts) {
      to.put(paint::note, "... " + grouped(file.records - at.number()) + " more") << "\n";
      return;
    }
    render(to, '[' + std::to_string(at.number()) + ']', at.value(), limits);
  }
}

/// Returns true if the bytes of the file can be shown by field. This is only possible for formats
/// whose bytes the tool can describe.
[[nodiscard]] bool has_fields(const opened& file) {
  return file.is_validated() && (file.header || file.as == format::document);
}

} // namespace

exit_code inspect(output& to, const inspect_options& options, const shared_options& shared) {
  path where = parse_path(options.path);
  const opened file = value_of(open(options.file, shared.from), options.file);
  std::optional<records> at;
  if (shared.json) {
    to << R"({"file":)" << json_facts(file);
    if (file.is_validated() && where.empty() && file.is_log()) {
      to << R"(,"value":[)";
      for (at.emplace(file); at->next();)
        to << (at->number() == 0 ? "" : ",") << with_safe_integers(at->value().json(0));
      to << "]";
    } else if (is_multiple(where)) {
      to << R"(,"values":[)";
      bool is_first = true;
      find_all(file, where, [&](const std::string& name, const node& found) {
        to << (is_first ? "" : ",") << R"({"path":)" << json_string(name) << R"(,"value":)"
           << with_safe_integers(found.json(0)) << "}";
        is_first = false;
      });
      to << "]";
    } else if (file.is_validated() || !where.empty()) {
      to << R"(,"value":)" << with_safe_integers(find(file, where, at).json(0));
    }
    if (options.sizes && has_fields(file)) {
      byte_fields fields;
      byte_section(file, is_compressed(file)).tell(fields);
      fields.finish();
      to << R"(,"fields":)" << fields_json(fields);
    }
    to << "}\n";
    return exit_code::ok;
  }
  render_limits limits;
  limits.depth = options.depth;
  if (options.all) {
    constexpr std::size_t every = std::numeric_limits<std::size_t>::max();
    limits = {every, every, every};
  }
  if (is_multiple(where)) {
    find_all(file, where,
             [&](const std::string& name, const node& found) { render(to, name, found, limits); });
    return exit_code::ok;
  }
  if (!where.empty()) {
    const node found = find(file, where, at);
    render(to, spelled(where, where.size()), found, limits);
    return exit_code::ok;
  }
  attributes(to, file);
  if (!file.is_validated()) return exit_code::ok;
  to << "\n";
  if (file.is_log()) show_records(to, file, limits);
  else render(to, {}, root_of(file), limits);
  if (options.sizes && has_fields(file)) {
    byte_section all_bytes(file, is_compressed(file));
    byte_fields fields;
    all_bytes.tell(fields);
    fields.finish();
    show_fields(to, fields, all_bytes.size(), options.all ? fields.all().size() : 24);
  }
  return exit_code::ok;
}

} // namespace tool
