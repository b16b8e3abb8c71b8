// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a file go.
#include "blocks.hpp"
#include "byte_fields.hpp"
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
  std::uint64_t deepest = 0;
};

/// No depth of the value is a depth of the stack.
[[nodiscard]] census count(const node& root) {
  census all;
  std::vector<parts> way;
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
    way.emplace_back(at);
    all.deepest = std::max<std::uint64_t>(all.deepest, way.size());
  };
  look_at(root);
  while (!way.empty()) {
    if (way.back().done()) {
      way.pop_back();
      continue;
    }
    const node next = (*way.back()).value;
    way.back().next(); // before anything is pushed: it may move
    look_at(next);
  }
  return all;
}

/// Sums of uses, as people ask for them.
struct shares {
  std::uint64_t stored = 0;
  std::uint64_t structure = 0;
  std::uint64_t padding = 0;
  std::uint64_t spare = 0;
  std::uint64_t holes = 0;

  void add(ingot::byte_use use, std::uint64_t bytes) noexcept {
    switch (use) {
    case ingot::byte_use::value:
    case ingot::byte_use::key: stored += bytes; return;
    case ingot::byte_use::padding: padding += bytes; return;
    case ingot::byte_use::spare: spare += bytes; return;
    case ingot::byte_use::hole: holes += bytes; return;
    default: structure += bytes; return;
    }
  }
  [[nodiscard]] static shares of(const byte_field& field) {
    shares made;
    for (std::size_t use = 0; use < ingot::byte_uses; ++use)
      made.add(static_cast<ingot::byte_use>(use), field.bytes[use]);
    return made;
  }
};

/// Fields that have bytes, the largest first.
[[nodiscard]] std::vector<std::uint32_t> by_size(const byte_fields& fields) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < fields.all().size(); ++i) {
    if (fields.all()[i].total() != 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t of_a = fields.all()[a].total();
    const std::uint64_t of_b = fields.all()[b].total();
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return order;
}

[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " %";
}
[[nodiscard]] std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

void show_fields(output& to, const byte_fields& fields, std::uint64_t size, std::size_t most) {
  const auto order = by_size(fields);
  to << "\n";
  to.put(paint::note, "       bytes   share      stored   structure     padding  unused room  field") << "\n";
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == most) {
      to.put(paint::note, "... " + counted(order.size() - i, "more field") + "; --all shows them") << "\n";
      return;
    }
    const byte_field& each = fields.all()[order[i]];
    const shares of = shares::of(each);
    to << right(grouped(each.total()), 12) << right(percent(each.total(), size), 8)
       << right(grouped(of.stored), 12) << right(grouped(of.structure), 12) << right(grouped(of.padding), 12)
       << right(grouped(of.spare + of.holes), 13) << "  ";
    to.put(paint::name, fields.path(order[i])) << "\n";
  }
}

[[nodiscard]] std::string fields_json(const byte_fields& fields) {
  std::string out = "[";
  for (const std::uint32_t i : by_size(fields)) {
    const byte_field& each = fields.all()[i];
    out += out.size() == 1 ? "{\"field\":" : ",{\"field\":";
    out += json_string(fields.path(i)) + ",\"bytes\":" + std::to_string(each.total());
    for (std::size_t use = 0; use < ingot::byte_uses; ++use) {
      if (each.bytes[use] != 0)
        out += ",\"" + std::string(to_string(static_cast<ingot::byte_use>(use))) +
               "\":" + std::to_string(each.bytes[use]);
    }
    out += "}";
  }
  return out + "]";
}

} // namespace

exit_code stats(output& to, const stats_options& options, const shared_options& shared) {
  const opened file = value_of(open(options.file, shared.from));
  std::vector<std::pair<std::string_view, std::uint64_t>> all{{"bytes", file.bytes}};
  if (file.header) {
    all.emplace_back("header bytes", ingot::detail::file_header_size);
    if (!file.is_log()) all.emplace_back("payload bytes", file.header->info.payload_size);
    if (!file.header->info.is_plain())
      all.emplace_back("payload bytes stored", file.header->info.stored_size);
    all.emplace_back("schema bytes", file.header->info.schema_size);
  }
  if (file.is_log()) all.emplace_back("records", file.records);
  if (file.document) {
    ingot::document canonical(std::as_const(*file.document).root(), most_document);
    canonical.compact();
    all.emplace_back("bytes as a document", file.document->bytes().size());
    all.emplace_back("bytes when compacted", canonical.bytes().size());
  }
  if (file.block) {
    all.emplace_back("bytes as a block", file.block->bytes().size());
    if (const auto tight = try_compacted(file)) // as far as there is memory for it
      all.emplace_back("bytes when compacted", tight->bytes().size());
  }
  if (const auto root = file.root()) {
    const census found = count(*root);
    all.emplace_back("values", found.values);
    all.emplace_back("containers", found.containers);
    all.emplace_back("texts", found.texts);
    all.emplace_back("text bytes", found.text_bytes);
    all.emplace_back("deepest", found.deepest);
  }
  std::optional<byte_fields> fields;
  std::uint64_t section_size = 0;
  if (file.is_proved() && (file.header || file.as == format::document)) {
    byte_section all_bytes(file, is_compressed(file));
    section_size = all_bytes.size();
    all_bytes.tell(fields.emplace());
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
    if (fields) to << ",\"fields\":" << fields_json(*fields);
    to << "}\n";
    return exit_code::ok;
  }
  to << printable(file.name) << ": " << file.what() << "\n";
  for (const auto& [name, number] : all) {
    const std::string figure = grouped(number);
    to.put(paint::note, name) << std::string(36 - name.size() - std::min<std::size_t>(figure.size(), 14), ' ')
                              << figure << "\n";
  }
  if (fields) show_fields(to, *fields, section_size, options.all ? fields->all().size() : 24);
  return exit_code::ok;
}

} // namespace tool
