// SPDX-License-Identifier: Apache-2.0
// `ingot stats`: how the bytes of a file are used.
#include "blocks.hpp"
#include "byte_fields.hpp"
#include "field_compression.hpp"
#include "field_table.hpp"
#include "mend_file.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

struct census {
  std::uint64_t values = 0;
  std::uint64_t containers = 0;
  std::uint64_t texts = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t depth_limit = 0;
};

/// Counts values without recursion, for any depth.
[[nodiscard]] census count(const node& root) {
  census all;
  std::vector<parts> stack;
  const auto look_at = [&](const node& at) {
    ++all.values;
    const bool is_named =
        at.as_typed() != nullptr && at.as_typed()->kind() == ingot::dynamic_kind::enumeration;
    if (const auto text = at.text(); text && !is_named) {
      ++all.texts;
      all.text_bytes += text->size();
    }
    if (at.form() == node_form::scalar || at.form() == node_form::absent) return;
    ++all.containers;
    stack.emplace_back(at);
    all.depth_limit = std::max<std::uint64_t>(all.depth_limit, stack.size());
  };
  look_at(root);
  while (!stack.empty()) {
    if (stack.back().done()) {
      stack.pop_back();
      continue;
    }
    const node next = (*stack.back()).value;
    stack.back().next(); // called before `look_at` pushes, because a push may move this object
    look_at(next);
  }
  return all;
}

} // namespace

exit_code stats(output& to, const stats_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from), options.file);
  std::vector<std::pair<std::string_view, std::uint64_t>> all{{"bytes", file_size_of(file)}};
  if (file.header) {
    all.emplace_back("header bytes", ingot::detail::file_header_size);
    if (!file.is_log()) all.emplace_back("payload bytes", file.header->info.payload_size);
    if (!file.header->info.is_plain())
      all.emplace_back("payload bytes stored", file.header->info.stored_size);
    all.emplace_back("schema bytes", file.header->info.schema_size);
  }
  if (file.is_log()) all.emplace_back("records", file.records);
  if (file.document) {
    ingot::document canonical(std::as_const(*file.document).root(), max_document_size);
    progress_bar bar(file.name);
    value_of(canonical.try_compact(bar), file.name);
    all.emplace_back("bytes as a document", file.document->bytes().size());
    all.emplace_back("bytes when compacted", canonical.bytes().size());
  }
  if (file.block) {
    all.emplace_back("bytes as a block", file.block->bytes().size());
    if (const auto tight = try_compacted(file)) // fails without enough memory
      all.emplace_back("bytes when compacted", tight->bytes().size());
  }
  if (const auto root = file.root()) {
    const census found = count(*root);
    all.emplace_back("values", found.values);
    all.emplace_back("containers", found.containers);
    all.emplace_back("texts", found.texts);
    all.emplace_back("text bytes", found.text_bytes);
    all.emplace_back("deepest", found.depth_limit);
  }
  std::optional<byte_fields> fields;
  std::vector<std::uint64_t> compressed;
  std::uint64_t section_size = 0;
  if (file.is_validated() && (file.header || file.as == format::document)) {
    byte_section all_bytes(file, is_compressed(file));
    section_size = all_bytes.size();
    all_bytes.tell(fields.emplace());
    fields->finish();
    if (is_compressed(file) && file.header->info.method != ingot::codec::none)
      compressed = compressed_by_field(all_bytes, file.header->info.method, file.name);
    shares sum;
    for (const byte_field& each : fields->all()) {
      for (std::size_t use = 0; use < ingot::byte_uses; ++use)
        sum.add(static_cast<ingot::byte_use>(use), each.bytes[use]);
    }
    all.emplace_back("stored bytes", sum.stored);
    all.emplace_back("structure bytes", sum.structure);
    all.emplace_back("padding bytes", sum.padding);
    all.emplace_back("unused bytes", sum.spare);
    all.emplace_back("hole bytes", sum.holes);
    all.emplace_back("holes", fields->hole_count());
    all.emplace_back("longest hole", fields->longest_hole());
  }
  if (shared.json) {
    to << R"({"file":)" << json_string(file.name) << R"(,"what":)" << json_string(file.what());
    for (const auto& [name, number] : all) {
      std::string key(name);
      std::ranges::replace(key, ' ', '_');
      to << ",\"" << key << "\":" << std::to_string(number);
    }
    if (fields) to << ",\"fields\":" << fields_json(*fields, compressed);
    to << "}\n";
    return exit_code::ok;
  }
  to << printable(file.name) << ": " << file.what() << "\n";
  for (const auto& [name, number] : all) {
    const std::string figure = grouped(number);
    to.put(paint::note, name) << std::string(36 - name.size() - std::min<std::size_t>(figure.size(), 14), ' ')
                              << figure << "\n";
  }
  if (fields) show_fields(to, *fields, section_size, options.all ? fields->all().size() : 24, compressed);
  return exit_code::ok;
}

} // namespace tool
